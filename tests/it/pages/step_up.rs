//! Actions that require a new proof of identity when the sign-in was a while ago.

use contact_hub_tests::{Browser, field, with_hub};

use super::location;

const PASSWORD: &str = "correct horse battery";
const KEYS: &str = "/account/api-access/keys";

/// Longer than a proof is valid, in seconds.
const A_WHILE: i64 = 11 * 60;

#[tokio::test(flavor = "multi_thread")]
async fn creating_a_key_needs_the_password_and_keeps_the_input() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let made = browser.post(KEYS, &[]).await.expect(200);
        assert!(made.text.contains("id=\"token\""), "a new session needs none");
        let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
        hub.clock.advance(A_WHILE);
        let typed = ("name", "Importer & Co");
        let asked = browser.post(KEYS, &[typed]).await.expect(403);
        assert!(asked.text.contains("Confirm it's you") && asked.text.contains("Current password"));
        assert_eq!(field(&asked.text, "name").as_deref(), Some("Importer &#38; Co"));
        let wrong = browser.post(KEYS, &[typed, ("current", "wrong")]).await.expect(422);
        assert!(wrong.text.contains("This is not your current password."), "{}", wrong.text);
        assert!(!wrong.text.contains("\"wrong\""), "a password is not sent back");
        let made = browser.post(KEYS, &[typed, ("current", PASSWORD)]).await.expect(200);
        assert!(made.text.contains("id=\"token\"") && made.text.contains("Importer &#38; Co"));
        let _ = browser.post(KEYS, &[]).await.expect(200);
        hub.clock.advance(A_WHILE);
        let _ = browser.post(KEYS, &[]).await.expect(403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_secrets_and_users_need_a_proof_and_revoking_access_does_not() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let other = Browser::new(&hub.base());
        other.sign_in(&hub.hub.ports.access, client.made.user).await;
        hub.clock.advance(A_WHILE);
        let user = format!("/admin/company/users/{}", client.made.user);
        let hook = format!("/admin/integrations/webhooks/{}", client.made.user);
        for path in [
            KEYS.to_owned(),
            format!("{user}/keys"),
            user.clone(),
            format!("{user}/invite"),
            format!("{user}/delete"),
            "/admin/company/users/new".to_owned(),
            "/admin/integrations/webhooks/new".to_owned(),
            format!("{hook}/rotate-secret"),
            format!("{hook}/previous-secrets"),
        ] {
            let asked = browser.post(&path, &[("email", "eve@acme.example")]).await;
            assert_eq!(asked.status, 403, "{path}");
            assert!(asked.text.contains("Confirm it's you"), "{path}");
        }
        let key = format!("{KEYS}/{}/revoke", client.made.key);
        assert_eq!(location(&browser.post(&key, &[]).await), "/account/api-access");
        let _ = browser.done("/account/sign-out-everywhere", &[]).await;
        for browser in [browser, other] {
            let _ = browser.get("/account").await.expect(303);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_a_password_signs_in_again() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        hub.clock.advance(A_WHILE);
        for path in [KEYS, "/account/password"] {
            let asked = browser.post(path, &[("password", PASSWORD)]).await.expect(403);
            assert!(asked.text.contains("you have nothing to confirm with"), "{path}");
            let _ = browser.post(path, &[("current", PASSWORD)]).await.expect(422);
        }
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let _ = browser.post(KEYS, &[]).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_with_browser_and_address() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let link = contact_hub_domain::access::create_link(
            &hub.hub.ports.access,
            None,
            client.made.user,
            contact_hub_domain::access::LinkPurpose::SignIn,
        );
        let path = link.await.unwrap().url("");
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0";
        let other = Browser::new(&hub.base());
        let request = other.request(reqwest::Method::POST, &path).header("User-Agent", firefox);
        let form = request.header("Content-Type", "application/x-www-form-urlencoded");
        let _ = other.send(form.body("password=")).await.expect(303);
        let page = browser.get("/account").await.expect(200);
        for shown in ["Firefox on Linux", "127.0.0.1", "This browser", "Sign out everywhere"] {
            assert!(page.text.contains(shown), "{shown}: {}", page.text);
        }
        let (_, rest) = page.text.split_once("/account/sessions/").unwrap();
        let id = rest.split('/').next().unwrap();
        let page = browser.done(&format!("/account/sessions/{id}/end"), &[]).await;
        assert!(page.text.contains("Session ended.") && !page.text.contains("Firefox"));
        let _ = other.get("/account").await.expect(303);
    })
    .await;
}
