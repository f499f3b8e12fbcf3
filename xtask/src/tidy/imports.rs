//! Rule for imports within a crate: the storage's dialect uses columns and values, and no capability.

use std::path::Path;

use super::finding::Finding;

/// The directory of the pieces of SQL in which the databases differ.
const DIALECT: &str = "crates/storage/src/dialect";

const CAPABILITIES: [&str; 5] = ["contacts", "fields", "access", "sync", "webhooks"];

/// Checks one Rust file.
pub(crate) fn check(path: &Path, text: &str) -> Vec<Finding> {
    if !path.starts_with(DIALECT) {
        return Vec::new();
    }
    let names = |line: &str| {
        CAPABILITIES.into_iter().find(|name| {
            line.contains(&format!("crate::{name}"))
                || line.contains(&format!("contact_hub_domain::{name}"))
        })
    };
    let found = text.lines().zip(1..).filter_map(|(line, number)| Some((names(line)?, number)));
    found
        .map(|(name, number)| {
            Finding::at(path, number, format!("a dialect must not use the capability {name}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_that_knows_a_capability_is_found() {
        let text = "//! Docs.\nuse crate::columns::Id;\nuse crate::contacts::COLUMNS;\n\
                    use contact_hub_domain::webhooks::Claim;\n";
        let within = check(&Path::new(DIALECT).join("source.rs"), text);
        assert_eq!(within.len(), 2, "{within:?}");
        assert_eq!(check(Path::new("crates/storage/src/contacts/read.rs"), text), Vec::new());
    }
}
