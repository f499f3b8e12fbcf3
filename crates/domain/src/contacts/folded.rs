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

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
