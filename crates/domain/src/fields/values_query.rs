//! The query of a list of the values of a field.

use crate::page::PageRequest;

/// Page and direction of a list of values, all valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValuesQuery {
    /// The page.
    pub page: PageRequest,
    /// Whether the order is descending.
    pub descending: bool,
}
