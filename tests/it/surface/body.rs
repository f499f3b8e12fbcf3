//! Which bodies are accepted.

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use serde_json::json;

use crate::support::{person, person_with_values};

const LIMIT: usize = 1 << 20;

async fn post(client: &Client, kind: Option<&str>, body: impl Into<reqwest::Body>) -> Answer {
    let mut request = client.request(Method::POST, "/contacts").body(body);
    if let Some(kind) = kind {
        request =
            request.header(CONTENT_TYPE, HeaderValue::from_bytes(kind.as_bytes()).expect(kind));
    }
    Answer::of(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn json_in_utf_8_is_accepted_under_each_of_its_media_types() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (n, kind) in [
            Some("application/json"),
            Some("application/json; charset=utf-8"),
            Some("Application/JSON;charset=\"UTF-8\""),
            Some("application/json ; charset=UTF-8"),
            Some("application/json; profile=x"),
            Some("application/vnd.api+json"),
            Some("application/problem+json; charset=utf-8"),
            None,
        ]
        .into_iter()
        .enumerate()
        {
            let body = person(&format!("p{n}@example.com")).to_string();
            let _ = post(&client, kind, body).await.expect(201);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_content_type_is_415() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for kind in [
            "",
            "json",
            "text/json",
            "text/plain",
            "application/xml",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/jsonp",
            "application/json+xml",
            "application/octet-stream",
            "+json",
            "application/json; charset=latin1",
            "application/json; charset=utf-16",
            "application/json, text/plain",
            "application/js\u{fc}n",
        ] {
            let answer = post(&client, Some(kind), person("ann@example.com").to_string()).await;
            assert_eq!(answer.status, 415, "{kind}");
            let _ = answer.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encoded_body_is_415() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for encoding in ["gzip", "deflate", "br", "zstd", "gzip, identity"] {
            let request =
                client.request(Method::POST, "/contacts").header(CONTENT_ENCODING, encoding);
            let answer = Answer::of(request.json(&person("ann@example.com"))).await;
            let _ = answer.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
        }
        let request =
            client.request(Method::POST, "/contacts").header(CONTENT_ENCODING, "identity");
        let _ = Answer::of(request.json(&person("ann@example.com"))).await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark_is_skipped() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = format!("\u{feff}{}", person("ann@example.com"));
        let _ = post(&client, Some("application/json"), body).await.expect(201);
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_a_json_object_is_reported_under_the_key_body() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for body in [
            "",
            " ",
            "\u{feff}",
            "nul",
            "null",
            "true",
            "5",
            "\"{}\"",
            "[]",
            "[{}]",
            "{",
            "}",
            "{}{}",
            "{}x",
            "{\"a\":}",
            "{\"a\":1,}",
            "{'a':1}",
            "{a:1}",
            "{\"a\":01}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}",
            "// {}",
            "{\"a\":NaN}",
            "email=a@b.co",
        ] {
            let answer = post(&client, Some("application/json"), body).await;
            assert_eq!(answer.status, 422, "{body}");
            answer.expect_invalid(&["body"]);
        }
        let not_utf8 = [
            b"{\"email\": \"a\xff@b.co\"}".as_slice(),
            b"\xff\xfe{\0}\0",
            b"{\"\xed\xa0\x80\": 1}",
            b"\xc3",
        ];
        for body in not_utf8 {
            let answer = post(&client, Some("application/json"), body).await;
            answer.expect_invalid(&["body"]);
        }
        post(&client, None, "").await.expect_invalid(&["body"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_at_most_one_mebibyte() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let padded = |email: &str, length: usize| {
            let body = person(email).to_string();
            format!("{body}{}", " ".repeat(length - body.len()))
        };
        for (n, length) in [LIMIT - 1, LIMIT].into_iter().enumerate() {
            let body = padded(&format!("p{n}@example.com"), length);
            let _ = post(&client, Some("application/json"), body).await.expect(201);
        }
        for length in [LIMIT + 1, LIMIT + 70_000] {
            let answer =
                post(&client, Some("application/json"), padded("ann@example.com", length)).await;
            let _ = answer.expect_error(413, "PAYLOAD_TOO_LARGE");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_far_too_large_gets_413_without_a_connection_reset() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for _ in 0..5 {
            let body = vec![b' '; 12 * LIMIT];
            let answer = post(&client, Some("application/json"), body).await;
            let _ = answer.expect_error(413, "PAYLOAD_TOO_LARGE");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_nests_at_most_64_levels_deep() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let nested = |n: usize, levels: usize| {
            let inside = levels - 1;
            let mut body = person(&format!("p{n}@example.com")).to_string();
            body.pop();
            format!("{body}, \"x\": {}1{}}}", "[".repeat(inside), "]".repeat(inside))
        };
        let _ = post(&client, None, nested(0, 64)).await.expect(201);
        post(&client, None, nested(1, 65)).await.expect_invalid(&["body"]);
        post(&client, None, nested(2, 100_000)).await.expect_invalid(&["body"]);
        post(&client, None, "[".repeat(LIMIT)).await.expect_invalid(&["body"]);
        let mut brackets = person("ann@example.com");
        brackets["last_name"] = json!("[".repeat(200));
        brackets["first_name"] = json!("\"\\[[{{");
        let _ = client.post("/contacts", &brackets).await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_name_at_most_a_hundred_fields_and_count_the_rest() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let values = |count: usize| {
            let entries = (0..count).map(|n| (format!("unknown{n}"), json!(n)));
            let values = serde_json::Value::Object(entries.collect());
            person_with_values("ann@example.com", &values)
        };
        for (count, named, rest) in [(100, 100, None), (137, 100, Some("37"))] {
            let answer = client.post("/contacts", &values(count)).await.expect(422);
            let error = &answer.json["errors"][0];
            assert_eq!(error["meta"].as_object().unwrap().len(), named);
            if let Some(rest) = rest {
                assert!(error["details"].as_str().unwrap().contains(rest), "{error}");
            }
        }
    })
    .await;
}
