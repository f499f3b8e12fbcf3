//! `GET /fields/{id}/values`

use contact_hub_tests::{Answer, Client, with_hub};
use serde_json::{Value, json};

use crate::support::{Members, created, person_with_values};

async fn field(client: &Client, name: &str, kind: &str) -> String {
    let body = json!({"name": name, "type": kind});
    let field = client.post("/fields", &body).await.expect(201);
    format!("/fields/{}/values", field.data()["id"].as_str().unwrap())
}

/// Creates one contact for each value of the field with the key `x`, the values being JSON texts.
async fn with_values(client: &Client, values: &[&str]) {
    let rows = values.iter().enumerate().map(|(n, value)| {
        format!(
            "{{\"email\": \"p{n}@example.com\", \"first_name\": \"A\", \"last_name\": \"B\", \"field_values\": {{\"x\": {value}}}}}"
        )
    });
    let rows = rows.collect::<Vec<_>>().join(",");
    let answer = client.post_text("/contacts/bulk", format!("{{\"contacts\": [{rows}]}}")).await;
    assert_eq!(answer.expect(200).data()["created"], values.len());
}

/// The values in their spelling in the answer.
fn spelled(answer: &Answer) -> Vec<String> {
    let root: Members = serde_json::from_str(&answer.text).expect("an object");
    let values: Vec<&serde_json::value::RawValue> =
        serde_json::from_str(root["data"].get()).expect("values");
    values.into_iter().map(|value| value.get().to_owned()).collect()
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn values_are_in_ascending_order_of_their_type() {
    let long = "1234567890".repeat(100);
    let tables: [(&str, &[&str], &[&str]); 5] = [
        (
            "number",
            &[
                "10",
                "9",
                "-1",
                "1e3",
                "0.5",
                &long,
                "-1e400",
                "9007199254740993",
                "9007199254740992",
                "1e-400",
                "0",
                "-0.5",
            ],
            &[
                "-1e400",
                "-1",
                "-0.5",
                "0",
                "1e-400",
                "0.5",
                "9",
                "10",
                "1e3",
                "9007199254740992",
                "9007199254740993",
                &long,
            ],
        ),
        ("boolean", &["true", "false", "true"], &["false", "true"]),
        (
            "date",
            &["\"2026-01-10\"", "\"2026-01-09\"", "\"0001-01-01\"", "\"9999-12-31\""],
            &["\"0001-01-01\"", "\"2026-01-09\"", "\"2026-01-10\"", "\"9999-12-31\""],
        ),
        (
            "datetime",
            &[
                "\"2026-01-01T00:00:00.5Z\"",
                "\"2026-01-01T03:00:00+04:00\"",
                "\"0001-01-01T00:00:00Z\"",
                "\"2026-01-01T00:00:00Z\"",
            ],
            &[
                "\"0001-01-01T00:00:00+00:00\"",
                "\"2025-12-31T23:00:00+00:00\"",
                "\"2026-01-01T00:00:00+00:00\"",
                "\"2026-01-01T00:00:00.5+00:00\"",
            ],
        ),
        (
            "string",
            &[
                "\"b\"", "\"B\"", "\"\"", "\"a b\"", "\"ab\"", "\"É\"", "\"z\"", "\" a\"",
                "\"10\"", "\"9\"", "\"a\"",
            ],
            &[
                "\"\"", "\" a\"", "\"10\"", "\"9\"", "\"a\"", "\"a b\"", "\"ab\"", "\"B\"",
                "\"b\"", "\"z\"", "\"É\"",
            ],
        ),
    ];
    with_hub(async |hub| {
        for (kind, sent, expected) in tables {
            let client = hub.client().await;
            let path = field(&client, "X", kind).await;
            with_values(&client, sent).await;
            let listed = client.get(&path).await.expect(200);
            assert_eq!(spelled(&listed), expected, "{kind}");
            // Some of these numbers are too large for a JSON library.
            let total = format!("\"total\":{}", expected.len());
            assert!(listed.text.contains(&total), "{kind}: {}", listed.text);
            for sort in ["sort[]=value", "sort=value", "sort[0]=value"] {
                let again = client.get(&format!("{path}?{sort}")).await.expect(200);
                assert_eq!(spelled(&again), expected, "{kind} {sort}");
            }
            let turned = client.get(&format!("{path}?sort[]=-value")).await.expect(200);
            let mut turned = spelled(&turned);
            turned.reverse();
            assert_eq!(turned, expected, "{kind}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_numbers_and_times_are_one_value_and_texts_differ_by_spelling() {
    with_hub(async |hub| {
        for (kind, sent, count) in [
            ("number", &["5", "5.0", "0.5e1", "50E-1", "6", "-0", "0", "0e9"][..], 3),
            (
                "datetime",
                &[
                    "\"2026-01-01T00:00:00Z\"",
                    "\"2026-01-01T01:00:00.000+01:00\"",
                    "\"2025-12-31T23:00:00-01:00\"",
                ],
                1,
            ),
            (
                "string",
                &["\"red\"", "\"Red\"", "\"red \"", "\"r\\u00e9d\"", "\"re\\u0301d\"", "\"red\""],
                5,
            ),
        ] {
            let client = hub.client().await;
            let path = field(&client, "X", kind).await;
            with_values(&client, sent).await;
            let listed = client.get(&path).await.expect(200);
            assert_eq!(spelled(&listed).len(), count, "{}", listed.text);
            assert_eq!(listed.json["meta"]["total"], count);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_is_listed_as_long_as_an_active_contact_has_it() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = field(&client, "X", "string").await;
        let listed = async || client.get(&path).await.expect(200).data().clone();
        assert_eq!(listed().await, json!([]));
        let ann =
            created(&client, &person_with_values("ann@example.com", &json!({"x": "red"}))).await;
        let bob =
            created(&client, &person_with_values("bob@example.com", &json!({"x": "red"}))).await;
        assert_eq!(listed().await, json!(["red"]));
        let _one = client.delete(&format!("/contacts/{ann}")).await.expect(204);
        assert_eq!(listed().await, json!(["red"]));
        let values = format!("/contacts/{bob}/field-values");
        let _other = client.put(&values, &json!({"field_values": {"x": "blue"}})).await.expect(200);
        assert_eq!(listed().await, json!(["blue"]));
        let restored = person_with_values("ann@example.com", &json!({}));
        assert_eq!(created(&client, &restored).await, ann);
        assert_eq!(listed().await, json!(["blue", "red"]));
        let row = |value: Value| {
            let row = person_with_values("ann@example.com", &json!({"x": value}));
            json!({"contacts": [row]})
        };
        let _cleared = client.post("/contacts/bulk", &row(Value::Null)).await.expect(200);
        assert_eq!(listed().await, json!(["blue"]));
        let _set = client.post("/contacts/bulk", &row(json!("green"))).await.expect(200);
        assert_eq!(listed().await, json!(["blue", "green"]));
        let ids = json!({"ids": [ann, bob]});
        let _gone = client.delete_with("/contacts/bulk", &ids).await.expect(200);
        assert_eq!(listed().await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_values_work_like_pages_of_contacts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = field(&client, "X", "number").await;
        let numbers: Vec<String> = (0..60).map(|n| n.to_string()).collect();
        with_values(&client, &numbers.iter().map(String::as_str).collect::<Vec<_>>()).await;
        for (query, first, count, meta) in [
            ("", 0, 25, [1, 25, 60, 3, 1, 25]),
            ("page[number]=3", 50, 10, [3, 25, 60, 3, 51, 60]),
            ("page[size]=100", 0, 60, [1, 100, 60, 1, 1, 60]),
            ("page%5Bsize%5D=7&page%5Bnumber%5D=2", 7, 7, [2, 7, 60, 9, 8, 14]),
            ("page[number]=4", 0, 0, [4, 25, 60, 3, 0, 0]),
            ("filters[x]=y&search=5&unknown=1", 0, 25, [1, 25, 60, 3, 1, 25]),
        ] {
            let page = client.get(&format!("{path}?{query}")).await.expect(200);
            assert_eq!(
                *page.data(),
                json!((first..first + count).collect::<Vec<i32>>()),
                "{query}"
            );
            let names = ["current_page", "per_page", "total", "last_page", "from", "to"];
            let shown: Vec<i64> =
                names.iter().map(|name| page.json["meta"][name].as_i64().unwrap()).collect();
            assert_eq!(shown, meta, "{query}");
            assert_eq!(page.json["meta"].as_object().unwrap().len(), 6);
        }
        for (query, fields) in [
            ("page[size]=101", &["page.size"][..]),
            ("page[size]=0&page[number]=0", &["page.number", "page.size"]),
            ("page=1", &["page"]),
            ("page[x]=1", &["page.x"]),
            ("sort[]=values", &["sort.0"]),
            ("sort[]=value&sort[]=-value", &["sort", "sort.1"]),
        ] {
            client.get(&format!("{path}?{query}")).await.expect_invalid(fields);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_or_malformed_id_is_an_unknown_field() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = field(&client, "X", "number").await;
        let id = path.split('/').nth(2).unwrap();
        let _known = client.get(&path.replace(id, &id.to_uppercase())).await.expect(200);
        for other in
            ["01931e3a-7c00-7000-8000-000000000000", "x", "%00", "1", &id.replace('-', ""), "%ff"]
        {
            let answer = client.get(&format!("/fields/{other}/values")).await;
            answer.expect_error(404, "FIELD_NOT_FOUND");
        }
    })
    .await;
}
