//! Documents decided by column, and those among them that do not fit.

use assay_claims::BooleanBuffer;

use super::joining::{Document, Told};
use crate::units::Slice;
use crate::work::Work;
use crate::work::answers::Answered;
use crate::work::decoded::ByColumn;
use crate::work::rows::{Identified, Reader};
use crate::work::unanswered::Undecided;

/// The rows of a chunk as documents: those that columns tell whole, and every other row by itself, set aside.
struct Starts {
    /// The first row of each.
    rows: Vec<usize>,
    /// The documents' places among them; none for a document without a row in the chunk.
    places: Vec<Option<usize>>,
    set_aside: BooleanBuffer,
}

impl Starts {
    fn new(documents: &[Document], count: usize) -> Starts {
        let mut rows = Vec::with_capacity(count);
        let mut told = vec![false; count];
        let mut next = 0;
        let places = documents.iter().map(|document| {
            let at = document.at?;
            rows.extend(next..at);
            let place = rows.len();
            rows.push(at);
            next = at + 1;
            if let Told::Columns(of) = &document.told {
                told.get_mut(of.clone()).unwrap_or_default().fill(true);
                next = of.end;
            }
            Some(place)
        });
        let places = places.collect();
        rows.extend(next..count);
        let is_aside = |row: usize| !told.get(row).copied().unwrap_or_default();
        Starts { rows, places, set_aside: BooleanBuffer::collect_bool(count, is_aside) }
    }
}

impl Work {
    /// Answers accepted documents, which begin in one input. Columns are of the rows of the last slice.
    pub(super) fn answer_columns(
        &self,
        input: usize,
        mut documents: Vec<Document>,
        (slice, reader, mut columns): (&Slice, &Reader<'_>, ByColumn<'_>),
    ) -> Result<Answered, Undecided> {
        let mut claims = columns.take_claims();
        let Starts { rows, places, set_aside } = Starts::new(&documents, claims.rows);
        claims.set_aside = set_aside;
        let told = reader.checker.documents(claims, &rows, self.job.max_choices);
        let answers = self.plan.engine.decide_documents(&told)?;
        self.all_answered(&answers, rows.len())?;

        // What has too many choices for columns goes by itself after all.
        let late = documents.iter_mut().zip(&places).filter(|(document, place)| {
            let aside = place.is_some_and(|place| told.columns.set_aside.value(place));
            aside && matches!(document.told, Told::Columns(_))
        });
        self.tell_again(slice, reader, late.map(|(document, _)| document));

        let file = self.file(input);
        let (mut single, mut single_rows, mut in_columns) = (Vec::new(), Vec::new(), Vec::new());
        for (document, place) in documents.iter_mut().zip(&places) {
            let row = document.first.row;
            match (std::mem::replace(&mut document.told, Told::Nothing), place) {
                (Told::Evidence(evidence), place) => {
                    single.push(evidence);
                    single_rows.push((row, *place));
                }
                (Told::Columns(_), Some(place)) if self.sample.takes(&file, row) => {
                    in_columns.push((row, told.evidence(*place), answers.row(*place)));
                }
                _ => {}
            }
        }
        let single_answers = self.plan.engine.decide_all(&single)?;
        let wanted = self.plan.schema.assertions.len();
        if single_answers.len() != single.len() || single_answers.iter().any(|each| each.len() != wanted) {
            return Err(Work::not_answered().into());
        }
        if !self.sample.is_empty() {
            let sampled = in_columns.iter();
            self.cross_check(
                &file,
                sampled.map(|(row, evidence, found)| (*row, (evidence, found.as_slice()))),
            )?;
            let decided = single.iter().zip(single_answers.iter().map(Vec::as_slice));
            self.cross_check(&file, single_rows.iter().map(|(row, _)| *row).zip(decided))?;
        }

        let mut answered = Answered::by_column(answers, &self.claims);
        let mut before = Vec::new();
        for ((_, place), answers) in single_rows.iter().zip(&single_answers) {
            match place {
                Some(place) => answered.put(*place, answers, &self.claims),
                None => before.push(answers),
            }
        }
        let mut kept = places.iter().flatten().copied().peekable();
        let out: Vec<usize> = (0..rows.len()).filter(|place| kept.next_if_eq(place).is_none()).collect();
        answered.take_out(&out);
        answered.put_before(before.len());
        for (document, answers) in before.into_iter().enumerate() {
            answered.put(document, answers, &self.claims);
        }
        Ok(answered)
    }

    /// Reads the rows of documents once more, one by one. They are whole in a slice, and none is refused.
    fn tell_again<'d>(
        &self,
        slice: &Slice,
        reader: &Reader<'_>,
        documents: impl Iterator<Item = &'d mut Document>,
    ) {
        let (mut again, mut of) = (Vec::new(), Vec::new());
        for document in documents {
            if let Told::Columns(rows) = std::mem::replace(&mut document.told, Told::Nothing) {
                of.extend(rows.map(|row| (row, again.len())));
                again.push(document);
            }
        }
        let mut rows = of.iter().map(|(row, _)| *row).peekable();
        let mask = BooleanBuffer::collect_bool(slice.chunk.len(), |row| rows.next_if_eq(&row).is_some());
        let mut of = of.iter();
        slice.chunk.each_of(&mask, &mut |mut row| {
            row.cells = row.cells.and_then(|cells| self.plan.mapping.unfold(cells));
            let document = of.next().and_then(|(_, document)| again.get_mut(*document));
            let said = reader.identify(&row.cells);
            if let (Some(document), Some((_, Identified { bound: Ok(evidence), .. }))) = (document, said) {
                document.join(evidence, None, self);
            }
        });
    }
}
