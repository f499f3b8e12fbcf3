//! The types of fields, as people call them.

use contact_hub_domain::fields::FieldType;

/// The words for a type, such as `Yes or no` for `boolean`.
pub(super) const fn words(kind: FieldType) -> &'static str {
    match kind {
        FieldType::String => "Text",
        FieldType::Number => "Number",
        FieldType::Date => "Date",
        FieldType::DateTime => "Date and time",
        FieldType::Boolean => "Yes or no",
    }
}
