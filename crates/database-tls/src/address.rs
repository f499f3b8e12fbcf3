//! An address of libpq, `postgres://user:password@host:port,host/database?name=value`, read as libpq reads it.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::TlsError;
use crate::host::Host;

const DEFAULT_PORT: &str = "5432";

/// Parameters that decide about TLS. libpq without OpenSSL rejects some of them.
const OF_TLS: [&str; 15] = [
    "ssl",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslpassword",
    "sslcrl",
    "sslcrldir",
    "sslsni",
    "sslcompression",
    "sslcertmode",
    "sslnegotiation",
    "sslkeylogfile",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
];

/// Parameters that say where the servers are.
const OF_PLACE: [&str; 3] = ["host", "hostaddr", "port"];

/// The parts of an address, as they are written.
pub(crate) struct Address<'a> {
    scheme: &'a str,
    /// With the `@`.
    user: &'a str,
    hosts: &'a str,
    /// With the `/`.
    path: &'a str,
    parameters: Vec<(String, &'a str)>,
}

impl<'a> Address<'a> {
    pub(crate) fn read(url: &'a str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        // A password may contain a question mark.
        let user = match rest.find(['@', '/']) {
            Some(end) if rest.get(end..).is_some_and(|rest| rest.starts_with('@')) => end + 1,
            _ => 0,
        };
        let (user, rest) = rest.split_at_checked(user).unwrap_or(("", rest));
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (hosts, path) =
            place.split_at_checked(place.find('/').unwrap_or(place.len())).unwrap_or((place, ""));
        let parameters = query.split('&').filter(|pair| !pair.is_empty());
        let parameters = parameters.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let parameters = parameters.map(|(name, value)| (decoded(name), value)).collect();
        Self { scheme, user, hosts, path, parameters }
    }

    /// The value of a parameter; the last one counts.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let mut named = self.parameters.iter().rev().filter(|(it, _)| it == name);
        named.next().map(|(_, value)| decoded(value))
    }

    /// The servers, in their order.
    pub(crate) fn hosts(&self) -> Result<Vec<Host>, TlsError> {
        if self.hosts.contains('@') {
            // The text after the first one would be mistaken for a host, and appear in messages.
            return Err(TlsError::Conflict("an @ of the user or the password must be written %40"));
        }
        let (written, ports): (Vec<String>, Vec<String>) =
            self.hosts.split(',').map(host_and_port).unzip();
        let list = |name| self.parameter(name).map(|list: String| split(&list));
        let names = list("host").unwrap_or(written);
        let ips = list("hostaddr").unwrap_or_default();
        let ports = list("port").unwrap_or(ports);
        let count = names.len().max(ips.len());
        if !ips.is_empty() && ips.len() != count {
            return Err(TlsError::Conflict("the numbers of hosts and of hostaddr differ"));
        }
        if ports.len() != 1 && ports.len() != count {
            return Err(TlsError::Conflict("the numbers of hosts and ports differ"));
        }
        let at = |list: &[String], place: usize| list.get(place).cloned().unwrap_or_default();
        let hosts = (0..count).map(|place| {
            let port = if ports.len() == 1 { at(&ports, 0) } else { at(&ports, place) };
            let port = if port.is_empty() { DEFAULT_PORT } else { &port };
            let port = port.trim().parse();
            let ip = Some(at(&ips, place)).filter(|ip| !ip.is_empty());
            Ok(Host {
                name: at(&names, place),
                ip,
                port: port.map_err(|_invalid| {
                    TlsError::Conflict("a port is not a number from 1 to 65535")
                })?,
            })
        });
        hosts.collect()
    }

    /// The same address, in plain.
    pub(crate) fn without_tls(&self) -> String {
        self.written(self.hosts, &OF_TLS, &[])
    }

    /// The same address with other places for its servers, in plain.
    pub(crate) fn at(&self, places: &[(String, u16)]) -> String {
        let joined = |parts: Vec<String>| encoded(&parts.join(","));
        let hosts = joined(places.iter().map(|(host, _)| host.clone()).collect());
        let ports = joined(places.iter().map(|(_, port)| port.to_string()).collect());
        let removed = [OF_TLS.as_slice(), OF_PLACE.as_slice()].concat();
        // Without an empty one libpq would connect to an address from its environment or from a service file instead.
        let mut added = vec![("host", hosts), ("hostaddr", String::new()), ("port", ports)];
        // Otherwise a mode that libpq takes from the environment stays in force, which it then rejects.
        if self.parameters.iter().any(|(name, _)| OF_TLS.contains(&name.as_str())) {
            added.push(("sslmode", "disable".to_owned()));
        }
        self.written("", &removed, &added)
    }

    fn written(&self, hosts: &str, removed: &[&str], added: &[(&str, String)]) -> String {
        let kept = self.parameters.iter().filter(|(name, _)| !removed.contains(&name.as_str()));
        let kept = kept.map(|(name, value)| format!("{}={value}", encoded(name)));
        let added = added.iter().map(|(name, value)| format!("{name}={value}"));
        let query: Vec<String> = kept.chain(added).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let Self { scheme, user, path, .. } = self;
        format!("{scheme}://{user}{hosts}{path}{mark}{}", query.join("&"))
    }
}

/// A host as it is written, and its port, which may be empty.
fn host_and_port(text: &str) -> (String, String) {
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host, port) = match bracketed {
        Some((host, rest)) => (host, rest.strip_prefix(':').unwrap_or_default()),
        None => text.split_once(':').unwrap_or((text, "")),
    };
    (decoded(host), decoded(port))
}

fn split(list: &str) -> Vec<String> {
    list.split(',').map(str::to_owned).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hosts(url: &str) -> Vec<(String, Option<String>, u16)> {
        let hosts = Address::read(url).hosts().expect(url);
        hosts.into_iter().map(|host| (host.name, host.ip, host.port)).collect()
    }

    fn named(name: &str, port: u16) -> (String, Option<String>, u16) {
        (name.to_owned(), None, port)
    }

    #[test]
    fn servers_are_found_where_libpq_finds_them() {
        assert_eq!(hosts("postgres://a:b@db.example/c"), [named("db.example", 5432)]);
        assert_eq!(hosts("postgresql://a:p?w@db:6432"), [named("db", 6432)]);
        assert_eq!(hosts("postgres://[::1]:7/c?x=a@b"), [named("::1", 7)]);
        assert_eq!(hosts("postgres://a,b:2/c"), [named("a", 5432), named("b", 2)]);
        assert_eq!(hosts("postgres:///c"), [named("", 5432)]);
        assert_eq!(hosts("postgres://%2Frun%2Fpg/c"), [named("/run/pg", 5432)]);
        assert_eq!(hosts("postgres://a:1@x/c?host=y,z&port=4"), [named("y", 4), named("z", 4)]);
        let both = ("db".to_owned(), Some("10.0.0.1".to_owned()), 5432);
        assert_eq!(hosts("postgres://db/c?hostaddr=10.0.0.1"), [both]);
    }

    #[test]
    fn servers_that_cannot_be_distinguished_are_rejected() {
        for url in [
            "postgres://a:b@c@d/e",
            "postgres://a,b?hostaddr=::1",
            "postgres://a,b,c?port=1,2",
            "postgres://a:70000",
        ] {
            assert!(Address::read(url).hosts().is_err(), "{url}");
        }
    }

    #[test]
    fn the_address_of_the_tunnel_has_the_rest_of_the_original() {
        let url = "postgres://us%40er:p%2Fw@db:6432/na%20me?sslmode=verify-full&hostaddr=::1\
                   &application_name=a%26b&sslrootcert=/x";
        let address = Address::read(url);
        let places = [("@hub/db".to_owned(), 6432), ("@hub/b".to_owned(), 1)];
        assert_eq!(
            address.at(&places),
            "postgres://us%40er:p%2Fw@/na%20me?application%5Fname=a%26b\
             &host=%40hub%2Fdb%2C%40hub%2Fb&hostaddr=&port=6432%2C1&sslmode=disable"
        );
        assert_eq!(
            address.without_tls(),
            "postgres://us%40er:p%2Fw@db:6432/na%20me?hostaddr=::1&application%5Fname=a%26b"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_without_a_panic_and_survives_a_round_trip(url in ".*", value in "[^&]*") {
            let _any = Address::read(&url).hosts();
            let encoded = encoded(&value);
            let url = format!("postgres://u:p@h/d?a={encoded}&sslmode=require");
            let written = Address::read(&url).at(&[("@x".to_owned(), 5)]);
            let read = Address::read(&written);
            prop_assert_eq!(read.parameter("a"), Some(value));
            let hosts = read.hosts().unwrap();
            prop_assert_eq!(hosts, [Host { name: "@x".to_owned(), ip: None, port: 5 }]);
        }
    }
}
