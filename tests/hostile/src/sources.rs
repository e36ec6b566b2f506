//! Parser and compiler: any bytes are a ruleset or a list of findings.

use assay_compile::{Measures, Options, compile, manifest, prompts, resolve, review};
use assay_syntax::render;
use assay_units::Library;

/// Compiles bytes, renders what was found, and says of a ruleset all that there is to say.
pub fn sources(bytes: &[u8]) {
    let compiled = compile(bytes, &Options::default());
    let (source, diagnostics) = match &compiled {
        Ok(ruleset) => (Some(&ruleset.source), &ruleset.warnings),
        Err(refusal) => {
            assert!(refusal.diagnostics.iter().any(|one| one.is_error()), "refused without an error");
            (refusal.source.as_ref(), &refusal.diagnostics)
        }
    };
    let rendered = render(source, "policy.dsail", diagnostics, false);
    assert!(!rendered.chars().any(|c| c.is_control() && c != '\n'), "a control character: {rendered:?}");
    assert!(diagnostics.is_sorted_by_key(|one| one.span.start), "not in source order");
    let Ok(ruleset) = compiled else { return };
    // The source as it was understood is the same ruleset.
    let again = compile(ruleset.source.text().as_bytes(), &Options::default()).unwrap();
    assert_eq!(again.hash, ruleset.hash);
    let library = Library::built_in();
    let measures = Measures::declared(&ruleset);
    for assertion in 0..ruleset.assertions.len() {
        let formula = resolve(&ruleset, assertion, &measures, &library);
        assert!(formula.root().index() < formula.nodes().len());
    }
    let _ = (manifest(&ruleset), prompts(&ruleset), review(&ruleset));
}
