//! Answers that are rejected.

use std::time::{Duration, Instant};

use contact_hub_tests::{Browser, IdentityProvider, Script, TestHub};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{at_provider, location, signed_in, with_provider};

/// A sign-in with this script fails under this status, and nobody is signed in.
async fn refused(hub: &TestHub, provider: &IdentityProvider, script: Script, status: u16) {
    let told = format!("{script:?}");
    provider.play(script);
    let browser = Browser::new(&hub.base());
    let answer = signed_in(&browser, provider).await;
    assert_eq!(answer.status, status, "{told}: {}", answer.text);
    assert!(answer.text.contains("Not signed in"), "{told}");
    let _ = browser.get("/account").await.expect(303);
}

fn claims(claims: Value) -> Script {
    Script { claims, ..Script::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_token_signs_nobody_in() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let now = IdentityProvider::now();
        for wrong in [
            claims(json!({"nonce": "another"})),
            claims(json!({"nonce": null})),
            claims(json!({"aud": "another"})),
            claims(json!({"aud": ["hub", "another"]})),
            claims(json!({"azp": "another"})),
            claims(json!({"iss": "https://another.example"})),
            claims(json!({"exp": now - 120})),
            claims(json!({"iat": now - 3600})),
            claims(json!({"iat": now + 3600})),
            claims(json!({"at_hash": "another"})),
            claims(json!({"sub": ""})),
            claims(json!({"sub": "a\u{0}b"})),
            claims(json!({"sub": "x".repeat(300)})),
            Script { algorithm: "none", ..Script::default() },
            Script { algorithm: "HS256", ..Script::default() },
            Script { algorithm: "ES384", ..Script::default() },
            Script { signs_with_other_key: true, ..Script::default() },
            Script { refuses_codes: true, ..Script::default() },
        ] {
            refused(hub, provider, wrong, 422).await;
        }
        provider.play(claims(json!({"exp": now - 30, "azp": "hub", "aud": ["hub"]})));
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_accepted_once_and_in_one_browser() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let base = hub.base();
        let browser = Browser::new(&base);
        let others = Browser::new(&base);
        let _theirs = at_provider(&others, provider, "").await;
        let back = at_provider(&browser, provider, "").await;
        let kept = browser.at(&base);
        for stranger in [&Browser::new(&base), &others] {
            let answer = stranger.get(&back).await.expect(422);
            assert!(answer.text.contains("This sign-in is over"), "{}", answer.text);
        }
        let forged = back.replace("state=", "state=x");
        let _ = browser.get(&forged).await.expect(422);
        let _ = browser.get(&back).await.expect(303);
        let _ = kept.get(&back).await.expect(422);
        let _ = kept.get("/account").await.expect(303);

        let late = Browser::new(&base);
        let back = at_provider(&late, provider, "").await;
        hub.clock.advance(10 * 60);
        let _ = late.get(&back).await.expect(422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn images_on_another_site_cannot_disturb_signing_in() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let browser = Browser::new(&hub.base());
        for path in ["/sign-in/oidc/acme", "/sign-in/oidc/acme/callback?state=x&code=y"] {
            for destination in ["image", "iframe", "empty"] {
                for _ in 0..20 {
                    let request = browser.request(Method::GET, path);
                    let request = request.header("sec-fetch-dest", destination);
                    let _ = browser.send(request).await.expect(403);
                }
            }
        }
        let sent = browser.request(Method::GET, "/sign-in/oidc/acme");
        let sent = browser.send(sent.header("sec-fetch-dest", "document")).await.expect(303);
        let _ = browser.get(&provider.sign_in(location(&sent))).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lookups_of_unknown_providers_are_limited() {
    with_provider(json!({}), async |hub, _provider| {
        let browser = Browser::new(&hub.base());
        for path in ["", "/callback?state=x&code=y"] {
            let provider = Uuid::from_u128(1);
            for _ in 0..30 {
                let _ = browser.get(&format!("/sign-in/oidc/{provider}{path}")).await.expect(404);
            }
        }
        for path in ["", "/callback?state=x&code=y"] {
            let provider = Uuid::from_u128(1);
            let _ = browser.get(&format!("/sign-in/oidc/{provider}{path}")).await.expect(429);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_only_redirects_to_own_pages() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        for next in ["//evil.example", "https://evil.example", "/\\evil.example"] {
            let browser = Browser::new(&hub.base());
            let back = at_provider(&browser, provider, &format!("?next={next}")).await;
            assert_eq!(location(&browser.get(&back).await.expect(303)), "/", "{next}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_a_provider_are_shown_as_text() {
    with_provider(json!({}), async |hub, provider| {
        let browser = Browser::new(&hub.base());
        let back = at_provider(&browser, provider, "").await;
        let refusal = "error=access_denied&error_description=%3Cb%3ENo%3C/b%3E%07+today";
        let answer = browser.get(&back.replace("code=a-code", refusal)).await.expect(422);
        let shown = "It says: &#60;b&#62;No&#60;/b&#62; today (access_denied)";
        assert!(answer.text.contains(shown), "{}", answer.text);
        let _ = browser.get("/sign-in/oidc/unknown").await.expect(404);
        let _ = browser.get("/sign-in/oidc/unknown/callback?state=x&code=y").await.expect(404);
        let _ = browser.get("/sign-in/oidc/acme/callback").await.expect(422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_from_another_issuer_is_refused() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let discovery = json!({"authorization_response_iss_parameter_supported": true});
        provider.play(Script { discovery, ..Script::default() });
        let answer = async |issuer: Option<String>| {
            let browser = Browser::new(&hub.base());
            let back = at_provider(&browser, provider, "").await;
            let issuer = issuer.map(|issuer| format!("&iss={issuer}")).unwrap_or_default();
            browser.get(&format!("{back}{issuer}")).await.status
        };
        assert_eq!(answer(Some("https://another.example".to_owned())).await, 422);
        assert_eq!(answer(None).await, 422);
        assert_eq!(answer(Some(provider.issuer())).await, 303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_cannot_be_used_costs_little_and_can_recover() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        for script in [
            Script { padding: 1 << 30, ..Script::default() },
            Script { delay: Duration::from_mins(10), ..Script::default() },
            Script { discovery: json!({"issuer": "https://another.example"}), ..Script::default() },
            Script { discovery: json!({"jwks_uri": null}), ..Script::default() },
            Script {
                discovery: json!({"authorization_endpoint": "http://id.example/authorize"}),
                ..Script::default()
            },
            Script { discovery: json!({"jwks_uri": "http://10.0.0.1/keys"}), ..Script::default() },
        ] {
            let told = format!("{script:?}");
            provider.play(script);
            let started = Instant::now();
            let answer = Browser::new(&hub.base()).get("/sign-in/oidc/acme").await;
            assert_eq!(answer.status, 503, "{told}");
            assert!(answer.text.contains("cannot be reached now"), "{told}");
            assert!(started.elapsed() < Duration::from_secs(20), "{told}");
        }
        provider.play(Script::default());
        let _ = signed_in(&Browser::new(&hub.base()), provider).await.expect(303);
        let before = provider.requests().len();
        let _ = signed_in(&Browser::new(&hub.base()), provider).await.expect(303);
        let asked = provider.requests().split_off(before);
        assert_eq!(asked, ["/token"], "what it says of itself is kept");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_from_a_network_are_limited() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let browser = Browser::new(&hub.base());
        for _ in 0..10 {
            let _ = signed_in(&Browser::new(&hub.base()), provider).await.expect(303);
        }
        let mut statuses = Vec::new();
        for _ in 0..61 {
            statuses.push(browser.get("/sign-in/oidc/acme").await.status);
        }
        assert!(statuses[..60].iter().all(|status| *status == 303), "{statuses:?}");
        assert_eq!(statuses[60], 429, "those that succeeded did not count");
    })
    .await;
}
