//! A user without a password confirms their identity at the provider.

use contact_hub_domain::access::{CredentialId, NewCredential, NewPasskey, Passkey, PasskeyName};
use contact_hub_domain::author::Call;
use contact_hub_domain::ids::PasskeyId;
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{Browser, IdentityProvider, Script};
use serde_json::json;
use uuid::Uuid;

use super::{location, signed_in, with_provider};

const KEYS: &str = "/account/api-access/keys";

/// Longer than a proof is valid, in seconds.
const A_WHILE: u64 = 11 * 60;

#[tokio::test(flavor = "multi_thread")]
async fn confirming_requires_a_new_proof_by_the_same_user() {
    with_provider(json!({}), async |hub, provider| {
        let _client = hub.client().await;
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
        let page = browser.get("/account").await.expect(200);
        let token = contact_hub_tests::field(&page.text, "csrf_token").unwrap();
        let post = async || browser.post(KEYS, &[("csrf_token", &token), ("name", "CI")]).await;
        let _ = post().await.expect(200);
        hub.clock.advance(i64::try_from(A_WHILE).unwrap());
        let asked = post().await.expect(403);
        assert!(asked.text.contains("Confirm with Acme &#38; Co"), "{}", asked.text);
        assert!(asked.text.contains("href=\"/account/confirm/acme\""), "{}", asked.text);
        let confirmed = async |claims, status| {
            provider.play(Script { claims, ahead: A_WHILE, ..Script::default() });
            let path = "/account/confirm/acme?next=/account/api-access";
            let sent = browser.get(path).await.expect(303);
            let asked = provider.ask(location(&sent));
            for pair in [("prompt", "login"), ("max_age", "0")] {
                assert!(asked.contains(&(pair.0.to_owned(), pair.1.to_owned())), "{asked:?}");
            }
            browser.get(&provider.sign_in(location(&sent))).await.expect(status)
        };
        let _ = confirmed(json!({"auth_time": IdentityProvider::now()}), 403).await;
        let _ = confirmed(json!({"auth_time": null}), 403).await;
        let _ = confirmed(json!({"sub": "eve-2"}), 403).await;
        let _ = post().await.expect(403);
        let done = confirmed(json!({}), 303).await;
        assert_eq!(location(&done), "/account/api-access");
        let _ = post().await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_of_another_domain_does_not_hide_the_provider() {
    with_provider(json!({}), async |hub, provider| {
        let client = hub.client().await;
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
        let name = PasskeyName::from_stored("Laptop".to_owned());
        let (id, now) = (PasskeyId::new(Uuid::from_u128(1)), hub.clock.now());
        let new = NewPasskey {
            passkey: Passkey { id, name, created_at: now, last_used_at: None },
            user: client.made.user,
            credential: NewCredential { id: CredentialId::new(vec![1]), key: "{}".to_owned() },
        };
        let passkeys = &hub.hub.ports.access.passkeys;
        passkeys.add_passkey(new, 1, Call::default()).await.expect("the store answers");
        hub.clock.advance(i64::try_from(A_WHILE).unwrap());
        let page = browser.get("/account").await.expect(200);
        let token = contact_hub_tests::field(&page.text, "csrf_token").unwrap();
        let asked = browser.post(KEYS, &[("csrf_token", &token), ("name", "CI")]).await.expect(403);
        assert!(asked.text.contains("href=\"/account/confirm/acme\""), "{}", asked.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_belongs_to_its_session() {
    with_provider(json!({}), async |hub, provider| {
        let client = hub.client().await;
        let browser = Browser::new(&hub.base());
        let _ = signed_in(&browser, provider).await.expect(303);
        let sent = browser.get("/account/confirm/acme").await.expect(303);
        let back = provider.sign_in(location(&sent));
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let answer = browser.get(&back).await.expect(422);
        assert!(answer.text.contains("This sign-in is over"), "{}", answer.text);
        let _ = Browser::new(&hub.base()).get("/account/confirm/acme").await.expect(303);
    })
    .await;
}
