//! `GET /assets/{id}/content`

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use reqwest::header::IF_NONE_MATCH;
use serde_json::{Value, json};

use super::sample::{NOTHING, created, email, email_with, integration_with, landing_page};

async fn content(client: &Client, id: &str, query: &str) -> Answer {
    client.published().get(&format!("/assets/{id}/content{query}")).await
}

async fn tag(client: &Client, id: &str, query: &str) -> String {
    content(client, id, query).await.expect(200).header("etag").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn has_metadata_html_and_text() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let mut body = email_with("preheader", "For {{last_name}}");
        body["subject"] = "{{field:jobTitle|Boss}} {{unknown}}".into();
        let id = created(&client, "/assets", &body).await;
        let answer = content(&client, &id, "").await.expect(200);
        let updated_at = answer.data()["updated_at"].clone();
        let expected = json!({
            "id": id,
            "name": "Spring",
            "type": "email",
            "subject": "{{field:jobTitle|Boss}} {{unknown}}",
            "preheader": "For {{last_name}}",
            "updated_at": updated_at,
            "html": "<p>Hi {{first_name}}</p>",
            "text": "Hi {{first_name}}",
            "platform": null,
            "merge_tags": ["field:jobTitle", "last_name", "first_name"],
        });
        assert_eq!(answer.json, json!({"data": expected}));
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert_eq!(answer.header("content-type"), "application/json");
        let page = created(&client, "/assets", &landing_page()).await;
        let answer = content(&client, &page, "?platform=braze").await.expect(200);
        assert_eq!(answer.data()["subject"], Value::Null);
        assert_eq!(answer.data()["preheader"], Value::Null);
        assert_eq!(answer.data()["text"], "Welcome");
        assert_eq!(
            (&answer.data()["platform"], &answer.data()["merge_tags"]),
            (&json!("braze"), &json!([]))
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_platform_is_invalid_and_an_unknown_asset_is_unknown() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email()).await;
        for query in [
            "?platform=own",
            "?platform=",
            "?platform=Braze",
            "?platform[x]=braze",
            "?platform=%ff",
        ] {
            content(&client, &id, query).await.expect_invalid(&["platform"]);
        }
        let answer = content(&client, &id, "?platform=own&platform=marketing_cloud&x=1").await;
        assert_eq!(answer.expect(200).data()["platform"], "sfmc");
        for id in [NOTHING, "x"] {
            content(&client, id, "").await.expect_error(404, "ASSET_NOT_FOUND");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_companys_own_mappings_take_precedence() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email()).await;
        let mut integrations = Vec::new();
        for mapping in [json!({}), json!({"first_name": "[one]"}), json!({"first_name": "[two]"})] {
            let body = integration_with("merge_tag_mapping", mapping);
            integrations.push(created(&client, "/integrations", &body).await);
        }
        let html = async |query: &str| {
            let answer = content(&client, &id, query).await.expect(200);
            answer.data()["html"].as_str().unwrap().to_owned()
        };
        assert_eq!(html("").await, "<p>Hi {{first_name}}</p>");
        assert_eq!(html("?platform=marketo").await, "<p>Hi [one]</p>");
        let by = |n: usize| format!("?platform=marketo&integration_id={}", integrations[n]);
        assert_eq!(html(&by(0)).await, "<p>Hi {{lead.First Name}}</p>");
        assert_eq!(html(&by(2)).await, "<p>Hi [two]</p>");
        // A mapping only applies to the format of its integration.
        let other = format!("?platform=mailchimp&integration_id={}", integrations[2]);
        assert_eq!(html(&other).await, "<p>Hi *|FNAME|*</p>");
        for unknown in [NOTHING, "x"] {
            let query = format!("?platform=marketo&integration_id={unknown}");
            content(&client, &id, &query).await.expect_error(404, "INTEGRATION_NOT_FOUND");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unchanged_content_is_not_sent_again() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email()).await;
        let path = format!("/assets/{id}/content?platform=braze");
        let seen = tag(&client, &id, "?platform=braze").await;
        assert!(seen.starts_with('"') && seen.ends_with('"') && seen.len() > 10, "{seen}");
        let again = async |method: Method, known: &str| {
            let request = client.published().request(method, &path).header(IF_NONE_MATCH, known);
            Answer::of(request).await
        };
        for known in [seen.clone(), format!("\"x\", W/{seen}"), "*".to_owned()] {
            let answer = again(Method::GET, &known).await.expect(304);
            assert_eq!((answer.text.as_str(), answer.header("etag")), ("", seen.as_str()));
        }
        let _other = again(Method::GET, "\"x\"").await.expect(200);
        let head = again(Method::HEAD, "\"x\"").await.expect(200);
        assert_eq!((head.text.as_str(), head.header("etag")), ("", seen.as_str()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_etag_depends_on_everything_that_affects_the_content() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "/assets", &email()).await;
        let other = created(&client, "/assets", &email()).await;
        let mut seen = vec![tag(&client, &id, "").await, tag(&client, &other, "").await];
        for platform in ["marketo", "liquid", "handlebars"] {
            seen.push(tag(&client, &id, &format!("?platform={platform}")).await);
        }
        assert_eq!(tag(&client, &id, "?platform=marketo&x=1").await, seen[2]);
        let mapped = integration_with("merge_tag_mapping", json!({"first_name": "[one]"}));
        let integration = created(&client, "/integrations", &mapped).await;
        seen.push(tag(&client, &id, "?platform=marketo").await);
        let manage = client.manage();
        let path = format!("/integrations/{integration}");
        let mapping = json!({"merge_tag_mapping": {"first_name": "[two]"}});
        let _changed = manage.patch(&path, &mapping).await.expect(200);
        seen.push(tag(&client, &id, "?platform=marketo").await);
        let renamed = json!({"name": "Summer"});
        let _changed = manage.patch(&format!("/assets/{id}"), &renamed).await.expect(200);
        seen.push(tag(&client, &id, "?platform=marketo").await);
        seen.push(tag(&client, &id, "").await);
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), all);
        let _gone = manage.delete(&path).await.expect(204);
        let back = tag(&client, &id, "?platform=liquid").await;
        assert_eq!(back, tag(&client, &id, "?platform=liquid").await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mappings_that_make_the_content_too_large_are_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let html = "{{email}}".repeat(100_000);
        let id = created(&client, "/assets", &email_with("html", html)).await;
        let mapped = integration_with("merge_tag_mapping", json!({"email": "x".repeat(1000)}));
        created(&client, "/integrations", &mapped).await;
        content(&client, &id, "?platform=marketo").await.expect_invalid(&["platform"]);
        let _short = content(&client, &id, "?platform=liquid").await.expect(200);
    })
    .await;
}
