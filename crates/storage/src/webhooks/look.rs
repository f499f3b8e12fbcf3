//! Read when the next delivery is due, and the size of the backlog.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Nullable};

use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{Backlog, Look, MAX_BACKLOG};

use super::backlog;
use super::leases::HAS_LEASE;
use super::rows::moment;
use super::settling::or_has_count_changes;
use crate::columns::{Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct LookRow {
    #[diesel(sql_type = Nullable<Moment>)]
    due_at: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Moment>)]
    lease_ends_at: Option<MomentValue>,
    #[diesel(sql_type = Bool)]
    is_unsettled: bool,
    #[diesel(sql_type = Nullable<Moment>)]
    oldest_sign: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Moment>)]
    newest_sign: Option<MomentValue>,
}

#[derive(QueryableByName)]
struct BacklogRow {
    #[diesel(sql_type = BigInt)]
    due: i64,
    #[diesel(sql_type = Nullable<Moment>)]
    since: Option<MomentValue>,
}

pub(super) fn look(connection: &mut Connection, instance: InstanceId) -> Result<Look, Failure> {
    let changes = or_has_count_changes(connection);
    let select = sql!(
        "SELECT (SELECT due_at FROM deliveries WHERE due_at IS NOT NULL \
         AND state IN ('pending', 'in_progress', 'retrying') AND NOT {} ORDER BY due_at LIMIT 1) AS due_at, \
         (SELECT min(until) FROM delivery_leases WHERE EXISTS (SELECT 1 FROM deliveries WHERE id = delivery_id \
         AND due_at IS NOT NULL LIMIT 1 OFFSET 0)) AS lease_ends_at, \
         EXISTS (SELECT 1 FROM settlements) OR EXISTS (SELECT 1 FROM erasures){} AS is_unsettled, \
         signs.oldest AS oldest_sign, signs.newest AS newest_sign \
         FROM (SELECT min(seen_at) AS oldest, max(seen_at) AS newest FROM instances WHERE id <> ?) AS signs",
        HAS_LEASE,
        changes
    );
    let row: Option<LookRow> = connection.first(select.bind(instance))?;
    Ok(row.map_or_else(Look::default, |row| Look {
        next_due: moment(row.due_at).into_iter().chain(moment(row.lease_ends_at)).min(),
        is_unsettled: row.is_unsettled,
        oldest_sign: moment(row.oldest_sign),
        newest_sign: moment(row.newest_sign),
    }))
}

pub(super) fn backlog(connection: &mut Connection, now: Timestamp) -> Result<Backlog, Failure> {
    let select = backlog::backlog(connection, now).bind(i64::from(MAX_BACKLOG));
    let row: Option<BacklogRow> = connection.first(select)?;
    Ok(row.map_or_else(Backlog::default, |row| Backlog {
        due: u64::try_from(row.due).unwrap_or_default(),
        since: moment(row.since),
    }))
}
