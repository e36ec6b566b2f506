//! Payloads about stored rulesets. The store's rows come in as plain data; what a ruleset says is compiled anew.

use assay_compile::{Options, compile, summary};
use serde_json::{Value, json};

use crate::canonical;
use crate::operations::Prepared;
use crate::versions::versions;

/// The one namespace of a store of one's own. The contract requires the field.
pub const NAMESPACE: &str = "local";

/// A name that was bound to a source.
#[derive(Debug, Clone, Copy)]
pub struct Saved<'a> {
    /// The name.
    pub name: &'a str,
    /// The hash of the source.
    pub ruleset_hash: &'a str,
    /// The hash that the name was bound to before, or the parent that was given.
    pub parent_hash: Option<&'a str>,
    /// Whether the store did not have these bytes before.
    pub created: bool,
}

/// A name in the list of rulesets.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// The name.
    pub name: &'a str,
    /// The hash it is bound to.
    pub ruleset_hash: &'a str,
    /// When it was bound to it: UTC, ISO 8601.
    pub bound_at: &'a str,
    /// How many revisions lie before this one.
    pub revision_depth: u64,
    /// How many approvals this hash has.
    pub approval_count: u64,
    /// The stored source, if its bytes are there.
    pub source: Option<&'a [u8]>,
}

/// A stored ruleset, to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Stored<'a> {
    /// The name it is stored under.
    pub name: &'a str,
    /// This hash, its parent and so on to the first.
    pub revision_chain: &'a [String],
    /// Every approval of this hash, oldest first.
    pub approvals: &'a [Approval<'a>],
}

/// A person's approval of one hash.
#[derive(Debug, Clone, Copy)]
pub struct Approval<'a> {
    /// The hash that was signed for.
    pub ruleset_hash: &'a str,
    /// The unit library it was signed against, none for the built-in standards alone.
    pub unit_library_hash: Option<&'a str>,
    /// Who signed.
    pub approver: &'a str,
    /// When: UTC, ISO 8601.
    pub approved_at: &'a str,
    /// What they remarked.
    pub note: Option<&'a str>,
}

/// An approval on the wire.
pub(crate) fn approval(approval: &Approval<'_>) -> Value {
    json!({
        "hash": approval.ruleset_hash,
        "unit_library_hash": approval.unit_library_hash,
        "approver": approval.approver,
        "approved_at": approval.approved_at,
        "note": approval.note,
    })
}

/// The payload of a save.
pub fn saved(saved: &Saved<'_>) -> String {
    canonical::to_string(&json!({
        "ok": true,
        "name": saved.name,
        "ruleset_hash": saved.ruleset_hash,
        "parent_hash": saved.parent_hash,
        "created": saved.created,
        "versions": versions(),
    }))
}

/// The payload of the list. A row whose source no longer compiles, or is gone, stays in it and says so.
pub fn list(rows: &[Listed<'_>]) -> String {
    let rows = rows.iter().map(|row| {
        let ruleset = row.source.map(|source| compile(source, &Options::default()));
        let (summary, claims, rules) = match &ruleset {
            Some(Ok(ruleset)) => {
                (summary(ruleset), Some(ruleset.claims.len()), Some(ruleset.assertions.len()))
            }
            Some(Err(_)) => ("Its stored source does not compile under this engine.".to_owned(), None, None),
            None => ("Its stored source is gone.".to_owned(), None, None),
        };
        json!({
            "name": row.name,
            "ruleset_hash": row.ruleset_hash,
            "bound_at": row.bound_at,
            "revision_depth": row.revision_depth,
            "approval_count": row.approval_count,
            "compiles": matches!(ruleset, Some(Ok(_))),
            "summary": summary,
            "claim_count": claims,
            "rule_count": rules,
        })
    });
    let rows: Vec<Value> = rows.collect();
    canonical::to_string(
        &json!({ "ok": true, "namespace": NAMESPACE, "rulesets": rows, "versions": versions() }),
    )
}

/// The payload of one stored ruleset: what a compile of it returns, with its revisions and approvals.
pub fn show(prepared: &Prepared, stored: &Stored<'_>) -> String {
    let mut payload = prepared.compile_value();
    if let Some(fields) = payload.as_object_mut() {
        fields.insert("namespace".to_owned(), json!(NAMESPACE));
        fields.insert("name".to_owned(), json!(stored.name));
        fields.insert("revision_chain".to_owned(), json!(stored.revision_chain));
        fields.insert("approvals".to_owned(), stored.approvals.iter().map(approval).collect());
        let parent = stored.revision_chain.get(1);
        let depth = stored.revision_chain.len().saturating_sub(1);
        fields.insert("stored".to_owned(), json!({ "parent_hash": parent, "revision_depth": depth }));
    }
    canonical::to_string(&payload)
}

/// The payload of an approval: the new one and every approval of its hash. `name` is the name that the ruleset
/// is saved under, if any; `saved` says whether this call bound it.
pub fn approved(new: &Approval<'_>, all: &[Approval<'_>], name: Option<&str>, saved: bool) -> String {
    canonical::to_string(&json!({
        "ok": true,
        "ruleset_hash": new.ruleset_hash,
        "namespace": NAMESPACE,
        "name": name,
        "saved": saved,
        "approval": approval(new),
        "approvals": all.iter().map(approval).collect::<Vec<_>>(),
        "versions": versions(),
    }))
}
