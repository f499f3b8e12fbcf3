//! Assets and the Publish menu.

use contact_hub_domain::access::{self, Permission, UserDraft};
use contact_hub_domain::ids::CompanyId;
use contact_hub_tests::{Browser, Receiver, TestHub, with_hub};
use serde_json::json;

use super::{DEADLINE, id_of, location};
use crate::support::{created, person, until};
use crate::sync::sample::setting;

const EMAIL: [(&str, &str); 5] = [
    ("name", "Spring"),
    ("type", "email"),
    ("subject", "Hello {{first_name|there}}"),
    ("html", "<p>Hi {{last_name}}</p>"),
    ("preheader", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_created_and_changed_and_its_text_is_preserved_exactly() {
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
async fn an_invalid_asset_shows_messages_beside_its_fields() {
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
async fn an_asset_is_published_and_its_state_is_shown() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[202]).await;
        let id = id_of(&browser.post("/assets/new", &EMAIL).await.expect(303));
        let path = format!("/assets/{id}");
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("No platform is connected yet."));
        let connect =
            [("name", "My Braze"), ("asset_types", "email"), ("merge_tag_format", "braze")];
        let _ = browser.post("/admin/integrations/platforms/new", &connect).await.expect(303);
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains("No active webhook subscribes to syncRequested"));
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
        assert!(!page.text.contains("No active webhook"));
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

#[tokio::test(flavor = "multi_thread")]
async fn unknown_merge_tags_are_saved_with_a_warning() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        client.field("Job Title", "string").await;
        let asset = [
            ("name", "Spring"),
            ("type", "email"),
            ("subject", "Hi {{ fisrt_name }}"),
            ("html", "{{field:jobTilte|x}} {{first_name}} {{field:jobTitle}} {{#each}}"),
        ];
        let checked = browser.post("/assets/check", &asset).await.expect(200);
        let page = browser.done("/assets/new", &asset).await;
        assert!(page.text.contains("Asset created."));
        for part in [&checked.text, &page.text] {
            assert!(part.contains("{{fisrt_name}}</code> Did you mean <code>first_name</code>?"));
            let field = "{{field:jobTilte}}</code> Did you mean <code>field:jobTitle</code>?";
            assert!(part.contains(field), "{part}");
            assert!(part.contains("{{#each}}</code></li>"), "{part}");
            assert_eq!(part.matches("data-unknown").count(), 3, "{part}");
        }
        assert!(!checked.text.contains("<html"), "only the part of the page");
        let good = browser.post("/assets/check", &EMAIL).await.expect(200);
        assert!(!good.text.contains("Unknown merge tags"));
    })
    .await;
}

/// A user of a company who may publish but not see contacts.
async fn publisher(hub: &TestHub, company: CompanyId) -> Browser {
    let ports = &hub.hub.ports.access;
    let draft = UserDraft {
        email: "publisher@acme.example".into(),
        permissions: [Permission::Publish.as_str().into()].into_iter().collect(),
    };
    let user = access::create_user(ports, company.into(), &draft).await.expect("a user");
    let browser = Browser::new(&hub.base());
    browser.sign_in(ports, user.id).await;
    browser
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_has_the_values_of_a_contact() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        client.field("City", "string").await;
        let ann = json!({"email": "ann@example.com", "first_name": "Ann <b>", "last_name": "Lee",
            "field_values": {"city": "Ulm & Au"}});
        let ann = client.post("/contacts", &ann).await.expect(201);
        let ann = ann.data()["id"].as_str().unwrap();
        let html =
            "<p>{{first_name}} of {{field:city}}, {{field:none|nowhere}}</p>{{unsubscribe_url}}";
        let asset = [
            ("name", "Spring"),
            ("type", "email"),
            ("subject", "For {{first_name}}"),
            ("preheader", "From {{field:city}}"),
            ("html", html),
        ];
        let id = id_of(&browser.post("/assets/new", &asset).await.expect(303));
        let page = format!("/assets/{id}/preview-as");
        let found = browser.get(&format!("{page}?search=ann&width=phone")).await.expect(200);
        let link = format!("href=\"{page}?width=phone&#38;contact={ann}\">ann@example.com</a>");
        assert!(found.text.contains(&link), "{}", found.text);
        let shown = browser.get(&format!("{page}?contact={ann}&width=phone")).await.expect(200);
        for text in ["For Ann &#60;b&#62;", "From Ulm &#38; Au", "sheet phone"] {
            assert!(shown.text.contains(text), "{text}: {}", shown.text);
        }
        let frame = format!("/assets/{id}/preview?contact={ann}");
        assert!(shown.text.contains(&format!("src=\"{frame}\"")), "{}", shown.text);
        let frame = browser.get(&frame).await.expect(200);
        assert_eq!(frame.text, "<p>Ann &#60;b&#62; of Ulm &#38; Au, nowhere</p>#");
        // Contacts of other companies, and users who may not see contacts.
        let (_other, theirs) = hub.browser().await;
        let theirs = created(&theirs, &person("x@example.com")).await;
        let raw = browser.get(&format!("/assets/{id}/preview?contact={theirs}")).await;
        assert_eq!(raw.expect(200).text, html);
        let publisher = publisher(hub, client.made.company).await;
        let raw = publisher.get(&format!("/assets/{id}/preview?contact={ann}")).await;
        assert_eq!(raw.expect(200).text, html);
        let shown = publisher.get(&format!("{page}?contact={ann}&search=ann")).await.expect(200);
        assert!(!shown.text.contains("ann@example.com"), "{}", shown.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_for_a_platform_marks_the_differences() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let id = id_of(&browser.post("/assets/new", &EMAIL).await.expect(303));
        let own = json!({"name": "My Marketo", "asset_types": ["email"], "merge_tag_format": "marketo",
            "merge_tag_mapping": {"last_name": "[own]"}});
        let own = client.manage().post("/integrations", &own).await.expect(201);
        let own = own.data()["id"].as_str().unwrap();
        let page = format!("/assets/{id}/preview-as");
        for (chosen, heading, sent) in [
            ("braze", "As Braze", "{{${last_name}}}"),
            (own, "As My Marketo (Adobe Marketo Engage)", "[own]"),
        ] {
            let shown = browser.get(&format!("{page}?as={chosen}")).await.expect(200);
            assert!(shown.text.contains(heading), "{chosen}: {}", shown.text);
            let mark = format!("<mark title=\"Source: {{{{last_name}}}}\">{sent}</mark>");
            assert!(shown.text.contains(&mark), "{chosen}: {}", shown.text);
            assert!(shown.text.contains("&#60;p&#62;Hi "), "{chosen}: {}", shown.text);
            let frame = browser.get(&format!("/assets/{id}/preview?as={chosen}")).await;
            assert_eq!(frame.expect(200).text, format!("<p>Hi {sent}</p>"), "{chosen}");
        }
        let unknown = browser.get(&format!("{page}?as=nothing&contact=x")).await.expect(200);
        assert!(!unknown.text.contains("Differences"), "{}", unknown.text);
        let (other, _client) = hub.browser().await;
        let _ = other.get(&page).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_past_the_end_leads_to_the_last_one() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let setting = setting(client, &[200]).await;
        created(&setting.client, &person("ann@example.com")).await;
        for list in [
            "/assets?",
            "/admin/integrations/platforms?",
            "/admin/integrations/webhooks?",
            "/contacts?search=ann&",
        ] {
            let page = browser.get(&format!("{list}page[number]=9")).await.expect(200);
            assert!(page.text.contains("Go to the last page"), "{list}: {}", page.text);
            assert!(!page.text.contains("Create the first one"), "{list}");
        }
    })
    .await;
}
