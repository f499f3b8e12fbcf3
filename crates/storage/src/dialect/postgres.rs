//! PostgreSQL's forms: arrays that are unnested, so that a statement's text does not depend on how many rows it has.

use crate::columns::{IdValue, JsonValue};
use crate::connection::Connection;
use crate::contacts::ValueUse;
use crate::failure::Failure;
use crate::statement::statement;

/// The advisory lock under which the first company is made: the letters "boot".
const BOOTSTRAP_LOCK: i64 = 0x626f_6f74;

pub(super) fn lock_bootstrap(connection: &mut Connection) -> Result<(), Failure> {
    connection.execute(statement("SELECT pg_advisory_xact_lock(?)").bind(BOOTSTRAP_LOCK))?;
    Ok(())
}

pub(super) fn change_value_uses(
    connection: &mut Connection,
    changes: &[ValueUse],
) -> Result<(), Failure> {
    let falls = changes.iter().any(|change| change.delta < 0);
    let fields: Vec<IdValue> = changes
        .iter()
        .map(|change| IdValue(change.field.uuid()))
        .collect();
    let keys: Vec<Vec<u8>> = changes
        .iter()
        .map(|change| change.sort_key.clone())
        .collect();
    let identities: Vec<Vec<u8>> = changes
        .iter()
        .map(|change| change.identity.clone())
        .collect();
    let upsert = "INSERT INTO field_value_uses AS known (field_id, sort_key, identity, sort_rest, value, uses) \
         SELECT * FROM unnest(?, ?, ?, ?, ?, ?) \
         ON CONFLICT (field_id, sort_key, identity) DO UPDATE SET uses = known.uses + excluded.uses";
    let (rests, values): (Vec<_>, Vec<_>) = changes
        .iter()
        .map(|change| (change.sort_rest.clone(), JsonValue(change.value.clone())))
        .unzip();
    let deltas: Vec<i64> = changes.iter().map(|change| change.delta).collect();
    connection.execute(
        statement(upsert)
            .bind(fields.clone())
            .bind(keys.clone())
            .bind(identities.clone())
            .bind(rests)
            .bind(values)
            .bind(deltas),
    )?;
    if falls {
        let delete = "DELETE FROM field_value_uses WHERE uses <= 0 AND (field_id, sort_key, identity) IN \
             (SELECT * FROM unnest(?, ?, ?))";
        connection.execute(statement(delete).bind(fields).bind(keys).bind(identities))?;
    }
    Ok(())
}
