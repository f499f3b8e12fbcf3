//! Finds the programs of a PostgreSQL server.
//!
//! Distributions keep them outside the search path, in one directory per major version.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// The oldest major version that the Contact Hub works with.
pub(crate) const OLDEST: u32 = 13;

/// The programs that one directory must contain.
const PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "postgres"];

/// Where systems install the programs; `*` matches any part of one name.
const PLACES: [&str; 9] = [
    "/usr/lib/postgresql/*/bin",
    "/usr/lib/postgresql*/bin",
    "/usr/libexec/postgresql*",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
];

/// The programs of one PostgreSQL server; ordered by version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Binaries {
    major: u32,
    directory: PathBuf,
}

impl Binaries {
    /// The newest server on this machine, if there is one that is new enough.
    pub(crate) fn newest() -> Option<Self> {
        let in_path = std::env::var_os("PATH")
            .map(|path| std::env::split_paths(&path).collect::<Vec<_>>())
            .unwrap_or_default();
        let installed = PLACES.into_iter().flat_map(expand);
        let directories: BTreeSet<_> =
            in_path.into_iter().chain(installed).filter_map(|place| resolve(&place)).collect();
        directories.into_iter().filter_map(Self::in_directory).max()
    }

    fn in_directory(directory: PathBuf) -> Option<Self> {
        let version =
            process::capture(Command::new(directory.join("postgres")).arg("--version")).ok()?;
        let major = major_version(&version).filter(|major| *major >= OLDEST)?;
        Some(Self { major, directory })
    }

    /// The path of one program.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The server's major version.
    pub(crate) fn major(&self) -> u32 {
        self.major
    }
}

/// The directory that contains the programs themselves. A directory of the search path may contain links to them, and
/// PostgreSQL finds its other files relative to its programs.
fn resolve(place: &Path) -> Option<PathBuf> {
    let directory = place.join("pg_ctl").canonicalize().ok()?.parent()?.to_path_buf();
    PROGRAMS.iter().all(|name| directory.join(name).is_file()).then_some(directory)
}

/// The existing directories that match a pattern.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let parts = pattern.split('/').filter(|part| !part.is_empty());
    parts.fold(vec![PathBuf::from("/")], |directories, part| {
        directories.iter().flat_map(|directory| matching(directory, part)).collect()
    })
}

/// The entries of a directory whose names match one part of a pattern.
fn matching(directory: &Path, part: &str) -> Vec<PathBuf> {
    let Some((start, end)) = part.split_once('*') else {
        return vec![directory.join(part)];
    };
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(start) && name.ends_with(end)
        })
        .map(|entry| entry.path())
        .collect()
}

/// The major version in a line such as `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn major_version(line: &str) -> Option<u32> {
    let (_, version) = line.split_once("(PostgreSQL) ")?;
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_the_server_says() {
        assert_eq!(major_version("postgres (PostgreSQL) 15.18 (Debian 15.18-0)\n"), Some(15));
        assert_eq!(major_version("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major_version("postgres (EDB) fifteen"), None);
    }

    #[test]
    fn a_newer_version_is_preferred_wherever_it_is() {
        let old = Binaries { major: 9, directory: PathBuf::from("/z") };
        let new = Binaries { major: 17, directory: PathBuf::from("/a") };
        assert_eq!([old, new.clone()].into_iter().max(), Some(new));
    }

    #[test]
    fn a_star_stands_for_any_part_of_one_name() {
        let top = tempfile::tempdir().unwrap();
        for name in ["pgsql-16/bin", "pgsql-17/bin", "other/bin"] {
            std::fs::create_dir_all(top.path().join(name)).unwrap();
        }
        let mut found = expand(&format!("{}/pgsql-*/bin", top.path().display()));
        found.sort();
        let expected = ["pgsql-16/bin", "pgsql-17/bin"].map(|name| top.path().join(name));
        assert_eq!(found, expected);
    }

    #[test]
    fn links_to_the_programs_lead_to_their_directory() {
        let top = tempfile::tempdir().unwrap();
        let top = top.path().canonicalize().unwrap();
        let (real, links) = (top.join("real"), top.join("links"));
        std::fs::create_dir(&real).unwrap();
        std::fs::create_dir(&links).unwrap();
        for name in PROGRAMS {
            std::fs::write(real.join(name), "").unwrap();
            std::os::unix::fs::symlink(real.join(name), links.join(name)).unwrap();
        }
        assert_eq!(resolve(&links), Some(real.clone()));
        std::fs::remove_file(real.join("initdb")).unwrap();
        assert_eq!(resolve(&links), None);
    }
}
