//! Managing fields by hand.

use contact_hub_tests::with_hub;

use crate::support::person_with_values;

#[tokio::test(flavor = "multi_thread")]
async fn a_field_is_created_and_its_values_are_listed() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let page = browser.get("/fields").await.expect(200);
        assert!(page.text.contains("No fields yet"));
        let page = browser.done("/fields", &[("name", "Job Title"), ("type", "string")]).await;
        assert!(page.text.contains("Field created."));
        assert!(page.text.contains("{{field:jobTitle}}"));
        let values = serde_json::json!({"jobTitle": "Chief <b>"});
        let person = person_with_values("ann@example.com", &values);
        let _ = client.post("/contacts", &person).await.expect(201);
        let (_, rest) = page.text.split_once("href=\"/fields/").unwrap();
        let id = rest.split('"').next().unwrap();
        let page = browser.get(&format!("/fields/{id}")).await.expect(200);
        assert!(page.text.contains("Chief &#60;b&#62;"));
        let turned = browser.get(&format!("/fields/{id}?sort=-value")).await.expect(200);
        assert!(turned.text.contains("aria-sort=\"descending\""));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_field_shows_a_message_beside_its_name() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = client.field("Size", "number").await;
        let empty = browser.post("/fields", &[("name", ""), ("type", "string")]).await.expect(422);
        assert!(empty.text.contains("id=\"name-error-1\">Enter a name."));
        let taken = [("name", "size"), ("type", "string")];
        let taken = browser.post("/fields", &taken).await.expect(409);
        assert!(taken.text.contains("has the key size") && taken.text.contains("value=\"size\""));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_is_renamed_and_archived() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let body = serde_json::json!({"name": "Job Title", "type": "string"});
        let made = client.post("/fields", &body).await.expect(201);
        let path = format!("/fields/{}", made.data()["id"].as_str().unwrap());
        let page = browser.done(&path, &[("name", "Position"), ("archived", "on")]).await;
        assert!(page.text.contains("Field saved.") && page.text.contains("checked"));
        let list = browser.get("/fields").await.expect(200);
        assert!(list.text.contains("Position</a> (archived)"));
        let form = browser.get("/contacts/new").await.expect(200);
        assert!(!form.text.contains("Position"));
        let refused = browser.post(&path, &[("name", "")]).await.expect(422);
        assert!(refused.text.contains("id=\"name-error-1\">Enter a name."));
        let page = browser.done(&path, &[("name", "Position")]).await;
        assert!(!page.text.contains("checked"));
        let form = browser.get("/contacts/new").await.expect(200);
        assert!(form.text.contains("Position"));
    })
    .await;
}
