//! Patterns that find an email address in the JSON of an answer, but not another address that contains it: `ann@example.com`
//! is part of `joann@example.com` and of `ann@example.com.au`.
//!
//! Where it is not clear whether an address ends, as beside a character that is not ASCII, it counts as the whole address.

use std::fmt::Write as _;

/// What may precede a character in an address (RFC 5322, atext, and the dot), for a set of characters of either database.
const LOCAL: &str = "a-z0-9.!#$%&'*+/=?^_`{|}~-";

/// The text of `encode(bytes, 'escape')` on PostgreSQL, in small letters of ASCII.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.to_ascii_lowercase().bytes() {
        match byte {
            b'\\' => encoded.push_str(r"\\"),
            0 | 0x80.. => write!(encoded, r"\{byte:03o}").unwrap_or_default(),
            _ => encoded.push(byte.into()),
        }
    }
    encoded
}

/// A regular expression of PostgreSQL for an address in a text that is encoded like this. Before the address there may be a
/// byte beyond ASCII, or an escape of JSON, whose backslash is encoded as two.
pub(super) fn regular_expression(address: &str) -> String {
    let mut expression = format!(r"(^|[^{LOCAL}]|\\[0-7]{{3}}|\\\\([bfnrt]|u[0-9a-f]{{4}}))");
    for char in encoded(address).chars() {
        if !char.is_ascii_alphanumeric() {
            expression.push('\\');
        }
        expression.push(char);
    }
    expression.push_str(r"($|[^a-z0-9.-]|\.($|[^a-z0-9]))");
    expression
}

/// The patterns of `GLOB` on SQLite for an address in a text in small letters of ASCII. An answer begins and ends with other
/// characters.
pub(super) fn globs(address: &str) -> Vec<String> {
    let mut escaped = String::with_capacity(address.len());
    for char in address.to_ascii_lowercase().chars() {
        match char {
            '*' | '?' | '[' => escaped.extend(['[', char, ']']),
            _ => escaped.push(char),
        }
    }
    let hex = "[0-9a-f]".repeat(4);
    let before = [format!("*[^{LOCAL}]"), r"*\[bfnrt]".to_owned(), format!(r"*\u{hex}")];
    let after = ["[^a-z0-9.-]*", ".[^a-z0-9]*"];
    let globs =
        before.iter().flat_map(|before| after.map(|after| format!("{before}{escaped}{after}")));
    globs.collect()
}
