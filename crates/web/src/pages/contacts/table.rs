//! Cells of CSV files. A spreadsheet treats a cell that begins like a formula as one, so an export puts an apostrophe
//! before such a text, and an import removes it again.
//!
//! A program that splits lines at another character than the comma sees further beginnings of cells within a text. They
//! are treated like the beginning of the text.

/// The characters with which a formula begins.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The characters after which some programs begin another cell.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// A text as a cell that no spreadsheet runs.
pub(super) fn cell_of(text: &str) -> String {
    let parts = text.split_inclusive(SEPARATORS);
    let mut cell = String::with_capacity(text.len() + 1);
    let mut rest = text;
    for part in parts {
        if begins_formula(rest) {
            cell.push('\'');
        }
        cell.push_str(part);
        rest = rest.get(part.len()..).unwrap_or_default();
    }
    cell
}

/// The text of a cell.
pub(super) fn text_of(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut rest = cell;
    for part in cell.split_inclusive(SEPARATORS) {
        let unquoted = rest.strip_prefix('\'').filter(|behind| begins_formula(behind));
        text.push_str(if unquoted.is_some() { part.get(1..).unwrap_or_default() } else { part });
        rest = rest.get(part.len()..).unwrap_or_default();
    }
    text
}

/// Whether the text begins like a formula, after any number of apostrophes.
fn begins_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::{cell_of, text_of};

    #[test]
    fn a_formula_is_exported_as_text_and_survives_a_round_trip() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("a;=1;b", "a;'=1;b"),
            ("a\t@x", "a\t'@x"),
            ("a\n-1", "a\n'-1"),
            ("a;b\tc", "a;b\tc"),
            ("a=1", "a=1"),
        ] {
            assert_eq!(cell_of(text), cell);
        }
        for text in [
            "=1+1", "'=1", "''@x", "'quoted'", "-5", "plain", "", "+49 30", "\ttab", "a;'=1",
            ";=;=", "a\r\n=1", "\t\t=", "ä;+ö;", "';'=", ";",
        ] {
            assert_eq!(text_of(&cell_of(text)), text);
        }
    }
}
