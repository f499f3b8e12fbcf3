//! Fields: the custom attributes of a company's contacts, and their typed values.
//!
//! A field is never deleted, and its key and type never change. The key is derived from the first name. An archived field
//! takes no new values. A value is always valid for its
//! field's type.

mod change;
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

pub use change::{ChangeFieldOutcome, FieldChange, FieldChangeDraft, change};
pub use create::{FieldDraft, create};
pub use directory::Directory;
pub use error::FieldsError;
pub use field::{
    Field, FieldLabel, FieldLimits, FieldName, FieldType, Filterable, MAX_FIELD_NAME, MAX_FIELDS,
    MAX_FIELDS_EVER,
};
pub use key::{FieldKey, MAX_KEY};
pub use list::list;
pub use list_values::list_values;
pub use number::{MAX_DIGITS, MAX_EXPONENT, Number};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockFieldStore;
pub use port::{CreateFieldOutcome, FieldStore};
pub(crate) use value::parse_date;
pub use value::{FieldValue, MAX_LIST_KEY, MAX_STRING_VALUE, Spelled};
pub use values::{
    FieldValueEntry, FieldValues, FieldValuesDraft, Replacing, ValueChanges, entries, with_changes,
};
pub use values_query::ValuesQuery;
