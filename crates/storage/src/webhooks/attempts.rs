//! The attempts at deliveries, which are immutable.

use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use serde_json::Value;
use uuid::Uuid;

use contact_hub_domain::ids::{AttemptId, CompanyId, DeliveryId};
use contact_hub_domain::webhooks::{
    Answer, Attempt, AttemptOutcome, AttemptResult, ErrorClass, Headers,
};

use super::rows::{corrupt, count, stored_count, trigger};
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::dialect::{Source, unindexed};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

#[derive(QueryableByName)]
struct AttemptRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Integer)]
    number: i32,
    #[diesel(sql_type = Text)]
    trigger: String,
    #[diesel(sql_type = Moment)]
    started_at: MomentValue,
    #[diesel(sql_type = BigInt)]
    duration_ms: i64,
    #[diesel(sql_type = Nullable<Integer>)]
    status_code: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    error_class: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    retry_after_ms: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    answer: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    request_headers: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    answer_headers: Option<String>,
}

/// An attempt with the ids of its owners.
#[derive(Clone, Copy)]
pub(super) struct NewAttempt<'a> {
    pub(super) company: CompanyId,
    pub(super) delivery: DeliveryId,
    pub(super) attempt: &'a Attempt,
}

/// The statement that inserts attempts.
pub(super) fn insertion(connection: &Connection, attempts: &[NewAttempt<'_>]) -> Statement {
    let source = source(attempts);
    sql!(
        "INSERT INTO delivery_attempts ({columns}) SELECT {columns} FROM {table}",
        columns = source.names(),
        table = source.table(connection),
    )
}

fn source<'a>(attempts: &'a [NewAttempt<'a>]) -> Source<'a, NewAttempt<'a>> {
    let answer = |result: &AttemptResult| result.answer.as_ref().map(|it| it.as_str().to_owned());
    Source::of(attempts)
        .ids("id", |new| new.attempt.id.uuid())
        .ids("company_id", |new| new.company.uuid())
        .ids("delivery_id", |new| new.delivery.uuid())
        .ints("number", |new| stored_count(new.attempt.number))
        .texts("trigger", |new| new.attempt.trigger.as_str().to_owned())
        .moments("started_at", |new| new.attempt.result.started_at)
        .ints("duration_ms", |new| millis(new.attempt.result.duration))
        .ints("status_code", |new| outcome_cells(new.attempt.result.outcome).0)
        .optional_texts("error_class", |new| outcome_cells(new.attempt.result.outcome).1)
        .ints("retry_after_ms", |new| new.attempt.result.retry_after.map(millis))
        .optional_texts("answer", move |new| answer(&new.attempt.result))
        .optional_texts("request_headers", |new| stored(&new.attempt.result.request_headers))
        .optional_texts("answer_headers", |new| stored(&new.attempt.result.answer_headers))
}

/// Headers as a JSON document of pairs.
fn stored(headers: &Headers) -> Option<String> {
    let pairs = headers.iter().map(|(name, value)| Value::from(vec![name, value]));
    (!headers.is_empty()).then(|| pairs.collect::<Value>().to_string())
}

fn headers(column: &'static str, id: Uuid, document: Option<String>) -> Result<Headers, Failure> {
    let Some(document) = document else { return Ok(Headers::default()) };
    let pairs = serde_json::from_str(&document).map_err(|_invalid| corrupt(column, id))?;
    Ok(Headers::from_stored(pairs))
}

pub(super) fn outcome_cells(outcome: AttemptOutcome) -> (Option<i64>, Option<String>) {
    match outcome {
        AttemptOutcome::Answered(status) => (Some(status.into()), None),
        AttemptOutcome::Failed(class) => (None, Some(class.as_str().to_owned())),
    }
}

/// The outcome in the cells of a row.
pub(super) fn outcome(status: Option<i32>, class: Option<&str>) -> Option<AttemptOutcome> {
    match status {
        Some(status) => u16::try_from(status).ok().map(AttemptOutcome::Answered),
        None => class.and_then(ErrorClass::parse).map(AttemptOutcome::Failed),
    }
}

/// The duration in the cell of a row.
pub(super) fn time(millis: i64) -> Duration {
    Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// The maximum number of attempts that are kept of a delivery. Every resend adds some, of up to 16 KiB each.
const MAX_KEPT: i64 = 200;

/// The statements that delete, for each new attempt, the one that is [`MAX_KEPT`] before it at the same delivery.
pub(super) fn deletions(connection: &Connection, attempts: &[NewAttempt<'_>]) -> Vec<Statement> {
    let deletions = attempts.iter().filter_map(|new| {
        let number = stored_count(new.attempt.number) - MAX_KEPT;
        let delete = sql!(
            "DELETE FROM delivery_attempts WHERE delivery_id = ? AND number = ? AND {}company_id = ?",
            unindexed(connection),
        );
        (number > 0).then(|| delete.bind(new.delivery).bind(number).bind(new.company))
    });
    deletions.collect()
}

/// The latest attempts at a delivery of the company, at most [`MAX_KEPT`], the first one first.
pub(super) fn attempts_of(
    connection: &mut Connection,
    company: CompanyId,
    delivery: DeliveryId,
) -> Result<Vec<Attempt>, Failure> {
    let text = "SELECT id, number, trigger, started_at, duration_ms, status_code, error_class, retry_after_ms, answer, \
         request_headers, answer_headers \
         FROM delivery_attempts WHERE delivery_id = ? AND company_id = ? ORDER BY number DESC LIMIT ?";
    let select = statement(text).bind(delivery).bind(company).bind(MAX_KEPT);
    let latest: Vec<AttemptRow> = connection.rows(select)?;
    latest.into_iter().rev().map(AttemptRow::into_attempt).collect()
}

impl AttemptRow {
    fn into_attempt(self) -> Result<Attempt, Failure> {
        let id = self.id.0;
        let outcome = outcome(self.status_code, self.error_class.as_deref());
        let result = AttemptResult {
            started_at: self.started_at.0,
            duration: time(self.duration_ms),
            outcome: outcome.ok_or_else(|| corrupt("delivery_attempts.error_class", id))?,
            retry_after: self.retry_after_ms.map(time),
            answer: self.answer.map(Answer::from_stored),
            request_headers: headers(
                "delivery_attempts.request_headers",
                id,
                self.request_headers,
            )?,
            answer_headers: headers("delivery_attempts.answer_headers", id, self.answer_headers)?,
        };
        let trigger = trigger(&self.trigger, id)?;
        Ok(Attempt { id: AttemptId::new(id), number: count(self.number), trigger, result })
    }
}
