//! The commands for operators.

use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use contact_hub_tests::{Binary, TestDatabase};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use serde_json::Value;
use uuid::Uuid;

use crate::process::{Service, bare, expect_refused, key_file};
use crate::support::person;
use crate::usage::expect_usage;

fn id(json: &Value) -> String {
    let id = json["id"].as_str().expect("an id");
    assert_eq!(Uuid::try_parse(id).expect(id).to_string(), id);
    id.to_owned()
}

/// The ids of a new company and user, and the answer with the key.
fn key(binary: &Binary<'_>, permissions: &[&str]) -> (String, String, Value) {
    let company = id(&binary.json(&["company", "create", "--name", "Acme"]));
    let mut user = vec!["user", "create", "--company", &company, "--email", "api@acme.example"];
    for permission in permissions {
        user.extend(["--permission", permission]);
    }
    let user = id(&binary.json(&user));
    let key = binary.json(&["api-key", "create", "--user", &user, "--name", "Test"]);
    (company, user, key)
}

#[test]
fn each_command_prints_one_json_object_in_one_line() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let output = binary.run(&["company", "create", "--name", "Acme"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    let company = serde_json::from_str::<Value>(&text).unwrap();
    assert_eq!(company.as_object().unwrap().len(), 1);
    let (_, _, made) = key(&binary, &["contacts_api"]);
    assert_eq!(made.as_object().unwrap().len(), 2);
    let revoked = binary.json(&["api-key", "revoke", "--id", &id(&made)]);
    assert!(revoked.is_object());
    assert!(binary.json(&["migrate"]).is_object());
}

#[test]
fn companies_are_listed_up_to_a_limit() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, user, _) = key(&binary, &["contacts_api", "publish"]);
    let other = id(&binary.json(&["company", "create", "--name", "Bolt", "--no-product-access"]));
    let companies = binary.json(&["company", "list"]);
    assert_eq!(companies["has_more"], false);
    let names = |list: &Value| {
        let rows = list["companies"].as_array().expect("a list");
        rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&companies), ["Acme", "Bolt"]);
    assert_eq!(companies["companies"][1]["id"], other);
    assert_eq!(companies["companies"][1]["product_access"], false);
    let first = binary.json(&["company", "list", "--limit", "1", "--json"]);
    assert_eq!((names(&first), &first["has_more"]), (vec!["Acme".to_owned()], &true.into()));
    assert_eq!(names(&binary.json(&["company", "list", "--after", &company])), ["Bolt"]);

    let strange = ["api-key", "list", "--company", &other, "--user", &user];
    expect_refused(&binary.run(&strange), &["user"]);
    expect_usage(&binary.run(&["company", "list", "--limit", "0"]), &["--limit"]);
}

#[test]
fn lists_of_users_and_keys_show_no_secrets() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, user, made) = key(&binary, &["contacts_api", "publish"]);
    let more = ["user", "create", "--company", &company, "--email", "eve@acme.example"];
    let eve = id(&binary.json(&more));
    let users = binary.json(&["user", "list", "--company", &company]);
    assert_eq!((&users["users"][0]["id"], &users["users"][1]["id"]), (&user.into(), &eve.into()));
    assert_eq!(users["users"][0]["email"], "api@acme.example");
    assert_eq!(users["users"][0]["permissions"], serde_json::json!(["contacts_api", "publish"]));
    let user = users["users"][0]["id"].as_str().unwrap();
    let keys = binary.run(&["api-key", "list", "--company", &company, "--user", user]);
    let text = String::from_utf8(keys.stdout).unwrap();
    let keys: Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(keys["api_keys"][0]["id"], made["id"]);
    assert_eq!(keys["api_keys"][0]["name"], "Test");
    assert!(!text.contains(made["token"].as_str().unwrap()), "no secrets");
    expect_refused(&binary.run(&["user", "list", "--company", user]), &["company"]);
}

#[test]
fn completions_know_every_command() {
    let database = TestDatabase::empty();
    for shell in ["bash", "zsh", "fish"] {
        let output = bare(&database, &["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["sign-in-link", "api-key", "--database-url", "rekey"] {
            let word = if shell == "fish" { word.trim_start_matches("--") } else { word };
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    expect_usage(&bare(&database, &["completions", "cmd"]).output().unwrap(), &["cmd"]);
}

#[test]
fn a_token_has_a_prefix_and_at_least_twenty_more_characters() {
    let database = TestDatabase::empty();
    let (_, _, made) = key(&Binary::on(&database), &["contacts_api"]);
    let token = made["token"].as_str().unwrap();
    let (prefix, rest) = token.split_once('_').unwrap();
    assert!(!prefix.is_empty() && rest.len() >= 20, "{token}");
    let in_alphabet = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    assert!(token.chars().all(in_alphabet), "{token}");
}

#[test]
fn migrating_twice_succeeds() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    assert!(binary.json(&["migrate"]).is_object());
    assert!(binary.json(&["migrate"]).is_object());
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_work_beside_a_running_server() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let mut service = Service::serve(&database, &["--no-bootstrap"]);
    let (_, _, made) = key(&binary, &["contacts_api"]);
    let token = made["token"].as_str().unwrap();
    let _ = service.call("GET", "/fields", token, None).await.expect(200);
    let _ = binary.json(&["api-key", "revoke", "--id", &id(&made)]);
    let _ = binary.json(&["api-key", "revoke", "--id", &id(&made)]);
    crate::support::until(Duration::from_secs(5), async || {
        service.call("GET", "/fields", token, None).await.status == 401
    })
    .await;
    service.stop();
}

#[test]
fn a_sign_in_link_is_created_for_a_user() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let company = id(&binary.json(&["company", "create", "--name", "B"]));
    let user = ["user", "create", "--company", &company, "--email", "a@b.example"];
    let user = id(&binary.json(&user));
    let link = ["user", "sign-in-link", "--id", &user, "--public-url", "https://hub.example/"];
    let urls = [binary.json(&link), binary.json(&link)].map(|made| made["url"].clone());
    for url in &urls {
        let token = url.as_str().and_then(|url| url.strip_prefix("https://hub.example/sign-in/"));
        assert_eq!(token.map(str::len), Some(43), "{url}");
    }
    assert_ne!(urls[0], urls[1]);
    let unknown = ["user", "sign-in-link", "--id", &company];
    expect_refused(&binary.run(&unknown), &["user"]);
}

#[test]
fn two_step_verification_is_reset() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, user, _) = key(&binary, &["contacts_api"]);
    let reset = binary.json(&["user", "reset-two-step", "--id", &user]);
    assert_eq!(reset, serde_json::json!({"id": user, "was_on": false}));
    for other in [company.as_str(), "x"] {
        expect_refused(&binary.run(&["user", "reset-two-step", "--id", other]), &["user"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_made_by_commands_apply_to_callers() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let service = Service::serve(&database, &["--no-bootstrap"]);
    let make = |company: &[&str], permissions: &[&str], expires: Option<&str>| {
        let company = id(&binary.json(&[&["company", "create", "--name", "B"], company].concat()));
        let mut user = vec!["user", "create", "--company", &company, "--email", "a@b.example"];
        user.extend(permissions.iter().flat_map(|permission| ["--permission", permission]));
        let user = id(&binary.json(&user));
        let mut key = vec!["api-key", "create", "--user", &user];
        key.extend(expires.iter().flat_map(|expires| ["--expires-at", expires]));
        binary.json(&key)["token"].as_str().expect("a token").to_owned()
    };
    let allowed = ["--allowed-domain", "example.com", "--allowed-domain", "*.b.example"];
    let limited = make(&allowed, &["contacts_api"], Some("2999-01-01T00:00:00Z"));
    for (email, status) in [("a@example.com", 201), ("a@x.b.example", 201), ("a@b.example", 400)] {
        let answer = service.call("POST", "/contacts", &limited, Some(&person(email))).await;
        let _ = answer.expect(status);
    }
    let without_access = make(&["--no-product-access"], &["contacts_api"], None);
    let _ = service.call("GET", "/fields", &without_access, None).await.expect(403);
    let without_permission = make(&[], &["publish", "manage_access"], None);
    let _ = service.call("GET", "/fields", &without_permission, None).await.expect(403);
    let with_many = make(&[], &["publish", "contacts_api", "contacts_api"], None);
    let _ = service.call("GET", "/fields", &with_many, None).await.expect(200);
}

#[test]
fn a_bad_name_or_domain_is_rejected_in_one_line() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    expect_refused(&binary.run(&["company", "create", "--name", " "]), &["name"]);
    let domain = ["company", "create", "--name", "A", "--allowed-domain", "no domain"];
    expect_refused(&binary.run(&domain), &["allowed_domain"]);
}

#[test]
fn unknown_ids_are_reported_in_one_line() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let (company, user, _) = key(&binary, &["contacts_api"]);
    let unknown = "01931e3a-7c00-7000-8000-000000000000";
    let new_user = |company: &str, more: &[&str]| {
        let fixed = ["user", "create", "--company", company, "--email", "b@acme.example"];
        binary.run(&[&fixed, more].concat())
    };
    expect_refused(&new_user(&company, &["--permission", "fly"]), &["permission", "contacts_api"]);
    expect_refused(&new_user(unknown, &[]), &["company"]);
    expect_refused(&new_user("x", &[]), &["company"]);
    let taken = ["user", "create", "--company", &company, "--email", "API@acme.example"];
    expect_refused(&binary.run(&taken), &["email"]);
    let bad_email = ["user", "create", "--company", &company, "--email", "nobody"];
    expect_refused(&binary.run(&bad_email), &["email"]);
    for other in [unknown, "x"] {
        expect_refused(&binary.run(&["api-key", "create", "--user", other]), &["user"]);
        expect_refused(&binary.run(&["api-key", "revoke", "--id", other]), &["key"]);
    }
    for moment in ["tomorrow", "2001-01-01T00:00:00Z", "2999-01-01"] {
        let expired = ["api-key", "create", "--user", &user, "--expires-at", moment];
        expect_refused(&binary.run(&expired), &["expires_at"]);
    }
}

#[test]
fn an_unreachable_database_is_reported_in_one_line_without_its_password() {
    let database = TestDatabase::empty();
    let directory = database.directory().join("missing").join("hub.db");
    let key = key_file(&database);
    std::fs::write(&key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    let sqlite = format!("sqlite://{}", directory.display());
    for url in ["postgres://me:s3cret@127.0.0.1:1/hub", &sqlite] {
        for command in [
            &["migrate"][..],
            &["company", "create", "--name", "A"],
            &[
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--secret-key-file",
                &key,
                "--database-start-wait-ms",
                "0",
            ],
        ] {
            let arguments = [command, &["--database-url", url]].concat();
            let output = bare(&database, &arguments).output().unwrap();
            expect_refused(&output, &["database"]);
            assert!(!String::from_utf8_lossy(&output.stderr).contains("s3cret"));
        }
    }
}

#[test]
fn a_taken_port_is_reported_in_one_line() {
    let database = TestDatabase::empty();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let key = key_file(&database);
    let serve = ["serve", "--listen", &address, "--secret-key-file", &key, "--log", "off"];
    expect_refused(&Binary::on(&database).run(&serve), &[&address]);
}

#[test]
fn help_and_version_are_printed_on_standard_output() {
    let database = TestDatabase::empty();
    for (flag, word) in [("--help", "--database-url"), ("--version", "contact-hub")] {
        let output = bare(&database, &[flag]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(String::from_utf8_lossy(&output.stdout).contains(word));
    }
}

#[test]
fn settings_are_read_from_the_environment_and_flags_override_them() {
    let database = TestDatabase::empty();
    let mut command = bare(&database, &["company", "create", "--name", "A"]);
    command.env("CONTACT_HUB_DATABASE_URL", database.url_text());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut command = Binary::on(&database).command(&["company", "create", "--name", "A"]);
    command.env("CONTACT_HUB_DATABASE_URL", "sqlite://other.db");
    assert!(command.output().unwrap().status.success());
    assert!(!database.directory().join("other.db").exists());
}

#[test]
fn a_flag_overrides_a_malformed_variable_at_any_position() {
    let database = TestDatabase::empty();
    let url = database.url_text();
    let joined = format!("--database-url={url}");
    for arguments in [
        &["migrate", "--database-url", url, "--database-wait-ms", "5000"][..],
        &["--database-wait-ms=5000", "migrate", &joined],
        &["--database-url", url, "--database-wait-ms", "5000", "migrate"],
    ] {
        let mut command = bare(&database, arguments);
        command.env("CONTACT_HUB_DATABASE_URL", "mysql://x");
        command.env("CONTACT_HUB_DATABASE_WAIT_MS", "soon");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut without_flag = bare(&database, &["migrate"]);
    without_flag.env("CONTACT_HUB_DATABASE_URL", "mysql://x");
    expect_usage(&without_flag.output().unwrap(), &["--database-url", "must begin with"]);
}

#[test]
fn migrating_rejects_a_pooler_and_distributing_requires_a_cluster() {
    let empty = TestDatabase::empty();
    let through_pooler = Binary::on(&empty).run(&["migrate", "--database-pooled"]);
    expect_refused(&through_pooler, &["--database-pooled"]);
    let migrated = TestDatabase::migrated();
    let distributed = Binary::on(&migrated).run(&["migrate", "--citus"]);
    if migrated.cluster().is_none() {
        return expect_refused(&distributed, &["cannot be distributed", "citus"]);
    }
    let again: Value = serde_json::from_slice(&distributed.stdout).expect("one JSON object");
    assert_eq!(again, serde_json::json!({"applied": 0, "distributed": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_waits_half_a_minute_for_the_write_lock_of_sqlite() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    let binary = Binary::on(&database);
    let _first = binary.json(&["company", "create", "--name", "A"]);
    let path = database.url_text().trim_start_matches("sqlite://");
    let mut other = SqliteConnection::establish(path).expect("SQLite");
    other.batch_execute("BEGIN IMMEDIATE").expect("the lock");
    let waiting =
        binary.command(&["company", "create", "--name", "B"]).stdout(Stdio::piped()).spawn();
    let mut waiting = waiting.expect("it starts");
    tokio::time::sleep(Duration::from_secs(25)).await;
    assert!(waiting.try_wait().expect("its state").is_none(), "it still waits");
    other.batch_execute("ROLLBACK").expect("the lock is released");
    assert!(waiting.wait().expect("it ends").success());
}

#[test]
fn the_command_of_the_first_start_finds_the_database() {
    let database = TestDatabase::empty();
    let mut service = Service::serve(&database, &[]);
    let command = service.rest_of_line("contact-hub user");
    service.stop();
    assert!(command.contains("--database-url"), "{command}");
    let words: Vec<&str> = std::iter::once("user").chain(command.split(' ')).collect();
    let mut elsewhere = bare(&database, &words);
    let output = elsewhere.current_dir("/").output().expect("it runs");
    let link: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let link = link["url"].as_str().expect("a link");
    assert!(link.starts_with(&service.base), "{link}");
}
