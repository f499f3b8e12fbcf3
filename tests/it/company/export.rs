//! `company export`.

use std::collections::BTreeMap;

use contact_hub_tests::{Binary, with_idle_hub};
use serde_json::{Value, json};

use super::busy::busy;

#[expect(clippy::too_many_lines, reason = "one story from its beginning to its end")]
#[tokio::test(flavor = "multi_thread")]
async fn every_object_is_exported_as_a_line_of_api_json_without_secrets() {
    with_idle_hub(async |hub| {
        let (setting, other) = (busy(hub).await, busy(hub).await);
        let (client, manage) = (&setting.client, setting.client.manage());
        let company = client.made.company.to_string();
        let output = Binary::on(&hub.database).run(&["company", "export", "--id", &company]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line).expect("an object in each line");
            let data = line["data"].take();
            found.entry(line["type"].as_str().expect("a type").to_owned()).or_default().push(data);
        }
        assert!(text.starts_with("{\"type\":\"company\""), "the company is first");
        let numbers: BTreeMap<&str, usize> =
            found.iter().map(|(r#type, all)| (r#type.as_str(), all.len())).collect();
        let all =
            ["api_key", "asset", "company", "delivery", "field", "integration", "sync", "view"];
        for one in all {
            assert_eq!(numbers[one], 1, "{one}: {numbers:?}");
        }
        assert_eq!(numbers["webhook"], 2);
        assert_eq!((numbers["contact"], numbers["deleted_contact"], numbers["user"]), (121, 1, 2));
        assert!(numbers["change"] > 120 && numbers["audit_entry"] > 5, "{numbers:?}");
        assert_eq!(numbers.len(), 16, "{numbers:?}");

        let contact = &found["contact"][7];
        let path = format!("/contacts/{}", contact["id"].as_str().expect("an id"));
        assert_eq!(client.get(&path).await.expect(200).data(), contact);
        assert_eq!(found["deleted_contact"][0]["email"], "gone@example.com");
        for (r#type, path) in [
            ("company", "/company".to_owned()),
            ("webhook", "/webhooks".to_owned()),
            ("integration", "/integrations".to_owned()),
            ("asset", format!("/assets/{}", setting.asset)),
            ("sync", format!("/assets/{}/syncs", setting.asset)),
        ] {
            let answer = manage.get(&path).await.expect(200);
            let one = answer.data().get(0).unwrap_or(answer.data());
            assert_eq!(one, &found[r#type][0], "{type}");
        }
        let delivery = &found["delivery"][0];
        assert!(
            delivery["payload"].as_str().is_some_and(|payload| payload.contains(&setting.asset))
        );
        assert_eq!(found["api_key"][0]["user_id"], client.made.user.to_string());

        assert_eq!(found["identity_provider"][0]["issuer"], "https://id.example");
        let kinds = found["alert_choice"].iter().map(|choice| &choice["kind"]);
        assert!(kinds.clone().any(|kind| kind == "webhook_off"), "{:?}", found["alert_choice"]);

        let exported = manage.get("/audit?filter[action]=company.exported").await.expect(200);
        let actor = json!({"user": null, "key": null, "address": null});
        assert_eq!(
            (&exported.data()[0]["object"], &exported.data()[0]["actor"]),
            (&json!(company), &actor)
        );

        let other = other.client.made.company.to_string();
        for secret in [
            "token_hash",
            "password_hash",
            "sealed",
            "digest",
            "s3cret",
            &client.made.token,
            &other,
        ] {
            assert!(!text.contains(secret), "{secret}");
        }
    })
    .await;
}
