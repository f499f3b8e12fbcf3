//! Folded text, which a store compares byte by byte.

use crate::text;

/// Text after [`text::folded`]. Comparing two of them compares their bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Folded(String);

impl Folded {
    /// Folds a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(text::folded(text))
    }

    /// A text that was folded before it was stored.
    pub(super) fn from_stored(folded: &str) -> Self {
        Self(folded.to_owned())
    }

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
