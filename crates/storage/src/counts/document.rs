//! Changes of the counts of values as a JSON document: for each field its id, its type, and a pair of the change and the
//! value for each value that changes, such as `[["0192…","number",[[1,2.50],[-1,3]]]]`. Sort keys are not in it, since
//! they are made of the values.

use std::borrow::Cow;

use serde_json::value::RawValue;

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::ids::FieldId;
use contact_hub_domain::input::FromText;

use super::{ValueUse, ValueUses};
use crate::columns::separate;
use crate::failure::Failure;

/// A field of a document that was read: its id, its type, and its [`StoredChanges`].
type StoredField<'a> = (String, String, &'a RawValue);

/// Changes, each of a value.
type StoredChanges<'a> = Vec<(i64, &'a RawValue)>;

/// Writes changes, which are sorted by field.
pub(super) fn encode(changes: &[ValueUse]) -> String {
    let mut document = String::from("[");
    for uses in changes.chunk_by(|one, next| one.field == next.field) {
        let Some(first) = uses.first() else { continue };
        let (field, kind) = (first.field.to_string(), first.value.kind().as_str());
        separate(&mut document);
        document.extend(["[\"", &field, "\",\"", kind, "\",["]);
        for change in uses {
            separate(&mut document);
            document.extend(["[", &change.delta.to_string(), ","]);
            change.value.write_json(&mut document);
            document.push(']');
        }
        document.push_str("]]");
    }
    document.push(']');
    document
}

/// Adds the changes of a document; only those of one field if one is given.
pub(super) fn decode(
    document: &str,
    only: Option<FieldId>,
    uses: &mut ValueUses,
) -> Result<(), Failure> {
    read(document, only, &mut |field, value, delta| uses.add(field, Cow::Owned(value), delta))
}

/// Reads the changes of a document; only those of one field if one is given.
pub(super) fn read(
    document: &str,
    only: Option<FieldId>,
    change: &mut impl FnMut(FieldId, FieldValue, i64),
) -> Result<(), Failure> {
    let corrupt = || Failure::Corrupt("count_changes.value_uses".to_owned());
    let fields: Vec<StoredField<'_>> =
        serde_json::from_str(document).map_err(|_error| corrupt())?;
    for (field, kind, changes) in fields {
        let field = FieldId::parse(&field).ok_or_else(corrupt)?;
        if only.is_some_and(|only| only != field) {
            continue;
        }
        let kind = FieldType::from_text(&kind).map_err(|_unknown| corrupt())?;
        let changes: StoredChanges<'_> =
            serde_json::from_str(changes.get()).map_err(|_error| corrupt())?;
        for (delta, value) in changes {
            let value = FieldValue::from_stored_json(kind, value.get());
            change(field, value.ok_or_else(corrupt)?, delta);
        }
    }
    Ok(())
}
