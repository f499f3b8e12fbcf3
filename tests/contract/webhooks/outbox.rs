//! Webhooks and deliveries for testing the ports.

use crate::sample::operator;
use std::time::Duration;

use contact_hub_domain::ids::{
    AttemptId, CompanyId, DeliveryId, EventId, InstanceId, LeaseId, SyncId, WebhookId,
    WebhookSecretId,
};
use contact_hub_domain::input::FromText;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{
    Answer, Attempt, AttemptOutcome, AttemptResult, Claim, Claimed, DeliveryQueue, Headers, Health,
    NewSecret, NextStep, PayloadUrl, Prefetch, Recorded, Sealed, Subscriptions, Walk, Webhook,
    WebhookChange, WebhookName, WebhookStore,
};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use diesel::sql_types::BigInt;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use uuid::Uuid;

use crate::sample::{MANY, at, stored_company};

/// A database with a company.
pub(super) struct Outbox {
    pub(super) database: TestDatabase,
    pub(super) storage: Storage,
    pub(super) company: CompanyId,
}

/// The time this many seconds after the start.
pub(super) fn second(seconds: i64) -> Timestamp {
    at(seconds * 1_000_000)
}

pub(super) fn webhook(company: CompanyId) -> Webhook {
    Webhook {
        id: WebhookId::new(Uuid::now_v7()),
        company,
        name: WebhookName::from_text("Platform").expect("a name"),
        url: PayloadUrl::from_text("https://receiver.example/hook").expect("an address"),
        events: Subscriptions::from_bits(1),
        health: Health::switched(true),
        previous_secret_until: None,
        created_at: second(0),
        updated_at: second(0),
    }
}

pub(super) fn secret(byte: u8) -> NewSecret {
    let sealed = Sealed { key_id: "k1".to_owned(), bytes: vec![byte; 40] };
    NewSecret { id: WebhookSecretId::new(Uuid::now_v7()), sealed }
}

/// A claim with a lease of a minute.
pub(super) fn claim_at(now: Timestamp, limit: u32) -> Claim {
    let lease = LeaseId::new(Uuid::now_v7());
    Claim {
        lease,
        instance: InstanceId::new(Uuid::from_u128(1)),
        now,
        lease_until: now.plus(Duration::from_mins(1)),
        limit,
        reserved: 0,
        per_webhook: 8,
        prefetch: Prefetch::default(),
        per_company: 1000,
        per_host: 1000,
        hosts: Vec::new(),
        walk: Walk::default(),
    }
}

fn kept(headers: &[(&str, &[u8])]) -> Headers {
    Headers::kept(headers.iter().copied())
}

/// The record of an attempt that started at this time and took a second.
pub(super) fn ended(claimed: &Claimed, started_at: Timestamp, next: NextStep) -> Recorded {
    let outcome = match next {
        NextStep::Succeeded => AttemptOutcome::Answered(200),
        NextStep::Gone => AttemptOutcome::Answered(410),
        NextStep::RetryAt(_) | NextStep::Exhausted => AttemptOutcome::Answered(500),
    };
    let result = AttemptResult {
        started_at,
        duration: Duration::from_secs(1),
        outcome,
        retry_after: Some(Duration::from_secs(7)),
        answer: Some(Answer::from_bytes(b"answer \xff")),
        request_headers: kept(&[("webhook-id", b"1")]),
        answer_headers: kept(&[("content-type", b"text/\"plain\"\xff"), ("set-cookie", b"secret")]),
    };
    let id = AttemptId::new(Uuid::now_v7());
    let attempt = Attempt { id, number: claimed.number, trigger: claimed.trigger, result };
    Recorded { delivery_id: claimed.delivery_id, lease: claimed.lease, attempt, next }
}

impl Outbox {
    pub(super) async fn new() -> Self {
        let database = TestDatabase::migrated();
        let storage = database.storage();
        let company = stored_company(&storage).await.id;
        Self { database, storage, company }
    }

    /// A stored, enabled webhook.
    pub(super) async fn webhook(&self) -> WebhookId {
        let webhook = webhook(self.company);
        WebhookStore::create(&self.storage, operator(), webhook.clone(), secret(1), MANY)
            .await
            .expect("a webhook");
        webhook.id
    }

    /// Switches a webhook off, which closes its deliveries, or on.
    pub(super) async fn switch(&self, webhook: WebhookId, on: bool, at: i64) {
        let switched = Some(Health::switched(on));
        let change = WebhookChange { switched, ..WebhookChange::default() };
        let by = self.company.into();
        let changed = WebhookStore::change(&self.storage, by, webhook, change, second(at)).await;
        assert!(changed.expect("changed").is_some());
    }

    /// Deliveries that are due at this time, after this many retries.
    pub(super) fn due(
        &self,
        webhook: WebhookId,
        count: usize,
        retries: u32,
        due: Timestamp,
    ) -> Vec<DeliveryId> {
        let ids: Vec<Uuid> = (0..count).map(|_| Uuid::now_v7()).collect();
        let event = EventId::new(Uuid::now_v7());
        let (company, event) = (self.id(self.company.uuid()), self.id(event.uuid()));
        let (webhook, sync) =
            (self.id(webhook.uuid()), self.id(SyncId::new(Uuid::now_v7()).uuid()));
        let (created, due) = (self.moment(second(0)), self.moment(due));
        let state = if retries == 0 { "pending" } else { "retrying" };
        // The text of each row is parsed, so with many rows it only contains what differs.
        let rows = ids.iter().map(|id| format!("({})", self.id(*id)));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let uuid = if self.database.is_postgres() { "uuid" } else { "blob" };
        // The asset and the connection of the sync have its id.
        let text = format!(
            "INSERT INTO assets (id, company_id, name, type, html, text, text_is_made, created_at, updated_at) \
             VALUES ({sync}, {company}, 'Sale', 'landing_page', '', '', true, {created}, {created}); \
             INSERT INTO syncs (id, company_id, asset_id, integration_id, state, requested_at) \
             VALUES ({sync}, {company}, {sync}, {sync}, 'requested', {created}); \
             INSERT INTO events (id, company_id, kind, sync_id, payload, created_at) \
             VALUES ({event}, {company}, 'syncRequested', {sync}, '{{\"ä\": 1}}', {created}); \
             WITH ids (id) AS (VALUES {rows}) \
             INSERT INTO deliveries (id, company_id, event_id, webhook_id, sync_id, kind, state, trigger, attempts, \
             retries, generation, due_at, created_at, updated_at) \
             SELECT CAST(ids.id AS {uuid}), {company}, {event}, webhooks.id, {sync}, 'syncRequested', '{state}', \
             'scheduled', {retries}, {retries}, generation, {due}, {created}, {created} \
             FROM ids CROSS JOIN webhooks WHERE webhooks.id = {webhook};"
        );
        self.execute(&text);
        ids.into_iter().map(DeliveryId::new).collect()
    }

    pub(super) async fn claim(&self, now: Timestamp, limit: u32) -> Vec<Claimed> {
        self.storage.claim(claim_at(now, limit)).await.expect("a claim").claimed
    }

    /// The earliest time at which a delivery is due.
    pub(super) async fn next_due(&self) -> Option<Timestamp> {
        self.storage.look(InstanceId::new(Uuid::nil())).await.expect("a look").next_due
    }

    /// Claims the only due delivery and records this outcome.
    pub(super) async fn attempt(&self, now: Timestamp, next: NextStep) -> Claimed {
        let claimed = self.claim(now, 1).await.pop().expect("one is due");
        self.storage.record(vec![ended(&claimed, now, next)]).await.expect("recorded");
        claimed
    }

    /// The delivery's state, its next attempt and its reason.
    pub(super) async fn state_of(
        &self,
        id: DeliveryId,
    ) -> (&'static str, Option<Timestamp>, Option<String>) {
        let detail = self.storage.read_delivery(self.company, id).await.expect("a read");
        let delivery = detail.expect("a delivery").delivery;
        (delivery.state.as_str(), delivery.next_attempt_at, delivery.reason)
    }

    /// Executes statements in one transaction.
    pub(super) fn execute(&self, text: &str) {
        if self.database.is_postgres() {
            self.database.execute(text);
        } else {
            self.database.execute(&format!("BEGIN IMMEDIATE; {text} COMMIT;"));
        }
    }

    /// How many rows of deliveries meet this condition.
    pub(super) fn number_of(&self, condition: &str) -> i64 {
        self.number_in("deliveries", condition)
    }

    /// How many rows of a table meet this condition.
    pub(super) fn number_in(&self, table: &str, condition: &str) -> i64 {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = BigInt)]
            number: i64,
        }
        let url = self.database.url_text();
        let text = format!("SELECT count(*) AS number FROM {table} WHERE {condition}");
        let row: Row = if self.database.is_postgres() {
            let mut connection = PgConnection::establish(url).expect("PostgreSQL");
            diesel::sql_query(text).get_result(&mut connection).expect("a number")
        } else {
            let path = url.trim_start_matches("sqlite://");
            let mut connection = SqliteConnection::establish(path).expect("SQLite");
            diesel::sql_query(text).get_result(&mut connection).expect("a number")
        };
        row.number
    }

    pub(super) fn id(&self, id: Uuid) -> String {
        if self.database.is_postgres() { format!("'{id}'") } else { format!("x'{}'", id.simple()) }
    }

    pub(super) fn moment(&self, moment: Timestamp) -> String {
        if self.database.is_postgres() {
            format!("'{}'", moment.to_text(6))
        } else {
            moment.micros().to_string()
        }
    }
}
