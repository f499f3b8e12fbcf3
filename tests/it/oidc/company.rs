//! Providers that companies configure.

use contact_hub_domain::access;
use contact_hub_domain::ids::CompanyId;
use contact_hub_tests::{
    Browser, Client, CompanyOptions, IdentityProvider, OIDC_CLIENT, Script, TestHub, field,
    with_hub, with_settings,
};
use serde_json::json;

use super::location;
use crate::audit::sample::audit;

pub(super) const PATH: &str = "/admin/company/sign-on";

/// The fields of the form.
pub(super) fn fields<'a>(issuer: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let own = [
        ("name", "Acme login"),
        ("issuer", issuer),
        ("client_id", OIDC_CLIENT),
        ("client_secret", "s3cret"),
        ("scopes", "email"),
    ];
    own.into_iter().chain(more.iter().copied()).collect()
}

/// Creates a provider, and returns its id.
pub(super) async fn created(browser: &Browser, issuer: &str, more: &[(&str, &str)]) -> String {
    let made = browser.post(&format!("{PATH}/new"), &fields(issuer, more)).await.expect(303);
    location(&made).rsplit('/').next().unwrap().to_owned()
}

pub(super) async fn allow(hub: &TestHub, company: CompanyId, domain: &str) {
    access::allow_oidc_domain(&hub.hub.ports.access, company, domain).await.expect("allowed");
}

/// Signs a person in with a company's provider.
pub(super) async fn signed_in(browser: &Browser, provider: &IdentityProvider, id: &str) -> u16 {
    let sent = browser.get(&format!("/sign-in/oidc/{id}")).await.expect(303);
    browser.get(&provider.sign_in(location(&sent))).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_configures_a_provider_for_its_users() {
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let (browser, client) = hub.browser().await;
        let page = browser.get("/sign-in").await.expect(303);
        assert_eq!(location(&page), "/");
        let id = created(&browser, &provider.issuer(), &[]).await;
        let page = browser.get(&format!("{PATH}/{id}")).await.expect(200);
        let redirect = format!("{}/sign-in/oidc/{id}/callback", hub.base());
        assert!(page.text.contains(&redirect), "{}", page.text);
        assert!(!page.text.contains("s3cret"), "a secret is not sent back");
        assert_eq!(signed_in(&Browser::new(&hub.base()), &provider, &id).await, 303);
        let entries = audit(&client, "filter[action]=identity_provider.created").await;
        assert_eq!(entries[0]["new"]["issuer"], provider.issuer());
        assert!(!entries[0].to_string().contains("s3cret"), "{entries:?}");

        let change = [("name", "Renamed"), ("issuer", &provider.issuer()), ("client_id", "hub")];
        let _ = browser.post(&format!("{PATH}/{id}"), &change).await.expect(303);
        assert_eq!(signed_in(&Browser::new(&hub.base()), &provider, &id).await, 303);
        let moved = [("name", "Renamed"), ("issuer", "https://a.example"), ("client_id", "hub")];
        let refused = browser.post(&format!("{PATH}/{id}"), &moved).await.expect(422);
        assert!(refused.text.contains("client_secret-error-1"), "a secret stays with its issuer");

        let _ = browser.post(&format!("{PATH}/{id}/delete"), &[]).await.expect(303);
        let _ = browser.get(&format!("{PATH}/{id}")).await.expect(404);
        let stranger = Browser::new(&hub.base());
        let _ = stranger.get(&format!("/sign-in/oidc/{id}")).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_only_signs_in_the_users_of_its_company() {
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let _acme = hub.client().await;
        let (eve, client) = hub.browser().await;
        let id = created(&eve, &provider.issuer(), &[("creates_users", "on")]).await;
        // Acme has a user with this email too, and was created first.
        let browser = Browser::new(&hub.base());
        assert_eq!(signed_in(&browser, &provider, &id).await, 303);
        let page = browser.get("/account").await.expect(200);
        assert!(page.text.contains("You are signed in as api@acme.example"));
        let users = client.manage().get("/users").await.expect(200);
        assert_eq!(users.data().as_array().map(Vec::len), Some(1), "it is Eve's own user");
        let sessions = audit(&client, "filter[action]=session.created_by_provider").await;
        assert_eq!(sessions.len(), 1);

        // A person who is not a user yet becomes a user of this company, with the permissions of their groups.
        let claims = json!({"sub": "new-1", "email": "new@elsewhere.example"});
        provider.play(Script { claims, ..Script::default() });
        assert_eq!(signed_in(&Browser::new(&hub.base()), &provider, &id).await, 303);
        let users = client.manage().get("/users").await.expect(200);
        let made = users
            .data()
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["email"] == "new@elsewhere.example");
        assert_eq!(made.unwrap()["permissions"], json!([]));
        // The first entry is about Eve.
        assert_eq!(audit(&client, "filter[action]=user.created").await.len(), 2);

        let claims = json!({"nonce": "another"});
        provider.play(Script { claims, ..Script::default() });
        assert_eq!(signed_in(&Browser::new(&hub.base()), &provider, &id).await, 422);
        access::record_failed_sign_ins(&hub.hub.ports.access).await.unwrap();
        let failed = audit(&client, "filter[action]=session.failed_at_provider").await;
        assert_eq!(failed[0]["new"], json!({"provider": id, "reason": "wrong_nonce"}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_of_a_domain_that_the_operator_allows_are_sent_to_the_provider() {
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let (browser, client) = hub.browser().await;
        let person = Browser::new(&hub.base());
        let email = [("email", "API@acme.example"), ("next", "/fields")];
        let unknown = person.post("/sign-in/oidc", &email).await.expect(422);
        assert!(unknown.text.contains("No identity provider is set"), "{}", unknown.text);
        let domains = [("domains", "acme.example"), ("creates_users", "on")];
        let form = fields("https://a.example", &domains);
        let refused = browser.post(&format!("{PATH}/new"), &form).await.expect(422);
        assert!(refused.text.contains("your company may not use"), "{}", refused.text);
        allow(hub, client.made.company, "acme.example").await;
        let (other, stranger) = hub.browser().await;
        let refused = other.post(&format!("{PATH}/new"), &form).await.expect(422);
        assert!(refused.text.contains("your company may not use"), "{}", refused.text);
        let ports = &hub.hub.ports.access;
        let taken = access::allow_oidc_domain(ports, stranger.made.company, "acme.example").await;
        assert!(taken.is_err(), "a domain belongs to one company");

        assert!(!person.get("/sign-in").await.text.contains("Continue with single sign-on"));
        let id = created(&browser, &provider.issuer(), &domains).await;
        let page = person.get("/sign-in").await.expect(200);
        assert!(page.text.contains("Continue with single sign-on"), "{}", page.text);
        let found = person.post("/sign-in/oidc", &email).await.expect(200);
        let link = format!("href=\"/sign-in/oidc/{id}?next=%2Ffields\"");
        assert!(found.text.contains(&link), "{}", found.text);
        assert_eq!(signed_in(&person, &provider, &id).await, 303);

        let claims = json!({"sub": "ben", "email": "ben@elsewhere.example"});
        provider.play(Script { claims, ..Script::default() });
        let ben = json!({"email": "ben@elsewhere.example"});
        let _ = client.manage().post("/users", &ben).await.expect(201);
        let stranger = Browser::new(&hub.base());
        let sent = stranger.get(&format!("/sign-in/oidc/{id}")).await.expect(303);
        let answer = stranger.get(&provider.sign_in(location(&sent))).await.expect(403);
        assert!(answer.text.contains("not used"), "{}", answer.text);
        assert!(access::forbid_oidc_domain(ports, "acme.example").await.unwrap());
        domains_are_audited(&client).await;
        let _ = person.post("/sign-in/oidc", &email).await.expect(422);
        creates_no_more_users(&stranger, &client, &provider, &id).await;
    })
    .await;
}

async fn domains_are_audited(client: &Client) {
    let entries = audit(client, "filter[action]=company.updated").await;
    let changes = entries.iter().map(|entry| json!([entry["old"], entry["new"]]));
    let (none, one) =
        (json!({"sign_on_domains": []}), json!({"sign_on_domains": ["acme.example"]}));
    assert_eq!(changes.collect::<Vec<_>>(), [json!([one, none]), json!([none, one])]);
}

async fn creates_no_more_users(
    stranger: &Browser,
    client: &Client,
    provider: &IdentityProvider,
    id: &str,
) {
    let claims = json!({"sub": "cy", "email": "cy@elsewhere.example"});
    provider.play(Script { claims, ..Script::default() });
    assert_eq!(signed_in(stranger, provider, id).await, 403);
    let entries = audit(client, "filter[action]=identity_provider.updated").await;
    assert_eq!(entries[0]["old"]["creates_users"], true, "{entries:?}");
    assert_eq!(entries[0]["new"]["creates_users"], false, "{entries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_are_given_roles_or_permissions() {
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let (browser, client) = hub.browser().await;
        let groups = "staff = editor\nowners = owner\nreaders = contacts_api";
        let more = [("group_claim", "roles"), ("groups", groups), ("creates_users", "on")];
        let id = created(&browser, &provider.issuer(), &more).await;
        let page = browser.get(&format!("{PATH}/{id}")).await.expect(200);
        assert!(page.text.contains("staff = editor\nowners = owner\nreaders = contacts_api"));
        let claims = json!({"sub": "2", "email": "b@acme.example", "roles": ["staff"]});
        provider.play(Script { claims, ..Script::default() });
        assert_eq!(signed_in(&Browser::new(&hub.base()), &provider, &id).await, 303);
        let users = client.manage().get("/users").await.expect(200);
        let made =
            users.data().as_array().unwrap().iter().find(|it| it["email"] == "b@acme.example");
        assert_eq!(made.unwrap()["permissions"], json!(["contacts_api", "publish"]));
        let wrong =
            fields("https://a.example", &[("group_claim", "roles"), ("groups", "staff = all")]);
        let refused = browser.post(&format!("{PATH}/new"), &wrong).await.expect(422);
        assert!(refused.text.contains("groups-error-1"), "{}", refused.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_has_at_most_five_and_only_managers_configure_them() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        for _ in 0..5 {
            let _ = created(&browser, "https://id.example", &[]).await;
        }
        let more = browser.post(&format!("{PATH}/new"), &fields("https://id.example", &[])).await;
        assert!(more.expect(422).text.contains("at most 5 identity providers"));
        let options = CompanyOptions { permissions: vec![], ..CompanyOptions::default() };
        let (other, _client) = hub.browser_of(&options).await;
        for path in [PATH.to_owned(), format!("{PATH}/new")] {
            let _ = other.get(&path).await.expect(403);
        }
        let page = browser.get(PATH).await.expect(200);
        assert!(field(&page.text, "csrf_token").is_some());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_companys_provider_has_the_same_network_restrictions_as_webhooks() {
    let strict = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.webhooks.allow_networks = Vec::new();
        settings.webhooks.allow_http = false;
    };
    Box::pin(with_settings(strict, async |hub| {
        let (browser, _client) = hub.browser().await;
        for issuer in
            ["http://id.example", "https://127.0.0.1:9", "https://localhost", "https://[::1]"]
        {
            let answer = browser.post(&format!("{PATH}/new"), &fields(issuer, &[])).await;
            assert!(answer.expect(422).text.contains("issuer-error-1"), "{issuer}");
        }
    }))
    .await;
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let (browser, _client) = hub.browser().await;
        let id = created(&browser, &provider.issuer(), &[]).await;
        for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] {
            let discovery = json!({name: "http://10.0.0.1/x"});
            provider.play(Script { discovery, ..Script::default() });
            let _ = browser.get(&format!("/account/confirm/{id}")).await.expect(503);
        }
    })
    .await;
}
