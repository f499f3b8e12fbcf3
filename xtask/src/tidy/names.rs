//! Rejects names that do not describe the content, such as `utils`.

use std::path::Path;

use super::finding::Finding;

const SAY_NOTHING: [&str; 4] = ["utils", "helpers", "common", "misc"];

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
}
