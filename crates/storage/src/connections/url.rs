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

/// Why an address is invalid. It does not repeat the address, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// It is of another database.
    #[error("the database URL must begin with sqlite:// or postgres://")]
    Scheme,
    /// A database of SQLite is neither in memory, nor has its address parameters.
    #[error("a database of SQLite is a file: its URL is sqlite://<path>, without parameters")]
    NoFile,
    /// It is not percent-encoded. The library that connects would repeat a part of it in its error.
    #[error("the database URL must be percent-encoded: write % as %25, and a space as %20")]
    Encoding,
}

impl std::str::FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            Some(("sqlite", path)) if is_file(path) => Ok(Self::Sqlite(path.to_owned())),
            Some(("sqlite", _)) => Err(DatabaseUrlError::NoFile),
            Some(("postgres" | "postgresql", rest)) if is_encoded(rest) => {
                Ok(Self::Postgres(text.to_owned()))
            }
            Some(("postgres" | "postgresql", _)) => Err(DatabaseUrlError::Encoding),
            _ => Err(DatabaseUrlError::Scheme),
        }
    }
}

fn is_file(path: &str) -> bool {
    !path.is_empty() && path != ":memory:" && !path.contains('?')
}

/// Whether each `%` begins the code of a character, and nothing else needs one. As libpq reads an address, a space or a code of
/// zero is an error.
fn is_encoded(text: &str) -> bool {
    let code = |part: &str| {
        let code = part.get(..2).filter(|code| code.bytes().all(|it| it.is_ascii_hexdigit()))?;
        u8::from_str_radix(code, 16).ok()
    };
    let is_plain = |char: char| !char.is_whitespace() && !char.is_control();
    text.chars().all(is_plain) && text.split('%').skip(1).all(|part| code(part) > Some(0))
}

/// The parameters of an address of PostgreSQL, without the question mark. As libpq reads it, what precedes the first `@` belongs
/// to the user, so a password may contain a question mark.
pub(crate) fn parameters(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or(url, |(_scheme, rest)| rest);
    let rest = match rest.split_once('@') {
        Some((user, rest)) if !user.contains('/') => rest,
        _ => rest,
    };
    rest.split_once('?').map(|(_hosts, parameters)| parameters)
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

#[cfg(test)]
mod tests {
    use super::{DatabaseUrl, DatabaseUrlError, parameters};

    #[test]
    fn an_address_is_checked_before_a_library_reads_it() {
        for (address, expected) in [
            ("sqlite://hub.db", None),
            ("postgres://u:a%25b%3f@h/d?x=%20", None),
            ("postgres:///d", None),
            ("mysql://h/d", Some(DatabaseUrlError::Scheme)),
            ("sqlite://", Some(DatabaseUrlError::NoFile)),
            ("sqlite://:memory:", Some(DatabaseUrlError::NoFile)),
            ("sqlite://hub.db?mode=ro", Some(DatabaseUrlError::NoFile)),
            ("postgres://u:a%zz@h/d", Some(DatabaseUrlError::Encoding)),
            ("postgres://u:a%2@h/d", Some(DatabaseUrlError::Encoding)),
            ("postgres://u:a%+1@h/d", Some(DatabaseUrlError::Encoding)),
            ("postgres://u:a@h/d%", Some(DatabaseUrlError::Encoding)),
            ("postgres://u:a%00b@h/d", Some(DatabaseUrlError::Encoding)),
            ("postgres://u:a b@h/d", Some(DatabaseUrlError::Encoding)),
        ] {
            assert_eq!(address.parse::<DatabaseUrl>().err(), expected, "{address}");
        }
    }

    #[test]
    fn a_question_mark_in_a_password_does_not_start_the_parameters() {
        for (address, expected) in [
            ("postgres://h/d", None),
            ("postgres://u:a?b=c@h/d", None),
            ("postgres://u:a?b=c@h/d?e=f", Some("e=f")),
            ("postgres://h/d?application_name=a@b", Some("application_name=a@b")),
            ("postgres:///?host=/tmp", Some("host=/tmp")),
        ] {
            assert_eq!(parameters(address), expected, "{address}");
        }
    }
}
