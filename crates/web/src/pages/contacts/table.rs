//! Cells of CSV files. A spreadsheet takes a cell that begins like a formula for one, so such a text gets an apostrophe
//! before it on its way out, which is taken away again on its way in.

const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text as a cell that no spreadsheet runs.
pub(super) fn cell_of(text: &str) -> String {
    if begins_formula(text.trim_start_matches('\'')) { format!("'{text}") } else { text.to_owned() }
}

/// The text of a cell.
pub(super) fn text_of(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if begins_formula(text.trim_start_matches('\'')) => text,
        _ => cell,
    }
}

fn begins_formula(text: &str) -> bool {
    text.starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::{cell_of, text_of};

    #[test]
    fn a_formula_goes_out_as_text_and_comes_back() {
        assert_eq!(cell_of("=1+1"), "'=1+1");
        for text in ["=1+1", "'=1", "''@x", "'quoted'", "-5", "plain", "", "+49 30", "\ttab"] {
            assert_eq!(text_of(&cell_of(text)), text);
        }
    }
}
