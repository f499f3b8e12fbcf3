//! Tests of the columns of contacts.

use contact_hub_domain::contacts::{Folded, MomentAttribute, MomentTest, TextAttribute, TextTest};

use crate::connection::Connection;
use crate::dialect::{contains, contains_not};
use crate::statement::{Statement, sql, statement};

pub(super) fn text_test(column: &'static str, comparison: &TextTest) -> Statement {
    match comparison {
        TextTest::Equal(text) => sql!("{} = ?", column).bind(text.as_str()),
        TextTest::NotEqual(text) => sql!("{} <> ?", column).bind(text.as_str()),
        TextTest::Greater(text) => sql!("{} > ?", column).bind(text.as_str()),
        TextTest::Less(text) => sql!("{} < ?", column).bind(text.as_str()),
        TextTest::Between(lower, upper) => {
            sql!("{} BETWEEN ? AND ?", column).bind(lower.as_str()).bind(upper.as_str())
        }
        TextTest::StartsWith(text) => begins_with(column, text),
        TextTest::Contains(text) => contains(column, text.as_str()),
        TextTest::NotContains(text) => contains_not(column, text.as_str()),
    }
}

pub(super) fn moment_test(column: &'static str, test: MomentTest) -> Statement {
    match test {
        MomentTest::After(moment) => sql!("{} > ?", column).bind(moment),
        MomentTest::Before(moment) => sql!("{} < ?", column).bind(moment),
        MomentTest::Between(first, last) => {
            sql!("{} BETWEEN ? AND ?", column).bind(first).bind(last)
        }
    }
}

pub(super) const fn text_column(attribute: TextAttribute) -> &'static str {
    match attribute {
        TextAttribute::Email => "email_folded",
        TextAttribute::FirstName => "first_name_folded",
        TextAttribute::LastName => "last_name_folded",
    }
}

pub(super) const fn moment_column(attribute: MomentAttribute) -> &'static str {
    match attribute {
        MomentAttribute::CreatedAt => "created_at",
        MomentAttribute::UpdatedAt => "updated_at",
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

/// The condition that a folded text of three characters or more occurs in one of the three searched texts.
pub(super) fn occurs_in_search_text(connection: &Connection, part: &str) -> Statement {
    match connection {
        // By an index of trigrams.
        Connection::Postgres(_) => contains("search_text", part),
        // For SQLite the index of trigrams is a separate table (see `candidates`), and another table has the three texts.
        Connection::Sqlite(_) => statement(
            "(instr(email_folded, ?) > 0 OR instr(first_name_folded, ?) > 0 \
             OR instr(last_name_folded, ?) > 0)",
        )
        .bind(part)
        .bind(part)
        .bind(part),
    }
}

/// The smallest text that sorts after all texts beginning with `prefix`; `None` when there is none. Both databases
/// can use an index for a range, but not for a pattern.
pub(super) fn after_prefix(prefix: &str) -> Option<String> {
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
