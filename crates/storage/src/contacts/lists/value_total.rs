//! The number of matches of a list whose only condition is on the value of a field, by the counts that are kept of values.

use contact_hub_domain::contacts::{Condition, ListQuery, ValueTest};
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::key_range::key_range;
use super::kinds::Kinds;
use super::value_conditions::values_of;
use crate::connection::Connection;
use crate::counts::{InRange, KeyRange, contacts_in_range};
use crate::failure::Failure;
use crate::statement::Statement;

/// Up to this many matches are counted along the index of values, which takes less than a sum of the counts.
const FEW: u64 = 200;

/// The numbers that the kept counts give for a list.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// How many contacts match.
    pub(super) matches: u64,
    /// How many the company has.
    pub(super) of: u64,
}

/// What is counted of a field.
pub(super) struct ValueTotal {
    field: FieldId,
    range: KeyRange,
    /// Whether the contacts in the range are those that do not match.
    is_left_out: bool,
}

impl ValueTotal {
    /// `None` unless the only condition of the query is one that the counts can answer.
    pub(super) fn of(query: &ListQuery, kinds: &Kinds) -> Option<Self> {
        let [Condition::Value { field, test }] = &query.conditions[..] else { return None };
        if !query.search.terms().is_empty() {
            return None;
        }
        let range = key_range(*kinds.get(field)?, test)?;
        let is_left_out = matches!(test, ValueTest::Exists(false));
        Some(Self { field: *field, range, is_left_out })
    }

    /// Whether the only condition is that a field has no value.
    pub(super) const fn is_of_lacking(&self) -> bool {
        self.is_left_out
    }

    /// The number of matches. `entries` are those of the index of values, as they follow FROM.
    pub(super) fn count(
        &self,
        connection: &mut Connection,
        company: CompanyId,
        entries: Option<&Statement>,
        few: u64,
    ) -> Result<Counted, Failure> {
        let of_field = values_of(connection, company, self.field);
        let (entries, few) = (entries.unwrap_or(&of_field), few.min(FEW));
        let InRange { contacts: of, in_range } =
            contacts_in_range(connection, company, self.field, &self.range, entries, few)?;
        let matches = if self.is_left_out { of.saturating_sub(in_range) } else { in_range };
        Ok(Counted { matches, of })
    }
}
