//! The file with the master key, under which secrets are sealed at rest.
//!
//! One key on a line. The first seals; every one opens, so that a new key can be put before the old one.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use contact_hub_domain::ports::Chance;
use contact_hub_storage::DatabaseUrl;
use zeroize::Zeroizing;

const KEY_BYTES: usize = 32;

/// A master key, wiped from memory when it is dropped.
pub type MasterKey = Zeroizing<[u8; KEY_BYTES]>;

/// Reads the key file that the settings name, and gives at least one key. Beside a SQLite file it is made when absent;
/// PostgreSQL is shared by instances that must have the same key, so there it is required.
pub fn ensure(
    file: Option<&Path>,
    database: &DatabaseUrl,
    chance: &dyn Chance,
) -> Result<Vec<MasterKey>> {
    match (file, database) {
        (None, DatabaseUrl::Postgres(_)) => bail!(
            "--secret-key-file is required with PostgreSQL: make one with `openssl rand -base64 32` and give it to \
             every instance"
        ),
        (Some(file), DatabaseUrl::Postgres(_)) => read(file),
        (file, DatabaseUrl::Sqlite(database)) => {
            let beside = || PathBuf::from(database).with_extension("key");
            let file = file.map_or_else(beside, Path::to_owned);
            make_unless_there(&file, chance)?;
            read(&file)
        }
    }
}

fn read(file: &Path) -> Result<Vec<MasterKey>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("the secret key file {} cannot be read", file.display()))?;
    let text = Zeroizing::new(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let keys: Option<Vec<MasterKey>> = lines.map(decoded).collect();
    keys.filter(|keys| !keys.is_empty()).with_context(|| {
        format!("the secret key file {} does not hold {KEY_BYTES} bytes in base64", file.display())
    })
}

fn decoded(line: &str) -> Option<MasterKey> {
    let bytes = Zeroizing::new(BASE64_STANDARD.decode(line).ok()?);
    let key: [u8; KEY_BYTES] = bytes.as_slice().try_into().ok()?;
    Some(Zeroizing::new(key))
}

fn make_unless_there(file: &Path, chance: &dyn Chance) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(mut made) => {
            let key = Zeroizing::new(BASE64_STANDARD.encode(Zeroizing::new(chance.bytes())));
            writeln!(made, "{}", key.as_str()).and_then(|()| made.sync_all()).with_context(|| {
                format!("the secret key file {} cannot be written", file.display())
            })
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error)
            .with_context(|| format!("the secret key file {} cannot be made", file.display())),
    }
}
