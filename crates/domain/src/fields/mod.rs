//! Fields: the custom attributes of a company's contacts, and their typed values.
//!
//! A field never changes and is never deleted. Its key is derived from its name. A value is always valid for its
//! field's type.

mod create;
mod directory;
mod error;
mod field;
mod key;
mod list;
mod list_values;
mod number;
mod port;
mod value;
mod values;
mod values_query;

pub use create::{FieldDraft, create};
pub use directory::Directory;
pub use error::FieldsError;
pub use field::{Field, FieldName, FieldType, MAX_FIELD_NAME, MAX_FIELDS};
pub use key::{FieldKey, MAX_KEY};
pub use list::list;
pub use list_values::list_values;
pub use number::{MAX_DIGITS, MAX_EXPONENT, Number};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockFieldStore;
pub use port::{CreateFieldOutcome, FieldStore};
pub(crate) use value::parse_date;
pub use value::{FieldValue, MAX_STRING_VALUE};
pub use values::{
    FieldValueEntry, FieldValues, FieldValuesDraft, ValueChanges, entries, with_changes,
};
pub use values_query::ValuesQuery;
