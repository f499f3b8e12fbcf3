//! Takes the first deliveries of the visited webhooks.

use uuid::Uuid;

use contact_hub_domain::webhooks::{Claim, LONGEST_PAUSE};

use crate::columns::IdValue;
use crate::connection::Connection;
use crate::dialect::{Source, any_id};
use crate::statement::{Statement, joined, sql, statement};
use crate::webhooks::leases::is_held;

/// Resent by a person, first tries, retries: the values of the column `urgency`.
const URGENCIES: [u8; 3] = [0, 1, 2];

/// How many deliveries of a webhook are in progress.
const HELD: &str = "(SELECT count(*) FROM delivery_leases WHERE delivery_leases.company_id = webhooks.company_id \
     AND delivery_leases.webhook_id = webhooks.id AND until > ?)";

/// Whether a webhook is not paused. A pause longer than the longest one was written by a clock that was ahead.
const IS_RUNNING: &str = "(paused_until IS NULL OR paused_until <= ? OR paused_until > ?)";

/// A webhook that is off gets only deliveries that a person requested, and one that is paused only those that a person
/// resent.
const FITS: &str = "(is_on OR trigger <> 'scheduled') AND is_running";

/// The condition that a delivery of `held` has this urgency, is due and not in progress.
fn is_due(claim: &Claim, held: &'static str, urgency: u8) -> Statement {
    let fits = (urgency > 0).then(|| sql!(" AND {}", FITS));
    let condition = sql!(
        "company_id = {held}.company_id AND webhook_id = {held}.id AND generation = {held}.generation \
         AND urgency = {urgency} AND due_at <= ?{fits} AND NOT {is_held}",
        held = held,
        urgency = urgency,
        fits = fits,
        is_held = is_held(claim.now),
    );
    condition.bind(claim.now)
}

fn is_running(claim: &Claim) -> Statement {
    statement(IS_RUNNING).bind(claim.now).bind(claim.now.plus(LONGEST_PAUSE))
}

/// Locks the webhooks that may have more in progress. Companies alternate; within each, the webhooks with the most
/// urgent delivery come first.
pub(super) fn lock(claim: &Claim, webhooks: &[Uuid]) -> Statement {
    let heads = URGENCIES.map(|urgency| {
        sql!(
            "SELECT * FROM (SELECT urgency, due_at FROM deliveries WHERE {} ORDER BY due_at LIMIT 1) AS head_{}",
            is_due(claim, "visited", urgency),
            urgency,
        )
    });
    let ids: Vec<IdValue> = webhooks.iter().map(|id| IdValue(*id)).collect();
    let full = claim.hosts.iter().filter(|(_, number)| *number >= claim.per_host);
    let hosts: Vec<Option<String>> = full.map(|(host, _)| Some(host.clone())).collect();
    let lock = sql!(
        "WITH visited AS MATERIALIZED (SELECT id, company_id, generation, disabled_reason IS NULL AS is_on, \
         {is_running} AS is_running FROM webhooks \
         WHERE id = ANY(?) AND NOT (host = ANY(?)) AND {held} < LEAST(slots, ?)) \
         SELECT webhooks.id FROM (SELECT visited.id, head.urgency, head.due_at, row_number() OVER \
         (PARTITION BY visited.company_id ORDER BY head.urgency, head.due_at) AS turn FROM visited CROSS JOIN LATERAL \
         (SELECT * FROM ({heads}) AS heads ORDER BY urgency, due_at LIMIT 1) AS head) AS ranked \
         JOIN webhooks ON webhooks.id = ranked.id ORDER BY ranked.turn, ranked.urgency, ranked.due_at LIMIT ? \
         FOR NO KEY UPDATE OF webhooks SKIP LOCKED",
        is_running = is_running(claim),
        held = statement(HELD).bind(claim.now),
        heads = joined(heads, " UNION ALL "),
    );
    lock.bind(ids).bind(hosts).bind(i64::from(claim.per_webhook)).bind(i64::from(claim.limit))
}

/// Leases deliveries of these webhooks. Companies alternate, each within its limit of deliveries in progress, and so
/// do the webhooks of each company; hosts stay within their limit.
pub(super) fn take(connection: &Connection, claim: &Claim, webhooks: &[Uuid]) -> Statement {
    let hosts = Source::of(&claim.hosts)
        .texts("host", |(host, _)| host.clone())
        .ints("number", |(_, number)| i64::from(*number));
    let visited = any_id(connection, webhooks.iter().copied());
    let take = sql!(
        "WITH {}, {} INSERT INTO delivery_leases (delivery_id, company_id, webhook_id, lease, owner, claimed_at, until) \
         SELECT id, company_id, webhook_id, ?, ?, ?, ? FROM places \
         WHERE place <= CASE WHEN turn = 1 THEN ? ELSE ? END \
         ON CONFLICT (delivery_id) DO UPDATE SET lease = excluded.lease, owner = excluded.owner, \
         claimed_at = excluded.claimed_at, until = excluded.until RETURNING delivery_id AS id",
        candidates(connection, claim, visited),
        ranked(claim, hosts.table(connection)),
    );
    take.bind(claim.lease)
        .bind(claim.instance)
        .bind(claim.now)
        .bind(claim.lease_until)
        .bind(i64::from(claim.limit))
        .bind(i64::from(claim.limit.saturating_sub(claim.reserved)))
}

/// The candidates: the webhooks and their companies, both with the number in progress, and the first deliveries of
/// each webhook.
fn candidates(connection: &Connection, claim: &Claim, visited: Statement) -> Statement {
    let due = joined(URGENCIES.map(|urgency| due(connection, claim, urgency)), " UNION ALL ");
    let (least, due) = match connection {
        Connection::Postgres(_) => ("LEAST", sql!("LATERAL ({}) AS due", due)),
        // SQLite has no LATERAL; a list of row ids that depends on the webhook does the same.
        Connection::Sqlite(_) => ("min", sql!("deliveries AS due ON due.rowid IN ({})", due)),
    };
    let candidates = sql!(
        "held AS MATERIALIZED (SELECT id, company_id, generation, host, {least}(slots, ?) AS slots, \
         disabled_reason IS NULL AS is_on, {is_running} AS is_running, \
         {held} AS number FROM webhooks WHERE id {visited}), \
         companies AS MATERIALIZED (SELECT id, (SELECT count(*) FROM delivery_leases WHERE company_id = owners.id \
         AND until > ? AND owner = ?) AS number FROM (SELECT DISTINCT company_id AS id FROM held) AS owners), \
         due AS MATERIALIZED (SELECT due.id, due.urgency, due.due_at, held.company_id, held.id AS webhook_id, held.host, \
         held.slots, \
         row_number() OVER (PARTITION BY held.id ORDER BY due.urgency, due.due_at, due.id) + held.number AS turn \
         FROM held CROSS JOIN {due})",
        least = least,
        is_running = is_running(claim),
        held = statement(HELD).bind(claim.now),
        visited = visited,
        due = due,
    );
    candidates.bind(i64::from(claim.per_webhook)).bind(claim.now).bind(claim.instance)
}

/// Ranks the candidates in alternation of companies. Those past the limit of a webhook, a company or a host are left.
fn ranked(claim: &Claim, running: Statement) -> Statement {
    let ranked = sql!(
        "turns AS (SELECT due.id, due.company_id, due.webhook_id, due.urgency, due.due_at, due.host, row_number() OVER \
         (PARTITION BY due.company_id ORDER BY due.urgency, due.turn, due.due_at, due.id) + companies.number AS turn \
         FROM due JOIN companies ON companies.id = due.company_id WHERE due.turn <= due.slots), \
         hosts AS (SELECT turns.id, turns.company_id, turns.webhook_id, turns.urgency, turns.due_at, turns.turn, \
         row_number() OVER \
         (PARTITION BY turns.host ORDER BY turns.turn, turns.urgency, turns.due_at, turns.id) \
         + COALESCE(source.number, 0) AS on_host FROM turns LEFT JOIN {} ON source.host = turns.host \
         WHERE turns.turn <= ?), \
         places AS (SELECT id, company_id, webhook_id, turn, row_number() OVER (ORDER BY turn, urgency, due_at, id) AS place FROM hosts \
         WHERE on_host <= ?)",
        running,
    );
    ranked.bind(i64::from(claim.per_company)).bind(i64::from(claim.per_host))
}

/// The first deliveries of `held` with this urgency: their columns on PostgreSQL, their row ids on SQLite.
fn due(connection: &Connection, claim: &Claim, urgency: u8) -> Statement {
    let condition = is_due(claim, "held", urgency);
    let due = match connection {
        Connection::Postgres(_) => sql!(
            "SELECT * FROM (SELECT id, urgency, due_at FROM deliveries WHERE {} ORDER BY due_at, id LIMIT ? \
             FOR UPDATE SKIP LOCKED) AS due_{}",
            condition,
            urgency
        ),
        Connection::Sqlite(_) => sql!(
            "SELECT rowid FROM (SELECT rowid FROM deliveries WHERE {} ORDER BY due_at, id LIMIT ?)",
            condition,
        ),
    };
    due.bind(i64::from(claim.per_webhook))
}
