//! `GET` and `PUT /contacts/{id}/field-values`, and `GET /fields/{id}/values`

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::{Map, Value, json};

async fn contact(client: &Client, email: &str, values: Value) -> String {
    let body = json!({"email": email, "first_name": "A", "last_name": "B", "field_values": values});
    let answer = client.post("/contacts", &body).await.expect(201);
    format!("/contacts/{}", answer.data()["id"].as_str().expect("an id"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_removes_what_it_does_not_name() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        client.field("Age", "number").await;
        let path = contact(&client, "a@x.example", json!({"team": "red"})).await;
        let values = format!("{path}/field-values");
        let replaced = client
            .put(&values, &json!({"field_values": {"age": 5, "team": null}}))
            .await
            .expect(200);
        assert_eq!(replaced.data().as_array().expect("values").len(), 1);
        let read = client.get(&values).await.expect(200);
        assert_eq!(read.data(), replaced.data());
        assert_eq!(client.get(&path).await.expect(200).data()["field_values"], *replaced.data());
        let same = client.put(&values, &json!({"field_values": {"age": 5.0}})).await.expect(200);
        assert_eq!(same.header("etag"), replaced.header("etag"), "an equal value changes nothing");
        let unseen = Answer::of(
            client.request(Method::GET, &values).header("If-None-Match", same.header("etag")),
        )
        .await;
        assert_eq!((unseen.status, unseen.text.as_str()), (304, ""));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_one_to_twenty_entries_of_known_fields() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let values = format!("{}/field-values", contact(&client, "a@x.example", json!({})).await);
        let many: Map<String, Value> = (0..21).map(|n| (format!("k{n}"), json!(1))).collect();
        for body in [
            json!({}),
            json!({"field_values": {}}),
            json!({"field_values": []}),
            json!({"field_values": many}),
        ] {
            client.put(&values, &body).await.expect_invalid(&["field_values"]);
        }
        client
            .put(&values, &json!({"field_values": {"team": 5, "x": 1}}))
            .await
            .expect_invalid(&["field_values.team", "field_values.x"]);
        let unknown = "/contacts/01931e3a-7c00-7000-8000-0000000000ab/field-values";
        client.get(unknown).await.expect_error(404, "CONTACT_NOT_FOUND");
        client
            .put(unknown, &json!({"field_values": {"team": "x"}}))
            .await
            .expect_error(404, "CONTACT_NOT_FOUND");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_entries_are_accepted_and_a_null_one_counts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for n in 0..21 {
            client.field(&format!("F{n}"), "number").await;
        }
        let path = contact(&client, "a@x.example", json!({"f0": 1, "f20": 2})).await;
        let values = format!("{path}/field-values");
        let entries = |count: usize, value: Value| {
            let entries: Map<String, Value> =
                (0..count).map(|n| (format!("f{n}"), value.clone())).collect();
            json!({"field_values": entries})
        };
        for value in [json!(7), Value::Null] {
            let refused = client.put(&values, &entries(21, value)).await;
            refused.expect_invalid(&["field_values"]);
        }
        let twenty = client.put(&values, &entries(20, json!(7))).await.expect(200);
        assert_eq!(twenty.data().as_array().expect("values").len(), 20);
        let none = client.put(&values, &entries(20, Value::Null)).await.expect(200);
        assert_eq!(none.json, json!({"data": []}));
        let one_null =
            client.put(&values, &json!({"field_values": {"f3": null}})).await.expect(200);
        assert_eq!(one_null.json, json!({"data": []}));
        assert_eq!(client.get(&values).await.expect(200).json, json!({"data": []}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_has_the_entries_in_field_order_like_the_contact() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["Zeta", "Alpha", "Mid", "Beta"] {
            client.field(name, "string").await;
        }
        let path = contact(&client, "a@x.example", json!({"mid": "old", "beta": "old"})).await;
        let body = json!({"field_values": {"alpha": "1", "beta": "2", "zeta": " 3 "}});
        let replaced = client.put(&format!("{path}/field-values"), &body).await.expect(200);
        let pairs: Vec<(&str, &str)> = replaced
            .data()
            .as_array()
            .expect("values")
            .iter()
            .map(|it| (it["key"].as_str().expect("a key"), it["value"].as_str().expect("text")))
            .collect();
        assert_eq!(pairs, [("zeta", " 3 "), ("alpha", "1"), ("beta", "2")]);
        let entry = replaced.data()[0].as_object().expect("an entry");
        let mut members: Vec<&String> = entry.keys().collect();
        members.sort();
        assert_eq!(members, ["field_id", "key", "name", "type", "value"]);
        assert_eq!(client.get(&path).await.expect(200).data()["field_values"], *replaced.data());
        let number = "{\"field_values\": {\"alpha\": 5}}";
        let request = client.request(Method::PUT, &format!("{path}/field-values"));
        let refused =
            Answer::of(request.header("Content-Type", "application/json").body(number)).await;
        refused.expect_invalid(&["field_values.alpha"]);
        let kept = client.get(&format!("{path}/field-values")).await.expect(200);
        assert_eq!(kept.json, replaced.json, "a refused replacement changes nothing");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_in_use_are_distinct_and_in_the_order_of_their_type() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut ids = Vec::new();
        for (name, kind) in [("N", "number"), ("S", "string"), ("B", "boolean"), ("T", "datetime")]
        {
            let body = json!({"name": name, "type": kind});
            let field = client.post("/fields", &body).await.expect(201);
            ids.push(field.data()["id"].as_str().expect("an id").to_owned());
        }
        for (n, (number, text, flag)) in
            [(10, "b", true), (9, "B", false), (-1, "a", true)].into_iter().enumerate()
        {
            let moment = format!("2026-01-01T0{n}:00:00+0{n}:00");
            contact(
                &client,
                &format!("n{n}@x.example"),
                json!({"n": number, "s": text, "b": flag, "t": moment}),
            )
            .await;
        }
        let gone = contact(&client, "gone@x.example", json!({"n": 77, "s": "zz"})).await;
        let _deleted = client.delete(&gone).await.expect(204);
        let values = async |field: usize, query: &str| {
            client.get(&format!("/fields/{}/values?{query}", ids[field])).await.expect(200)
        };
        assert_eq!(*values(0, "").await.data(), json!([-1, 9, 10]));
        assert_eq!(*values(1, "").await.data(), json!(["a", "B", "b"]));
        assert_eq!(*values(2, "").await.data(), json!([false, true]));
        assert_eq!(*values(3, "").await.data(), json!(["2026-01-01T00:00:00+00:00"]));
        let page = values(0, "sort[]=-value&page[size]=2&page[number]=2").await;
        assert_eq!((page.data(), &page.json["meta"]["total"]), (&json!([-1]), &json!(3)));
        client
            .get(&format!("/fields/{}/values?sort[]=name", ids[0]))
            .await
            .expect_invalid(&["sort.0"]);
        client.get("/fields/none/values").await.expect_error(404, "FIELD_NOT_FOUND");
        let other = hub.client().await;
        other.get(&format!("/fields/{}/values", ids[0])).await.expect_error(404, "FIELD_NOT_FOUND");
    })
    .await;
}
