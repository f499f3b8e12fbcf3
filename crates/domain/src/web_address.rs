//! Web addresses that are stored and shown as they were submitted.

use url::{Host, Url};

use crate::text;
use crate::violations::Problem;

/// Parses an absolute http or https address of at most `max` code points. It is trimmed and otherwise unchanged.
pub fn absolute(text: &str, max: usize) -> Result<&str, Problem> {
    let address = text::bounded(text::trimmed(text), max)?;
    if !is_absolute_http(address) {
        return Err(Problem::new("must be an absolute http or https URL"));
    }
    Ok(address)
}

/// Whether an address refers to this machine, so that traffic without TLS never leaves it.
#[must_use]
pub fn leads_here(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The WHATWG parser corrects typing errors. An address that is stored and shown must not need a correction.
fn is_absolute_http(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let after_scheme = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://"));
    let has_host = after_scheme.is_some_and(|rest| !rest.starts_with(['/', '\\', '?', '#']));
    let is_clean = !address.contains(|c: char| c.is_control() || c.is_whitespace());
    has_host && is_clean && Url::parse(address).is_ok_and(|url| url.has_host())
}
