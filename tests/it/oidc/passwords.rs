//! Companies that disable sign-in with passwords.

use contact_hub_domain::access;
use contact_hub_tests::{
    Answer, Binary, Browser, Client, IdentityProvider, SoftPasskey, TestHub, with_hub,
    with_settings,
};
use serde_json::json;

use super::company::{PATH, allow, created, fields, signed_in};
use super::location;
use crate::audit::sample::audit;
use crate::pages::passkeys::{ORIGIN, challenge, create};

const OFF: &[(&str, &str)] = &[];
const ON: &[(&str, &str)] = &[("password_sign_in", "on")];
const PASSWORD: &str = "correct horse battery";
const EMAIL: &str = "api@acme.example";

/// Longer than a proof is valid, in seconds.
const A_WHILE: i64 = 11 * 60;

async fn switch(browser: &Browser, to: &[(&str, &str)]) -> Answer {
    browser.post(&format!("{PATH}/passwords"), to).await
}

async fn by_password(hub: &TestHub, email: &str, password: &str) -> Answer {
    let fields = [("email", email), ("password", password), ("next", "/fields")];
    Browser::new(&hub.base()).post("/sign-in", &fields).await
}

/// A company whose manager has a password and has signed in with the company's provider.
struct Company {
    provider: IdentityProvider,
    id: String,
    client: Client,
    /// The manager, signed in with a one-time link.
    by_link: Browser,
    /// The same, signed in with the provider.
    by_provider: Browser,
}

async fn company(hub: &TestHub, domains: &[(&str, &str)]) -> Company {
    let provider = IdentityProvider::start().await;
    let (by_link, client) = hub.browser().await;
    for (_, domain) in domains {
        allow(hub, client.made.company, domain).await;
    }
    let _ = by_link.done("/account/password", &[("password", PASSWORD)]).await;
    let id = created(&by_link, &provider.issuer(), domains).await;
    let by_provider = Browser::new(&hub.base());
    assert_eq!(signed_in(&by_provider, &provider, &id).await, 303);
    by_provider.keep_token().await;
    Company { provider, id, client, by_link, by_provider }
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_passwords_sign_nobody_in_and_only_the_correct_one_reveals_why() {
    with_hub(async |hub| {
        let it = company(hub, &[]).await;
        let page = it.by_provider.get(PATH).await.expect(200);
        assert!(page.text.contains("Switch off sign-in by password"), "{}", page.text);
        let page = it.by_provider.done(&format!("{PATH}/passwords"), OFF).await;
        assert!(page.text.contains("Sign-in by password is off."), "{}", page.text);
        assert!(page.text.contains("Allow sign-in by password"), "{}", page.text);

        let right = by_password(hub, EMAIL, PASSWORD).await.expect(422);
        let sentence = "Your company does not accept passwords. Choose Sign in with Acme login.";
        assert!(right.text.contains(sentence), "{}", right.text);
        let button =
            format!("href=\"/sign-in/oidc/{}?next=%2Ffields\">Sign in with Acme login<", it.id);
        assert!(right.text.contains(&button), "{}", right.text);
        for email in [EMAIL, "nobody@acme.example"] {
            let wrong = by_password(hub, email, "wrong wrong wrong").await.expect(422);
            assert!(wrong.text.contains("The email or the password is wrong."), "{}", wrong.text);
            assert!(!wrong.text.contains("Acme login") && !wrong.text.contains("does not accept"));
        }
        access::record_failed_sign_ins(&hub.hub.ports.access).await.unwrap();
        let failed = audit(&it.client, "filter[action]=session.failed").await;
        let mut reasons: Vec<_> = failed.iter().map(|entry| &entry["new"]).collect();
        reasons.sort_by_key(|reason| reason.is_null());
        assert_eq!(reasons, [&json!({"reason": "password_sign_in_off"}), &json!(null)]);
        let changed = &audit(&it.client, "filter[action]=company.updated").await[0];
        assert_eq!(changed["new"], json!({"password_sign_in": false}));
        let company = it.client.manage().get("/company").await.expect(200);
        assert_eq!(company.data()["password_sign_in"], false);

        let _ = it.by_link.get("/contacts").await.expect(200);
        let page = it.by_link.done(&format!("{PATH}/passwords"), ON).await;
        assert!(page.text.contains("Users can sign in with a password again."), "{}", page.text);
        assert_eq!(location(&by_password(hub, EMAIL, PASSWORD).await.expect(303)), "/fields");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_users_who_need_no_password_can_disable_passwords() {
    with_hub(async |hub| {
        let it = company(hub, &[]).await;
        let refused = switch(&it.by_link, OFF).await.expect(422);
        assert!(
            refused.text.contains("somebody who signed in without a password"),
            "{}",
            refused.text
        );
        let password = Browser::new(&hub.base());
        let fields_of_form = [("email", EMAIL), ("password", PASSWORD)];
        let _ = password.post("/sign-in", &fields_of_form).await.expect(303);
        password.keep_token().await;
        let _ = switch(&password, OFF).await.expect(422);
        // A provider that nobody has used with its current issuer may be a mistake.
        let moved = fields("https://other.example", &[]);
        let path = format!("{PATH}/{}", it.id);
        let _ = it.by_provider.post(&path, &moved).await.expect(303);
        let refused = switch(&it.by_provider, OFF).await.expect(422);
        assert!(
            refused.text.contains("identity provider of your company works"),
            "{}",
            refused.text
        );
        assert_eq!(by_password(hub, EMAIL, PASSWORD).await.status, 303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_provider_and_its_domains_must_stay_while_passwords_are_disabled() {
    with_hub(async |hub| {
        let domain = [("domains", "acme.example")];
        let it = company(hub, &domain).await;
        let _ = switch(&it.by_provider, OFF).await.expect(303);
        let path = format!("{PATH}/{}", it.id);
        let issuer = it.provider.issuer();
        let change = async |issuer: &str, more: &[(&str, &str)]| {
            it.by_provider.post(&path, &fields(issuer, more)).await
        };
        let refused = change("https://other.example", &domain).await.expect(422);
        assert!(refused.text.contains("issuer-error-1\">Must stay the same"), "{}", refused.text);
        let refused = change(&issuer, &[]).await.expect(422);
        assert!(refused.text.contains("domains-error-1\">Must keep one"), "{}", refused.text);
        let _ = change(&issuer, &domain).await.expect(303);
        let refused = it.by_provider.post(&format!("{path}/delete"), &[]).await.expect(422);
        let sentence = "Provider is the last one by which your users sign in, because sign-in by password is off. \
                        Allow sign-in by password first, or sign in once by another provider.";
        assert!(refused.text.contains(sentence), "{}", refused.text);

        let company = it.client.made.company.to_string();
        let command = ["company", "allow-password-sign-in", "--id", &company];
        let done = Binary::on(&hub.database).json(&command);
        assert_eq!(done, json!({"id": company, "password_sign_in": true}));
        let entry = &audit(&it.client, "filter[action]=company.updated").await[0];
        assert_eq!((&entry["new"]["password_sign_in"], &entry["actor"]["user"]), (&json!(true), &json!(null)));
        assert_eq!(by_password(hub, EMAIL, PASSWORD).await.status, 303);
        let _ = it.by_provider.post(&format!("{path}/delete"), &[]).await.expect(303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_cannot_confirm_actions_and_new_users_choose_none() {
    with_hub(async |hub| {
        let it = company(hub, &[]).await;
        let _ = switch(&it.by_provider, OFF).await.expect(303);
        let page = it.by_link.get("/account").await.expect(200);
        assert!(page.text.contains("Your company does not accept passwords."), "{}", page.text);
        assert!(!page.text.contains("action=\"/account/password\""), "{}", page.text);
        let change = [("current", PASSWORD), ("password", "another long password")];
        let refused = it.by_link.post("/account/password", &change).await.expect(422);
        assert!(refused.text.contains("lets nobody sign in with a password"), "{}", refused.text);

        let user = json!({"email": "eve@acme.example", "permissions": ["contacts_api"]});
        let made = it.client.manage().post("/users", &user).await.expect(201);
        let of_user = format!("/admin/company/users/{}", made.data()["id"].as_str().unwrap());
        let page = it.by_link.get(&of_user).await.expect(200);
        assert!(!page.text.contains("lets the user choose a password"), "{}", page.text);
        let invited = it.by_link.post(&format!("{of_user}/invite"), &[]).await.expect(200);
        let (_, rest) = invited.text.split_once("/sign-in/").unwrap();
        let link = format!("/sign-in/{}", rest.split('<').next().unwrap());
        let eve = Browser::new(&hub.base());
        let page = eve.get(&link).await.expect(200);
        assert!(!page.text.contains("name=\"password\""), "{}", page.text);
        let _ = eve.post(&link, &[("password", PASSWORD)]).await.expect(422);
        let _ = eve.post(&link, &[]).await.expect(303);
        let _ = eve.get("/contacts").await.expect(200);

        hub.clock.advance(A_WHILE);
        let keys = "/account/api-access/keys";
        for browser in [&it.by_link, &it.by_provider] {
            let asked = browser.post(keys, &[("name", "CI")]).await.expect(403);
            assert!(asked.text.contains("Confirm with Acme login"), "{}", asked.text);
            let _ = browser.post(keys, &[("name", "CI"), ("current", PASSWORD)]).await.expect(422);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_keeps_working_and_its_user_may_disable_passwords() {
    let set = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.public_url = Some(ORIGIN.to_owned());
    };
    Box::pin(with_settings(set, async |hub| {
        let it = company(hub, &[]).await;
        let (mut passkey, answer) = create(&it.by_link).await;
        let form = [("name", "Laptop"), ("credential", answer.as_str())];
        let _ = it.by_link.post("/account/passkeys", &form).await.expect(303);
        let signed_in = async |passkey: &mut SoftPasskey| {
            let browser = Browser::new(&hub.base());
            let proof = passkey.prove(&challenge(&browser).await);
            let _ = browser.post("/sign-in/passkey", &[("credential", &proof)]).await.expect(303);
            browser.keep_token().await;
            browser
        };
        let browser = signed_in(&mut passkey).await;
        let _ = switch(&browser, OFF).await.expect(303);
        let refused = by_password(hub, EMAIL, PASSWORD).await.expect(422);
        assert!(refused.text.contains(", or sign in with a passkey."), "{}", refused.text);
        let again = signed_in(&mut passkey).await;
        let _ = again.get("/contacts").await.expect(200);
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_password_still_signs_in_to_another_company() {
    with_hub(async |hub| {
        let it = company(hub, &[]).await;
        let (other, _client) = hub.browser().await;
        let _ = other.done("/account/password", &[("password", PASSWORD)]).await;
        let _ = switch(&it.by_provider, OFF).await.expect(303);
        let browser = Browser::new(&hub.base());
        let form = [("email", EMAIL), ("password", PASSWORD)];
        let _ = browser.post("/sign-in", &form).await.expect(303);
        browser.keep_token().await;
        let _ = browser.get("/admin/company").await.expect(200);
        let page = browser.get(PATH).await.expect(200);
        assert!(page.text.contains("Switch off sign-in by password"), "it is the other company");
    })
    .await;
}
