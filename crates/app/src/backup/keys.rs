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

impl KeyCheck {
    /// Compares the ids of keys with those of the key file.
    pub(crate) fn of(needed: &[String], named: Option<&Path>, url: &DatabaseUrl) -> Result<Self> {
        if needed.is_empty() {
            return Ok(Self::NoneNeeded);
        }
        // With PostgreSQL there is no default for the path.
        let Ok(file) = master_key::file(named, url) else { return Ok(Self::Unknown) };
        if !file.exists() {
            return Ok(Self::NoFile(file.display().to_string()));
        }
        let known: Vec<String> = master_key::read(&file)?.iter().map(master_key::id_of).collect();
        let missing = needed.iter().filter(|id| !known.contains(id)).cloned();
        Ok(Self::Missing(missing.collect()))
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
