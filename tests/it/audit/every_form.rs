//! Every form of the pages that changes something leaves an entry with its request id.

use std::collections::BTreeSet;

use contact_hub::settings::ServeSettings;
use contact_hub_domain::access::{LinkPurpose, allow_oidc_domain, create_link};
use contact_hub_domain::ids::UserId;
use contact_hub_domain::ports::Clock as _;
use contact_hub_tests::{
    Answer, Browser, Client, IdentityProvider, OIDC_CLIENT, SoftPasskey, TestHub, code_at, field,
    with_settings,
};
use reqwest::Method;
use serde_json::json;

use crate::pages::passkeys::{ORIGIN, confirmation, options_of};
use crate::prepared::{Leaves, path};
use crate::support::{created, person};
use crate::sync::sample::{self, Setting, email, integration, setting};

const PASSWORD: &str = "correct horse battery";
const PLATFORMS: &str = "/admin/integrations/platforms";
const WEBHOOKS: &str = "/admin/integrations/webhooks";
const USERS: &str = "/admin/company/users";

/// A user's browser, and the objects that the forms change.
struct Desk<'a> {
    hub: &'a TestHub,
    browser: Browser,
    setting: Setting,
    sent: BTreeSet<String>,
}

impl Desk<'_> {
    const fn client(&self) -> &Client {
        &self.setting.client
    }

    async fn check(&mut self, pattern: &str, answer: Answer, leaves: Leaves) {
        assert!(answer.status < 400, "{pattern}: {} {}", answer.status, answer.text);
        self.sent.insert(pattern.to_owned());
        leaves.check(&self.setting.client, pattern, answer.header("x-request-id")).await;
    }

    /// Sends a form, whose path's parameters the ids replace in turn.
    async fn send(&mut self, pattern: &str, ids: &[&str], fields: &[(&str, &str)], leaves: Leaves) {
        let path = path(pattern, ids);
        let answer = self.browser.post(&path, fields).await;
        self.check(pattern, answer, leaves).await;
    }

    async fn audited(&mut self, pattern: &str, ids: &[&str], fields: &[(&str, &str)]) {
        self.send(pattern, ids, fields, Leaves::InAudit).await;
    }

    async fn import(&mut self, pattern: &str, query: &str, leaves: Leaves) {
        let request = self.browser.request(Method::POST, &format!("{pattern}{query}"));
        let request = request.header("Content-Type", "text/csv");
        let request = request.header("X-CSRF-Token", self.browser.token());
        let answer = self.browser.send(request.body("new@example.com,Ann,Lee\n")).await;
        self.check(pattern, answer, leaves).await;
    }

    async fn version(&self, id: &str) -> String {
        let form = self.browser.get(&format!("/contacts/{id}/edit")).await.expect(200);
        field(&form.text, "version").unwrap()
    }
}

async fn contacts(desk: &mut Desk<'_>) {
    let ann = [("email", "ann@example.com"), ("first_name", "Ann"), ("last_name", "Lee")];
    desk.send("/contacts/new", &[], &ann, Leaves::InFeed).await;
    let id = created(desk.client(), &person("bo@example.com")).await;
    let version = desk.version(&id).await;
    let change = [("version", version.as_str()), ("email", "bob@example.com")];
    let change = [&change[..], &ann[1..]].concat();
    desk.send("/contacts/{id}/edit", &[&id], &change, Leaves::InFeed).await;
    let version = desk.version(&id).await;
    desk.audited("/contacts/{id}/delete", &[&id], &[("version", &version)]).await;
    let query = "?delimiter=%2C&column=email&column=first_name&column=last_name";
    desk.import("/contacts/import/preview", "", Leaves::Nothing).await;
    desk.import("/contacts/import/rows", query, Leaves::InAudit).await;
    desk.audited("/fields", &[], &[("name", "Team"), ("type", "string")]).await;
    let size = [("name", "Size"), ("type", "number")];
    desk.audited("/contacts/import/fields", &[], &size).await;
    // Each part of an import has its entry.
    desk.send("/contacts/import/end", &[], &[("created", "1")], Leaves::Nothing).await;
    let fields = desk.client().get("/fields").await.expect(200);
    let field = fields.data()[0]["id"].as_str().unwrap().to_owned();
    desk.audited("/fields/{id}", &[&field], &[("name", "Side")]).await;
    desk.audited("/contacts/views", &[], &[("name", "All"), ("query", "sort=email&layout=email")])
        .await;
    let page = desk.browser.get("/contacts?sort=email&layout=email").await.expect(200);
    let view = contact_hub_tests::field(&page.text, "id").unwrap();
    desk.audited("/contacts/views/delete", &[], &[("id", &view)]).await;
    let bob = [("ids", id.as_str())];
    desk.audited("/contacts/deleted/restore", &[], &bob).await;
    let value = [bob[0], ("field", "field:0"), ("field_values.team", "Red")];
    desk.audited("/contacts/selected/values", &[], &value).await;
    desk.send("/contacts/selected", &[], &[bob[0], ("action", "delete")], Leaves::Nothing).await;
    desk.audited("/contacts/selected/delete", &[], &bob).await;
}

async fn syncs(desk: &mut Desk<'_>) {
    let asset = [("name", "Autumn"), ("type", "email"), ("subject", "Hi"), ("html", "<p>Hi</p>")];
    desk.audited("/assets/new", &[], &asset).await;
    desk.send("/assets/preview", &[], &asset, Leaves::Nothing).await;
    desk.send("/assets/check", &[], &asset, Leaves::Nothing).await;
    let (own, platform) = (desk.setting.asset.clone(), desk.setting.integration.clone());
    desk.audited("/assets/{id}/edit", &[&own], &asset).await;
    let publish = [("integration_id", platform.as_str())];
    desk.send("/assets/{id}/syncs", &[&own], &publish, Leaves::InFeed).await;
    let other = sample::created(desk.client(), "/assets", &email()).await;
    desk.audited("/assets/{id}/delete", &[&other], &[]).await;
    let connect = [("name", "Braze"), ("asset_types", "email"), ("merge_tag_format", "braze")];
    desk.audited(&format!("{PLATFORMS}/new"), &[], &connect).await;
    desk.audited(&format!("{PLATFORMS}/{{id}}"), &[&platform], &connect).await;
    let other = sample::created(desk.client(), "/integrations", &integration()).await;
    desk.audited(&format!("{PLATFORMS}/{{id}}/delete"), &[&other], &[]).await;
}

async fn webhooks(desk: &mut Desk<'_>) {
    let url = desk.setting.receiver.url();
    let hook = [("name", "Hook"), ("url", &url), ("events", "syncRequested"), ("enabled", "on")];
    desk.audited(&format!("{WEBHOOKS}/new"), &[], &hook).await;
    let id = sample::webhook(desk.client(), &url).await;
    let of_one = |rest: &str| format!("{WEBHOOKS}/{{id}}/{rest}");
    desk.audited(&of_one("edit"), &[&id], &hook).await;
    desk.audited(&of_one("test"), &[&id], &[]).await;
    let filter = format!("/deliveries?filter[webhook_id]={id}");
    let deliveries = desk.client().manage().get(&filter).await.expect(200);
    let delivery = deliveries.data()[0]["id"].as_str().unwrap().to_owned();
    desk.audited(&format!("{WEBHOOKS}/deliveries/{{id}}/resend"), &[&delivery], &[]).await;
    let many = [("ids", delivery.as_str())];
    desk.audited(&format!("{WEBHOOKS}/deliveries/resend"), &[], &many).await;
    desk.audited(&of_one("rotate-secret"), &[&id], &[("grace_seconds", "3600")]).await;
    desk.audited(&of_one("previous-secrets"), &[&id], &[]).await;
    desk.audited(&of_one("recover"), &[&id], &[("since", "2026-01-01T00:00:00Z")]).await;
    desk.audited(&of_one("delete"), &[&id], &[]).await;
}

async fn company(desk: &mut Desk<'_>) {
    desk.audited("/admin/company", &[], &[("name", "Other"), ("product_access", "on")]).await;
    let eve = [("email", "eve@acme.example"), ("role", "editor")];
    desk.audited(&format!("{USERS}/new"), &[], &eve).await;
    let service = [("email", "syncs@acme.example"), ("name", "Syncs")];
    desk.audited("/admin/company/services/new", &[], &service).await;
    identity_providers(desk).await;
    let user = json!({"email": "max@acme.example", "permissions": []});
    let user = sample::created(desk.client(), "/users", &user).await;
    let of_one = |rest: &str| format!("{USERS}/{{id}}{rest}");
    let change = [("email", "max@acme.example"), ("role", "own"), ("permissions", "publish")];
    desk.audited(&of_one(""), &[&user], &change).await;
    desk.audited(&of_one("/invite"), &[&user], &[]).await;
    desk.audited(&of_one("/keys"), &[&user], &[]).await;
    let keys = format!("/users/{user}/api-keys");
    let key = sample::created(desk.client(), &keys, &json!({"name": "CI"})).await;
    desk.audited(&of_one("/keys/{key_id}/revoke"), &[&user, &key], &[]).await;
    let eve = Browser::new(&desk.hub.base());
    eve.sign_in(&desk.hub.hub.ports.access, UserId::parse(&user).unwrap()).await;
    let (secret, code) = two_step(desk.hub, &eve).await;
    let on = [("secret", secret.as_str()), ("code", &code)];
    let _ = eve.post("/account/two-step/on", &on).await.expect(200);
    desk.audited(&of_one("/reset-two-step"), &[&user], &[]).await;
    desk.audited(&of_one("/delete"), &[&user], &[]).await;
}

async fn identity_providers(desk: &mut Desk<'_>) {
    const PATH: &str = "/admin/company/sign-on";
    let (ports, company) = (&desk.hub.hub.ports.access, desk.client().made.company);
    allow_oidc_domain(ports, company, "acme.example").await.unwrap();
    let people = IdentityProvider::start().await;
    let issuer = people.issuer();
    let provider = [
        ("name", "Login"),
        ("issuer", issuer.as_str()),
        ("client_id", OIDC_CLIENT),
        ("client_secret", "s3cret"),
        ("domains", "acme.example"),
    ];
    desk.audited(&format!("{PATH}/new"), &[], &provider).await;
    let page = desk.browser.get(PATH).await.expect(200);
    let (_, rest) = page.text.split_once(&format!("{PATH}/0")).unwrap();
    let id = format!("0{}", rest.get(..35).unwrap());
    let email = [("email", "ann@acme.example")];
    desk.send("/sign-in/oidc", &[], &email, Leaves::Nothing).await;
    passwords(desk, &people, &id).await;
    let renamed = [("name", "Other"), provider[1], provider[2]];
    desk.audited(&format!("{PATH}/{{id}}"), &[&id], &renamed).await;
    desk.audited(&format!("{PATH}/{{id}}/delete"), &[&id], &[]).await;
}

/// Only a user who signed in with the provider can disable passwords.
async fn passwords(desk: &mut Desk<'_>, people: &IdentityProvider, id: &str) {
    const PATH: &str = "/admin/company/sign-on/passwords";
    let other = Browser::new(&desk.hub.base());
    let sent = other.get(&format!("/sign-in/oidc/{id}")).await.expect(303);
    let _ = other.get(&people.sign_in(sent.header("location"))).await.expect(303);
    other.keep_token().await;
    let off = other.post(PATH, &[]).await;
    desk.check(PATH, off, Leaves::InAudit).await;
    desk.audited(PATH, &[], &[("password_sign_in", "on")]).await;
}

/// The secret that the setup page shows, and a code.
async fn two_step(hub: &TestHub, browser: &Browser) -> (String, String) {
    let page = browser.get("/account/two-step").await.expect(200);
    let secret = field(&page.text, "secret").unwrap();
    let code = code_at(&secret, hub.clock.now());
    (secret, code)
}

async fn own_two_step(desk: &mut Desk<'_>) {
    let (secret, code) = two_step(desk.hub, &desk.browser).await;
    let on = [("secret", secret.as_str()), ("code", &code)];
    desk.audited("/account/two-step/on", &[], &on).await;
    desk.audited("/account/two-step/recovery-codes", &[], &[]).await;
    let other = Browser::new(&desk.hub.base());
    let fields = [("email", "api@acme.example"), ("password", PASSWORD)];
    let _ = other.post("/sign-in", &fields).await.expect(303);
    let later = code_at(&secret, desk.hub.clock.now().plus_seconds(30));
    let answer = other.post("/sign-in/code", &[("code", &later)]).await;
    desk.check("/sign-in/code", answer, Leaves::InAudit).await;
    desk.audited("/account/two-step/off", &[], &[]).await;
}

async fn passkeys(desk: &mut Desk<'_>) {
    let page = desk.browser.post("/account/passkeys/new", &[]).await;
    let (mut passkey, made) = SoftPasskey::create(ORIGIN, &options_of(&page));
    desk.check("/account/passkeys/new", page, Leaves::Nothing).await;
    let form = [("name", "Laptop"), ("credential", made.as_str())];
    desk.audited("/account/passkeys", &[], &form).await;
    let asked = confirmation(&desk.browser).await;
    desk.check("/account/passkeys/options", asked, Leaves::Nothing).await;
    let other = Browser::new(&desk.hub.base());
    let asked = other.post("/sign-in/passkey/options", &[]).await;
    let proof = passkey.prove(&asked.json);
    desk.check("/sign-in/passkey/options", asked, Leaves::Nothing).await;
    let answer = other.post("/sign-in/passkey", &[("credential", &proof)]).await;
    desk.check("/sign-in/passkey", answer, Leaves::InAudit).await;
    let page = desk.browser.get("/account/passkeys").await.expect(200);
    let (_, rest) = page.text.split_once("id=\"name-").unwrap();
    let id = rest.split('"').next().unwrap().to_owned();
    desk.audited("/account/passkeys/{id}", &[&id], &[("name", "Phone")]).await;
    desk.audited("/account/passkeys/{id}/delete", &[&id], &[]).await;
}

async fn account(desk: &mut Desk<'_>) {
    let (hub, user) = (desk.hub, desk.client().made.user);
    let ports = &hub.hub.ports.access;
    desk.audited("/account/api-access/keys", &[], &[("name", "Mine")]).await;
    let keys = format!("/users/{user}/api-keys");
    let key = sample::created(desk.client(), &keys, &json!({"name": "CI"})).await;
    desk.audited("/account/api-access/keys/{key_id}/revoke", &[&key], &[]).await;
    desk.send("/account/api-access/keys/{key_id}/revoke", &[&key], &[], Leaves::Nothing).await;
    let before = ports.sessions.sessions_of(user).await.expect("sessions");
    let link = create_link(ports, None, user, LinkPurpose::SignIn).await.expect("a link").url("");
    let other = Browser::new(&desk.hub.base());
    let answer = other.post(&link, &[]).await;
    desk.check("/sign-in/{token}", answer, Leaves::InAudit).await;
    let sessions = ports.sessions.sessions_of(user).await.expect("sessions");
    let ended = sessions.iter().find(|it| before.iter().all(|old| old.session.id != it.session.id));
    let ended = ended.unwrap().session;
    desk.audited("/account/sessions/{id}/end", &[&ended.id.to_string()], &[]).await;
    desk.audited("/account/password", &[], &[("password", PASSWORD)]).await;
    desk.audited("/account/alerts", &[], &[("by_email", "webhook_off")]).await;
    desk.send("/setup/dismiss", &[], &[], Leaves::Nothing).await;
    let fields = [("email", "api@acme.example"), ("password", PASSWORD)];
    let answer = Browser::new(&desk.hub.base()).post("/sign-in", &fields).await;
    desk.check("/sign-in", answer, Leaves::InAudit).await;
    own_two_step(desk).await;
    passkeys(desk).await;
    let other = Browser::new(&desk.hub.base());
    other.sign_in(ports, user).await;
    let answer = other.post("/sign-out", &[]).await;
    desk.check("/sign-out", answer, Leaves::InAudit).await;
    desk.audited("/account/sign-out-everywhere", &[], &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_that_changes_something_leaves_an_entry() {
    let on = |settings: &mut ServeSettings| settings.public_url = Some(ORIGIN.to_owned());
    with_settings(on, async |hub| {
        let (browser, client) = hub.browser().await;
        let setting = setting(client, &[500]).await;
        let mut desk = Desk { hub, browser, setting, sent: BTreeSet::new() };
        contacts(&mut desk).await;
        syncs(&mut desk).await;
        webhooks(&mut desk).await;
        company(&mut desk).await;
        account(&mut desk).await;
        let forms: BTreeSet<String> = contact_hub_web::forms().into_iter().collect();
        let others: Vec<_> = desk.sent.symmetric_difference(&forms).collect();
        assert!(others.is_empty(), "each must be sent here, or is gone: {others:?}");
    })
    .await;
}
