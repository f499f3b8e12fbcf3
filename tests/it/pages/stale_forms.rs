//! Forms that were opened before someone else changed the same object: saving changes only what was edited.

use contact_hub_tests::{Browser, Client, TestHub, field, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person_with_values, read};

/// Opens a form, and returns the digests of what it shows.
async fn opened(browser: &Browser, path: &str) -> (&'static str, String) {
    let page = browser.get(path).await.expect(200);
    let seen = field(&page.text, "seen_values").expect("digests of what the form shows");
    ("seen_values", seen.replace("&#38;", "&"))
}

/// Sends the form with these fields.
async fn save(browser: &Browser, path: &str, seen: &(&str, String), fields: &[(&str, &str)]) {
    let seen = [(seen.0, seen.1.as_str())];
    let _ = browser.post(path, &[&seen, fields].concat()).await.expect(303);
}

/// Changes an object of the management interface, as a colleague does.
async fn change(client: &Client, path: &str, change: &Value) {
    let _ = client.manage().patch(path, change).await.expect(200);
}

async fn data(client: &Client, path: &str) -> Value {
    client.manage().get(path).await.expect(200).data().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_keeps_its_security_settings() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let seen = opened(&browser, "/admin/company").await;
        change(&client, "/company", &json!({"allowed_domains": ["only.example"]})).await;
        let fields = [("name", "Renamed"), ("product_access", "on"), ("allowed_domains", "")];
        save(&browser, "/admin/company", &seen, &fields).await;
        let company = data(&client, "/company").await;
        assert_eq!(company["name"], "Renamed");
        assert_eq!(company["allowed_domains"], json!(["only.example"]));
        assert_eq!(company["product_access"], true);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_does_not_get_permissions_back() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let user = json!({"email": "bob@acme.example", "permissions": ["contacts_api", "publish"]});
        let user = client.manage().post("/users", &user).await.expect(201);
        let id = user.data()["id"].as_str().unwrap().to_owned();
        let path = format!("/admin/company/users/{id}");
        let seen = opened(&browser, &path).await;
        change(&client, &format!("/users/{id}"), &json!({"permissions": []})).await;
        let fields = [
            ("email", "robert@acme.example"),
            ("role", "editor"),
            ("permissions", "contacts_api"),
            ("permissions", "publish"),
        ];
        save(&browser, &path, &seen, &fields).await;
        let user = data(&client, &format!("/users/{id}")).await;
        assert_eq!(user["email"], "robert@acme.example");
        assert_eq!(user["permissions"], json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_was_switched_off_stays_off_and_keeps_its_new_address() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let hook =
            json!({"name": "CRM", "url": "https://old.example/", "events": ["syncRequested"]});
        let hook = client.manage().post("/webhooks", &hook).await.expect(201);
        let id = hook.data()["id"].as_str().unwrap().to_owned();
        let path = format!("/admin/integrations/webhooks/{id}/edit");
        let seen = opened(&browser, &path).await;
        let theirs = json!({"url": "https://new.example/", "enabled": false});
        change(&client, &format!("/webhooks/{id}"), &theirs).await;
        let fields = [
            ("name", "CRM EU"),
            ("url", "https://old.example/"),
            ("events", "syncRequested"),
            ("enabled", "on"),
        ];
        save(&browser, &path, &seen, &fields).await;
        let hook = data(&client, &format!("/webhooks/{id}")).await;
        assert_eq!(
            (&hook["name"], &hook["url"]),
            (&json!("CRM EU"), &json!("https://new.example/"))
        );
        assert_eq!(hook["enabled"], false);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_keeps_the_html_of_a_colleague() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let asset = json!({"name": "News", "type": "email", "subject": "Hi", "html": "<p>Old"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap().to_owned();
        let path = format!("/assets/{id}/edit");
        let seen = opened(&browser, &path).await;
        change(&client, &format!("/assets/{id}"), &json!({"html": "<p>Theirs"})).await;
        let fields = [
            ("name", "Newsletter"),
            ("type", "email"),
            ("subject", "Hi"),
            ("preheader", ""),
            ("html", "<p>Old"),
            ("text", ""),
        ];
        save(&browser, &path, &seen, &fields).await;
        let asset = data(&client, &format!("/assets/{id}")).await;
        assert_eq!((&asset["name"], &asset["html"]), (&json!("Newsletter"), &json!("<p>Theirs")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_who_change_the_html_of_an_asset_are_told_of_the_conflict() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let asset = json!({"name": "News", "type": "email", "subject": "Hi", "html": "<p>Old"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let id = asset.data()["id"].as_str().unwrap().to_owned();
        let path = format!("/assets/{id}/edit");
        let seen = opened(&browser, &path).await;
        let theirs = json!({"name": "Theirs", "html": "<p>Theirs"});
        change(&client, &format!("/assets/{id}"), &theirs).await;
        let mine = |name| {
            [
                ("name", name),
                ("type", "email"),
                ("subject", "Hi"),
                ("preheader", ""),
                ("html", "<p>Mine"),
                ("text", ""),
            ]
        };
        let sent = [&[(seen.0, seen.1.as_str())], &mine("News")[..]].concat();
        let conflict = browser.post(&path, &sent).await.expect(409);
        assert_eq!(
            conflict.text.matches("changed by somebody else").count(),
            1,
            "{}",
            conflict.text
        );
        assert!(conflict.text.contains("&#60;p&#62;Mine"), "{}", conflict.text);
        assert_eq!(field(&conflict.text, "name").as_deref(), Some("Theirs"));
        assert_eq!(data(&client, &format!("/assets/{id}")).await["html"], "<p>Theirs");
        let seen = field(&conflict.text, "seen_values").expect("digests").replace("&#38;", "&");
        save(&browser, &path, &("seen_values", seen), &mine("Theirs")).await;
        let asset = data(&client, &format!("/assets/{id}")).await;
        assert_eq!((&asset["name"], &asset["html"]), (&json!("Theirs"), &json!("<p>Mine")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_keeps_its_types_and_its_mapping() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let connection = json!({
            "name": "Braze", "asset_types": ["email", "landing_page"], "merge_tag_format": "braze",
        });
        let connection = client.manage().post("/integrations", &connection).await.expect(201);
        let id = connection.data()["id"].as_str().unwrap().to_owned();
        let path = format!("/admin/integrations/platforms/{id}");
        let seen = opened(&browser, &path).await;
        let theirs =
            json!({"asset_types": ["email"], "merge_tag_mapping": {"first_name": "{{ name }}"}});
        change(&client, &format!("/integrations/{id}"), &theirs).await;
        let fields = [
            ("name", "Braze EU"),
            ("asset_types", "both"),
            ("merge_tag_format", "braze"),
            ("tag", ""),
            ("replacement", ""),
        ];
        save(&browser, &path, &seen, &fields).await;
        let connection = data(&client, &format!("/integrations/{id}")).await;
        assert_eq!(connection["name"], "Braze EU");
        assert_eq!(connection["asset_types"], json!(["email"]));
        assert_eq!(connection["merge_tag_mapping"]["first_name"], "{{ name }}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_was_archived_stays_archived() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let key = client.field("Team", "string").await;
        let fields = client.get("/fields").await.expect(200);
        let id = fields.data()[0]["id"].as_str().unwrap().to_owned();
        let path = format!("/fields/{id}");
        let seen = opened(&browser, &path).await;
        let _ = client.patch(&path, &json!({"archived": true})).await.expect(200);
        save(&browser, &path, &seen, &[("name", "Group")]).await;
        let fields = client.get("/fields?archived=true").await.expect(200);
        let field = fields.data()[0].clone();
        assert_eq!((&field["key"], &field["name"]), (&json!(key), &json!("Group")));
        assert_eq!(field["archived"], true);
    })
    .await;
}

/// A contact with values that a browser cannot send back as they are.
async fn odd_contact(hub: &TestHub) -> (Browser, Client, String) {
    let (browser, client) = hub.browser().await;
    for name in ["Note", "Empty", "Return"] {
        client.field(name, "string").await;
    }
    let values = json!({"note": "Line 1\r\nLine 2", "empty": "", "return": "a\rb"});
    let id = created(&client, &person_with_values("ann@example.com", &values)).await;
    (browser, client, id)
}

/// What a browser sends of that contact's form.
fn sent<'a>(first_name: &'a str, last_name: &'a str) -> [(&'a str, &'a str); 7] {
    [
        ("email", "ann@example.com"),
        ("first_name", first_name),
        ("last_name", last_name),
        ("avatar_url", ""),
        ("field_values.note", "Line 1\r\nLine 2"),
        ("field_values.empty", ""),
        ("field_values.return", "a\r\nb"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_that_is_saved_without_an_edit_does_not_change() {
    with_hub(async |hub| {
        let (browser, client, id) = odd_contact(hub).await;
        let before = read(&client, &id).await;
        let path = format!("/contacts/{id}/edit");
        let page = browser.get(&path).await.expect(200);
        let version = field(&page.text, "version").unwrap();
        let seen = opened(&browser, &path).await;
        let name = |which: &str| before.data()[which].as_str().unwrap().to_owned();
        let (first, last) = (name("first_name"), name("last_name"));
        let fields = [&[("version", version.as_str())], &sent(&first, &last)[..]].concat();
        save(&browser, &path, &seen, &fields).await;
        assert_eq!(read(&client, &id).await.data(), before.data());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_different_attributes_are_both_kept_and_are_no_conflict() {
    with_hub(async |hub| {
        let (browser, client, id) = odd_contact(hub).await;
        let first = read(&client, &id).await.data()["first_name"].as_str().unwrap().to_owned();
        let path = format!("/contacts/{id}/edit");
        let page = browser.get(&path).await.expect(200);
        let version = field(&page.text, "version").unwrap();
        let seen = opened(&browser, &path).await;
        let theirs = json!({"first_name": "Theirs", "field_values": {"empty": "full"}});
        let _ = client.patch(&format!("/contacts/{id}"), &theirs).await.expect(200);
        let fields = [&[("version", version.as_str())], &sent(&first, "Mine")[..]].concat();
        save(&browser, &path, &seen, &fields).await;
        let contact = read(&client, &id).await;
        assert_eq!(contact.data()["first_name"], "Theirs");
        assert_eq!(contact.data()["last_name"], "Mine");
        let values = contact.data()["field_values"].as_array().unwrap();
        let texts: Vec<&Value> = values.iter().map(|it| &it["value"]).collect();
        assert_eq!(texts, ["Line 1\r\nLine 2", "full", "a\rb"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_attribute_that_both_changed_is_a_conflict() {
    with_hub(async |hub| {
        let (browser, client, id) = odd_contact(hub).await;
        let path = format!("/contacts/{id}/edit");
        let page = browser.get(&path).await.expect(200);
        let version = field(&page.text, "version").unwrap();
        let seen = opened(&browser, &path).await;
        let theirs = json!({"first_name": "Theirs", "last_name": "Their name"});
        let _ = client.patch(&format!("/contacts/{id}"), &theirs).await.expect(200);
        let own = [("version", version.as_str()), ("seen_values", &seen.1)];
        let last = read(&client, &id).await.data()["last_name"].as_str().unwrap().to_owned();
        assert_eq!(last, "Their name");
        let old = field(&page.text, "last_name").unwrap();
        let fields = [&own[..], &sent("Mine", &old)].concat();
        let page = browser.post(&path, &fields).await.expect(412);
        assert_eq!(page.text.matches("class=\"sides\"").count(), 1, "{}", page.text);
        assert_eq!(field(&page.text, "last_name").as_deref(), Some("Their name"));
        // The version that was saved meanwhile is chosen for the one, and nothing is edited in the others.
        let version = field(&page.text, "version").unwrap();
        let seen = field(&page.text, "seen_values").unwrap().replace("&#38;", "&");
        let own = [("version", version.as_str()), ("seen_values", &seen)];
        let before = read(&client, &id).await;
        let fields = [&own[..], &sent("Theirs", "Their name")].concat();
        let _ = browser.post(&path, &fields).await.expect(303);
        assert_eq!(read(&client, &id).await.data(), before.data());
    })
    .await;
}
