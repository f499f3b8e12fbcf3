//! Payload addresses of webhooks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::Guard;
use crate::text;
use crate::texts::texts;
use crate::violations::Problem;

/// The longest payload address, in code points.
pub const MAX_PAYLOAD_URL: usize = 2048;

texts! {
    /// An absolute http or https address without user info and fragment, kept as submitted. The operator's [`UrlPolicy`]
    /// decides whether it may be used.
    PayloadUrl, read;
}

/// The payload addresses that the operator allows.
#[derive(Clone, Debug, Default)]
pub struct UrlPolicy {
    /// Whether http is allowed, not only https.
    pub allow_http: bool,
    /// The network addresses to which webhooks may connect.
    pub guard: Guard,
}

impl PayloadUrl {
    /// The host in lower case, with the port if the address has one. It identifies the receiver.
    #[must_use]
    pub fn host(&self) -> String {
        let rest = self.0.split_once("://").map_or(self.0.as_str(), |(_scheme, rest)| rest);
        rest.split(['/', '?']).next().unwrap_or_default().to_ascii_lowercase()
    }
}

impl UrlPolicy {
    /// Validates an address by its scheme, and by its host if that is an IP address or a name of this machine. Other
    /// names are validated when a connection is opened, because their addresses are known only then.
    pub fn permit(&self, url: &PayloadUrl) -> Result<(), Problem> {
        let Ok(parsed) = Url::parse(url.as_str()) else {
            return Err(Problem::new("must be an absolute http or https URL"));
        };
        if parsed.scheme() != "https" && !self.allow_http {
            return Err(Problem::new("must be an https URL"));
        }
        if self.permits_host(&parsed) {
            return Ok(());
        }
        Err(Problem::new("must not lead to a private or otherwise special address"))
    }

    fn permits_host(&self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Ipv4(address)) => self.guard.permits(address.into()),
            Some(Host::Ipv6(address)) => self.guard.permits(address.into()),
            Some(Host::Domain(name)) => !is_this_machine(name) || self.permits_loopback(),
            None => false,
        }
    }

    fn permits_loopback(&self) -> bool {
        let loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
        loopback.iter().any(|address| self.guard.permits(*address))
    }
}

fn read(text: &str) -> Result<&str, Problem> {
    let address = text::bounded(text::trimmed(text), MAX_PAYLOAD_URL)?;
    // A fragment begins at the first number sign, and is never sent.
    let address = address.split_once('#').map_or(address, |(before, _)| before);
    let Some(authority) = authority(address) else {
        return Err(Problem::new("must be an absolute http or https URL"));
    };
    if authority.contains('@') {
        return Err(Problem::new("must not contain a user name or password"));
    }
    Ok(address)
}

/// The text between the slashes and the path of an http or https address. The WHATWG parser corrects typing errors. An
/// address that is stored and shown must not need a correction.
fn authority(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let is_http = ["http", "https"].iter().any(|http| scheme.eq_ignore_ascii_case(http));
    let is_clean = !address.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\');
    let authority = rest.split(['/', '?']).next().filter(|authority| !authority.is_empty())?;
    let is_read = is_http && is_clean && Url::parse(address).is_ok_and(|url| url.has_host());
    is_read.then_some(authority)
}

/// RFC 6761, section 6.3.
fn is_this_machine(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::{PayloadUrl, UrlPolicy};
    use crate::input::FromText;
    use crate::webhooks::Guard;

    #[test]
    fn a_host_includes_the_port_but_not_path_or_query() {
        for (url, host) in [
            ("https://A.example/hook?x=/", "a.example"),
            ("http://10.0.0.1:8080", "10.0.0.1:8080"),
            ("https://a.example?x", "a.example"),
        ] {
            assert_eq!(PayloadUrl::from_text(url).map(|url| url.host()), Ok(host.to_owned()));
        }
    }

    fn permits(policy: &UrlPolicy, text: &str) -> bool {
        policy.permit(&PayloadUrl::from_text(text).expect(text)).is_ok()
    }

    #[test]
    fn keeps_a_url_as_submitted_without_its_fragment() {
        for (submitted, kept) in [
            (" https://example.com ", "https://example.com"),
            ("HTTPS://Example.com:8443/a?b=c#d#e", "HTTPS://Example.com:8443/a?b=c"),
            ("https://exämple.de/@x?y=@", "https://exämple.de/@x?y=@"),
        ] {
            assert_eq!(PayloadUrl::from_text(submitted).expect(submitted).as_str(), kept);
        }
    }

    #[test]
    fn rejects_malformed_urls() {
        let long = format!("https://example.com/{}", "x".repeat(2048));
        for text in [
            "",
            "example.com",
            "//example.com",
            "https:example.com",
            "https:///example.com",
            "https://",
            "https://?x",
            "ftp://example.com",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://example.com\\@10.0.0.1/",
            "https://exam ple.com/",
            "https://exam\nple.com/",
            "https://example.com:99999/",
            "https://[::1/",
            "https://user@example.com/",
            "https://user:password@example.com/",
            "https://@example.com/",
            "https://:@example.com/",
            long.as_str(),
        ] {
            assert!(PayloadUrl::from_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn http_must_be_allowed_by_the_operator() {
        let mut policy = UrlPolicy::default();
        assert!(permits(&policy, "https://example.com/"));
        assert!(!permits(&policy, "http://example.com/"));
        policy.allow_http = true;
        assert!(permits(&policy, "http://example.com/"));
    }

    #[test]
    fn every_spelling_of_a_special_address_is_refused() {
        let policy = UrlPolicy::default();
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "127.1",
            "127.0.1",
            "127.0.0.1.",
            "0",
            "0xa9fea9fe",
            "１２７.0.0.1",
            "127。0。0。1",
            "%31%32%37.0.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::a00:1]",
            "[fe80::1]",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
        ] {
            assert!(!permits(&policy, &format!("https://{host}/")), "{host}");
        }
        for host in ["8.8.8.8", "134744072", "[2606:4700::1111]", "localhost.example.com"] {
            assert!(permits(&policy, &format!("https://{host}/")), "{host}");
        }
    }

    #[test]
    fn the_operator_may_allow_a_network() {
        let guard = Guard::new(vec!["127.0.0.0/8".parse().expect("a network")]);
        let policy = UrlPolicy { allow_http: true, guard };
        for allowed in ["http://127.0.0.1:9/", "http://localhost/", "http://[::ffff:127.0.0.1]/"] {
            assert!(permits(&policy, allowed), "{allowed}");
        }
        assert!(!permits(&policy, "http://10.0.0.1/"));
        assert!(!permits(&policy, "http://[::1]/"));
    }
}
