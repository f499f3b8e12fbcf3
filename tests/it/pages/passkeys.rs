//! Passkeys: adding them, signing in and confirming with them, and what is rejected.

use std::sync::Arc;

use contact_hub::settings::ServeSettings;
use contact_hub::wire::Environment;
use contact_hub_domain::access::{
    self, CHALLENGE_SECONDS, MAX_CHALLENGES_OF_NETWORK, MAX_PASSKEYS,
};
use contact_hub_tests::{Answer, Browser, Client, SoftPasskey, TestHub, with_hub, with_settings};
use reqwest::Method;
use serde_json::Value;

use super::location;
use crate::audit::sample::{actions, audit};
use crate::support::{hub_with, until};

const PATH: &str = "/account/passkeys";
const PASSWORD: &str = "correct horse battery";
const KEYS: &str = "/account/api-access/keys";

/// The public address of the service. The browsers in these tests ignore it.
pub(crate) const ORIGIN: &str = "http://localhost:1";

/// Longer than a proof is valid, in seconds.
const A_WHILE: i64 = 11 * 60;

async fn with_passkeys(test: impl AsyncFnOnce(&TestHub)) {
    with_settings(|settings| settings.public_url = Some(ORIGIN.to_owned()), test).await;
}

/// The options on the page that creates a passkey.
pub(crate) fn options_of(page: &Answer) -> Value {
    let (_, rest) = page.text.split_once("data-options=\"").expect("options");
    let escaped = rest.split('"').next().expect("a value");
    serde_json::from_str(&escaped.replace("&#34;", "\"").replace("&#38;", "&")).expect("JSON")
}

/// Requests a new passkey.
pub(crate) async fn create(browser: &Browser) -> (SoftPasskey, String) {
    let page = browser.post(&format!("{PATH}/new"), &[]).await.expect(200);
    SoftPasskey::create(ORIGIN, &options_of(&page))
}

async fn add(browser: &Browser, name: &str) -> SoftPasskey {
    let (passkey, answer) = create(browser).await;
    let done = browser.post(PATH, &[("name", name), ("credential", &answer)]).await.expect(303);
    assert_eq!(location(&done), PATH);
    passkey
}

/// The options with which a browser without a session signs in.
pub(crate) async fn challenge(browser: &Browser) -> Value {
    browser.post("/sign-in/passkey/options", &[]).await.expect(200).json
}

async fn answer(browser: &Browser, proof: &str) -> Answer {
    browser.post("/sign-in/passkey", &[("credential", proof), ("next", "/fields")]).await
}

async fn sign_in(hub: &TestHub, passkey: &mut SoftPasskey) -> Answer {
    let browser = Browser::new(&hub.base());
    let options = challenge(&browser).await;
    answer(&browser, &passkey.prove(&options)).await
}

/// The options with which a signed-in browser confirms.
pub(crate) async fn confirmation(browser: &Browser) -> Answer {
    let request = browser.request(Method::POST, &format!("{PATH}/options"));
    browser.send(request.header("X-CSRF-Token", browser.token())).await
}

async fn user(hub: &TestHub) -> (Browser, Client, SoftPasskey) {
    let (browser, client) = hub.browser().await;
    let passkey = add(&browser, "Laptop").await;
    (browser, client, passkey)
}

async fn leaves(client: &Client, action: &str) {
    let is_there = async || !audit(client, &format!("filter[action]={action}")).await.is_empty();
    until(super::DEADLINE, is_there).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_added_used_renamed_and_deleted() {
    with_passkeys(async |hub| {
        let (browser, client, mut passkey) = user(hub).await;
        let options = challenge(&Browser::new(&hub.base())).await;
        assert_eq!(options["userVerification"], "required");
        assert_eq!(options["allowCredentials"], serde_json::json!([]), "no email is needed");
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("Laptop") && page.text.contains("Never"), "{}", page.text);
        let other = Browser::new(&hub.base());
        let options = challenge(&other).await;
        let signed_in = answer(&other, &passkey.prove(&options)).await.expect(303);
        assert_eq!(location(&signed_in), "/fields");
        let _ = other.get("/fields").await.expect(200);
        let page = browser.get(PATH).await.expect(200);
        assert!(!page.text.contains("Never"), "{}", page.text);
        let (_, rest) = page.text.split_once("name-").unwrap();
        let path = format!("{PATH}/{}", rest.split('"').next().unwrap());
        let refused = browser.post(&path, &[("name", " ")]).await.expect(422);
        assert!(refused.text.contains("Enter a name."), "{}", refused.text);
        let long = "x".repeat(101);
        let refused = browser.post(&path, &[("name", &long)]).await.expect(422);
        assert!(refused.text.contains(&format!("value=\"{long}\"")), "{}", refused.text);
        let page = browser.done(&path, &[("name", "Old laptop")]).await;
        assert!(page.text.contains("Passkey renamed.") && page.text.contains("Old laptop"));
        let (stranger, _client) = hub.browser().await;
        for form in [path.clone(), format!("{path}/delete")] {
            let _ = stranger.post(&form, &[("name", "Mine")]).await.expect(404);
        }
        let page = browser.done(&format!("{path}/delete"), &[]).await;
        assert!(page.text.contains("No passkeys yet."), "{}", page.text);
        let _ = sign_in(hub, &mut passkey).await.expect(422);
        let done = actions(&client).await;
        for action in
            ["passkey.created", "session.by_passkey", "passkey.updated", "passkey.deleted"]
        {
            assert!(done.iter().any(|it| it == action), "{action}: {done:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_accepted_once_and_only_from_the_browser_that_was_asked() {
    with_passkeys(async |hub| {
        let (_browser, _client, mut passkey) = user(hub).await;
        let (own, other) = (Browser::new(&hub.base()), Browser::new(&hub.base()));
        let proof = passkey.prove(&challenge(&own).await);
        let _ = challenge(&other).await;
        let refused = answer(&other, &proof).await.expect(422);
        assert!(refused.text.contains("The passkey was not accepted"), "{}", refused.text);
        let _ = answer(&Browser::new(&hub.base()), &proof).await.expect(422);
        let copy = own.at(&hub.base());
        let _ = answer(&own, &proof).await.expect(303);
        let _ = answer(&copy, &proof).await.expect(422);
        let options = challenge(&own).await;
        hub.clock.advance(CHALLENGE_SECONDS);
        let _ = answer(&own, &passkey.prove(&options)).await.expect(422);
        let options = challenge(&own).await;
        hub.clock.advance(CHALLENGE_SECONDS - 1);
        let _ = answer(&own, &passkey.prove(&options)).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_of_one_instance_can_be_answered_at_another() {
    with_passkeys(async |hub| {
        let (_browser, _client, mut passkey) = user(hub).await;
        let clock = Arc::new(hub.clock.clone());
        let environment = Environment { clock, follows_database: false, ..Environment::default() };
        let change = |settings: &mut ServeSettings| settings.public_url = Some(ORIGIN.to_owned());
        let other = hub_with(&hub.database, &environment, change);
        let here = Browser::new(&hub.base());
        let options = challenge(&here).await;
        let there = here.at(&format!("http://{}", other.address));
        let proof = passkey.prove(&options);
        let _ = answer(&there, &proof).await.expect(303);
        let _ = answer(&here, &proof).await.expect(422);
        other.stop().await.expect("it stops");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_another_site_or_from_a_cloned_passkey_are_refused_and_recorded() {
    with_passkeys(async |hub| {
        let (_browser, client, mut passkey) = user(hub).await;
        let _ = sign_in(hub, &mut passkey).await.expect(303);
        let attacks: [fn(&mut SoftPasskey); 4] = [
            |it| it.origin = "http://localhost:2".to_owned(),
            |it| it.origin = "https://localhost.evil.example".to_owned(),
            |it| it.host = "evil.example".to_owned(),
            |it| it.is_verified = false,
        ];
        for change in attacks {
            let mut attacked = passkey.clone();
            change(&mut attacked);
            let _ = sign_in(hub, &mut attacked).await.expect(422);
        }
        leaves(&client, "session.failed").await;
        let mut copy = passkey.clone();
        let _ = sign_in(hub, &mut passkey).await.expect(303);
        let _ = sign_in(hub, &mut copy).await.expect(422);
        leaves(&client, "passkey.counter_went_back").await;
        let _ = sign_in(hub, &mut passkey).await.expect(303);
        let (mut stranger, _answer) = create(&hub.browser().await.0).await;
        let _ = sign_in(hub, &mut stranger).await.expect(422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_without_a_counter_can_be_used_repeatedly() {
    with_passkeys(async |hub| {
        let (_browser, _client, passkey) = user(hub).await;
        for _ in 0..3 {
            let mut synced = passkey.clone();
            synced.counts = false;
            let _ = sign_in(hub, &mut synced).await.expect(303);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_only_confirms_its_own_user() {
    with_passkeys(async |hub| {
        let (browser, _client, mut passkey) = user(hub).await;
        let (_other, _client, mut foreign) = user(hub).await;
        hub.clock.advance(A_WHILE);
        let asked = browser.post(KEYS, &[("name", "CI")]).await.expect(403);
        assert!(asked.text.contains("data-passkey=\"confirm\""), "{}", asked.text);
        assert!(!asked.text.contains("name=\"current\""), "the user has no password");
        let send =
            async |proof: &str| browser.post(KEYS, &[("name", "CI"), ("passkey", proof)]).await;
        let options = confirmation(&browser).await.expect(200).json;
        assert_eq!(options["allowCredentials"].as_array().map(Vec::len), Some(1));
        let refused = send(&foreign.prove(&options)).await.expect(422);
        assert!(refused.text.contains("Passkey was not accepted"), "{}", refused.text);
        let _ = send(&passkey.prove(&options)).await.expect(422);
        let proof = passkey.prove(&challenge(&browser).await);
        let _ = send(&proof).await.expect(422);
        let options = confirmation(&browser).await.expect(200).json;
        let made = send(&passkey.prove(&options)).await.expect(200);
        assert!(made.text.contains("id=\"token\"") && made.text.contains("CI"), "{}", made.text);
        let _ = browser.post(KEYS, &[]).await.expect(200);
        let (without, _client) = hub.browser().await;
        let _ = confirmation(&without).await.expect(404);
        let request = browser.request(Method::POST, &format!("{PATH}/options"));
        let _ = browser.send(request.header("X-CSRF-Token", "none")).await.expect(403);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn adding_needs_a_proof_and_a_challenge_and_is_limited_to_ten() {
    with_passkeys(async |hub| {
        let (browser, _client) = hub.browser().await;
        let (_passkey, answer) = create(&browser).await;
        let form = [("name", "Phone"), ("credential", answer.as_str())];
        let (stranger, _client) = hub.browser().await;
        let _ = stranger.post(PATH, &form).await.expect(422);
        let _ = browser.post(PATH, &form).await.expect(303);
        let again = browser.post(PATH, &form).await.expect(422);
        assert!(again.text.contains("Passkey was not accepted or took too long."));
        let (_passkey, answer) = create(&browser).await;
        let waiting = browser.at(&hub.base());
        for number in 1..MAX_PASSKEYS {
            let _ = add(&browser, &format!("Number {number}")).await;
        }
        let full = browser.post(&format!("{PATH}/new"), &[]).await.expect(422);
        assert!(full.text.contains("a user has at most 10 passkeys"), "{}", full.text);
        assert!(!full.text.contains("Add a passkey"), "{}", full.text);
        let more = [("name", "More"), ("credential", answer.as_str())];
        let refused = waiting.post(PATH, &more).await.expect(422);
        assert!(refused.text.contains("a user has at most 10 passkeys"), "{}", refused.text);
        hub.clock.advance(A_WHILE);
        let asked = browser.post(&format!("{PATH}/new"), &[]).await.expect(403);
        assert!(asked.text.contains("Confirm it's you"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_answers_count_as_sign_in_attempts() {
    with_passkeys(async |hub| {
        let (_browser, _client, mut passkey) = user(hub).await;
        let mut attacked = passkey.clone();
        attacked.is_verified = false;
        for _ in 0..access::SIGN_IN_ATTEMPTS {
            let _ = sign_in(hub, &mut attacked).await.expect(422);
        }
        let refused = sign_in(hub, &mut passkey).await.expect(429);
        assert!(!refused.header("retry-after").is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_further_challenge_for_a_network_replaces_its_oldest() {
    with_passkeys(async |hub| {
        let (_browser, _client, mut passkey) = user(hub).await;
        let (first, second) = (Browser::new(&hub.base()), Browser::new(&hub.base()));
        let oldest = challenge(&first).await;
        hub.clock.advance(1);
        let next = challenge(&second).await;
        hub.clock.advance(1);
        for _ in 1..MAX_CHALLENGES_OF_NETWORK {
            let _ = challenge(&Browser::new(&hub.base())).await;
        }
        let _ = answer(&first, &passkey.prove(&oldest)).await.expect(422);
        let _ = answer(&second, &passkey.prove(&next)).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_that_requires_two_steps_accepts_a_passkey() {
    with_passkeys(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = browser.done("/account/password", &[("password", PASSWORD)]).await;
        let company = [("name", "Acme"), ("product_access", "on"), ("requires_two_step", "on")];
        let _ = browser.post("/admin/company", &company).await.expect(303);
        let setup = browser.get("/account/two-step").await.expect(200);
        assert!(setup.text.contains("href=\"/account/passkeys\""), "{}", setup.text);
        let mut passkey = add(&browser, "Phone").await;
        let _ = browser.get("/contacts").await.expect(200);
        let other = Browser::new(&hub.base());
        let fields = [("email", "api@acme.example"), ("password", PASSWORD)];
        let awaits = other.post("/sign-in", &fields).await.expect(303);
        assert_eq!(location(&awaits), "/sign-in/code", "the password alone is one step");
        for path in ["/contacts", "/account/two-step", PATH] {
            let _ = other.get(path).await.expect(303);
        }
        let options = challenge(&other).await;
        let signed_in = answer(&other, &passkey.prove(&options)).await.expect(303);
        assert_eq!(location(&signed_in), "/fields");
        let _ = other.get("/contacts").await.expect(200);
        let user = format!("/admin/company/users/{}", client.made.user);
        let page = browser.get(&user).await.expect(200);
        assert!(page.text.contains("Reset two-step verification"), "{}", page.text);
        let _ = browser.post(&format!("{user}/reset-two-step"), &[]).await.expect(303);
        let _ = sign_in(hub, &mut passkey).await.expect(422);
        assert_eq!(location(&browser.get("/contacts").await.expect(303)), "/account/two-step");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_are_not_offered_at_an_address_without_a_domain() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("Passkeys cannot be used here"), "{}", page.text);
        let _ = browser.post(&format!("{PATH}/new"), &[]).await.expect(404);
        let _ = browser.post("/sign-in/passkey/options", &[]).await.expect(404);
        let page = Browser::new(&hub.base()).get("/sign-in").await.expect(200);
        assert!(!page.text.contains("passkey"), "{}", page.text);
    })
    .await;
}
