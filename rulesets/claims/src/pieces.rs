//! Lists: several pieces of evidence in the place of one value.

use crate::checker::pair;
use crate::evidence::Value;
use crate::failure::Why;
use crate::{Binding, Checker, ClaimId, Evidence, Given, Raw, Rejection};

/// One piece of a claim's evidence.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    One(&'a Raw<'a>),
    Pair { value: &'a Raw<'a>, unit: &'a Raw<'a> },
}

impl<'a> Given<'a> {
    /// Whether there is a list where a value could be.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Given::One(Raw::List(_)) | Given::Pair { value: Raw::List(_), .. })
    }

    /// The pieces: the members of a list, or the one value; none where there is no value. A unit from a column of its own
    /// is that of every member, unless it is a list of as many units.
    pub(crate) fn pieces(&self) -> Result<Vec<Piece<'a>>, Why> {
        Ok(match *self {
            Given::One(Raw::List(values)) => values.iter().map(Piece::One).collect(),
            Given::One(value) => vec![Piece::One(value)],
            Given::Pair { value: Raw::List(values), unit: Raw::List(units) } => {
                if values.len() != units.len() {
                    return Err(Why::Units);
                }
                values.iter().zip(units).map(|(value, unit)| Piece::Pair { value, unit }).collect()
            }
            Given::Pair { value: Raw::List(values), unit } => {
                values.iter().map(|value| Piece::Pair { value, unit }).collect()
            }
            Given::Pair { value, unit } => vec![Piece::Pair { value, unit }],
            Given::Missing | Given::Repeated(_) => Vec::new(),
        })
    }
}

impl Checker {
    /// Reads a list: its members as pieces of evidence, or the failure of every member that is refused.
    pub(crate) fn list(&self, claim: ClaimId, given: Given<'_>, rejection: &mut Rejection) -> Vec<Binding> {
        let pieces = match given.pieces() {
            Ok(pieces) => pieces,
            Err(why) => {
                rejection.add(|| self.failure(claim, given.raw().as_deref(), &why));
                return Vec::new();
            }
        };
        let mut bindings = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            match self.piece(claim, *piece) {
                Ok(binding) => bindings.push(binding),
                Err(why) => rejection.add(|| {
                    let mut failure = match *piece {
                        Piece::One(raw) => self.failure(claim, Some(raw), &why),
                        Piece::Pair { value, unit } => self.failure(claim, Some(&pair(value, unit)), &why),
                    };
                    failure.expected =
                        format!("in place {} of {}: {}", at + 1, pieces.len(), failure.expected);
                    failure
                }),
            }
        }
        bindings
    }

    /// Notes in the evidence of a row how its numbers were read, for payloads. `cells` is what the row was
    /// [read](Checker::row) from.
    pub fn quote<'a>(&self, evidence: &mut Evidence, cells: impl IntoIterator<Item = Given<'a>>) {
        for (claim, given) in cells.into_iter().enumerate().map(|(at, given)| (ClaimId(at), given)) {
            for piece in given.pieces().unwrap_or_default() {
                let quantity = match piece {
                    Piece::One(raw) => self.quantity(claim, raw),
                    Piece::Pair { value, unit } => self.quantity(claim, &pair(value, unit)),
                };
                if let (Some(quantity), Ok(binding)) = (quantity, self.piece(claim, piece)) {
                    evidence.note(claim, &binding, quantity, self.library());
                }
            }
        }
    }

    fn piece(&self, claim: ClaimId, piece: Piece<'_>) -> Result<Binding, Why> {
        match piece {
            Piece::One(raw) => self.read(claim, raw),
            Piece::Pair { value, unit } => self.read_pair(claim, value, unit),
        }
    }

    /// Adds the members of a claim's list to evidence that has none of the claim.
    pub(crate) fn add_pieces(&self, evidence: &mut Evidence, claim: ClaimId, pieces: Vec<Binding>) {
        evidence.forget(claim);
        for binding in pieces {
            match binding {
                Binding::Unknown => evidence.undetermined(claim, 1),
                binding => evidence.add(claim, Value::one(binding), self.library()),
            }
        }
    }
}
