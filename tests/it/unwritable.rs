//! Standard output that cannot be written.

use std::fs::File;
use std::process::Output;

use contact_hub_tests::{Binary, TestDatabase};

use crate::process::expect_refused;

/// Runs a command whose standard output is a full disk.
fn on_a_full_disk(binary: &Binary<'_>, arguments: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").expect("a full disk");
    binary.command(arguments).stdout(full).output().expect("it runs")
}

/// A company with a user, by their ids.
fn company_and_user(binary: &Binary<'_>) -> (String, String) {
    let id = |json: serde_json::Value| json["id"].as_str().expect("an id").to_owned();
    let company = id(binary.json(&["company", "create", "--name", "Acme"]));
    let user = ["user", "create", "--company", &company, "--email", "api@acme.example"];
    let user = id(binary.json(&user));
    (company, user)
}

#[test]
fn a_full_disk_is_reported_as_what_it_is() {
    let database = TestDatabase::empty();
    let output = on_a_full_disk(&Binary::on(&database), &["openapi"]);
    expect_refused(&output, &["standard output cannot be written", "No space left"]);
    let output = on_a_full_disk(&Binary::on(&database), &["--help"]);
    expect_refused(&output, &["standard output cannot be written", "No space left"]);
}

#[test]
fn a_key_that_cannot_be_shown_can_be_revoked() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, user) = company_and_user(&binary);
    let output = on_a_full_disk(&binary, &["api-key", "create", "--user", &user]);
    let list = || binary.json(&["api-key", "list", "--company", &company, "--user", &user]);
    let id = list()["api_keys"][0]["id"].as_str().expect("it was created").to_owned();
    let revoke = format!("`contact-hub api-key revoke --id {id} --database-url ");
    expect_refused(&output, &[&revoke, "standard output cannot be written", "No space left"]);
    let _revoked = binary.json(&["api-key", "revoke", "--id", &id]);
    assert!(list()["api_keys"][0]["revoked_at"].is_string());
}

#[test]
fn an_export_that_fails_in_the_middle_is_reported_as_incomplete() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, _user) = company_and_user(&binary);
    let export = ["company", "export", "--id", &company];
    let output = on_a_full_disk(&binary, &export);
    expect_refused(&output, &["incomplete", "standard output cannot be written", "No space left"]);
    assert!(binary.run(&export).status.success());
    database.execute("ALTER TABLE changes RENAME TO changes_elsewhere");
    let output = binary.run(&export);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("the export is incomplete"), "{errors}");
    assert!(output.stdout.starts_with(b"{\"type\":\"company\""));
}
