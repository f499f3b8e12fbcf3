//! Conditions that are ranges of several indexes, such as two short search terms, on PostgreSQL.
//!
//! No index has all tested texts, so a contact that one condition finds would be read to test the others. The ids in the
//! ranges of each condition are joined instead, and no contact is read.

use super::conditions::{Alternatives, Conditions};
use crate::statement::{Statement, joined, sql};

impl Conditions {
    /// Whether each condition is one of some ranges of indexes, and one has several.
    pub(super) fn are_ranges(&self) -> bool {
        let alternatives = self.alternatives();
        let has_several = alternatives.iter().any(|it| it.ranges.len() > 1);
        has_several && alternatives.len() > 1 && alternatives.len() == self.number()
    }

    /// The ids of all matches, if they are known from these ranges.
    pub(super) fn intersected_ranges(&self) -> Option<Statement> {
        let (first, others) = self.alternatives().split_first().filter(|_| self.are_ranges())?;
        let tests = others.iter().map(|it| {
            sql!(
                "EXISTS (SELECT FROM ({}) AS ranged WHERE ranged.id = contacts.id)",
                self.ids_in(it)
            )
        });
        // A contact may be in several ranges of the first condition.
        Some(sql!(
            "SELECT DISTINCT id FROM ({}) AS contacts WHERE {}",
            self.ids_in(first),
            joined(tests, " AND "),
        ))
    }

    fn ids_in(&self, alternatives: &Alternatives) -> Statement {
        let each = alternatives.ranges.iter().map(|range| {
            sql!(
                "(SELECT id FROM contacts WHERE {} AND {} ORDER BY {} OFFSET 0)",
                self.scope(),
                &range.condition,
                range.column,
            )
        });
        joined(each, " UNION ALL ")
    }
}
