//! Migrations come in pairs: the same names for both databases, each with a way down.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::files::Files;
use super::finding::Finding;

const DATABASES: [&str; 2] = ["migrations/postgres", "migrations/sqlite"];
const PARTS: [&str; 2] = ["up.sql", "down.sql"];

/// Checks that every migration exists for both databases, up and down.
pub(crate) fn check(files: &Files) -> Vec<Finding> {
    let is_migration = |directory: &&PathBuf| {
        directory.parent().is_some_and(|parent| DATABASES.iter().any(|it| parent == Path::new(it)))
    };
    let migrations = files.directories.iter().filter(is_migration);
    let names: BTreeSet<_> = migrations.filter_map(|directory| directory.file_name()).collect();
    let wanted = DATABASES.iter().flat_map(|database| {
        names
            .iter()
            .flat_map(move |name| PARTS.map(|part| Path::new(database).join(name).join(part)))
    });
    let missing = wanted.filter(|file| files.files.binary_search(file).is_err());
    missing.map(|file| Finding::of(&file, "is missing")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Files {
        let mut files: Vec<_> = names.iter().map(PathBuf::from).collect();
        files.sort();
        let parents = files.iter().filter_map(|file| file.parent()).map(Path::to_path_buf);
        let directories = parents.collect::<BTreeSet<_>>().into_iter().collect();
        Files { directories, files }
    }

    #[test]
    fn a_complete_pair_is_fine() {
        let names = [
            "migrations/postgres/1_start/up.sql",
            "migrations/postgres/1_start/down.sql",
            "migrations/sqlite/1_start/up.sql",
            "migrations/sqlite/1_start/down.sql",
        ];
        assert_eq!(check(&files(&names)), Vec::new());
    }

    #[test]
    fn a_missing_twin_and_a_missing_way_back_are_found() {
        let found = check(&files(&["migrations/sqlite/1_start/up.sql"]));
        let texts: Vec<_> = found.iter().map(ToString::to_string).collect();
        let expected = [
            "error: migrations/postgres/1_start/up.sql: is missing",
            "error: migrations/postgres/1_start/down.sql: is missing",
            "error: migrations/sqlite/1_start/down.sql: is missing",
        ];
        assert_eq!(texts, expected);
    }
}
