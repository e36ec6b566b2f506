//! Decodes an input in both ways and compares row by row.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int32Array,
    Int64Array, LargeStringArray, RecordBatch, StringArray, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Int32Type, Schema};
use assay_batch::input::{Cell, ClaimPlace, Decoded, Layout, Location, Row, TextCell};
use assay_claims::{BooleanBuffer, Checker, Dictionary, Given, Missing, Raw, Reading};
use assay_compile::{Options, Ruleset, compile};
use assay_units::Library;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use crate::common::{Input, Random};

const RULESET: &str = r#"version 1.3;
// @unit amount USD
declare amount as numeric;
declare flag as boolean;
declare ratio as numeric;
// @unit level kg
// @range level -100..100
declare level as numeric;
declare kind as enum {"travel","meals","lodging","a longer text than eight","a longer text than nine"};
assert a { And(flag, amount > 1 "USD", ratio > 0, level > 1 "kg", kind == "meals") };
"#;

/// How an input is decoded.
#[derive(Clone)]
pub struct Case {
    pub reading: Reading,
    pub missing: Missing,
    /// Whether the unit of `level` is in the column `unit`.
    pub paired: bool,
    pub strict: bool,
}

/// How many rows there were of each sort.
#[derive(Debug, Default)]
pub struct Compared {
    /// Bound by column.
    pub fast: usize,
    /// Bound row by row only.
    pub slow: usize,
    /// Refused.
    pub refused: usize,
}

impl Compared {
    pub fn add(&mut self, more: Compared) {
        self.fast += more.fast;
        self.slow += more.slow;
        self.refused += more.refused;
    }
}

/// What a row is, as `each` has it: its dictionary and its texts, or `None` where it is refused.
type Reference = Option<(Dictionary, Vec<Cell<'static>>)>;

impl Case {
    pub fn compare(&self, input: &Input) -> Compared {
        let ruleset = ruleset();
        let checker = Checker::new(ruleset, Library::built_in(), self.reading.clone()).unwrap();
        let place = |name: &str| input.wanted.columns.iter().position(|column| column.name == name).unwrap();
        let claims = checker.ruleset().claims.iter().map(|claim| ClaimPlace {
            value: place(&claim.name),
            unit: (claim.name == "level" && self.paired).then(|| place("unit")),
        });
        let layout = Layout {
            checker: &checker,
            missing: self.missing,
            claims: claims.collect(),
            texts: vec![place("id"), place("note"), place("amount")],
            strict: self.strict,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(&input.name);
        std::fs::write(&path, &input.bytes).unwrap();
        let mut source = input.open(&Location::File(path)).unwrap();
        let mut compared = Compared::default();
        while let Some(chunk) = source.next(130).unwrap() {
            let mut all = Vec::new();
            let mut shown = Vec::new();
            chunk.each(&mut |row| {
                all.push((row.number, self.reference(&layout, &row)));
                shown.push(format!("{row:?}"));
            });
            let decoded = chunk.columns(&layout);
            self.rows(&decoded, &all, &shown, &mut compared);
            // Those set aside come out as they do among all.
            let aside = decoded.claims.set_aside.clone();
            let expected: Vec<&String> =
                shown.iter().zip(&aside).filter(|(_, aside)| *aside).map(|(shown, _)| shown).collect();
            let mut seen = Vec::new();
            chunk.each_of(&aside, &mut |row| seen.push(format!("{row:?}")));
            assert_eq!(seen.iter().collect::<Vec<_>>(), expected);
            let mut none = 0;
            chunk.each_of(&BooleanBuffer::new_unset(chunk.len()), &mut |_| none += 1);
            assert_eq!(none, 0);
        }
        compared
    }

    fn reference(&self, layout: &Layout<'_>, row: &Row<'_>) -> Reference {
        let cells = row.cells.as_ref().ok()?;
        let given = layout.claims.iter().map(|place| {
            let value = match &cells.values[place.value] {
                Cell::Missing => return Given::Missing,
                Cell::Repeated(raw) => return Given::Repeated(raw),
                Cell::One(raw) => raw,
            };
            match place.unit.map(|unit| &cells.values[unit]) {
                None => Given::One(value),
                Some(Cell::Missing) => Given::Pair { value, unit: &Raw::Null },
                Some(Cell::One(unit) | Cell::Repeated(unit)) => Given::Pair { value, unit },
            }
        });
        let extra = if self.strict { &cells.extra[..] } else { &[] };
        let evidence = layout.checker.row(given, extra, self.missing).ok()?;
        let texts = layout.texts.iter().map(|place| owned(&cells.values[*place])).collect();
        Some((evidence.first().clone(), texts))
    }

    fn rows(&self, decoded: &Decoded, all: &[(u64, Reference)], shown: &[String], compared: &mut Compared) {
        assert_eq!(decoded.numbers, all.iter().map(|(number, _)| *number).collect::<Vec<_>>());
        assert_eq!(decoded.claims.rows, all.len());
        assert_eq!(decoded.claims.set_aside.len(), all.len());
        for texts in &decoded.texts {
            assert_eq!(texts.len(), all.len());
        }
        for (row, (_, reference)) in all.iter().enumerate() {
            let aside = decoded.claims.set_aside.value(row);
            match reference {
                None => {
                    assert!(aside, "a refused row was taken: {}", shown[row]);
                    compared.refused += 1;
                }
                Some(_) if aside => compared.slow += 1,
                Some((dictionary, cells)) => {
                    assert_eq!(decoded.claims.dictionary(row), *dictionary, "{}", shown[row]);
                    for (texts, cell) in decoded.texts.iter().zip(cells) {
                        assert_text(texts.get(row), cell);
                    }
                    compared.fast += 1;
                }
            }
        }
    }
}

fn assert_text(text: TextCell<'_>, cell: &Cell<'_>) {
    let same = match (text, cell) {
        (TextCell::Missing, Cell::Missing) | (TextCell::Null, Cell::One(Raw::Null)) => true,
        (TextCell::Text(text), Cell::One(Raw::Text(value) | Raw::Other(value))) => text == value,
        (TextCell::Text(text), Cell::One(Raw::NotFinite(value))) => text == *value,
        (TextCell::Json(text), Cell::One(Raw::Number(value))) => text == value,
        (TextCell::Json(text), Cell::One(Raw::Bool(value))) => text == value.to_string(),
        _ => false,
    };
    assert!(same, "{text:?} for {cell:?}");
}

fn owned(cell: &Cell<'_>) -> Cell<'static> {
    match cell {
        Cell::Missing => Cell::Missing,
        Cell::One(raw) => Cell::One(owned_raw(raw)),
        Cell::Repeated(raw) => Cell::Repeated(owned_raw(raw)),
    }
}

fn owned_raw(raw: &Raw<'_>) -> Raw<'static> {
    let text = |text: &str| text.to_owned().into();
    match raw {
        Raw::Null => Raw::Null,
        Raw::Bool(value) => Raw::Bool(*value),
        Raw::Number(value) => Raw::Number(text(value)),
        Raw::NotFinite(value) => Raw::NotFinite(value),
        Raw::Text(value) => Raw::Text(text(value)),
        Raw::Other(value) => Raw::Other(text(value)),
        Raw::Object(_) | Raw::List(_) => Raw::List(Vec::new()),
    }
}

fn ruleset() -> Arc<Ruleset> {
    match compile(RULESET.as_bytes(), &Options { require_descriptions: false }) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(refusal) => panic!("{:?}", refusal.diagnostics),
    }
}

/// A file whose columns are of any type that a value may have there.
pub fn parquet(random: &mut Random) -> Vec<u8> {
    let rows = 300;
    let mut optional = |make: &mut dyn FnMut(&mut Random) -> String| -> Vec<Option<String>> {
        (0..rows).map(|_| (random.below(9) > 0).then(|| make(random))).collect()
    };
    let mut of = |values: &[&str]| optional(&mut |random| values[random.below(values.len())].to_owned());
    let ids = of(&["d1", "d2", "a text of more than twelve bytes"]);
    let notes = of(&["x", "", "y"]);
    let kinds = of(&["travel", "meals", "meals", "lodging", "unknown", "other"]);
    let amounts = of(&["12", "12.5 USD", "3 EUR", "unknown", "x", "-7"]);
    let units = of(&["kg", "kg", "kg", "g", "unknown"]);
    let flags = of(&["true", "false"]);
    let text = |values: &[Option<String>]| -> ArrayRef { Arc::new(StringArray::from(values.to_vec())) };
    let large = |values: &[Option<String>]| -> ArrayRef { Arc::new(LargeStringArray::from(values.to_vec())) };
    let dictionary = |values: &[Option<String>]| -> ArrayRef {
        Arc::new(values.iter().map(Option::as_deref).collect::<DictionaryArray<Int32Type>>())
    };
    let flag: ArrayRef =
        Arc::new(flags.iter().map(|flag| flag.as_ref().map(|flag| flag == "true")).collect::<BooleanArray>());
    let whole: Vec<Option<i64>> =
        (0..rows).map(|_| (random.below(9) > 0).then(|| random.below(300) as i64 - 150)).collect();
    let doubles: Vec<Option<f64>> = (0..rows)
        .map(|_| match random.below(12) {
            0 => None,
            1 => Some(f64::NAN),
            2 => Some(f64::from_bits(random.below(usize::MAX) as u64)),
            3 => Some(0.1 + 0.2),
            4 => Some(-0.0),
            _ => Some((random.below(2_000_000) as f64 - 1e6) / [1.0, 10.0, 100.0, 1e5][random.below(4)]),
        })
        .collect();
    let wide: Vec<Option<i128>> = whole
        .iter()
        .map(|value| {
            let digits = [1, 1, 1_000_000_007, 10_i128.pow(30)][random.below(4)];
            value.map(|value| i128::from(value) * digits)
        })
        .collect();
    let scale = [0, 2, 18, 20][random.below(4)];
    let number = |random: &mut Random| -> ArrayRef {
        match random.below(6) {
            0 => Arc::new(Int64Array::from(whole.clone())),
            1 => Arc::new(whole.iter().map(|value| value.map(|value| value as i32)).collect::<Int32Array>()),
            2 => Arc::new(whole.iter().map(|value| value.map(|value| value as u64)).collect::<UInt64Array>()),
            3 => Arc::new(Float64Array::from(doubles.clone())),
            4 => Arc::new(
                doubles.iter().map(|value| value.map(|value| value as f32)).collect::<Float32Array>(),
            ),
            _ => Arc::new(Decimal128Array::from(wide.clone()).with_precision_and_scale(38, scale).unwrap()),
        }
    };
    let (ratio, level) = (number(random), number(random));
    let amount = match random.below(3) {
        0 => text(&amounts),
        1 => dictionary(&amounts),
        _ => number(random),
    };
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("id", if random.below(2) == 0 { text(&ids) } else { number(random) }),
        ("flag", if random.below(4) == 0 { text(&flags) } else { flag }),
        ("amount", amount),
        ("ratio", ratio),
        ("kind", [text(&kinds), large(&kinds), dictionary(&kinds)][random.below(3)].clone()),
        ("level", level),
        ("note", large(&notes)),
        ("unit", [text(&units), dictionary(&units)][random.below(2)].clone()),
    ];
    if random.below(5) == 0 {
        columns.remove(random.below(columns.len()));
    }
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    assert!(!fields.iter().any(|field| *field.data_type() == DataType::Null));
    let schema = Arc::new(Schema::new(fields));
    let batch =
        RecordBatch::try_new(Arc::clone(&schema), columns.into_iter().map(|(_, array)| array).collect())
            .unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(random.below(4) > 0)
        .set_max_row_group_row_count(Some(170))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, schema, Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}
