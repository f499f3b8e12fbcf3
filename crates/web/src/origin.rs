//! Where a request comes from: the client's address and scheme, also behind proxies.
//!
//! Anyone can send the headers that proxies send, so they count only when the connection comes from a network that the
//! operator trusts. Each proxy appends the address that it saw, so the headers are read from the right, past the
//! trusted proxies, to the first hop that is not trusted: that is the client. An entry that cannot be read ends the
//! search at the last hop that could be read. When `Forwarded` and `X-Forwarded-For` name different clients, one of
//! them was sent by the client itself and passed through, and the proxy's own address counts.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::dev::ServiceRequest;
use actix_web::http::header::{
    FORWARDED, HeaderMap, HeaderName, X_FORWARDED_FOR, X_FORWARDED_PROTO,
};
use actix_web::{HttpMessage, HttpRequest};
use rfc7239::{Forwarded, NodeName};

use contact_hub_domain::webhooks::IpNetwork;

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Its address.
    pub(crate) address: IpAddr,
    /// Whether it speaks https to the proxy that it reached.
    pub(crate) is_https: bool,
}

/// One hop: who connected to a proxy, and by which scheme if the proxy says so.
type Hop = (IpAddr, Option<bool>);

impl Origin {
    /// The origin that [`Self::find`] stored in the request.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let found = request.extensions().get::<Self>().copied();
        found.unwrap_or_else(|| Self::direct(peer(request)))
    }

    /// Finds the origin of a request, once, and stores it in the request.
    pub(crate) fn find(request: &ServiceRequest, trusted: &[IpNetwork]) -> Self {
        let origin = found(peer(request.request()), request.headers(), trusted);
        request.extensions_mut().insert(origin);
        origin
    }

    const fn direct(address: IpAddr) -> Self {
        Self { address, is_https: false }
    }
}

/// Whether a connection from this address comes from a trusted proxy.
pub(crate) fn is_trusted(address: IpAddr, trusted: &[IpNetwork]) -> bool {
    trusted.iter().any(|network| network.contains(address.to_canonical()))
}

fn peer(request: &HttpRequest) -> IpAddr {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

fn found(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNetwork]) -> Origin {
    let direct = Origin::direct(peer);
    if !is_trusted(peer, trusted) {
        return direct;
    }
    let standard = client(forwarded(headers), trusted);
    let customary = client(x_forwarded(headers), trusted);
    let client = match (standard, customary) {
        (Some(one), Some(other)) if one.0 != other.0 => None,
        (Some((address, one)), Some((_, other))) => Some((address, one.or(other))),
        (one, other) => one.or(other),
    };
    client.map_or(direct, |(address, is_https)| Origin {
        address,
        is_https: is_https.unwrap_or(false),
    })
}

/// The first hop from the right that is no trusted proxy, else the last one that could be read.
fn client(hops: impl Iterator<Item = Option<Hop>>, trusted: &[IpNetwork]) -> Option<Hop> {
    let mut last = None;
    for hop in hops {
        let Some(hop) = hop else { break };
        last = Some(hop);
        if !is_trusted(hop.0, trusted) {
            break;
        }
    }
    last
}

/// The hops of `Forwarded` (RFC 7239), the nearest first; `None` where one names no address.
fn forwarded(headers: &HeaderMap) -> impl Iterator<Item = Option<Hop>> {
    lines(headers, &FORWARDED).into_iter().rev().flat_map(|line| {
        let hops: Vec<Option<Hop>> =
            rfc7239::parse(line).rev().map(|hop| hop.ok().and_then(hop_of)).collect();
        hops
    })
}

fn hop_of(hop: Forwarded<'_>) -> Option<Hop> {
    let is_https = hop.protocol.map(is_https);
    match hop.forwarded_for?.name {
        NodeName::Ip(address) => Some((address.to_canonical(), is_https)),
        NodeName::Unknown | NodeName::Obfuscated(_) => None,
    }
}

/// The hops of `X-Forwarded-For`, the nearest first. `X-Forwarded-Proto` has a scheme for each of them, or one for the
/// hop that reached the first proxy.
fn x_forwarded(headers: &HeaderMap) -> impl Iterator<Item = Option<Hop>> {
    let addresses = items(headers, &X_FORWARDED_FOR);
    let schemes = items(headers, &X_FORWARDED_PROTO);
    let each_has_one = schemes.len() == addresses.len();
    addresses.into_iter().enumerate().map(move |(place, text)| {
        let scheme = if each_has_one { schemes.get(place) } else { schemes.first() };
        Some((address(text)?, scheme.map(|text| is_https(text))))
    })
}

/// The items of a list header, the last first.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let lines = lines(headers, name).into_iter().rev();
    lines.flat_map(|line| line.rsplit(',').map(str::trim)).collect()
}

/// The lines of a header. A line that is not text counts as empty, which names no address.
fn lines<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    headers.get_all(name).map(|line| line.to_str().unwrap_or_default()).collect()
}

/// An address, also with a port or in brackets, as some proxies write it.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.parse().ok();
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    let in_brackets = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    bare.or_else(with_port).or_else(in_brackets).map(|address: IpAddr| address.to_canonical())
}

fn is_https(scheme: &str) -> bool {
    scheme.trim_matches('"').eq_ignore_ascii_case("https")
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

    use super::{Origin, found};

    fn origin(peer: &str, headers: &[(&'static str, &str)]) -> Origin {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().expect("a network"));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_str(value).expect("a value"),
            );
        }
        found(peer.parse::<IpAddr>().expect("an address").to_canonical(), &map, &trusted)
    }

    #[expect(clippy::too_many_lines, reason = "most of it is a table")]
    #[test]
    fn reads_from_the_right_to_the_first_hop_that_is_not_trusted() {
        for (headers, client, is_https) in [
            (vec![], "10.0.0.1", false),
            (vec![("x-forwarded-for", "203.0.113.9")], "203.0.113.9", false),
            (
                vec![("x-forwarded-for", "198.51.100.1, 203.0.113.9, 10.0.0.2")],
                "203.0.113.9",
                false,
            ),
            (
                vec![
                    ("x-forwarded-for", "198.51.100.1, 203.0.113.9"),
                    ("x-forwarded-for", "10.0.0.2"),
                ],
                "203.0.113.9",
                false,
            ),
            (vec![("x-forwarded-for", "203.0.113.9:4711")], "203.0.113.9", false),
            (vec![("x-forwarded-for", "[2001:db8::9]:4711")], "2001:db8::9", false),
            (vec![("x-forwarded-for", "[2001:db8::9]")], "2001:db8::9", false),
            (vec![("x-forwarded-for", "10.0.0.3, 10.0.0.2")], "10.0.0.3", false),
            (vec![("x-forwarded-for", "203.0.113.9, no address, 10.0.0.2")], "10.0.0.2", false),
            (vec![("x-forwarded-for", "")], "10.0.0.1", false),
            (
                vec![("x-forwarded-for", "203.0.113.9"), ("x-forwarded-proto", "https")],
                "203.0.113.9",
                true,
            ),
            (
                vec![
                    ("x-forwarded-for", "203.0.113.9, 10.0.0.2"),
                    ("x-forwarded-proto", "https, http"),
                ],
                "203.0.113.9",
                true,
            ),
            (vec![("forwarded", "for=203.0.113.9;proto=https")], "203.0.113.9", true),
            (
                vec![(
                    "forwarded",
                    "for=1.2.3.4, For=\"[2001:db8::9]:80\";Proto=HTTPS, for=10.0.0.2;proto=http",
                )],
                "2001:db8::9",
                true,
            ),
            (vec![("forwarded", "for=203.0.113.9, for=unknown, for=10.0.0.2")], "10.0.0.2", false),
            (vec![("forwarded", "for=203.0.113.9, ;;;, for=10.0.0.2")], "10.0.0.2", false),
            (vec![("forwarded", "for=\"a,b\", for=203.0.113.9")], "203.0.113.9", false),
            (
                vec![("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "203.0.113.9")],
                "203.0.113.9",
                false,
            ),
            (
                vec![("forwarded", "for=1.2.3.4;proto=https"), ("x-forwarded-for", "203.0.113.9")],
                "10.0.0.1",
                false,
            ),
        ] {
            let expected = Origin { address: client.parse().expect("an address"), is_https };
            assert_eq!(origin("10.0.0.1", &headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn anyone_elses_headers_are_ignored() {
        let sent = [
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-proto", "https"),
            ("forwarded", "for=203.0.113.9;proto=https"),
        ];
        for peer in ["192.0.2.1", "2001:db8::1"] {
            assert_eq!(origin(peer, &sent), Origin::direct(peer.parse().expect("an address")));
        }
        assert_eq!(origin("::ffff:10.0.0.1", &sent).address.to_string(), "203.0.113.9");
    }
}
