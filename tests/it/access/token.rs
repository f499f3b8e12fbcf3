//! Which keys are valid, and how they are sent.

use contact_hub_tests::{Answer, CompanyOptions, with_hub, with_idle_hub};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::support::{execute, statements_of, without_key};

/// Fails the test unless it is a 401 as documented.
fn refused(answer: Answer) {
    let answer = answer.expect_error(401, "UNAUTHENTICATED");
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    assert!(!answer.header("x-request-id").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_a_key_is_refused() {
    with_hub(async |hub| {
        hub.client().await;
        refused(Answer::of(without_key(hub, Method::GET, "/fields")).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_never_existed_is_refused() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        let (body, last) = token.split_at(token.len() - 1);
        let mistyped = format!("{body}{}", if last == "x" { "y" } else { "x" });
        let other = contact_hub_domain::access::Token::from_random([7; 32]);
        for sent in [
            "x",
            "null",
            "hub_",
            &mistyped,
            &token.to_lowercase(),
            token.split_at(1).1,
            token.split_at(token.len() - 1).0,
            &format!("{token}{token}"),
            &format!("{token} {token}"),
            &format!("{token},"),
            other.reveal(),
            &"x".repeat(5000),
        ] {
            let request = without_key(hub, Method::GET, "/fields").bearer_auth(sent);
            refused(Answer::of(request).await);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_header_is_refused() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        let latin = [b"Bearer \xe9".as_slice(), token.as_bytes()].concat();
        for sent in [
            b"".as_slice(),
            b"Bearer",
            b"Bearer ",
            token.as_bytes(),
            format!("Bearer{token}").as_bytes(),
            format!("Basic {token}").as_bytes(),
            format!("Token {token}").as_bytes(),
            format!("Bearer Bearer {token}").as_bytes(),
            format!("Bearer token={token}").as_bytes(),
            format!("Bearer \"{token}\"").as_bytes(),
            format!("Basic x, Bearer {token}").as_bytes(),
            &latin,
        ] {
            let value = HeaderValue::from_bytes(sent).unwrap();
            let request = without_key(hub, Method::GET, "/fields").header(AUTHORIZATION, value);
            refused(Answer::of(request).await);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheme_is_case_insensitive() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            let value = format!("{scheme} {token}");
            let request = without_key(hub, Method::GET, "/fields").header(AUTHORIZATION, value);
            let _ = Answer::of(request).await.expect(200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_authorization_headers_are_refused() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        for other in [format!("Bearer {token}"), "Bearer x".to_owned(), "Basic eDp5".to_owned()] {
            let request = without_key(hub, Method::GET, "/fields")
                .header(AUTHORIZATION, format!("Bearer {token}"))
                .header(AUTHORIZATION, other);
            refused(Answer::of(request).await);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_any_other_place_is_ignored() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        let path = format!("/fields?access_token={token}&token={token}");
        let request = without_key(hub, Method::GET, &path)
            .header("X-Api-Key", &token)
            .header("Proxy-Authorization", format!("Bearer {token}"))
            .header("Cookie", format!("token={token}"));
        refused(Answer::of(request).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_valid_until_the_moment_it_expires() {
    with_hub(async |hub| {
        let expires = hub.hub.ports.environment.clock.now().plus_seconds(3600).to_text(0);
        let options = CompanyOptions { expires_at: Some(expires), ..CompanyOptions::default() };
        let client = hub.client_of(&options).await;
        let _ = client.get("/fields").await.expect(200);
        hub.clock.advance(3500);
        let _ = client.get("/fields").await.expect(200);
        hub.clock.advance(100);
        refused(client.get("/fields").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_does_not_hold_the_token() {
    with_hub(async |hub| {
        let token = hub.client().await.made.token;
        let _used = Answer::of(without_key(hub, Method::GET, "/fields").bearer_auth(&token)).await;
        if hub.database.is_postgres() {
            let held =
                format!("EXISTS (SELECT FROM api_keys k WHERE strpos(k::text, '{token}') > 0)");
            let check =
                format!("DO $$ BEGIN IF {held} THEN RAISE EXCEPTION 'held'; END IF; END $$");
            execute(&hub.database, &check);
            return;
        }
        for file in std::fs::read_dir(hub.database.directory()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!bytes.windows(token.len()).any(|part| part == token.as_bytes()));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cached_key_takes_no_statement() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let call = async || {
            let _ = client.get("/contacts/no-id").await.expect(404);
        };
        assert_eq!(statements_of(hub, call).await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_cannot_exist_takes_no_statement() {
    with_idle_hub(async |hub| {
        let call = async || {
            let request = without_key(hub, Method::GET, "/fields").bearer_auth("hub_nonsense");
            refused(Answer::of(request).await);
        };
        assert_eq!(statements_of(hub, call).await, 0);
    })
    .await;
}
