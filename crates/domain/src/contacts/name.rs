//! A person's first or last name.

use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// The longest first or last name, in code points.
pub const MAX_PERSON_NAME: usize = 255;

/// A first or last name: trimmed, not empty, without control characters except TAB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonName(String);

impl PersonName {
    /// Restores a name from a store, without validation.
    #[must_use]
    pub const fn from_stored(name: String) -> Self {
        Self(name)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text by which the name is matched and sorted.
    #[must_use]
    pub fn folded(&self) -> String {
        text::folded(&self.0)
    }
}

impl FromText for PersonName {
    fn from_text(text: &str) -> Result<Self, Problem> {
        text::name(text, MAX_PERSON_NAME).map(|name| Self(name.to_owned()))
    }
}
