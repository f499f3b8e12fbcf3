//! Two-step verification: setting it up, signing in with it, and disabling it.

use contact_hub_domain::access::{self, LinkPurpose};
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{Answer, Browser, Client, TestHub, code_at, field, with_hub};

use super::location;
use crate::audit::sample::actions;
use crate::support::until;

pub(super) const PATH: &str = "/account/two-step";
const PASSWORD: &str = "correct horse battery";
const EMAIL: &str = "api@acme.example";

/// The length of a time step, in seconds.
const STEP: i64 = 30;

/// The code that an app shows this many time steps from now. The service accepts a difference of one step.
pub(super) fn code(hub: &TestHub, secret: &str, steps: i64) -> String {
    code_at(secret, hub.clock.now().plus_seconds(STEP * steps))
}

/// Sets it up in a browser; returns the secret of the app and the recovery codes. The next valid code is one step from now.
pub(super) async fn set_up(hub: &TestHub, browser: &Browser) -> (String, Vec<String>) {
    let page = browser.get(PATH).await.expect(200);
    let secret = field(&page.text, "secret").expect("a secret");
    let proof = code(hub, &secret, 0);
    let fields = [("secret", secret.as_str()), ("code", &proof)];
    let done = browser.post(&format!("{PATH}/on"), &fields).await.expect(200);
    let (_, rest) = done.text.split_once("<pre id=\"codes\"").expect("codes");
    let (_, rest) = rest.split_once('>').unwrap();
    let shown = rest.split_once("</pre>").unwrap().0;
    let codes: Vec<String> = shown.split_whitespace().map(str::to_owned).collect();
    assert_eq!(codes.len(), 10, "{codes:?}");
    (secret, codes)
}

/// A user with a password and two-step verification.
async fn user(hub: &TestHub) -> (Browser, Client, String, Vec<String>) {
    let (browser, client) = hub.browser().await;
    let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
    let (secret, codes) = set_up(hub, &browser).await;
    (browser, client, secret, codes)
}

/// A new browser that has entered the password.
async fn after_the_first_step(hub: &TestHub) -> Browser {
    let browser = Browser::new(&hub.base());
    let fields = [("email", EMAIL), ("password", PASSWORD), ("next", "/fields")];
    let answer = browser.post("/sign-in", &fields).await.expect(303);
    assert_eq!(location(&answer), "/sign-in/code?next=%2Ffields");
    browser
}

async fn enter(browser: &Browser, code: &str) -> Answer {
    browser.post("/sign-in/code", &[("code", code), ("next", "/fields")]).await
}

/// The words of a page, separated by single spaces.
fn words(page: &Answer) -> String {
    page.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_step_verification_is_set_up_with_a_code_of_the_app() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let page = browser.get(PATH).await.expect(200);
        let secret = field(&page.text, "secret").expect("a secret");
        assert!(
            page.text.contains("<svg class=\"qr\"") && page.text.contains(secret.split_at(4).0)
        );
        let wrong = [("secret", secret.as_str()), ("code", "000000")];
        let refused = browser.post(&format!("{PATH}/on"), &wrong).await.expect(422);
        assert_eq!(field(&refused.text, "secret").as_deref(), Some(secret.as_str()));
        assert!(
            refused.text.contains("This code is wrong, expired or already used."),
            "{}",
            refused.text
        );
        let (_secret, _codes) = set_up(hub, &browser).await;
        let page = browser.get(PATH).await.expect(200);
        assert!(words(&page).contains("10 of 10 recovery codes left"), "{}", page.text);
        assert!(field(&page.text, "secret").is_none(), "it is not shown again");
        let account = browser.get("/account").await.expect(200);
        assert!(account.text.contains("Manage two-step verification"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_requires_an_unused_code() {
    with_hub(async |hub| {
        let (_browser, client, secret, _codes) = user(hub).await;
        let browser = after_the_first_step(hub).await;
        let before = browser.cookie("contact-hub-session").unwrap();
        for path in ["/", "/contacts", "/account", PATH] {
            let sent = browser.get(path).await.expect(303);
            assert!(location(&sent).starts_with("/sign-in"), "{path}");
        }
        let page = browser.get("/sign-in/code").await.expect(200);
        assert!(page.text.contains("Enter a code"));
        let used = enter(&browser, &code(hub, &secret, 0)).await.expect(422);
        assert!(used.text.contains("The code is wrong, expired or already used."));
        assert_eq!(field(&used.text, "next").as_deref(), Some("/fields"));
        let next = code(hub, &secret, 1);
        let (begin, end) = next.split_at(3);
        let spaced = format!("{begin} {end}");
        assert_eq!(location(&enter(&browser, &spaced).await.expect(303)), "/fields");
        let _ = browser.get("/fields").await.expect(200);
        assert_ne!(browser.cookie("contact-hub-session").unwrap(), before, "a new token");
        let other = after_the_first_step(hub).await;
        let _ = enter(&other, &next).await.expect(422);
        until(super::DEADLINE, async || {
            let done = actions(&client).await;
            let is_done = |action: &&str| done.iter().any(|it| it == action);
            ["user.two_step_on", "session.created", "session.failed"].iter().all(is_done)
        })
        .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_works_once_and_new_ones_replace_it() {
    with_hub(async |hub| {
        let (browser, client, _secret, codes) = user(hub).await;
        let first = after_the_first_step(hub).await;
        let _ = enter(&first, &codes[0].to_uppercase()).await.expect(303);
        let page = browser.get(PATH).await.expect(200);
        assert!(words(&page).contains("9 of 10 recovery codes left"), "{}", page.text);
        let again = after_the_first_step(hub).await;
        let _ = enter(&again, &codes[0]).await.expect(422);
        let new = browser.post(&format!("{PATH}/recovery-codes"), &[]).await.expect(200);
        assert!(new.text.contains("id=\"codes\"") && !new.text.contains(&codes[1]));
        let _ = enter(&again, &codes[1]).await.expect(422);
        let done = actions(&client).await;
        for action in ["session.recovered", "user.recovery_codes_renewed"] {
            assert!(done.iter().any(|it| it == action), "{action}: {done:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_correct_password_does_not_allow_more_codes() {
    with_hub(async |hub| {
        let (_browser, _client, secret, _codes) = user(hub).await;
        let browser = Browser::new(&hub.base());
        let fields = [("email", EMAIL), ("password", PASSWORD)];
        let mut codes = 0;
        while browser.post("/sign-in", &fields).await.status == 303
            && enter(&browser, "000000").await.status != 429
        {
            codes += 1;
            assert!(codes <= 10, "as many as passwords");
        }
        let refused = enter(&browser, &code(hub, &secret, 1)).await.expect(429);
        assert!(!refused.header("retry-after").is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_leads_to_the_second_step_too() {
    with_hub(async |hub| {
        let (_browser, client, secret, _codes) = user(hub).await;
        for (purpose, password) in
            [(LinkPurpose::SignIn, ""), (LinkPurpose::SetPassword, "another long password")]
        {
            let ports = &hub.hub.ports.access;
            let link = access::create_link(ports, None, client.made.user, purpose);
            let path = link.await.unwrap().url("");
            let browser = Browser::new(&hub.base());
            let answer = browser.post(&path, &[("password", password)]).await.expect(303);
            assert_eq!(location(&answer), "/sign-in/code");
            let _ = browser.get("/account").await.expect(303);
            hub.clock.advance(STEP);
            let entered = enter(&browser, &code(hub, &secret, 1)).await.expect(303);
            assert_eq!(location(&entered), "/fields");
            let _ = browser.get("/account").await.expect(200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_step_expires_after_ten_minutes() {
    with_hub(async |hub| {
        let (_browser, _client, secret, _codes) = user(hub).await;
        let browser = after_the_first_step(hub).await;
        hub.clock.advance(access::SECOND_STEP_SECONDS);
        let over = enter(&browser, &code(hub, &secret, 0)).await.expect(303);
        assert_eq!(location(&over), "/sign-in");
        let stranger = Browser::new(&hub.base());
        assert_eq!(location(&enter(&stranger, "000000").await.expect(303)), "/sign-in");
        assert_eq!(location(&stranger.get("/sign-in/code").await.expect(303)), "/sign-in");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_confirms_users_without_a_password() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let (secret, _codes) = set_up(hub, &browser).await;
        hub.clock.advance(11 * 60);
        let off = format!("{PATH}/off");
        let asked = browser.post(&off, &[]).await.expect(403);
        assert!(asked.text.contains("The six digits") && !asked.text.contains("Current password"));
        let proof = code(hub, &secret, 0);
        let _ = browser.post(&off, &[("current", "000000")]).await.expect(422);
        let done = browser.post(&off, &[("current", &proof)]).await.expect(303);
        assert_eq!(location(&done), "/account");
        let page = browser.get("/account").await.expect(200);
        assert!(page.text.contains("Set up two-step verification"));
        assert!(actions(&client).await.iter().any(|it| it == "user.two_step_off"));
        let (again, _codes) = set_up(hub, &browser).await;
        assert_ne!(again, secret);
    })
    .await;
}
