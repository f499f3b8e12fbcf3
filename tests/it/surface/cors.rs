//! Pages of other origins, if the operator allows some.

use contact_hub_tests::{Answer, with_settings};
use reqwest::Method;

use crate::support::without_key;

const FRIEND: &str = "https://app.example.com";

/// Headers that scripts of other origins can only read if they are exposed.
const EXPOSED: [&str; 8] = [
    "etag",
    "location",
    "retry-after",
    "x-request-id",
    "x-ratelimit-remaining",
    "deprecation",
    "sunset",
    "link",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_origin_may_send_requests_and_read_every_header() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.cors_origins = vec![FRIEND.to_owned()];
    };
    with_settings(change, async |hub| {
        let preflight = without_key(hub, Method::OPTIONS, "/contacts/bulk")
            .header("Origin", FRIEND)
            .header("Access-Control-Request-Method", "DELETE")
            .header("Access-Control-Request-Headers", "authorization,content-type,if-match");
        let preflight = Answer::of(preflight).await;
        let preflight = preflight.expect(204);
        assert!(preflight.text.is_empty());
        assert_eq!(preflight.header("allow"), "DELETE, OPTIONS, POST");
        assert_eq!(preflight.header("access-control-allow-origin"), FRIEND);
        assert!(preflight.header("access-control-allow-methods").contains("DELETE"));
        let nothing = without_key(hub, Method::OPTIONS, "/nothing")
            .header("Origin", FRIEND)
            .header("Access-Control-Request-Method", "GET");
        Answer::of(nothing).await.expect_error(404, "NOT_FOUND");
        let client = hub.client().await;
        let request = client.request(Method::GET, "/fields").header("Origin", FRIEND);
        let answer = Answer::of(request).await.expect(200);
        assert_eq!(answer.header("access-control-allow-origin"), FRIEND);
        let exposed = answer.header("access-control-expose-headers").to_lowercase();
        for name in EXPOSED {
            assert!(exposed.contains(name), "{exposed}");
        }
        let refused = without_key(hub, Method::GET, "/fields").header("Origin", FRIEND);
        let refused = Answer::of(refused).await.expect_error(401, "UNAUTHENTICATED");
        assert_eq!(refused.header("access-control-allow-origin"), FRIEND);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_other_origin_is_rejected_and_plain_options_are_unchanged() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.cors_origins = vec![FRIEND.to_owned()];
    };
    with_settings(change, async |hub| {
        for origin in ["https://evil.example", "null", "http://app.example.com"] {
            let preflight = without_key(hub, Method::OPTIONS, "/fields")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "GET");
            let preflight = Answer::of(preflight).await.expect_error(403, "ACCESS_DENIED");
            assert!(preflight.headers.get("access-control-allow-origin").is_none(), "{origin}");
            assert!(!preflight.header("x-request-id").is_empty());
            assert!(preflight.text.contains("Pages of this origin"), "{}", preflight.text);
        }
        let plain = || without_key(hub, Method::OPTIONS, "/fields");
        let no_preflights = [
            plain(),
            plain().header("Origin", "https://evil.example"),
            plain().header("Access-Control-Request-Method", "GET"),
        ];
        for request in no_preflights {
            let answer = Answer::of(request).await.expect(204);
            assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS, POST");
            assert!(answer.headers.get("access-control-allow-origin").is_none());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_preflight_of_a_configured_origin_says_what_is_not_allowed() {
    let change = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.cors_origins = vec![FRIEND.to_owned()];
    };
    with_settings(change, async |hub| {
        for (method, headers, refused) in [
            ("TRACE", "authorization", "may not use this method"),
            ("GET", "authorization,x-other", "may not send one of these headers"),
            ("GET", "authorization,,", "malformed"),
        ] {
            let preflight = without_key(hub, Method::OPTIONS, "/fields")
                .header("Origin", FRIEND)
                .header("Access-Control-Request-Method", method)
                .header("Access-Control-Request-Headers", headers);
            let preflight = Answer::of(preflight).await.expect_error(403, "ACCESS_DENIED");
            assert!(preflight.text.contains(refused), "{}", preflight.text);
        }
    })
    .await;
}
