//! `POST /contacts/bulk`

use contact_hub_tests::{CompanyOptions, with_hub, with_idle_hub};
use serde_json::json;

use crate::support::statements_of;

#[tokio::test(flavor = "multi_thread")]
async fn valid_rows_are_written_even_if_others_fail() {
    with_hub(async |hub| {
        let client = hub.client_of(&CompanyOptions { allowed_domains: vec!["ok.example"], ..CompanyOptions::default() }).await;
        client.field("Age", "number").await;
        let body = json!({"contacts": [
            {"email": "a@ok.example", "first_name": "A", "last_name": "A", "field_values": {"age": 1}},
            7,
            {"email": 5, "first_name": "A", "last_name": "A"},
            {"email": "b@no.example", "first_name": "A", "last_name": "A"},
            {"email": "c@ok.example", "first_name": "A", "last_name": "A", "field_values": {"age": "1", "x": 1}},
            {"email": "A@ok.example", "first_name": "B", "last_name": "A", "avatar_url": "https://a.example/x"},
        ]});
        let answer = client.post("/contacts/bulk", &body).await.expect(200);
        let data = answer.data();
        assert_eq!((&data["created"], &data["updated"], &data["failed"]), (&json!(1), &json!(1), &json!(4)));
        let shown: Vec<_> = data["errors"].as_array().expect("errors").iter().map(|error| {
            let fields: Vec<&String> = error["details"].as_object().expect("details").keys().collect();
            (error["index"].clone(), error["email"].clone(), format!("{fields:?}"))
        }).collect();
        assert_eq!(shown, [
            (json!(1), json!(null), r#"["contact"]"#.to_owned()),
            (json!(2), json!(null), r#"["email"]"#.to_owned()),
            (json!(3), json!("b@no.example"), r#"["email"]"#.to_owned()),
            (json!(4), json!("c@ok.example"), r#"["field_values.age", "field_values.x"]"#.to_owned()),
        ]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_only_sets_what_the_row_contains() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        client.field("Age", "number").await;
        let row = |more: serde_json::Value| {
            let mut row = json!({"email": "a@x.example", "first_name": "A", "last_name": "B"});
            row.as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("an object").clone());
            json!({"contacts": [row]})
        };
        let first = row(
            json!({"avatar_url": "https://a.example/x", "field_values": {"team": "red", "age": 1}}),
        );
        let _created = client.post("/contacts/bulk", &first).await.expect(200);
        let detail = async || {
            let list = client.get("/contacts").await.expect(200);
            let id = list.data()[0]["id"].as_str().expect("an id").to_owned();
            client.get(&format!("/contacts/{id}")).await.expect(200)
        };
        let _updated = client
            .post("/contacts/bulk", &row(json!({"field_values": {"age": null}})))
            .await
            .expect(200);
        let after = detail().await;
        assert_eq!(after.data()["avatar_url"], "https://a.example/x");
        assert_eq!(after.data()["field_values"].as_array().expect("values").len(), 1);
        let _cleared =
            client.post("/contacts/bulk", &row(json!({"avatar_url": null}))).await.expect(200);
        assert_eq!(detail().await.data()["avatar_url"], json!(null));
        let tag = detail().await.header("etag").to_owned();
        let same = client.post("/contacts/bulk", &row(json!({}))).await.expect(200);
        assert_eq!(same.data()["updated"], 1);
        assert_eq!(detail().await.header("etag"), tag, "a row that changes nothing moves nothing");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_to_a_thousand_rows_take_the_same_number_of_statements() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        client.field("Age", "number").await;
        for body in [json!({}), json!({"contacts": {}}), json!({"contacts": []}), json!({"contacts": vec![1; 1001]})] {
            client.post("/contacts/bulk", &body).await.expect_invalid(&["contacts"]);
        }
        let rows = |from: usize, count: usize| -> serde_json::Value {
            let rows: Vec<_> = (from..from + count).map(|n| json!({
                "email": format!("n{n}@example.com"), "first_name": "A", "last_name": "B", "field_values": {"age": n},
            })).collect();
            json!({"contacts": rows})
        };
        let mut written = 0;
        let mut bulk = async |count: usize| {
            let _answer = client.post("/contacts/bulk", &rows(written, count)).await.expect(200);
            written += count;
        };
        let few = statements_of(hub, async || bulk(1).await).await;
        let many = statements_of(hub, async || bulk(1000).await).await;
        // BEGIN, lock, insert, counts, entries of the feed and of the audit, COMMIT; and on a slow machine the key and
        // the fields again, which are cached for a second. SQLite inserts 250 rows with one statement.
        let more = if hub.database.is_postgres() { 0 } else { 3 };
        assert!(few <= 9 && many <= 9 + more, "{few} and {many}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bulks_in_opposite_order_do_not_deadlock() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let rows: Vec<_> = (0..60).map(|n| json!({
            "email": format!("n{n}@example.com"), "first_name": "A", "last_name": "B", "field_values": {"team": format!("{}", n % 5)},
        })).collect();
        let bulks = (0..12).map(|turn| {
            let (client, mut rows) = (client.clone(), rows.clone());
            if turn % 2 == 0 {
                rows.reverse();
            }
            tokio::spawn(async move { client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200) })
        });
        let mut created = 0;
        for bulk in bulks.collect::<Vec<_>>() {
            created += bulk.await.expect("it ends").data()["created"].as_u64().expect("a number");
        }
        assert_eq!(created, 60);
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 60);
    })
    .await;
}
