//! Tells cargo where libz3 is.
//!
//! A package whose executables or tests contain the engine has `assay-z3-link` as a build dependency, and a `build.rs`
//! whose `main` calls [`emit`].
//!
//! The library is the one that `runner/z3-link/setup` put into `.z3/lib` at the root of the workspace, or the
//! one in the folder that the environment's `Z3_LIB_DIR` names. Executables find it again beside themselves, in `../lib`,
//! or where it was when they were built: so a build runs where it stands, and an executable that is packed with the
//! library beside it runs anywhere.
//!
//! Why each package must do this: cargo hands a search path on to whatever links a crate, but not a run path.

use std::env;
use std::path::{Path, PathBuf};

/// What the environment variable is called that names another folder with libz3.
const FOLDER: &str = "Z3_LIB_DIR";

/// Prints the directives for cargo: the folder to link from, the folders to load from, and when to look again.
///
/// Where there is no libz3, the build fails with a line that says what to run. With the feature `static`, which the
/// engine's `static-z3` turns on, the solver is in the executable already and needs the C++ library only, which libz3
/// otherwise brings itself.
pub fn emit() {
    if cfg!(feature = "static") {
        println!("cargo::rustc-link-arg=-lstdc++");
        return;
    }
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let Some(folder) = folder() else {
        println!("cargo::error=the build script of a package that links libz3 stands outside the workspace");
        return;
    };
    println!("cargo::rerun-if-changed={}", folder.join("libz3.so").display());
    if !folder.join("libz3.so").exists() {
        println!("cargo::error=no libz3.so in {}: run `runner/z3-link/setup`", folder.display());
        return;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    for run_path in ["$ORIGIN", "$ORIGIN/../lib", &folder.display().to_string()] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{run_path}");
    }
}

/// The folder that libz3 is to be in.
fn folder() -> Option<PathBuf> {
    if let Some(named) = env::var_os(FOLDER).filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let root = package.ancestors().find(|folder| folder.join("runner/z3-link/setup").exists())?;
    Some(root.join(Path::new(".z3/lib")))
}
