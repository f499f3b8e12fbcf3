//! Signing in and out.

use contact_hub_domain::access::{self, LinkPurpose};
use contact_hub_tests::{Browser, Client, field, with_hub, with_settings};
use reqwest::Method;
use serde_json::json;

use super::location;
use crate::audit::sample::audit;

const PASSWORD: &str = "correct horse battery";

#[tokio::test(flavor = "multi_thread")]
async fn a_link_lets_a_user_choose_a_password_and_works_once() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let ports = &hub.hub.ports.access;
        let link = access::create_link(ports, None, client.made.user, LinkPurpose::SetPassword);
        let path = link.await.unwrap().url("");
        let browser = Browser::new(&hub.base());
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("api@acme.example"));
        let refused = browser.post(&path, &[("password", "short")]).await.expect(422);
        assert!(refused.text.contains("Must be at least 12 characters long."));
        assert!(!refused.text.contains("short\""), "a password is not sent back");
        let done = browser.post(&path, &[("password", PASSWORD)]).await.expect(303);
        assert_eq!(location(&done), "/");
        let _ = browser.get("/contacts").await.expect(200);
        let _ = Browser::new(&hub.base()).get(&path).await.expect(404);

        let other = Browser::new(&hub.base());
        let fields = [("email", "API@acme.example"), ("password", PASSWORD)];
        let done = other.post("/sign-in", &fields).await.expect(303);
        assert_eq!(location(&done), "/");
        let _ = other.get("/contacts").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_reveals_nothing_and_too_many_are_refused() {
    with_hub(async |hub| {
        let _ = hub.client().await;
        let browser = Browser::new(&hub.base());
        for email in ["api@acme.example", "nobody@acme.example"] {
            let fields = [("email", email), ("password", "wrong wrong wrong"), ("next", "/fields")];
            let answer = browser.post("/sign-in", &fields).await.expect(422);
            assert!(answer.text.contains("The email or the password is wrong."));
            assert_eq!(field(&answer.text, "email").as_deref(), Some(email));
            assert_eq!(field(&answer.text, "next").as_deref(), Some("/fields"));
            assert!(!answer.text.contains("wrong wrong wrong"));
        }
        let fields = [("email", "api@acme.example"), ("password", "wrong wrong wrong")];
        let mut last = 0;
        for _ in 0..10 {
            last = browser.post("/sign-in", &fields).await.status;
        }
        assert_eq!(last, 429);
        let refused = browser.post("/sign-in", &fields).await.expect(429);
        assert!(!refused.header("retry-after").is_empty());
        assert!(refused.text.contains(" minutes.</p>"), "{}", refused.text);
        assert!(refused.header("content-type").starts_with("text/html"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_are_sent_to_the_sign_in_and_back() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let browser = Browser::new(&hub.base());
        let sent = browser.get("/contacts?search=a+b").await.expect(303);
        assert_eq!(location(&sent), "/sign-in?next=%2Fcontacts%3Fsearch%3Da%2Bb");
        let page = browser.get(location(&sent)).await.expect(200);
        assert_eq!(field(&page.text, "next").as_deref(), Some("/contacts?search=a+b"));
        browser.sign_in(&hub.hub.ports.access, client.made.user).await;
        let foreign = browser.get("/sign-in?next=//evil.example").await.expect(303);
        assert_eq!(location(&foreign), "/");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_the_head_of_a_page_leads_to_the_page_too() {
    with_hub(async |hub| {
        let visitor = Browser::new(&hub.base());
        for (page, expected) in [("/fields", "/sign-in?next=%2Ffields"), ("/", "/sign-in")] {
            let head = visitor.send(visitor.request(Method::HEAD, page)).await.expect(303);
            assert_eq!(location(&head), expected);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_sent_after_the_session_has_ended_leads_back_to_its_page() {
    with_hub(async |hub| {
        let visitor = Browser::new(&hub.base());
        let page = format!("{}/contacts?search=a", hub.base());
        let form = visitor.request(Method::POST, "/contacts/selected").header("Referer", page);
        let form = form.header("Content-Type", "application/x-www-form-urlencoded").body("ids=1");
        let sent = visitor.send(form).await.expect(303);
        assert_eq!(location(&sent), "/sign-in?ended=1&next=%2Fcontacts%3Fsearch%3Da");
        let page = visitor.get(location(&sent)).await.expect(200);
        assert!(page.text.contains("nothing was saved"), "{}", page.text);
        assert_eq!(field(&page.text, "next").as_deref(), Some("/contacts?search=a"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_ends_the_session_on_the_server() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let kept = browser.cookie("contact-hub-session").unwrap();
        let page = browser.done("/sign-out", &[]).await;
        assert!(page.text.contains("You are signed out."));
        assert_eq!(browser.cookie("contact-hub-session"), None);
        let thief = Browser::new(&hub.base());
        let request = thief.request(Method::GET, "/contacts");
        let request = request.header("Cookie", format!("contact-hub-session={kept}"));
        let _ = thief.send(request).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cookie_is_restricted_to_this_service() {
    let over_https = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.public_url = Some("https://hub.example".to_owned());
    };
    with_settings(over_https, async |hub| {
        let client = hub.client().await;
        let link =
            access::create_link(&hub.hub.ports.access, None, client.made.user, LinkPurpose::SignIn);
        let path = link.await.unwrap().url("");
        let browser = Browser::new(&hub.base());
        let done = browser.post(&path, &[]).await.expect(303);
        let cookie = done.header("set-cookie");
        assert!(cookie.starts_with("__Host-contact-hub-session="), "{cookie}");
        for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_changed_and_other_sessions_end() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let other = Browser::new(&hub.base());
        other.sign_in(&hub.hub.ports.access, client.made.user).await;
        let page = browser.done("/account/password", &[("password", PASSWORD)]).await;
        assert!(page.text.contains("Password set."));
        let _ = other.get("/account").await.expect(303);
        let fields = [("current", "wrong"), ("password", "another long password")];
        let refused = browser.post("/account/password", &fields).await.expect(422);
        assert!(refused.text.contains("This is not your current password."));
    })
    .await;
}

/// A client with the key of another user who may read the audit.
async fn colleague(client: &Client) -> Client {
    let manage = client.manage();
    let user = json!({"email": "bob@acme.example", "permissions": ["manage_access"]});
    let user = manage.post("/users", &user).await.expect(201);
    let keys = format!("/users/{}/api-keys", user.data()["id"].as_str().unwrap());
    let key = manage.post(&keys, &json!({"name": "Key"})).await.expect(201);
    let mut other = client.clone();
    key.data()["token"].as_str().unwrap().clone_into(&mut other.made.token);
    other
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_change_revokes_keys_on_request() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
        let _ = client.get("/fields").await.expect(200);
        let fields =
            [("current", PASSWORD), ("password", "another long password"), ("end_keys", "on")];
        let other = colleague(&client).await;
        let _ = browser.done("/account/password", &fields).await;
        let _ = client.get("/fields").await.expect(401);
        let entry = audit(&other, "filter[action]=user.password_changed").await[0].clone();
        assert_eq!(entry["counts"], json!({"api_keys_revoked": 1}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_over_a_session_ends_the_old_one() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
        let sessions = async || {
            let ports = &hub.hub.ports.access;
            ports.sessions.sessions_of(client.made.user).await.expect("sessions")
        };
        let before = sessions().await;
        let fields = [("email", "api@acme.example"), ("password", PASSWORD)];
        let _ = browser.post("/sign-in", &fields).await.expect(303);
        let after = sessions().await;
        assert_eq!((before.len(), after.len()), (1, 1));
        assert_ne!(before[0].session.id, after[0].session.id);
    })
    .await;
}
