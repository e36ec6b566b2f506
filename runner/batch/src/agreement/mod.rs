//! How far the evidence of documents agrees, claim by claim: the same reading as a run's, and nothing is decided.
//!
//! Every document counts once for each claim. What is counted of a document is found on the deciding threads, and added up in
//! the order of the input, so the report does not depend on threads or chunks.

mod results;

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_claims::{ClaimId, Evidence};
use assay_compile::Ruleset;
use assay_service::{canonical, claim_value, versions};
use serde_json::{Value, json};
use tokio::sync::mpsc;

pub use results::{Results, results};

use crate::error::RunError;
use crate::events::{Documents, Event, InputFound};
use crate::folder::spill_failed;
use crate::job::Job;
use crate::pipeline::{Next, Reading, Sightings, Step, Steps, workers};
use crate::places::Places;
use crate::plan::Plan;
use crate::run::{Around, stands_in_one_place};
use crate::sample::Sample;
use crate::work::Work;

/// How many different pairs of values are counted for a claim. Those that come after them are counted together.
const PAIRS: usize = 10_000;

/// How many pairs of a claim are reported.
const REPORTED: usize = 10;

/// How many pairs of one document are counted for a claim.
const PAIRS_OF_DOCUMENT: usize = 1_000;

/// What a document's evidence says of one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Agreed,
    Missing,
    Contradicted,
    Single,
    Nothing,
}

/// How often the evidence of one claim did what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimAgreement {
    /// Two pieces or more, none of them missing, all of one value.
    pub agreed: u64,
    /// One value, and at least one piece that was not determined.
    pub partly_missing: u64,
    /// Two values or more.
    pub contradicted: u64,
    /// One piece only.
    pub single: u64,
    /// No value at all.
    pub nothing: u64,
    /// The pairs of values that stood against each other in a document, with the number of documents; the most frequent
    /// first, then by their texts.
    pub pairs: Vec<(String, String, u64)>,
    /// How many pairs of documents are in none of the reported ones.
    pub other_pairs: u64,
}

/// How far evidence agrees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agreement {
    /// By claim in declared order: its name, and what was counted.
    pub claims: Vec<(String, ClaimAgreement)>,
    /// Rows read and rejected.
    pub rows: (u64, u64),
    /// Documents counted and rejected.
    pub documents: Documents,
    /// The hash of the ruleset.
    pub ruleset_hash: String,
    /// The hash of the unit library.
    pub unit_library_hash: Option<String>,
    /// The inputs with the hashes of their bytes.
    pub inputs: Vec<(String, String)>,
}

impl Agreement {
    /// The report as canonical JSON.
    pub fn payload(&self) -> String {
        let claims = self.claims.iter().map(|(name, of)| {
            let pairs =
                of.pairs.iter().map(|(a, b, documents)| json!({ "values": [a, b], "documents": documents }));
            json!({
                "claim": name,
                "agreed": of.agreed,
                "partly_missing": of.partly_missing,
                "contradicted": of.contradicted,
                "single": of.single,
                "nothing": of.nothing,
                "pairs": pairs.collect::<Vec<Value>>(),
                "other_pairs": of.other_pairs,
            })
        });
        let inputs = self.inputs.iter().map(|(file, sha256)| json!({ "file": file, "sha256": sha256 }));
        canonical::to_string(&json!({
            "ok": true,
            "claims": claims.collect::<Vec<Value>>(),
            "rows": { "read": self.rows.0, "rejected": self.rows.1 },
            "documents": { "counted": self.documents.checked, "rejected": self.documents.rejected },
            "inputs": inputs.collect::<Vec<Value>>(),
            "ruleset_hash": self.ruleset_hash,
            "unit_library_hash": self.unit_library_hash,
            "versions": versions(),
        }))
    }
}

/// What the documents of a unit say: by claim, how often what; and the pairs in the order of the documents.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    claims: Vec<[u64; 5]>,
    pairs: Vec<(usize, String, String)>,
    /// By claim: pairs beyond the bound of a document.
    beyond: Vec<u64>,
}

impl Counted {
    /// Counts documents.
    pub fn of(ruleset: &Ruleset, documents: &[Evidence]) -> Counted {
        let count = ruleset.claims.len();
        let mut counted = Counted { claims: vec![[0; 5]; count], pairs: Vec::new(), beyond: vec![0; count] };
        for evidence in documents {
            for (at, (counts, beyond)) in counted.claims.iter_mut().zip(&mut counted.beyond).enumerate() {
                let said = said(evidence, ClaimId(at));
                if let Some(place) = counts.get_mut(said as usize) {
                    *place += 1;
                }
                if said == Said::Contradicted {
                    *beyond += pairs(ruleset, evidence, ClaimId(at), &mut counted.pairs);
                }
            }
        }
        counted
    }
}

fn said(evidence: &Evidence, claim: ClaimId) -> Said {
    let Some(told) = evidence.told(claim) else {
        return if evidence.values(claim).next().is_some() { Said::Single } else { Said::Nothing };
    };
    match told.values.as_slice() {
        [] => Said::Nothing,
        [_] if told.undetermined > 0 => Said::Missing,
        [value] if value.pieces == 1 => Said::Single,
        [_] => Said::Agreed,
        _ => Said::Contradicted,
    }
}

/// Adds the pairs of a claim's values, each in the order of its texts; how many there are beyond the bound.
fn pairs(
    ruleset: &Ruleset,
    evidence: &Evidence,
    claim: ClaimId,
    into: &mut Vec<(usize, String, String)>,
) -> u64 {
    let values: Vec<String> =
        evidence.values(claim).map(|binding| claim_value(ruleset, claim, binding)).collect();
    let all = (values.len() as u64).saturating_mul(values.len() as u64 - 1) / 2;
    let mut listed = 0;
    for (at, a) in values.iter().enumerate() {
        for b in values.iter().skip(at + 1) {
            if listed == PAIRS_OF_DOCUMENT {
                return all - listed as u64;
            }
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            into.push((claim.0, a.clone(), b.clone()));
            listed += 1;
        }
    }
    0
}

/// By pair of values, the number of documents in which they stood against each other.
type Pairs = BTreeMap<(String, String), u64>;

/// Adds up what units say, in their order.
#[derive(Debug)]
struct Sum {
    claims: Vec<(ClaimAgreement, Pairs)>,
}

impl Sum {
    fn add(&mut self, counted: Counted) {
        for ((claim, _), (counts, beyond)) in
            self.claims.iter_mut().zip(counted.claims.into_iter().zip(counted.beyond))
        {
            let [agreed, missing, contradicted, single, nothing] = counts;
            claim.agreed += agreed;
            claim.partly_missing += missing;
            claim.contradicted += contradicted;
            claim.single += single;
            claim.nothing += nothing;
            claim.other_pairs += beyond;
        }
        for (claim, a, b) in counted.pairs {
            let Some((agreement, pairs)) = self.claims.get_mut(claim) else { continue };
            let pair = (a, b);
            let room = pairs.len() < PAIRS;
            match pairs.get_mut(&pair) {
                Some(documents) => *documents += 1,
                None if room => {
                    pairs.insert(pair, 1);
                }
                None => agreement.other_pairs += 1,
            }
        }
    }

    fn finish(self, ruleset: &Ruleset) -> Vec<(String, ClaimAgreement)> {
        let claims = self.claims.into_iter().zip(&ruleset.claims).map(|((mut of, pairs), claim)| {
            // Sorted by their texts already, and the order of equals stays.
            let mut pairs: Vec<(String, String, u64)> =
                pairs.into_iter().map(|((a, b), documents)| (a, b, documents)).collect();
            pairs.sort_by(|(_, _, a), (_, _, b)| b.cmp(a));
            let rest = pairs.split_off(pairs.len().min(REPORTED));
            of.other_pairs += rest.iter().map(|(_, _, documents)| documents).sum::<u64>();
            of.pairs = pairs;
            (claim.name.clone(), of)
        });
        claims.collect()
    }
}

/// Reads what a job reads, and says how far the evidence of its documents agrees.
///
/// # Errors
/// Why the report could not be made.
pub fn agreement(
    job: Job,
    around: &Around<'_>,
    observe: &mut dyn FnMut(&Event),
) -> Result<Agreement, RunError> {
    let job = Job { payloads: false, carry: Vec::new(), formats: Vec::new(), ..job };
    let plan = Plan::new(&job, around)?;
    let folder = tempfile::tempdir().map_err(|error| spill_failed(&std::env::temp_dir(), &error))?;
    let work = Arc::new(Work {
        sample: Sample::new(&Default::default()),
        encoders: Vec::new(),
        claims: Vec::new(),
        files: plan.inputs.iter().map(|input| Arc::from(input.name.as_str())).collect(),
        counts_only: true,
        plan,
        job,
    });
    let pool = workers(&work.job)?;
    let found = work.plan.inputs.iter();
    let found = found.map(|input| InputFound { name: input.name.clone(), bytes: input.bytes });
    observe(&Event::Started {
        inputs: found.collect(),
        assertions: Vec::new(),
        threads: pool.current_num_threads(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| RunError::not_started("the report cannot be started", &error))?;
    let (sender, queue) = mpsc::channel::<Step>(pool.current_num_threads());
    let reading = Reading {
        work: Arc::clone(&work),
        open: Arc::clone(&around.open),
        pool,
        cancel: around.cancel.clone(),
        spill: folder.path().to_owned(),
        before: Vec::new(),
        seen: Arc::new(Sightings::default()),
    };
    runtime.spawn_blocking(move || reading.run(&sender));
    let mut steps = Steps { queue, cancel: around.cancel.clone() };
    let mut sum = Sum { claims: vec![Default::default(); work.plan.ruleset.claims.len()] };
    let (mut rows, mut documents) = ((0, 0), Documents::default());
    let mut inputs: Vec<(String, String)> = Vec::new();
    let mut places = Places::new(folder.path());
    let read = runtime.block_on(async {
        loop {
            match steps.next().await? {
                Next::Ready(ready) => {
                    places.add(&ready.places).map_err(|error| spill_failed(folder.path(), &error))?;
                    for read in &ready.decided.rows {
                        rows = (rows.0 + read.read, rows.1 + read.rejected);
                    }
                    documents.checked += ready.decided.documents.checked;
                    documents.rejected += ready.decided.documents.rejected;
                    observe(&Event::Decided(ready.decided));
                    sum.add(ready.counted);
                }
                Next::InputDone { input, sha256 } => {
                    let name = work.plan.inputs.get(input).map(|input| input.name.clone());
                    inputs.push((name.unwrap_or_default(), sha256.clone()));
                    observe(&Event::InputDone { input, sha256 });
                }
                // A report is always made from the beginning.
                Next::Passed(_) => {}
                Next::End if steps.cancel.is_cancelled() => {
                    return Err(RunError::ReportInterrupted(rows.0));
                }
                Next::End => return Ok(()),
            }
        }
    });
    runtime.shutdown_background();
    read?;
    stands_in_one_place(&work.plan, places, |error| spill_failed(folder.path(), error))?;
    Ok(Agreement {
        claims: sum.finish(&work.plan.ruleset),
        rows,
        documents,
        ruleset_hash: work.plan.ruleset.hash.clone(),
        unit_library_hash: work.plan.library.hash().map(str::to_owned),
        inputs,
    })
}
