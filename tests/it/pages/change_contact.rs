//! Editing a contact by hand, including its email.

use contact_hub_tests::{Browser, Client, CompanyOptions, field, with_hub};

use super::location;
use crate::support::{created, person, person_with_values, read};

/// The version that the form of a contact has.
async fn version(browser: &Browser, id: &str) -> String {
    let form = browser.get(&format!("/contacts/{id}/edit")).await.expect(200);
    field(&form.text, "version").unwrap()
}

fn typed<'a>(version: &'a str, email: &'a str, first_name: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![("version", version), ("email", email), ("first_name", first_name), ("last_name", "Lee")]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_corrected() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let id = created(&client, &person("ann@exmaple.com")).await;
        let edit = format!("/contacts/{id}/edit");
        let version = version(&browser, &id).await;
        let page = browser.done(&edit, &typed(&version, " ann@example.com ", "Ann")).await;
        assert!(page.text.contains("Contact saved.") && page.text.contains("ann@example.com"));
        assert_eq!(read(&client, &id).await.data()["email"], "ann@example.com");
        let found = browser.get("/contacts?search=exmaple").await.expect(200);
        assert!(found.text.contains("No contacts match"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_form_is_refused_and_nothing_is_written() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let id = created(&client, &person("ann@example.com")).await;
        let edit = format!("/contacts/{id}/edit");
        let seen = version(&browser, &id).await;
        let _ = browser.done(&edit, &typed(&seen, "ann@example.com", "Anna")).await;
        for version in [seen.as_str(), "", "soon"] {
            let change = typed(version, "other@example.com", "Other");
            let page = browser.post(&edit, &change).await.expect(412);
            assert!(page.text.contains("changed by someone else"), "{version}");
            assert!(page.text.contains("value=\"other@example.com\""), "what was typed stays");
            assert!(page.text.contains("value=\"ann@example.com\""), "what was saved is shown");
        }
        let contact = read(&client, &id).await;
        assert_eq!(contact.data()["email"], "ann@example.com");
        assert_eq!(contact.data()["first_name"], "Anna");
        let delete = browser.post(&format!("/contacts/{id}/delete"), &[("version", &seen)]).await;
        assert!(delete.expect(412).text.contains("changed by someone else"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_of_two_concurrent_changes_wins() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        for n in 0..10 {
            let id = created(&client, &person(&format!("ann{n}@example.com"))).await;
            let edit = format!("/contacts/{id}/edit");
            let version = version(&browser, &id).await;
            let (mine, theirs) = (format!("mine{n}@example.com"), format!("theirs{n}@example.com"));
            let (mine, theirs) =
                (typed(&version, &mine, "Mine"), typed(&version, &theirs, "Theirs"));
            let (one, other) =
                tokio::join!(browser.post(&edit, &mine), browser.post(&edit, &theirs));
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [303, 412]);
            let winner = if one.status == 303 { "Mine" } else { "Theirs" };
            let contact = read(&client, &id).await;
            assert_eq!(contact.data()["first_name"], winner);
            let email = format!("{}{n}@example.com", winner.to_lowercase());
            assert_eq!(contact.data()["email"], email);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_of_another_contact_shows_a_message_beside_the_field() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let id = created(&client, &person("ann@example.com")).await;
        let bob = created(&client, &person("bob@example.com")).await;
        let gone = created(&client, &person("gone@example.com")).await;
        let _ = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let edit = format!("/contacts/{id}/edit");
        let version = version(&browser, &id).await;
        let taken =
            browser.post(&edit, &typed(&version, "BOB@example.com", "Ann")).await.expect(409);
        let (_, taken) = taken.text.split_once("id=\"email-error-1\">").expect("an error");
        let (name, link) = taken.split_once(" already uses this email.").expect("a name");
        assert!(!name.is_empty() && !name.contains('<'), "{name}");
        assert!(link.starts_with(&format!(" <a href=\"/contacts/{bob}\">View contact</a>")));
        let deleted =
            browser.post(&edit, &typed(&version, "gone@example.com", "Ann")).await.expect(409);
        assert!(deleted.text.contains("id=\"email-error-1\">A deleted contact has this email."));
        let invalid = browser.post(&edit, &typed(&version, "nobody", "")).await.expect(422);
        assert!(invalid.text.contains("id=\"email-error-1\">Enter a valid email address"));
        assert!(invalid.text.contains("id=\"first_name-error-1\">Enter a first name."));
        assert_eq!(read(&client, &id).await.data()["email"], "ann@example.com");
        let unknown = "/contacts/00000000-0000-7000-8000-000000000000/edit";
        let _ = browser.post(unknown, &typed(&version, "x@example.com", "Ann")).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_corrected_only_to_an_allowed_domain() {
    let options =
        CompanyOptions { allowed_domains: vec!["example.com"], ..CompanyOptions::default() };
    with_hub(async |hub| {
        let (browser, client) = hub.browser_of(&options).await;
        let id = created(&client, &person("ann@example.com")).await;
        let edit = format!("/contacts/{id}/edit");
        let version = version(&browser, &id).await;
        let refused =
            browser.post(&edit, &typed(&version, "ann@example.org", "Ann")).await.expect(400);
        assert!(refused.text.contains("id=\"email-error-1\">The email&#39;s domain is not on"));
        assert_eq!(read(&client, &id).await.data()["email"], "ann@example.com");
    })
    .await;
}

/// A contact with a value of each of sixty fields, one of them long; its id and the long value.
async fn much_filled(client: &Client) -> (String, String) {
    let mut values = serde_json::Map::new();
    for n in 0..60 {
        let key = client.field(&format!("Text {n:02}"), "string").await;
        values.insert(key, format!("value {n:02}").into());
    }
    let long = "long ".repeat(200);
    values.insert("text51".to_owned(), long.clone().into());
    let id = created(client, &person_with_values("ann@example.com", &values.into())).await;
    (id, long)
}

async fn values(client: &Client, id: &str) -> Vec<String> {
    let contact = read(client, id).await;
    let values = contact.data()["field_values"].as_array().unwrap();
    values.iter().map(|it| it["value"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn saving_only_changes_the_fields_that_the_form_shows() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let (id, long) = much_filled(&client).await;
        let edit = format!("/contacts/{id}/edit");
        let first = browser.get(&edit).await.expect(200);
        assert!(first.text.contains("value 49") && !first.text.contains("value 50"));
        let part = format!("{edit}?page[number]=2");
        let second = browser.get(&part).await.expect(200);
        assert!(second.text.contains("51–60 of 60") && second.text.contains("value 50"));
        assert!(!second.text.contains("value 49") && !second.text.contains(&long));

        let seen = field(&second.text, "version").unwrap();
        let mut change = typed(&seen, "ann@example.com", "Ann");
        change.extend([("field_values.text50", ""), ("field_values.text52", "new")]);
        let saved = browser.post(&part, &change).await.expect(303);
        assert_eq!(location(&saved), part, "the part stays the same");
        let stored = values(&client, &id).await;
        assert_eq!((stored.len(), stored[50].as_str(), stored[51].as_str()), (59, &*long, "new"));

        let refused = browser.post(&part, &typed(&seen, "ann@example.com", "Anna")).await;
        let has_values = refused.expect(412).text.contains("name=\"field_values.");
        assert!(!has_values, "what was not sent is not there to be cleared");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_has_a_separate_form() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let (id, long) = much_filled(&client).await;
        let alone = format!("/contacts/{id}/edit?field=text51");
        for part in [format!("/contacts/{id}"), format!("/contacts/{id}/edit")] {
            let page = browser.get(&format!("{part}?page[number]=2")).await.expect(200);
            assert!(page.text.contains(&format!("href=\"{alone}\"")), "{part}");
        }
        let form = browser.get(&alone).await.expect(200);
        assert!(form.text.contains(&long));
        assert_eq!(form.text.matches("name=\"field_values.").count(), 1);
        let seen = field(&form.text, "version").unwrap();
        let mut change = typed(&seen, "ann@example.com", "Ann");
        change.push(("field_values.text51", "short"));
        let saved = browser.post(&alone, &change).await.expect(303);
        assert_eq!(location(&saved), format!("/contacts/{id}"));
        let stored = values(&client, &id).await;
        assert_eq!((stored.len(), stored[51].as_str()), (60, "short"));
        let _ = browser.get(&format!("/contacts/{id}/edit?field=unknown")).await.expect(404);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_shows_both_sides_of_each_field_and_one_is_chosen() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let member = client.field("Member", "boolean").await;
        let id = created(&client, &person("ann@example.com")).await;
        let edit = format!("/contacts/{id}/edit");
        let value = format!("field_values.{member}");
        let seen = version(&browser, &id).await;
        let mut theirs = typed(&seen, "ann@example.com", "Theirs");
        theirs.push((&value, "true"));
        let _ = browser.done(&edit, &theirs).await;
        let mut mine = typed(&seen, "ann@example.com", "Mine");
        mine.push((&value, "false"));
        let page = browser.post(&edit, &mine).await.expect(412);
        let (_, sides) = page.text.split_once("class=\"sides\"").expect("both sides");
        for words in ["First name", "Mine", "Theirs", "Member", "Yes", "No"] {
            assert!(sides.contains(words), "{words}");
        }
        assert!(!sides.contains("value=\"ann@example.com\" checked"), "the email does not differ");
        assert!(sides.contains("name=\"email\""));
        // The chosen values are saved with the version that was shown.
        let now = field(&page.text, "version").unwrap();
        let mut chosen = typed(&now, "ann@example.com", "Theirs");
        chosen.push((&value, "false"));
        let page = browser.done(&edit, &chosen).await;
        assert!(page.text.contains("Theirs Lee") && page.text.contains("No"));
        // A form that equals what was saved in the meantime causes no conflict.
        let _ = browser.post(&edit, &typed(&seen, "ann@example.com", "Theirs")).await.expect(303);
    })
    .await;
}
