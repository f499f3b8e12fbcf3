//! `GET /contacts/export`: all contacts as lines of JSON or as CSV.

use std::time::Duration;

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};

use crate::support::{created, execute, person, person_with_values};

async fn exported(client: &Client, query: &str, accept: &str) -> Answer {
    let request = client.request(Method::GET, &format!("/contacts/export?{query}"));
    Answer::of(request.header(ACCEPT, accept)).await
}

fn lines(answer: &Answer) -> Vec<Value> {
    answer.text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
}

/// Three hundred contacts, every third one with values.
async fn filled(client: &Client) {
    client.field("Team", "string").await;
    client.field("Age", "number").await;
    let row = |n: u32| {
        let email = format!("p{n:03}@example.com");
        let mut row = match n % 3 {
            0 => person_with_values(&email, &json!({"team": format!("Team {n}"), "age": n})),
            _ => person(&email),
        };
        row["last_name"] = json!(["Lee", "Li", "Lo", "Ly"][usize::try_from(n % 4).unwrap()]);
        row
    };
    let rows: Vec<Value> = (0..300).map(row).collect();
    let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_line_is_a_contact_with_values_and_a_cursor() {
    with_hub(async |hub| {
        let client = hub.client().await;
        filled(&client).await;
        for query in [
            "",
            "sort[]=-email&search=example",
            "filter[last_name]=li&sort[]=last_name&sort[]=-email",
        ] {
            let all = client.get(&format!("/contacts/export?{query}")).await.expect(200);
            assert_eq!(all.header("content-type"), "application/x-ndjson");
            assert_eq!(all.header("cache-control"), "private, no-store");
            assert!(all.text.ends_with('\n'));
            let all = lines(&all);
            let mut listed = Vec::new();
            for number in 1..4 {
                let path = format!(
                    "/contacts?{query}&include=field_values&page[size]=100&page[number]={number}"
                );
                let page = client.get(&path).await.expect(200);
                listed.extend(page.data().as_array().expect("contacts").clone());
            }
            let plain: Vec<Value> = all
                .iter()
                .map(|line| {
                    let mut contact = line.clone();
                    contact.as_object_mut().expect("an object").remove("_cursor");
                    contact
                })
                .collect();
            assert_eq!(plain, listed, "{query}");
            for at in [0, 40, all.len() - 1] {
                let cursor = all[at]["_cursor"].as_str().expect("a cursor");
                let rest = exported(&client, &format!("{query}&page[after]={cursor}"), "*/*").await;
                assert_eq!(lines(&rest.expect(200)), all[at + 1..], "{query}");
            }
            let list =
                format!("/contacts?{query}&page[after]={}", all[9]["_cursor"].as_str().unwrap());
            assert_eq!(client.get(&list).await.expect(200).data()[0]["id"], all[10]["id"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn csv_has_a_column_for_each_field() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (name, kind) in [("Job Title", "string"), ("Age", "number"), ("Member", "boolean"), ("Born", "date")] {
            client.field(name, kind).await;
        }
        let empty = exported(&client, "", "text/csv").await.expect(200);
        let head = "id,email,first_name,last_name,avatar_url,created_at,updated_at,jobTitle,age,member,born\r\n";
        assert_eq!(empty.text, head);
        let values = json!({"jobTitle": "Head, \"Sales\"\nEMEA", "age": -1.50, "born": "2026-01-02", "member": true});
        let mut ann = person_with_values("ann@example.com", &values);
        ann["first_name"] = json!("=1+1");
        ann["avatar_url"] = json!("https://example.com/a");
        let ann = client.post("/contacts", &ann).await.expect(201);
        let bob = client.post("/contacts", &person("bob@example.com")).await.expect(201);
        let csv = exported(&client, "", "text/csv").await.expect(200);
        assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
        let times = |made: &Answer| {
            let of = |name: &str| made.data()[name].as_str().expect("a text").to_owned();
            (of("id"), of("created_at"), of("updated_at"))
        };
        let (id, at, then) = times(&ann);
        let first = format!("{id},ann@example.com,=1+1,Lee,https://example.com/a,{at},{then},\"Head, \"\"Sales\"\"\nEMEA\",-1.5,true,2026-01-02\r\n");
        let (id, at, then) = times(&bob);
        let second = format!("{id},bob@example.com,Ann,Lee,,{at},{then},,,,\r\n");
        assert_eq!(csv.text, format!("{head}{first}{second}"));
        let found = exported(&client, "filter[email]=bob@example.com", "text/csv").await.expect(200);
        assert_eq!(found.text, format!("{head}{second}"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_chooses_the_format() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ann = created(&client, &person("ann@example.com")).await;
        for (accept, kind) in [
            ("application/x-ndjson", "application/x-ndjson"),
            ("text/csv;q=0.5, */*;q=0.1", "text/csv; charset=utf-8"),
            ("text/html, */*;q=0.1", "application/x-ndjson"),
        ] {
            assert_eq!(
                exported(&client, "", accept).await.expect(200).header("content-type"),
                kind
            );
        }
        for accept in ["application/json", "text/html, image/*", "text/csv;q=0"] {
            exported(&client, "", accept).await.expect_error(406, "NOT_ACCEPTABLE");
        }
        for (query, path) in [
            ("filter[x]=1", "filter.x"),
            ("sort[]=x", "sort.0"),
            ("page[after]=x", "page.after"),
            ("page[number]=1", "page.number"),
            ("page[size]=1", "page.size"),
        ] {
            exported(&client, query, "*/*").await.expect_invalid(&[path]);
        }
    })
    .await;
}

/// An export that is larger than the buffers of the sockets, of which a part has arrived.
async fn begun(client: &Client) -> reqwest::Response {
    client.field("Text", "string").await;
    let values = json!({"text": "x".repeat(5000)});
    let rows: Vec<Value> =
        (0..4000).map(|n| person_with_values(&format!("p{n}@example.com"), &values)).collect();
    for part in rows.chunks(1000) {
        let _made = client.post("/contacts/bulk", &json!({"contacts": part})).await.expect(200);
    }
    let request = client.request(Method::GET, "/contacts/export");
    let mut answer = request.send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    assert_eq!(answer.headers()["transfer-encoding"], "chunked");
    answer.chunk().await.expect("it begins").expect("a chunk");
    answer
}

/// Reads the rest; the answer must break off before the last contact.
async fn breaks_off(mut answer: reqwest::Response) {
    let mut length = 0;
    let is_broken = loop {
        match answer.chunk().await {
            Ok(Some(chunk)) => length += chunk.len(),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(is_broken && length < 4000 * 5000, "{length} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_export_has_no_end_line() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let answer = begun(&client).await;
        execute(&hub.database, "ALTER TABLE contacts RENAME TO contacts_elsewhere");
        breaks_off(answer).await;
        let refused = exported(&client, "", "*/*").await;
        assert!(refused.status >= 500, "a failure before the first line is an error");
        execute(&hub.database, "ALTER TABLE contacts_elsewhere RENAME TO contacts");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_breaks_off_when_its_key_is_revoked() {
    with_hub(async |hub| {
        let answer = begun(&hub.client().await).await;
        execute(&hub.database, "UPDATE api_keys SET revoked_at = created_at");
        // A key is known for less than a second, and then the caller is checked once a second.
        tokio::time::sleep(Duration::from_secs(2)).await;
        breaks_off(answer).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_breaks_off_when_its_session_ends() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        drop(begun(&client).await);
        let request = browser.request(Method::GET, "/contacts/export.csv");
        let mut answer = request.send().await.expect("an answer");
        answer.chunk().await.expect("it begins").expect("a chunk");
        execute(&hub.database, "DELETE FROM sessions");
        tokio::time::sleep(Duration::from_secs(2)).await;
        breaks_off(answer).await;
    })
    .await;
}
