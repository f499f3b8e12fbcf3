//! Versions of a contact and of its values: `ETag`, `If-None-Match`, `If-Match`.

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::json;

use crate::support::{created, person, person_with_values};

async fn ask(
    client: &Client,
    method: Method,
    path: &str,
    condition: (&'static str, &str),
) -> Answer {
    let request = client.request(method.clone(), path).header(condition.0, condition.1);
    let body = json!({"field_values": {"team": "red"}});
    let has_body = [Method::PUT, Method::PATCH].contains(&method);
    Answer::of(if has_body { request.json(&body) } else { request }).await
}

async fn contact(client: &Client) -> String {
    client.field("Team", "string").await;
    let body = person_with_values("ann@example.com", &json!({"team": "blue"}));
    format!("/contacts/{}", created(client, &body).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_and_its_values_have_a_strong_etag_that_changes_with_them() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let made = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        let path = format!("/contacts/{}", made.data()["id"].as_str().unwrap());
        let values = format!("{path}/field-values");
        let tag = made.header("etag").to_owned();
        assert!(tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'), "{tag}");
        for path in [&path, &values] {
            assert_eq!(client.get(path).await.expect(200).header("etag"), tag);
        }
        let body = json!({"field_values": {"team": "red"}});
        let changed = client.put(&values, &body).await.expect(200).header("etag").to_owned();
        assert_ne!(changed, tag);
        for path in [&path, &values] {
            assert_eq!(client.get(path).await.expect(200).header("etag"), changed);
        }
        let bulk = json!({"contacts": [{"email": "ann@example.com", "first_name": "New", "last_name": "Lee"}]});
        let _updated = client.post("/contacts/bulk", &bulk).await.expect(200);
        let updated = client.get(&path).await.expect(200).header("etag").to_owned();
        assert_ne!(updated, changed);
        let _deleted = client.delete(&path).await.expect(204);
        let restored = client.post("/contacts", &person("ann@example.com")).await.expect(201);
        assert!(![tag, changed, updated].contains(&restored.header("etag").to_owned()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matching_etag_is_answered_with_304() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = contact(&client).await;
        for path in [path.clone(), format!("{path}/field-values")] {
            let tag = client.get(&path).await.expect(200).header("etag").to_owned();
            let known = [
                tag.clone(),
                format!("W/{tag}"),
                "*".to_owned(),
                format!("\"x\", {tag}"),
                format!("{tag},\"y\""),
                format!("\"a,b\" ,  W/{tag}  , \"y\""),
            ];
            for known in known {
                for method in [Method::GET, Method::HEAD] {
                    let seen = ask(&client, method, &path, ("If-None-Match", &known)).await;
                    let seen = seen.expect(304);
                    assert_eq!((seen.text.as_str(), seen.header("etag")), ("", tag.as_str()));
                    assert_eq!(seen.header("cache-control"), "private, no-store");
                    assert!(seen.headers.get("content-type").is_none(), "{known}");
                }
            }
            for other in
                ["\"x\"", "W/\"x\"", "", "x", tag.trim_matches('"'), "\"*\"", "\"x\", \"y\""]
            {
                let unseen = ask(&client, Method::GET, &path, ("If-None-Match", other)).await;
                assert!(
                    unseen.expect(200).data().is_object() || path.ends_with("values"),
                    "{other}"
                );
            }
            let request = client.request(Method::GET, &path).header("If-None-Match", "\"x\"");
            let _two_lines = Answer::of(request.header("If-None-Match", &tag)).await.expect(304);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_weak_or_foreign_etag_prevents_changes() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = contact(&client).await;
        let values = format!("{path}/field-values");
        let stale = client.get(&path).await.expect(200).header("etag").to_owned();
        let body = json!({"field_values": {"team": "green"}});
        let now = client.put(&values, &body).await.expect(200).header("etag").to_owned();
        let others = [
            stale.clone(),
            format!("W/{now}"),
            "\"x\"".to_owned(),
            now.trim_matches('"').to_owned(),
            format!("\"x\", {stale}"),
            format!("\"0{}", now.trim_start_matches('"')),
            format!("\"+{}", now.trim_start_matches('"')),
            now.to_uppercase(),
            String::new(),
        ];
        for other in others.iter().filter(|other| **other != now) {
            let changes = [(Method::PUT, &values), (Method::PATCH, &path), (Method::DELETE, &path)];
            for (method, path) in changes {
                let refused = ask(&client, method, path, ("If-Match", other)).await;
                assert_eq!(refused.status, 412, "{other}: {}", refused.text);
                refused.expect_error(412, "PRECONDITION_FAILED");
            }
        }
        let kept = client.get(&path).await.expect(200);
        assert_eq!(
            (kept.header("etag"), &kept.data()["field_values"][0]["value"]),
            (now.as_str(), &json!("green"))
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_current_etag_a_list_with_it_and_a_star_allow_a_change() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let path = contact(&client).await;
        let values = format!("{path}/field-values");
        let tag = async || client.get(&path).await.expect(200).header("etag").to_owned();
        for written in ["TAG", "W/\"x\", TAG", "TAG , \"y\"", "*"] {
            let known = written.replace("TAG", &tag().await);
            let replaced = ask(&client, Method::PUT, &values, ("If-Match", &known)).await;
            assert_eq!(replaced.status, 200, "{known}: {}", replaced.text);
            let known = written.replace("TAG", &tag().await);
            let changed = ask(&client, Method::PATCH, &path, ("If-Match", &known)).await;
            assert_eq!(changed.status, 200, "{known}: {}", changed.text);
        }
        let _deleted =
            ask(&client, Method::DELETE, &path, ("If-Match", &tag().await)).await.expect(204);
        let changes = [(Method::PUT, &values), (Method::PATCH, &path), (Method::DELETE, &path)];
        for (method, path) in changes {
            let unknown = ask(&client, method, path, ("If-Match", "\"x\"")).await;
            unknown.expect_error(404, "CONTACT_NOT_FOUND");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_body_is_reported_before_a_stale_etag() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let values = format!("{}/field-values", contact(&client).await);
        let request = client.request(Method::PUT, &values).header("If-Match", "\"x\"");
        let invalid = Answer::of(request.json(&json!({"field_values": {"team": 5}}))).await;
        invalid.expect_invalid(&["field_values.team"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn renaming_a_field_prevents_304_and_makes_no_change_stale() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let field = json!({"name": "Team", "type": "string"});
        let field = client.post("/fields", &field).await.expect(201);
        let body = person_with_values("ann@example.com", &json!({"team": "blue"}));
        let made = client.post("/contacts", &body).await.expect(201);
        let bare = created(&client, &person("bob@example.com")).await;
        let path = format!("/contacts/{}", made.data()["id"].as_str().unwrap());
        let values = format!("{path}/field-values");
        let tag = made.header("etag").to_owned();
        let bare = client.get(&format!("/contacts/{bare}")).await.expect(200);
        for path in [&path, &values] {
            assert_eq!(client.get(path).await.expect(200).header("etag"), tag);
        }

        let field = format!("/fields/{}", field.data()["id"].as_str().unwrap());
        let _renamed = client.patch(&field, &json!({"name": "Crew"})).await.expect(200);
        for path in [&path, &values] {
            let now = ask(&client, Method::GET, path, ("If-None-Match", &tag)).await.expect(200);
            assert!(now.text.contains("Crew"), "{}", now.text);
            assert_ne!(now.header("etag"), tag);
            let seen = now.header("etag").to_owned();
            let _seen = ask(&client, Method::GET, path, ("If-None-Match", &seen)).await.expect(304);
        }
        let path = format!("/contacts/{}", bare.data()["id"].as_str().unwrap());
        let seen = ("If-None-Match", bare.header("etag"));
        let _without_values = ask(&client, Method::GET, &path, seen).await.expect(304);
        let _changed = ask(&client, Method::PUT, &values, ("If-Match", &tag)).await.expect(200);
    })
    .await;
}
