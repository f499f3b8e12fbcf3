//! `POST /contacts/lookup`

use contact_hub_tests::{Client, with_hub, with_idle_hub};
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values, read, statements_of};

async fn look_up(client: &Client, body: &Value) -> (Vec<String>, Value) {
    let found = client.post("/contacts/lookup", body).await.expect(200);
    let data = found.data().as_array().expect("contacts").iter();
    let emails = data.map(|contact| contact["email"].as_str().expect("an email").to_owned());
    (emails.collect(), found.json["meta"]["missing"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn contacts_are_returned_once_and_in_the_requested_order() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let ann = person_with_values("Ann@example.com", &json!({"team": "red"}));
        let ann = created(&client, &ann).await;
        let bob = created(&client, &person("bob@exämple.de")).await;
        let gone = created(&client, &person("gone@example.com")).await;
        let _deleted = client.delete(&format!("/contacts/{gone}")).await.expect(204);
        let upper = ann.to_uppercase();
        let unknown = "01931e3a-7c00-7000-8000-0000000000ab";
        let simple = bob.replace('-', "");
        let ids = json!([bob, upper, unknown, ann, gone, "x", simple, unknown, bob, ""]);
        let (found, missing) = look_up(&client, &json!({"ids": ids})).await;
        assert_eq!(found, ["bob@exämple.de", "Ann@example.com"]);
        assert_eq!(missing, json!([unknown, gone, "x", simple, ""]));
        let emails = json!([
            "no@example.com",
            " ANN@example.COM ",
            "x",
            "Bob@xn--exmple-cua.de",
            "gone@example.com",
            "ann@example.com"
        ]);
        let (found, missing) = look_up(&client, &json!({"emails": emails, "ids": null})).await;
        assert_eq!(found, ["Ann@example.com", "bob@exämple.de"]);
        assert_eq!(missing, json!(["no@example.com", "x", "gone@example.com"]));
        let found = client.post("/contacts/lookup", &json!({"ids": [ann]})).await.expect(200);
        assert_eq!(found.data()[0], *read(&client, &ann).await.data());
        assert_eq!(found.header("cache-control"), "private, no-store");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_list_of_one_to_a_thousand_strings_is_accepted() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let many =
            |n: usize| json!((0..n).map(|n| format!("p{n}@example.com")).collect::<Vec<_>>());
        for (body, paths) in [
            (json!({}), &["emails", "ids"][..]),
            (json!({"ids": ["x"], "emails": ["x"]}), &["emails", "ids"]),
            (json!({"ids": []}), &["ids"]),
            (json!({"emails": []}), &["emails"]),
            (json!({"emails": many(1001)}), &["emails"]),
            (json!({"ids": many(1001)}), &["ids"]),
            (json!({"ids": "x"}), &["ids"]),
            (json!({"ids": ["x", 5, null]}), &["ids.1", "ids.2"]),
            (json!({"emails": [["x"]]}), &["emails.0"]),
        ] {
            client.post("/contacts/lookup", &body).await.expect_invalid(paths);
        }
        let rows: Vec<Value> = (0..999).map(|n| person(&format!("p{n}@example.com"))).collect();
        let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let (found, missing) = look_up(&client, &json!({"emails": many(1000)})).await;
        assert_eq!((found.len(), missing), (999, json!(["p999@example.com"])));
        assert!(found.iter().enumerate().all(|(n, email)| *email == format!("p{n}@example.com")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_than_sixteen_mebibytes_of_values_must_be_read_in_parts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let long = "ä".repeat(5000);
        for n in 0..20 {
            client.field(&format!("Field{n}"), "string").await;
        }
        let values: Value = (0..20).map(|n| (format!("field{n}"), json!(long))).collect();
        let emails: Vec<String> = (0..90).map(|n| format!("p{n}@example.com")).collect();
        for part in emails.chunks(45) {
            let rows: Vec<Value> =
                part.iter().map(|email| person_with_values(email, &values)).collect();
            let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        }
        client
            .post("/contacts/lookup", &json!({"emails": emails}))
            .await
            .expect_invalid(&["emails"]);
        let (found, _missing) = look_up(&client, &json!({"emails": emails[..60]})).await;
        assert_eq!(found, emails[..60]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lookup_takes_two_statements_however_many_it_finds() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let emails: Vec<String> = (0..100).map(|n| format!("p{n}@example.com")).collect();
        let rows: Vec<Value> = emails.iter().map(|email| person(email)).collect();
        let _made = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let call = async || {
            let _found = look_up(&client, &json!({"emails": emails})).await;
        };
        assert_eq!(statements_of(hub, call).await, 2);
    })
    .await;
}
