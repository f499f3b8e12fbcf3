//! `POST /contacts`: names and the URL of the avatar.

use contact_hub_tests::with_hub;
use serde_json::json;

use crate::support::{created, person, person_with, read};

#[tokio::test(flavor = "multi_thread")]
async fn unicode_white_space_and_invisible_marks_around_names_are_trimmed() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let body = json!({
            "email": "\u{200b}\u{feff} ann@example.com\r\n\u{3000}",
            "first_name": "\u{feff}\u{200b}\u{a0} Ann  Mary\t\u{2003}\u{85}",
            "last_name": "\n\u{2028}Lee\u{202f}\u{200b}",
            "avatar_url": " \u{feff}https://a.example/\u{200b} "
        });
        let id = created(&client, &body).await;
        let shown = read(&client, &id).await;
        assert_eq!(shown.data()["email"], "ann@example.com");
        assert_eq!(shown.data()["first_name"], "Ann  Mary");
        assert_eq!(shown.data()["last_name"], "Lee");
        assert_eq!(shown.data()["avatar_url"], "https://a.example/");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_have_at_most_255_code_points_after_trimming() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["first_name", "last_name"] {
            let body = person_with(name, format!(" {} ", "🎂".repeat(255)));
            let id = created(&client, &body).await;
            assert_eq!(read(&client, &id).await.data()[name], "🎂".repeat(255));
            let body = person_with(name, "x".repeat(256));
            client.post("/contacts", &body).await.expect_invalid(&[name]);
            let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_keep_every_printable_character_and_tabs() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let name =
            "Ann\tÉlodie 'O' \"Q\" \\ <b>&amp; %_ 🎂 e\u{301} אב \u{202e}x \u{fffd}\u{10ffff}";
        let mut body = person("ann@example.com");
        body["first_name"] = json!(name);
        body["last_name"] = json!("-");
        let id = created(&client, &body).await;
        let shown = read(&client, &id).await;
        assert_eq!(shown.data()["first_name"], name);
        assert_eq!(shown.data()["last_name"], "-");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_a_control_character_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["first_name", "last_name"] {
            for control in ['\u{0}', '\u{1}', '\n', '\r', '\u{1b}', '\u{7f}', '\u{80}', '\u{9f}'] {
                let body = person_with(name, format!("a{control}b"));
                client.post("/contacts", &body).await.expect_invalid(&[name]);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nul_and_unpaired_surrogates_are_invalid_in_every_string() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let whole = r#"{"email": "a@b.co", "first_name": "A", "last_name": "B",
            "avatar_url": "https://a.example/x", "field_values": {"team": "red"}}"#;
        for broken in [r"\u0000", r"\ud800", r"\udc00", r"\udc00\ud800"] {
            for (name, value) in [
                ("email", "a@b.co"),
                ("first_name", "\"A"),
                ("last_name", "\"B"),
                ("avatar_url", "/x"),
                ("field_values.team", "red"),
            ] {
                let body = whole.replacen(value, &format!("{value}{broken}"), 1);
                client.post_text("/contacts", body).await.expect_invalid(&[name]);
            }
        }
        let pair = whole.replacen("red", r"\ud83c\udf82", 1);
        let _ = client.post_text("/contacts", pair).await.expect(201);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nul_and_unpaired_surrogates_are_invalid_in_lists_of_ids_and_emails() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (path, list) in [
            ("/contacts/lookup", "ids"),
            ("/contacts/lookup", "emails"),
            ("/contacts/bulk-delete", "ids"),
        ] {
            for broken in [r"\u0000", r"a\u0000b", r"\ud800", r"\udc00\ud800"] {
                let body = format!(r#"{{"{list}": ["x", "{broken}"]}}"#);
                client.post_text(path, body).await.expect_invalid(&[&format!("{list}.1")]);
            }
            let pair = format!(r#"{{"{list}": ["\ud83c\udf82"]}}"#);
            let _ = client.post_text(path, pair).await.expect(200);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_a_string_is_invalid() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for name in ["first_name", "last_name", "avatar_url"] {
            for value in [json!(5), json!(false), json!(["A"]), json!({"a": "A"})] {
                let body = person_with(name, value);
                client.post("/contacts", &body).await.expect_invalid(&[name]);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_avatar_must_be_an_absolute_http_or_https_url() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let head = "https://a.example/";
        let longest = format!("{head}{}", "é".repeat(2048 - head.len()));
        let good = [
            "https://a.example/p.png?x=1#y",
            "HTTP://A.example",
            "http://bücher.example/ä",
            "http://[::1]:8080/",
            "https://user@a.example/",
            &longest,
        ];
        for (n, url) in good.into_iter().enumerate() {
            let mut body = person(&format!("p{n}@example.com"));
            body["avatar_url"] = json!(url);
            let created = client.post("/contacts", &body).await.expect(201);
            assert_eq!(created.data()["avatar_url"], url);
        }
        let too_long = format!("{longest}x");
        for url in [
            "a.example/p.png",
            "/p.png",
            "//a.example/p.png",
            "ftp://a.example/p.png",
            "data:image/png;base64,AAAA",
            "javascript:alert(1)",
            "http://",
            "http:///p.png",
            "https:a.example",
            "https://a b.example/",
            "https://a.example/\u{0}",
            "https://a.example/\nx",
            &too_long,
        ] {
            let mut body = person("ann@example.com");
            body["avatar_url"] = json!(url);
            client.post("/contacts", &body).await.expect_invalid(&["avatar_url"]);
        }
    })
    .await;
}
