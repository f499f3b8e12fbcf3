//! The query of a list of contacts.

use super::{Condition, Search, SortKey, Sorts};
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
    /// Whether the contacts may come without the values of their fields, which an adapter then need not read.
    pub omits_values: bool,
}

impl ListQuery {
    /// The same for a caller that needs no values of fields. In an order by a field they are needed for the
    /// [`Place`](super::Place) of a contact.
    #[must_use]
    pub fn without_values(self) -> Self {
        let is_by_field = |key: SortKey| matches!(key, SortKey::Field(_));
        let omits_values = !self.sorts.keys().iter().any(|sort| is_by_field(sort.key));
        Self { omits_values, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::contacts::Sort;
    use crate::ids::FieldId;

    #[test]
    fn sorting_by_a_field_keeps_the_values() {
        let by = |key| {
            let sorts = Sorts::new(vec![Sort { key, descending: false }]).expect("one key");
            ListQuery { sorts, ..ListQuery::default() }.without_values()
        };
        assert!(by(SortKey::Email).omits_values);
        assert!(!by(SortKey::Field(FieldId::new(Uuid::nil()))).omits_values);
    }
}
