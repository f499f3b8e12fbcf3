//! Settlements, and which deliveries they cover.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, WebhookId};
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveryState, EventKind};

use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, any_id};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};
use crate::webhooks::rows::{DeliveryRow, delivery_state, moment};
use crate::webhooks::transitions::those;

const COLUMNS: &str =
    "id, company_id, webhook_id, generation, since, until, exhausted, skipped, state, reason, at";

/// The condition that a settlement covers a delivery: it waits in a closed generation, or it ended between two
/// moments.
fn covers() -> Statement {
    sql!(
        "settlements.company_id = deliveries.company_id AND settlements.webhook_id = deliveries.webhook_id AND \
         ((settlements.generation = deliveries.generation AND deliveries.due_at IS NOT NULL) OR \
         (settlements.since IS NOT NULL AND deliveries.state IN ({}) AND deliveries.kind <> 'test' \
         AND deliveries.updated_at >= settlements.since AND deliveries.updated_at <= settlements.until))",
        those(DeliveryState::recovered)
    )
}

/// The condition that any settlement covers a delivery. OFFSET keeps PostgreSQL from joining the few settlements with
/// all deliveries: it checks one delivery after the other, in their order.
pub(in crate::webhooks) fn is_moved() -> Statement {
    sql!("EXISTS (SELECT 1 FROM settlements WHERE {} LIMIT 1 OFFSET 0)", covers())
}

/// The condition that a settlement moves a delivery to this state.
pub(in crate::webhooks) fn is_moved_to(state: DeliveryState) -> Statement {
    let is_moved_to = sql!(
        "EXISTS (SELECT 1 FROM settlements WHERE {} AND settlements.state = ? LIMIT 1 OFFSET 0)",
        covers(),
    );
    is_moved_to.bind(state.as_str())
}

#[derive(QueryableByName)]
struct SettlementRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Nullable<Integer>)]
    generation: Option<i32>,
    #[diesel(sql_type = Nullable<Moment>)]
    since: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Moment>)]
    until: Option<MomentValue>,
    #[diesel(sql_type = BigInt)]
    exhausted: i64,
    #[diesel(sql_type = BigInt)]
    skipped: i64,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Nullable<Text>)]
    reason: Option<String>,
    #[diesel(sql_type = Moment)]
    at: MomentValue,
}

/// Which deliveries of a webhook a settlement covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::webhooks) enum Scope {
    /// Those that wait in this generation.
    Waiting { generation: i32 },
    /// Those that ended exhausted or skipped between these moments, and how many there are.
    Ended { since: Timestamp, until: Timestamp, exhausted: i64, skipped: i64 },
}

/// A change of many deliveries that takes effect before their rows are rewritten.
#[derive(Clone, Debug)]
pub(in crate::webhooks) struct Settlement {
    pub(super) id: i64,
    pub(super) company: CompanyId,
    pub(super) webhook: WebhookId,
    pub(in crate::webhooks) scope: Scope,
    /// Their new state.
    pub(in crate::webhooks) state: DeliveryState,
    /// The reason for it.
    pub(in crate::webhooks) reason: Option<String>,
    /// When it takes effect.
    pub(in crate::webhooks) at: Timestamp,
}

impl SettlementRow {
    fn into_settlement(self) -> Result<Settlement, Failure> {
        let webhook = self.webhook_id.0;
        let corrupt = || Failure::Corrupt(format!("settlements.{}", self.id));
        let scope = match (self.generation, moment(self.since), moment(self.until)) {
            (Some(generation), _, _) => Scope::Waiting { generation },
            (None, Some(since), Some(until)) => {
                Scope::Ended { since, until, exhausted: self.exhausted, skipped: self.skipped }
            }
            _ => return Err(corrupt()),
        };
        Ok(Settlement {
            id: self.id,
            company: CompanyId::new(self.company_id.0),
            webhook: WebhookId::new(webhook),
            scope,
            state: delivery_state(&self.state, webhook)?,
            reason: self.reason,
            at: self.at.0,
        })
    }
}

impl Settlement {
    /// Whether it covers this delivery.
    pub(in crate::webhooks) fn covers(&self, row: &DeliveryRow) -> bool {
        let is_mine = row.webhook_id.0 == self.webhook.uuid();
        is_mine
            && match self.scope {
                Scope::Waiting { generation } => {
                    row.generation == generation && row.due_at.is_some()
                }
                Scope::Ended { since, until, .. } => {
                    DeliveryState::parse(&row.state).and_then(DeliveryState::recovered).is_some()
                        && row.kind != EventKind::Test.as_str()
                        && (since..=until).contains(&row.updated_at.0)
                }
            }
    }
}

/// The unfinished settlements of a company; usually none.
pub(in crate::webhooks) fn of_company(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<Settlement>, Failure> {
    let select = sql!("SELECT {} FROM settlements WHERE company_id = ?", COLUMNS);
    let rows: Vec<SettlementRow> = connection.rows(select.bind(company))?;
    rows.into_iter().map(SettlementRow::into_settlement).collect()
}

/// Locks those of webhooks, each given with its company, until the transaction ends.
pub(super) fn lock_of_webhooks(
    connection: &mut Connection,
    webhooks: &[(CompanyId, WebhookId)],
) -> Result<Vec<Settlement>, Failure> {
    let select = sql!(
        "SELECT {} FROM settlements WHERE company_id {} AND webhook_id {} ORDER BY id{}",
        COLUMNS,
        any_id(connection, webhooks.iter().map(|(company, _)| company.uuid())),
        any_id(connection, webhooks.iter().map(|(_, webhook)| webhook.uuid())),
        Lock::ForUpdate.on(connection)
    );
    let rows: Vec<SettlementRow> = connection.rows(select)?;
    rows.into_iter().map(SettlementRow::into_settlement).collect()
}

/// Locks up to this many settlements that no other transaction works on: one of each company, then another one of
/// each.
pub(super) fn lock_some(
    connection: &mut Connection,
    most: i64,
) -> Result<Vec<Settlement>, Failure> {
    let lock = match connection {
        Connection::Postgres(_) => " FOR UPDATE OF settlements SKIP LOCKED",
        Connection::Sqlite(_) => "",
    };
    let select = sql!(
        "SELECT {} FROM settlements JOIN (SELECT id AS turn_of, row_number() OVER \
         (PARTITION BY company_id ORDER BY random()) AS turn FROM settlements) AS turns ON turns.turn_of = settlements.id \
         ORDER BY turns.turn, random() LIMIT ?{}",
        COLUMNS,
        lock
    );
    let rows: Vec<SettlementRow> = connection.rows(select.bind(most))?;
    rows.into_iter().map(SettlementRow::into_settlement).collect()
}

/// Writes a new settlement; `at` is when it takes effect.
pub(super) fn insert(connection: &mut Connection, new: &Settlement) -> Result<i64, Failure> {
    let (generation, since, until, exhausted, skipped) = match new.scope {
        Scope::Waiting { generation } => (Some(generation), None, None, 0, 0),
        Scope::Ended { since, until, exhausted, skipped } => {
            (None, Some(since), Some(until), exhausted, skipped)
        }
    };
    let text = "INSERT INTO settlements (company_id, webhook_id, generation, since, until, exhausted, skipped, state, \
         reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id";
    let insert = statement(text)
        .bind(new.company)
        .bind(new.webhook)
        .bind(generation)
        .bind(since)
        .bind(until)
        .bind(exhausted)
        .bind(skipped)
        .bind(new.state.as_str())
        .bind(new.reason.clone())
        .bind(new.at);
    let row: Option<NumberRow> = connection.first(insert)?;
    row.map(|row| row.id).ok_or_else(|| Failure::Corrupt("settlements.id".to_owned()))
}

/// Writes new settlements of what waits.
pub(super) fn insert_all(connection: &mut Connection, new: &[Settlement]) -> Result<(), Failure> {
    let generation = |one: &Settlement| match one.scope {
        Scope::Waiting { generation } => Some(i64::from(generation)),
        Scope::Ended { .. } => None,
    };
    let source = Source::of(new)
        .ids("company_id", |one| one.company.uuid())
        .ids("webhook_id", |one| one.webhook.uuid())
        .ints("generation", generation)
        .texts("state", |one| one.state.as_str().to_owned())
        .optional_texts("reason", |one| one.reason.clone())
        .moments("at", |one| one.at);
    let insert = sql!(
        "INSERT INTO settlements ({names}, exhausted, skipped) SELECT {names}, 0, 0 FROM {table}",
        names = source.names(),
        table = source.table(connection),
    );
    connection.execute(insert)?;
    Ok(())
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

pub(super) fn delete(connection: &mut Connection, id: i64) -> Result<(), Failure> {
    connection.execute(statement("DELETE FROM settlements WHERE id = ?").bind(id))?;
    Ok(())
}

/// Subtracts deliveries that are about to change for another reason from the counts of settlements.
pub(in crate::webhooks) fn leave(
    connection: &mut Connection,
    company: CompanyId,
    deliveries: &[Uuid],
) -> Result<(), Failure> {
    let open = of_company(connection, company)?;
    if !open.iter().any(|it| matches!(it.scope, Scope::Ended { .. })) {
        return Ok(());
    }
    let number = |state: DeliveryState| {
        let any = any_id(connection, deliveries.iter().copied());
        sql!(
            "(SELECT count(*) FROM deliveries WHERE id {} AND state = '{}' AND {})",
            any,
            state.as_str(),
            covers(),
        )
    };
    let update = sql!(
        "UPDATE settlements SET exhausted = exhausted - {}, skipped = skipped - {} \
         WHERE company_id = ? AND since IS NOT NULL",
        number(DeliveryState::Exhausted),
        number(DeliveryState::Skipped),
    );
    connection.execute(update.bind(company))?;
    Ok(())
}
