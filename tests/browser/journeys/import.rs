//! A CSV file becomes contacts.

use std::fmt::Write;

use contact_hub_tests::with_hub;

use super::contacts::downloaded;
use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_mapped_imported_and_its_refused_rows_come_back() {
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
        person.sees("What the columns are").await;
        person.sees("L; 0").await;
        person.choose("What the column Position becomes", "Job Title").await;
        person.arrives("Import contacts").await;
        person.click("Import").await;
        person.sees("1200 rows read: 1197 created, 0 updated, 3 refused.").await;
        person.sees("Email must be a valid email address.").await;
        person.arrives("Import contacts").await;
        person.click("Download the refused rows with reasons").await;
        let refused = downloaded(&downloads.join("refused.csv")).await;
        assert!(refused.starts_with("E-Mail;First Name;Surname;Position;Notes;refused_because\r\n"));
        assert!(refused.contains("nobody;Pat;\"L; 7\";Head of 7;\"two\r\nlines\";\"Email must be a valid email address.\"\r\n"), "{refused}");
        assert_eq!(refused.matches("nobody;").count(), 3);
        person.click("See the contacts").await;
        person.arrives("Contacts").await;
        person.sees("1–25 of 1197").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_csv_is_rejected() {
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
        person.arrives("Import contacts").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_with_malformed_quotes_is_refused_and_the_others_are_imported() {
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
        person.sees("What the columns are").await;
        person.click("Import").await;
        person.sees("4 rows read: 2 created, 0 updated, 2 refused.").await;
        person.sees("A quoted cell has text after its closing quote, or is not closed.").await;
        person.arrives("Import contacts").await;
        person.click("See the contacts").await;
        person.arrives("Contacts").await;
        person.sees("Ann \"A\"").await;
    })
    .await;
}
