//! The file with the master key, under which secrets are sealed at rest.

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

/// Checks the key file that the settings name. Beside a SQLite file it is made when absent; PostgreSQL is shared by
/// instances that must have the same key, so there it is required.
pub fn ensure(file: Option<&Path>, database: &DatabaseUrl, chance: &dyn Chance) -> Result<()> {
    match (file, database) {
        (None, DatabaseUrl::Postgres(_)) => bail!(
            "--secret-key-file is required with PostgreSQL: make one with `openssl rand -base64 32` and give it to \
             every instance"
        ),
        (Some(file), DatabaseUrl::Postgres(_)) => check(file),
        (file, DatabaseUrl::Sqlite(database)) => {
            let beside = || PathBuf::from(database).with_extension("key");
            make_unless_there(&file.map_or_else(beside, Path::to_owned), chance)
        }
    }
}

fn check(file: &Path) -> Result<()> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("the secret key file {} cannot be read", file.display()))?;
    let text = Zeroizing::new(text);
    let key = Zeroizing::new(BASE64_STANDARD.decode(text.trim()).unwrap_or_default());
    if key.len() != KEY_BYTES {
        bail!("the secret key file {} does not hold {KEY_BYTES} bytes in base64", file.display());
    }
    Ok(())
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
        Err(error) if error.kind() == ErrorKind::AlreadyExists => check(file),
        Err(error) => Err(error)
            .with_context(|| format!("the secret key file {} cannot be made", file.display())),
    }
}
