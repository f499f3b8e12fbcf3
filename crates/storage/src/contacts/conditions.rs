//! The conditions of a list.

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MomentAttribute, MomentTest, SearchTerm, TextAttribute, TextTest,
};
use contact_hub_domain::ids::CompanyId;

use super::unlist::is_active;
use crate::connection::Connection;
use crate::statement::{Statement, joined, sql, statement};

/// The conditions that a contact must meet: it is the company's, active, and matches the query.
pub(super) struct Conditions {
    all: Statement,
    is_empty: bool,
}

impl Conditions {
    /// The contact is the company's and active.
    pub(super) fn of_company(connection: &Connection, company: CompanyId) -> Self {
        let company_alone = statement("contacts.company_id = ?").bind(company);
        let all = sql!("{} AND {}", company_alone, is_active(connection, company));
        Self { all, is_empty: true }
    }

    /// It also matches the query.
    pub(super) fn of(connection: &Connection, company: CompanyId, query: &ListQuery) -> Self {
        let mut conditions = Self::of_found(connection, company, query);
        for term in query.search.terms() {
            if let SearchTerm::Within(part) = term {
                conditions.and(occurs_in_search_text(connection, part.as_str()));
            }
        }
        conditions
    }

    /// As [`Self::of`], for a contact that is known to contain the substrings of the search.
    pub(super) fn of_found(connection: &Connection, company: CompanyId, query: &ListQuery) -> Self {
        let mut conditions = Self::of_company(connection, company);
        for term in query.search.terms() {
            if let SearchTerm::Beginning(prefix) = term {
                conditions.and(any_begins_with(prefix));
            }
        }
        for condition in &query.conditions {
            match condition {
                Condition::Text { attribute, test } => {
                    conditions.and(text_test(text_column(*attribute), test));
                    // The index of trigrams has the three texts together.
                    if let (Connection::Postgres(_), TextTest::Contains(part)) = (connection, test)
                    {
                        conditions.and(occurs_in_search_text(connection, part.as_str()));
                    }
                }
                Condition::Moment { attribute, test } => {
                    conditions.and(moment_test(moment_column(*attribute), *test));
                }
            }
        }
        conditions
    }

    /// Whether every active contact of the company matches.
    pub(super) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// All of them, for WHERE.
    pub(super) const fn all(&self) -> &Statement {
        &self.all
    }

    fn and(&mut self, condition: Statement) {
        self.all.push(" AND ");
        self.all.push(condition);
        self.is_empty = false;
    }
}

fn text_test(column: &'static str, comparison: &TextTest) -> Statement {
    match comparison {
        TextTest::Equal(text) => sql!("{} = ?", column).bind(text.as_str()),
        TextTest::NotEqual(text) => sql!("{} <> ?", column).bind(text.as_str()),
        TextTest::Greater(text) => sql!("{} > ?", column).bind(text.as_str()),
        TextTest::Less(text) => sql!("{} < ?", column).bind(text.as_str()),
        TextTest::Between(lower, upper) => {
            sql!("{} BETWEEN ? AND ?", column).bind(lower.as_str()).bind(upper.as_str())
        }
        TextTest::StartsWith(text) => begins_with(column, text),
        TextTest::Contains(text) => like(column, "LIKE", text),
        TextTest::NotContains(text) => like(column, "NOT LIKE", text),
    }
}

fn moment_test(column: &'static str, test: MomentTest) -> Statement {
    match test {
        MomentTest::After(moment) => sql!("{} > ?", column).bind(moment),
        MomentTest::Before(moment) => sql!("{} < ?", column).bind(moment),
        MomentTest::Between(first, last) => {
            sql!("{} BETWEEN ? AND ?", column).bind(first).bind(last)
        }
    }
}

fn like(column: &'static str, operator: &'static str, part: &Folded) -> Statement {
    sql!("{} {} ? ESCAPE '\\'", column, operator).bind(containing(part.as_str()))
}

/// Compares with ranges, which the indexes of the three texts can serve.
fn any_begins_with(prefix: &Folded) -> Statement {
    let searched = [TextAttribute::Email, TextAttribute::FirstName, TextAttribute::LastName];
    let each = searched.map(|attribute| begins_with(text_column(attribute), prefix));
    sql!("({})", joined(each, " OR "))
}

const fn text_column(attribute: TextAttribute) -> &'static str {
    match attribute {
        TextAttribute::Email => "contacts.email_folded",
        TextAttribute::FirstName => "contacts.first_name_folded",
        TextAttribute::LastName => "contacts.last_name_folded",
    }
}

const fn moment_column(attribute: MomentAttribute) -> &'static str {
    match attribute {
        MomentAttribute::CreatedAt => "contacts.created_at",
        MomentAttribute::UpdatedAt => "contacts.updated_at",
    }
}

/// The condition that a column begins with a text, as a range.
pub(super) fn begins_with(column: &'static str, prefix: &Folded) -> Statement {
    match after_prefix(prefix.as_str()) {
        Some(after) => sql!("({column} >= ? AND {column} < ?)", column = column)
            .bind(prefix.as_str())
            .bind(after),
        None => sql!("{} >= ?", column).bind(prefix.as_str()),
    }
}

/// The condition that a folded text occurs in one of the three searched texts.
fn occurs_in_search_text(connection: &Connection, part: &str) -> Statement {
    match connection {
        // Texts of three characters or more use an index of trigrams.
        Connection::Postgres(_) => {
            statement("contacts.search_text LIKE ? ESCAPE '\\'").bind(containing(part))
        }
        // For SQLite the index of trigrams is a table of its own; see `candidates`.
        Connection::Sqlite(_) => statement("instr(contacts.search_text, ?) > 0").bind(part),
    }
}

/// The LIKE pattern for texts that contain `part`.
fn containing(part: &str) -> String {
    let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// The smallest text that sorts after all texts beginning with `prefix`; `None` when there is none. Both databases
/// can use an index for a range, but not for a pattern.
fn after_prefix(prefix: &str) -> Option<String> {
    let mut characters: Vec<char> = prefix.chars().collect();
    while let Some(last) = characters.pop() {
        // Stepping through a range of characters skips the surrogates.
        if let Some(next) = (last..=char::MAX).nth(1) {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::after_prefix;

    #[test]
    fn the_end_of_a_prefix_is_the_next_text() {
        assert_eq!(after_prefix("ann").as_deref(), Some("ano"));
        assert_eq!(after_prefix("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(after_prefix("\u{d7ff}").as_deref(), Some("\u{e000}"));
        assert_eq!(after_prefix("\u{10ffff}"), None);
    }
}
