//! The notes of a release: its section of the changelog.

use anyhow::{Context as _, Result};

use super::version::Version;

/// The section for a version. One without a tag has what was not released yet.
pub(super) fn of(version: &Version, changelog: &str) -> Result<String> {
    let name = if version.is_tagged { version.text.as_str() } else { "Unreleased" };
    let found = section(changelog, name);
    found.with_context(|| format!("CHANGELOG.md has no section for {name}"))
}

/// What is below the heading of a version, unless it is empty.
fn section(changelog: &str, name: &str) -> Option<String> {
    let heading = format!("## [{name}]");
    let lines = changelog.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    let text = lines.join("\n").trim().to_owned();
    (!text.is_empty()).then(|| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A\n\n## [0.1.0] - 2026-01-31\n\n- B\n\n\
                             ## [0.0.1]\n";

    #[test]
    fn a_section_ends_at_the_next_one() {
        assert_eq!(section(CHANGELOG, "Unreleased").unwrap(), "### Added\n\n- A\n");
        assert_eq!(section(CHANGELOG, "0.1.0").unwrap(), "- B\n");
    }

    #[test]
    fn a_section_that_is_empty_or_missing_is_an_error() {
        for name in ["0.0.1", "9.9.9"] {
            assert_eq!(section(CHANGELOG, name), None, "{name}");
        }
    }
}
