//! Pages and forms of objects that a colleague has deleted.

use contact_hub_domain::access::Permission;
use contact_hub_tests::{Client, CompanyOptions, with_hub};
use serde_json::json;

use super::location;
use crate::support::{created, person};

/// The forms of objects that were deleted: the address, the word for the object, and the address of its list.
async fn forms_of_deleted(client: &Client) -> Vec<(String, &'static str, &'static str)> {
    let contact = created(client, &person("ann@example.com")).await;
    let _ = client.delete(&format!("/contacts/{contact}")).await.expect(204);
    let asset = json!({"name": "Spring", "type": "email", "subject": "Hi", "html": "<p>Hi</p>"});
    let webhook =
        json!({"name": "Ours", "url": "https://r.invalid/hook", "events": ["syncRequested"]});
    let user = json!({"email": "bob@acme.example", "permissions": []});
    let mut forms = vec![
        (format!("/contacts/{contact}/edit"), "contact", "/contacts"),
        (format!("/contacts/{contact}/delete"), "contact", "/contacts"),
    ];
    for (path, body, noun, list, end) in [
        ("/assets", &asset, "asset", "/assets", "/edit"),
        ("/webhooks", &webhook, "webhook", "/admin/integrations/webhooks", "/edit"),
        ("/users", &user, "user", "/admin/company", ""),
    ] {
        let made = client.manage().post(path, body).await.expect(201);
        let id = made.data()["id"].as_str().unwrap().to_owned();
        let _ = client.manage().delete(&format!("{path}/{id}")).await.expect(204);
        let objects = if noun == "user" { "/admin/company/users" } else { list };
        forms.push((format!("{objects}/{id}{end}"), noun, list));
    }
    forms
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_says_that_its_object_was_deleted_and_leads_to_the_list() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for (form, noun, list) in forms_of_deleted(&client).await {
            let link = format!("href=\"{list}\">Back to ");
            let page = browser.post(&form, &[("name", "Other"), ("email", "x@example.com")]).await;
            let text = page.expect(404).text;
            let sentence = format!("This {noun} was deleted after the page was opened.");
            assert!(text.contains(&sentence) && text.contains(&link), "{form}: {text}");
            if !form.ends_with("/delete") {
                let page = browser.get(&form).await.expect(404).text;
                let sentence = format!("There is no {noun} at this address. It may have been");
                assert!(page.contains(&sentence) && page.contains(&link), "{form}: {page}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_returns_to_the_list_that_shows_it() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let ann = created(&client, &person("ann@example.com")).await;
        let list = "/contacts?search=ann&sort=email&page[number]=1";
        let fields = [("ids", ann.as_str()), ("back", list)];
        let deleted = browser.post("/contacts/selected/delete", &fields).await.expect(303);
        assert_eq!(location(&deleted), list);
        let page = browser.get(list).await.expect(200);
        let undo = contact_hub_tests::field(&page.text, "undo").unwrap();
        let (_, form) = page.text.split_once("action=\"/contacts/deleted/restore\"").unwrap();
        let back = contact_hub_tests::field(form, "back").unwrap().replace("&#38;", "&");
        let fields = [("undo", undo.as_str()), ("back", back.as_str())];
        let restored = browser.post("/contacts/deleted/restore", &fields).await.expect(303);
        assert_eq!(location(&restored), list);
        let again = browser.post("/contacts/deleted/restore", &fields).await.expect(404);
        assert!(again.text.contains("Nothing is left to restore"), "{}", again.text);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_without_a_permission_is_told_whom_to_ask() {
    with_hub(async |hub| {
        let (_owner, client) = hub.browser().await;
        let bob = json!({"email": "bob@acme.example", "permissions": []});
        let bob = client.manage().post("/users", &bob).await.expect(201);
        let bob = contact_hub_domain::ids::UserId::parse(bob.data()["id"].as_str().unwrap());
        let browser = contact_hub_tests::Browser::new(&hub.base());
        browser.sign_in(&hub.hub.ports.access, bob.unwrap()).await;
        let page = browser.get("/").await.expect(200).text;
        let owner = client.manage().get("/users").await.expect(200);
        let owner = owner.data()[0]["email"].as_str().unwrap().to_owned();
        assert!(page.contains("Your account has no permission"), "{page}");
        assert!(page.contains(&format!("<li>{owner}</li>")), "{page}");

        let options = CompanyOptions {
            permissions: vec![Permission::ManageAccess],
            ..CompanyOptions::default()
        };
        let (manager, _client) = hub.browser_of(&options).await;
        assert_eq!(location(&manager.get("/").await.expect(303)), "/admin/company");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_have_the_words_of_pages() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let own = client.made.user.to_string();
        let delete = format!("/admin/company/users/{own}/delete");
        let page = browser.post(&delete, &[]).await.expect(409).text;
        assert!(page.contains("You cannot delete yourself") && !page.contains("manage_access"));
        for (filter, sentence) in [
            (
                "filter[created_at][eq]=2026-01-01",
                "The filter on Created at can only be after, before or between",
            ),
            ("filter[email][gte]=a", "The filter on Email has an unknown comparison."),
        ] {
            let page = browser.get(&format!("/contacts?{filter}")).await.expect(422).text;
            assert!(page.contains(sentence), "{filter}: {page}");
        }
        let html = "x".repeat((2 << 20) + 1);
        let asset = [("name", "Long"), ("type", "email"), ("subject", "Hi"), ("html", &html)];
        let page = browser.post("/assets/new", &asset).await.expect(422).text;
        assert!(page.contains("2 MiB") && !page.contains("2097152"));
    })
    .await;
}
