//! Importing contacts from a CSV file.

use std::fmt::Write;
use std::path::Path;

use contact_hub_tests::{Binary, Client, TestDatabase, with_hub};
use serde_json::json;
use thirtyfour::By;

use super::contacts::downloaded;
use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_mapped_and_imported_and_its_rejected_rows_are_returned() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let _ = client.field("Job Title", "string").await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        let mut csv = "\u{feff}E-Mail;First Name;Surname;Position;Notes\r\n".to_owned();
        for n in 0..1200 {
            let email = if n % 400 == 7 { "nobody".to_owned() } else { format!("p{n:04}@example.com") };
            writeln!(csv, "{email};Pat;\"L; {n}\";Head of {n};\"two\r\nlines\"\r").unwrap();
        }
        std::fs::write(&file, &csv).unwrap();
        let downloads = person.downloads().await;

        person.open("/contacts").await;
        person.click("Import CSV").await;
        person.arrives("Import contacts").await;
        person.attach("CSV file", &file).await;
        person.sees("Match the columns").await;
        person.sees("L; 0").await;
        person.choose("What the column Position becomes", "Job Title").await;
        person.arrives("Import contacts").await;
        person.click("Check without importing").await;
        person.sees("1,200 rows read: 1,197 would be created, 0 would be updated, 0 would not change, 3 refused.").await;
        person.sees("Nothing was imported.").await;
        person.click("Import").await;
        person.sees("1,200 rows read: 1,197 created, 0 updated, 0 unchanged, 3 refused.").await;
        person.sees("The import is complete.").await;
        person.sees("Email must be a valid email address.").await;
        person.keeps_promises().await;
        person.click("Download the refused rows with reasons").await;
        let refused = downloaded(&downloads.join("refused.csv")).await;
        assert!(refused.starts_with("E-Mail;First Name;Surname;Position;Notes;refused_because\r\n"));
        assert!(refused.contains("nobody;Pat;\"L; 7\";Head of 7;\"two\r\nlines\";Email must be a valid email address.\r\n"), "{refused}");
        assert_eq!(refused.matches("nobody;").count(), 3);
        person.click("View contacts").await;
        person.arrives("Contacts").await;
        person.sees("1–25 of 1,197").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_csv_is_rejected() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        let directory = tempfile::tempdir().unwrap();
        person.open("/contacts/import").await;
        person.arrives("Import contacts").await;
        let latin = directory.path().join("latin.csv");
        std::fs::write(&latin, b"email,first_name\na@example.com,Ren\xe9\n").unwrap();
        person.attach("CSV file", &latin).await;
        person.sees("The file is not in UTF-8.").await;
        let empty = directory.path().join("empty.csv");
        std::fs::write(&empty, "email\n").unwrap();
        person.attach("CSV file", &empty).await;
        person.sees("The file has no rows below its first line.").await;
        let old = directory.path().join("old.csv");
        std::fs::write(&old, "email,first_name\ra@example.com,Ann\r").unwrap();
        person.attach("CSV file", &old).await;
        person.sees("The lines of this file end with CR.").await;
        person.arrives("Import contacts").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_with_malformed_quotes_is_rejected_and_the_others_are_imported() {
    with_hub(async |hub| {
        let (person, _client) = Person::signed_in(hub).await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        let csv = "email,first_name,last_name\na@example.com,\"Ann \"\"A\"\"\",Lee\n\
                   b@example.com,\"Bob \"B\" B\",Lee\nc@example.com,Cy,Lee\nd@example.com,\"Dan,Lee\n";
        std::fs::write(&file, csv).unwrap();
        person.open("/contacts/import").await;
        person.arrives("Import contacts").await;
        person.attach("CSV file", &file).await;
        person.sees("Match the columns").await;
        person.click("Import").await;
        person.sees("4 rows read: 2 created, 0 updated, 0 unchanged, 2 refused.").await;
        person.sees("A quoted cell has text after its closing quote, or is not closed.").await;
        person.keeps_promises().await;
        person.click("View contacts").await;
        person.arrives("Contacts").await;
        person.sees("Ann \"A\"").await;
    })
    .await;
}

/// Writes a file of people with one email each.
fn people(file: &Path, rows: usize) {
    let mut csv = "email,first_name,last_name\n".to_owned();
    for n in 0..rows {
        writeln!(csv, "p{n:06}@example.com,Pat,Lee {n}").unwrap();
    }
    std::fs::write(file, csv).unwrap();
}

/// Delays every answer by this many milliseconds from now on.
async fn slow_down(person: &Person, latency: u32) {
    let slow = json!({"offline": false, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1});
    let browser = person.driver().cdp();
    browser.send_raw("Network.enable", json!({})).await.unwrap();
    browser.send_raw("Network.emulateNetworkConditions", slow).await.unwrap();
}

async fn reads_some(person: &Person) {
    person
        .until("some rows are read", async || {
            let text = person.text().await?;
            Ok(text.contains(" rows read:") && !text.contains("\n0 rows read:"))
        })
        .await;
}

async fn can_start(person: &Person) -> bool {
    person.driver().find(By::Id("start")).await.unwrap().is_enabled().await.unwrap()
}

/// The values of the only contact of a company.
async fn values(client: &Client) -> Vec<String> {
    let listed = client.get("/contacts?include=field_values").await.expect(200);
    let values = listed.data()[0]["field_values"].as_array().unwrap().iter();
    values.map(|it| it["value"].to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_choices_are_named_and_a_field_is_created_with_the_chosen_date_format() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        let csv =
            "email,first name,Family,Birthday,Member\nann@example.com,Ann,Lee,03.04.1990,yes\n";
        std::fs::write(&file, csv).unwrap();
        person.open("/contacts/import").await;
        person.attach("CSV file", &file).await;
        person.sees("Choose the column that becomes: Last name.").await;
        assert!(!can_start(&person).await);
        person.choose("What the column Family becomes", "Last name").await;
        person.misses("Choose the column that becomes").await;
        assert!(can_start(&person).await);
        person.choose("What the column Birthday becomes", "Last name").await;
        person.sees("Two columns become Last name.").await;
        assert!(!can_start(&person).await);
        person.choose("What the column Birthday becomes", "New date field (suggested)").await;
        person.sees("Choose how the column Birthday is written.").await;
        assert!(!can_start(&person).await);
        person.arrives("Import contacts").await;
        person.choose("How the column Birthday is written", "Day first: 31.01.2026").await;
        person.sees("03.04.1990 → 1990-04-03").await;
        person.choose("What the column Member becomes", "New yes or no field (suggested)").await;
        person.click("Import").await;
        person.sees("1 rows read: 1 created, 0 updated, 0 unchanged, 0 refused.").await;
        assert_eq!(values(&client).await, ["\"1990-04-03\"", "true"]);
        person.click("Import").await;
        person.sees("1 rows read: 0 created, 0 updated, 1 unchanged, 0 refused.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_cannot_be_created_stops_the_import_before_it_starts() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        let csv = "email,first_name,last_name,???\nann@example.com,Ann,Lee,Red\n";
        std::fs::write(&file, csv).unwrap();
        person.open("/contacts/import").await;
        person.attach("CSV file", &file).await;
        person.choose("What the column ??? becomes", "New text field (suggested)").await;
        person.click("Import").await;
        person.sees("The field for the column ??? was not made.").await;
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_is_cancelled_and_can_continue_after_leaving_the_page() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("people.csv");
        people(&file, 8_000);
        person.open("/contacts/import").await;
        person.attach("CSV file", &file).await;
        person.sees("Match the columns").await;
        slow_down(&person, 200).await;
        person.click("Import").await;
        reads_some(&person).await;
        person.click("Cancel").await;
        person.sees("Cancelled. The rows that were read stay imported.").await;
        let first =
            client.get("/contacts").await.expect(200).json["meta"]["total"].as_u64().unwrap();
        assert!((1..8_000).contains(&first), "{first}");
        person.open("/contacts").await;
        person.open("/contacts/import").await;
        person.sees("Choose the same file to continue it.").await;
        person.arrives("Import contacts").await;
        person.attach("CSV file", &file).await;
        slow_down(&person, 0).await;
        person.click("Continue the import").await;
        person.sees("8,000 rows read: 8,000 created, 0 updated, 0 unchanged, 0 refused.").await;
        person.sees("The import is complete.").await;
        assert!(!person.is_seeing("Choose the same file").await);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 8_000);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_survives_a_restart_of_the_service() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let mut service = binary.serve(&[]);
    let base = service.base.clone();
    let person = Person::at(&base).await;
    let link = service.sign_in_link();
    person.open(link.strip_prefix(&base).unwrap()).await;
    person.fill("New password", "correct horse battery").await;
    person.click("Sign in").await;
    person.arrives("Overview").await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("people.csv");
    people(&file, 8_000);
    person.open("/contacts/import").await;
    person.attach("CSV file", &file).await;
    person.sees("Match the columns").await;
    slow_down(&person, 200).await;
    person.click("Import").await;
    reads_some(&person).await;
    service.kill();
    person.sees("The service cannot be reached; trying again in").await;
    let service = binary.serve_at(base.strip_prefix("http://").unwrap(), &[]);
    person.sees("8,000 rows read").await;
    person.sees("0 refused.").await;
    person.sees("The import is complete.").await;
    person.open("/contacts").await;
    person.sees("1–25 of 8,000").await;
    assert_eq!(service.terminate(), Some(0));
}
