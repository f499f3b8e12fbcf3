//! Working with the list of contacts, and features that all pages share.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};
use thirtyfour::{By, Key, TypingData};

use super::contacts::downloaded;
use crate::page_check::{OPPOSITES, check};
use crate::person::Person;

async fn contacts(client: &Client, number: usize) {
    let row = |n: usize| {
        json!({"email": format!("p{n:02}@example.com"), "first_name": "Pat", "last_name": format!("L{n}"),
            "field_values": {"seats": n, "member": n.is_multiple_of(2), "renewal": "2026-11-20T09:30:00.25Z"}})
    };
    for (name, kind) in [("Seats", "number"), ("Member", "boolean"), ("Renewal", "datetime")] {
        let field = json!({"name": name, "type": kind, "filterable": true});
        let _ = client.post("/fields", &field).await.expect(201);
    }
    let rows: Vec<Value> = (0..number).map(row).collect();
    let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
}

pub(super) async fn press(person: &Person, keys: impl Into<TypingData>) {
    person.driver().active_element().await.unwrap().send_keys(keys).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_searched_while_typing_and_shows_the_chosen_columns() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 30).await;
        person.open("/contacts").await;
        person.arrives("Contacts").await;
        press(&person, "/").await;
        press(&person, "p07").await;
        person.sees("1–1 of 1").await;
        person.misses("p08@example.com").await;
        person.sees("1 contact").await;
        assert_eq!(person.path().await.unwrap(), "/contacts?search=p07");
        let focused = person.driver().active_element().await.unwrap();
        assert_eq!(focused.id().await.unwrap().as_deref(), Some("search"), "the focus stays");
        let export = person.driver().find(By::Id("export")).await.unwrap();
        let export = export.attr("href").await.unwrap().unwrap();
        assert!(export.ends_with("export.csv?search=p07"), "{export}");
        person.arrives("Contacts").await;

        person.click("Columns").await;
        person.arrives("Contacts").await;
        person.untick("First name").await;
        person.tick("Seats").await;
        person.tick("Member").await;
        person.choose("Density", "Compact").await;
        person.click("Show these columns").await;
        person.until("the columns", async || {
            let heads = person.js("return [...document.querySelectorAll('thead th')].map((it) => it.innerText)").await?;
            Ok(heads == json!(["Selected", "Email", "Last name", "Created", "Changed", "Seats", "Member"]))
        })
        .await;
        person.arrives("Contacts").await;
        person.open("/contacts").await;
        person.click("Seats").await;
        person.until("sorted", async || Ok(person.path().await?.contains("sort=field"))).await;
        person.choose("Filter", "Member is Yes").await;
        person.click("Apply").await;
        person.sees("1–15 of 15").await;
        person.sees("Member is Yes").await;
        person.arrives("Contacts").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn selected_contacts_are_exported_edited_deleted_and_restored() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 4).await;
        let downloads = person.downloads().await;
        person.open("/contacts?sort=email").await;
        person.tick("Select p01@example.com").await;
        person.tick("Select p02@example.com").await;
        person.sees("2 selected").await;
        person.arrives("Contacts").await;
        person.click("Export selected").await;
        let csv = downloaded(&downloads.join("contacts.csv")).await;
        assert!(csv.lines().count() == 3 && csv.contains("p01@") && csv.contains("p02@"));

        person.click("Set a value").await;
        person.arrives("Set a value for 2 contacts").await;
        person.choose("Field", "Seats").await;
        person.click("Next").await;
        person.arrives("Set a value for 2 contacts").await;
        person.fill("Seats", "40").await;
        person.click("Set for 2 contacts").await;
        person.sees("Value set for 2 contacts.").await;
        person.arrives("Contacts").await;

        person.tick("Select all on this page").await;
        person.sees("4 selected").await;
        person.untick("Select p00@example.com").await;
        person.click("Delete selected").await;
        person.arrives("Delete 3 contacts?").await;
        person.click("Delete 3 contacts").await;
        person.sees("3 contacts deleted.").await;
        person.sees("1–1 of 1").await;
        person.arrives("Contacts").await;
        person.click("Undo").await;
        person.sees("3 contacts restored with their values.").await;
        person.sees("1–4 of 4").await;
        // Going back shows the page of the selection again, and sends no form.
        for _ in 0..3 {
            if !person.path().await.unwrap().starts_with("/contacts/selected") {
                person.driver().back().await.unwrap();
            }
        }
        person.arrives("Delete 3 contacts?").await;
        person.open("/contacts?sort=email").await;

        person.click("p03@example.com").await;
        person.arrives("Pat L3").await;
        person.click("Delete this contact").await;
        person.click("Delete").await;
        person.sees("Contact deleted.").await;
        person.click("Deleted contacts").await;
        person.arrives("Deleted contacts").await;
        person.click("Restore p03@example.com").await;
        person.sees("1 contact restored").await;
        person.arrives("Deleted contacts").await;
        person.click("Contacts").await;
        person.sees("1–4 of 4").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn timestamps_have_a_picker_and_booleans_are_yes_or_no() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 1).await;
        let zone = json!({"timezoneId": "Asia/Kathmandu"});
        person.driver().cdp().send_raw("Emulation.setTimezoneOverride", zone).await.unwrap();
        person.open("/contacts").await;
        person.click("p00@example.com").await;
        person.arrives("Pat L0").await;
        person.sees("2026-11-20 15:15").await;
        person.sees("Yes").await;
        person.click("Edit").await;
        person.arrives("Edit contact").await;
        assert_eq!(person.value_of("Renewal").await, "2026-11-20T15:15");
        person.choose("Member", "No").await;
        person.click("Save").await;
        person.sees("Contact saved.").await;
        let list = client.get("/contacts?include=field_values").await.expect(200);
        let values = list.data()[0]["field_values"].clone();
        assert_eq!(values[2]["value"], "2026-11-20T09:30:00.25+00:00", "what is not picked stays");
        assert_eq!(values[1]["value"], false);
        person.click("Edit").await;
        person.set("Renewal", "2026-12-24T18:00").await;
        person.click("Save").await;
        person.sees("2026-12-24 18:00").await;
        let list = client.get("/contacts?include=field_values").await.expect(200);
        assert_eq!(list.data()[0]["field_values"][2]["value"], "2026-12-24T12:15:00+00:00");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_reaches_every_page_and_unsaved_changes_cause_a_warning() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 3).await;
        person.open("/contacts").await;
        press(&person, Key::Control + "k").await;
        person.sees("Webhooks").await;
        check(&person, &OPPOSITES).await;
        press(&person, "web").await;
        press(&person, Key::Enter + "").await;
        person.arrives("Webhooks").await;
        press(&person, Key::Control + "k").await;
        press(&person, "p02").await;
        person.sees("Search contacts for “p02”").await;
        press(&person, Key::Enter + "").await;
        person.sees("1–1 of 1").await;
        press(&person, Key::Control + "k").await;
        press(&person, Key::Down + "").await;
        press(&person, Key::Down + Key::Enter).await;
        person.arrives("Fields").await;

        let is_warned = "
            const leaving = new Event('beforeunload', { cancelable: true });
            dispatchEvent(leaving);
            return leaving.defaultPrevented;";
        assert_eq!(person.js(is_warned).await.unwrap(), false);
        person.fill("Name", "Colour").await;
        assert_eq!(person.js(is_warned).await.unwrap(), true);
        person.click("Create field").await;
        person.sees("Field created.").await;
        assert_eq!(person.js(is_warned).await.unwrap(), false);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_shows_both_sides_and_ids_are_copied() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 1).await;
        person.open("/contacts").await;
        person.click("p00@example.com").await;
        person.arrives("Pat L0").await;
        let allowed = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": person.base()});
        person.driver().cdp().send_raw("Browser.grantPermissions", allowed).await.unwrap();
        person.click("Copy the email").await;
        person.sees("Copied").await;
        let copied = "const done = arguments[0]; navigator.clipboard.readText().then(done, (e) => done(String(e)))";
        let copied = person.driver().execute_async(copied, Vec::new()).await.unwrap();
        assert_eq!(copied.json(), "p00@example.com");

        person.click("Edit").await;
        person.arrives("Edit contact").await;
        assert!(person.js("return getComputedStyle(document.querySelector('main form'), '::before').content").await.unwrap() == "\"* Required\"");
        let id = person.path().await.unwrap().replace("/edit", "");
        let theirs = json!({"first_name": "Patricia"});
        let _ = client.patch(&id, &theirs).await.expect(200);
        person.fill("First name", "Paddy").await;
        person.click("Save").await;
        person.sees("was changed by someone else since you opened it").await;
        person.arrives("Edit contact").await;
        person.click_label("Saved meanwhile Patricia").await;
        person.click("Save").await;
        person.arrives("Patricia L0").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_is_saved_opened_and_deleted() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        contacts(&client, 4).await;
        person.open("/contacts?sort=-email&filter[email][contains]=p0").await;
        person.click("Save this view").await;
        person.arrives("Contacts").await;
        person.fill("Name of the view", "Backwards").await;
        person.tick("Share it with everyone in the company").await;
        person.click("Save view").await;
        person.sees("View saved.").await;
        person.arrives("Contacts").await;
        person.click("All contacts").await;
        person.misses("Email contains p0").await;
        person.click("Backwards, shared").await;
        person.sees("Email contains p0").await;
        person.click("Delete this view").await;
        person.sees("View deleted.").await;
        person.misses("Backwards").await;
    })
    .await;
}
