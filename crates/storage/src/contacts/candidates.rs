//! Where SQLite looks for the matches of a list with conditions.
//!
//! SQLite knows nothing of the texts: without statistics it would read a company's contacts along some index although a
//! rare text is searched, and it uses no partial index for an OR. So the most selective part of a query is chosen here,
//! and SQLite reads the contacts that this part finds. The other conditions are then tested on each of them.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MIN_SUBSTRING, SearchTerm, TextTest,
};

use super::conditions::Conditions;
use super::ranges::{Range, index_by};
use super::value_conditions::WithValue;
use crate::statement::{Statement, joined, sql, statement};

/// Contacts among which all matches are.
pub(super) enum Candidates<'a> {
    /// Those of any company whose texts contain all trigrams of some texts, as a query of the index of trigrams. It has no
    /// positions, so some of them may not contain the texts.
    Containing(String),
    /// The company's in any of these ranges of indexes.
    InRanges(&'a [Range]),
    /// Those that have a certain value of a field.
    WithValue(&'a WithValue),
    /// The company's, by the index of the only tested column, or by the one that SQLite chooses for the conditions.
    Company,
}

impl<'a> Candidates<'a> {
    pub(super) fn of(query: &ListQuery, conditions: &'a Conditions) -> Self {
        let tests = query.conditions.iter().filter_map(|condition| match condition {
            Condition::Text { test, .. } => Some(test),
            Condition::Moment { .. } | Condition::Value { .. } => None,
        });
        // The index of the text finds few at once.
        if tests.clone().any(|test| matches!(test, TextTest::Equal(_))) {
            return Self::Company;
        }
        let filtered = tests.filter_map(|test| match test {
            TextTest::Contains(part) => Some(part),
            _ => None,
        });
        let searched = query.search.terms().iter().filter_map(|term| match term {
            SearchTerm::Within(part) => Some(part),
            SearchTerm::Beginning(_) => None,
        });
        let trigrams: BTreeSet<String> = searched.chain(filtered).flat_map(trigrams).collect();
        if !trigrams.is_empty() {
            return Self::Containing(all_of(&trigrams));
        }
        if let Some(value) = conditions.values().next() {
            return Self::WithValue(value);
        }
        let mut ranges = conditions.alternatives().iter().map(|it| it.ranges.as_slice());
        ranges.find(|ranges| ranges.len() > 1).map_or(Self::Company, Self::InRanges)
    }

    /// Whether no more of them are read than are counted.
    pub(super) const fn are_counted_soon(&self) -> bool {
        match self {
            Self::Containing(_) | Self::InRanges(_) => true,
            Self::WithValue(value) => value.is_range,
            Self::Company => false,
        }
    }

    /// Their rows of `contacts`, as they follow FROM.
    pub(super) fn rows(&self, conditions: &Conditions) -> Statement {
        match self.numbers(conditions, None) {
            Some(numbers) => sql!(
                "({}) AS candidates CROSS JOIN contacts ON contacts.rowid = candidates.number",
                numbers
            ),
            // Without a range SQLite would choose any index of the company, and read the row of every contact.
            None => match conditions.only_column() {
                Some(column) => sql!("contacts INDEXED BY {}", index_by(column)),
                None => statement("contacts"),
            },
        }
    }

    /// Selects the rowids as `number`: all, or at most so many of each range; `None` for all of the company.
    pub(super) fn numbers(&self, conditions: &Conditions, most: Option<u64>) -> Option<Statement> {
        let limit = most.map(|most| sql!(" LIMIT {}", most));
        match self {
            Self::Containing(trigrams) => {
                let select = sql!(
                    "SELECT rowid AS number FROM contacts_search WHERE contacts_search MATCH ?{}",
                    limit
                );
                Some(select.bind(trigrams.as_str()))
            }
            Self::InRanges(ranges) => {
                Some(joined(numbers_in(ranges, conditions, limit.as_ref()), " UNION "))
            }
            Self::WithValue(value) => {
                let numbers = sql!(
                    "SELECT contacts.rowid AS number FROM (SELECT contact_id FROM {}{}) AS found \
                     CROSS JOIN contacts ON contacts.id = found.contact_id",
                    &value.rows,
                    limit,
                );
                Some(numbers)
            }
            Self::Company => None,
        }
    }
}

/// Counts the contacts in any of these ranges. SQLite counts distinct numbers in less time than it unites sorted ones.
pub(super) fn number_in(ranges: &[Range], conditions: &Conditions) -> Statement {
    let numbers = joined(numbers_in(ranges, conditions, None), " UNION ALL ");
    sql!("SELECT count(DISTINCT number) AS total FROM ({})", numbers)
}

/// Selects the rowids of each range.
fn numbers_in(
    ranges: &[Range],
    conditions: &Conditions,
    limit: Option<&Statement>,
) -> impl Iterator<Item = Statement> {
    ranges.iter().map(move |range| {
        sql!(
            "SELECT number FROM (SELECT contacts.rowid AS number FROM contacts INDEXED BY {} WHERE {} AND {}{})",
            range.index(),
            conditions.scope(),
            &range.condition,
            limit,
        )
    })
}

/// The trigrams of a text, as the index has them; none of a shorter one. Also those that overlap: without them `comexample` would
/// find every address that has `com` and `example`, and each of these rows would be read.
fn trigrams(text: &Folded) -> Vec<String> {
    let characters: Vec<char> = text.as_str().chars().collect();
    characters.windows(MIN_SUBSTRING).map(|trigram| trigram.iter().collect()).collect()
}

/// The query for rows with all of these trigrams.
fn all_of(trigrams: &BTreeSet<String>) -> String {
    let quoted = trigrams.iter().map(|it| format!("\"{}\"", it.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(" AND ")
}
