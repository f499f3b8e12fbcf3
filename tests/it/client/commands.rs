//! `contact-hub contacts …` and `contact-hub fields …` with a running service.

use std::process::Output;

use contact_hub_tests::{Binary, TestDatabase};
use reqwest::Method;
use serde_json::{Value, json};

use crate::process::{Service, bare, expect_refused};

/// A running service with its first key.
struct Remote {
    database: TestDatabase,
    service: Service,
    key: String,
}

impl Remote {
    fn start() -> Self {
        let database = TestDatabase::empty();
        let mut service = Service::serve(&database, &[]);
        let key = service.bootstrap_key();
        Self { database, service, key }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = bare(&self.database, arguments);
        command.args(["--url", &self.service.base]).env("CONTACT_HUB_API_KEY", &self.key);
        command.output().expect("it runs")
    }

    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a text")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let text = self.text(arguments);
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).expect("JSON")
    }

    fn create(&self, email: &str, last_name: &str, more: &[&str]) -> String {
        let names = ["--first-name", "Ann", "--last-name", last_name];
        let created =
            self.json(&[&["contacts", "create", "--email", email], &names[..], more].concat());
        assert_eq!(created.as_object().expect("an object").len(), 1);
        created["id"].as_str().expect("an id").to_owned()
    }

    fn emails(&self, arguments: &[&str]) -> Vec<String> {
        let listed = self.json(&[&["contacts", "list"], arguments].concat());
        let emails = listed["contacts"].as_array().expect("contacts").iter();
        emails.map(|it| it["email"].as_str().expect("an email").to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_are_created_listed_shown_exported_and_deleted() {
    let mut remote = Remote::start();
    for (name, kind) in [("Age", "number"), ("Is VIP", "boolean"), ("City", "string")] {
        let body = json!({"name": name, "type": kind});
        let made = remote.service.call(Method::POST.as_str(), "/fields", &remote.key, Some(&body));
        let _made = made.await.expect(201);
    }
    let fields = remote.json(&["fields", "list"]);
    assert_eq!((&fields["has_more"], &fields["fields"][0]["key"]), (&json!(false), &json!("age")));
    let values =
        ["--value", "age=12345678901234567890.50", "--value", "isVip=true", "--value", "city=1"];
    let id = remote.create("a@example.com", "Lee", &values);
    for (email, last_name) in [("b@example.com", "Li"), ("c@example.com", "Lo")] {
        remote.create(email, last_name, &[]);
    }

    let listed = remote.json(&["contacts", "list", "--sort", "-email", "--limit", "2"]);
    assert_eq!(listed["has_more"], true);
    assert_eq!(listed["contacts"].as_array().expect("contacts").len(), 2);
    assert_eq!(listed["contacts"][0]["email"], "c@example.com");
    assert_eq!(remote.emails(&["--search", "lee"]), ["a@example.com"]);
    assert_eq!(remote.emails(&["--filter", "last_name=Li"]), ["b@example.com"]);
    let both = ["--filter", "last_name.startsWith=l", "--filter", "email.gt=b@example.com"];
    assert_eq!(remote.emails(&both), ["c@example.com"]);

    let shown = remote.text(&["contacts", "show", "--id", &id]);
    assert!(shown.contains("\"value\":12345678901234567890.50"), "{shown}");
    assert!(shown.contains("\"value\":true") && shown.contains("\"value\":\"1\""), "{shown}");
    let exported = remote.text(&["contacts", "export", "--sort", "email"]);
    assert_eq!(exported.lines().count(), 3);
    assert_eq!(exported.lines().next(), Some(shown.trim_end()));
    assert_eq!(remote.json(&["contacts", "delete", "--id", &id]), json!({"id": id}));
    let gone = remote.run(&["contacts", "show", "--id", &id]);
    expect_refused(&gone, &["404", "CONTACT_NOT_FOUND"]);
    remote.service.stop();
}

#[test]
fn errors_say_what_to_do() {
    let mut remote = Remote::start();
    let create = ["contacts", "create", "--email", "ann", "--first-name", "", "--last-name", "Lee"];
    expect_refused(&remote.run(&create), &["email ", "first_name "]);
    expect_refused(&remote.run(&["contacts", "list", "--sort", "age"]), &["sort.0"]);
    let twice = ["--email", "ann@example.com", "--value", "size=1", "--value", "size=2"];
    let names = ["contacts", "create", "--first-name", "Ann", "--last-name", "Lee"];
    expect_refused(&remote.run(&[&names[..], &twice].concat()), &["--value", "size"]);
    let usage = remote.run(&["contacts", "list", "--filter", "email"]);
    assert_eq!(usage.status.code(), Some(2));

    let (base, database) = (remote.service.base.clone(), &remote.database);
    let list = ["contacts", "list", "--url", &base];
    let without = bare(database, &list).output().expect("it runs");
    expect_refused(&without, &["--key-file", "CONTACT_HUB_API_KEY", "api-key create"]);
    let mut wrong = bare(database, &list);
    let wrong = wrong.env("CONTACT_HUB_API_KEY", "hub_wrong").output().expect("it runs");
    expect_refused(&wrong, &["401", "--key-file", "CONTACT_HUB_API_KEY"]);
    assert!(!String::from_utf8_lossy(&wrong.stderr).contains("hub_wrong"));
    assert_eq!(bare(database, &list[..2]).output().expect("it runs").status.code(), Some(2));

    let binary = Binary::on(database);
    let company = binary.json(&["company", "create", "--name", "Acme"])["id"].clone();
    let company = company.as_str().expect("an id");
    let user = ["user", "create", "--company", company, "--email", "eve@example.com"];
    let user = binary.json(&user)["id"].clone();
    let made = binary.json(&["api-key", "create", "--user", user.as_str().expect("an id")]);
    let mut powerless = bare(database, &list);
    let token = made["token"].as_str().expect("a token");
    let powerless = powerless.env("CONTACT_HUB_API_KEY", token).output().expect("it runs");
    expect_refused(&powerless, &["403", "ACCESS_DENIED", "contacts_api"]);

    let file = database.directory().join("api.key");
    std::fs::write(&file, format!("{}\n", remote.key)).expect("a file");
    let path = file.display().to_string();
    let with_file = [&list[..], &["--key-file", &path]].concat();
    assert!(bare(database, &with_file).output().expect("it runs").status.success());
    std::fs::remove_file(&file).expect("it is removed");
    let missing = bare(database, &with_file).output().expect("it runs");
    expect_refused(&missing, &["api.key", "cannot be read"]);

    remote.service.stop();
    expect_refused(&remote.run(&["fields", "list"]), &["--url", "cannot be reached"]);
}
