//! The files of backups: which kind they are, and what an archive of `pg_dump` contains.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, bail};

use super::client;

/// The kind of the database of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file of SQLite.
    Sqlite,
    /// An archive of `pg_dump`.
    Postgres,
}

impl Kind {
    /// The kind of a file, by its first bytes.
    pub(crate) fn of(file: &Path) -> Result<Self> {
        let mut head = Vec::new();
        let read = File::open(file).and_then(|file| file.take(16).read_to_end(&mut head));
        read.with_context(|| format!("{} cannot be read", file.display()))?;
        match head.as_slice() {
            b"SQLite format 3\0" => Ok(Self::Sqlite),
            [b'P', b'G', b'D', b'M', b'P', ..] => Ok(Self::Postgres),
            _ => bail!("{} is not a backup of Contact Hub", file.display()),
        }
    }

    /// Its name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// What an archive contains.
#[derive(Debug, Default)]
pub(super) struct Archive {
    /// The number of rows of each table.
    pub(super) rows: BTreeMap<String, u64>,
    /// The migrations that are applied.
    pub(super) applied: Vec<String>,
    /// The migrations with which older programs are compatible.
    pub(super) compatible: Vec<String>,
}

/// The table of applied migrations.
const APPLIED: &str = "__diesel_schema_migrations";
const COMPATIBLE: &str = "compatible_migrations";

/// Reads all data of an archive, which shows that it is whole.
pub(super) fn read(file: &Path, cancelled: &AtomicBool) -> Result<Archive> {
    let mut command = client::command("pg_restore", None);
    command.args(["--data-only", "--file=-"]).arg(file).stdout(Stdio::piped());
    let mut child = client::start("pg_restore", &mut command)?;
    let out = child.stdout.take().context("pg_restore has no output")?;
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || read_script(BufReader::new(out)));
        client::finish("pg_restore", child, cancelled)?;
        reader.join().map_err(|_panic| anyhow::anyhow!("the archive's reader panicked"))?
    })
}

/// Reads a script in which each table is `COPY <name> (…) FROM stdin;`, a line for each row, and `\.`.
fn read_script(mut script: impl BufRead) -> Result<Archive> {
    let (mut archive, mut line) = (Archive::default(), Vec::new());
    let mut table = None::<String>;
    while script.read_until(b'\n', &mut line)? > 0 {
        match &table {
            Some(_) if line == b"\\.\n" => table = None,
            Some(name) => archive.add_row(name, &line),
            None => {
                table = copied_table(&line);
                if let Some(name) = &table {
                    archive.rows.insert(name.clone(), 0);
                }
            }
        }
        line.clear();
    }
    Ok(archive)
}

impl Archive {
    fn add_row(&mut self, table: &str, line: &[u8]) {
        if let Some(rows) = self.rows.get_mut(table) {
            *rows += 1;
        }
        let versions = match table {
            APPLIED => &mut self.applied,
            COMPATIBLE => &mut self.compatible,
            _ => return,
        };
        let text = String::from_utf8_lossy(line);
        versions.extend(text.split(['\t', '\n']).next().map(ToOwned::to_owned));
    }
}

/// The table that the lines after this one fill.
fn copied_table(line: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(line).ok()?;
    let (name, rest) = text.strip_prefix("COPY ")?.split_once(" (")?;
    let name = name.rsplit('.').next().unwrap_or(name).trim_matches('"');
    rest.ends_with("FROM stdin;\n").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::read_script;

    #[test]
    fn rows_are_counted_by_table() {
        let script = "--\n-- Data for Name: a\nSET x = 1;\n\nCOPY public.contacts (id, email) FROM stdin;\n1\ta\n2\tCOPY x (y) FROM stdin;\n\\.\n\n\
            COPY public.\"Odd\" (id) FROM stdin;\n\\.\nCOPY public.__diesel_schema_migrations (version, run_on) FROM stdin;\n\
            20260101\t2026-01-01 00:00:00\n\\.\nCOPY public.compatible_migrations (version) FROM stdin;\n7\n\\.\nSELECT 1;\n";
        let archive = read_script(script.as_bytes()).expect("a script");
        let rows: Vec<_> = archive.rows.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
        let expected = [
            ("Odd", 0),
            ("__diesel_schema_migrations", 1),
            ("compatible_migrations", 1),
            ("contacts", 2),
        ];
        assert_eq!(rows, expected);
        assert_eq!(
            (archive.applied, archive.compatible),
            (vec!["20260101".into()], vec!["7".into()])
        );
    }
}
