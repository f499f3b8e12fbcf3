//! When `updated_at` moves: on every actual change through any route, and never otherwise.

use contact_hub_tests::{Client, TestHub, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person_with_values, read};

const AVATAR: &str = "https://pictures.example/1";

async fn contact(client: &Client) -> String {
    for (name, kind) in [("Team", "string"), ("Age", "number"), ("Seen", "datetime")] {
        client.field(name, kind).await;
    }
    let values = json!({"team": "red", "age": 5, "seen": "2026-01-01T00:00:00Z"});
    let mut body = person_with_values("ann@example.com", &values);
    body["avatar_url"] = json!(AVATAR);
    created(client, &body).await
}

/// Whether a step moves `updated_at`; `created_at` never moves.
async fn moves(hub: &TestHub, client: &Client, id: &str, step: impl AsyncFnOnce()) -> bool {
    let before = read(client, id).await.data().clone();
    hub.clock.advance(5);
    step().await;
    let after = read(client, id).await.data().clone();
    assert_eq!(after["created_at"], before["created_at"]);
    let (was, is) = (before["updated_at"].as_str(), after["updated_at"].as_str());
    assert!(was <= is, "{before} {after}");
    was != is
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bulk_row_moves_updated_at_when_an_attribute_or_a_value_differs() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = contact(&client).await;
        let same = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let with = |more: Value| {
            let mut row = same.clone();
            row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            row
        };
        for (row, expected) in [
            (with(json!({})), false),
            (with(json!({"email": "ANN@Example.com"})), false),
            (with(json!({"first_name": " Ann "})), false),
            (with(json!({"avatar_url": AVATAR})), false),
            (with(json!({"field_values": {}})), false),
            (with(json!({"field_values": null})), false),
            (with(json!({"field_values": {"team": "red", "age": 5.0, "seen": "2026-01-01T01:00:00+01:00"}})), false),
            (with(json!({"first_name": "ann"})), true),
            (with(json!({"first_name": "Ann"})), true),
            (with(json!({"last_name": "Li"})), true),
            (with(json!({"last_name": "Lee"})), true),
            (with(json!({"avatar_url": null})), true),
            (with(json!({"avatar_url": null})), false),
            (with(json!({"avatar_url": AVATAR})), true),
            (with(json!({"field_values": {"team": "Red"}})), true),
            (with(json!({"field_values": {"age": 6}})), true),
            (with(json!({"field_values": {"age": null}})), true),
            (with(json!({"field_values": {"age": null}})), false),
        ] {
            let moved = moves(hub, &client, &id, async || {
                let body = json!({"contacts": [row.clone()]});
                let bulk = client.post("/contacts/bulk", &body).await.expect(200);
                assert_eq!(bulk.data()["updated"], 1, "a row that changes nothing counts too");
            });
            assert_eq!(moved.await, expected, "{row}");
        }
        assert_eq!(read(&client, &id).await.data()["email"], "ann@example.com");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_moves_updated_at_when_a_value_differs_or_is_removed() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = contact(&client).await;
        let all = json!({"team": "red", "age": 5, "seen": "2026-01-01T00:00:00Z"});
        for (values, expected) in [
            (all.clone(), false),
            (json!({"seen": "2026-01-01T00:00:00Z", "age": 5, "team": "red"}), false),
            (json!({"team": "red", "age": 5}), true),
            (json!({"team": "red", "age": 5, "seen": null}), false),
            (json!({"team": "red", "age": 7}), true),
            (json!({"team": "RED", "age": 7}), true),
            (json!({"team": null}), true),
            (json!({"team": null}), false),
            (all, true),
        ] {
            let moved = moves(hub, &client, &id, async || {
                let path = format!("/contacts/{id}/field-values");
                let _replaced =
                    client.put(&path, &json!({"field_values": values})).await.expect(200);
            });
            assert_eq!(moved.await, expected, "{values}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_moves_updated_at_and_refused_writes_and_reads_do_not() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = contact(&client).await;
        let path = format!("/contacts/{id}");
        let same = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee", "avatar_url": AVATAR});
        let refused = moves(hub, &client, &id, async || {
            let _taken = client.post("/contacts", &same).await.expect(409);
            let _invalid = client.put(&format!("{path}/field-values"), &json!({})).await.expect(422);
            let _read = client.get(&path).await.expect(200);
        });
        assert!(!refused.await);
        let restored = moves(hub, &client, &id, async || {
            let _deleted = client.delete(&path).await.expect(204);
            let _restored = client.post("/contacts", &same).await.expect(201);
        });
        assert!(restored.await);
        let restored_by_bulk = moves(hub, &client, &id, async || {
            let _deleted = client.delete(&path).await.expect(204);
            let bulk = client.post("/contacts/bulk", &json!({"contacts": [same.clone()]})).await;
            assert_eq!(bulk.expect(200).data()["created"], 1);
        });
        assert!(restored_by_bulk.await);
    })
    .await;
}
