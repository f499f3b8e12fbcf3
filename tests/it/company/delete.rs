//! `company delete`.

use std::time::Duration;

use contact_hub_storage::CompanyDeletion;
use contact_hub_tests::{
    Binary, Client, Receiver, Reply, TestDatabase, TestHub, with_hub, with_idle_hub,
};
use serde_json::{Value, json};

use super::busy::{busy, rows_of};
use crate::process::{Service, expect_refused};
use crate::support::{person, until};

fn delete(database: &TestDatabase, company: &str) -> Value {
    Binary::on(database).json(&["company", "delete", "--yes", "--id", company])
}

fn total(rows: &std::collections::BTreeMap<String, i64>) -> i64 {
    rows.values().sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_rows_of_the_company_are_deleted_and_those_of_others_are_kept() {
    with_idle_hub(async |hub| {
        let (doomed, other) = (busy(hub).await, busy(hub).await);
        let rows = |client: &Client| {
            let made = &client.made;
            rows_of(&hub.database, &made.company.to_string(), &made.user.to_string())
        };
        let (before, others) = (rows(&doomed.client), rows(&other.client));
        let empty: Vec<_> = before.iter().filter(|(_, number)| **number == 0).collect();
        assert!(empty.is_empty(), "`busy` leaves these empty: {empty:?}");
        let company = doomed.client.made.company.to_string();
        let answer = delete(&hub.database, &company);
        assert_eq!(answer["id"], json!(company));
        let left: Vec<_> = rows(&doomed.client).into_iter().filter(|(_, it)| *it > 0).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(rows(&other.client), others);
        let _ = other.client.get("/contacts?page[size]=1").await.expect(200);
        let again = ["company", "delete", "--yes", "--id", &company];
        expect_refused(&Binary::on(&hub.database).run(&again), &["company"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_a_flag_must_confirm_and_unknown_companies_are_refused() {
    with_hub(async |hub: &TestHub| {
        let client = hub.client().await;
        let company = client.made.company.to_string();
        let binary = Binary::on(&hub.database);
        expect_refused(&binary.run(&["company", "delete", "--id", &company]), &["--yes"]);
        let _ = client.get("/contacts").await.expect(200);
        let user = client.made.user.to_string();
        for unknown in [&user, "x"] {
            for what in [&["delete", "--yes"][..], &["export"]] {
                let arguments = [&["company"], what, &["--id", unknown]].concat();
                expect_refused(&binary.run(&arguments), &["company"]);
            }
        }
    })
    .await;
}

/// The first run ends before it deletes anything, the second one between two batches, and a third one is killed.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_deletion_continues_and_nobody_can_sign_in_meanwhile() {
    with_hub(async |hub| {
        let (client, other) = (hub.client().await, hub.client().await);
        for part in 0..4 {
            let rows: Vec<Value> =
                (0..1000).map(|n| person(&format!("p{part}-{n}@example.com"))).collect();
            let _ = client.post("/contacts/bulk", &json!({"contacts": rows})).await.expect(200);
        }
        let (company, user) = (client.made.company.to_string(), client.made.user.to_string());
        let count = || rows_of(&hub.database, &company, &user);
        drop(begun(hub, &client).await);
        assert_eq!(client.get("/contacts").await.status, 401);
        assert_eq!(count()["contacts"], 4000);
        let binary = Binary::on(&hub.database);
        let create = ["user", "create", "--company", &company, "--email", "b@b.example"];
        expect_refused(&binary.run(&create), &["company"]);
        expect_refused(&binary.run(&["api-key", "create", "--user", &user]), &["user"]);
        expect_refused(&binary.run(&["company", "export", "--id", &company]), &["company"]);
        let mut second = begun(hub, &client).await;
        while count()["contacts"] == 4000 {
            assert!(second.next().await.expect("a batch").is_some());
        }
        drop(second);
        let left = count();
        assert!(left["companies"] == 1 && left["contacts"] > 0, "{left:?}");
        let arguments = ["company", "delete", "--yes", "--id", &company];
        let mut third = Service::spawn(&hub.database, binary.command(&arguments));
        until(Duration::from_secs(20), async || count()["contacts"] < left["contacts"]).await;
        third.signal("KILL");
        third.wait();
        let _ = other.post("/contacts", &person("a@example.com")).await.expect(201);
        // It may have been faster than the signal.
        if count()["companies"] == 1 {
            delete(&hub.database, &company);
        }
        assert_eq!(total(&count()), 0, "{:?}", count());
    })
    .await;
}

/// Begins a deletion like another process does, so that the service can only learn of it from the database.
async fn begun(hub: &TestHub, client: &Client) -> CompanyDeletion {
    let at = hub.hub.ports.environment.clock.now();
    let begun = hub.database.storage().delete_company(client.made.company, at).await;
    begun.expect("it begins").expect("a company")
}

/// A company whose receiver of contact changes is down.
async fn undelivered(hub: &TestHub) -> (Client, Receiver) {
    let client = hub.client().await;
    let receiver = Receiver::scripted(|_place| Reply::from(500)).await;
    let hook = json!({"name": "Hook", "url": receiver.url(), "events": ["contactsChanged"]});
    let _ = client.manage().post("/webhooks", &hook).await.expect(201);
    let _ = client.post("/contacts", &person("ann@example.com")).await.expect(201);
    retrying(&client).await;
    (client, receiver)
}

/// Waits until the delivery of a company is waiting for its next attempt.
async fn retrying(client: &Client) {
    until(Duration::from_secs(20), async || {
        let found = client.manage().get("/deliveries").await.expect(200);
        found.data()[0]["state"] == "retrying"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_delivered_after_the_deletion_begins() {
    with_hub(async |hub| {
        let ((doomed, silent), (other, reached)) = (undelivered(hub).await, undelivered(hub).await);
        let mut deletion = begun(hub, &doomed).await;
        let before = silent.count();
        for _retry in 0..2 {
            let attempts = reached.count();
            hub.clock.advance(24 * 3600);
            // The other company's retry shows that due deliveries are sent.
            until(Duration::from_secs(20), async || reached.count() > attempts).await;
            retrying(&other).await;
        }
        while deletion.next().await.expect("a batch").is_some() {}
        assert_eq!(silent.count(), before);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_name_a_company_that_is_partly_deleted() {
    with_hub(async |hub| {
        let client = hub.client().await;
        drop(begun(hub, &client).await);
        let company = client.made.company;
        let again = format!("contact-hub company delete --yes --id {company} --database-url ");
        let binary = Binary::on(&hub.database);
        let listed = binary.run(&["company", "list"]);
        assert!(String::from_utf8_lossy(&listed.stderr).contains(&again), "{listed:?}");
        let checked = binary.run(&["check", "--json"]);
        assert!(String::from_utf8_lossy(&checked.stdout).contains(&again), "{checked:?}");
    })
    .await;
}
