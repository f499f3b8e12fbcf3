//! Rules for Rust source files: they have module docs, and stay short.

use std::path::Path;

use super::finding::Finding;

/// A longer file gets a hint.
const LONG: usize = 300;

/// A longer file is an error.
const TOO_LONG: usize = 400;

/// Checks one file.
pub(crate) fn check(path: &Path, text: &str) -> Vec<Finding> {
    let docs = (!text.starts_with("//!"))
        .then(|| Finding::of(path, "does not begin with a module doc (//!)"));
    let attributes = text.lines().zip(1..).filter(|(line, _)| is_allow_attribute(line));
    let attributes = attributes.map(|(_, number)| {
        Finding::at(path, number, "expect a lint with a reason instead of allowing it")
    });
    docs.into_iter().chain(length(path, text)).chain(attributes).collect()
}

fn length(path: &Path, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    if lines > TOO_LONG {
        return Some(Finding::of(path, format!("{lines} lines; at most {TOO_LONG} are allowed")));
    }
    let note = || Finding::of(path, format!("{lines} lines; aim for {LONG}")).into_note();
    (lines > LONG).then(note)
}

/// Whether an attribute in this line disables a lint.
fn is_allow_attribute(line: &str) -> bool {
    let attribute = line.trim_start();
    let is_attribute = attribute.starts_with("#[") || attribute.starts_with("#![");
    is_attribute && ["[allow(", " allow(", ",allow("].iter().any(|start| attribute.contains(start))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Weight;
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        check(Path::new("a.rs"), text)
    }

    #[test]
    fn a_documented_short_file_is_fine() {
        assert_eq!(found("//! What it is for.\n\nfn allow() {}\n"), Vec::new());
    }

    #[test]
    fn missing_documentation_is_found() {
        assert_eq!(found("fn main() {}\n").len(), 1);
    }

    #[test]
    fn length_is_noted_and_then_refused() {
        let text = |lines: usize| "//! Docs.\n".repeat(lines);
        assert_eq!(found(&text(300)), Vec::new());
        assert!(matches!(found(&text(301)).as_slice(), [note] if note.weight == Weight::Note));
        assert!(matches!(found(&text(401)).as_slice(), [it] if it.weight == Weight::Error));
    }

    #[test]
    fn allowing_a_lint_is_found_and_expecting_one_is_not() {
        let plain = ["#[", "allow(dead_code)]"].concat();
        let conditional = ["#![cfg_attr(test, ", "allow(dead_code))]"].concat();
        assert!(is_allow_attribute(&plain));
        assert!(is_allow_attribute(&conditional));
        assert!(!is_allow_attribute("#[expect(dead_code, reason = \"used later\")]"));
        assert!(!is_allow_attribute("if limiter.allow(key) {"));
    }
}
