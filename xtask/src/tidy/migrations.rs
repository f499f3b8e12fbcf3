//! Migrations come in pairs: the same names for both databases, each with a way down. Older programs can work with each,
//! or it says that the upgrade needs a stop.

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

/// The promise of upgrades without a gap begins after this migration.
const BEFORE_PROMISE: &str = "2026-11-24-000305";

/// Marks a migration that older programs cannot work with.
const NEEDS_STOP: &str = "-- Needs a stop: ";

/// Checks that a migration is marked as compatible, or says why it is not.
pub(crate) fn check_promise(path: &Path, text: &str) -> Option<Finding> {
    let directory = path.parent()?;
    let is_migration = path.ends_with("up.sql")
        && DATABASES.iter().any(|it| directory.parent() == Some(Path::new(it)));
    let number = directory.file_name()?.to_str()?.split('_').next()?;
    if !is_migration || number <= BEFORE_PROMISE {
        return None;
    }
    let version = number.replace('-', "");
    let is_marked = text.contains("INSERT INTO compatible_migrations")
        && text.contains(&format!("'{version}'"));
    let says_why = text.lines().any(|line| line.starts_with(NEEDS_STOP));
    (!is_marked && !says_why).then(|| {
        let advice = format!(
            "adds '{version}' to compatible_migrations, or begins with \"{NEEDS_STOP}<why>\""
        );
        Finding::of(path, format!("{advice}; see docs/operating.md"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_keeps_the_promise_or_says_why_not() {
        let found = |name: &str, text: &str| {
            let path = format!("migrations/sqlite/{name}/up.sql");
            check_promise(Path::new(&path), text).is_some()
        };
        let marked = "CREATE TABLE a (b);\nINSERT INTO compatible_migrations (version) VALUES ('20270101000001');";
        assert!(!found("2027-01-01-000001_a", marked));
        assert!(found("2027-01-01-000002_a", marked), "it marks another one");
        assert!(found("2027-01-01-000001_a", "CREATE TABLE a (b);"));
        assert!(!found(
            "2027-01-01-000001_a",
            "-- Needs a stop: a column goes.\nALTER TABLE a DROP b;"
        ));
        assert!(!found("2026-11-20-000001_a", "CREATE TABLE a (b);"), "before the promise");
    }

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
