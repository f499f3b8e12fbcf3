//! Passkeys in a browser with an authenticator in software.

use std::net::TcpListener;

use contact_hub::settings::ServeSettings;
use contact_hub_tests::with_settings;
use serde_json::{Value, json};

use crate::person::Person;

const PASSWORD: &str = "correct horse battery";

/// An address with a domain name, on a port that was free just now.
fn at_localhost(settings: &mut ServeSettings) {
    let free = TcpListener::bind(settings.listen).unwrap().local_addr().unwrap();
    settings.listen = free;
    settings.public_url = Some(format!("http://localhost:{}", free.port()));
}

/// Gives the browser an authenticator that always verifies its user.
async fn plug_in(person: &Person) {
    let cdp = person.driver().cdp();
    cdp.send_raw("WebAuthn.enable", json!({"enableUI": false})).await.unwrap();
    let options = json!({
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": true,
        "hasUserVerification": true,
        "isUserVerified": true,
        "automaticPresenceSimulation": true,
    });
    let options = json!({"options": options});
    cdp.send_raw("WebAuthn.addVirtualAuthenticator", options).await.unwrap();
}

/// From the next page on, the browser does not offer passkeys for autofill; returns what is needed to undo that. The
/// software authenticator would accept an offer at once, so that the button could not be clicked.
async fn offer_nothing(person: &Person) -> Value {
    let source = "PublicKeyCredential.isConditionalMediationAvailable = async () => false;";
    let cdp = person.driver().cdp();
    let script = json!({"source": source});
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", script).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passkey_is_added_used_and_deleted_where_two_step_verification_is_required() {
    with_settings(at_localhost, async |hub| {
        let client = hub.client().await;
        let person = Person::at(&hub.hub.public_url).await;
        plug_in(&person).await;
        person.follow_link(hub, client.made.user).await;
        person.click("Account").await;
        person.arrives("Account").await;
        person.fill("New password", PASSWORD).await;
        person.click("Set password").await;
        person.sees("Password set.").await;
        person.click("Company").await;
        person.arrives("Company").await;
        let required =
            "Require two-step verification: users without it set it up when they sign in";
        person.tick(required).await;
        person.click("Save").await;
        person.arrives("Set up two-step verification").await;

        person.click("add a passkey").await;
        person.arrives("Passkeys").await;
        person.sees("No passkeys yet.").await;
        person.click("Add a passkey").await;
        person.arrives("Add a passkey").await;
        person.fill("Name", "My laptop").await;
        person.click("Create passkey").await;
        person.sees("Passkey added.").await;
        person.arrives("Passkeys").await;
        person.sees("My laptop").await;
        person.click("Add a passkey").await;
        person.arrives("Add a passkey").await;
        person.click("Create passkey").await;
        person.sees("This device has a passkey of yours already.").await;

        let silence = offer_nothing(&person).await;
        person.click("Sign out").await;
        person.arrives("Sign in").await;
        person.click("Sign in with a passkey").await;
        person.arrives("Overview").await;
        let cdp = person.driver().cdp();
        cdp.send_raw("Page.removeScriptToEvaluateOnNewDocument", silence).await.unwrap();
        person.click("Sign out").await;
        person.arrives("Overview").await;

        hub.clock.advance(11 * 60);
        person.open("/account/api-access").await;
        person.fill("Name of the new key", "CI").await;
        person.click("Create key").await;
        person.arrives("Confirm it's you").await;
        person.click("Use a passkey").await;
        person.arrives("Key created").await;

        person.open("/account/passkeys").await;
        person.arrives("Passkeys").await;
        person.click("Rename My laptop").await;
        person.fill("New name", "Old laptop").await;
        person.click("Save").await;
        person.sees("Passkey renamed.").await;
        person.click("Delete Old laptop").await;
        person.click("Delete for good").await;
        person.sees("Passkey deleted.").await;
        person.open("/contacts").await;
        person.arrives("Set up two-step verification").await;
    })
    .await;
}
