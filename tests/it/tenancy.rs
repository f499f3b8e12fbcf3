//! Data of another company is treated as unknown.

use contact_hub_domain::access::{KeyDraft, UserDraft, create_key, create_user};
use contact_hub_tests::{Answer, with_hub};
use reqwest::Method;
use serde_json::json;

use crate::support::{created, person, person_with_values, read, without_key};

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_of_another_company_is_unknown() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        let id = created(&theirs, &person("ann@example.com")).await;
        let path = format!("/contacts/{id}");
        let answer = ours.get(&path).await.expect_error(404, "CONTACT_NOT_FOUND");
        let unknown = ours.get("/contacts/01931e3a-7c00-7000-8000-000000000000").await;
        assert_eq!(answer.json, unknown.json);
        let _ = ours.delete(&path).await.expect_error(404, "CONTACT_NOT_FOUND");
        let change = json!({"first_name": "Ours", "email": "bob@example.com"});
        let _ = ours.patch(&path, &change).await.expect_error(404, "CONTACT_NOT_FOUND");
        assert_eq!(read(&theirs, &id).await.data()["first_name"], "Ann");
        let _ = theirs.get(&path).await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_is_only_unique_within_its_company() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        let our_id = created(&ours, &person("ann@example.com")).await;
        let their_id = created(&theirs, &person("ann@example.com")).await;
        assert_ne!(our_id, their_id);
        let answer = ours.post("/contacts", &person("ann@example.com")).await.expect(409);
        assert!(answer.text.contains(&our_id) && !answer.text.contains(&their_id));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_contact_of_another_company_is_not_restored() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        let their_id = created(&theirs, &person("ann@example.com")).await;
        let _ = theirs.delete(&format!("/contacts/{their_id}")).await.expect(204);
        assert_ne!(created(&ours, &person("ann@example.com")).await, their_id);
        assert_eq!(created(&theirs, &person("ann@example.com")).await, their_id);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_company_has_a_separate_directory_and_keys() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        ours.field("Age", "number").await;
        theirs.field("Age", "string").await;
        theirs.field("Team", "string").await;
        let our_fields = ours.get("/fields").await.expect(200);
        let their_fields = theirs.get("/fields").await.expect(200);
        assert_eq!(our_fields.data().as_array().unwrap().len(), 1);
        assert_eq!(their_fields.data().as_array().unwrap().len(), 2);
        let directory = |answer: &Answer| answer.data()[0]["directory_id"].clone();
        assert_ne!(directory(&our_fields), directory(&their_fields));
        let body = person_with_values("a@example.com", &json!({"age": 5, "team": "red"}));
        ours.post("/contacts", &body).await.expect_invalid(&["field_values.team"]);
        let body = person_with_values("a@example.com", &json!({"age": 5, "team": "red"}));
        theirs.post("/contacts", &body).await.expect_invalid(&["field_values.age"]);
        let id = created(&ours, &person_with_values("a@example.com", &json!({"age": 5}))).await;
        assert_eq!(read(&ours, &id).await.data()["field_values"][0]["value"], 5);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_another_company_can_neither_be_read_nor_replaced() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        for client in [&ours, &theirs] {
            client.field("Team", "string").await;
        }
        let body = person_with_values("ann@example.com", &json!({"team": "theirs"}));
        let path = format!("/contacts/{}/field-values", created(&theirs, &body).await);
        let before = theirs.get(&path).await.expect(200);
        let _ = ours.get(&path).await.expect_error(404, "CONTACT_NOT_FOUND");
        let body = json!({"field_values": {"team": "ours"}});
        let _ = ours.put(&path, &body).await.expect_error(404, "CONTACT_NOT_FOUND");
        let known = ours.request(Method::PUT, &path).header("If-Match", before.header("etag"));
        let _ = Answer::of(known.json(&body)).await.expect_error(404, "CONTACT_NOT_FOUND");
        let seen = ours.request(Method::GET, &path).header("If-None-Match", "*");
        let _ = Answer::of(seen).await.expect_error(404, "CONTACT_NOT_FOUND");
        assert_eq!(theirs.get(&path).await.expect(200).json, before.json);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_searches_and_bulks_only_affect_own_contacts() {
    with_hub(async |hub| {
        let (ours, theirs) = (hub.client().await, hub.client().await);
        let field = theirs.post("/fields", &json!({"name": "Team", "type": "string"})).await;
        let field = field.expect(201).data()["id"].as_str().unwrap().to_owned();
        let body = person_with_values("ann@example.com", &json!({"team": "theirs"}));
        let id = created(&theirs, &body).await;
        for query in ["", "?search=ann", "?filter[email]=ann@example.com", "?filter[email][ne]=x"] {
            let list = ours.get(&format!("/contacts{query}")).await.expect(200);
            assert_eq!((list.data(), &list.json["meta"]["total"]), (&json!([]), &json!(0)), "{query}");
        }
        for (name, entry) in [("ids", id.as_str()), ("emails", "ann@example.com")] {
            let found = ours.post("/contacts/lookup", &json!({name: [entry]})).await.expect(200);
            assert_eq!(found.json, json!({"data": [], "meta": {"missing": [entry]}}));
        }
        assert_eq!(ours.get("/contacts/export").await.expect(200).text, "");
        let values = format!("/fields/{field}/values");
        let _ = ours.get(&values).await.expect_error(404, "FIELD_NOT_FOUND");
        let deleted = ours.delete_with("/contacts/bulk", &json!({"ids": [id]})).await.expect(200);
        assert_eq!(deleted.data()["deleted"], 0);
        let row = json!({"contacts": [{"email": "ann@example.com", "first_name": "O", "last_name": "O"}]});
        let bulk = ours.post("/contacts/bulk", &row).await.expect(200);
        assert_eq!((&bulk.data()["created"], &bulk.data()["updated"]), (&json!(1), &json!(0)));
        assert_eq!(read(&theirs, &id).await.data()["first_name"], "Ann");
        let list = theirs.get("/contacts").await.expect(200);
        assert_eq!(list.json["meta"]["total"], 1);
        assert_eq!(*theirs.get(&values).await.expect(200).data(), json!(["theirs"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_of_one_company_share_its_data() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let draft = UserDraft {
            email: "b@acme.example".into(),
            permissions: ["contacts_api".into()].into_iter().collect(),
        };
        let user =
            create_user(&hub.hub.ports.access, client.made.company.into(), &draft).await.unwrap();
        let key =
            create_key(&hub.hub.ports.access, None, user.id, &KeyDraft::default()).await.unwrap();
        let id = created(&client, &person("ann@example.com")).await;
        let request = without_key(hub, Method::GET, &format!("/contacts/{id}"));
        let answer = Answer::of(request.bearer_auth(key.token.reveal())).await.expect(200);
        assert_eq!(answer.data()["id"], id);
    })
    .await;
}
