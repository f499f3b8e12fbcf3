//! The number of matches of a list whose only condition is on the value of a field, by the counts that are kept of values.

use std::ops::Bound;

use contact_hub_domain::contacts::{Condition, ListQuery, ValueTest};
use contact_hub_domain::fields::FieldType;
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::conditions::Conditions;
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
        let of_field = values_of(company, self.field);
        let (entries, few) = (entries.unwrap_or(&of_field), few.min(FEW));
        let InRange { contacts: of, in_range } =
            contacts_in_range(connection, company, self.field, &self.range, entries, few)?;
        let matches = if self.is_left_out { of.saturating_sub(in_range) } else { in_range };
        Ok(Counted { matches, of })
    }
}

impl Conditions {
    /// The number of matches, if the only condition is on the values of a field and their counts answer it. Up to `few`
    /// matches are counted themselves.
    pub(super) fn kept_total(
        &self,
        connection: &mut Connection,
        few: u64,
    ) -> Result<Option<Counted>, Failure> {
        let Some(total) = self.value_total() else { return Ok(None) };
        let entries = self.values().next().map(|value| &value.rows);
        total.count(connection, self.company(), entries, few).map(Some)
    }

    /// Whether the only condition is that a field has no value.
    pub(super) fn lack_a_value(&self) -> bool {
        self.value_total().is_some_and(ValueTotal::is_of_lacking)
    }
}

/// The sort keys of the values that pass a test, or that are there. Their counts are kept by [`sort_key`], which for a
/// text continues after the folded form: with a zero byte, which no text has, and the text.
///
/// [`sort_key`]: contact_hub_domain::fields::FieldValue::sort_key
pub(super) fn key_range(kind: FieldType, test: &ValueTest) -> Option<KeyRange> {
    let edge = |key: &[u8], is_behind: bool| {
        let mut edge = key.to_vec();
        match kind {
            FieldType::String => edge.push(u8::from(is_behind)),
            _ if is_behind => edge.push(0),
            _ => {}
        }
        edge
    };
    match test {
        ValueTest::Exists(_) => Some(KeyRange::all()),
        ValueTest::Contains(_) => None,
        ValueTest::Within(from, to) => {
            let from = match from {
                Bound::Included(key) => edge(key, false),
                Bound::Excluded(key) => edge(key, true),
                Bound::Unbounded => Vec::new(),
            };
            let to = match to {
                Bound::Included(key) => Some(edge(key, true)),
                Bound::Excluded(key) => Some(edge(key, false)),
                Bound::Unbounded => None,
            };
            KeyRange::new(from, to)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds as _;

    use contact_hub_domain::fields::FieldValue;

    use super::*;

    /// Texts, some of which sort after others or begin with them.
    const TEXTS: [&str; 9] = ["", "\u{1}", "\u{1}a", "a", "a\u{1}", "ab", "Ab", "b", "ß"];

    #[test]
    fn the_stored_key_of_a_text_is_in_the_range_if_the_text_matches() {
        let bounds = TEXTS.iter().flat_map(|text| {
            let key = FieldValue::String((*text).into()).list_key();
            [Bound::Included(key.clone()), Bound::Excluded(key)]
        });
        let bounds: Vec<_> = bounds.chain([Bound::Unbounded]).collect();
        for from in &bounds {
            for to in &bounds {
                let test = ValueTest::Within(from.clone(), to.clone());
                let range = key_range(FieldType::String, &test).expect("a range");
                for text in TEXTS {
                    let value = FieldValue::String(text.into());
                    let passes = (from.clone(), to.clone()).contains(&value.list_key());
                    assert_eq!(range.has(&value.sort_key()), passes, "{text:?} {test:?}");
                }
            }
        }
    }

    #[test]
    fn a_truncated_key_has_no_range() {
        let within = |length: usize| {
            ValueTest::Within(Bound::Included(vec![b'a'; length]), Bound::Unbounded)
        };
        assert!(key_range(FieldType::String, &within(511)).is_some());
        assert!(key_range(FieldType::String, &within(512)).is_none());
        assert!(key_range(FieldType::Number, &within(512)).is_some());
        assert!(key_range(FieldType::Number, &within(513)).is_none());
    }
}
