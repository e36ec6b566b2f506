//! The built-in standards together with a project's converters: what any two units answer.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, LazyLock};

use num_traits::{One, Signed, Zero};
use sha2::{Digest, Sha256};

use crate::converter::{self, Converter, ConverterError};
use crate::dimension::{Refused, Relations};
use crate::{Bridge, Interval, Rational, Unit, closest, standard, standards};

/// The built-in standards and a project's converters. Cheap to clone, and shared between threads.
#[derive(Clone, Debug)]
pub struct Library(Arc<Inner>);

#[derive(Clone, Debug, Default)]
struct Inner {
    converters: Vec<Converter>,
    /// The atoms that only a converter knows.
    atoms: BTreeSet<String>,
    relations: Relations,
    /// The converters that no factor alone expresses. They convert whole units, not parts of them.
    shifts: Vec<Converter>,
    canonical: Option<(String, String)>,
}

/// `to = from * factor + offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    factor: Rational,
    offset: Rational,
}

static BUILT_IN: LazyLock<Library> = LazyLock::new(|| Library(Arc::default()));

impl Library {
    /// The built-in standards alone.
    pub fn built_in() -> Library {
        BUILT_IN.clone()
    }

    /// The built-in standards with a project's converters, whose order does not matter but for which
    /// of two that contradict each other is the one refused: the later.
    ///
    /// # Errors
    /// Everything that is wrong with any of them, in their order: a factor that is not positive, a
    /// unit converted to itself, a pair given twice (in either direction), a factor that contradicts
    /// what the built-in standards and the converters before it give.
    pub fn with(converters: Vec<Converter>) -> Result<Library, Vec<ConverterError>> {
        if converters.is_empty() {
            return Ok(Self::built_in());
        }
        let places: Vec<usize> = (0..converters.len()).collect();
        let (mut inner, errors) = Inner::of(&converters, &places);
        if !errors.is_empty() {
            return Err(errors);
        }
        let json = converter::canonical_json(&converters);
        let hash = Sha256::digest(json.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        inner.canonical = Some((json, hash));
        inner.converters = converters;
        Ok(Self(Arc::new(inner)))
    }

    /// What [`Library::with`] says of converters that stand at these places of a longer list.
    pub(crate) fn problems(converters: &[Converter], places: &[usize]) -> Vec<ConverterError> {
        Inner::of(converters, places).1
    }

    /// The `unit_library_hash`: SHA-256 of [`Library::canonical_json`] in lower-case hexadecimal.
    /// `None` without converters.
    pub fn hash(&self) -> Option<&str> {
        self.0.canonical.as_ref().map(|(_, hash)| hash.as_str())
    }

    /// The converters as the JSON that is hashed: factor and offset as reduced fractions, sorted by
    /// from and to, without attributions. It is a converters file itself. `None` without converters.
    pub fn canonical_json(&self) -> Option<String> {
        self.0.canonical.as_ref().map(|(json, _)| json.clone())
    }

    /// The project's converters, in the order given.
    pub fn converters(&self) -> &[Converter] {
        &self.0.converters
    }

    /// How a value in `from` becomes a value in `to`.
    ///
    /// A temperature with an offset is a point of its scale where it is the whole unit, and a
    /// difference inside a compound: `degF` to `degC` has an offset, `degF/h` to `degC/h` has none.
    /// Units of exponents beyond 10,000, and factors beyond a million bits, convert to nothing.
    pub fn bridge(&self, from: &Unit, to: &Unit) -> Bridge {
        if from == to {
            return Bridge::Same;
        }
        if let Some(Line { factor, offset }) = self.0.line(from, to) {
            return Bridge::Convertible { factor, offset };
        }
        if let Some(bridge) = self.0.interval(from, to) {
            return bridge;
        }
        // An atom that stands alike on both sides is not what is missing.
        let quotient = from.div(to);
        let atoms = quotient.atoms().map(|(atom, _)| atom);
        let unknown: Vec<String> = atoms.filter(|atom| !self.knows(atom)).map(str::to_owned).collect();
        if unknown.is_empty() { Bridge::NoPath } else { Bridge::UnknownUnit { atoms: unknown } }
    }

    /// Whether `atom` is the symbol of a built-in unit or an atom of a converter.
    pub fn knows(&self, atom: &str) -> bool {
        standard::built_in(atom).is_some() || self.0.atoms.contains(atom)
    }

    /// The number that `unit` is where all its dimensions cancel: 1000 for `km/m`, 1 for no unit at
    /// all. Converters count: with `EUR` to `USD` at 1.08, `EUR/USD` is 27/25.
    pub fn dimensionless(&self, unit: &Unit) -> Option<Rational> {
        self.0.relations.number(unit)
    }

    /// Whether values of `unit` are points of a scale whose zero is not zero: `degC` and `degF` alone.
    pub fn has_offset(&self, unit: &Unit) -> bool {
        !scale(unit).offset.is_zero()
    }

    /// The known symbol that `text`, one atom, is most likely meant to be: a name or another case of
    /// it (`Euro`, `usd`), or one slip of the finger away.
    pub fn closest(&self, text: &str) -> Option<String> {
        closest::closest(text, self.0.atoms.iter().map(String::as_str))
    }
}

impl Inner {
    /// All of the converters that can be taken together, and what is wrong with the others.
    fn of(converters: &[Converter], places: &[usize]) -> (Inner, Vec<ConverterError>) {
        let mut inner = Inner::default();
        let mut errors = Vec::new();
        let mut seen = BTreeMap::new();
        for (converter, place) in converters.iter().zip(places) {
            let result = converter.checked().and_then(|()| {
                let (from, to) = (&converter.from, &converter.to);
                let pair = if from < to { (from, to) } else { (to, from) };
                match seen.get(&pair) {
                    Some(first) => Err(converter::given_twice(*first)),
                    None => {
                        seen.insert(pair, *place);
                        inner.adding(converter)
                    }
                }
            });
            match result {
                Ok(next) => inner = next,
                Err(problem) => errors.push(problem.of(*place, converter)),
            }
        }
        (inner, errors)
    }

    /// This library with one more converter, where it contradicts nothing.
    fn adding(&self, converter: &Converter) -> Result<Inner, converter::Problem> {
        let Converter { from, to, factor, .. } = converter;
        let mut next = self.clone();
        let atoms = from.atoms().chain(to.atoms()).map(|(atom, _)| atom);
        next.atoms.extend(atoms.filter(|atom| standard::built_in(atom).is_none()).map(str::to_owned));

        let stated = Line { factor: factor.clone(), offset: converter.offset.clone() };
        if let Some(known) = self.line(from, to).filter(|known| *known != stated) {
            return Err(converter::contradiction(Some((&known.factor, &known.offset))));
        }
        // In the bases of the two units, where a temperature's own offset is taken out of it.
        let (source, target) = (scale(from), scale(to));
        let factor_of_bases = factor * &target.factor / &source.factor;
        let offset_of_bases =
            &converter.offset * &target.factor + &target.offset - &source.offset * &factor_of_bases;
        if offset_of_bases.is_zero() {
            next.relations = match self.relations.relate(from, to, factor) {
                Ok(relations) => relations,
                Err(Refused::TooLarge) => return Err(converter::too_large()),
                Err(Refused::Contradiction) => return Err(converter::contradiction(None)),
            };
        } else {
            next.shifts.push(converter.clone());
        }
        next.consistent()?;
        Ok(next)
    }

    /// Whether every converter with an offset agrees with what is known without it, and no exact
    /// factor leaves an interval that the standards state.
    fn consistent(&self) -> Result<(), converter::Problem> {
        for (index, shift) in self.shifts.iter().enumerate() {
            let before = self.shifts.get(..index).unwrap_or_default();
            let stated = Line { factor: shift.factor.clone(), offset: shift.offset.clone() };
            if self.line_by(before, &shift.from, &shift.to).is_some_and(|known| known != stated) {
                return Err(converter::contradiction(None));
            }
        }
        for interval in intervals() {
            let quotient = interval.larger.div(&interval.smaller);
            match self.relations.number(&quotient) {
                Some(known) if !interval.contains(&known) => {
                    return Err(converter::outside(&interval.stated, &known));
                }
                None if self.relations.fixes_a_power(&quotient) => {
                    return Err(converter::power_of(&interval.stated));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The exact conversion, where there is one.
    fn line(&self, from: &Unit, to: &Unit) -> Option<Line> {
        self.line_by(&self.shifts, from, to)
    }

    /// The exact conversion by relations and the given converters with offsets: the shortest chain of
    /// them. That every chain gives the same is what [`Inner::consistent`] holds.
    fn line_by(&self, shifts: &[Converter], from: &Unit, to: &Unit) -> Option<Line> {
        let mut left: Vec<&Converter> = shifts.iter().collect();
        let mut reached =
            VecDeque::from([(from, Line { factor: Rational::one(), offset: Rational::zero() })]);
        while let Some((unit, line)) = reached.pop_front() {
            if let Some(last) = self.linear(unit, to) {
                return Some(line.then(&last));
            }
            left.retain(|shift| {
                let forward = Line { factor: shift.factor.clone(), offset: shift.offset.clone() };
                let (step, next) = if let Some(step) = self.linear(unit, &shift.from) {
                    (step.then(&forward), &shift.to)
                } else if let Some(step) = self.linear(unit, &shift.to) {
                    (step.then(&forward.inverse()), &shift.from)
                } else {
                    return true;
                };
                reached.push_back((next, line.then(&step)));
                false
            });
        }
        None
    }

    /// The exact conversion by factors and the temperatures' own offsets.
    fn linear(&self, from: &Unit, to: &Unit) -> Option<Line> {
        if from.is_oversized() || to.is_oversized() {
            return None;
        }
        let factor = self.relations.number(&from.div(to))?;
        let (source, target) = (scale(from), scale(to));
        let offset = &source.offset / &source.factor * &factor - &target.offset / &target.factor;
        Some(Line { factor, offset })
    }

    /// The conversion whose factor lies in an interval, where exactly one month or year stands
    /// against days, on either side of the line.
    fn interval(&self, from: &Unit, to: &Unit) -> Option<Bridge> {
        if from.is_oversized() || to.is_oversized() {
            return None;
        }
        let quotient = from.div(to);
        let written = |interval: &&Known| {
            let mut atoms = quotient.atoms();
            atoms.any(|(atom, _)| atom == interval.stated.from)
        };
        let mut candidates: Vec<&Known> = intervals().iter().filter(written).collect();
        if candidates.is_empty() {
            // A converter may lead to a month (`sprint` to `mo`); a year is then twelve of them.
            candidates = intervals().iter().take(1).collect();
        }
        let [known] = candidates.as_slice() else {
            return None;
        };
        [false, true].into_iter().find_map(|inverse| {
            let exchange =
                if inverse { known.larger.div(&known.smaller) } else { known.smaller.div(&known.larger) };
            let factor = self.relations.number(&quotient.mul(&exchange))?;
            Some(Bridge::Ambiguous { interval: known.stated.clone(), inverse, factor })
        })
    }
}

impl Line {
    /// This conversion and then another.
    fn then(&self, next: &Line) -> Line {
        Line { factor: &self.factor * &next.factor, offset: &self.offset * &next.factor + &next.offset }
    }

    fn inverse(&self) -> Line {
        Line { factor: self.factor.recip(), offset: -&self.offset / &self.factor }
    }
}

/// Where the whole unit is one built-in atom: its factor and offset to its base. Else no offset.
fn scale(unit: &Unit) -> Line {
    let mut atoms = unit.atoms();
    match (atoms.next(), atoms.next()) {
        (Some((atom, 1)), None) => standard::built_in(atom).filter(|unit| !unit.offset.is_zero()),
        _ => None,
    }
    .map_or_else(
        || Line { factor: Rational::one(), offset: Rational::zero() },
        |unit| Line { factor: unit.factor.clone(), offset: unit.offset.clone() },
    )
}

/// An interval of the standards, with its two units.
struct Known {
    stated: Interval,
    larger: Unit,
    smaller: Unit,
}

impl Known {
    fn contains(&self, factor: &Rational) -> bool {
        factor.is_positive() && *factor >= self.stated.low && *factor <= self.stated.high
    }
}

/// The intervals of the standards: the month's first, because a year is twelve months.
fn intervals() -> &'static [Known] {
    static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
        let stated = standards().iter().flat_map(|standard| &standard.intervals);
        stated
            .filter_map(|stated| {
                let larger = Unit::parse(&stated.from).ok()?;
                let smaller = Unit::parse(&stated.to).ok()?;
                Some(Known { stated: stated.clone(), larger, smaller })
            })
            .collect()
    });
    &KNOWN
}
