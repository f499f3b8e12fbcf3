//! Saved views of the list of contacts.

use contact_hub_domain::ids::UserId;
use contact_hub_tests::{Browser, field, with_hub};
use serde_json::json;

use super::location;
use crate::support::{created, person};

#[tokio::test(flavor = "multi_thread")]
async fn views_are_saved_shared_and_deleted_with_a_person_whom_they_name() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let id = created(&client, &person("ann+one@example.com")).await;
        let asked = "/contacts?filter[email]=Ann%2bone%40example.com&sort=-email&layout=last_name";
        let page = browser.get(asked).await.expect(200);
        let query = field(&page.text, "query").unwrap().replace("&#38;", "&");
        let save = async |name: &str, shared: &[(&str, &str)]| {
            let fields = [&[("name", name), ("query", query.as_str())], shared].concat();
            browser.post("/contacts/views", &fields).await
        };
        let saved = save("Just Ann", &[]).await.expect(303);
        let page = browser.get(location(&saved)).await.expect(200);
        assert!(
            page.text.contains("View saved.")
                && page.text.contains("aria-current=\"page\">Just Ann")
        );
        assert!(
            page.text.contains("data-label=\"Last name\"")
                && page.text.contains("Delete this view")
        );
        let _ = save("For all", &[("shared", "on")]).await.expect(303);

        let colleague = json!({"email": "bob@acme.example", "permissions": ["contacts_api"]});
        let colleague = client.manage().post("/users", &colleague).await.expect(201);
        let colleague = colleague.data()["id"].as_str().unwrap().to_owned();
        let other = Browser::new(&hub.base());
        let user = UserId::parse(&colleague).unwrap();
        other.sign_in(&hub.hub.ports.access, user).await;
        let page = other.get("/contacts").await.expect(200);
        assert!(page.text.contains(">For all") && !page.text.contains(">Just Ann"));
        let (stranger, _client) = hub.browser().await;
        assert!(!stranger.get("/contacts").await.expect(200).text.contains(">For all"));

        let _ = other.post("/contacts/views/delete", &[("id", &colleague)]).await.expect(404);
        let erase = format!("/contacts/{id}/erase");
        let _ = client.manage().post(&erase, &json!({})).await.expect(204);
        let page = browser.get("/contacts").await.expect(200);
        assert!(!page.text.contains(">Just Ann"), "it named the person");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_views_of_a_user_is_bounded_and_each_has_a_name() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let save = async |name: &str| browser.post("/contacts/views", &[("name", name)]).await;
        for n in 0..50 {
            let _ = save(&format!("View {n}")).await.expect(303);
        }
        let full = save("One more").await.expect(422);
        assert!(full.text.contains("a user has at most 50 views"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_view_is_shown_above_its_list_as_it_was_typed() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = created(&client, &person("ann@example.com")).await;
        let _ = created(&client, &person("bob@example.com")).await;
        let long = "x".repeat(61);
        for (name, sentence) in
            [("", "Enter a name."), (&long, "Must be at most 60 characters long.")]
        {
            let fields = [("name", name), ("query", "search=ann@"), ("shared", "on")];
            let page = browser.post("/contacts/views", &fields).await.expect(422);
            assert!(
                page.text.contains("<details open>") && page.text.contains(sentence),
                "{}",
                page.text
            );
            assert_eq!(field(&page.text, "name").as_deref(), Some(name));
            assert!(page.text.contains("name=\"shared\" value=\"on\" checked"), "{}", page.text);
            assert!(
                page.text.contains("ann@example.com") && !page.text.contains("bob@example.com")
            );
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_from_any_text_is_an_address_of_the_list() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        for (n, (query, at)) in [
            ("a=b\r\nSet-Cookie: x", "/contacts?a=b%0ASet-Cookie%3A+x"),
            ("search=\0", "/contacts?search=%00"),
            ("#top", "/contacts?%23top="),
            ("search=ä", "/contacts?search=%C3%A4"),
        ]
        .into_iter()
        .enumerate()
        {
            let fields = [("name", &*format!("View {n}")), ("query", query)];
            let saved = browser.post("/contacts/views", &fields).await.expect(303);
            assert_eq!(location(&saved), at);
        }
        let page = browser.get("/contacts").await.expect(200);
        assert!(page.text.contains("href=\"/contacts?search=%C3%A4\""), "{}", page.text);
    })
    .await;
}
