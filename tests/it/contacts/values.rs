//! `POST /contacts`: the values of fields of every type except number.

use contact_hub_tests::{Client, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person, person_with, person_with_values, read};

const TYPES: [(&str, &str); 5] =
    [("s", "string"), ("n", "number"), ("d", "date"), ("t", "datetime"), ("b", "boolean")];

async fn client_with_fields(hub: &contact_hub_tests::TestHub) -> Client {
    let client = hub.client().await;
    for (key, kind) in TYPES {
        client.field(key, kind).await;
    }
    client
}

/// Creates a contact with one value and returns the value in the answer.
async fn returned(client: &Client, n: usize, key: &str, value: &Value) -> Value {
    let body = person_with_values(&format!("{key}{n}@example.com"), &json!({key: value}));
    let id = created(client, &body).await;
    let shown = read(client, &id).await;
    assert_eq!(shown.data()["field_values"][0]["key"], key);
    shown.data()["field_values"][0]["value"].clone()
}

async fn refused(client: &Client, key: &str, value: &Value) {
    let body = person_with_values("ann@example.com", &json!({key: value}));
    let answer = client.post("/contacts", &body).await;
    assert_eq!(answer.status, 422, "{value} for {key}: {}", answer.text);
    answer.expect_invalid(&[&format!("field_values.{key}")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_not_coerced() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        for (key, others) in [
            ("s", vec![json!(5), json!(true), json!(["a"]), json!({"a": 1})]),
            ("n", vec![json!("5"), json!(true), json!(""), json!([5]), json!({})]),
            ("b", vec![json!(1), json!(0), json!("true"), json!("false"), json!([true])]),
            ("d", vec![json!(20_260_101), json!(true), json!(["2026-01-01"]), json!({})]),
            ("t", vec![json!(1_767_225_600), json!(true), json!([]), json!({})]),
        ] {
            for other in others {
                refused(&client, key, &other).await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_string_is_stored_completely_and_untrimmed() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let texts = [
            "",
            " ",
            "  a  ",
            "\u{feff}a\u{200b}",
            "a\tb\nc\r\n\u{1}\u{7f}\u{85}",
            "\"quoted\" \\ / 'single'",
            "<script>&amp;",
            "e\u{301} ÅＡ",
            "🎂\u{10ffff}\u{fffe}",
            "null",
            "?",
            "2026-01-01",
        ];
        for (n, text) in texts.into_iter().enumerate() {
            assert_eq!(returned(&client, n, "s", &json!(text)).await, text);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_string_has_at_most_5000_code_points() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let longest = format!(" {} ", "🎂".repeat(4998));
        assert_eq!(returned(&client, 0, "s", &json!(longest)).await, json!(longest));
        refused(&client, "s", &json!(format!("{longest} "))).await;
        refused(&client, "s", &json!("x".repeat(5001))).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_boolean_is_true_or_false() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        assert_eq!(returned(&client, 0, "b", &json!(true)).await, json!(true));
        assert_eq!(returned(&client, 1, "b", &json!(false)).await, json!(false));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_is_a_real_calendar_day() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let days = ["2026-11-20", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"];
        for (n, day) in days.into_iter().enumerate() {
            assert_eq!(returned(&client, n, "d", &json!(day)).await, day);
        }
        for day in [
            "",
            "2023-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "0000-01-01",
            "10000-01-01",
            "-0001-01-01",
            "+2026-01-01",
            "2026-1-1",
            "20260101",
            "2026/01/01",
            "01-01-2026",
            "2026-W01-1",
            " 2026-01-01",
            "2026-01-01 ",
            "2026-01-01T00:00:00Z",
            "２０２６-01-01",
        ] {
            refused(&client, "d", &json!(day)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_datetime_is_returned_in_utc_with_the_submitted_fraction_digits() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        let moments = [
            ("2026-11-20T09:30:00Z", "2026-11-20T09:30:00+00:00"),
            ("2026-11-20T09:30:00+00:00", "2026-11-20T09:30:00+00:00"),
            ("2026-11-20T09:30:00-00:00", "2026-11-20T09:30:00+00:00"),
            ("2026-11-20T00:30:00+02:00", "2026-11-19T22:30:00+00:00"),
            ("2026-12-31T23:59:59-05:30", "2027-01-01T05:29:59+00:00"),
            ("2026-11-20t09:30:00z", "2026-11-20T09:30:00+00:00"),
            ("2026-11-20T09:30:00.0Z", "2026-11-20T09:30:00.0+00:00"),
            ("2026-11-20T09:30:00.120Z", "2026-11-20T09:30:00.120+00:00"),
            ("2026-11-20T09:30:00.000001+01:00", "2026-11-20T08:30:00.000001+00:00"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5+00:00"),
            ("0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.000001+00:00"),
            ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999+00:00"),
            ("2024-02-29T12:00:00Z", "2024-02-29T12:00:00+00:00"),
        ];
        for (n, (sent, shown)) in moments.into_iter().enumerate() {
            assert_eq!(returned(&client, n, "t", &json!(sent)).await, shown, "{sent}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_datetime_that_is_invalid_or_has_no_offset_is_refused() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T09:30:00",
            "2026-11-20T09:30Z",
            "2026-11-20 09:30:00Z",
            "2026-11-20T09:30:00 Z",
            "2026-11-20T09:30:00.1234567Z",
            "2026-11-20T09:30:00.Z",
            "2026-11-20T09:30:00,5Z",
            "2026-02-29T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20T09:60:00Z",
            "2016-12-31T23:59:60Z",
            "2017-01-01T00:59:60+01:00",
            "2026-11-20T09:30:61Z",
            "2026-11-20T09:30:00+0100",
            "2026-11-20T09:30:00+01",
            "2026-11-20T09:30:00+24:00",
            "2026-11-20T09:30:00+01:60",
            "0000-12-31T23:59:59Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "10000-01-01T00:00:00Z",
            "-2026-11-20T09:30:00Z",
            "20261120T093000Z",
            " 2026-11-20T09:30:00Z",
            "Fri, 20 Nov 2026 09:30:00 GMT",
        ] {
            refused(&client, "t", &json!(text)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_key_is_invalid_and_keys_are_compared_exactly() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        client.field("Job Title", "string").await;
        for key in
            ["jobtitle", "JobTitle", "Job Title", "job_title", " jobTitle", "", "a.b", "\u{0}"]
        {
            for value in [json!("x"), json!(null), json!({"a": 1})] {
                let body = person_with_values("ann@example.com", &json!({key: value}));
                let answer = client.post("/contacts", &body).await;
                answer.expect_invalid(&[&format!("field_values.{key}")]);
            }
        }
        let body = person_with_values("ann@example.com", &json!({"jobTitle": "x"}));
        created(&client, &body).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn field_values_that_are_not_an_object_are_invalid() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        for values in [json!([]), json!([{"s": "x"}]), json!("s"), json!(5), json!(false)] {
            let body = person_with("field_values", values);
            client.post("/contacts", &body).await.expect_invalid(&["field_values"]);
        }
        for values in [json!({}), json!(null)] {
            let mut body = person(&format!("{}@example.com", values.to_string().len()));
            body["field_values"] = values;
            created(&client, &body).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_accepts_a_value_for_every_field() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut values = serde_json::Map::new();
        for n in 0..60 {
            values.insert(client.field(&format!("F{n}"), "number").await, json!(n));
        }
        let body = person_with_values("ann@example.com", &Value::Object(values));
        let shown = read(&client, &created(&client, &body).await).await;
        let entries = shown.data()["field_values"].as_array().unwrap();
        let shown: Vec<&Value> = entries.iter().map(|entry| &entry["value"]).collect();
        assert_eq!(shown, (0..60).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_another_instance_has_just_created_is_known() {
    with_hub(async |hub| {
        let client = client_with_fields(hub).await;
        created(&client, &person_with_values("a@example.com", &json!({"s": "x"}))).await;
        let second = crate::support::second_hub(&hub.database);
        let url = format!("http://{}/api/public/v1/fields", second.address);
        let request = hub.http().post(url).bearer_auth(&client.made.token);
        let body = json!({"name": "Late", "type": "string"});
        let _ = contact_hub_tests::Answer::of(request.json(&body)).await.expect(201);
        let id =
            created(&client, &person_with_values("b@example.com", &json!({"late": "x"}))).await;
        assert_eq!(read(&client, &id).await.data()["field_values"][0]["key"], "late");
        second.stop().await.unwrap();
    })
    .await;
}
