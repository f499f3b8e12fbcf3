//! The heartbeats of instances that hold leases.

use diesel::QueryableByName;

use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::Dead;

use super::leases::end_of_owners;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

#[derive(QueryableByName)]
struct InstanceRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
}

pub(super) fn sign(
    connection: &mut Connection,
    instance: InstanceId,
    at: Timestamp,
) -> Result<(), Failure> {
    connection.execute(sign_if("true", instance, at))?;
    Ok(())
}

/// The statement that writes a heartbeat if the condition holds.
pub(super) fn sign_if(
    condition: impl Into<Statement>,
    instance: InstanceId,
    at: Timestamp,
) -> Statement {
    let sign = sql!(
        "INSERT INTO instances (id, seen_at) SELECT ?, ? WHERE {} \
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
        condition.into(),
    );
    sign.bind(instance).bind(at)
}

pub(super) fn leave(connection: &mut Connection, instance: InstanceId) -> Result<(), Failure> {
    connection.execute(statement("DELETE FROM instances WHERE id = ?").bind(instance))?;
    Ok(())
}

pub(super) fn take_over(
    connection: &mut Connection,
    instance: InstanceId,
    dead: Dead,
) -> Result<u64, Failure> {
    let text =
        "DELETE FROM instances WHERE (seen_at <= ? OR seen_at >= ?) AND id <> ? RETURNING id";
    let from = dead.from.unwrap_or(Timestamp::MAX);
    let delete = statement(text).bind(dead.until).bind(from).bind(instance);
    let gone: Vec<InstanceRow> = connection.rows(delete)?;
    if gone.is_empty() {
        return Ok(0);
    }
    let ended = end_of_owners(connection, gone.into_iter().map(|row| row.id.0))?;
    Ok(u64::try_from(ended).unwrap_or(u64::MAX))
}
