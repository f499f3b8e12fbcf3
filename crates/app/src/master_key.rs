//! The file with the master key, under which secrets are sealed at rest.
//!
//! The file has one key on each line. New secrets are sealed under the first key, and each key can open secrets, so
//! that a new key can be added before the old one.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use contact_hub_domain::ports::Randomness;
use contact_hub_storage::DatabaseUrl;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::files;

const KEY_BYTES: usize = 32;

/// A master key, wiped from memory when it is dropped.
pub type MasterKey = Zeroizing<[u8; KEY_BYTES]>;

/// A name for a key that reveals nothing about it: the beginning of a digest.
pub(crate) fn id_of(key: &MasterKey) -> String {
    let digest = Sha256::new().chain_update(b"contact-hub master key").chain_update(key.as_slice());
    let head =
        digest.finalize().iter().take(8).fold(0_u64, |head, byte| head << 8 | u64::from(*byte));
    format!("{head:016x}")
}

/// The path of the key file. Without a setting it is next to the SQLite file. With PostgreSQL the setting is
/// required, since all instances must have the same keys.
pub fn file(file: Option<&Path>, database: &DatabaseUrl) -> Result<PathBuf> {
    match (file, database) {
        (None, DatabaseUrl::Postgres(_)) => bail!(
            "--secret-key-file is required with PostgreSQL: create one with `openssl rand -base64 32` and give it to \
             every instance"
        ),
        (Some(file), _) => Ok(file.to_owned()),
        (None, DatabaseUrl::Sqlite(database)) => Ok(PathBuf::from(database).with_extension("key")),
    }
}

/// Reads the key file, and returns at least one key. With SQLite the file is created if it does not exist.
pub fn ensure(
    named: Option<&Path>,
    database: &DatabaseUrl,
    randomness: &dyn Randomness,
) -> Result<Vec<MasterKey>> {
    let file = file(named, database)?;
    if let DatabaseUrl::Sqlite(_) = database {
        make_unless_there(&file, randomness)?;
    }
    read(&file)
}

/// Fails if the file is missing or has none of these keys while the database holds secrets that are sealed under
/// them. A new key would make them unreadable.
pub fn check(file: &Path, sealed_under: &[String]) -> Result<()> {
    let needed = sealed_under.join(", ");
    if !file.exists() {
        if !sealed_under.is_empty() {
            bail!(
                "the secret key file {} is missing, but the database holds secrets that are sealed under the key {needed}: \
                 restore the file from a backup",
                file.display()
            );
        }
        return Ok(());
    }
    let known: Vec<String> = read(file)?.iter().map(id_of).collect();
    files::warn_unless_private(file);
    let missing: Vec<&str> =
        sealed_under.iter().filter(|id| !known.contains(id)).map(String::as_str).collect();
    if !missing.is_empty() && missing.len() == sealed_under.len() {
        bail!(
            "the secret key file {} has the key {}, but the database holds secrets that are sealed under the key {needed}: \
             restore that key, or add it on a line of its own",
            file.display(),
            known.join(", ")
        );
    }
    if !missing.is_empty() {
        tracing::warn!(
            keys = missing.join(", "),
            "some secrets are sealed under keys that the secret key file lacks"
        );
    }
    Ok(())
}

/// Reads the keys of a file, at least one.
pub fn read(file: &Path) -> Result<Vec<MasterKey>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("the secret key file {} cannot be read", file.display()))?;
    let text = Zeroizing::new(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let keys: Option<Vec<MasterKey>> = lines.map(decoded).collect();
    keys.filter(|keys| !keys.is_empty()).with_context(|| {
        format!(
            "the secret key file {} does not contain {KEY_BYTES} bytes in base64",
            file.display()
        )
    })
}

fn decoded(line: &str) -> Option<MasterKey> {
    let bytes = Zeroizing::new(BASE64_STANDARD.decode(line).ok()?);
    let key: [u8; KEY_BYTES] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(key))
}

/// The file appears with its whole content, so another process never reads half of it, and a crash leaves none.
fn make_unless_there(file: &Path, randomness: &dyn Randomness) -> Result<()> {
    if file.exists() {
        return Ok(());
    }
    let written = write_new(file, files::directory_of(file), randomness);
    written.with_context(|| format!("the secret key file {} cannot be created", file.display()))
}

/// Writes the key to a file that only its owner can read, and gives it its name unless another process was faster.
fn write_new(file: &Path, place: &Path, randomness: &dyn Randomness) -> io::Result<()> {
    let key = Zeroizing::new(BASE64_STANDARD.encode(Zeroizing::new(randomness.bytes())));
    let mut new = NamedTempFile::new_in(place)?;
    writeln!(new, "{}", key.as_str())?;
    new.as_file().sync_all()?;
    match new.persist_noclobber(file) {
        Ok(_file) => files::sync(place),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use tempfile::TempDir;

    use super::*;
    use crate::adapters::SystemRandomness;

    #[test]
    fn processes_that_start_at_once_share_one_key() {
        const STARTING: usize = 8;
        for _round in 0..20 {
            let directory = TempDir::new().expect("a directory");
            let url = format!("sqlite://{}", directory.path().join("hub.db").display());
            let url: DatabaseUrl = url.parse().expect("an address");
            let start = Barrier::new(STARTING);
            let one = || {
                start.wait();
                ensure(None, &url, &SystemRandomness).expect("a key")
            };
            let keys: Vec<_> = std::thread::scope(|scope| {
                let starting: Vec<_> = (0..STARTING).map(|_| scope.spawn(one)).collect();
                starting.into_iter().map(|one| one.join().expect("no panic")).collect()
            });
            let first = keys.first().expect("some");
            assert!(keys.iter().all(|key| key == first && key.len() == 1));
            let files = fs::read_dir(directory.path()).expect("a directory").count();
            assert_eq!(files, 1, "nothing is left over");
        }
    }
}
