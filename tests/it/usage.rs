//! Wrong usage of the commands.

use std::process::Output;

use contact_hub_tests::{Binary, TestDatabase};

use crate::process::{Service, bare, expect_refused, key_file};

/// Fails the test unless the command failed with the exit code of wrong usage and a hint, and printed nothing else.
#[track_caller]
pub(crate) fn expect_usage(output: &Output, words: &[&str]) {
    let advice = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{advice}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    for word in words.iter().chain(&["--help"]) {
        assert!(advice.contains(word), "{word} is not in: {advice}");
    }
}

#[test]
fn wrong_usage_is_answered_with_a_hint() {
    let database = TestDatabase::empty();
    let binary = Binary::on(&database);
    let serve = |flag, value| binary.run(&["serve", flag, value]);
    expect_usage(&binary.run(&["serve", "--lisen", "x"]), &["--lisen", "'--listen'"]);
    expect_usage(&binary.run(&["serv"]), &["'serv'", "'serve'"]);
    expect_usage(&binary.run(&["company", "creat"]), &["'creat'", "'create'"]);
    expect_usage(&binary.run(&["company"]), &["Usage: contact-hub company", "create"]);
    for listen in ["--listen", "--metrics-listen"] {
        expect_usage(&serve(listen, "localhost:8080"), &[listen, "such as 127.0.0.1:8080"]);
    }
    for url in ["nonsense", "hub.example", "", "mailto:x"] {
        expect_usage(&serve("--public-url", url), &["--public-url", "an absolute http or https"]);
    }
    for origin in ["*", "", "app.example.com"] {
        expect_usage(&serve("--cors-origin", origin), &["--cors-origin", "must be an origin"]);
    }
    expect_usage(&serve("--rate-limit-standard", "many"), &["--rate-limit-standard"]);
    expect_usage(&serve("--database-connections", "0"), &["--database-connections", "1 to 1000"]);
    expect_usage(&serve("--public-url", "https://me:pw@x.example"), &["--public-url", "password"]);
    expect_usage(&binary.run(&["company", "create"]), &["--name"]);
    let bad_url = bare(&database, &["migrate", "--database-url", "mysql://x"]).output().unwrap();
    expect_usage(&bad_url, &["--database-url", "sqlite://", "postgres://"]);
}

#[test]
fn an_error_names_the_variable_or_the_flag_that_has_the_wrong_value() {
    let database = TestDatabase::empty();
    let variable = "CONTACT_HUB_WORKERS";
    let serve = |arguments: &[&str]| {
        let mut command = bare(&database, &[&["serve"], arguments].concat());
        command.env(variable, "many").output().expect("it runs")
    };
    expect_usage(&serve(&[]), &[variable, "'many'", "a whole number from 1 to 512"]);
    let of_flag = serve(&["--workers", "0"]);
    expect_usage(&of_flag, &["--workers", "'0'"]);
    assert!(!String::from_utf8_lossy(&of_flag.stderr).contains(variable));
}

#[test]
fn a_log_filter_names_levels() {
    let database = TestDatabase::empty();
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for filter in ["", "warning", "info,contact_hub", "contact_hub=loud"] {
        let with_flag = Binary::on(&database).run(&[&serve[..], &["--log", filter]].concat());
        expect_usage(&with_flag, &["--log"]);
        let mut with_variable = Binary::on(&database).command(&serve);
        let with_variable = with_variable.env("CONTACT_HUB_LOG", filter).output().expect("it runs");
        expect_usage(&with_variable, &["CONTACT_HUB_LOG"]);
    }
    assert!(database.is_postgres() || !database.directory().join("hub.db").exists());
}

#[test]
fn a_command_does_not_create_the_database_that_it_reads() {
    let database = TestDatabase::empty();
    if database.is_postgres() {
        return;
    }
    let missing = database.directory().join("missing.db");
    let url = format!("sqlite://{}", missing.display());
    let id = uuid::Uuid::nil().to_string();
    for command in [&["company", "list"][..], &["api-key", "revoke", "--id", &id]] {
        let output = bare(&database, &[command, &["--database-url", &url]].concat()).output();
        expect_refused(&output.expect("it runs"), &["does not exist", "--database-url"]);
        assert!(!missing.exists());
    }
}

#[test]
fn a_command_does_not_create_the_schema_that_it_reads() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        std::fs::write(database.directory().join("hub.db"), "").expect("an empty file");
    }
    let binary = Binary::on(&database);
    let id = uuid::Uuid::nil().to_string();
    for command in [
        &["company", "list"][..],
        &["user", "list", "--company", &id],
        &["api-key", "revoke", "--id", &id],
        &["company", "export", "--id", &id],
    ] {
        for _ in 0..2 {
            expect_refused(&binary.run(command), &["has no schema", "contact-hub migrate"]);
        }
    }
    assert!(binary.json(&["company", "create", "--name", "Acme"])["id"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_before_the_command_is_applied_or_rejected() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    let before = ["--rate-limit-standard", "7", "serve"];
    let after = ["--listen", "127.0.0.1:0", "--secret-key-file", &key];
    let command = Binary::on(&database).command(&[&before[..], &after].concat());
    let mut service = Service::spawn(&database, command);
    let Some(first) = service.next_line() else {
        assert!(!service.wait().success());
        return;
    };
    first.trim_start_matches("listening on ").clone_into(&mut service.base);
    let answer = service.call("GET", "/fields", "none", None).await.expect(401);
    assert_eq!(answer.header("x-ratelimit-limit"), "7");
}

#[test]
fn an_unspecified_address_needs_a_public_url() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let serve = ["serve", "--listen", listen, "--secret-key-file", &key];
        expect_refused(&Binary::on(&database).run(&serve), &["--public-url", listen]);
    }
}

#[test]
fn resealing_needs_the_key_file_of_the_instances() {
    let database = TestDatabase::empty();
    let rekey = ["rekey", "--database-url", "postgres://hub@127.0.0.1:1/hub"];
    let output = bare(&database, &rekey).output().expect("it runs");
    expect_refused(&output, &["--secret-key-file", "of the instances"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("openssl"));
}

#[test]
fn a_wrong_token_for_the_metrics_is_not_repeated() {
    let database = TestDatabase::empty();
    let key = key_file(&database);
    for token in
        ["short-token", "a-long-enough-token\n", "a-long-enough-tokén", "a long enough token"]
    {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", &key];
        let mut command = Binary::on(&database).command(&serve);
        let output = command.env("CONTACT_HUB_METRICS_TOKEN", token).output().expect("it runs");
        expect_refused(&output, &["--metrics-token", "16"]);
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(!shown.contains("enough") && !shown.contains("short"), "{shown}");
    }
}
