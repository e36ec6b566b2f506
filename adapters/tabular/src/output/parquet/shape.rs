//! The columns of a file of results as readers see them.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use assay_batch::output::{Layout, ResultSchema};

use crate::output::columns;

/// The columns: those of Arrow get what repeats as dictionaries, other readers as plain texts.
pub(super) fn shape(schema: &ResultSchema) -> Schema {
    let word = || dictionary(DataType::Int8);
    let few = || dictionary(DataType::Int32);
    let mut kinds = vec![(DataType::Utf8, false)];
    match schema.layout {
        Layout::Long => {
            let claims = Field::new_list_field(DataType::Utf8, false);
            let claims = DataType::List(Arc::new(claims));
            kinds.extend([(few(), false), (few(), false), (word(), false), (few(), true), (claims, true)]);
        }
        Layout::Wide => kinds.extend(schema.assertions.iter().map(|_| (word(), false))),
    }
    kinds.extend([(word(), false), (word(), true)]);
    kinds.extend(schema.carry.iter().map(|_| (DataType::Utf8, true)));
    if schema.locate {
        kinds.extend([(few(), false), (DataType::Int64, false)]);
    }
    let fields = columns(schema).zip(kinds);
    let fields = fields.map(|(name, (kind, nullable))| Field::new(name, kind, nullable));
    Schema::new(fields.collect::<Vec<_>>())
}

fn dictionary(keys: DataType) -> DataType {
    DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8))
}
