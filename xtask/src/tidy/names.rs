//! Rejects names that do not describe the content, such as `utils`, and unknown directories at the top.

use std::path::Path;

use super::finding::Finding;

const SAY_NOTHING: [&str; 4] = ["utils", "helpers", "common", "misc"];

/// The directories at the top; those whose names begin with a dot configure tools.
const TOP: [&str; 6] = ["crates", "deploy", "docs", "migrations", "tests", "xtask"];

/// Checks that a directory is below one of those at the top. Another one is usually left by a command and committed by
/// mistake.
pub(crate) fn check_top(directory: &Path) -> Option<Finding> {
    let name = directory.to_str()?;
    let is_known = name.contains('/') || name.starts_with('.') || TOP.contains(&name);
    (!is_known).then(|| Finding::of(directory, "is not a directory of the project's layout"))
}

/// Checks the name of a directory or of a source file.
pub(crate) fn check(path: &Path) -> Option<Finding> {
    let name = path.file_stem()?.to_str()?;
    SAY_NOTHING
        .contains(&name)
        .then(|| Finding::of(path, format!("the name {name} does not describe the content")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_says_nothing_is_found() {
        assert!(check(Path::new("crates/web/src/utils")).is_some());
        assert!(check(Path::new("crates/web/src/helpers.rs")).is_some());
        assert!(check(Path::new("crates/web/src/envelope.rs")).is_none());
    }

    #[test]
    fn an_unknown_directory_at_the_top_is_found() {
        assert!(check_top(Path::new("left")).is_some());
        for known in ["crates", ".github", "crates/web"] {
            assert!(check_top(Path::new(known)).is_none(), "{known}");
        }
    }
}
