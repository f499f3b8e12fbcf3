//! Look for followers for which an event can be made.

use std::collections::HashMap;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};
use uuid::Uuid;

use contact_hub_domain::ids::WebhookId;
use contact_hub_domain::webhooks::{Follower, Followers};

use crate::changes::Horizon;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::sql;
use crate::webhooks::rows::event_kind;

/// How many followers are looked at by one statement.
const LOOKS: usize = 500;

/// The maximum number of followers of a company that get an event in one round. The others get theirs in the next rounds, so
/// that a company with few followers does not wait for all of one with many.
const MAX_OF_ONE: usize = 20;

#[derive(QueryableByName)]
struct Seen {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    webhook_id: IdValue,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Bool)]
    is_ready: bool,
}

/// The next followers in the order of their ids. OFFSET keeps PostgreSQL from reading all deliveries and changes at once:
/// it looks them up for one follower after the other. ORDER BY makes it use the index, even if many entries of the
/// table are of the company.
pub(in crate::webhooks) fn look(
    connection: &mut Connection,
    after: Option<Follower>,
) -> Result<Followers, Failure> {
    let horizon = Horizon::read(connection)?;
    let select = sql!(
        "SELECT company_id, webhook_id, kind, NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.id = cursors.delivery_id \
         AND state = 'pending' LIMIT 1 OFFSET 0) AND (until_position IS NOT NULL OR EXISTS (SELECT 1 FROM changes \
         WHERE changes.company_id = cursors.company_id \
         AND (changes.position, changes.ordinal) > (cursors.position, cursors.ordinal){} \
         ORDER BY changes.position, changes.ordinal LIMIT 1 OFFSET 0)) AS is_ready \
         FROM (SELECT * FROM feed_cursors WHERE (webhook_id, kind) > (?, ?) ORDER BY webhook_id, kind LIMIT {}) AS cursors",
        horizon.is_after_entry(),
        LOOKS,
    );
    let (webhook, kind) =
        after.map_or((Uuid::nil(), ""), |it| (it.webhook.uuid(), it.kind.as_str()));
    let seen: Vec<Seen> = connection.rows(select.bind(IdValue(webhook)).bind(kind))?;
    let follower = |seen: &Seen| {
        let kind = event_kind(&seen.kind, seen.webhook_id.0)?;
        Ok::<_, Failure>(Follower { webhook: WebhookId::new(seen.webhook_id.0), kind })
    };
    let last = seen.last().filter(|_| seen.len() >= LOOKS);
    let mut ready_of = HashMap::<Uuid, usize>::new();
    let mut is_in_round = |seen: &&Seen| {
        let ready = ready_of.entry(seen.company_id.0).or_default();
        *ready += usize::from(seen.is_ready);
        seen.is_ready && *ready <= MAX_OF_ONE
    };
    let ready = seen.iter().filter(|seen| is_in_round(seen));
    Ok(Followers {
        ready: ready.map(follower).collect::<Result<_, _>>()?,
        more_after: last.map(follower).transpose()?,
        is_any: !seen.is_empty(),
    })
}
