//! What one document's evidence says of its claims.
//!
//! A document may be read more than once: a list in place of a value, several rows with one id. Each value is a
//! *piece* of evidence. Pieces that agree, exactly and after conversion, are one value; what was not determined is no
//! evidence. A claim of one distinct value is bound, one of none is unbound, one of two or more is *contradicted*.
//!
//! One row of plain values is evidence too, and nearly all there is: it is held as its [`Dictionary`] alone.

use std::borrow::Cow;
use std::sync::Arc;

use assay_units::{Bridge, Library};

use crate::{Binding, ClaimId, Dictionary, Measure, Quantity};

/// What the evidence of one document says of every claim of a ruleset.
///
/// Made by [`Checker::dictionary`](crate::Checker::dictionary) and [`Checker::row`](crate::Checker::row); the rows of one
/// document are [joined](Evidence::join).
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The first value of every claim.
    first: Dictionary,
    /// By claim; none where no claim has more than a value to tell.
    told: Option<Box<[Told]>>,
    /// In declared order.
    contradicted: Vec<ClaimId>,
}

/// What the evidence says of one claim.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// The distinct values, in the order in which they first came.
    pub values: Vec<Value>,
    /// How many pieces were not determined. They are no evidence.
    pub undetermined: u32,
}

/// One of the distinct values of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The value, as it first came.
    pub binding: Binding,
    /// How many pieces of evidence gave it.
    pub pieces: u32,
    /// Where they came from, each source once with how many of the pieces are its own, in the order in which they
    /// first came. Empty where no source was named.
    pub sources: Vec<(Arc<str>, u32)>,
    /// How the first of them was read, where it is a number and that was [asked for](crate::Checker::quote).
    pub quantity: Option<Box<Quantity>>,
}

impl From<Dictionary> for Evidence {
    /// One piece for each claim.
    fn from(first: Dictionary) -> Evidence {
        Evidence { first, told: None, contradicted: Vec::new() }
    }
}

/// Evidence is the same where all that it tells is, however it came.
impl PartialEq for Evidence {
    fn eq(&self, other: &Evidence) -> bool {
        match (&self.told, &other.told) {
            (None, None) => self.first == other.first,
            _ => self.all_told() == other.all_told(),
        }
    }
}

impl Eq for Evidence {}

impl Evidence {
    /// The first value of every claim: all there is to know where nothing is [contradicted](Evidence::contradicted).
    pub fn first(&self) -> &Dictionary {
        &self.first
    }

    /// The claims of two or more distinct values, in declared order.
    pub fn contradicted(&self) -> &[ClaimId] {
        &self.contradicted
    }

    /// Whether a claim is contradicted.
    pub fn is_contradicted(&self, claim: ClaimId) -> bool {
        self.contradicted.binary_search(&claim).is_ok()
    }

    /// Whether every number is in its claim's declared unit: the ordinary case.
    pub fn is_declared(&self) -> bool {
        let contradicted = || self.contradicted.iter().flat_map(|claim| self.values(*claim));
        self.first.is_declared() && contradicted().all(|value| *value.measure() == Measure::Declared)
    }

    /// The distinct values of a claim, in the order in which they first came.
    pub fn values(&self, claim: ClaimId) -> impl Iterator<Item = &Binding> {
        let told = self.told(claim);
        let alone =
            Some(self.first.get(claim)).filter(|binding| told.is_none() && **binding != Binding::Unknown);
        told.into_iter().flat_map(|told| &told.values).map(|value| &value.binding).chain(alone)
    }

    /// What is told of a claim beyond its value. None of evidence that is one plain row; there always is of a
    /// claim that is contradicted.
    pub fn told(&self, claim: ClaimId) -> Option<&Told> {
        self.told.as_ref()?.get(claim.0)
    }

    /// How the distinct numbers were read, by claim in declared order, as far as that was
    /// [asked for](crate::Checker::quote).
    pub fn quantities(&self) -> impl Iterator<Item = (ClaimId, &Quantity)> {
        let claims = self.told.iter().flat_map(|told| told.iter().enumerate());
        claims.flat_map(|(at, told)| {
            let quantities = told.values.iter().filter_map(|value| value.quantity.as_deref());
            quantities.map(move |quantity| (ClaimId(at), quantity))
        })
    }

    /// Names the source of all pieces that have none yet.
    pub fn set_source(&mut self, source: &Arc<str>) {
        for value in self.tell().iter_mut().flat_map(|told| &mut told.values) {
            let named: u32 = value.sources.iter().map(|(_, pieces)| pieces).sum();
            if named < value.pieces {
                add_source(&mut value.sources, source, value.pieces - named);
            }
        }
    }

    /// Joins the evidence of the next row of the same document to this. What two pieces say is the same where it is
    /// equal after exact conversion, to the claim's unit or between two units that do not reach it.
    pub fn join(&mut self, next: Evidence, library: &Library) {
        let mut next = next;
        let told = std::mem::take(next.tell());
        for (claim, told) in told.into_iter().enumerate().map(|(at, told)| (ClaimId(at), told)) {
            self.undetermined(claim, told.undetermined);
            for value in told.values {
                self.add(claim, value, library);
            }
        }
    }

    /// The same, with one claim bound to this alone; or to nothing.
    pub fn with(&self, claim: ClaimId, binding: Binding) -> Evidence {
        let mut with = self.clone();
        with.contradicted.retain(|contradicted| *contradicted != claim);
        if let Some(told) = with.told.as_mut().and_then(|told| told.get_mut(claim.0)) {
            *told = Told::one(&binding);
        }
        with.first.set(claim, binding);
        with
    }

    /// Adds a value to those of a claim.
    pub(crate) fn add(&mut self, claim: ClaimId, value: Value, library: &Library) {
        self.add_unless(claim, value, |a, b| is_same(a, b, library));
    }

    /// Adds a value in its claim's own unit, where all values are.
    pub(crate) fn add_declared(&mut self, claim: ClaimId, value: Value) {
        self.add_unless(claim, value, |a, b| a == b);
    }

    fn add_unless(&mut self, claim: ClaimId, value: Value, same: impl Fn(&Binding, &Binding) -> bool) {
        let Some(told) = self.tell().get_mut(claim.0) else { return };
        if let Some(known) = told.values.iter_mut().find(|known| same(&known.binding, &value.binding)) {
            known.pieces += value.pieces;
            for (source, pieces) in &value.sources {
                add_source(&mut known.sources, source, *pieces);
            }
            if known.quantity.is_none() {
                known.quantity = value.quantity;
            }
            return;
        }
        let (count, binding) = (told.values.len(), value.binding.clone());
        told.values.push(value);
        match count {
            0 => self.first.set(claim, binding),
            1 => {
                let place = self.contradicted.partition_point(|known| *known < claim);
                self.contradicted.insert(place, claim);
            }
            _ => {}
        }
    }

    /// Counts pieces that were not determined.
    pub(crate) fn undetermined(&mut self, claim: ClaimId, pieces: u32) {
        if let Some(told) = self.tell().get_mut(claim.0) {
            told.undetermined += pieces;
        }
    }

    /// Forgets that one piece of a claim was not determined: a list is in its place.
    pub(crate) fn forget(&mut self, claim: ClaimId) {
        if let Some(told) = self.tell().get_mut(claim.0) {
            *told = Told::default();
        }
    }

    /// Notes how a number was read, for the value that it is.
    pub(crate) fn note(&mut self, claim: ClaimId, binding: &Binding, quantity: Quantity, library: &Library) {
        let told = self.tell().get_mut(claim.0);
        let mut values = told.into_iter().flat_map(|told| &mut told.values);
        if let Some(value) = values.find(|value| is_same(&value.binding, binding, library))
            && value.quantity.is_none()
        {
            value.quantity = Some(Box::new(quantity));
        }
    }

    /// What is told of every claim, held by claim from now on.
    fn tell(&mut self) -> &mut Box<[Told]> {
        self.told.get_or_insert_with(|| each_one(&self.first))
    }

    fn all_told(&self) -> Cow<'_, [Told]> {
        match &self.told {
            Some(told) => Cow::Borrowed(told),
            None => Cow::Owned(each_one(&self.first).into()),
        }
    }
}

fn each_one(dictionary: &Dictionary) -> Box<[Told]> {
    dictionary.bindings().iter().map(Told::one).collect()
}

impl Told {
    /// What one piece tells.
    fn one(binding: &Binding) -> Told {
        match binding {
            Binding::Unknown => Told { values: Vec::new(), undetermined: 1 },
            binding => Told { values: vec![Value::one(binding.clone())], undetermined: 0 },
        }
    }
}

impl Value {
    /// A value that one piece gave.
    pub(crate) fn one(binding: Binding) -> Value {
        Value { binding, pieces: 1, sources: Vec::new(), quantity: None }
    }
}

fn add_source(sources: &mut Vec<(Arc<str>, u32)>, source: &Arc<str>, pieces: u32) {
    match sources.iter_mut().find(|(known, _)| known == source) {
        Some((_, known)) => *known += pieces,
        None => sources.push((Arc::clone(source), pieces)),
    }
}

/// Whether two values of one claim are one. An interval has no exact factor: what reaches the claim's unit by one is
/// the same only where it is in the same unit.
fn is_same(a: &Binding, b: &Binding, library: &Library) -> bool {
    match (a, b) {
        (
            Binding::Number { value: a, measure: Measure::Foreign(from) },
            Binding::Number { value: b, measure: Measure::Foreign(to) },
        ) if from != to => match library.bridge(from, to) {
            Bridge::Same => a == b,
            Bridge::Convertible { factor, offset } => a * factor + offset == *b,
            _ => false,
        },
        _ => a == b,
    }
}
