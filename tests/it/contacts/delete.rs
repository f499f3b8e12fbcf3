//! `DELETE /contacts/{id}`, `DELETE /contacts/bulk` and `POST /contacts/bulk-delete`

use contact_hub_tests::{Answer, Client, with_hub};
use reqwest::Method;
use serde_json::json;

async fn created(client: &Client, email: &str) -> String {
    let body = json!({"email": email, "first_name": "A", "last_name": "B"});
    let answer = client.post("/contacts", &body).await.expect(201);
    answer.data()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_contact_is_not_found_and_can_be_restored() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "a@x.example").await;
        let path = format!("/contacts/{id}");
        let deleted = client.delete(&path).await.expect(204);
        assert_eq!((deleted.text.as_str(), deleted.header("content-type")), ("", ""));
        client.get(&path).await.expect_error(404, "CONTACT_NOT_FOUND");
        client.delete(&path).await.expect_error(404, "CONTACT_NOT_FOUND");
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
        assert_eq!(created(&client, "A@x.example").await, id);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delete_with_a_stale_version_is_refused() {
    with_hub(async |hub| {
        let client = hub.client().await;
        client.field("Team", "string").await;
        let path = format!("/contacts/{}", created(&client, "a@x.example").await);
        let seen = client.get(&path).await.expect(200).header("etag").to_owned();
        let values = json!({"field_values": {"team": "red"}});
        let changed = client.put(&format!("{path}/field-values"), &values).await.expect(200);
        let delete = async |tag: &str| {
            Answer::of(client.request(Method::DELETE, &path).header("If-Match", tag)).await
        };
        delete(&seen).await.expect_error(412, "PRECONDITION_FAILED");
        delete("\"foreign\"").await.expect_error(412, "PRECONDITION_FAILED");
        let _deleted = delete(&format!("\"x\", {}", changed.header("etag"))).await.expect(204);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_are_deleted_and_only_those_that_exist_are_counted() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let (one, two) =
            (created(&client, "a@x.example").await, created(&client, "b@x.example").await);
        let other = created(&hub.client().await, "c@x.example").await;
        let ids = json!({"ids": [one.to_uppercase(), one, "no id", other]});
        let answer = client.delete_with("/contacts/bulk", &ids).await.expect(200);
        assert_eq!(answer.json, json!({"data": {"deleted": 1}}));
        let answer = client.post("/contacts/bulk-delete", &json!({"ids": [two]})).await.expect(200);
        assert_eq!(answer.json, json!({"data": {"deleted": 1}}));
        client.delete_with("/contacts/bulk", &json!({"ids": []})).await.expect_invalid(&["ids"]);
        client
            .delete_with("/contacts/bulk", &json!({"ids": vec!["x"; 1001]}))
            .await
            .expect_invalid(&["ids"]);
        for (ids, invalid) in [
            (json!(["x", 5, null]), &["ids.1", "ids.2"][..]),
            (json!([true, [other], {"id": other}, 1.5, ""]), &["ids.0", "ids.1", "ids.2", "ids.3"]),
            (json!("x"), &["ids"]),
            (json!({"0": "x"}), &["ids"]),
        ] {
            for answer in [
                client.delete_with("/contacts/bulk", &json!({"ids": ids})).await,
                client.post("/contacts/bulk-delete", &json!({"ids": ids})).await,
            ] {
                answer.expect_invalid(invalid);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_deleted_when_an_id_is_not_a_string() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, "a@x.example").await;
        client
            .delete_with("/contacts/bulk", &json!({"ids": [id, 5]}))
            .await
            .expect_invalid(&["ids.1"]);
        let surrogate = format!("{{\"ids\": [\"{id}\", \"\\ud800\"]}}");
        client.post_text("/contacts/bulk-delete", surrogate).await.expect_invalid(&["ids.1"]);
        let _kept = client.get(&format!("/contacts/{id}")).await.expect(200);
        let many = client.delete_with("/contacts/bulk", &json!({"ids": vec![0; 1000]})).await;
        let error = &many.expect(422).json["errors"][0];
        assert_eq!(error["meta"].as_object().expect("meta").len(), 100);
        assert!(error["details"].as_str().expect("a sentence").contains("900"), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_ids_are_accepted_and_deleted_contacts_are_not_counted_again() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let rows: Vec<_> = (0..1000)
            .map(|n| json!({"email": format!("n{n}@example.com"), "first_name": "A", "last_name": "B"}))
            .collect();
        let _created = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        let mut ids = Vec::new();
        for page in 1..=10 {
            let path = format!("/contacts?page[size]=100&page[number]={page}");
            let list = client.get(&path).await.expect(200);
            ids.extend(list.data().as_array().expect("a list").iter().map(|it| it["id"].clone()));
        }
        let one = ids[7].as_str().expect("an id");
        let _gone = client.delete(&format!("/contacts/{one}")).await.expect(204);
        for deleted in [999, 0] {
            let answer = client.delete_with("/contacts/bulk", &json!({"ids": ids})).await.expect(200);
            assert_eq!(answer.json, json!({"data": {"deleted": deleted}}));
        }
        assert_eq!(client.get("/contacts").await.expect(200).json["meta"]["total"], 0);
        let spelled = [one.replace('-', ""), format!("{{{one}}}"), format!(" {one}"), String::new()];
        let answer = client.delete_with("/contacts/bulk", &json!({"ids": spelled})).await.expect(200);
        assert_eq!(answer.data()["deleted"], 0);
    })
    .await;
}
