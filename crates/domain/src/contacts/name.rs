//! A person's first or last name.

use crate::text;
use crate::texts::texts;

/// The longest first or last name, in code points.
pub const MAX_PERSON_NAME: usize = 255;

texts! {
    /// A first or last name: trimmed, not empty, without control characters except TAB.
    PersonName, |text| text::name(text, MAX_PERSON_NAME);
}

impl PersonName {
    /// The text by which the name is matched and sorted.
    #[must_use]
    pub fn folded(&self) -> String {
        text::folded(&self.0)
    }
}
