//! Managing one's own keys.

use contact_hub_tests::{Answer, TestHub, with_hub};
use serde_json::json;

use crate::person::Person;

async fn status_with(hub: &TestHub, token: &str) -> u16 {
    let url = format!("{}/api/public/v1/fields", hub.base());
    Answer::of(hub.http().get(url).bearer_auth(token)).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_created_copied_used_and_revoked() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        let allowed = json!({"origin": hub.base(), "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
        person.driver().cdp().send_raw("Browser.grantPermissions", allowed).await.unwrap();
        person.click("API access").await;
        person.arrives("API access").await;
        person.fill("Name of the new key", "Importer").await;
        person.choose("Expires", "In 30 days").await;
        person.click("Create key").await;
        person.arrives("Key created").await;
        let token = person.text_of("#token").await;
        person.click("Copy").await;
        person.sees("Copied").await;
        let copied = "const done = arguments[0]; navigator.clipboard.readText().then(done)";
        let copied = person.driver().execute_async(copied, Vec::new()).await.unwrap();
        assert_eq!(copied.json().as_str(), Some(token.as_str()));
        assert_eq!(status_with(hub, &token).await, 200);

        // Reloading the page shows the keys and does not create a second one.
        person.driver().refresh().await.unwrap();
        person.arrives("API access").await;
        person.sees("Importer").await;
        assert!(!person.is_seeing(&token).await);
        person.click("Revoke Importer").await;
        person.click_beside("Importer", "Revoke key").await;
        person.sees("Key revoked.").await;
        person.arrives("API access").await;
        assert_eq!(status_with(hub, &token).await, 401);
        person.open("/docs").await;
        person.sees("Export contacts").await;
        person.click("Guide").await;
        person.arrives("Integrating a custom platform").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_for_syncs_is_created_in_one_step() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        person.click("API access").await;
        person.click("Create a user for syncs").await;
        person.arrives("New user for syncs").await;
        person.click("Create user and key").await;
        person.arrives("Key created").await;
        person.sees("urlopen(").await;
        person.click("Done").await;
        person.arrives("syncs@acme.example").await;
        person.open("/admin/company/keys").await;
        person.sees("Sync service").await;
    })
    .await;
}
