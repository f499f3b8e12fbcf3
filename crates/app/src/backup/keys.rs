//! Whether the master keys here open the secrets of a backup.

use std::path::Path;

use anyhow::Result;
use contact_hub_storage::DatabaseUrl;

use crate::master_key;

/// The master keys that secrets need, compared with those of the key file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyCheck {
    /// No secret is sealed.
    NoneNeeded,
    /// The key file is not known.
    Unknown,
    /// The key file does not exist.
    NoFile(String),
    /// It lacks these keys; none of them when all secrets can be opened.
    Missing(Vec<String>),
}

/// The master keys that are here.
pub(crate) enum KnownKeys {
    /// The key file is not known.
    Unknown,
    /// The key file does not exist.
    NoFile(String),
    /// The ids of its keys.
    Ids(Vec<String>),
}

impl KnownKeys {
    /// Reads the key file. One that cannot be read is an error.
    pub(crate) fn read(named: Option<&Path>, url: &DatabaseUrl) -> Result<Self> {
        // With PostgreSQL there is no default for the path.
        let Ok(file) = master_key::file(named, url) else { return Ok(Self::Unknown) };
        if !file.exists() {
            return Ok(Self::NoFile(file.display().to_string()));
        }
        Ok(Self::Ids(master_key::read(&file)?.iter().map(master_key::id_of).collect()))
    }
}

impl KeyCheck {
    /// Compares the ids of keys with those that are here.
    pub(crate) fn of(needed: &[String], known: KnownKeys) -> Self {
        if needed.is_empty() {
            return Self::NoneNeeded;
        }
        match known {
            KnownKeys::Unknown => Self::Unknown,
            KnownKeys::NoFile(file) => Self::NoFile(file),
            KnownKeys::Ids(known) => {
                let missing = needed.iter().filter(|id| !known.contains(id)).cloned();
                Self::Missing(missing.collect())
            }
        }
    }

    /// What it means, for people.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::NoneNeeded => "no secret needs a master key".to_owned(),
            Self::Unknown => "give --secret-key-file to see whether your key fits".to_owned(),
            Self::NoFile(file) => {
                format!("{file} is missing: restore it before you start the service")
            }
            Self::Missing(missing) if missing.is_empty() => "the key file here fits".to_owned(),
            Self::Missing(missing) => {
                format!(
                    "the key file here lacks {}: add it before you start the service",
                    missing.join(", ")
                )
            }
        }
    }

    /// Whether the keys here open all secrets; `None` when it is not known.
    pub(crate) const fn fits(&self) -> Option<bool> {
        match self {
            Self::NoneNeeded => Some(true),
            Self::Unknown => None,
            Self::NoFile(_) => Some(false),
            Self::Missing(missing) => Some(missing.is_empty()),
        }
    }
}
