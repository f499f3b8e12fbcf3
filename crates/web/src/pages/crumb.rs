//! The object at the end of a breadcrumb.

use super::excerpt::shortened;

/// The longest name in a breadcrumb, in characters.
const LONGEST: usize = 60;

/// An object that a form changes, or that a page below its own is about.
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Named {
    pub(crate) fn new(id: &impl ToString, name: impl Into<String>) -> Self {
        Self { id: id.to_string(), name: name.into() }
    }
}

/// A name as a breadcrumb shows it.
pub(crate) fn cut(name: &str) -> String {
    shortened(name, LONGEST)
}
