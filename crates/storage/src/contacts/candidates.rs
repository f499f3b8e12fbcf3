//! Where SQLite looks for the matches of a list with conditions.
//!
//! SQLite knows nothing of the texts: without statistics it would read a company's contacts along some index although a
//! rare text is searched, and it uses no partial index for an OR. So the most selective part of a query is chosen here,
//! and SQLite reads the contacts that this part finds. All conditions are then tested on each of them.

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MIN_SUBSTRING, SearchTerm, TextTest,
};
use contact_hub_domain::ids::CompanyId;

use super::conditions::{Conditions, begins_with};
use crate::connection::Connection;
use crate::statement::{Statement, joined, sql, statement};

/// The texts that a search compares, each with its index.
const SEARCHED: [(&str, &str); 3] = [
    ("contacts.email_folded", "contacts_by_email"),
    ("contacts.first_name_folded", "contacts_by_first_name"),
    ("contacts.last_name_folded", "contacts_by_last_name"),
];

/// Contacts among which all matches are.
pub(super) enum Candidates {
    /// Those of any company whose texts contain all of some texts, as a query of the index of trigrams.
    Containing(String),
    /// The company's with a text that begins like this.
    Beginning(Folded),
    /// The company's, by the index that SQLite chooses for the conditions.
    Company,
}

impl Candidates {
    pub(super) fn of(query: &ListQuery) -> Self {
        let tests = query.conditions.iter().filter_map(|condition| match condition {
            Condition::Text { test, .. } => Some(test),
            Condition::Moment { .. } => None,
        });
        // The indexes of the three texts serve it at once.
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
        let phrases: Vec<String> = searched.chain(filtered).filter_map(phrase).collect();
        if !phrases.is_empty() {
            return Self::Containing(phrases.join(" AND "));
        }
        let beginning = query.search.terms().iter().find_map(|term| match term {
            SearchTerm::Beginning(prefix) => Some(prefix.clone()),
            SearchTerm::Within(_) => None,
        });
        beginning.map_or(Self::Company, Self::Beginning)
    }

    /// Their rows of `contacts`, as they follow FROM: all, or at most so many that each index finds.
    pub(super) fn rows(
        &self,
        connection: &Connection,
        company: CompanyId,
        most: Option<u64>,
    ) -> Statement {
        match self.numbers(connection, company, most) {
            Some(numbers) => sql!(
                "({}) AS candidates CROSS JOIN contacts ON contacts.rowid = candidates.number",
                numbers
            ),
            None => statement("contacts"),
        }
    }

    /// Selects the rowids as `number`; `None` for all of the company.
    pub(super) fn numbers(
        &self,
        connection: &Connection,
        company: CompanyId,
        most: Option<u64>,
    ) -> Option<Statement> {
        let limit = most.map(|most| sql!(" LIMIT {}", most));
        match self {
            Self::Containing(phrases) => {
                let select = sql!(
                    "SELECT rowid AS number FROM contacts_search WHERE contacts_search MATCH ?{}",
                    limit
                );
                Some(select.bind(phrases.as_str()))
            }
            Self::Beginning(prefix) => {
                let of_company = Conditions::of_company(connection, company);
                let each = SEARCHED.map(|(column, index)| {
                    sql!(
                        "SELECT number FROM (SELECT contacts.rowid AS number FROM contacts INDEXED BY {} \
                         WHERE {} AND {}{})",
                        index,
                        of_company.all(),
                        begins_with(column, prefix),
                        limit.as_ref(),
                    )
                });
                Some(joined(each, " UNION "))
            }
            Self::Company => None,
        }
    }
}

/// A text as a phrase of the index of trigrams; `None` if it is too short for one.
fn phrase(part: &Folded) -> Option<String> {
    let is_long = part.as_str().chars().count() >= MIN_SUBSTRING;
    is_long.then(|| format!("\"{}\"", part.as_str().replace('"', "\"\"")))
}
