//! A company with data of every kind, so that pages have something to show.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Client, Receiver};
use serde_json::{Value, json};

/// Keeps the company's receivers running.
pub(super) struct Environment {
    _receivers: [Receiver; 2],
}

const FIRST_NAMES: [&str; 8] = ["Ada", "Bao", "Chidi", "Elif", "Hana", "Lucía", "Omar", "Zoë"];
const LAST_NAMES: [&str; 8] =
    ["Andersson", "Costa", "Fischer", "Gupta", "Kowalski", "Nguyen", "O'Brien", "Sato"];
const TITLES: [&str; 4] = ["Head of Marketing", "Engineer", "Founder", "Buyer"];

const WELCOME: &str = "<div style=\"font-family:Georgia,serif;max-width:34rem;margin:2rem auto;color:#223\">\
    <h1 style=\"font-size:1.6rem\">Welcome, {{first_name|friend}}</h1>\
    <p>Good to have you with us. As {{field:jobTitle}} you will like the guide that comes with this letter.</p>\
    <p><a href=\"https://example.com/guide\" style=\"background:#246;color:#fff;padding:.6rem 1rem\">Read the guide</a></p>\
    <p style=\"color:#667\"><a href=\"{{view_online_url}}\">View online</a> or <a href=\"{{unsubscribe_url}}\">unsubscribe</a></p></div>";

/// Fills a company.
pub(super) async fn fill(client: &Client) -> Environment {
    contacts(client).await;
    let manage = client.manage();
    let receivers = [Receiver::start(&[202]).await, Receiver::start(&[500]).await];
    let [good, bad] = &receivers;
    let paused = json!({"name": "Archive", "url": "https://archive.example.com/hook", "events": ["syncRequested"], "enabled": false});
    for body in [
        json!({"name": "Braze service", "url": good.url(), "events": ["syncRequested"]}),
        paused,
        json!({"name": "Reporting", "url": bad.url(), "events": ["syncRequested"]}),
    ] {
        let _ = manage.post("/webhooks", &body).await.expect(201);
    }
    let braze = json!({"name": "Braze EU", "asset_types": ["email", "landing_page"], "merge_tag_format": "braze",
        "merge_tag_mapping": {"field:jobTitle": "{{custom_attribute.${title}}}"}});
    let braze = made(&manage, "/integrations", &braze).await;
    let klaviyo =
        json!({"name": "Klaviyo", "asset_types": ["email"], "merge_tag_format": "klaviyo"});
    let klaviyo = made(&manage, "/integrations", &klaviyo).await;
    syncs(client, &braze, &klaviyo).await;
    users(&manage).await;
    Environment { _receivers: receivers }
}

async fn contacts(client: &Client) {
    let title = client.field("Job Title", "string").await;
    let seats = client.field("Seats", "number").await;
    let news = client.field("Newsletter", "boolean").await;
    let born = client.field("Birthday", "date").await;
    let seen = client.field("Last seen", "datetime").await;
    let people =
        FIRST_NAMES.iter().flat_map(|first| LAST_NAMES.iter().map(move |last| (first, last)));
    let rows = people.enumerate().map(|(n, (first, last))| {
        json!({"email": format!("person{n}@example.com"), "first_name": first, "last_name": last,
            "field_values": {&title: TITLES[n % 4], &seats: n + 1, &news: n % 3 == 0,
                &born: format!("19{}-0{}-1{}", 60 + n % 40, 1 + n % 9, n % 10), &seen: "2026-11-20T09:30:00Z"}})
    });
    let rows = json!({"contacts": rows.collect::<Vec<_>>()});
    let answer = client.post("/contacts/bulk", &rows).await.expect(200);
    assert_eq!(answer.data()["created"], 64, "{}", answer.text);
}

/// A sync in each state.
async fn syncs(client: &Client, braze: &str, klaviyo: &str) {
    let manage = client.manage();
    let welcome = json!({"name": "Welcome letter", "type": "email", "subject": "Welcome, {{first_name|friend}}",
        "preheader": "Your guide is inside", "html": WELCOME});
    let welcome = made(&manage, "/assets", &welcome).await;
    let page = json!({"name": "Spring landing page", "type": "landing_page", "html": "<h1>Spring, {{first_name}}</h1>"});
    let _ = made(&manage, "/assets", &page).await;
    let syncs = format!("/assets/{welcome}/syncs");
    let status = format!("/sync-status/{welcome}");
    for (integration, report) in [
        (
            braze,
            Some(
                json!({"status": "completed", "map_id": "tmpl_8812", "map_url": "https://dashboard.example.com/templates/8812"}),
            ),
        ),
        (
            klaviyo,
            Some(
                json!({"status": "failed", "error_message": "The template folder “Spring” does not exist."}),
            ),
        ),
        (braze, None),
    ] {
        let _ = manage.post(&syncs, &json!({"integration_id": integration})).await.expect(202);
        if let Some(report) = report {
            let _ = client.published().patch(&status, &report).await.expect(200);
        }
    }
}

async fn users(manage: &Client) {
    let service = [Permission::ContactsApi, Permission::DownloadEmail];
    for (email, permissions) in [
        ("braze-service@acme.example", service.map(Permission::as_str).to_vec()),
        ("eve@acme.example", vec![Permission::ContactsApi.as_str(), Permission::Publish.as_str()]),
    ] {
        let user = json!({"email": email, "permissions": permissions});
        let user = made(manage, "/users", &user).await;
        let key = json!({"name": "Production", "expires_at": "2030-01-01T00:00:00Z"});
        let _ = manage.post(&format!("/users/{user}/api-keys"), &key).await.expect(201);
    }
}

/// Creates something and returns its id.
pub(super) async fn made(client: &Client, path: &str, body: &Value) -> String {
    let answer = client.post(path, body).await.expect(201);
    answer.data()["id"].as_str().unwrap().to_owned()
}
