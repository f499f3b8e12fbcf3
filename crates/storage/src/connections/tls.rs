//! TLS towards PostgreSQL.

use std::sync::{Arc, OnceLock};

use contact_hub_database_tls::{Route, RouteError, TlsError};
use diesel::{Connection as _, ConnectionError, PgConnection};

use super::url::DatabaseUrl;

/// Words in the messages of servers and poolers that reject connections with or without TLS. Translated messages have them
/// too.
const REJECTING: [&str; 4] = ["pg_hba.conf", "SSL", "TLS", "sslmode"];

/// The way to the servers of one address, which all connections share.
#[derive(Clone, Default)]
pub(crate) struct SharedRoute(Arc<OnceLock<Result<Route, TlsError>>>);

impl SharedRoute {
    /// Opens a connection to PostgreSQL. Addresses of one route differ only in their time limits.
    pub(crate) fn establish(&self, url: &str) -> Result<PgConnection, RouteError<ConnectionError>> {
        match self.0.get_or_init(|| Route::new(url)) {
            Ok(route) => route.open(url, PgConnection::establish, may_need_other),
            Err(error) => Err(error.clone().into()),
        }
    }
}

impl DatabaseUrl {
    /// Fails if the address has parameters of TLS that cannot be met.
    pub fn check_tls(&self) -> Result<(), TlsError> {
        match self {
            Self::Postgres(url) => Route::new(url).map(drop),
            Self::Sqlite(_) => Ok(()),
        }
    }

    /// Whether this is a PostgreSQL whose address is one of this machine: a socket, `localhost` or a loopback address.
    #[must_use]
    pub fn is_local_postgres(&self) -> bool {
        matches!(self, Self::Postgres(url) if Route::new(url).is_ok_and(|route| route.is_local()))
    }
}

/// Whether a server may have rejected the connection because it was with or without TLS.
fn may_need_other(error: &ConnectionError) -> bool {
    let ConnectionError::BadConnection(message) = error else { return false };
    REJECTING.iter().any(|word| message.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_whose_tls_cannot_be_met_is_rejected() {
        let check = |url: &str| url.parse::<DatabaseUrl>().unwrap().check_tls();
        for url in ["postgres://a@b/c", "postgres://a@b/c?sslmode=verify-full", "sqlite://file"] {
            assert_eq!(check(url), Ok(()), "{url}");
        }
        let error = check("postgres://a:secret@b/c?sslmode=vrify").unwrap_err().to_string();
        assert!(error.contains("sslmode") && error.contains("vrify"), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn an_address_of_this_machine_is_a_socket_localhost_or_a_loopback_address() {
        let is_local = |url: &str| url.parse::<DatabaseUrl>().unwrap().is_local_postgres();
        for url in [
            "postgres://a:b@localhost/c",
            "postgres://127.0.0.2:5433/c",
            "postgres://[::1]/c",
            "postgres:///c?host=/run/postgresql",
            "postgres://%2Frun%2Fpostgresql/c",
            "postgres://localhost,127.0.0.1/c",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "postgres://db.example/c",
            "postgres://localhost,db.example/c",
            "postgres://localhost/c?hostaddr=192.0.2.1",
            "sqlite://localhost",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }

    #[test]
    fn only_errors_that_may_concern_tls_are_retried_differently() {
        let tried =
            |message: &str| may_need_other(&ConnectionError::BadConnection(message.to_owned()));
        assert!(tried("FATAL: no pg_hba.conf entry for host, no encryption"));
        assert!(tried("ERROR: connection is insecure (try using `sslmode=require`)"));
        assert!(!tried("connection refused"));
        assert!(!tried("FATAL: password authentication failed for user \"a\""));
    }
}
