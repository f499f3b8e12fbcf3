//! Breadcrumbs end with the name of the object, shortened if it is long.

use contact_hub_tests::{Answer, Browser, with_hub};
use serde_json::json;

use super::id_of;

/// A name that is too long for a breadcrumb, and its shortened form.
const LONG: &str =
    "A name with & that goes on and on, so that nobody would want to read it as a whole";
const CUT: &str = "A name with &#38; that goes on and on, so that nobody would want…";

/// The text of a page's breadcrumb, in one line and without links.
fn crumbs(page: &Answer) -> String {
    let (_, rest) = page.text.split_once("<p class=\"crumbs\">").expect("a breadcrumb");
    let (crumbs, _) = rest.split_once("</p>").expect("its end");
    let texts = crumbs.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = texts.collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Opens pages and compares their breadcrumbs.
async fn expect(browser: &Browser, expected: &[(String, String)]) {
    for (path, crumb) in expected {
        let page = browser.get(path).await.expect(200);
        assert_eq!(&crumbs(&page), crumb, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_contacts_fields_and_assets_name_them() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let person = json!({"email": "ann@example.com", "first_name": LONG, "last_name": "Lee"});
        let contact = crate::support::created(&client, &person).await;
        let field = json!({"name": "Job Title", "type": "string"});
        let field = client.post("/fields", &field).await.expect(201);
        let field = field.data()["id"].as_str().unwrap().to_owned();
        let asset = json!({"name": LONG, "type": "landing_page", "html": "x"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let asset = asset.data()["id"].as_str().unwrap().to_owned();
        let (contacts, assets) = (format!("Contacts / {CUT}"), format!("Assets / {CUT}"));
        let expected = [
            (format!("/contacts/{contact}"), contacts.clone()),
            (format!("/contacts/{contact}/edit"), contacts.clone()),
            (format!("/fields/{field}"), "Fields / Job Title".to_owned()),
            (format!("/assets/{asset}"), assets.clone()),
            (format!("/assets/{asset}/edit"), assets.clone()),
            (format!("/assets/{asset}/preview-as"), assets.clone()),
            ("/contacts/new".to_owned(), "Contacts".to_owned()),
        ];
        expect(&browser, &expected).await;
        // A refused form keeps the stored name.
        let refused = [("email", "no address"), ("first_name", "Bo"), ("last_name", "")];
        let page = browser.post(&format!("/contacts/{contact}/edit"), &refused).await.expect(422);
        assert_eq!(crumbs(&page), contacts);
        let refused = [("name", ""), ("type", "landing_page"), ("html", "x")];
        let page = browser.post(&format!("/assets/{asset}/edit"), &refused).await.expect(422);
        assert_eq!(crumbs(&page), assets);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_webhooks_and_connections_name_them() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let body = json!({
            "name": LONG, "url": "http://127.0.0.1:9/hook", "events": ["syncRequested"]
        });
        let made = client.manage().post("/webhooks", &body).await.expect(201);
        let path = format!("/admin/integrations/webhooks/{}", made.data()["id"].as_str().unwrap());
        let tested = browser.post(&format!("{path}/test"), &[]).await.expect(303);
        let delivery = super::location(&tested).to_owned();
        let fields = [("name", LONG), ("asset_types", "both"), ("merge_tag_format", "braze")];
        let _ = browser.post("/admin/integrations/platforms/new", &fields).await.expect(303);
        let listed = client.manage().get("/integrations").await.expect(200);
        let id = listed.data()[0]["id"].as_str().unwrap();
        let connection = format!("/admin/integrations/platforms/{id}");
        let integrations = "Admin / Integrations";
        let webhook = format!("{integrations} / Webhooks / {CUT}");
        let platform = format!("{integrations} / Platforms / {CUT}");
        let expected = [
            (path.clone(), webhook.clone()),
            (format!("{path}/edit"), webhook.clone()),
            (delivery, format!("{integrations} / Webhooks / Deliveries / test")),
            (connection.clone(), platform.clone()),
        ];
        expect(&browser, &expected).await;
        let refused = [("name", ""), ("url", "")];
        let page = browser.post(&format!("{path}/edit"), &refused).await.expect(422);
        assert_eq!(crumbs(&page), webhook);
        let page = browser.post(&connection, &[("name", "")]).await.expect(422);
        assert_eq!(crumbs(&page), platform);
        let page = browser.post(&format!("{path}/rotate-secret"), &[]).await.expect(200);
        assert_eq!(crumbs(&page), webhook);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_users_keys_and_providers_name_them() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let user = format!("/admin/company/users/{}", client.made.user);
        let company = "Admin / Company";
        let named = format!("{company} / api@acme.example");
        expect(&browser, &[(user.clone(), named.clone())]).await;
        let page = browser.post(&format!("{user}/invite"), &[]).await.expect(200);
        assert_eq!(crumbs(&page), named);
        let page = browser.post("/account/api-access/keys", &[("name", LONG)]).await.expect(200);
        assert_eq!(crumbs(&page), format!("Keys / {CUT}"));
        let provider = [
            ("name", "Acme"),
            ("issuer", "https://login.example"),
            ("client_id", "hub"),
            ("client_secret", "s3cret"),
        ];
        let made = browser.post("/admin/company/sign-on/new", &provider).await.expect(303);
        let id = id_of(&made);
        let path = format!("/admin/company/sign-on/{id}");
        let named = format!("{company} / Single sign-on / Acme");
        expect(&browser, &[(path.clone(), named.clone())]).await;
        let page = browser.post(&path, &[("name", "")]).await.expect(422);
        assert_eq!(crumbs(&page), named);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_does_not_turn_the_direction_of_what_follows_it() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let name = "News\u{202e}";
        let asset = json!({"name": name, "type": "landing_page", "html": "x"});
        let asset = client.manage().post("/assets", &asset).await.expect(201);
        let path = format!("/assets/{}", asset.data()["id"].as_str().unwrap());
        let page = browser.get(&path).await.expect(200);
        assert!(page.text.contains(&format!("page\">{name}</bdi>")), "{}", page.text);
        let page = browser.get(&format!("{path}/edit")).await.expect(200);
        assert!(page.text.contains(&format!("<bdi>{name}</bdi></a>")), "{}", page.text);
        let key = [("name", name), ("permissions", "contacts_api")];
        let page = browser.post("/account/api-access/keys", &key).await.expect(200);
        assert!(page.text.contains(&format!("of “<bdi>{name}</bdi>” now")), "{}", page.text);
    })
    .await;
}
