//! The address of the database.

use std::fmt;

/// `sqlite://<file>` or `postgres://…`. Its `Display` hides the password.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// The path of the file.
    Sqlite(String),
    /// A libpq address.
    Postgres(String),
}

/// Why an address is invalid.
#[derive(Debug, thiserror::Error)]
#[error("the database URL must begin with sqlite:// or postgres://")]
pub struct DatabaseUrlError;

impl std::str::FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.to_owned())),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(text.to_owned())),
            _ => Err(DatabaseUrlError),
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite://{path}"),
            Self::Postgres(url) => {
                let host = url.rsplit_once('@').map_or(url.as_str(), |(_, host)| host);
                let host = host.split_once("://").map_or(host, |(_, host)| host);
                write!(f, "postgres://{}", host.split('?').next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
