//! What fuzzing keeps, passed through its target: what was a crash once is none again.

use std::fs;
use std::path::Path;

use assay_tests_hostile::TARGETS;

#[test]
fn nothing_of_the_corpus_breaks_its_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, target) in TARGETS {
        let folder = fs::read_dir(corpus.join(name)).expect("each target has a folder");
        let mut inputs: Vec<_> = folder.map(|input| input.expect("an entry").path()).collect();
        inputs.sort();
        assert!(inputs.len() >= 5, "{name} has a corpus");
        for input in inputs {
            println!("{}", input.display());
            target(&fs::read(input).expect("an input"));
        }
    }
}
