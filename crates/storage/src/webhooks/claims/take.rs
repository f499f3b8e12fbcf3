//! Takes the first deliveries of the visited webhooks.

use uuid::Uuid;

use contact_hub_domain::webhooks::{Claim, LONGEST_PAUSE};

use super::read::read;
use crate::columns::IdValue;
use crate::connection::Connection;
use crate::dialect::{Source, any_id, any_selected};
use crate::statement::{Statement, joined, sql, statement};
use crate::webhooks::instances::sign_if;
use crate::webhooks::leases::is_held;

/// Resent by a person, first tries, retries: the values of the column `urgency`.
const URGENCIES: [u8; 3] = [0, 1, 2];

/// How many deliveries of a webhook are in progress.
const HELD: &str = "(SELECT count(*) FROM delivery_leases WHERE delivery_leases.company_id = webhooks.company_id \
     AND delivery_leases.webhook_id = webhooks.id AND until > ?)";

/// Whether another instance holds deliveries of a webhook.
const IS_SHARED: &str = "EXISTS (SELECT 1 FROM delivery_leases WHERE delivery_leases.company_id = webhooks.company_id \
     AND delivery_leases.webhook_id = webhooks.id AND until > ? AND owner <> ?)";

/// Whether a webhook is not paused. A pause longer than the longest one was written by a clock that was ahead.
const IS_RUNNING: &str = "(paused_until IS NULL OR paused_until <= ? OR paused_until > ?)";

/// A webhook that is off gets only deliveries that a person requested, and one that is paused only those that a person
/// resent.
const FITS: &str = "(is_on OR trigger <> 'scheduled') AND is_running";

/// How many attempts of a company this instance has in progress: what it holds, without what it has claimed ahead.
pub(super) fn attempts_of(claim: &Claim, company: &'static str) -> Statement {
    let attempts = sql!(
        "COALESCE((SELECT CAST(sum(CASE WHEN number < ? THEN number ELSE ? END) AS bigint) FROM (SELECT count(*) AS number \
         FROM delivery_leases WHERE company_id = {}.id AND until > ? AND owner = ? GROUP BY webhook_id) AS leased), 0)",
        company,
    );
    let per_webhook = i64::from(claim.per_webhook);
    attempts.bind(per_webhook).bind(per_webhook).bind(claim.now).bind(claim.instance)
}

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

/// How many deliveries of a webhook may be in progress: for one that is prefetched more than may be attempted at once.
fn room(connection: &Connection, claim: &Claim) -> Statement {
    let least = match connection {
        Connection::Postgres(_) => "LEAST",
        Connection::Sqlite(_) => "min",
    };
    let prefetched = any_id(connection, claim.prefetch.webhooks.iter().map(|id| id.uuid()));
    let room = sql!(
        "CASE WHEN slots >= ? AND webhooks.id {prefetched} AND NOT {is_shared} THEN ? ELSE {least}(slots, ?) END",
        prefetched = prefetched,
        is_shared = statement(IS_SHARED).bind(claim.now).bind(claim.instance),
        least = least,
    );
    let per_webhook = i64::from(claim.per_webhook);
    room.bind(per_webhook).bind(i64::from(most_of_one(claim))).bind(per_webhook)
}

/// The most that an instance may hold of one webhook.
const fn most_of_one(claim: &Claim) -> u32 {
    claim.per_webhook.saturating_add(claim.prefetch.per_webhook)
}

fn is_running(claim: &Claim) -> Statement {
    statement(IS_RUNNING).bind(claim.now).bind(claim.now.plus(LONGEST_PAUSE))
}

/// Locks the webhooks that may have more in progress. Those that may have more attempts at once come first. Companies
/// alternate; within each, the webhooks with the most urgent delivery come first.
pub(super) fn lock(connection: &Connection, claim: &Claim, webhooks: &[Uuid]) -> Statement {
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
    // Without OFFSET PostgreSQL would count the leases of a webhook twice.
    let lock = sql!(
        "WITH visited AS MATERIALIZED (SELECT id, company_id, generation, is_on, is_running, number >= ? AS is_ahead FROM \
         (SELECT id, company_id, generation, disabled_reason IS NULL AS is_on, {is_running} AS is_running, \
         {held} AS number, {room} AS room FROM webhooks WHERE id = ANY(?) AND NOT (host = ANY(?)) OFFSET 0) AS webhooks \
         WHERE number < room) \
         SELECT webhooks.id FROM (SELECT visited.id, visited.is_ahead, head.urgency, head.due_at, row_number() OVER \
         (PARTITION BY visited.company_id ORDER BY visited.is_ahead, head.urgency, head.due_at) AS turn \
         FROM visited CROSS JOIN LATERAL \
         (SELECT * FROM ({heads}) AS heads ORDER BY urgency, due_at LIMIT 1) AS head) AS ranked \
         JOIN webhooks ON webhooks.id = ranked.id \
         ORDER BY ranked.is_ahead, ranked.turn, ranked.urgency, ranked.due_at LIMIT ? \
         FOR NO KEY UPDATE OF webhooks SKIP LOCKED",
        is_running = is_running(claim),
        held = statement(HELD).bind(claim.now),
        room = room(connection, claim),
        heads = joined(heads, " UNION ALL "),
    );
    let per_webhook = i64::from(claim.per_webhook);
    lock.bind(per_webhook).bind(ids).bind(hosts).bind(i64::from(claim.limit))
}

/// Leases deliveries of these webhooks, and selects their ids. Companies alternate, each within its limit of deliveries
/// in progress, and so do the webhooks of each company; hosts stay within their limit.
pub(super) fn take(connection: &Connection, claim: &Claim, webhooks: &[Uuid]) -> Statement {
    sql!("WITH {} {}", places(connection, claim, webhooks), lease(claim))
}

/// As [`take`], for PostgreSQL, which also writes the heartbeat and reads the deliveries in the same round trip.
pub(super) fn take_and_read(
    connection: &Connection,
    claim: &Claim,
    webhooks: &[Uuid],
) -> Statement {
    sql!(
        "WITH {places}, taken AS ({lease}), signed AS ({sign}) {read}",
        places = places(connection, claim, webhooks),
        lease = lease(claim),
        sign = sign_if(statement("EXISTS (SELECT 1 FROM taken)"), claim.instance, claim.now),
        read = read(any_selected(connection, statement("SELECT id FROM taken")), claim),
    )
}

/// The places of the deliveries that may be taken.
fn places(connection: &Connection, claim: &Claim, webhooks: &[Uuid]) -> Statement {
    let hosts = Source::of(&claim.hosts)
        .texts("host", |(host, _)| host.clone())
        .ints("number", |(_, number)| i64::from(*number));
    let visited = any_id(connection, webhooks.iter().copied());
    sql!("{}, {}", candidates(connection, claim, visited), ranked(claim, hosts.table(connection)))
}

/// Leases the first of `places`.
fn lease(claim: &Claim) -> Statement {
    let lease = statement(
        "INSERT INTO delivery_leases (delivery_id, company_id, webhook_id, lease, owner, claimed_at, until) \
         SELECT id, company_id, webhook_id, ?, ?, ?, ? FROM places \
         WHERE place <= CASE WHEN turn = 1 AND NOT is_ahead THEN ? ELSE ? END \
         ON CONFLICT (delivery_id) DO UPDATE SET lease = excluded.lease, owner = excluded.owner, \
         claimed_at = excluded.claimed_at, until = excluded.until, is_former = excluded.is_former \
         RETURNING delivery_id AS id",
    );
    lease
        .bind(claim.lease)
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
    let due = match connection {
        Connection::Postgres(_) => sql!("LATERAL ({}) AS due", due),
        // SQLite has no LATERAL; a list of row ids that depends on the webhook does the same.
        Connection::Sqlite(_) => sql!("deliveries AS due ON due.rowid IN ({})", due),
    };
    let candidates = sql!(
        "held AS MATERIALIZED (SELECT id, company_id, generation, host, {room} AS room, \
         disabled_reason IS NULL AS is_on, {is_running} AS is_running, \
         {held} AS number FROM webhooks WHERE id {visited}), \
         companies AS MATERIALIZED (SELECT id, {attempts} AS attempts, (SELECT count(*) FROM delivery_leases \
         WHERE company_id = owners.id AND until > ? AND owner = ?) AS number \
         FROM (SELECT DISTINCT company_id AS id FROM held) AS owners), \
         due AS MATERIALIZED (SELECT due.id, due.urgency, due.due_at, held.company_id, held.id AS webhook_id, held.host, \
         held.room, \
         row_number() OVER (PARTITION BY held.id ORDER BY due.urgency, due.due_at, due.id) + held.number AS turn \
         FROM held CROSS JOIN {due})",
        room = room(connection, claim),
        is_running = is_running(claim),
        held = statement(HELD).bind(claim.now),
        attempts = attempts_of(claim, "owners"),
        visited = visited,
        due = due,
    );
    candidates.bind(claim.now).bind(claim.instance)
}

/// Ranks the candidates in alternation of companies, those that may be attempted at once before those that are claimed
/// ahead. Those past the limit of a webhook, a company or a host are left out. If the limit of its company leaves out
/// some deliveries of a webhook, none of that webhook is claimed ahead: it has room for attempts, so they would be
/// attempted at once.
fn ranked(claim: &Claim, running: Statement) -> Statement {
    let ranked = sql!(
        "fitting AS (SELECT due.*, due.turn > ? AS is_ahead FROM due WHERE due.turn <= due.room), \
         turns AS (SELECT due.id, due.company_id, due.webhook_id, due.urgency, due.due_at, due.host, due.is_ahead, \
         row_number() OVER (PARTITION BY due.company_id, due.is_ahead ORDER BY due.urgency, due.turn, due.due_at, due.id) \
         + CASE WHEN due.is_ahead THEN companies.number - companies.attempts ELSE companies.attempts END AS turn \
         FROM fitting AS due JOIN companies ON companies.id = due.company_id), \
         shared AS (SELECT turns.*, turn <= CASE WHEN is_ahead THEN ? ELSE ? END AS fits FROM turns), \
         unbroken AS (SELECT shared.*, max(CASE WHEN fits OR is_ahead THEN 0 ELSE 1 END) \
         OVER (PARTITION BY webhook_id) AS is_cut FROM shared), \
         hosts AS (SELECT turns.id, turns.company_id, turns.webhook_id, turns.urgency, turns.due_at, turns.turn, \
         turns.is_ahead, row_number() OVER \
         (PARTITION BY turns.host ORDER BY turns.is_ahead, turns.turn, turns.urgency, turns.due_at, turns.id) \
         + COALESCE(source.number, 0) AS on_host FROM unbroken AS turns LEFT JOIN {} ON source.host = turns.host \
         WHERE fits AND NOT (is_ahead AND is_cut = 1)), \
         places AS (SELECT id, company_id, webhook_id, turn, is_ahead, \
         row_number() OVER (ORDER BY is_ahead, turn, urgency, due_at, id) AS place FROM hosts WHERE on_host <= ?)",
        running,
    );
    ranked
        .bind(i64::from(claim.per_webhook))
        .bind(i64::from(claim.prefetch.per_company))
        .bind(i64::from(claim.per_company))
        .bind(i64::from(claim.per_host))
}

/// The first deliveries of `held` with this urgency: their columns on PostgreSQL, their row ids on SQLite.
fn due(connection: &Connection, claim: &Claim, urgency: u8) -> Statement {
    let condition = is_due(claim, "held", urgency);
    match connection {
        // Rows are locked, so no more are read than the webhook may get.
        Connection::Postgres(_) => sql!(
            "SELECT * FROM (SELECT id, urgency, due_at FROM deliveries WHERE {} ORDER BY due_at, id \
             LIMIT GREATEST(held.room - held.number, 0) FOR UPDATE SKIP LOCKED) AS due_{}",
            condition,
            urgency
        ),
        Connection::Sqlite(_) => {
            let most = if claim.prefetch.webhooks.is_empty() {
                claim.per_webhook
            } else {
                most_of_one(claim)
            };
            let due = sql!(
                "SELECT rowid FROM (SELECT rowid FROM deliveries WHERE {} ORDER BY due_at, id LIMIT ?)",
                condition,
            );
            due.bind(i64::from(most))
        }
    }
}
