//! The rows of a chunk by column, as its format decoded them.

use assay_claims::{BooleanBuffer, ClaimColumns, Missing};

use super::rows::Reader;
use crate::error::RunError;
use crate::input::{Chunk, ClaimPlace, Decoded, Layout, TextCell};
use crate::output::Carried;
use crate::plan::{Mapping, is_id};
use crate::work::Work;

/// The rows of a chunk by column. Those that do not fit, or whose ids are refused, are set aside for the way of single
/// rows.
pub(super) struct ByColumn<'a> {
    mapping: &'a Mapping,
    empty_is_null: bool,
    texts: KeptTexts,
    decoded: Decoded,
}

impl<'a> ByColumn<'a> {
    /// Decodes a chunk.
    pub fn decode(work: &'a Work, reader: &Reader<'_>, chunk: &dyn Chunk) -> Result<ByColumn<'a>, RunError> {
        let mapping = &work.plan.mapping;
        let texts = KeptTexts::new(mapping);
        let claims =
            mapping.claims.iter().map(|places| ClaimPlace { value: places.value, unit: places.unit });
        let layout = Layout {
            checker: reader.checker,
            missing: if work.job.missing_unknown { Missing::Unknown } else { Missing::Reject },
            claims: claims.collect(),
            texts: texts.places.clone(),
            strict: mapping.strict,
        };
        let decoded = chunk.columns(&layout);
        let rows = decoded.claims.rows;
        if rows != chunk.len() || decoded.numbers.len() != rows {
            return Err(RunError::engine("the columns of a chunk do not have its rows".to_owned()));
        }
        let empty_is_null = work.plan.empty_is_null(reader.input);
        let mut columns = ByColumn { mapping, empty_is_null, texts, decoded };
        // A row whose id is refused is refused as a whole, and that is for the way of single rows.
        let refused = |row| !mapping.id.is_empty() && columns.id(row).is_err();
        let out = BooleanBuffer::collect_bool(rows, |row| columns.is_set_aside(row) || refused(row));
        columns.decoded.claims.set_aside = out;
        Ok(columns)
    }

    /// The claims.
    pub fn claims(&self) -> &ClaimColumns {
        &self.decoded.claims
    }

    /// The claims, without the rest.
    pub fn take_claims(&mut self) -> ClaimColumns {
        let none = ClaimColumns { rows: 0, columns: Vec::new(), set_aside: BooleanBuffer::new_unset(0) };
        std::mem::replace(&mut self.decoded.claims, none)
    }

    /// Whether a row goes the way of single rows.
    pub fn is_set_aside(&self, row: usize) -> bool {
        self.decoded.claims.set_aside.value(row)
    }

    /// The number of a row in its input.
    pub fn number(&self, row: usize) -> u64 {
        self.decoded.numbers.get(row).copied().unwrap_or_default()
    }

    /// The id of a row: none where it is called by its place. An error where the row is refused for it.
    pub fn id(&self, row: usize) -> Result<Option<&str>, ()> {
        match self.texts.first(&self.decoded, &self.mapping.id, row) {
            TextCell::Text(text) if !text.is_empty() => Ok(Some(text)),
            TextCell::Json(text) if is_id(text) => Ok(Some(text)),
            TextCell::Missing if !self.mapping.id_required => Ok(None),
            _ => Err(()),
        }
    }

    /// What a row has for a column that is carried from the first of some places.
    pub fn carried(&self, places: &[usize], row: usize) -> Carried<'_> {
        match self.texts.first(&self.decoded, places, row) {
            TextCell::Missing | TextCell::Null => Carried::Null,
            TextCell::Text("") if self.empty_is_null => Carried::Null,
            TextCell::Text(text) => Carried::Text(text),
            TextCell::Json(text) => Carried::Json(text),
        }
    }
}

/// The columns that are kept as texts: each once, whatever it is for.
struct KeptTexts {
    places: Vec<usize>,
}

impl KeptTexts {
    fn new(mapping: &Mapping) -> KeptTexts {
        let mut places: Vec<usize> =
            mapping.id.iter().chain(mapping.carry.iter().flatten()).copied().collect();
        places.sort_unstable();
        places.dedup();
        KeptTexts { places }
    }

    /// The value of a row at the first of some places that the row has.
    fn first<'d>(&self, decoded: &'d Decoded, places: &[usize], row: usize) -> TextCell<'d> {
        let cell = |place: &usize| {
            let at = self.places.binary_search(place).ok()?;
            Some(decoded.texts.get(at)?.get(row))
        };
        let mut found = places.iter().filter_map(cell);
        found.find(|cell| *cell != TextCell::Missing).unwrap_or(TextCell::Missing)
    }
}
