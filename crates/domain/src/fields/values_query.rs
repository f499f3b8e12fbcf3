//! What a request asks of the values in use for a field.

use crate::page::PageRequest;
use crate::query::{Query, SortRules, sorts};
use crate::violations::Violations;

/// Page and direction of a list of values, all valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValuesQuery {
    /// Which page.
    pub page: PageRequest,
    /// Whether the order of the type is turned round.
    pub descending: bool,
}

impl ValuesQuery {
    /// Reads the query of a request, as it was sent; every violation is told by its dotted path. Parameters of other
    /// names are ignored.
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
