//! Deleted contacts are erased after the number of days that the company chose. No background task erases them before a
//! test does.

use contact_hub_domain::contacts::erase_overdue;
use contact_hub_domain::ports::Clock;
use contact_hub_tests::{Answer, Client, TestHub, with_hub, with_idle_hub};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{created, person};

const DAY: i64 = 24 * 60 * 60;

/// Creates and deletes contacts that are overdue two days later; returns their ids.
async fn overdue(hub: &TestHub, client: &Client, names: &[&str]) -> Vec<String> {
    let body = json!({"erase_deleted_after_days": 1});
    let _ = client.manage().patch("/company", &body).await.expect(200);
    let mut ids = Vec::new();
    for name in names {
        let id = created(client, &person(&format!("{name}@example.com"))).await;
        let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
        ids.push(id);
    }
    hub.clock.advance(2 * DAY);
    ids
}

async fn status(client: &Client, id: &str) -> u16 {
    client.manage().get(&format!("/contacts/{id}/everything")).await.status
}

#[tokio::test(flavor = "multi_thread")]
async fn the_company_chooses_the_number_of_days() {
    with_hub(async |hub| {
        let client = hub.client().await.manage();
        let setting = async |days: Value| {
            let body = json!({"erase_deleted_after_days": days});
            client.patch("/company", &body).await
        };
        assert_eq!(client.get("/company").await.data()["erase_deleted_after_days"], Value::Null);
        assert_eq!(setting(json!(30)).await.expect(200).data()["erase_deleted_after_days"], 30);
        let named = client.patch("/company", &json!({"name": "Acme"})).await.expect(200);
        assert_eq!(named.data()["erase_deleted_after_days"], 30);
        for wrong in [json!(0), json!(3651), json!(1.5), json!("30"), json!(true)] {
            setting(wrong).await.expect_invalid(&["erase_deleted_after_days"]);
        }
        assert_eq!(
            setting(Value::Null).await.expect(200).data()["erase_deleted_after_days"],
            Value::Null
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_contacts_deleted_long_ago_are_erased() {
    with_idle_hub(async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        let body = json!({"erase_deleted_after_days": 30});
        let _ = client.manage().patch("/company", &body).await.expect(200);
        let mut ids = Vec::new();
        for email in ["ann@example.com", "max@example.com", "eve@example.com"] {
            ids.push(created(&client, &person(email)).await);
        }
        let foreign = created(&other, &person("ann@example.com")).await;
        let _ = client.delete(&format!("/contacts/{}", ids[0])).await.expect(204);
        let _ = other.delete(&format!("/contacts/{foreign}")).await.expect(204);
        hub.clock.advance(20 * DAY);
        let _ = client.delete(&format!("/contacts/{}", ids[1])).await.expect(204);
        let ports = &hub.hub.ports.erasures;
        assert_eq!(erase_overdue(ports).await.expect("it erases"), 0);
        hub.clock.advance(11 * DAY);
        assert_eq!(erase_overdue(ports).await.expect("it erases"), 1);
        assert_eq!(erase_overdue(ports).await.expect("it erases"), 0);
        let known = async |id: &str| {
            client.manage().get(&format!("/contacts/{id}/everything")).await.status
        };
        assert_eq!(
            (known(&ids[0]).await, known(&ids[1]).await, known(&ids[2]).await),
            (404, 200, 200)
        );
        let path = format!("/contacts/{foreign}/everything");
        let _ = other.manage().get(&path).await.expect(200);
        let changes = client.manage().get("/changes?type[]=contact.erased").await.expect(200);
        let erased = &changes.data()[0];
        assert_eq!((&erased["object_id"], &erased["actor"]), (&json!(ids[0]), &Value::Null));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_that_was_found_is_erased_only_if_it_is_still_overdue() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let setting = async |days: Value| {
            let body = json!({"erase_deleted_after_days": days});
            let _ = client.manage().patch("/company", &body).await.expect(200);
        };
        setting(json!(1)).await;
        let mut ids = Vec::new();
        for email in ["ann@example.com", "max@example.com"] {
            let id = created(&client, &person(email)).await;
            let _ = client.delete(&format!("/contacts/{id}")).await.expect(204);
            ids.push(id);
        }
        hub.clock.advance(2 * DAY);
        let (erasures, now) = (&hub.hub.ports.erasures.erasures, hub.clock.now());
        let company = client.made.company;
        let found = erasures.overdue(company, now, 10).await.expect("a list");
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ids);
        let _restored = created(&client, &person("ann@example.com")).await;
        let _ = client.delete(&format!("/contacts/{}", ids[0])).await.expect(204);
        let erased = async |place: usize| {
            erasures.erase_overdue(company, vec![found[place]], now).await.expect("an answer") == 1
        };
        assert!(!erased(0).await);
        setting(Value::Null).await;
        assert!(!erased(1).await);
        assert_eq!(erasures.overdue(company, now, 10).await.expect("a list"), []);
        setting(json!(1)).await;
        assert!(erased(1).await && !erased(1).await);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_kept_answers_are_searched_once_for_many_contacts() {
    with_idle_hub(async |hub| {
        let client = hub.client().await;
        let ports = &hub.hub.ports.erasures;
        let erase = async |names: &[&str]| {
            let _ids = overdue(hub, &client, names).await;
            let before = hub.hub.storage.statements();
            assert_eq!(erase_overdue(ports).await.expect("it erases"), 3);
            hub.hub.storage.statements() - before
        };
        let _first = erase(&["amy", "dan", "ian"]).await;
        let without = erase(&["ann", "bob", "eve"]).await;
        for number in 0..3 {
            let body = json!({"emails": [format!("p{number}@example.com")]});
            let request = client.request(Method::POST, "/contacts/lookup");
            let request = request.header("Idempotency-Key", number.to_string()).json(&body);
            let _kept = Answer::of(request).await.expect(200);
        }
        // One statement reads them.
        assert_eq!(erase(&["joe", "max", "zoe"]).await, without + 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_whose_erasure_fails_does_not_stop_the_others() {
    with_idle_hub(async |hub| {
        if hub.database.cluster().is_some() {
            return; // Citus rejects triggers.
        }
        let client = hub.client().await;
        let ids = overdue(hub, &client, &["ann", "bob", "eve"]).await;
        let (create, drop) = if hub.database.is_postgres() {
            (
                "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$; \
                 CREATE TRIGGER fails BEFORE DELETE ON contacts FOR EACH ROW \
                 WHEN (OLD.email = 'ann@example.com') EXECUTE FUNCTION fail()",
                "DROP TRIGGER fails ON contacts",
            )
        } else {
            (
                "CREATE TRIGGER fails BEFORE DELETE ON contacts WHEN OLD.email = 'ann@example.com' \
                 BEGIN SELECT RAISE(ABORT, 'no'); END",
                "DROP TRIGGER fails",
            )
        };
        hub.database.execute(create);
        let ports = &hub.hub.ports.erasures;
        assert_eq!(erase_overdue(ports).await.expect("it ends"), 2);
        assert_eq!((status(&client, &ids[0]).await, status(&client, &ids[1]).await), (200, 404));
        hub.database.execute(drop);
        assert_eq!(erase_overdue(ports).await.expect("it erases"), 1);
        assert_eq!(status(&client, &ids[0]).await, 404);
    })
    .await;
}
