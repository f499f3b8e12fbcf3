//! Whether a text contains another one, as a pattern.

use crate::statement::{Statement, sql};

/// The condition that a text contains the part.
pub(crate) fn contains(text: &'static str, part: &str) -> Statement {
    sql!("{} LIKE ? ESCAPE '\\'", text).bind(containing(part))
}

/// The condition that it does not.
pub(crate) fn contains_not(text: &'static str, part: &str) -> Statement {
    sql!("{} NOT LIKE ? ESCAPE '\\'", text).bind(containing(part))
}

fn containing(part: &str) -> String {
    let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
