//! Sign-in with identity providers.

mod company;
mod confirm;
mod hostile;
mod passwords;
mod sign_in;

use contact_hub_tests::{Answer, Browser, IdentityProvider, OIDC_CLIENT, TestHub, with_settings};
use reqwest::header::LOCATION;
use serde_json::{Value, json};

/// Runs a test on a hub with one operator-defined provider, whose settings also have these members.
async fn with_provider(members: Value, test: impl AsyncFnOnce(&TestHub, &IdentityProvider)) {
    let provider = IdentityProvider::start().await;
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("secret"), "s3cret\n").expect("written");
    let mut described = json!({
        "id": "acme",
        "name": "Acme & Co",
        "issuer": provider.issuer(),
        "client_id": OIDC_CLIENT,
        "client_secret_file": "secret",
    });
    let members = members.as_object().expect("an object").clone();
    described.as_object_mut().expect("an object").extend(members);
    let file = folder.path().join("providers.json");
    std::fs::write(&file, json!([described]).to_string()).expect("written");
    let set = |settings: &mut contact_hub::settings::ServeSettings| {
        settings.oidc.oidc_providers_file = Some(file);
    };
    Box::pin(with_settings(set, async |hub| test(hub, &provider).await)).await;
}

/// The target of a redirect.
fn location(answer: &Answer) -> &str {
    answer.headers[LOCATION].to_str().expect("text")
}

/// Sends a browser to the provider, where a person signs in. Returns the path of the redirect back.
async fn at_provider(browser: &Browser, provider: &IdentityProvider, next: &str) -> String {
    let sent = browser.get(&format!("/sign-in/oidc/acme{next}")).await.expect(303);
    provider.sign_in(location(&sent))
}

/// Signs a person in with the provider.
async fn signed_in(browser: &Browser, provider: &IdentityProvider) -> Answer {
    let back = at_provider(browser, provider, "").await;
    browser.get(&back).await
}
