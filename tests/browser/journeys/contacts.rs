//! Contacts and fields that a user edits by hand.

use std::path::Path;

use contact_hub_tests::with_hub;
use serde_json::json;

use crate::DEADLINE;
use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_created_changed_deleted_and_restored() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        person.click("Contacts").await;
        person.arrives("Contacts").await;
        person.sees("No contacts yet").await;
        person.click("Fields").await;
        person.arrives("Fields").await;
        person.fill("Name", "Seats").await;
        person.choose("Type", "Number").await;
        person.click("Create field").await;
        person.arrives("Fields").await;
        person.sees("Field created.").await;

        person.click("Contacts").await;
        person.click("New contact").await;
        person.arrives("New contact").await;
        person.fill("Email", "nobody").await;
        person.fill("First name", "Ann").await;
        person.fill("Seats", "many").await;
        person.click("Save").await;
        person.sees("Enter a valid email address").await;
        person.arrives("New contact").await;
        person.sees("Enter a number.").await;
        let focused = person.driver().active_element().await.unwrap();
        assert_eq!(focused.id().await.unwrap().as_deref(), Some("email"), "the first mistake");
        assert_eq!(person.value_of("Seats").await, "many");
        person.fill("Email", "ann@example.com").await;
        person.fill("Last name", "Lee").await;
        person.fill("Seats", "12.50").await;
        person.click("Save").await;
        person.arrives("Ann Lee").await;
        person.sees("12.50").await;

        person.click("Edit").await;
        person.arrives("Edit contact").await;
        person.fill("Last name", "Lee-Smith").await;
        person.click("Save").await;
        person.arrives("Ann Lee-Smith").await;
        person.click("Delete this contact").await;
        person.click("Delete").await;
        person.sees("Contact deleted.").await;
        person.sees("No contacts yet").await;

        person.click("New contact").await;
        person.fill("Email", "ANN@example.com").await;
        person.fill("First name", "Ann").await;
        person.fill("Last name", "Lee").await;
        person.click("Save").await;
        person.sees("Contact restored with its values").await;
        person.arrives("Ann Lee").await;
        person.sees("12.50").await;
        person.click("Fields").await;
        person.click("Seats").await;
        person.arrives("Seats").await;
        person.sees("12.50").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_searched_filtered_sorted_and_shared() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let rows: Vec<_> = (0..60)
            .map(|n| json!({"email": format!("p{n:02}@example.com"), "first_name": "Pat", "last_name": format!("L{n}")}))
            .collect();
        let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        person.open("/contacts").await;
        person.arrives("Contacts").await;
        person.sees("1–25 of 60").await;
        person.click("Email").await;
        person.until("sorted", async || Ok(person.path().await? == "/contacts?sort=email")).await;
        person.click("Email").await;
        person.until("turned", async || Ok(person.path().await? == "/contacts?sort=-email")).await;
        person.sees("p59@example.com").await;
        person.click("Next").await;
        person.sees("26–50 of 60").await;
        person.sees("p34@example.com").await;

        person.fill("Search", "p1").await;
        person.choose("Filter", "Email contains").await;
        person.fill("Filter value", "19@").await;
        person.click("Apply").await;
        person.sees("1–1 of 1").await;
        person.arrives("Contacts").await;
        person.sees("Email contains 19@").await;
        person.choose("Filter", "Last name is").await;
        person.click("Apply").await;
        person.sees("Enter a value for the filter.").await;
        person.arrives("Contacts").await;
        person.driver().back().await.unwrap();
        person.sees("Email contains 19@").await;
        let address = person.path().await.unwrap();

        let other = person.beside().await;
        other.follow_link(hub, client.made.user).await;
        other.open(&address).await;
        other.arrives("Contacts").await;
        other.sees("p19@example.com").await;
        assert!(!other.is_seeing("p59@example.com").await);
        drop(other);

        person.click("Remove the filter Email contains 19@").await;
        person.sees("1–10 of 10").await;
        person.fill("Search", "nobody of that name").await;
        person.sees("No contacts match").await;
        person.arrives("Contacts").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn timestamps_are_shown_in_the_visitors_time_zone() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let body = json!({"email": "a@example.com", "first_name": "Ann", "last_name": "Lee"});
        let made = client.post("/contacts", &body).await.expect(201);
        let zone = json!({"timezoneId": "Asia/Kathmandu"});
        person.driver().cdp().send_raw("Emulation.setTimezoneOverride", zone).await.unwrap();
        person.open("/contacts").await;
        person.arrives("Contacts").await;
        let made = made.data()["created_at"].as_str().unwrap();
        let made =
            time::OffsetDateTime::parse(made, &time::format_description::well_known::Rfc3339);
        let there = made.unwrap().to_offset(time::UtcOffset::from_hms(5, 45, 0).unwrap());
        let (day, hour, minute) = (there.date(), there.hour(), there.minute());
        person.sees("just now").await;
        person.sees(&format!("{day} {hour:02}:{minute:02}")).await;
        let title = person.js("return document.querySelector('td time').title").await.unwrap();
        assert!(title.as_str().unwrap().contains("GMT+5:45"), "{title}");
        let said = "
            const at = (ms) => new Date(Date.now() + ms);
            const noon = new Date(2026, 5, 15, 12);
            const to = (day, hour) => said(new Date(2026, 5, day, hour, 2), noon);
            return [said(at(-3 * 60000), at(0)), said(at(60000), at(0)), to(15, 9), to(14, 14), to(16, 8), to(1, 8),
                said(new Date(2025, 0, 2, 3, 4), noon)];";
        let said = person.js(said).await.unwrap();
        let expected = json!([
            "3 minutes ago", "in 1 minute", "today at 09:02", "yesterday at 14:02", "tomorrow at 08:02",
            "1 Jun at 08:02", "2 Jan 2025 at 03:04"
        ]);
        assert_eq!(said, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_exported_file_has_the_contacts_that_the_list_shows() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        for (email, last_name) in [("a@example.com", "Lee"), ("b@example.com", "Ray")] {
            let body = json!({"email": email, "first_name": "Ann", "last_name": last_name});
            let _ = client.post("/contacts", &body).await.expect(201);
        }
        let downloads = person.downloads().await;
        person.open("/contacts?search=Ray").await;
        person.arrives("Contacts").await;
        person.click("Export CSV").await;
        let text = downloaded(&downloads.join("contacts.csv")).await;
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("b@example.com") && !text.contains("a@example.com"));
    })
    .await;
}

/// Waits for a file that the browser saves. It may be created empty at first and then be replaced by the complete file.
pub(super) async fn downloaded(path: &Path) -> String {
    let wait = async {
        loop {
            match std::fs::read_to_string(path) {
                Ok(text) if !text.is_empty() => return text,
                _ => tokio::time::sleep(std::time::Duration::from_millis(30)).await,
            }
        }
    };
    tokio::time::timeout(DEADLINE, wait).await.expect("the file is saved in time")
}
