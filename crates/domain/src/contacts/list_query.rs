//! The query of a list of contacts.

use super::filter::{self, Condition};
use super::{Search, Sorts};
use crate::page::PageRequest;
use crate::query::Query;
use crate::violations::Violations;

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

impl ListQuery {
    /// Parses the undecoded query of a request; all violations are returned at once, by dotted path. Unknown parameters
    /// are ignored.
    pub fn parse(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let parsed = Self {
            page: PageRequest::read(query, &mut violations),
            sorts: Sorts::read(query, &mut violations),
            conditions: filter::read(query, &mut violations),
            search: Search::read(query, &mut violations),
        };
        violations.into_result().map(|()| parsed)
    }
}
