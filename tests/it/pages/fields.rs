//! Managing fields by hand.

use contact_hub_tests::with_hub;

use super::DEADLINE;
use crate::support::{person_with_values, until};

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
async fn a_field_says_whether_contacts_can_be_filtered_by_it() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let field = serde_json::json!({"name": "Team", "type": "string"});
        let field = client.post("/fields", &field).await.expect(201);
        let path = format!("/fields/{}", field.data()["id"].as_str().unwrap());
        let badges = async |words: &str| {
            let (list, own) = (browser.get("/fields").await, browser.get(&path).await);
            [list, own].map(|page| page.text.contains(&format!("\">{words}</span>")))
        };
        let filterable = async |is_filterable: bool| {
            let change = serde_json::json!({"filterable": is_filterable});
            let _ = client.patch(&path, &change).await.expect(200);
        };
        assert_eq!(badges("Filterable").await, [false, false]);
        let rows: Vec<_> = (0..600)
            .map(|n| {
                person_with_values(&format!("p{n}@x.example"), &serde_json::json!({"team": "a"}))
            })
            .collect();
        let rows = serde_json::json!({"contacts": rows});
        let _ = client.post("/contacts/bulk", &rows).await.expect(200);
        // It is prepared in the background, perhaps before the pages are read.
        until(DEADLINE, async || {
            filterable(false).await;
            filterable(true).await;
            badges("Being prepared").await == [true, true]
        })
        .await;
        until(DEADLINE, async || badges("Filterable").await == [true, true]).await;
        assert_eq!(badges("Being prepared").await, [false, false]);
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
