//! Who may read the metrics: no outside client, unless the operator permits it.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;

use crate::constant_time::is_equal;

/// Who may read the metrics of a server.
#[derive(Clone, PartialEq, Eq)]
pub enum MetricsAccess {
    /// Every client, for a separate listener.
    Everybody,
    /// Clients that send this token as `Authorization: Bearer …`.
    Token(String),
    /// Programs on the same machine that call the server directly and not through a proxy.
    SameMachine,
}

/// Headers that proxies add.
const FORWARDED: [&str; 5] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

impl MetricsAccess {
    /// Whether the request may read them.
    pub(crate) fn permits(&self, request: &HttpRequest) -> bool {
        match self {
            Self::Everybody => true,
            Self::Token(token) => bearer(request).is_some_and(|input| is_equal(input, token)),
            Self::SameMachine => is_direct(request),
        }
    }
}

fn bearer(request: &HttpRequest) -> Option<&str> {
    let header = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_direct(request: &HttpRequest) -> bool {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    let is_forwarded = FORWARDED.iter().any(|name| request.headers().contains_key(*name));
    peer.is_some_and(|peer| peer.is_loopback()) && !is_forwarded
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::MetricsAccess;

    #[test]
    fn without_a_token_only_direct_calls_of_the_same_machine_are_permitted() {
        let permitted = |peer: &str, header: (&'static str, &'static str)| {
            let peer = peer.parse().expect("an address");
            let request = TestRequest::default().peer_addr(peer).insert_header(header);
            MetricsAccess::SameMachine.permits(&request.to_http_request())
        };
        let plain = ("accept", "*/*");
        for peer in ["127.0.0.1:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            assert!(permitted(peer, plain), "{peer}");
            assert!(!permitted(peer, ("x-forwarded-for", "127.0.0.1")), "{peer}");
            assert!(!permitted(peer, ("forwarded", "for=127.0.0.1")), "{peer}");
        }
        assert!(!permitted("192.0.2.1:1", plain));
    }

    #[test]
    fn with_a_token_only_those_who_send_it_are_permitted() {
        let access = MetricsAccess::Token("0123456789abcdef".to_owned());
        for (header, expected) in [
            ("Bearer 0123456789abcdef", true),
            ("bearer 0123456789abcdef", true),
            ("Bearer 0123456789abcdeX", false),
            ("Bearer ", false),
            ("Basic 0123456789abcdef", false),
        ] {
            let request = TestRequest::default().insert_header(("authorization", header));
            let peer = "127.0.0.1:1".parse().expect("an address");
            let request = request.peer_addr(peer).to_http_request();
            assert_eq!(access.permits(&request), expected, "{header}");
        }
    }
}
