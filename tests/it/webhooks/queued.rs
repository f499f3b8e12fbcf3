//! Waiting deliveries, written directly as if an event had caused them.

use contact_hub_tests::{Client, TestDatabase, TestHub};
use serde_json::Value;
use uuid::Uuid;

use crate::support::execute;

/// Writes this many events, each with a delivery to the webhook that is due, and wakes the worker.
pub(super) fn queue(hub: &TestHub, webhook: &str, count: usize) {
    write(&hub.database, webhook, count);
    hub.hub.ports.webhooks.signal.wake();
}

/// Writes this many events, each with a delivery to the webhook that is due.
pub(super) fn write(database: &TestDatabase, webhook: &str, count: usize) {
    let webhook = webhook.trim_start_matches("/webhooks/").parse().expect("an id");
    let webhook = id(database, webhook);
    let company = format!("(SELECT company_id FROM webhooks WHERE id = {webhook})");
    let (many, new, now) = if database.is_postgres() {
        let many = format!("SELECT gen_random_uuid() AS id FROM generate_series(1, {count})");
        (many, "gen_random_uuid()", "now()")
    } else {
        let many = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
             SELECT randomblob(16) AS id FROM n"
        );
        (many, "randomblob(16)", "unixepoch() * 1000000")
    };
    execute(
        database,
        &format!(
            "CREATE TEMPORARY TABLE queued AS {many};
             INSERT INTO events (id, company_id, kind, payload, created_at)
             SELECT id, {company}, 'syncRequested', '{{\"ä\": 1}}', {now} FROM queued;
             INSERT INTO deliveries (id, company_id, event_id, webhook_id, kind, state, trigger, attempts, retries,
             generation, due_at, created_at, updated_at)
             SELECT {new}, {company}, id, {webhook}, 'syncRequested', 'pending', 'scheduled', 0, 0,
             (SELECT generation FROM webhooks WHERE id = {webhook}), {now}, {now}, {now}
             FROM queued"
        ),
    );
}

fn id(database: &TestDatabase, id: Uuid) -> String {
    if database.is_postgres() { format!("'{id}'::uuid") } else { format!("x'{}'", id.simple()) }
}

/// The deliveries of the client's company in this state.
pub(super) async fn in_state(client: &Client, state: &str) -> Vec<Value> {
    let path = format!("/deliveries?page[size]=100&state={state}");
    client.get(&path).await.expect(200).data().as_array().expect("rows").clone()
}

/// How many deliveries of the client's company are in this state.
pub(super) async fn count_in_state(client: &Client, state: &str) -> u64 {
    let answer = client.get(&format!("/deliveries?page[size]=1&state={state}")).await.expect(200);
    answer.json["meta"]["total"].as_u64().expect("a number")
}
