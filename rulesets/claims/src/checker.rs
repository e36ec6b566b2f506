//! One value at a time.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use assay_compile::{ClaimKind, EnumKind, Range, Ruleset, UNKNOWN};
use assay_units::{Library, Unit};

use crate::amount::Amount;
use crate::columns::Lane;
use crate::failure::{Why, failure};
use crate::unit::Declared;
use crate::{Binding, ClaimId, Failure, Measure, Raw, Reading, ReadingError};

/// Reads the values of one ruleset's claims. Cheap to clone and shared between threads.
#[derive(Debug, Clone)]
pub struct Checker {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    ruleset: Arc<Ruleset>,
    library: Library,
    reading: Reading,
    /// By claim, in declared order.
    forms: Vec<Form>,
    names: HashMap<String, ClaimId>,
    /// By claim: what is bound without further ado.
    lanes: Vec<Lane>,
    /// By claim: the assertions that read it, in order.
    readers: Vec<Vec<usize>>,
}

/// What a claim accepts, ready for reading.
#[derive(Debug)]
enum Form {
    Boolean,
    Numeric(Numeric),
    Enum(Members),
}

#[derive(Debug)]
struct Numeric {
    unit: Option<Declared>,
    range: Option<Range>,
}

/// The members of a vocabulary with their shared numbers.
#[derive(Debug)]
struct Members {
    numbers: HashMap<String, u32>,
    unknown_is_member: bool,
}

impl Checker {
    /// A checker of all claims of `ruleset`.
    ///
    /// # Errors
    /// What `reading` declares and cannot mean; never for [`Reading::default`].
    pub fn new(ruleset: Arc<Ruleset>, library: Library, reading: Reading) -> Result<Checker, ReadingError> {
        Self::mapped(ruleset, library, reading, |_| true)
    }

    /// Like [`Checker::new`], where only the claims that `mapped` says yes to have a column: a null, true or false word
    /// may be a member of the other vocabularies.
    ///
    /// # Errors
    /// What `reading` declares and cannot mean.
    pub fn mapped(
        ruleset: Arc<Ruleset>,
        library: Library,
        reading: Reading,
        mapped: impl Fn(ClaimId) -> bool,
    ) -> Result<Checker, ReadingError> {
        reading.verify(&ruleset, mapped)?;
        let forms = ruleset.claims.iter().map(|claim| match &claim.kind {
            ClaimKind::Boolean => Form::Boolean,
            ClaimKind::Numeric { unit, range } => {
                Form::Numeric(Numeric { unit: unit.clone().map(Declared::new), range: range.clone() })
            }
            ClaimKind::Enum(kind) => Form::Enum(Members::new(kind)),
        });
        let forms: Vec<Form> = forms.collect();
        let names = ruleset.claims.iter().enumerate();
        let lanes = ruleset.claims.iter().map(|claim| Lane::new(&claim.kind, &reading)).collect();
        let mut readers = vec![Vec::new(); ruleset.claims.len()];
        for (number, assertion) in ruleset.assertions.iter().enumerate() {
            for claim in &assertion.reads {
                if let Some(readers) = readers.get_mut(claim.0) {
                    readers.push(number);
                }
            }
        }
        Ok(Checker {
            inner: Arc::new(Inner {
                forms,
                lanes,
                readers,
                names: names.map(|(at, claim)| (claim.name.clone(), ClaimId(at))).collect(),
                ruleset,
                library,
                reading,
            }),
        })
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.inner.ruleset
    }

    /// The unit library.
    pub fn library(&self) -> &Library {
        &self.inner.library
    }

    /// How texts are read.
    pub fn reading(&self) -> &Reading {
        &self.inner.reading
    }

    /// The claim of a name.
    pub fn claim(&self, name: &str) -> Option<ClaimId> {
        self.inner.names.get(name).copied()
    }

    /// What is bound without further ado, by claim.
    pub(crate) fn lanes(&self) -> &[Lane] {
        &self.inner.lanes
    }

    /// The assertions that read a claim, in order.
    pub(crate) fn readers(&self, claim: ClaimId) -> &[usize] {
        self.inner.readers.get(claim.0).map_or(&[][..], Vec::as_slice)
    }

    /// Reads one piece of a claim's evidence. A claim that the ruleset does not have is unknown.
    ///
    /// # Errors
    /// What the claim accepts, where this is not it.
    pub fn bind(&self, claim: ClaimId, raw: &Raw<'_>) -> Result<Binding, Failure> {
        self.read(claim, raw).map_err(|why| self.failure(claim, Some(raw), &why))
    }

    /// Reads a value whose unit stands in a column of its own: as the pair of the two.
    ///
    /// # Errors
    /// As [`Checker::bind`] for that pair.
    pub fn bind_pair(&self, claim: ClaimId, value: &Raw<'_>, unit: &Raw<'_>) -> Result<Binding, Failure> {
        self.read_pair(claim, value, unit).map_err(|why| self.failure(claim, Some(&pair(value, unit)), &why))
    }

    /// A refusal in words. A claim that the ruleset does not have refuses nothing, so it has no words either.
    pub(crate) fn failure(&self, claim: ClaimId, raw: Option<&Raw<'_>>, why: &Why) -> Failure {
        match self.inner.ruleset.claims.get(claim.0) {
            Some(claim) => failure(claim, &self.inner.library, &self.inner.reading, raw, why),
            None => Failure { field: String::new(), expected: String::new(), received: String::new() },
        }
    }

    pub(crate) fn read(&self, claim: ClaimId, raw: &Raw<'_>) -> Result<Binding, Why> {
        match (self.inner.forms.get(claim.0), raw) {
            (None, _) | (_, Raw::Null) => Ok(Binding::Unknown),
            (_, Raw::List(_)) => Err(Why::List),
            (Some(Form::Boolean), raw) => self.boolean(raw),
            (Some(Form::Enum(members)), raw) => self.member(members, raw),
            (Some(Form::Numeric(numeric)), raw) => {
                let amount = self.amount(raw)?;
                amount.map_or(Ok(Binding::Unknown), |amount| self.measured(numeric, amount))
            }
        }
    }

    pub(crate) fn read_pair(&self, claim: ClaimId, value: &Raw<'_>, unit: &Raw<'_>) -> Result<Binding, Why> {
        match self.inner.forms.get(claim.0) {
            None => Ok(Binding::Unknown),
            Some(Form::Numeric(numeric)) => {
                let amount = self.pair_amount(value, unit)?;
                amount.map_or(Ok(Binding::Unknown), |amount| self.measured(numeric, amount))
            }
            Some(_) => Err(Why::Form),
        }
    }

    fn boolean(&self, raw: &Raw<'_>) -> Result<Binding, Why> {
        match raw {
            Raw::Bool(value) => Ok(Binding::Bool(*value)),
            Raw::Text(text) => {
                let text = self.text(text)?;
                if self.is_undetermined(text) {
                    return Ok(Binding::Unknown);
                }
                let value = self.inner.reading.boolean(text);
                value.map(Binding::Bool).ok_or(Why::Form)
            }
            Raw::NotFinite(_) => Err(Why::NotFinite),
            _ => Err(Why::Form),
        }
    }

    fn member(&self, members: &Members, raw: &Raw<'_>) -> Result<Binding, Why> {
        match raw {
            Raw::Text(whole) => {
                let text = self.text(whole)?;
                let number = |text: &str| members.numbers.get(text).copied();
                // As it stands first: trimming takes no member away.
                if let Some(number) = number(whole).or_else(|| number(text)) {
                    return Ok(Binding::Member(number));
                }
                let unknown = text == UNKNOWN && !members.unknown_is_member;
                if unknown || self.inner.reading.is_null(text) {
                    return Ok(Binding::Unknown);
                }
                Err(Why::Form)
            }
            Raw::NotFinite(_) => Err(Why::NotFinite),
            _ => Err(Why::Form),
        }
    }

    /// The amount in the unit that it is measured in, within the claim's range.
    fn measured(&self, numeric: &Numeric, amount: Amount<'_>) -> Result<Binding, Why> {
        let Amount { value, unit } = amount;
        let (value, measure, converted) = match (&numeric.unit, unit) {
            (_, None) => (value, Measure::Declared, false),
            (None, Some(unit)) => return Err(no_unit(unit)),
            (Some(declared), Some(unit)) => {
                let (value, measure) = declared.measure(value, unit, &self.inner.library)?;
                (value, measure, !declared.is_spelled(unit))
            }
        };
        if measure == Measure::Declared
            && let Some(range) = &numeric.range
        {
            let below = range.min.as_ref().is_some_and(|min| value < *min);
            let above = range.max.as_ref().is_some_and(|max| value > *max);
            if below || above {
                return Err(Why::OutOfRange(converted.then_some(value)));
            }
        }
        Ok(Binding::Number { value, measure })
    }
}

impl Members {
    fn new(kind: &EnumKind) -> Members {
        let numbered = kind.vocabulary.members.iter().zip(0..);
        let numbers: HashMap<String, u32> =
            numbered.map(|(member, number)| (member.clone(), number)).collect();
        Members { unknown_is_member: numbers.contains_key(UNKNOWN), numbers }
    }
}

/// Why a number for a claim without a unit is refused that has more behind it.
fn no_unit(rest: &str) -> Why {
    if rest.is_empty() || Unit::parse(rest).is_ok() { Why::NoUnit } else { Why::Form }
}

/// The pair of a value column and a unit column, for a message.
pub(crate) fn pair<'a>(value: &Raw<'a>, unit: &Raw<'a>) -> Raw<'a> {
    Raw::Object(vec![(Cow::Borrowed("value"), value.clone()), (Cow::Borrowed("unit"), unit.clone())])
}
