//! Unvalidated input. Adapters only decode it; all rules, also those about types, are in this crate.

use crate::violations::Problem;

/// The problem of a string that is not Unicode text.
pub(crate) const UNPAIRED_SURROGATE: &str = "must not contain an unpaired surrogate";

/// The unvalidated value of a property.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Input {
    /// The property is absent.
    #[default]
    Absent,
    /// An explicit null.
    Null,
    /// A string, untrimmed.
    Text(String),
    /// A string with an unpaired surrogate, which is not Unicode text.
    BrokenText,
    /// A number, spelled as it was sent.
    Number(String),
    /// true or false.
    Bool(bool),
    /// An array or an object.
    Composite,
}

/// A value that is parsed and validated from text.
pub trait FromText: Sized {
    /// Parses the value.
    fn from_text(text: &str) -> Result<Self, Problem>;
}

/// A value that is parsed from a property that is neither absent nor null.
pub trait FromInput: Sized {
    /// Parses the value.
    fn from_input(input: &Input) -> Result<Self, Problem>;
}

impl<T: FromText> FromInput for T {
    fn from_input(input: &Input) -> Result<Self, Problem> {
        match input {
            Input::Text(text) => T::from_text(text),
            Input::BrokenText => Err(Problem::new(UNPAIRED_SURROGATE)),
            _ => Err(Problem::new("must be a string")),
        }
    }
}

impl FromInput for bool {
    fn from_input(input: &Input) -> Result<Self, Problem> {
        match input {
            Input::Bool(value) => Ok(*value),
            _ => Err(Problem::new("must be true or false")),
        }
    }
}

impl Input {
    /// Reads one well-formed JSON value (RFC 8259) without surrounding white space.
    #[must_use]
    pub fn from_json(json: &str) -> Self {
        match json.as_bytes().first() {
            Some(b'"') => serde_json::from_str(json).map_or(Self::BrokenText, Self::Text),
            Some(b'n') => Self::Null,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'-' | b'0'..=b'9') => Self::Number(json.to_owned()),
            _ => Self::Composite,
        }
    }

    /// The value as JSON; null when it is not a scalar.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Text(text) => {
                let mut json = String::with_capacity(text.len() + 2);
                write_text(text, &mut json);
                json
            }
            Self::Number(number) => number.clone(),
            Self::Bool(value) => value.to_string(),
            Self::Absent | Self::Null | Self::BrokenText | Self::Composite => "null".to_owned(),
        }
    }
}

/// Appends a text as JSON (RFC 8259, section 7).
pub fn write_text(text: &str, json: &mut String) {
    let is_plain = |byte| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        json.extend(["\"", text, "\""]);
    } else {
        json.push_str(&serde_json::Value::from(text).to_string());
    }
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
