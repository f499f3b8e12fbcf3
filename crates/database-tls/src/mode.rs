//! When a connection is encrypted.

use crate::address::Address;
use crate::error::TlsError;
use crate::host::{Host, Kind};

/// A value of `sslmode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    Disable,
    Allow,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// The ways to a server, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Plain,
    PlainThenTls,
    TlsThenPlain,
    Tls,
}

impl Mode {
    /// The mode of an address.
    pub(crate) fn of(address: &Address<'_>, hosts: &[Host]) -> Result<Self, TlsError> {
        let is_system = address.parameter("sslrootcert").is_some_and(|root| root == "system");
        let is_required = address.parameter("ssl").is_some_and(|value| value == "true");
        let mode = match address.parameter("sslmode") {
            Some(mode) => Self::named(mode)?,
            None if is_required => Self::Require,
            None if is_system => Self::VerifyFull,
            None => Self::default_for(hosts),
        };
        if is_system && mode < Self::VerifyFull {
            return Err(TlsError::Conflict("sslrootcert=system needs sslmode=verify-full"));
        }
        Ok(mode)
    }

    fn named(mode: String) -> Result<Self, TlsError> {
        Ok(match mode.as_str() {
            "disable" => Self::Disable,
            "allow" => Self::Allow,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => return Err(TlsError::Value { name: "sslmode", value: mode }),
        })
    }

    /// Without a mode, connections are encrypted if the server can do it. Those that stay on this machine are encrypted only
    /// if the server insists.
    fn default_for(hosts: &[Host]) -> Self {
        if Host::are_local(hosts) { Self::Allow } else { Self::Prefer }
    }

    /// The ways to these servers.
    pub(crate) fn order(self, hosts: &[Host]) -> Result<Order, TlsError> {
        let has = |kind| hosts.iter().any(|host| host.kind() == kind);
        if self >= Self::Require && has(Kind::Unnamed) {
            return Err(TlsError::Conflict("TLS needs the name of a host"));
        }
        if !has(Kind::Tcp) || has(Kind::Unnamed) {
            return Ok(Order::Plain);
        }
        Ok(match self {
            Self::Disable => Order::Plain,
            Self::Allow => Order::PlainThenTls,
            Self::Prefer => Order::TlsThenPlain,
            Self::Require | Self::VerifyCa | Self::VerifyFull => Order::Tls,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(url: &str) -> Result<Order, TlsError> {
        let address = Address::read(url);
        let hosts = address.hosts()?;
        Mode::of(&address, &hosts)?.order(&hosts)
    }

    #[test]
    fn an_address_decides_whether_a_connection_is_encrypted() {
        for (url, expected) in [
            ("postgres://db/c", Order::TlsThenPlain),
            ("postgres://db/c?sslmode=prefer", Order::TlsThenPlain),
            ("postgres://localhost/c", Order::PlainThenTls),
            ("postgres://[::1]/c", Order::PlainThenTls),
            ("postgres://db/c?hostaddr=127.0.0.1", Order::PlainThenTls),
            ("postgres://127.0.0.1,db/c", Order::TlsThenPlain),
            ("postgres://localhost/c?sslmode=prefer", Order::TlsThenPlain),
            ("postgres://db/c?sslmode=allow", Order::PlainThenTls),
            ("postgres://db/c?sslmode=disable", Order::Plain),
            ("postgres://localhost/c?sslmode=require", Order::Tls),
            ("postgres://db/c?ssl=true", Order::Tls),
            ("postgres://db/c?sslrootcert=system", Order::Tls),
            ("postgres://db/c?sslmode=verify-full", Order::Tls),
            ("postgres://%2Frun/c?sslmode=require", Order::Plain),
            ("postgres:///c", Order::Plain),
        ] {
            assert_eq!(order(url), Ok(expected), "{url}");
        }
    }

    #[test]
    fn requirements_that_cannot_be_met_are_rejected() {
        for url in [
            "postgres://db/c?sslmode=verify_full",
            "postgres://db/c?sslmode=require&sslrootcert=system",
            "postgres:///c?sslmode=require",
        ] {
            assert!(order(url).is_err(), "{url}");
        }
    }
}
