//! `POST /contacts`: which emails are valid, and when two of them are the same.

use contact_hub_tests::with_hub;
use serde_json::json;

use crate::support::{created, person, person_with, read};

#[tokio::test(flavor = "multi_thread")]
async fn accepts_what_html_accepts_with_a_dot_in_the_domain() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let longest_local = format!("{}@b.example", "x".repeat(244));
        let longest_label = format!("a@{}.example", "x".repeat(63));
        for email in [
            "a@b.co",
            "ann.o'hara+tag@mail.example",
            "..a..@b.co",
            ".a@b-c.d",
            "!#$%&'*+/=?^_`{|}~-@b.co",
            "a@1.2",
            "a@123.45.67.89",
            "a@b--c.co",
            "r3---x@r3---sn.example",
            "a@xn--zz.example",
            "a@xn--a.example",
            "A@B.CO.UK",
            &longest_local,
            &longest_label,
        ] {
            let created = client.post("/contacts", &person(email)).await.expect(201);
            assert_eq!(created.data()["email"], email);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_international_addresses_and_returns_them_as_submitted() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for email in [
            "a@exämple.de",
            "Ünï@EXÄMPLE.org",
            "a@例え.テスト",
            "b@例え。テスト",
            "почта@пример.рф",
            "a@straße.de",
            "a@bücher.例え.com",
        ] {
            let id = created(&client, &person(email)).await;
            assert_eq!(read(&client, &id).await.data()["email"], email);
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn rejects_everything_else() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let long_label = format!("a@{}.de", "x".repeat(64));
        let too_long = format!("{}@b.example", "x".repeat(245));
        for email in [
            "a",
            "@",
            "@b.co",
            "a@",
            "a@b",
            "a@localhost",
            "a@b.co.",
            "a@.co",
            "a@b..co",
            "a b@c.de",
            "a@b c.de",
            "a@@b.co",
            "a@b@c.de",
            "Ann <a@b.co>",
            "<a@b.co>",
            "a(x)@b.co",
            "a@b.co (x)",
            "\"a\"@b.co",
            "\"a b\"@b.co",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@-b.co",
            "a@b-.co",
            "a@b_c.co",
            "a@b,c.de",
            "a,b@c.de",
            "a;b@c.de",
            "a@b.co,c@d.co",
            "mailto:a@b.co",
            "a@b.co\u{0}",
            "a\u{0}@b.co",
            "a\u{7f}@b.co",
            "a\nb@c.de",
            "a\u{200b}b@c.de",
            "a@b%2e.co",
            &long_label,
            &too_long,
        ] {
            client.post("/contacts", &person(email)).await.expect_invalid(&["email"]);
        }
        for email in [json!(5), json!(true), json!(["a@b.co"]), json!({"email": "a@b.co"})] {
            let body = person_with("email", email);
            client.post("/contacts", &body).await.expect_invalid(&["email"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_has_at_most_254_characters_after_trimming() {
    with_hub(async |hub| {
        let client = hub.client().await;
        // A local part of two-byte characters: 254 code points, not bytes.
        let longest = format!("{}@b.example", "é".repeat(244));
        let padded = format!("\u{feff}\u{200b} {longest} \n");
        let created = client.post("/contacts", &person(&padded)).await.expect(201);
        assert_eq!(created.data()["email"], longest);
        let too_long = person(&format!("é{longest}"));
        client.post("/contacts", &too_long).await.expect_invalid(&["email"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_spellings_of_the_same_identity_are_one_contact() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for (one, others) in [
            ("Ann@Example.com", &["ann@example.com", " ANN@EXAMPLE.COM "][..]),
            ("a@exämple.de", &["A@EXÄMPLE.DE", "a@xn--exmple-cua.de", "a@XN--EXMPLE-CUA.de"]),
            ("a@exa\u{308}mple.org", &["a@exämple.org", "a@xn--exmple-cua.org"]),
            ("zo\u{e9}@b.co", &["zoe\u{301}@b.co", "ZO\u{c9}@b.co", "ZOE\u{301}@B.CO"]),
            ("ΟΔΟΣ@b.co", &["οδος@b.co", "οδοσ@b.co"]),
            ("a@例え。テスト", &["a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"]),
            ("a@straße.de", &["a@xn--strae-oqa.de", "A@Straße.DE"]),
        ] {
            let id = created(&client, &person(one)).await;
            for other in others {
                let answer = client.post("/contacts", &person(other)).await;
                let answer = answer.expect_error(409, "CONTACT_ALREADY_EXISTS");
                let message = answer.json["error"]["message"].as_str().unwrap();
                assert!(message.contains(&id), "{message}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn different_identities_are_different_contacts() {
    with_hub(async |hub| {
        let client = hub.client().await;
        for email in [
            "ann@b.co",
            "a.nn@b.co",
            "ann+x@b.co",
            "ánn@b.co",
            "ann@c.co",
            "ann@www.b.co",
            "a@strasse.de",
            "a@straße.de",
        ] {
            let _ = client.post("/contacts", &person(email)).await.expect(201);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_create_changes_nothing() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let before = read(&client, &id).await.json;
        hub.clock.advance(10);
        let body = json!({"email": "ANN@example.com", "first_name": "Other", "last_name": "Name"});
        let _ = client.post("/contacts", &body).await.expect(409);
        assert_eq!(read(&client, &id).await.json, before);
    })
    .await;
}
