//! TLS towards PostgreSQL, which not every build has: libpq needs OpenSSL for it.

use diesel::ConnectionError;

use crate::url::DatabaseUrl;

/// Whether this build has TLS towards PostgreSQL.
pub const HAS_TLS: bool = cfg!(feature = "postgres-tls");

/// Values of `sslmode` that permit no connection without TLS.
const STRICT_MODES: [&str; 3] = ["require", "verify-ca", "verify-full"];

/// Words in the messages of servers and poolers that reject connections without TLS. Translated messages have them too.
const REJECTING: [&str; 4] = ["pg_hba.conf", "SSL", "TLS", "sslmode"];

/// What to do about it.
pub(crate) const ADVICE: &str = "use the binary of a release, or build with `--features postgres-tls`, which also needs perl and make";

/// The address requires TLS, and this build has none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the address of the database requires TLS, which this build does not have: {ADVICE}")]
pub struct TlsMissing;

impl DatabaseUrl {
    /// Fails if this build has no connection that the address permits.
    pub fn check_tls(&self) -> Result<(), TlsMissing> {
        match self {
            Self::Postgres(url) if !HAS_TLS && requires_tls(url) => Err(TlsMissing),
            Self::Postgres(_) | Self::Sqlite(_) => Ok(()),
        }
    }
}

fn requires_tls(url: &str) -> bool {
    let (_, parameters) = url.split_once('?').unwrap_or_default();
    let mut modes = parameters.split('&').filter_map(|pair| pair.strip_prefix("sslmode="));
    modes.next_back().is_some_and(|mode| STRICT_MODES.contains(&mode))
}

/// Whether a server may have rejected the connection because it was without TLS.
pub(crate) fn may_be_required(error: &ConnectionError) -> bool {
    let ConnectionError::BadConnection(message) = error else { return false };
    !HAS_TLS && REJECTING.iter().any(|word| message.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_requires_tls_by_its_mode() {
        for mode in ["require", "verify-ca", "verify-full"] {
            assert!(requires_tls(&format!("postgres://a@b/c?x=1&sslmode={mode}&y=2")), "{mode}");
        }
        for rest in ["", "?sslmode=disable", "?sslmode=prefer", "?sslrootcert=require"] {
            assert!(!requires_tls(&format!("postgres://a@b/c{rest}")), "{rest}");
        }
    }

    #[test]
    fn a_build_without_tls_rejects_only_what_requires_it() {
        let strict: DatabaseUrl = "postgres://a@b/c?sslmode=verify-full".parse().unwrap();
        assert_eq!(strict.check_tls().is_ok(), HAS_TLS);
        for url in ["postgres://a@b/c", "sqlite://file?sslmode=require"] {
            assert_eq!(url.parse::<DatabaseUrl>().unwrap().check_tls(), Ok(()), "{url}");
        }
    }

    #[test]
    fn only_what_may_come_from_a_lack_of_tls_is_explained() {
        let explained =
            |message: &str| may_be_required(&ConnectionError::BadConnection(message.to_owned()));
        assert_eq!(explained("FATAL: no pg_hba.conf entry for host, no encryption"), !HAS_TLS);
        assert_eq!(
            explained("ERROR: connection is insecure (try using `sslmode=require`)"),
            !HAS_TLS
        );
        assert!(!explained("connection refused"));
    }
}
