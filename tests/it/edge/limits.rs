//! Calls that a limit rejects take few or no lookups.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contact_hub::settings::ServeSettings;
use contact_hub_domain::access::{KeyDraft, Token, create_key, revoke_key};
use contact_hub_domain::context::AccessPorts;
use contact_hub_domain::ids::ApiKeyId;
use contact_hub_tests::{Answer, Client, TestHub, with_idle_settings, with_settings};
use reqwest::Method;
use reqwest::header::COOKIE;

use crate::support::{get, without_key};

const fn limits(standard: u32, pages: u32) -> impl FnOnce(&mut ServeSettings) {
    move |settings| {
        settings.rate_limit_standard = standard;
        settings.edge.rate_limit_pages = pages;
    }
}

/// A well-formed token that does not exist.
fn unknown(n: u8) -> String {
    Token::from_random([n; 32]).reveal().to_owned()
}

/// The number of statements that these calls take, on a hub without background tasks.
async fn cost(hub: &TestHub, calls: impl AsyncFnOnce()) -> u64 {
    let before = hub.hub.storage.statements();
    calls().await;
    hub.hub.storage.statements() - before
}

async fn with_token(client: &Client, token: &str, path: &str) -> Answer {
    let mut client = client.clone();
    token.clone_into(&mut client.made.token);
    client.get(path).await
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_calls_of_a_user_share_one_lookup() {
    with_idle_settings(limits(3, 0), async |hub| {
        let client = hub.client().await;
        for _ in 0..3 {
            let _admitted = client.get("/contacts/x").await.expect(404);
        }
        let ports = &hub.hub.ports.access;
        // Revoking a key clears the instance's cache of all keys.
        let other = create_key(ports, None, client.made.user, &KeyDraft::default()).await.unwrap();
        revoke_key(ports, None, other.key.id).await.unwrap();
        let calls = async || {
            for _ in 0..20 {
                let _refused = client.get("/fields").await.expect(429);
            }
        };
        let began = Instant::now();
        let cost = cost(hub, calls).await;
        // A key is cached for 0.9 s.
        let most = 1 + began.elapsed().as_millis() / 900;
        assert!(u128::from(cost) <= most, "20 refused calls cost {cost} statements, not {most}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_gets_401_even_if_the_quota_of_its_user_is_exhausted() {
    with_settings(limits(3, 0), async |hub| {
        let ports = &hub.hub.ports.access;
        let client = hub.client().await;
        let mut keys = Vec::new();
        for _ in 0..2 {
            let key =
                create_key(ports, None, client.made.user, &KeyDraft::default()).await.unwrap();
            let _known = with_token(&client, key.token.reveal(), "/fields").await.expect(200);
            keys.push(key);
        }
        let _last = client.get("/fields").await.expect(200);
        let (here, elsewhere) = (keys.remove(0), keys.remove(0));
        for key in [&here, &elsewhere] {
            let _spent = with_token(&client, key.token.reveal(), "/fields").await.expect(429);
        }
        revoke_key(ports, None, here.key.id).await.unwrap();
        let _revoked = with_token(&client, here.token.reveal(), "/fields").await.expect(401);
        let _valid = client.get("/fields").await.expect(429);
        let deadline = Instant::now() + Duration::from_secs(30);
        revoke_elsewhere(hub, elsewhere.key.id).await;
        while with_token(&client, elsewhere.token.reveal(), "/fields").await.status != 401 {
            assert!(Instant::now() < deadline, "the key is never refused for what it is");
        }
    })
    .await;
}

/// Revokes a key as another instance does, without this instance noticing.
async fn revoke_elsewhere(hub: &TestHub, id: ApiKeyId) {
    let other =
        AccessPorts { access: Arc::new(hub.database.storage()), ..hub.hub.ports.access.clone() };
    revoke_key(&other, None, id).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_a_key_or_with_a_malformed_one_take_no_statement() {
    with_idle_settings(limits(1000, 0), async |hub| {
        let client = hub.client().await;
        let calls = async || {
            for _ in 0..20 {
                let none = Answer::of(without_key(hub, Method::GET, "/fields")).await;
                let _none = none.expect_error(401, "UNAUTHENTICATED");
                let malformed = with_token(&client, "hub_nothing", "/fields").await;
                let _malformed = malformed.expect_error(401, "UNAUTHENTICATED");
            }
        };
        assert_eq!(cost(hub, calls).await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_guesses_keys_causes_few_lookups() {
    with_idle_settings(limits(4, 0), async |hub| {
        let client = hub.client().await;
        let known = client.get("/fields").await.expect(200);
        assert_eq!(known.header("x-ratelimit-remaining"), "3");
        let before = hub.hub.storage.statements();
        for n in 0..4 {
            let _unknown = with_token(&client, &unknown(n), "/fields").await.expect(401);
        }
        assert!(hub.hub.storage.statements() > before, "an unknown key is looked up");
        let mut n = 10;
        let guesses = async || {
            for _ in 0..40 {
                n += 1;
                let _refused = with_token(&client, &unknown(n), "/fields").await.expect(429);
            }
        };
        assert_eq!(cost(hub, guesses).await, 0);
        let _none = Answer::of(without_key(hub, Method::GET, "/fields")).await.expect(429);
        let known = client.get("/fields").await.expect(200);
        assert_eq!(known.header("x-ratelimit-remaining"), "2", "a key that was seen works on");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_gets_401_and_does_not_use_the_quota_of_its_user() {
    with_settings(limits(3, 0), async |hub| {
        let ports = &hub.hub.ports.access;
        let client = hub.client().await;
        let key = create_key(ports, None, client.made.user, &KeyDraft::default()).await.unwrap();
        let token = key.token.reveal().to_owned();
        let _works = with_token(&client, &token, "/fields").await.expect(200);
        revoke_key(ports, None, key.key.id).await.unwrap();
        let _revoked = with_token(&client, &token, "/fields").await.expect(401);
        let own = client.get("/fields").await.expect(200);
        assert_eq!(own.header("x-ratelimit-remaining"), "1");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_a_separate_bucket_for_each_user() {
    with_idle_settings(limits(2, 6), async |hub| {
        let (browser, client) = hub.browser().await;
        // The browser opened one page when it signed in.
        for _ in 1..6 {
            let _page = browser.get("/fields").await.expect(200);
        }
        let refused = browser.get("/fields").await.expect(429);
        assert!(refused.text.contains("Too many"), "{}", refused.text);
        let wait: i64 = refused.header("retry-after").parse().expect("whole seconds");
        assert_eq!(
            cost(hub, async || {
                for _ in 0..50 {
                    let _refused = browser.get("/fields").await.expect(429);
                }
            })
            .await,
            0
        );
        let _api = client.get("/fields").await.expect(200);
        let _file = browser.get("/static/pages.css").await.expect(200);
        hub.clock.advance(wait);
        let _waited = browser.get("/fields").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_sessions_take_a_bounded_number_of_statements_and_do_not_block_sign_in() {
    with_idle_settings(limits(0, 5), async |hub| {
        let session = |n: u8| {
            let token = contact_hub_domain::access::SessionToken::from_random([n; 32]);
            format!("contact-hub-session={}", token.reveal())
        };
        let page = async |cookie: String, path: &str| {
            let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
            let request = http.build().unwrap().get(format!("{}{path}", hub.base()));
            Answer::of(request.header(COOKIE, cookie)).await
        };
        for n in 0..5 {
            let _sign_in = page(session(n), "/fields").await.expect(303);
        }
        // From here on, it is cached whether any company has an identity provider.
        let _sign_in = get(hub, "/sign-in").await.expect(200);
        let mut n = 5;
        let calls = async || {
            for _ in 0..20 {
                n += 1;
                let _refused = page(session(n), "/fields").await.expect(429);
                let _open = page(session(n), "/sign-in").await.expect(200);
                let _malformed =
                    page("contact-hub-session=x".to_owned(), "/fields").await.expect(303);
                let _none = get(hub, "/sign-in").await.expect(200);
            }
        };
        assert_eq!(cost(hub, calls).await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn static_files_of_the_pages_take_no_statement() {
    with_idle_settings(limits(0, 0), async |hub| {
        let (browser, _) = hub.browser().await;
        let calls = async || {
            for file in ["pages.css", "pages.js", "import.js", "papaparse.js", "icon.svg"] {
                let _file = browser.get(&format!("/static/{file}")).await.expect(200);
            }
        };
        assert_eq!(cost(hub, calls).await, 0);
    })
    .await;
}
