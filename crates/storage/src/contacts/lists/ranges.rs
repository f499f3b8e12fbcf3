//! Ranges of the indexes of contacts, and those in which are the contacts that a test leaves out.

use contact_hub_domain::contacts::{MomentTest, TextTest};

use super::column_tests::after_prefix;
use crate::statement::{Statement, sql};

/// A range of an index.
pub(super) struct Range {
    /// The column that follows the company in the index.
    pub(super) column: &'static str,
    pub(super) condition: Statement,
}

impl Range {
    /// The index that it is of.
    pub(super) fn index(&self) -> &'static str {
        index_by(self.column)
    }
}

/// The index of SQLite that has all searched texts.
pub(super) const WITH_TEXTS: &str = "contacts_by_last_name";

/// The columns of contacts that it has.
pub(super) const COLUMNS_WITH_TEXTS: [&str; 4] =
    ["email_folded", "first_name_folded", "last_name_folded", "created_at"];

/// The index in which a column follows the company.
pub(super) fn index_by(column: &str) -> &'static str {
    match column {
        "email_folded" => "contacts_by_email",
        "first_name_folded" => "contacts_by_first_name",
        "created_at" => "contacts_by_created_at",
        "updated_at" => "contacts_by_updated_at",
        _ => "contacts_by_last_name",
    }
}

/// The ranges of a column in which are the contacts that a test leaves out, if they are ranges; none is in two.
pub(super) fn left_out_by_text(column: &'static str, comparison: &TextTest) -> Vec<Range> {
    let below = |text: &str| sql!("{} < ?", column).bind(text);
    let conditions = match comparison {
        TextTest::NotEqual(text) => vec![sql!("{} = ?", column).bind(text.as_str())],
        TextTest::Greater(text) => vec![sql!("{} <= ?", column).bind(text.as_str())],
        TextTest::Less(text) => vec![sql!("{} >= ?", column).bind(text.as_str())],
        TextTest::StartsWith(text) => {
            let above =
                after_prefix(text.as_str()).map(|after| sql!("{} >= ?", column).bind(after));
            std::iter::once(below(text.as_str())).chain(above).collect()
        }
        TextTest::Between(lower, upper) if lower <= upper => {
            vec![below(lower.as_str()), sql!("{} > ?", column).bind(upper.as_str())]
        }
        TextTest::Between(..)
        | TextTest::Equal(_)
        | TextTest::Contains(_)
        | TextTest::NotContains(_) => Vec::new(),
    };
    ranges(column, conditions)
}

/// The same for a moment.
pub(super) fn left_out_by_moment(column: &'static str, test: MomentTest) -> Vec<Range> {
    let conditions = match test {
        MomentTest::After(moment) => vec![sql!("{} <= ?", column).bind(moment)],
        MomentTest::Before(moment) => vec![sql!("{} >= ?", column).bind(moment)],
        MomentTest::Between(first, last) if first <= last => {
            vec![sql!("{} < ?", column).bind(first), sql!("{} > ?", column).bind(last)]
        }
        MomentTest::Between(..) => Vec::new(),
    };
    ranges(column, conditions)
}

fn ranges(column: &'static str, conditions: Vec<Statement>) -> Vec<Range> {
    conditions.into_iter().map(|condition| Range { column, condition }).collect()
}
