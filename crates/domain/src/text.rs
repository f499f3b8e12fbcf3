//! Trimming and validation of text, and the folded form by which text is matched and sorted.

use icu_casemap::CaseMapper;

use crate::violations::Problem;

/// Removes surrounding Unicode white space, U+FEFF and U+200B.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// Folds the case, so that spellings that differ only in case become equal: Unicode simple case folding, character by
/// character. Comparing the bytes of two folded texts orders them by code point.
#[must_use]
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mapper = CaseMapper::new();
    text.chars().map(|c| mapper.simple_fold(c)).collect()
}

/// Rejects text longer than `max` code points.
pub fn bounded(text: &str, max: usize) -> Result<&str, Problem> {
    // Bytes are never fewer than code points, so most texts need no counting.
    if text.len() > max && text.chars().nth(max).is_some() {
        return Err(Problem::too_long(max));
    }
    Ok(text)
}

/// Rejects NUL, which PostgreSQL cannot store.
pub fn without_nul(text: &str) -> Result<&str, Problem> {
    if text.contains('\0') {
        return Err(Problem::new("must not contain the NUL character"));
    }
    Ok(text)
}

/// Rejects control characters except TAB.
pub fn without_controls(text: &str) -> Result<&str, Problem> {
    if text.contains(|c: char| c.is_control() && c != '\t') {
        return Err(Problem::new("must not contain control characters"));
    }
    Ok(text)
}

/// Reads a name of a person or thing: trimmed, not empty, at most `max` code points, no control characters.
pub fn name(text: &str, max: usize) -> Result<&str, Problem> {
    let text = without_controls(trimmed(text))?;
    if text.is_empty() {
        return Err(Problem::new("is required"));
    }
    bounded(text, max)
}

#[cfg(test)]
mod tests {
    use super::{bounded, folded, name, trimmed};

    #[test]
    fn trims_unicode_white_space_and_invisible_marks() {
        assert_eq!(trimmed("\u{feff}\u{a0} a b \u{200b}\u{2003}"), "a b");
    }

    #[test]
    fn folds_by_the_simple_table() {
        assert_eq!(folded("ÄRGER ΣΊΣΥΦΟΣ"), "ärger σίσυφοσ");
        assert_eq!(folded("ẞ İ"), "ß İ");
    }

    #[test]
    fn counts_code_points() {
        assert!(bounded(&"é".repeat(255), 255).is_ok());
        assert!(bounded(&"é".repeat(256), 255).is_err());
    }

    #[test]
    fn names_accept_tabs_and_no_other_control_character() {
        assert_eq!(name(" a\tb ", 255), Ok("a\tb"));
        assert!(name("a\u{0}b", 255).is_err());
        assert!(name("a\u{85}b", 255).is_err());
        assert!(name(" \u{200b} ", 255).is_err());
    }
}
