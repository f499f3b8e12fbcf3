//! `docs/integrating.md` is correct: its snippets, its table of formats, and every rejected call with its answer.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use contact_hub_domain::access::Permission;
use contact_hub_domain::sync::{Platform, convert};
use contact_hub_tests::{Client, CompanyOptions, Receiver, with_hub};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../docs/integrating.md");

#[test]
fn the_page_shows_the_files_that_are_tested() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/integrating");
    let files = std::fs::read_dir(directory).expect("a directory");
    let mut count = 0;
    for file in files {
        let file = file.expect("a file").path();
        let language = match file.extension().and_then(OsStr::to_str) {
            Some("py") => "python",
            Some("mjs") => "javascript",
            Some("go") => "go",
            Some("php") => "php",
            Some("rs") => "rust",
            other => panic!("a snippet in {other:?}"),
        };
        let text = std::fs::read_to_string(&file).expect("a text");
        assert!(PAGE.contains(&format!("```{language}\n{text}```\n")), "{file:?} differs");
        count += 1;
    }
    assert_eq!(count, 25, "five snippets in five languages");
}

#[test]
fn the_table_of_formats_is_correct() {
    for platform in Platform::ALL {
        let (first, field) = ("{{first_name|there}}", "{{field:jobTitle}}");
        let converted = |tag| convert(tag, platform, None);
        let row =
            format!("\n{:24} {}  {}\n", platform.as_str(), converted(first), converted(field));
        assert!(PAGE.contains(&row), "the row should be: {row}");
    }
}

/// The documented rejected calls: title, command, answer and status.
fn problems() -> Vec<(&'static str, String, &'static str, &'static str)> {
    let (_, section) = PAGE.split_once("\n## What goes wrong\n").expect("the section");
    let blocks = section.split("\n```console\n$ ").collect::<Vec<_>>();
    let pairs = blocks.iter().zip(blocks.iter().skip(1));
    let read = |(before, block): (&&'static str, &&'static str)| {
        let title = before.trim_end().rsplit_once("\n**").expect("a title").1;
        let (block, after) = block.split_once("\n```\n").expect("an end");
        let (command, answer) = block.rsplit_once('\n').expect("an answer");
        let status = after.trim_start().get(..3).expect("a status");
        (title.trim_end_matches("**"), command.to_owned(), answer, status)
    };
    pairs.map(read).collect()
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    let answer = client.manage().post(path, &body).await.expect(201);
    answer.data()["id"].as_str().expect("an id").to_owned()
}

/// Runs a command of the page, and returns its answer, with `…` for ids and timestamps, and the status.
fn run(command: &str, variables: &[(&str, &str)]) -> (String, String) {
    let command = command.replacen("curl ", "curl -s -w '\\n%{http_code}' ", 1);
    let output = Command::new("sh")
        .args(["-c", &command])
        .envs(variables.iter().copied())
        .output()
        .expect("a shell");
    let text = String::from_utf8(output.stdout).expect("text");
    let (answer, status) = text.rsplit_once('\n').expect("a status");
    let parts = answer.split('"').map(|part| if is_id_or_moment(part) { "…" } else { part });
    (parts.collect::<Vec<_>>().join("\""), status.to_owned())
}

fn is_id_or_moment(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() || crate::support::is_timestamp(&json!(text))
}

#[expect(clippy::too_many_lines, reason = "one setting for every refusal of the page")]
#[tokio::test(flavor = "multi_thread")]
async fn every_rejected_call_is_answered_as_documented() {
    let version = Command::new("curl").args(["--json", "{}", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no curl with --json");
        return;
    }
    with_hub(async |hub| {
        let client = hub.client().await;
        let permissions = vec![Permission::ContactsApi];
        let limited = CompanyOptions { permissions, ..CompanyOptions::default() };
        let limited = hub.client_of(&limited).await.made.token;
        let email = json!({"name": "A", "type": "email", "html": "x", "subject": "s"});
        let asset = made(&client, "/assets", email).await;
        let page = json!({"name": "P", "type": "landing_page", "html": "x"});
        let page = made(&client, "/assets", page).await;
        let kind = json!({"name": "I", "asset_types": ["email"], "merge_tag_format": "braze"});
        let integration = made(&client, "/integrations", kind.clone()).await;
        let other = made(&client, "/integrations", kind).await;
        let receiver = Receiver::start(&[200]).await;
        let hook = json!({"name": "W", "url": receiver.url(), "events": ["syncRequested"]});
        let webhook = made(&client, "/webhooks", hook).await;
        let all = problems();
        assert_eq!(all.len(), 16);
        for (title, command, answer, status) in all {
            let mut key = client.made.token.as_str();
            match title {
                "A key whose user lacks the permission" => key = &limited,
                "A report without `sync_id` for several open syncs" => {
                    for integration in [&integration, &other] {
                        let (path, body) = (
                            format!("/assets/{asset}/syncs"),
                            json!({"integration_id": integration}),
                        );
                        let _requested = client.manage().post(&path, &body).await.expect(202);
                    }
                }
                "A sync request without a webhook that receives it" => {
                    let path = format!("/webhooks/{webhook}");
                    let _off =
                        client.manage().patch(&path, &json!({"enabled": false})).await.expect(200);
                }
                _ => {}
            }
            let base = hub.base();
            let variables = [
                ("KEY", key),
                ("HUB", &base),
                ("ASSET", &asset),
                ("PAGE", &page),
                ("INTEGRATION", &integration),
                ("NOTHING", "01931e3a-7c00-7000-8000-000000000000"),
            ];
            let said = tokio::task::block_in_place(|| run(&command, &variables));
            assert_eq!(said, (answer.to_owned(), status.to_owned()), "{title}");
        }
    })
    .await;
}
