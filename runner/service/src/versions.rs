//! Which engine, which language and which wire a payload comes from.

use serde_json::{Value, json};

/// The name of the engine.
pub const ENGINE: &str = "assay";

/// The version of this engine and of the service around it: they are one program.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of the ruleset language.
pub const LANGUAGE_VERSION: &str = "1.3";

/// Every version a source may declare. They have one grammar here.
pub const LANGUAGE_VERSIONS: [&str; 2] = ["1.2", "1.3"];

/// The version of the public contract that payloads follow.
pub const WIRE_VERSION: &str = "2.10.0";

/// The `versions` of every payload.
pub fn versions() -> Value {
    json!({
        "engine": ENGINE,
        "engine_version": ENGINE_VERSION,
        "language_version": LANGUAGE_VERSION,
        "supported_language_versions": LANGUAGE_VERSIONS,
        "service_version": ENGINE_VERSION,
        "wire_version": WIRE_VERSION,
    })
}
