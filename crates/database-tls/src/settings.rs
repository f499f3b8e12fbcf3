//! How the connections of an address are encrypted, and their bounds.

use std::time::Duration;

use tokio_rustls::rustls::{SupportedProtocolVersion, version};

use crate::address::Address;
use crate::error::TlsError;
use crate::mode::Mode;

const NEWEST: [&SupportedProtocolVersion; 1] = [&version::TLS13];
const OLDER: [&SupportedProtocolVersion; 1] = [&version::TLS12];
const BOTH: [&SupportedProtocolVersion; 2] = [&version::TLS13, &version::TLS12];

/// The versions of TLS, in their order.
const VERSIONS: [&str; 4] = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"];

/// Parameters that are not supported. A list of revoked certificates that was ignored would let them pass.
const UNSUPPORTED: [&str; 4] = ["sslcrl", "sslcrldir", "sslpassword", "sslkeylogfile"];

/// The longest time for connecting, also where the address sets none.
const MAX_DEADLINE: Duration = Duration::from_mins(1);

/// How the connections of an address are encrypted.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    pub(crate) authorities: Authorities,
    pub(crate) identity: Option<Identity>,
    pub(crate) versions: &'static [&'static SupportedProtocolVersion],
    pub(crate) names_host: bool,
    pub(crate) negotiation: Negotiation,
    pub(crate) bounds: Bounds,
}

/// Whose certificates are accepted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Authorities {
    /// Any; the server is not verified.
    Unverified,
    /// Those that the system trusts.
    System,
    /// Those in a file.
    File(String),
}

/// The files by which a client identifies itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// How TLS begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Negotiation {
    /// The server is asked whether it has TLS.
    Asked,
    /// At once, which servers since PostgreSQL 17 permit.
    Direct,
}

/// The time limits of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// For the connection and TLS together. libpq's own limit is a little later, so that it gets the reason.
    pub(crate) open: Duration,
    /// For data that the server does not acknowledge.
    pub(crate) unacknowledged: Duration,
    /// How long nothing passes until the server is probed.
    pub(crate) idle: Duration,
    /// Between two probes.
    pub(crate) interval: Duration,
    /// How many probes may fail.
    pub(crate) probes: u32,
}

impl Settings {
    pub(crate) fn of(address: &Address<'_>, mode: Mode) -> Result<Self, TlsError> {
        if mode > Mode::Disable
            && let Some(name) = UNSUPPORTED.iter().find(|name| address.parameter(name).is_some())
        {
            return Err(TlsError::Unsupported(name));
        }
        if mode >= Mode::Require
            && address.parameter("channel_binding").is_some_and(|value| value == "require")
        {
            return Err(TlsError::Unsupported("channel_binding=require"));
        }
        Ok(Self {
            mode,
            authorities: Authorities::of(address, mode)?,
            identity: Identity::of(address)?,
            versions: versions(address)?,
            names_host: address.parameter("sslsni").is_none_or(|value| value != "0"),
            negotiation: Negotiation::of(address, mode)?,
            bounds: Bounds::of(address),
        })
    }
}

impl Authorities {
    fn of(address: &Address<'_>, mode: Mode) -> Result<Self, TlsError> {
        match address.parameter("sslrootcert") {
            Some(root) if root == "system" => Ok(Self::System),
            Some(file) if !file.is_empty() => Ok(Self::File(file)),
            _ if mode == Mode::VerifyFull => Ok(Self::System),
            // Every authority of the Internet would do, for any host.
            _ if mode == Mode::VerifyCa => {
                Err(TlsError::Conflict("sslmode=verify-ca needs sslrootcert=<file>"))
            }
            _ => Ok(Self::Unverified),
        }
    }
}

impl Identity {
    fn of(address: &Address<'_>) -> Result<Option<Self>, TlsError> {
        let usage = address.parameter("sslcertmode").unwrap_or_default();
        let given = |name| address.parameter(name).filter(|file| !file.is_empty());
        match (usage.as_str(), given("sslcert"), given("sslkey")) {
            ("disable", _, _) | ("" | "allow", None, _) => Ok(None),
            ("" | "allow" | "require", Some(certificate), Some(key)) => {
                Ok(Some(Self { certificate, key }))
            }
            ("" | "allow" | "require", Some(_), None) => {
                Err(TlsError::Conflict("sslcert needs sslkey"))
            }
            ("require", None, _) => Err(TlsError::Conflict("sslcertmode=require needs sslcert")),
            _ => Err(TlsError::Value { name: "sslcertmode", value: usage }),
        }
    }
}

impl Negotiation {
    fn of(address: &Address<'_>, mode: Mode) -> Result<Self, TlsError> {
        match address.parameter("sslnegotiation") {
            None => Ok(Self::Asked),
            Some(value) if value == "postgres" => Ok(Self::Asked),
            Some(value) if value != "direct" => {
                Err(TlsError::Value { name: "sslnegotiation", value })
            }
            Some(_) if mode >= Mode::Require => Ok(Self::Direct),
            Some(_) => {
                Err(TlsError::Conflict("sslnegotiation=direct needs sslmode=require or stricter"))
            }
        }
    }
}

impl Bounds {
    fn of(address: &Address<'_>) -> Self {
        let number = |name, otherwise: u32| {
            let value = address.parameter(name).and_then(|value| value.parse().ok());
            value.filter(|value| *value > 0).unwrap_or(otherwise)
        };
        let seconds = |name, otherwise| Duration::from_secs(number(name, otherwise).into());
        Self {
            open: seconds("connect_timeout", 5).min(MAX_DEADLINE) * 9 / 10,
            unacknowledged: Duration::from_millis(number("tcp_user_timeout", 10_000).into()),
            idle: seconds("keepalives_idle", 10),
            interval: seconds("keepalives_interval", 5),
            probes: number("keepalives_count", 3),
        }
    }
}

fn versions(
    address: &Address<'_>,
) -> Result<&'static [&'static SupportedProtocolVersion], TlsError> {
    let place = |name, otherwise| match address.parameter(name) {
        None => Ok(otherwise),
        Some(value) if value.is_empty() => Ok(otherwise),
        Some(value) => VERSIONS
            .iter()
            .position(|version| version.eq_ignore_ascii_case(&value))
            .ok_or(TlsError::Value { name, value }),
    };
    let least = place("ssl_min_protocol_version", 2)?;
    let most = place("ssl_max_protocol_version", 3)?;
    let permits = |version| least <= version && version <= most;
    match (permits(2), permits(3)) {
        (true, true) => Ok(&BOTH),
        (true, false) => Ok(&OLDER),
        (false, true) => Ok(&NEWEST),
        (false, false) => Err(TlsError::Conflict("only TLS 1.2 and 1.3 are supported")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(parameters: &str) -> Result<Settings, TlsError> {
        let url = format!("postgres://db/c?{parameters}");
        let address = Address::read(&url);
        let mode = Mode::of(&address, &address.hosts()?)?;
        Settings::of(&address, mode)
    }

    #[test]
    fn a_verified_connection_has_authorities() {
        let authorities = |parameters: &str| settings(parameters).map(|it| it.authorities);
        assert_eq!(authorities("sslmode=require"), Ok(Authorities::Unverified));
        assert_eq!(authorities("sslmode=verify-full"), Ok(Authorities::System));
        let file = Ok(Authorities::File("/x".to_owned()));
        assert_eq!(authorities("sslmode=require&sslrootcert=/x"), file);
        assert!(authorities("sslmode=verify-ca").is_err());
    }

    #[test]
    fn versions_are_limited_by_both_bounds() {
        let versions = |parameters: &str| settings(parameters).map(|it| it.versions.len());
        assert_eq!(versions(""), Ok(2));
        assert_eq!(versions("ssl_min_protocol_version=TLSv1"), Ok(2));
        assert_eq!(versions("ssl_min_protocol_version=tlsv1.3"), Ok(1));
        assert_eq!(versions("ssl_max_protocol_version=TLSv1.2"), Ok(1));
        assert!(versions("ssl_max_protocol_version=TLSv1.1").is_err());
        assert!(versions("ssl_max_protocol_version=4").is_err());
    }

    #[test]
    fn no_setting_that_makes_a_connection_safer_is_ignored() {
        for parameters in [
            "sslcrl=/x",
            "sslpassword=secret",
            "sslmode=require&channel_binding=require",
            "sslcert=/x",
            "sslcertmode=require",
            "sslnegotiation=direct",
        ] {
            let error = settings(parameters).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(settings("sslmode=disable&sslcrl=/x").is_ok());
    }

    #[test]
    fn the_bounds_are_read_from_the_address() {
        let bounds = settings("connect_timeout=10&tcp_user_timeout=7&keepalives_count=2").unwrap();
        assert_eq!(bounds.bounds.open, Duration::from_secs(9));
        assert_eq!(bounds.bounds.unacknowledged, Duration::from_millis(7));
        assert_eq!(bounds.bounds.probes, 2);
        assert_eq!(settings("connect_timeout=0").unwrap().bounds.open, Duration::from_millis(4500));
    }
}
