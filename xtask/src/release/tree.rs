//! Files of a package in memory, written as an archive or as files.
//!
//! Archives are sorted and have the time of the commit, so that the same files give the same bytes.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// Directories and files with their modes; relative paths without a trailing slash.
#[derive(Default)]
pub(super) struct Tree {
    entries: BTreeMap<String, Entry>,
}

struct Entry {
    content: Content,
    mode: u32,
    owner: u32,
}

enum Content {
    Directory,
    File(Vec<u8>),
}

impl Tree {
    /// Adds a directory of this owner; those above it are root's.
    pub(super) fn directory(&mut self, path: &str, mode: u32, owner: u32) {
        self.add(path, Entry { content: Content::Directory, mode, owner });
    }

    /// Adds a file that everybody may read.
    pub(super) fn file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { content: Content::File(bytes.into()), mode: 0o644, owner: 0 });
    }

    /// Adds a file that everybody may run.
    pub(super) fn program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { content: Content::File(bytes.into()), mode: 0o755, owner: 0 });
    }

    /// Adds a file that only its owner may read.
    pub(super) fn private_file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { content: Content::File(bytes.into()), mode: 0o600, owner: 0 });
    }

    fn add(&mut self, path: &str, entry: Entry) {
        for (end, _) in path.match_indices('/') {
            let above = path.split_at(end).0.to_owned();
            let directory = || Entry { content: Content::Directory, mode: 0o755, owner: 0 };
            self.entries.entry(above).or_insert_with(directory);
        }
        self.entries.insert(path.to_owned(), entry);
    }

    /// The files with their contents.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.entries.iter().filter_map(|(path, entry)| match &entry.content {
            Content::File(bytes) => Some((path.as_str(), bytes.as_slice())),
            Content::Directory => None,
        })
    }

    /// An archive in which everything has this time.
    pub(super) fn tar(&self, epoch: u64) -> Result<Vec<u8>> {
        let mut builder = Builder::new(Vec::new());
        for (path, entry) in &self.entries {
            let mut header = Header::new_ustar();
            header.set_mode(entry.mode);
            header.set_uid(entry.owner.into());
            header.set_gid(entry.owner.into());
            header.set_mtime(epoch);
            let written = match &entry.content {
                Content::Directory => {
                    header.set_entry_type(EntryType::Directory);
                    header.set_size(0);
                    builder.append_data(&mut header, format!("{path}/"), std::io::empty())
                }
                Content::File(bytes) => {
                    header.set_entry_type(EntryType::Regular);
                    header.set_size(u64::try_from(bytes.len())?);
                    builder.append_data(&mut header, path, bytes.as_slice())
                }
            };
            written.with_context(|| format!("cannot archive {path}"))?;
        }
        Ok(builder.into_inner()?)
    }

    /// Writes it below a directory.
    pub(super) fn write_below(&self, top: &Path) -> Result<()> {
        for (path, entry) in &self.entries {
            let path = top.join(path);
            let written = match &entry.content {
                Content::Directory => fs::create_dir(&path),
                Content::File(bytes) => fs::write(&path, bytes),
            };
            written.with_context(|| format!("cannot write {}", path.display()))?;
            fs::set_permissions(&path, Permissions::from_mode(entry.mode))?;
        }
        Ok(())
    }
}

/// Compresses bytes; the result has no name and no time.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::process;

    fn sample() -> Tree {
        let mut tree = Tree::default();
        tree.program("usr/bin/run", "#!/bin/sh\n");
        tree.private_file("etc/secret", "x");
        tree.directory("data", 0o700, 10001);
        tree
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_archive_is_what_tar_reads() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.tar");
        fs::write(&file, sample().tar(1_000_000_000).unwrap()).unwrap();
        let mut list = Command::new("tar");
        list.args(["--list", "--verbose", "--numeric-owner", "--utc", "--full-time", "--file"]);
        let listed = process::capture(list.arg(&file)).unwrap();
        let lines: Vec<Vec<&str>> =
            listed.lines().map(|line| line.split_whitespace().collect()).collect();
        let modes: Vec<[&str; 3]> =
            lines.iter().map(|words| [words[0], words[1], words[5]]).collect();
        assert_eq!(
            modes,
            [
                ["drwx------", "10001/10001", "data/"],
                ["drwxr-xr-x", "0/0", "etc/"],
                ["-rw-------", "0/0", "etc/secret"],
                ["drwxr-xr-x", "0/0", "usr/"],
                ["drwxr-xr-x", "0/0", "usr/bin/"],
                ["-rwxr-xr-x", "0/0", "usr/bin/run"],
            ]
        );
        assert!(listed.contains("2001-09-09 01:46:40"), "{listed}");
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        assert_eq!(sample().tar(5).unwrap(), sample().tar(5).unwrap());
        assert_eq!(gzip(b"text").unwrap(), gzip(b"text").unwrap());
    }

    #[test]
    fn files_have_their_modes() {
        let directory = tempfile::tempdir().unwrap();
        sample().write_below(directory.path()).unwrap();
        let mode = |path: &str| {
            fs::metadata(directory.path().join(path)).unwrap().permissions().mode() & 0o777
        };
        assert_eq!([mode("usr/bin/run"), mode("etc/secret"), mode("data")], [0o755, 0o600, 0o700]);
    }
}
