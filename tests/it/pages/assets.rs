//! Assets and the Publish menu.

use contact_hub_tests::{Receiver, with_hub};
use serde_json::json;

use super::{DEADLINE, id_of, location};
use crate::support::until;

const EMAIL: [(&str, &str); 5] = [
    ("name", "Spring"),
    ("type", "email"),
    ("subject", "Hello {{first_name|there}}"),
    ("html", "<p>Hi {{last_name}}</p>"),
    ("preheader", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_created_and_changed_and_keeps_its_bytes() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let made = browser.post("/assets/new", &EMAIL).await.expect(303);
        let (id, page) = (id_of(&made), browser.get(location(&made)).await.expect(200));
        assert!(page.text.contains("{{first_name}}") && page.text.contains("{{last_name}}"));
        let html = "<p>\r\nHi\r\n</p>";
        let path = format!("/assets/{id}");
        let _ = client.manage().patch(&path, &json!({"html": html})).await.expect(200);
        let change = [
            ("name", "Summer"),
            ("type", "email"),
            ("subject", "Hello"),
            ("html", html),
            ("text", ""),
        ];
        let page = browser.done(&format!("{path}/edit"), &change).await;
        assert!(page.text.contains("Summer"));
        let asset = client.manage().get(&path).await.expect(200);
        assert_eq!(asset.data()["html"], html, "what was not edited stays as it is");
        assert_eq!(asset.data()["subject"], "Hello");
        let page = browser.done(&format!("{path}/delete"), &[]).await;
        assert!(page.text.contains("Asset deleted."));
        let _ = browser.get(&path).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_asset_shows_messages_beside_its_fields() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let fields = [("name", ""), ("type", "email"), ("html", "\nkept")];
        let page = browser.post("/assets/new", &fields).await.expect(422);
        assert!(page.text.contains("id=\"name-error-1\">Enter a name."));
        assert!(page.text.contains("id=\"subject-error-1\">Enter a subject."));
        assert!(page.text.contains(">\n\nkept</textarea>"), "the first line break is kept");
        let landing = [("name", "Page"), ("type", "landing_page"), ("html", "x"), ("subject", "y")];
        let _ = browser.post("/assets/new", &landing).await.expect(303);
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "one journey from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_published_and_its_state_followed() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[202]).await;
        let id = id_of(&browser.post("/assets/new", &EMAIL).await.expect(303));
        let path = format!("/assets/{id}");
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("There is no connection to a platform yet."));
        let connect =
            [("name", "My Braze"), ("asset_types", "email"), ("merge_tag_format", "braze")];
        let _ = browser.post("/admin/integrations/platforms/new", &connect).await.expect(303);
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("No webhook that is on subscribes to syncRequested"));
        assert!(page.text.contains("Not synced yet") && page.text.contains(">Sync<span"));
        let (_, rest) = page.text.split_once("name=\"integration_id\" value=\"").unwrap();
        let integration = rest.split('"').next().unwrap().to_owned();
        let publish = [("integration_id", integration.as_str())];
        let refused = browser.post(&format!("{path}/syncs"), &publish).await.expect(409);
        assert!(refused.text.contains("No enabled webhook subscribes to syncRequested."));

        let url = receiver.url();
        let webhook =
            [("name", "Hook"), ("url", &url), ("events", "syncRequested"), ("enabled", "on")];
        let _ = browser.post("/admin/integrations/webhooks/new", &webhook).await.expect(200);
        let page = browser.done(&format!("{path}/syncs"), &publish).await;
        assert!(
            page.text.contains("Sync requested") && page.text.contains("id=\"syncs\" data-live")
        );
        until(DEADLINE, async || receiver.count() == 1).await;

        let report =
            json!({"status": "completed", "map_id": "42", "map_url": "https://braze.example/42"});
        let status = format!("/sync-status/{id}");
        let _ = client.published().patch(&status, &report).await.expect(200);
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("Completed") && !page.text.contains("Sync requested"));
        assert!(page.text.contains("href=\"https://braze.example/42\""));
        assert!(!page.text.contains("No webhook that is on"));
        assert!(page.text.contains(">Re-sync<span") && page.text.contains(">Open in My Braze</a>"));

        let _ = browser.post(&format!("{path}/syncs"), &publish).await.expect(303);
        let report = json!({"status": "failed", "error_message": "No <b>room</b>"});
        let _ = client.published().patch(&status, &report).await.expect(200);
        let page = browser.get(&path).await.expect(200);
        assert_eq!(
            page.text.matches("No &#60;b&#62;room&#60;/b&#62;").count(),
            2,
            "in the menu too"
        );
    })
    .await;
}
