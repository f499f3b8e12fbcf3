//! Assets and the Publish menu.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;
use thirtyfour::{By, Key};

use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_created_previewed_changed_and_deleted() {
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
async fn a_sync_is_requested_and_its_state_updates_without_a_reload() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let manage = client.manage();
        let asset =
            json!({"name": "Spring", "type": "email", "subject": "Hello", "html": "<p>Hi</p>"});
        let asset = manage.post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap().to_owned();
        person.open(&format!("/assets/{id}")).await;
        person.arrives("Spring").await;
        person.sees("No platform is connected yet.").await;
        let platform =
            json!({"name": "My Braze", "asset_types": ["email"], "merge_tag_format": "braze"});
        let _ = manage.post("/integrations", &platform).await.expect(201);
        person.open(&format!("/assets/{id}")).await;
        person.sees("No active webhook subscribes to syncRequested").await;
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
        // The previous page may still announce the first sync.
        let is_new = "return window.isThePageThatWasOpened === undefined";
        person.until("the page is new", async || Ok(person.js(is_new).await? == true)).await;
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

/// The height of the preview, in CSS pixels.
async fn height(person: &Person) -> u64 {
    let height = "return Math.round(document.querySelector('iframe.preview').getBoundingClientRect().height)";
    person.js(height).await.unwrap().as_u64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_edited_with_warnings_a_tag_picker_and_a_preview() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let _ = client.field("Job Title", "string").await;
        person.open("/assets/new").await;
        person.arrives("New asset").await;
        person.fill("Name", "Spring").await;
        person.fill("Subject", "Hi {{firstName}}").await;
        // With the keyboard alone: the tab key leaves the editor.
        person.fill("HTML", "<p>Dear {{ fisrt_name }}</p>").await;
        person.sees("Did you mean first_name?").await;
        let marked = "return document.querySelectorAll('.cm-unknown-tag').length";
        person.until("the tag is marked", async || Ok(person.js(marked).await? == 1)).await;
        let numbers = "return document.querySelector('.cm-lineNumbers') !== null";
        assert_eq!(person.js(numbers).await.unwrap(), true);
        person.arrives("New asset").await;
        let editor = person.driver().find(By::Css(".cm-content")).await.unwrap();
        editor.send_keys(Key::Tab + "").await.unwrap();
        let inside = "return document.activeElement.closest('.cm-editor') !== null";
        assert_eq!(person.js(inside).await.unwrap(), false);

        person.fill("HTML", "<h1>Hello</h1>").await;
        person.choose("Merge tag", "Job Title: {{field:jobTitle}}").await;
        person.click("Insert").await;
        let draft = "return document.getElementById('html-source').value";
        let html = person.js(draft).await.unwrap();
        assert_eq!(html, "<h1>Hello</h1>{{field:jobTitle}}");
        person
            .until("the preview shows it", async || {
                let frame = person.driver().find(By::Css("#draft iframe")).await?;
                frame.enter_frame().await?;
                let text = person.js("return document.body?.innerText ?? ''").await?;
                person.driver().enter_default_frame().await?;
                Ok(text.as_str().is_some_and(|it| it.contains("{{field:jobTitle}}")))
            })
            .await;
        person.click("Save").await;
        person.arrives("Spring").await;
        // It is saved, with a warning about the subject.
        person.sees("Unknown merge tags.").await;
        person.sees("Did you mean first_name?").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_is_as_tall_as_its_content_and_shows_what_is_sent() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let html = "<body style=\"margin:0\"><div style=\"height:1500px\">Dear {{first_name|friend}}</div>";
        let asset = json!({"name": "Spring", "type": "email", "subject": "For {{first_name}}",
            "preheader": "Soon", "html": html});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap().to_owned();
        let ann = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let _ = client.post("/contacts", &ann).await.expect(201);
        person.open(&format!("/assets/{id}")).await;
        person.arrives("Spring").await;
        person.until("it is as high as its content", async || Ok(height(&person).await == 1500)).await;
        person.click("Phone, contact or platform").await;
        person.arrives("Preview of Spring").await;
        person.choose("Width", "Phone, 375 px").await;
        person.fill("With the values of a contact", "ann").await;
        person.click("Show").await;
        person.arrives("Preview of Spring").await;
        person.click("ann@example.com").await;
        person.arrives("Preview of Spring").await;
        person.sees("For Ann").await;
        person.until("it is as high as its content", async || Ok(height(&person).await == 1500)).await;
        let width = "return document.querySelector('iframe.preview').clientWidth";
        let width = person.js(width).await.unwrap().as_u64().unwrap();
        assert!((370..=375).contains(&width), "{width}");
        person.choose("As sent to", "Braze").await;
        person.click("Show").await;
        person.arrives("Preview of Spring").await;
        let mark = person.driver().find(By::Css("mark")).await.unwrap();
        assert!(mark.text().await.unwrap().contains("first_name"), "{:?}", mark.text().await);
        assert_eq!(mark.attr("title").await.unwrap().unwrap(), "Source: {{first_name|friend}}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_created_without_javascript() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let off = json!({"value": true});
        person.driver().cdp().send_raw("Emulation.setScriptExecutionDisabled", off).await.unwrap();
        person.open("/assets/new").await;
        person.fill("Name", "Spring").await;
        person.fill("Subject", "Hello").await;
        person.fill("HTML", "<p>Dear {{first_name}}</p>").await;
        person.click("Save").await;
        person.sees("Asset created.").await;
        person.click("Edit").await;
        assert_eq!(person.value_of("HTML").await.trim(), "<p>Dear {{first_name}}</p>");
        person.fill("HTML", "<p>Hi {{first_name}}</p>").await;
        person.click("Save").await;
        person.sees("Asset saved.").await;
        let listed = client.manage().get("/assets").await.expect(200);
        let id = listed.data()[0]["id"].as_str().unwrap().to_owned();
        let content = client.published().get(&format!("/assets/{id}/content")).await.expect(200);
        assert!(content.text.contains("<p>Hi {{first_name}}</p>"), "{}", content.text);
    })
    .await;
}
