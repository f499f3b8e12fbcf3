//! The query of a list of contacts.

use super::{Condition, Search, Sorts};
use crate::page::PageRequest;

/// Page, order, conditions and search of a list, all valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// The page.
    pub page: PageRequest,
    /// The order.
    pub sorts: Sorts,
    /// Conditions, all of which hold.
    pub conditions: Vec<Condition>,
    /// Terms, all of which occur.
    pub search: Search,
}
