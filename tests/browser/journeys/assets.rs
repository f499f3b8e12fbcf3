//! Assets and the Publish menu.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;
use thirtyfour::By;

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_written_previewed_changed_and_deleted() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        person.click("Assets").await;
        person.arrives("Assets").await;
        person.sees("No assets yet").await;
        person.click("New asset").await;
        person.arrives("New asset").await;
        person.fill("Name", "Spring").await;
        person.fill("HTML", "<h2>Hello {{first_name|there}}</h2><p>From {{field:city}}</p>").await;
        person.click("Save").await;
        person.sees("Enter a subject.").await;
        person.arrives("New asset").await;
        person.fill("Subject", "Spring is here, {{first_name}}").await;
        person.click("Save").await;
        person.arrives("Spring").await;
        person.sees("{{first_name}} {{field:city}}").await;
        person.sees("Hello {{first_name|there}}").await;
        let frame = person.driver().find(By::Css("iframe.preview")).await.unwrap();
        frame.scroll_into_view().await.unwrap();
        frame.enter_frame().await.unwrap();
        person.sees("From {{field:city}}").await;
        person.driver().enter_default_frame().await.unwrap();

        person.click("Edit").await;
        person.arrives("Edit asset").await;
        person.fill("Plain text", "Written by hand").await;
        person.click("Save").await;
        person.arrives("Spring").await;
        person.sees("Written by hand").await;
        person.click("Delete this asset").await;
        person.click("Delete").await;
        person.arrives("Assets").await;
        person.sees("Asset deleted.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_is_requested_and_its_state_follows_by_itself() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let manage = client.manage();
        let asset =
            json!({"name": "Spring", "type": "email", "subject": "Hello", "html": "<p>Hi</p>"});
        let asset = manage.post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap().to_owned();
        person.open(&format!("/assets/{id}")).await;
        person.arrives("Spring").await;
        person.sees("There is no connection to a platform yet.").await;
        let platform =
            json!({"name": "My Braze", "asset_types": ["email"], "merge_tag_format": "braze"});
        let _ = manage.post("/integrations", &platform).await.expect(201);
        person.open(&format!("/assets/{id}")).await;
        person.sees("No webhook that is on subscribes to syncRequested").await;
        person.click("Publish").await;
        person.click("Sync to My Braze").await;
        person.sees("No enabled webhook subscribes to syncRequested.").await;
        person.arrives("Spring").await;

        let receiver = Receiver::start(&[202]).await;
        let webhook = json!({"name": "Hook", "url": receiver.url(), "events": ["syncRequested"]});
        let _ = manage.post("/webhooks", &webhook).await.expect(201);
        person.click("Sync to My Braze").await;
        person.sees("Sync requested").await;
        person.arrives("Spring").await;
        let mark = "window.isThePageThatWasOpened = true";
        let _ = person.js(mark).await.unwrap();
        let status = format!("/sync-status/{id}");
        let report =
            json!({"status": "completed", "map_id": "42", "map_url": "http://127.0.0.1:9/42"});
        let _ = client.published().patch(&status, &report).await.expect(200);
        person.sees("Completed").await;
        assert_eq!(person.js("return window.isThePageThatWasOpened").await.unwrap(), true);
        person.arrives("Spring").await;
        let link = person.driver().find(By::LinkText("Open in My Braze (42)")).await.unwrap();
        assert_eq!(link.attr("href").await.unwrap().as_deref(), Some("http://127.0.0.1:9/42"));

        person.click("Publish").await;
        person.click("Re-sync to My Braze").await;
        person.sees("Sync requested").await;
        let report = json!({"status": "failed", "error_message": "The list is gone"});
        let _ = client.published().patch(&status, &report).await.expect(200);
        person.sees("The list is gone").await;
        person.arrives("Spring").await;
        person.click_beside("The list is gone", "Deliveries").await;
        person.arrives("Deliveries").await;
        person.sees("syncRequested").await;
    })
    .await;
}
