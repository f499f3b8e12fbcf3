//! Lists whose statements are prepared once for each connection, and have one plan regardless of the values.
//!
//! They are in the order of creation, of all contacts or of those that meet one condition on the value of a field: few texts,
//! each of which allows one way to its rows. Planning them took longer than running them. All numbers and values of
//! them are bound, so that they stay few. The texts of other lists are without number, and their best plan depends on
//! the values.

use contact_hub_domain::contacts::{Condition, ListQuery, Sort, SortKey};
use contact_hub_domain::ids::CompanyId;

use crate::units::Reading;

/// Whether the statements of a list are among them.
pub(super) fn is_prepared(query: &ListQuery) -> bool {
    let by_creation = matches!(query.sorts.keys(), [Sort { key: SortKey::CreatedAt, .. }]);
    let is_alone = matches!(&query.conditions[..], [] | [Condition::Value { .. }]);
    by_creation && is_alone && query.search.terms().is_empty()
}

/// How a list is read. On a cluster each statement is planned for its values, since they determine the node.
pub(super) fn reading(is_cluster: bool, company: CompanyId, query: &ListQuery) -> Reading {
    match (is_cluster, is_prepared(query)) {
        (true, _) => Reading::ListOnCluster(company),
        (false, true) => Reading::PreparedList(company),
        (false, false) => Reading::List(company),
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::contacts::{Folded, Search, Sorts, TextAttribute, TextTest, ValueTest};
    use contact_hub_domain::ids::FieldId;
    use uuid::Uuid;

    use super::*;

    fn sorted(keys: &[SortKey]) -> ListQuery {
        let sorts = keys.iter().map(|key| Sort { key: *key, descending: true });
        let sorts = Sorts::new(sorts.collect()).expect("distinct keys");
        ListQuery { sorts, ..ListQuery::default() }
    }

    fn with(conditions: &[Condition]) -> ListQuery {
        ListQuery { conditions: conditions.to_vec(), ..ListQuery::default() }
    }

    #[test]
    fn no_list_is_prepared_on_a_cluster() {
        let (company, list) = (CompanyId::new(Uuid::nil()), ListQuery::default());
        assert!(matches!(reading(false, company, &list), Reading::PreparedList(_)));
        assert!(matches!(reading(true, company, &list), Reading::ListOnCluster(_)));
    }

    #[test]
    fn only_lists_with_few_texts_are_prepared() {
        let field = FieldId::new(Uuid::from_u128(1));
        let value = Condition::Value { field, test: ValueTest::Exists(true) };
        for few in [sorted(&[SortKey::CreatedAt]), with(&[]), with(std::slice::from_ref(&value))] {
            assert!(is_prepared(&few), "{few:?}");
        }
        let search = Search::parse("smith").expect("a search");
        let text = TextTest::Equal(Folded::of("ann"));
        let text = Condition::Text { attribute: TextAttribute::FirstName, test: text };
        let many = [
            ListQuery { search, ..ListQuery::default() },
            with(&[text]),
            with(&[value.clone(), value]),
            sorted(&[SortKey::Email]),
            sorted(&[SortKey::Field(field)]),
            sorted(&[SortKey::CreatedAt, SortKey::Email]),
        ];
        for many in many {
            assert!(!is_prepared(&many), "{many:?}");
        }
    }
}
