//! Managing contacts by hand.

use contact_hub_tests::{field, with_hub};
use serde_json::json;

use super::{id_of, location};
use crate::support::{created, person};

const ANN: [(&str, &str); 3] =
    [("email", "ann@example.com"), ("first_name", "Ann"), ("last_name", "Lee")];

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_shown_if_the_policy_allows_its_address() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for (scheme, is_shown) in [("https", true), ("http", false)] {
            let avatar = format!("{scheme}://pictures.example/a.png");
            let contact = json!({"email": format!("{scheme}@example.com"), "first_name": "Ann",
                "last_name": "Lee", "avatar_url": avatar});
            let contact = client.post("/contacts", &contact).await.expect(201);
            let path = format!("/contacts/{}", contact.data()["id"].as_str().unwrap());
            let page = browser.get(&path).await.expect(200);
            assert_eq!(page.text.contains(&format!("src=\"{avatar}\"")), is_shown, "{scheme}");
            assert_eq!(page.text.contains(">AL</span>"), !is_shown, "{scheme}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_created_changed_deleted_and_restored() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let size = client.field("Size", "number").await;
        let value = format!("field_values.{size}");
        let mut fields = ANN.to_vec();
        fields.push((&value, "1.50"));
        let made = browser.post("/contacts/new", &fields).await.expect(303);
        let id = id_of(&made);
        let page = browser.get(location(&made)).await.expect(200);
        assert!(page.text.contains("Contact created.") && page.text.contains("1.50"));
        let again = browser.get(location(&made)).await.expect(200);
        assert!(!again.text.contains("Contact created."), "a notice is shown once");

        let edit = format!("/contacts/{id}/edit");
        let form = browser.get(&edit).await.expect(200);
        let version = field(&form.text, "version").unwrap();
        let change = [
            ("version", version.as_str()),
            ("email", "ann@example.com"),
            ("first_name", "Anna"),
            ("last_name", "Lee"),
            ("avatar_url", "https://example.com/a.png"),
            (value.as_str(), ""),
        ];
        let page = browser.done(&edit, &change).await;
        assert!(page.text.contains("Anna Lee") && !page.text.contains("1.50"));
        let mut other = change;
        other[2].1 = "Annie";
        let stale = browser.post(&edit, &other).await.expect(412);
        assert!(stale.text.contains("changed by someone else"));

        let version = field(&page.text, "version").unwrap();
        let delete = format!("/contacts/{id}/delete");
        let list = browser.done(&delete, &[("version", &version)]).await;
        assert!(list.text.contains("Contact deleted."));
        let _ = browser.get(&format!("/contacts/{id}")).await.expect(404);
        let restored = browser.post("/contacts/new", &ANN).await.expect(303);
        assert_eq!(id_of(&restored), id);
        let page = browser.get(location(&restored)).await.expect(200);
        assert!(page.text.contains("Contact restored"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_shown_beside_their_fields_and_input_is_kept() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let size = client.field("Size", "number").await;
        let value = format!("field_values.{size}");
        let fields = [("email", "nobody"), ("first_name", "Ann"), (value.as_str(), "big")];
        let page = browser.post("/contacts/new", &fields).await.expect(422);
        assert!(page.text.contains("id=\"email-error-1\">Enter a valid email address"));
        assert!(page.text.contains("id=\"last_name-error-1\">Enter a last name."));
        assert!(page.text.contains(&format!("id=\"{value}-error-1\">Enter a number.")));
        assert_eq!(field(&page.text, "first_name").as_deref(), Some("Ann"));
        assert!(page.text.contains("value=\"nobody\"") && page.text.contains("value=\"big\""));

        let _ = created(&client, &person("ann@example.com")).await;
        let page = browser.post("/contacts/new", &ANN).await.expect(409);
        assert!(page.text.contains(" already uses this email. <a href=\"/contacts/"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn search_filters_order_and_page_are_in_the_address() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let empty = browser.get("/contacts").await.expect(200);
        assert!(empty.text.contains("No contacts yet"));
        let rows: Vec<_> = (0..30).map(|n| person(&format!("p{n:02}@example.com"))).collect();
        let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);

        let first = browser.get("/contacts?sort=-email").await.expect(200);
        assert!(first.text.contains("p29@") && !first.text.contains("p04@"));
        assert!(first.text.contains("aria-sort=\"descending\""));
        assert!(first.text.contains("href=\"/contacts?sort=-email&#38;page[number]=2\""));
        let second = browser.get("/contacts?sort=-email&page[number]=2").await.expect(200);
        assert!(second.text.contains("p04@") && second.text.contains("26–30 of 30"));

        let add = "/contacts?search=p0&sort=email&add=filter[email][startsWith]&value=p01";
        let settled = browser.get(add).await.expect(303);
        let address = "/contacts?search=p0&sort=email&filter[email][startsWith]=p01";
        assert_eq!(location(&settled), address);
        let found = browser.get(address).await.expect(200);
        assert!(
            found.text.contains("starts with <strong>p01</strong>") && found.text.contains("p01@")
        );
        assert!(!found.text.contains("p02@"));
        assert!(found.text.contains("href=\"/contacts?search=p0&#38;sort=email\""));
        let settled = browser.get("/contacts?search=&add=&value=").await.expect(303);
        assert_eq!(location(&settled), "/contacts");
        let none = browser.get("/contacts?search=zzz").await.expect(200);
        assert!(none.text.contains("No contacts match"));
        let wrong = browser.get("/contacts?filter[size]=1").await.expect(422);
        assert!(wrong.text.contains("This list cannot be shown."));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_export_has_the_filtered_contacts_and_escapes_formulas() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let size = client.field("Size", "number").await;
        let rows: Vec<_> = (0..1000).map(|n| person(&format!("p{n:04}@example.com"))).collect();
        for part in rows.chunks(500) {
            let _ = client.post("/contacts/bulk", &json!({"contacts": part})).await.expect(200);
        }
        let odd = json!({"email": "odd@example.org", "first_name": "=1+1", "last_name": "a \"b\", c;@x",
            "field_values": {size: -5}});
        let _ = client.post("/contacts", &odd).await.expect(201);
        let all = browser.get("/contacts/export.csv").await.expect(200);
        assert!(all.header("content-disposition").contains("contacts.csv"));
        assert_eq!(all.text.lines().count(), 1002);
        let few = browser.get("/contacts/export.csv?search=example.org").await.expect(200);
        let lines: Vec<&str> = few.text.lines().collect();
        let columns = r#""email","first_name","last_name","avatar_url","created_at","updated_at","size""#;
        assert_eq!(lines[0], columns);
        let odd = r#""odd@example.org","'=1+1","a ""b"", c;'@x","","2"#;
        assert!(lines[1].starts_with(odd), "{}", lines[1]);
        assert!(lines[1].ends_with(r#","-5""#) && lines.len() == 2);
        let _ = browser.get("/contacts/export.csv?filter[x]=1").await.expect(422);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_shows_its_attributes_its_grouped_values_and_its_history() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for (name, kind) in [("Team", "string"), ("Since", "date"), ("Member", "boolean")] {
            let _ = client.field(name, kind).await;
        }
        let ann = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee",
            "field_values": {"team": "Red", "since": "2026-01-02", "member": true}});
        let id = created(&client, &ann).await;
        let path = format!("/contacts/{id}");
        for n in 0..12 {
            let change = json!({"first_name": format!("Ann {n}"), "field_values": {"team": format!("Team {n}")}});
            let _ = client.patch(&path, &change).await.expect(200);
        }
        let page = browser.get(&path).await.expect(200).text;
        let places = ["initials", "<h1>Ann 11 Lee</h1>", "Texts and numbers", "Team 11", "Dates", "2026-01-02",
            "Yes or no", "<dd class=\"text\">Yes", "Changed: First name, Team", "by you", "More events"];
        let mut rest = page.as_str();
        for words in places {
            let (_, after) = rest.split_once(words).unwrap_or_else(|| panic!("{words}: {rest}"));
            rest = after;
        }
        assert_eq!(page.matches("Changed: First name, Team").count(), 10);
        let all = browser.get(&format!("{path}?events=all")).await.expect(200).text;
        assert!(all.matches("Changed: First name, Team").count() == 12 && all.contains("Created"));
        assert!(!all.contains("More events"));
    })
    .await;
}
