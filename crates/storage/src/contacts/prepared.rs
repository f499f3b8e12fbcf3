//! Lists whose statements are prepared once for each connection, and have one plan whatever the values.
//!
//! They are in the order of creation, of all contacts or of those that meet one condition on the value of a field: few texts,
//! each of which allows one way to its rows. To plan them took longer than to run them. The texts of other lists are without
//! number, and their best plan depends on the values.

use contact_hub_domain::contacts::{Condition, ListQuery, Sort, SortKey};
use contact_hub_domain::ids::CompanyId;

use crate::units::Reading;

/// Whether the statements of a list are among them.
pub(super) fn is_prepared(query: &ListQuery) -> bool {
    let by_creation = matches!(query.sorts.keys(), [Sort { key: SortKey::CreatedAt, .. }]);
    let is_alone = matches!(&query.conditions[..], [] | [Condition::Value { .. }]);
    by_creation && is_alone && query.search.terms().is_empty()
}

/// How a list is read.
pub(super) fn reading(company: CompanyId, query: &ListQuery) -> Reading {
    if is_prepared(query) { Reading::PreparedList(company) } else { Reading::List(company) }
}
