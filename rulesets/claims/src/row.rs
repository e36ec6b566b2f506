//! Dictionaries and rows: all claims at once, and every failure of them.

use std::borrow::Cow;
use std::collections::HashSet;

use assay_spelling::near;

use crate::checker::pair;
use crate::expected::quote;
use crate::failure::Why;
use crate::received::received;
use crate::{Binding, Checker, ClaimId, Dictionary, Evidence, Failure, Raw, Rejection};

/// What a row has for one claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Given<'a> {
    /// Nothing: no field, no column.
    Missing,
    /// A value.
    One(&'a Raw<'a>),
    /// A value and, from a column of its own, its unit.
    Pair {
        /// The value.
        value: &'a Raw<'a>,
        /// The unit, as a text or null.
        unit: &'a Raw<'a>,
    },
    /// Its key more than once; the last value.
    Repeated(&'a Raw<'a>),
}

impl<'a> Given<'a> {
    /// The value, if there is one; with a unit of its own, the pair of the two.
    pub fn raw(&self) -> Option<Cow<'a, Raw<'a>>> {
        match *self {
            Given::Missing => None,
            Given::One(raw) | Given::Repeated(raw) => Some(Cow::Borrowed(raw)),
            Given::Pair { value, unit } => Some(Cow::Owned(pair(value, unit))),
        }
    }
}

/// What a missing claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// A failure.
    #[default]
    Reject,
    /// Undetermined.
    Unknown,
}

impl Checker {
    /// Reads a dictionary: every declared claim once, and nothing else. A list in place of a value is several pieces of
    /// evidence; an empty one is none.
    ///
    /// # Errors
    /// Every failing field.
    pub fn dictionary(&self, fields: &[(Cow<'_, str>, Raw<'_>)]) -> Result<Evidence, Rejection> {
        let (given, extra) = self.sort(fields);
        self.all(given, extra.into_iter(), Missing::Reject)
    }

    /// What a dictionary has for each claim, in declared order.
    pub fn given<'a>(&self, fields: &'a [(Cow<'_, str>, Raw<'a>)]) -> Vec<Given<'a>> {
        self.sort(fields).0
    }

    /// Fields by claim, and those that are none.
    fn sort<'a>(
        &self,
        fields: &'a [(Cow<'_, str>, Raw<'a>)],
    ) -> (Vec<Given<'a>>, Vec<(&'a str, &'a Raw<'a>)>) {
        let claims = &self.ruleset().claims;
        let mut given = vec![Given::Missing; claims.len()];
        let mut extra = Vec::new();
        for (at, (name, value)) in fields.iter().enumerate() {
            // Fields mostly come in declared order, and then need no looking up.
            let in_order = claims.get(at).is_some_and(|claim| claim.name == *name);
            let claim = if in_order { Some(ClaimId(at)) } else { self.claim(name) };
            match claim.and_then(|claim| given.get_mut(claim.0)) {
                Some(place @ Given::Missing) => *place = Given::One(value),
                Some(place) => *place = Given::Repeated(value),
                None => extra.push((name.as_ref(), value)),
            }
        }
        (given, extra)
    }

    /// Reads a row: what it has for each claim in declared order, and fields that no claim is read from, in their
    /// order. Claims past the end of `cells` are missing. A list in place of a value is several pieces of evidence.
    ///
    /// # Errors
    /// Every failing field.
    pub fn row<'a>(
        &self,
        cells: impl IntoIterator<Item = Given<'a>>,
        extra: &[(Cow<'_, str>, Raw<'_>)],
        missing: Missing,
    ) -> Result<Evidence, Rejection> {
        let extra = extra.iter().map(|(name, value)| (name.as_ref(), value));
        self.all(cells, extra, missing)
    }

    fn all<'a, 'e>(
        &self,
        given: impl IntoIterator<Item = Given<'a>>,
        extra: impl Iterator<Item = (&'e str, &'e Raw<'e>)>,
        missing: Missing,
    ) -> Result<Evidence, Rejection> {
        let count = self.ruleset().claims.len();
        let mut rejection = Rejection::new();
        let mut bindings = Vec::with_capacity(count);
        let mut lists = Vec::new();
        let mut given = given.into_iter();
        for claim in (0..count).map(ClaimId) {
            let given = given.next().unwrap_or(Given::Missing);
            if given.is_list() {
                bindings.push(Binding::Unknown);
                lists.push((claim, self.list(claim, given, &mut rejection)));
                continue;
            }
            match self.one(claim, given, missing) {
                Ok(binding) => bindings.push(binding),
                Err(why) => rejection.add(|| self.failure(claim, given.raw().as_deref(), &why)),
            }
        }
        let mut seen = HashSet::new();
        for (name, value) in extra {
            // A field that is there twice is one failure.
            if seen.insert(name) {
                rejection.add(|| self.no_claim(name, value));
            }
        }
        if rejection.failure_count > 0 {
            return Err(rejection);
        }
        let mut evidence = Evidence::from(Dictionary::new(bindings));
        for (claim, pieces) in lists {
            self.add_pieces(&mut evidence, claim, pieces);
        }
        Ok(evidence)
    }

    fn one(&self, claim: ClaimId, given: Given<'_>, missing: Missing) -> Result<Binding, Why> {
        match given {
            Given::One(raw) => self.read(claim, raw),
            Given::Pair { value, unit } => self.read_pair(claim, value, unit),
            Given::Repeated(_) => Err(Why::Repeated),
            Given::Missing if missing == Missing::Unknown => Ok(Binding::Unknown),
            Given::Missing => Err(Why::Missing),
        }
    }

    fn no_claim(&self, name: &str, value: &Raw<'_>) -> Failure {
        let names = self.ruleset().claims.iter().map(|claim| claim.name.as_str());
        let mut expected = "only fields that are declared claims".to_owned();
        if self.claim(name).is_some() {
            expected = "no field of this name: the claim is read from another one".to_owned();
        } else if let Some(name) = near(name, names) {
            expected = format!("{expected} (closest: {})", quote(name));
        }
        Failure { field: name.to_owned(), expected, received: received(value) }
    }
}
