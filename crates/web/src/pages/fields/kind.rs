//! The types of fields and whether contacts can be filtered by them, as people call them.

use contact_hub_domain::fields::{FieldType, Filterable};

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

/// The tone and the words of the badge that says whether contacts can be filtered by a field.
pub(super) const fn badge(filterable: Filterable) -> Option<(&'static str, &'static str)> {
    match filterable {
        Filterable::No => None,
        Filterable::Building => Some(("warn", "Being prepared")),
        Filterable::Yes => Some(("good", "Filterable")),
    }
}
