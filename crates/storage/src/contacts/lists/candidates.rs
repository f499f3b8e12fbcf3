//! Where SQLite looks for the matches of a list with conditions.
//!
//! SQLite does not know how common a text is: without statistics it would read a company's contacts along some index
//! although a rare text is searched, and it uses no partial index for an OR. So the most selective part of a query is
//! chosen here, and SQLite reads the contacts that this part finds. The other conditions are then tested on each of
//! them.

use std::collections::BTreeSet;

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MIN_SUBSTRING, SearchTerm, TextTest,
};

use super::conditions::Conditions;
use super::ranges::Range;
use super::value_conditions::WithValue;
use crate::statement::{Statement, joined, sql, statement};

/// Contacts among which all matches are.
#[derive(Clone)]
pub(super) enum Candidates<'a> {
    /// Those of any company whose texts contain all trigrams of some texts, as a query of the index of trigrams. It has no
    /// positions, so some of them may not contain the texts.
    Containing(String),
    /// The company's in any of these ranges of indexes.
    InRanges(&'a [Range]),
    /// Those that have a certain value of a field.
    WithValue(&'a WithValue),
    /// The company's, by an index that has what is tested, or by the one that SQLite chooses for the conditions.
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

    /// Their rows of `contacts`, as they follow FROM.
    pub(super) fn rows(&self, conditions: &Conditions) -> Statement {
        match self.numbers(conditions) {
            Some(numbers) => sql!(
                "({}) AS candidates CROSS JOIN contacts ON contacts.rowid = candidates.number",
                numbers
            ),
            // Without a range SQLite would choose any index of the company, and read the row of every contact.
            None => match conditions.index_of_tested() {
                Some(index) => sql!("contacts INDEXED BY {}", index),
                None => statement("contacts"),
            },
        }
    }

    /// Counts them up to one more than `most`, as the column `total`, if that reads no further ones; those in several
    /// ranges may be counted more than once.
    pub(super) fn counted(&self, conditions: &Conditions, most: u64) -> Option<Statement> {
        let most = most.saturating_add(1);
        let bounded = |from: Statement| sql!("SELECT 1 FROM {} LIMIT {}", from, most);
        let each: Vec<Statement> = match self {
            Self::Containing(trigrams) => vec![bounded(containing(trigrams))],
            Self::InRanges(ranges) => {
                ranges.iter().map(|range| bounded(in_range(range, conditions))).collect()
            }
            Self::WithValue(value) if value.is_range => vec![bounded(value.rows.clone())],
            Self::WithValue(_) | Self::Company => return None,
        };
        let each = each.into_iter().map(|it| sql!("SELECT * FROM ({})", it));
        Some(sql!("SELECT count(*) AS total FROM ({})", joined(each, " UNION ALL ")))
    }

    /// Selects the rowids as `number`; `None` for all of the company.
    fn numbers(&self, conditions: &Conditions) -> Option<Statement> {
        match self {
            Self::Containing(trigrams) => {
                Some(sql!("SELECT rowid AS number FROM {}", containing(trigrams)))
            }
            Self::InRanges(ranges) => Some(joined(numbers_in(ranges, conditions), " UNION ")),
            Self::WithValue(value) => {
                let numbers = sql!(
                    "SELECT contacts.rowid AS number FROM (SELECT contact_id FROM {}) AS found \
                     CROSS JOIN contacts ON contacts.id = found.contact_id",
                    &value.rows,
                );
                Some(numbers)
            }
            Self::Company => None,
        }
    }
}

/// Counts the contacts in any of these ranges. SQLite counts distinct numbers in less time than it unites sorted ones.
pub(super) fn number_in(ranges: &[Range], conditions: &Conditions) -> Statement {
    let numbers = joined(numbers_in(ranges, conditions), " UNION ALL ");
    sql!("SELECT count(DISTINCT number) AS total FROM ({})", numbers)
}

/// Selects the rowids of each range.
fn numbers_in(ranges: &[Range], conditions: &Conditions) -> impl Iterator<Item = Statement> {
    ranges.iter().map(move |range| {
        sql!("SELECT contacts.rowid AS number FROM {}", in_range(range, conditions))
    })
}

/// The company's contacts in a range, as they follow FROM.
fn in_range(range: &Range, conditions: &Conditions) -> Statement {
    sql!(
        "contacts INDEXED BY {} WHERE {} AND {}",
        range.index(),
        conditions.scope(),
        &range.condition,
    )
}

/// What the index of trigrams finds, as it follows FROM.
fn containing(trigrams: &str) -> Statement {
    statement("contacts_search WHERE contacts_search MATCH ?").bind(trigrams)
}

/// The trigrams of a text, as the index has them; none of a shorter one. Also those that overlap: without them
/// `comexample` would find every address that has `com` and `example`, and each of these rows would be read.
fn trigrams(text: &Folded) -> Vec<String> {
    let characters: Vec<char> = text.as_str().chars().collect();
    characters.windows(MIN_SUBSTRING).map(|trigram| trigram.iter().collect()).collect()
}

/// The query for rows with all of these trigrams.
fn all_of(trigrams: &BTreeSet<String>) -> String {
    let quoted = trigrams.iter().map(|it| format!("\"{}\"", it.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(" AND ")
}
