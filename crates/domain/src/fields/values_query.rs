//! The query of a list of the values of a field.

use crate::page::PageRequest;
use crate::query::{Query, SortRules, sorts};
use crate::violations::Violations;

/// Page and direction of a list of values, all valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValuesQuery {
    /// The page.
    pub page: PageRequest,
    /// Whether the order is descending.
    pub descending: bool,
}

impl ValuesQuery {
    /// Parses the undecoded query of a request; all violations are returned at once, by dotted path. Unknown parameters
    /// are ignored.
    pub fn parse(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let page = PageRequest::read(query, &mut violations);
        let rules =
            SortRules { max: 1, read: |name| (name == "value").then_some(()), names: "value" };
        let sorts = sorts(query, &rules, &mut violations);
        let descending = sorts.first().is_some_and(|((), descending)| *descending);
        violations.into_result().map(|()| Self { page, descending })
    }
}
