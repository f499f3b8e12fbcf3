//! The list of contacts: its filters, its columns, and actions on a selection.

use contact_hub_tests::{Browser, Client, with_hub};
use serde_json::{Value, json};

use super::location;
use crate::support::{created, person};

/// A field by which contacts are filtered.
async fn filterable(client: &Client, name: &str, kind: &str) -> String {
    let body = json!({"name": name, "type": kind, "filterable": true});
    let made = client.post("/fields", &body).await.expect(201);
    made.data()["key"].as_str().unwrap().to_owned()
}

/// Contacts with these values of a field; their ids.
async fn contacts(client: &Client, key: &str, values: &[Value]) -> Vec<String> {
    let mut ids = Vec::new();
    for (n, value) in values.iter().enumerate() {
        let mut contact = person(&format!("p{n}@example.com"));
        contact["field_values"] = json!({key: value});
        ids.push(created(client, &contact).await);
    }
    ids
}

async fn values_in_use(client: &Client) -> Value {
    let fields = client.get("/fields").await.expect(200);
    let id = fields.data()[0]["id"].as_str().unwrap().to_owned();
    client.get(&format!("/fields/{id}/values")).await.expect(200).data().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_without_a_value_is_refused_and_the_list_is_unchanged() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let _ = created(&client, &person("ann@example.com")).await;
        let asked = "/contacts?search=ann&add=filter[email][contains]&value=";
        let page = browser.get(asked).await.expect(422);
        assert!(page.text.contains("Enter a value for the filter."));
        assert!(page.text.contains("value=\"filter[email][contains]\" selected"));
        assert!(page.text.contains("ann@example.com"), "the list is there");
        let page = browser.get("/contacts?add=&value=x").await.expect(422);
        assert!(page.text.contains("Choose what to filter by."));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_by_fields_are_described_in_words() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let member = filterable(&client, "Member", "boolean").await;
        let _ = contacts(&client, &member, &[json!(true), json!(false)]).await;
        let page = browser.get("/contacts").await.expect(200);
        let option = format!("value=\"filter[field:{member}][eq]=true\">Member is Yes");
        assert!(page.text.contains(&option), "{}", page.text);
        let add = format!("/contacts?add=filter[field:{member}][eq]=true&value=");
        let settled = browser.get(&add).await.expect(303);
        let page = browser.get(location(&settled)).await.expect(200);
        assert!(
            page.text.contains("<span class=\"subject\">Member</span> is <strong>Yes</strong>")
        );
        assert!(page.text.contains("p0@") && !page.text.contains("p1@"));
        let exists = format!("/contacts?filter[field:{member}][exists]=false");
        let page = browser.get(&exists).await.expect(200);
        assert!(page.text.contains("has no value") && page.text.contains("No contacts match"));
        let wrong = format!("/contacts?filter[field:{member}]=often");
        let page = browser.get(&wrong).await.expect(422);
        assert!(page.text.contains("The filter on Member must be true or false."));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_and_density_can_be_chosen_and_are_kept() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let key = filterable(&client, "Seats", "number").await;
        let _ = contacts(&client, &key, &[json!(12), json!(7)]).await;
        let page = browser.get("/contacts").await.expect(200);
        assert!(
            page.text.contains(">First name</a></th>") && !page.text.contains(">Seats</a></th>")
        );
        let chosen =
            "/contacts?sort=-email&columns=&columns=field:0&columns=last_name&density=compact";
        let settled = browser.get(chosen).await.expect(303);
        assert_eq!(location(&settled), "/contacts?sort=-email");
        let kept = browser.cookie("contact-hub-contacts");
        assert_eq!(kept.as_deref(), Some("field:0.last_name~compact"));
        let page = browser.get("/contacts").await.expect(200);
        assert!(
            page.text.contains("table rows compact")
                && page.text.contains("data-label=\"Seats\">12<")
        );
        assert!(!page.text.contains(">First name</a></th>"));
        // A layout in the address applies to every user.
        let page = browser.get("/contacts?layout=field:0&sort=field:seats").await.expect(200);
        let (seven, twelve) = (page.text.find(">7<").unwrap(), page.text.find(">12<").unwrap());
        assert!(seven < twelve && !page.text.contains("compact\" tabindex"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_beyond_the_limits_are_announced() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for number in 0..52 {
            let _ = client.field(&format!("Field {number}"), "string").await;
        }
        let ann = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let _ = client.post("/contacts", &ann).await.expect(201);
        let page = browser.get("/contacts").await.expect(200);
        assert!(page.text.contains("2 others are not"), "{}", page.text);
        let address = |number: usize| {
            let columns = (0..number).map(|at| format!("&columns=field:{at}"));
            format!("/contacts?columns={}", columns.collect::<String>())
        };
        let notice = "A list shows at most 8 columns beside the email";
        for (number, is_told) in [(8, false), (9, true)] {
            let settled = browser.get(&address(number)).await.expect(303);
            let page = browser.get(location(&settled)).await.expect(200);
            assert_eq!(page.text.contains(notice), is_told, "{number}");
            assert!(page.text.contains(">Field 7</th>"), "{number}");
            assert!(!page.text.contains(">Field 8</th>"), "{number}");
        }
    })
    .await;
}

/// The form of a selection.
fn selection<'a>(ids: &'a [String], others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let ids = ids.iter().map(|id| ("ids", id.as_str()));
    ids.chain(others.iter().copied()).collect()
}

async fn listed(browser: &Browser) -> String {
    browser.get("/contacts").await.expect(200).text
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_selection_shows_its_size_first_and_can_be_undone() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let key = filterable(&client, "Team", "string").await;
        let ids = contacts(&client, &key, &[json!("red"), json!("blue"), json!("red")]).await;
        let two = &ids[..2];
        let back = ("back", "/contacts?sort=email");
        // The page has an address of its own, so going back to it sends no form again.
        let page = browser
            .done("/contacts/selected", &selection(two, &[back, ("action", "delete")]))
            .await;
        assert!(
            page.text.contains("Delete 2 contacts?")
                && page.text.contains("href=\"/contacts?sort=email\"")
        );
        assert_eq!(
            client.get("/contacts").await.expect(200).json["meta"]["total"],
            3,
            "nothing is deleted yet"
        );
        let deleted =
            browser.post("/contacts/selected/delete", &selection(two, &[back])).await.expect(303);
        assert_eq!(location(&deleted), "/contacts?sort=email");
        let list = browser.get(location(&deleted)).await.expect(200);
        assert!(list.text.contains("2 contacts deleted.") && list.text.contains(">Undo</button>"));
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 1);
        assert_eq!(values_in_use(&client).await, json!(["red"]));

        let undo = contact_hub_tests::field(&list.text, "undo").unwrap();
        let list = browser.done("/contacts/deleted/restore", &[("undo", &undo)]).await;
        assert!(list.text.contains("2 contacts restored"));
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 3);
        assert_eq!(values_in_use(&client).await, json!(["blue", "red"]));
        let found = client.get(&format!("/contacts?search=p1@&filter[field:{key}]=blue")).await;
        assert_eq!(found.expect(200).json["meta"]["total"], 1);
        let again = browser.post("/contacts/deleted/restore", &[("undo", &undo)]).await;
        let _ = again.expect(404);
        let feed = client.manage().get("/changes?type[]=contact.restored").await.expect(200);
        assert_eq!(feed.data().as_array().unwrap().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_contacts_are_listed_and_restored_but_not_erased_ones() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let empty = browser.get("/contacts/deleted").await.expect(200);
        assert!(empty.text.contains("No deleted contacts"));
        let ann = created(&client, &person("ann@example.com")).await;
        let bob = created(&client, &person("bob@example.com")).await;
        for id in [&ann, &bob] {
            let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        }
        let page = browser.get("/contacts/deleted").await.expect(200);
        assert!(page.text.contains("ann@example.com") && page.text.contains("bob@example.com"));
        let erase = format!("/contacts/{bob}/erase");
        let _ = client.manage().post(&erase, &json!({"block": true})).await.expect(204);
        let page = browser.get("/contacts/deleted").await.expect(200);
        assert!(!page.text.contains("bob@example.com"));
        let _ = browser.post("/contacts/deleted/restore", &[("ids", &bob)]).await.expect(404);
        let page = browser.done("/contacts/deleted/restore", &[("ids", &ann)]).await;
        assert!(
            page.text.contains("1 contact restored") && page.text.contains("No deleted contacts")
        );
        assert!(listed(&browser).await.contains("ann@example.com"));
        // A contact that was created again in the meantime is active, so it is not restored.
        let _ = client.delete(&format!("/contacts/{ann}")).await.expect(204);
        assert_eq!(created(&client, &person("ann@example.com")).await, ann);
        let _ = browser.post("/contacts/deleted/restore", &[("ids", &ann)]).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_whose_domain_is_no_longer_allowed_is_not_restored() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let ann = created(&client, &person("ann@example.com")).await;
        let _ = client.delete(&format!("/contacts/{ann}")).await.expect(204);
        let allowed = json!({"allowed_domains": ["other.example"]});
        let _ = client.manage().patch("/company", &allowed).await.expect(200);
        let page = browser.post("/contacts/deleted/restore", &[("ids", &ann)]).await.expect(400);
        assert!(page.text.contains("allowlist"));
        assert!(!listed(&browser).await.contains("ann@example.com"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_is_exported_and_a_value_is_set() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let key = filterable(&client, "Seats", "number").await;
        let ids = contacts(&client, &key, &[json!(1), json!(2), json!(3)]).await;
        let two = &ids[1..];
        let csv =
            browser.post("/contacts/selected", &selection(two, &[("action", "export")])).await;
        let csv = csv.expect(200);
        assert!(csv.header("content-disposition").contains("contacts.csv"));
        assert_eq!(csv.text.lines().count(), 3);
        assert!(csv.text.contains("p1@") && csv.text.contains("p2@") && !csv.text.contains("p0@"));

        let page =
            browser.done("/contacts/selected", &selection(two, &[("action", "values")])).await;
        assert!(page.text.contains("<option value=\"field:0\">Seats</option>"));
        let values = "/contacts/selected/values";
        let page = browser.done(values, &selection(two, &[("field", "field:0")])).await;
        assert!(page.text.contains("name=\"field_values.seats\""));
        let wrong = [("field", "field:0"), ("field_values.seats", "many")];
        let page = browser.post(values, &selection(two, &wrong)).await.expect(422);
        assert!(page.text.contains("Enter a number."));
        let right = [("field", "field:0"), ("field_values.seats", "40")];
        let list = browser.done(values, &selection(two, &right)).await;
        assert!(list.text.contains("Value set for 2 contacts."));
        assert_eq!(values_in_use(&client).await, json!([1, 40]));
        let found = client.get(&format!("/contacts?filter[field:{key}]=40")).await.expect(200);
        assert_eq!(found.json["meta"]["total"], 2);
        let none = [("field", "field:0"), ("field_values.seats", "")];
        let _ = browser.done(values, &selection(&ids, &none)).await;
        assert_eq!(values_in_use(&client).await, json!([]));
        for path in ["/contacts/selected", "/contacts/selected/delete", values] {
            let list = browser.done(path, &[("action", "delete")]).await;
            assert!(list.text.contains("Select contacts first."), "{path}");
        }
        let audit = client.manage().get("/audit?filter[action]=contacts.updated").await.expect(200);
        assert_eq!(audit.data()[1]["counts"], json!({"updated": 2}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_contacts_are_listed_in_parts() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let rows: Vec<Value> = (0..60).map(|n| person(&format!("p{n:02}@example.com"))).collect();
        let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let all = client.get("/contacts?page[size]=100").await.expect(200);
        let ids: Vec<Value> =
            all.data().as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        let _ = client.delete_with("/contacts/bulk", &json!({"ids": ids})).await.expect(200);
        let first = browser.get("/contacts/deleted").await.expect(200).text;
        let rows = |page: &str| page.matches("Restore<span").count();
        assert_eq!(rows(&first), 50);
        let (_, older) = first.split_once("href=\"/contacts/deleted?after=").unwrap();
        let after = older.split('"').next().unwrap();
        let rest = browser.get(&format!("/contacts/deleted?after={after}")).await.expect(200).text;
        assert_eq!(rows(&rest), 10);
        for n in 0..60 {
            let email = format!("<td data-label=\"Email\">p{n:02}@example.com");
            assert!(first.contains(&email) != rest.contains(&email), "{n}");
        }
        assert!(!rest.contains(">Older</a>"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_never_includes_contacts_of_another_company() {
    with_hub(async |hub| {
        let (_browser, client) = hub.browser().await;
        let (stranger, theirs) = hub.browser().await;
        let _ = filterable(&theirs, "Team", "string").await;
        let gone = created(&client, &person("gone@example.com")).await;
        let _ = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let ann = [created(&client, &person("ann@example.com")).await];
        let _ = stranger.post("/contacts/deleted/restore", &[("ids", &gone)]).await.expect(404);
        let page = stranger.done("/contacts/selected/delete", &selection(&ann, &[])).await;
        assert!(page.text.contains("0 contacts deleted."));
        let value = [("field", "field:0"), ("field_values.team", "Red")];
        let page = stranger.done("/contacts/selected/values", &selection(&ann, &value)).await;
        assert!(page.text.contains("Value set for 0 contacts."));
        let export = selection(&ann, &[("action", "export")]);
        let csv = stranger.post("/contacts/selected", &export).await.expect(200);
        assert_eq!(csv.text.lines().count(), 1);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 1);
    })
    .await;
}

/// To undo the deletion would restore the other contact too.
#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_selection_with_a_deleted_contact_cannot_be_undone() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let key = filterable(&client, "Team", "string").await;
        let ids = contacts(&client, &key, &[json!("red"), json!("blue")]).await;
        let _ = client.delete(&format!("/contacts/{}", ids[0])).await.expect(204);
        let list = browser.done("/contacts/selected/delete", &selection(&ids, &[])).await;
        assert!(list.text.contains("1 contact deleted.") && !list.text.contains(">Undo</button>"));
    })
    .await;
}
