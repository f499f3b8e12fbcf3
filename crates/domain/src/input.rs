//! Unvalidated input. Adapters only decode it; all rules, also those about types, are in this crate.

use crate::violations::{Problem, Violations};

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

/// The input for an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InputList<T> {
    /// Absent or null.
    #[default]
    Absent,
    /// Not an array.
    NotAnArray,
    /// Its items. A reader may stop one past the maximum.
    Items(Vec<T>),
}

impl<T> InputList<T> {
    /// Returns the items if there are 1 to `max` of them, otherwise a violation at `path`.
    pub fn bounded(&self, path: &str, max: usize) -> Result<&[T], Violations> {
        let problem = match self {
            Self::Items(items) if (1..=max).contains(&items.len()) => return Ok(items),
            Self::Items(_) => Problem::new(format!("must have 1 to {max} entries")),
            Self::Absent => Problem::new("is required"),
            Self::NotAnArray => Problem::new("must be an array"),
        };
        Err(Violations::one(path, problem))
    }
}

impl InputList<Input> {
    /// Parses each item as a `T`, if there are at most `max` of them. Returns `None` when the list is absent.
    /// Violations are added under `path`.
    pub fn each<T: FromText>(
        &self,
        path: &str,
        max: usize,
        violations: &mut Violations,
    ) -> Option<Vec<T>> {
        let items = match self {
            Self::Absent => return None,
            Self::Items(items) if items.len() <= max => items,
            Self::Items(_) => {
                violations.add(path, Problem::new(format!("must have at most {max} entries")));
                return None;
            }
            Self::NotAnArray => {
                violations.add(path, Problem::new("must be an array"));
                return None;
            }
        };
        let mut values = Vec::new();
        for (place, item) in items.iter().enumerate() {
            values.extend(violations.collect(&format!("{path}.{place}"), item.required()));
        }
        Some(values)
    }
}

/// A value that is parsed and validated from text.
pub trait FromText: Sized {
    /// Parses the value.
    fn from_text(text: &str) -> Result<Self, Problem>;
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
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Number(number) => number.clone(),
            Self::Bool(value) => value.to_string(),
            Self::Absent | Self::Null | Self::BrokenText | Self::Composite => "null".to_owned(),
        }
    }

    /// The text; `None` when the property is absent or null.
    fn text(&self) -> Result<Option<&str>, Problem> {
        match self {
            Self::Absent | Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            Self::BrokenText => Err(Problem::new("must not contain an unpaired surrogate")),
            Self::Number(_) | Self::Bool(_) | Self::Composite => {
                Err(Problem::new("must be a string"))
            }
        }
    }

    /// Parses a required value.
    pub fn required<T: FromText>(&self) -> Result<T, Problem> {
        match self.text()? {
            Some(text) if !crate::text::trimmed(text).is_empty() => T::from_text(text),
            _ => Err(Problem::new("is required")),
        }
    }

    /// A boolean; `None` when it is absent or null.
    pub fn boolean(&self) -> Result<Option<bool>, Problem> {
        match self {
            Self::Absent | Self::Null => Ok(None),
            Self::Bool(value) => Ok(Some(*value)),
            Self::Text(_) | Self::BrokenText | Self::Number(_) | Self::Composite => {
                Err(Problem::new("must be true or false"))
            }
        }
    }

    /// Parses an optional value; `None` when it is absent or null.
    pub fn optional<T: FromText>(&self) -> Result<Option<T>, Problem> {
        self.text()?.map(T::from_text).transpose()
    }
}

/// garde rule: the property is there and is a `T`.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "garde calls a rule with a reference to its context"
)]
pub(crate) fn required<T: FromText>(input: &Input, _context: &()) -> garde::Result {
    input.required::<T>().map(drop).map_err(|problem| garde::Error::new(problem.as_str()))
}

/// garde rule: the property is absent, null or a `T`.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "garde calls a rule with a reference to its context"
)]
pub(crate) fn optional<T: FromText>(input: &Input, _context: &()) -> garde::Result {
    input.optional::<T>().map(drop).map_err(|problem| garde::Error::new(problem.as_str()))
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
