//! Signing in with oidc-provider, a certified identity provider.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use contact_hub_domain::access::allow_oidc_domain;
use contact_hub_tests::{IdentityProvider, OIDC_CLIENT, TestHub, with_hub, with_settings};
use serde_json::json;
use thirtyfour::By;

use crate::person::Person;
use crate::target;

const SECRET: &str = "a secret of at least thirty-two characters";

/// A running provider, which exits when its standard input is closed.
struct Provider {
    process: Child,
    input: Option<ChildStdin>,
    issuer: String,
}

impl Drop for Provider {
    fn drop(&mut self) {
        drop(self.input.take());
        self.process.wait().ok();
    }
}

impl Provider {
    /// Starts it; `None` where `cargo xtask browser` did not install it.
    fn start() -> Option<Self> {
        let packages = target().join("oidc-provider");
        if !packages.join("installed-lock.json").exists() {
            return None;
        }
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("browser/oidc-provider/provider.mjs");
        let mut node = Command::new("node");
        node.arg(script).arg(packages.canonicalize().unwrap());
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = node.spawn().ok()?;
        let input = process.stdin.take();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let issuer = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("issuer ").map(str::to_owned));
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Some(Self { process, input, issuer: issuer.expect("the provider starts") })
    }

    /// Registers the service as a client.
    fn register(&mut self, hub: &TestHub) {
        let redirect = format!("{}/sign-in/oidc/certified/callback", hub.base());
        writeln!(self.input.as_mut().unwrap(), "{redirect}").unwrap();
    }
}

/// Signs in on the pages of the provider, and allows the service to read the email.
async fn at_provider(person: &Person, email: &str) {
    let button = |words: &str| By::XPath(format!("//button[normalize-space() = '{words}']"));
    let is_there = async |by: By| Ok(!person.driver().find_all(by).await?.is_empty());
    person
        .until("the provider's form", async || is_there(By::Css("input[name=login]")).await)
        .await;
    let element = person.driver().find(By::Css("input[name=login]")).await.unwrap();
    element.send_keys(email).await.unwrap();
    let element = person.driver().find(By::Css("input[name=password]")).await.unwrap();
    element.send_keys("any").await.unwrap();
    person.driver().find(button("Sign-in")).await.unwrap().click().await.unwrap();
    person
        .until("the question or the way back", async || {
            let is_back = person.driver().current_url().await?.as_str().starts_with(person.base());
            Ok(is_back || is_there(button("Continue")).await?)
        })
        .await;
    for element in person.driver().find_all(button("Continue")).await.unwrap() {
        element.click().await.unwrap();
    }
    let is_back =
        async || Ok(person.driver().current_url().await?.as_str().starts_with(person.base()));
    person.until("the way back", is_back).await;
    // Console errors of the provider's own pages are ignored: its fonts come from the network.
    let _ = person.driver().browser_log().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_signs_in_with_a_certified_provider_and_confirms_there() {
    let Some(mut provider) = Provider::start() else {
        eprintln!("skipped: `cargo xtask browser` installs oidc-provider where Node.js is");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), SECRET).unwrap();
    let described = json!([{
        "id": "certified",
        "name": "Certified",
        "issuer": provider.issuer,
        "client_id": "hub",
        "client_secret_file": "secret",
    }]);
    let file = folder.path().join("providers.json");
    std::fs::write(&file, described.to_string()).unwrap();
    let set = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.oidc.oidc_providers_file = Some(file);
    };
    Box::pin(with_settings(set, async |hub| {
        provider.register(hub);
        let _client = hub.client().await;
        let person = Person::at(&hub.base()).await;
        person.open("/contacts").await;
        person.arrives("Sign in").await;
        person.click("Sign in with Certified").await;
        at_provider(&person, "eve@acme.example").await;
        person.arrives("Not signed in").await;
        person.sees("No user here has your email").await;
        // The provider remembers who signed in there; another user starts with an empty browser.
        let person = Person::beside(&person).await;
        person.open("/contacts").await;
        person.click("Sign in with Certified").await;
        at_provider(&person, "api@acme.example").await;
        person.arrives("Contacts").await;
        person.click("Sign out").await;
        person.arrives("Sign in").await;
        person.click("Sign in with Certified").await;
        person.arrives("Overview").await;

        person.open("/account/confirm/certified?next=/account").await;
        at_provider(&person, "api@acme.example").await;
        person.arrives("Account").await;
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_configures_a_provider_that_its_users_find_by_their_email() {
    with_hub(async |hub| {
        let provider = IdentityProvider::start().await;
        let (person, client) = Person::signed_in(hub).await;
        let ports = &hub.hub.ports.access;
        allow_oidc_domain(ports, client.made.company, "acme.example").await.unwrap();
        person.click("Company").await;
        person.arrives("Company").await;
        person.click("Manage single sign-on").await;
        person.arrives("Single sign-on").await;
        person.sees("No identity providers yet.").await;
        person.click("New identity provider").await;
        person.arrives("New identity provider").await;
        person.click("Create").await;
        person.arrives("New identity provider").await;
        person.fill("Name", "Acme login").await;
        person.fill("Issuer", &provider.issuer()).await;
        person.fill("Client ID", OIDC_CLIENT).await;
        person.fill("Client secret", "s3cret").await;
        person.fill("Email domains", "acme.example").await;
        person.click("Create").await;
        person.arrives("Identity provider").await;
        person.sees("Identity provider created.").await;
        person.click("Save").await;
        person.arrives("Single sign-on").await;
        person.sees("Acme login").await;
        person.click("Switch off sign-in by password").await;
        person.arrives("Single sign-on").await;
        person.sees("somebody who signed in without a password").await;
        person.click("Sign out").await;
        person.arrives("Sign in").await;
        person.fill("Email", "api@elsewhere.example").await;
        person.click("Continue with single sign-on").await;
        person.arrives("Single sign-on").await;
        person.sees("No identity provider is set").await;
        person.click("Go back").await;
        person.arrives("Sign in").await;
        person.fill("Email", "api@acme.example").await;
        person.click("Continue with single sign-on").await;
        person.arrives("Single sign-on").await;
        person.sees("Continue to Acme login").await;
    })
    .await;
}
