//! The number of statements of each page, whatever it shows: no page runs a query for each of its rows.

use contact_hub_tests::{Receiver, with_idle_hub};
use serde_json::json;

use crate::support::{created, person, settings_of_a_list, statements_of};

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_statements_of_a_page_is_independent_of_its_rows() {
    with_idle_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let manage = client.manage();
        let mut contact = String::new();
        let mut asset = String::new();
        let receiver = Receiver::start(&[200]).await;
        for n in 0..5 {
            client.field(&format!("Field {n}"), "string").await;
            contact = created(&client, &person(&format!("p{n}@example.com"))).await;
            let page = json!({"name": format!("Asset {n}"), "type": "landing_page", "html": "x"});
            let made = manage.post("/assets", &page).await.expect(201);
            made.data()["id"].as_str().unwrap().clone_into(&mut asset);
            let hook = json!({"name": format!("Hook {n}"), "url": receiver.url(), "events": ["syncRequested"]});
            let _ = manage.post("/webhooks", &hook).await.expect(201);
        }
        let contact = format!("/contacts/{contact}");
        let asset = format!("/assets/{asset}");
        // The session takes one. A list takes four: BEGIN, the total, the rows, COMMIT.
        for (path, cost) in [
            // BEGIN, the attempts, COMMIT; BEGIN, the contacts, their days, the calls, the syncs, those that failed,
            // the webhooks that fail, the imports that rejected rows, five queries about the first steps of a company,
            // COMMIT.
            ("/", 17),
            // A list of contacts needs the fields and the views too.
            ("/contacts", 7 + settings_of_a_list(hub)),
            ("/contacts/deleted", 2),
            // The total comes with the rows, after the query for the most selective index.
            ("/contacts?search=p1&sort=-email", 7 + settings_of_a_list(hub)),
            // The contact, the fields and its entries of the feed.
            (&contact, 4),
            ("/contacts/new", 2),
            ("/fields", 2),
            ("/assets", 5),
            // The asset, the fields that its merge tags name, the connections and the syncs.
            (&asset, 12),
            // The webhooks, and two kinds of counts in one snapshot.
            ("/admin/integrations/webhooks", 9),
            // The deliveries, what is not settled yet, and the names of the webhooks.
            ("/admin/integrations/webhooks/deliveries", 7),
            ("/admin/company", 6),
            // The keys; BEGIN, their use, COMMIT.
            ("/admin/company/keys", 8),
            // The user and the keys; BEGIN, their use, COMMIT.
            ("/account/api-access", 9),
        ] {
            let open = async || {
                let _ = browser.get(path).await.expect(200);
            };
            assert_eq!(statements_of(hub, open).await, cost, "{path}");
        }
    })
    .await;
}
