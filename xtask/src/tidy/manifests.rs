//! Every crate inherits its lints from the workspace, except those that need unsafe code.

use std::path::Path;

use super::finding::Finding;

/// The workspace forbids unsafe code, and a crate that inherits its lints cannot permit it.
const WITH_UNSAFE_CODE: [&str; 3] = [
    "crates/sqlite-files/Cargo.toml",
    "crates/sqlite-interrupt/Cargo.toml",
    "crates/allocator/Cargo.toml",
];

/// Checks one `Cargo.toml`; one without a package is skipped.
pub(crate) fn check(path: &Path, text: &str) -> Option<Finding> {
    let lines = || text.lines().map(|line| line.replace(' ', ""));
    let is_package = lines().any(|line| line == "[package]");
    let may_differ = WITH_UNSAFE_CODE.iter().any(|manifest| path.ends_with(manifest));
    (is_package && !takes_lints(lines()) && !may_differ)
        .then(|| Finding::of(path, "does not inherit the lints of the workspace"))
}

/// Looks for `workspace = true` in the table `lints`, or for both in one line at the top.
fn takes_lints(lines: impl Iterator<Item = String>) -> bool {
    let mut table = String::new();
    for line in lines {
        if line.starts_with('[') {
            table = line;
        } else if (table == "[lints]" && line == "workspace=true")
            || (table.is_empty() && line == "lints.workspace=true")
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> bool {
        check(Path::new("Cargo.toml"), text).is_some()
    }

    #[test]
    fn both_ways_to_take_the_lints_are_fine() {
        assert!(!found("[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n"));
        assert!(!found("lints.workspace = true\n[package]\nname = \"a\"\n"));
        assert!(!found("[workspace]\nmembers = []\n"));
    }

    #[test]
    fn own_lints_or_none_are_found() {
        assert!(found("[package]\nname = \"a\"\n"));
        assert!(found("[package]\nname = \"a\"\n\n[dependencies.b]\nworkspace = true\n"));
        assert!(found("[package]\nname = \"a\"\n\n[lints.clippy]\nall = \"warn\"\n"));
    }
}
