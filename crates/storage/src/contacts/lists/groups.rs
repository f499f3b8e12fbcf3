//! The contacts that have a value of the field by which they are sorted, in an order of further keys.
//!
//! The index of values has only the first key, so those with one value have to be sorted. If they are many, they are listed in
//! the order of the further keys instead: as a list that has one more condition and one key less.

use std::mem::swap;
use std::ops::Bound;

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Nullable};

use contact_hub_domain::contacts::{Condition, KeyValue, ListQuery, Place, Sorts, ValueTest};

use super::behind::beyond;
use super::by_value::{ByValue, Keys};
use super::conditions::Conditions;
use super::gather::{CountedRow, left_of};
use super::merged_ranges::with_merged_ranges;
use super::search::Search;
use super::walk::bound;
use super::ways::{Ways, allow};
use super::window::Window;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::along;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// What follows in the order of the values.
enum Next {
    Nothing,
    /// So many contacts with this value that they are not sorted.
    Many(Vec<u8>),
    /// Contacts with several values, up to a key that is not among them.
    Few(Keys),
}

/// The first of a number of values, and the last, if there are so many.
#[derive(QueryableByName)]
struct Ends {
    #[diesel(sql_type = Nullable<Binary>)]
    first_key: Option<Vec<u8>>,
    #[diesel(sql_type = Nullable<Binary>)]
    last_key: Option<Vec<u8>>,
}

/// The value of a contact.
#[derive(QueryableByName)]
struct Valued {
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
    #[diesel(sql_type = Id)]
    id: IdValue,
}

impl ByValue<'_> {
    /// Those of a search that have a value, and how many were found; fewer contacts if their values reach this many bytes.
    pub(super) fn in_groups(
        &self,
        connection: &mut Connection,
        search: &Search<'_>,
        bytes: u32,
    ) -> Result<(Vec<CountedRow>, u64), Failure> {
        let limit = search.window.limit;
        let (mut rows, mut found) = (Vec::new(), 0);
        let Some((mut keys, mut offset)) = self.begin(connection, search)? else {
            return Ok((rows, found));
        };
        let (mut after, mut most) = (search.place, search.limits.walk.max(limit));
        loop {
            let window = Window { from_the_end: self.turned, limit: limit - found, offset };
            let bytes = left_of(bytes, &rows);
            let next = self.next(connection, &keys, most)?;
            let (mut further, number) = match &next {
                Next::Nothing => return Ok((rows, found)),
                Next::Many(key) => {
                    self.with_one(connection, search, (key, after), window, bytes)?
                }
                Next::Few(keys) => {
                    let page = self.with_value(connection, keys, &window, after);
                    let further = search.rows(connection, page, bytes)?;
                    let number = further.first().map_or(0, CountedRow::total);
                    (further, number)
                }
            };
            found += number;
            if self.turned {
                swap(&mut rows, &mut further);
            }
            rows.extend(further);
            let is_cut = u64::try_from(rows.len()).is_ok_and(|had| had < found);
            keys = match next {
                _ if is_cut || found == limit => return Ok((rows, found)),
                Next::Many(key) => Keys { from: Some((key, true)), before: None },
                Next::Few(Keys { before: Some(key), .. }) => {
                    Keys { from: Some((key, false)), before: None }
                }
                _ => return Ok((rows, found)),
            };
            (after, offset, most) = (None, 0, most.saturating_mul(2));
        }
    }

    /// Where a search begins, and how many matches before it have the same value; `None` if fewer have a value.
    fn begin(
        &self,
        connection: &mut Connection,
        search: &Search<'_>,
    ) -> Result<Option<(Keys, u64)>, Failure> {
        if let Some(KeyValue::Value(Some(key))) = search.place.and_then(|it| it.keys.first()) {
            return Ok(Some((Keys { from: Some((key.clone(), false)), before: None }, 0)));
        }
        if search.window.offset == 0 {
            return Ok(Some((Keys::default(), 0)));
        }
        let direction = self.direction();
        let first = sql!(
            "SELECT walked.sort_key, walked.contact_id AS id FROM {} ORDER BY walked.sort_key {}, walked.contact_id {} LIMIT 1 OFFSET ?",
            self.values_of_matches(connection),
            direction,
            direction,
        );
        let first = first.bind(bound(search.window.offset)).uncached();
        let Some(Valued { sort_key, id }) = connection.first(first)? else { return Ok(None) };
        let before = sql!(
            "SELECT count(*) AS total FROM {} AND walked.sort_key = ? AND walked.contact_id {} ?",
            self.values_of_matches(connection),
            beyond(!self.descends()),
        );
        let before = before.bind(sort_key.as_slice()).bind(id).uncached();
        let before = u64::try_from(total(connection, before)?).unwrap_or_default();
        Ok(Some((Keys { from: Some((sort_key, false)), before: None }, before)))
    }

    /// What follows from a key on: the values that are complete among this many.
    fn next(&self, connection: &mut Connection, keys: &Keys, most: u64) -> Result<Next, Failure> {
        let at = |offset: u64| self.value_at(connection, keys, offset);
        let ends = sql!("SELECT ({}) AS first_key, ({}) AS last_key", at(0), at(most - 1));
        let ends: Option<Ends> = connection.first(ends.uncached())?;
        Ok(match ends {
            None | Some(Ends { first_key: None, .. }) => Next::Nothing,
            Some(Ends { first_key: Some(first), last_key })
                if last_key.as_ref() == Some(&first) =>
            {
                Next::Many(first)
            }
            Some(Ends { last_key, .. }) => {
                Next::Few(Keys { from: keys.from.clone(), before: last_key })
            }
        })
    }

    fn value_at(&self, connection: &Connection, keys: &Keys, offset: u64) -> Statement {
        let direction = self.direction();
        let value = sql!(
            "SELECT walked.sort_key FROM indexed_values AS walked{} WHERE {}{} \
             ORDER BY walked.sort_key {}, walked.contact_id {} LIMIT 1 OFFSET ?",
            along(connection, "indexed_values_by_key"),
            self.walked_values(connection),
            self.within(keys),
            direction,
            direction,
        );
        value.bind(bound(offset))
    }

    /// Those that have one value, in the order of the further keys, after a place if it has this value.
    fn with_one(
        &self,
        connection: &mut Connection,
        search: &Search<'_>,
        (key, after): (&[u8], Option<&Place>),
        window: Window,
        bytes: u32,
    ) -> Result<(Vec<CountedRow>, u64), Failure> {
        let Some(query) = self.query_of(key) else { return Ok((Vec::new(), 0)) };
        let has_value =
            |it: &&Place| matches!(it.keys.first(), Some(KeyValue::Value(Some(had))) if had == key);
        let place = after
            .filter(has_value)
            .map(|it| Place { keys: it.keys.iter().skip(1).cloned().collect(), id: it.id });
        let kinds = self.conditions.kinds();
        let mut conditions = Conditions::of(connection, search.company, &query, kinds);
        conditions.find_substrings(connection)?;
        let search = Search {
            query: &query,
            conditions: &conditions,
            place: place.as_ref(),
            window,
            ..*search
        };
        let found = search.part(connection, bytes)?;
        allow(connection, Ways::Indexes)?;
        Ok(found)
    }

    /// The list of the contacts with one value, by the further keys.
    fn query_of(&self, key: &[u8]) -> Option<ListQuery> {
        let at = || Bound::Included(key.to_vec());
        let value = Condition::Value { field: self.field, test: ValueTest::Within(at(), at()) };
        let sorts = self.query.sorts.keys().iter().skip(1).copied().collect();
        let sorts = Sorts::new(sorts)?;
        let conditions = self.query.conditions.iter().cloned().chain([value]).collect();
        Some(with_merged_ranges(ListQuery { sorts, conditions, ..self.query.clone() }))
    }
}
