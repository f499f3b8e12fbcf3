//! The typed calls with a real hub.

use std::collections::BTreeMap;

use contact_hub_client::{
    Contact, ContactChange, ContactHub, FieldChange, FieldType, Filterable, Method, NewContact,
    NewField, Number, Value,
};
use contact_hub_tests::{CompanyOptions, with_hub};
use serde::Serialize;
use serde_json::json;

use super::{ann, client, code};

/// Nothing of an answer is lost in the types of the client.
#[track_caller]
fn expect_same(data: &impl Serialize, answer: &contact_hub_tests::Answer) {
    assert_eq!(&serde_json::to_value(data).expect("JSON"), answer.data());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_created_read_changed_and_deleted() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        let age = client.create_field(&NewField::new("Age", FieldType::Number)).await;
        assert_eq!(age.expect("a field").data.key, "age");
        let digits: Number = "12345678901234567890.50".parse().expect("a number");
        let new = ann(1).with_value("age", digits.clone());
        let created = client.create_contact(&new).await.expect("a contact");
        let id = created.data.id.as_str();
        assert_eq!(
            (created.data.email.as_str(), created.is_replayed),
            ("ann001@example.com", false)
        );

        let read = client.read_contact(id).await.expect("a contact");
        expect_same(&read.data, &plain.get(&format!("/contacts/{id}")).await);
        assert_eq!(read.data.value("age"), Some(&Value::Number(digits)), "with all digits");

        let change = ContactChange {
            last_name: Some("Li".to_owned()),
            avatar_url: Some(Some("https://example.com/ann.png".to_owned())),
            field_values: BTreeMap::from([("age".to_owned(), None)]),
            ..ContactChange::default()
        };
        let etag = read.etag.expect("a version");
        let changed = client.change_contact(id, &change).if_match(etag.clone()).await;
        let changed = changed.expect("a contact").data;
        assert_eq!((changed.last_name.as_str(), changed.value("age")), ("Li", None));
        assert!(changed.avatar_url.is_some());
        let none = ContactChange { avatar_url: Some(None), ..ContactChange::default() };
        let cleared = client.change_contact(id, &none).await.expect("a contact").data;
        assert_eq!(cleared.avatar_url, None);

        let stale = client.delete_contact(id).if_match(etag).await.expect_err("another version");
        assert_eq!(code(&stale), (412, Some("PRECONDITION_FAILED")));
        client.delete_contact(id).await.expect("it is deleted");
        let gone = client.read_contact(id).await.expect_err("it is deleted");
        assert_eq!(code(&gone), (404, Some("CONTACT_NOT_FOUND")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_typed_and_contain_no_key() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        client.create_contact(&ann(1)).await.expect("a contact");
        let twice = client.create_contact(&ann(1)).await.expect_err("it exists");
        assert_eq!(code(&twice), (409, Some("CONTACT_ALREADY_EXISTS")));
        let invalid = client.create_contact(&NewContact::new("ann", "", "Lee")).await;
        let invalid = invalid.expect_err("it is not valid");
        let answer = invalid.answer().expect("an answer");
        assert_eq!((answer.status, answer.code.as_deref()), (422, None));
        assert_eq!(answer.invalid.keys().collect::<Vec<_>>(), ["email", "first_name"]);
        assert!(answer.request_id.is_some());

        let stranger = ContactHub::new(&hub.base(), "hub_secretsecret").expect("a client");
        let unknown = stranger.list_fields().await.expect_err("the key is unknown");
        assert_eq!(code(&unknown), (401, Some("UNAUTHENTICATED")));
        assert!(!format!("{unknown} {unknown:?} {stranger:?}").contains("secret"));
        let options = CompanyOptions { permissions: Vec::new(), ..CompanyOptions::default() };
        let powerless = hub.client_of(&options).await.made.token;
        let powerless = ContactHub::new(&hub.base(), &powerless).expect("a client");
        let denied = powerless.list_fields().await.expect_err("no permission");
        assert_eq!(code(&denied), (403, Some("ACCESS_DENIED")));
        assert!(!plain.made.token.is_empty());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_contacts_are_upserted_looked_up_and_deleted() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        let rows = [ann(1), NewContact::new("no address", "Ann", "Lee"), ann(2)];
        let result = client.upsert_contacts(&rows).await.expect("a result").data;
        assert_eq!((result.created, result.updated, result.failed), (2, 0, 1));
        assert_eq!(
            (result.errors[0].index, result.errors[0].email.as_deref()),
            (1, Some("no address"))
        );
        assert!(result.errors[0].details.contains_key("email"));

        let emails = ["ann002@example.com", "eve@example.com", "ann001@example.com"];
        let found = client.look_up_contacts_by_email(&emails).await.expect("contacts");
        assert_eq!(found.meta.missing, ["eve@example.com"]);
        expect_same(&found.data, &plain.post("/contacts/lookup", &json!({"emails": emails})).await);
        let ids: Vec<&str> = found.data.iter().map(|contact| contact.id.as_str()).collect();
        let same = client.look_up_contacts(&ids).await.expect("contacts");
        assert_eq!(same.data, found.data);
        let deleted = client.delete_contacts(&ids).await.expect("a result").data;
        assert_eq!(deleted.deleted, 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_and_values_are_written_and_read() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        let new = NewField { filterable: true, ..NewField::new("Team", FieldType::String) };
        let team = client.create_field(&new).await.expect("a field").data;
        assert_ne!(team.filterable, Filterable::No);
        let change = FieldChange { name: Some("Group".to_owned()), ..FieldChange::default() };
        let renamed = client.change_field(&team.id, &change).await.expect("a field").data;
        assert_eq!((renamed.key.as_str(), renamed.name.as_str()), ("team", "Group"));
        let fields = client.list_fields().await.expect("fields").data;
        assert_eq!((fields[0].r#type.clone(), fields.len()), (FieldType::String, 1));

        let contact = ann(1).with_value("team", "Blue");
        let id = client.create_contact(&contact).await.expect("a contact").data.id;
        let values = client.list_field_values(&team.id).await.expect("values");
        assert_eq!((values.data, values.meta.total), (vec![Value::from("Blue")], 1));
        let values = BTreeMap::from([("team".to_owned(), Value::from("Red"))]);
        let replaced = client.replace_field_values(&id, &values).await.expect("values").data;
        assert_eq!(replaced[0].value, Value::from("Red"));
        let read = client.read_field_values(&id).await.expect("values").data;
        assert_eq!(read, replaced);
        expect_same(&read, &plain.get(&format!("/contacts/{id}/field-values")).await);
        let page = plain.get("/fields").await;
        expect_same(&client.list_fields().await.expect("fields").data, &page);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn any_other_operation_can_be_called_by_its_path() {
    with_hub(async |hub| {
        let (client, plain) = client(hub).await;
        let company =
            client.call::<serde_json::Value, ()>(Method::Get, ["api", "manage", "v1", "company"]);
        let company = company.await.expect("the company").data;
        assert_eq!(&company, plain.manage().get("/company").await.data());
        // An untrusted id is a single segment and cannot address another operation.
        let elsewhere = client.read_contact("../fields").await.expect_err("no such contact");
        assert_eq!(code(&elsewhere), (404, Some("CONTACT_NOT_FOUND")));
        let keyed = || client.create_contact(&ann(1)).idempotency_key("mine");
        let (first, second) = (keyed().await.expect("made"), keyed().await.expect("the same"));
        assert_eq!((first.data.id, second.is_replayed), (second.data.id, true));
        let listed: Vec<Contact> = client
            .call::<_, serde_json::Value>(Method::Get, ["api", "public", "v1", "contacts"])
            .query("page[number]", "1")
            .await
            .expect("contacts")
            .data;
        assert_eq!(listed.len(), 1);
    })
    .await;
}
