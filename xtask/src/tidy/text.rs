//! Rules for every text file: clean line ends, and no markers of unfinished work.

use std::path::Path;

use super::finding::Finding;

/// Extensions of files that people write.
const WRITTEN: [&str; 11] =
    ["rs", "md", "toml", "sql", "html", "css", "js", "yml", "yaml", "sh", "txt"];

/// Markers of unfinished work, each in two parts so that this file does not contain them.
const UNFINISHED: [&str; 6] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("HA", "CK"),
    concat!("db", "g!"),
    concat!("to", "do!"),
];

/// Whether the rules apply to a file.
pub(crate) fn applies_to(path: &Path) -> bool {
    path.extension().is_some_and(|ending| WRITTEN.iter().any(|written| ending == *written))
}

/// Checks one file.
pub(crate) fn check(path: &Path, text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.ends_with(char::is_whitespace) {
            found.push(Finding::at(path, number, "white space at the end of the line"));
        }
        if let Some(word) = UNFINISHED.iter().find(|word| contains_word(line, word)) {
            found.push(Finding::at(path, number, format!("{word}: finish it or leave it out")));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        found.push(Finding::of(path, "does not end with a line break"));
    }
    if text.ends_with("\n\n") {
        found.push(Finding::of(path, "ends with an empty line"));
    }
    found
}

/// Whether a line contains the word, not merely as a part of a longer one.
fn contains_word(line: &str, word: &str) -> bool {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(start, _)| {
        let (before, rest) = line.split_at(start);
        let after = rest.strip_prefix(word).unwrap_or_default();
        !before.ends_with(in_word) && !after.starts_with(in_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(Path::new("a.rs"), text).len()
    }

    #[test]
    fn clean_text_is_fine() {
        assert_eq!(found("//! Fine.\n\nfn main() {}\n"), 0);
        assert_eq!(found(""), 0);
    }

    #[test]
    fn line_ends_are_checked() {
        assert_eq!(found("one \ntwo\t\n"), 2);
        assert_eq!(found("windows\r\n"), 0, "git decides about these");
        assert_eq!(found("no line break"), 1);
        assert_eq!(found("too many\n\n"), 1);
    }

    #[test]
    fn unfinished_work_is_found() {
        for word in UNFINISHED {
            assert_eq!(found(&format!("// {word} later\n")), 1, "{word}");
        }
    }

    #[test]
    fn a_part_of_a_longer_word_is_fine() {
        let [word, ..] = UNFINISHED;
        assert_eq!(found(&format!("MAS{word}S {word}_LIST\n")), 0);
    }

    #[test]
    fn only_files_that_people_write_are_checked() {
        assert!(applies_to(Path::new("docs/a.md")));
        assert!(!applies_to(Path::new("Cargo.lock")));
        assert!(!applies_to(Path::new("logo.png")));
    }
}
