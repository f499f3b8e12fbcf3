//! The conditions of a list as SQL text with bound values.

use std::fmt::Write;

use contact_hub_domain::contacts::{
    Condition, Folded, ListQuery, MomentAttribute, MomentTest, SearchTerm, TextAttribute, TextTest,
};
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::statement::{Bind, Statement};

/// The conditions that a contact must meet: it is the company's, active, and matches the query.
pub(super) struct Conditions {
    text: String,
    binds: Vec<Value>,
}

enum Value {
    Text(String),
    Moment(Timestamp),
}

impl From<&Value> for Bind {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => text.as_str().into(),
            Value::Moment(moment) => (*moment).into(),
        }
    }
}

impl Conditions {
    pub(super) fn of(connection: &Connection, query: &ListQuery) -> Self {
        let mut conditions = Self {
            text: "contacts.company_id = ? AND contacts.deleted_at IS NULL".to_owned(),
            binds: Vec::new(),
        };
        let mut substrings = Vec::new();
        for term in query.search.terms() {
            match term {
                SearchTerm::Within(part) => substrings.push(part),
                SearchTerm::Beginning(prefix) => conditions.any_begins_with(prefix),
            }
        }
        for condition in &query.conditions {
            match condition {
                Condition::Text { attribute, test } => {
                    conditions.compare_text(text_column(*attribute), test);
                    if let TextTest::Contains(part) = test {
                        substrings.push(part);
                    }
                }
                Condition::Moment { attribute, test } => {
                    conditions.moment_test(moment_column(*attribute), *test);
                }
            }
        }
        for part in substrings {
            let (text, value) = occurs_in_search_text(connection, part.as_str());
            conditions.and(&text, [Value::Text(value)]);
        }
        conditions
    }

    /// Whether every active contact of the company matches.
    pub(super) fn is_empty(&self) -> bool {
        self.binds.is_empty()
    }

    /// The text. Its first `?` is the company.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Binds every `?` after the company's.
    pub(super) fn bind(&self, statement: Statement) -> Statement {
        self.binds.iter().fold(statement, Statement::bind)
    }

    fn and(&mut self, text: &str, values: impl IntoIterator<Item = Value>) {
        // Writing to a string does not fail.
        write!(self.text, " AND {text}").ok();
        self.binds.extend(values);
    }

    fn compare_text(&mut self, column: &str, comparison: &TextTest) {
        let value = |text: &Folded| Value::Text(text.as_str().to_owned());
        match comparison {
            TextTest::Equal(text) => self.and(&format!("{column} = ?"), [value(text)]),
            TextTest::NotEqual(text) => self.and(&format!("{column} <> ?"), [value(text)]),
            TextTest::Greater(text) => self.and(&format!("{column} > ?"), [value(text)]),
            TextTest::Less(text) => self.and(&format!("{column} < ?"), [value(text)]),
            TextTest::Between(lower, upper) => {
                self.and(&format!("{column} BETWEEN ? AND ?"), [value(lower), value(upper)]);
            }
            TextTest::StartsWith(text) => {
                let (text, values) = begins_with(column, text);
                self.and(&text, values);
            }
            TextTest::Contains(text) => self.like(column, "LIKE", text),
            TextTest::NotContains(text) => self.like(column, "NOT LIKE", text),
        }
    }

    /// Compares with ranges, which the indexes of the three texts can serve.
    fn any_begins_with(&mut self, prefix: &Folded) {
        let searched = [TextAttribute::Email, TextAttribute::FirstName, TextAttribute::LastName];
        let each = searched.map(|attribute| begins_with(text_column(attribute), prefix));
        let (texts, values): (Vec<String>, Vec<Vec<Value>>) = each.into_iter().unzip();
        self.and(&format!("({})", texts.join(" OR ")), values.into_iter().flatten());
    }

    fn like(&mut self, column: &str, operator: &str, part: &Folded) {
        let text = format!("{column} {operator} ? ESCAPE '\\'");
        self.and(&text, [Value::Text(containing(part.as_str()))]);
    }

    fn moment_test(&mut self, column: &str, test: MomentTest) {
        match test {
            MomentTest::After(moment) => {
                self.and(&format!("{column} > ?"), [Value::Moment(moment)]);
            }
            MomentTest::Before(moment) => {
                self.and(&format!("{column} < ?"), [Value::Moment(moment)]);
            }
            MomentTest::Between(first, last) => {
                let values = [Value::Moment(first), Value::Moment(last)];
                self.and(&format!("{column} BETWEEN ? AND ?"), values);
            }
        }
    }
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

/// The condition that a column begins with a text, as a range, with its values.
fn begins_with(column: &str, prefix: &Folded) -> (String, Vec<Value>) {
    let first = Value::Text(prefix.as_str().to_owned());
    match after_prefix(prefix.as_str()) {
        Some(after) => {
            (format!("({column} >= ? AND {column} < ?)"), vec![first, Value::Text(after)])
        }
        None => (format!("{column} >= ?"), vec![first]),
    }
}

/// The condition that a folded text occurs in one of the three searched texts, with its value. Texts of three
/// characters or more use an index of trigrams; for a shorter one SQLite scans every row.
fn occurs_in_search_text(connection: &Connection, part: &str) -> (String, String) {
    let (condition, value) = match connection {
        Connection::Postgres(_) => ("contacts.search_text LIKE ? ESCAPE '\\'", containing(part)),
        Connection::Sqlite(_) if part.chars().nth(2).is_none() => {
            ("instr(contacts.search_text, ?) > 0", part.to_owned())
        }
        Connection::Sqlite(_) => (
            "contacts.rowid IN (SELECT rowid FROM contacts_search WHERE contacts_search MATCH ?)",
            format!("\"{}\"", part.replace('"', "\"\"")),
        ),
    };
    (condition.to_owned(), value)
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
