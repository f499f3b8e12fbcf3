//! Values as a person types and reads them.

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::input::Input;

use crate::fields::json::text_of;

/// The longest text of a value, in characters, that is shown whole among other values.
pub(crate) const LONG_VALUE: usize = 500;

/// A value in words.
pub(crate) fn in_words(value: &FieldValue) -> String {
    match value {
        FieldValue::Boolean(true) => "Yes".to_owned(),
        FieldValue::Boolean(false) => "No".to_owned(),
        value => text_of(value),
    }
}

/// What was typed for a field of this type; an empty text is null. A text that does not fit the type stays a text, which
/// the field's validation rejects.
pub(crate) fn given_of(kind: FieldType, typed: &str) -> Input {
    let word = typed.trim();
    match kind {
        _ if typed.is_empty() => Input::Null,
        FieldType::Number => match Input::from_json(word) {
            Input::Number(number) if is_json_number(&number) => Input::Number(number),
            _ => typed.into(),
        },
        FieldType::Boolean if word.eq_ignore_ascii_case("true") => Input::Bool(true),
        FieldType::Boolean if word.eq_ignore_ascii_case("false") => Input::Bool(false),
        FieldType::Date | FieldType::DateTime => word.into(),
        FieldType::String | FieldType::Boolean => typed.into(),
    }
}

/// Only well-formed numbers may be passed on as numbers.
fn is_json_number(text: &str) -> bool {
    serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::FieldType;
    use contact_hub_domain::input::Input;

    use super::given_of;

    #[test]
    fn input_is_converted_to_the_type_of_its_field() {
        assert_eq!(given_of(FieldType::String, ""), Input::Null);
        assert_eq!(given_of(FieldType::String, " x "), Input::from(" x "));
        assert_eq!(given_of(FieldType::Number, " 1.50 "), Input::Number("1.50".into()));
        assert_eq!(given_of(FieldType::Number, "1,5"), Input::from("1,5"));
        assert_eq!(given_of(FieldType::Boolean, "TRUE"), Input::Bool(true));
        assert_eq!(given_of(FieldType::Boolean, "yes"), Input::from("yes"));
        assert_eq!(given_of(FieldType::Date, " 2026-01-02"), Input::from("2026-01-02"));
    }
}
