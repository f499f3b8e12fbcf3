//! The deliveries that match a list's query.
//!
//! While there is no unfinished settlement, a condition on the state is one on its column. Otherwise the rows in a
//! state are those whose column has it and that no settlement covers, and those that a settlement moves to it. Where
//! there are few, they are gathered from their webhooks or settlements, along the index of what waits or of what can
//! be recovered. Where there are many, a page of them is soon found by walking all rows of the state.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::{DeliveriesQuery, DeliveryState};

use super::leases::{HAS_LEASE, running};
use super::rows::DELIVERY_COLUMNS;
use super::settling::{Scope, Settlement, Total, is_moved, is_moved_to};
use super::transitions::those;
use crate::connection::Connection;
use crate::dialect::{along, rows_of_each};
use crate::statement::{Bind, Statement, joined, sql, statement};

/// Up to this many deliveries are gathered.
const GATHERED: i64 = 20_000;

/// The deliveries that wait in a generation.
const WAITING: &str = "deliveries.company_id = owners.company_id AND deliveries.webhook_id = owners.webhook_id \
     AND deliveries.generation = owners.generation AND deliveries.due_at IS NOT NULL";

/// The deliveries that ended between two moments.
fn ended() -> Statement {
    sql!(
        "deliveries.webhook_id = owners.webhook_id AND deliveries.state IN ({}) AND deliveries.kind <> 'test' \
         AND deliveries.updated_at >= owners.since AND deliveries.updated_at <= owners.until",
        those(DeliveryState::recovered),
    )
}

/// The states that a settlement of waiting deliveries covers.
const WAIT: [DeliveryState; 2] = [DeliveryState::Pending, DeliveryState::Retrying];
const END: [DeliveryState; 2] = [DeliveryState::Exhausted, DeliveryState::Skipped];

/// The condition that deliveries in one of these states are not in progress.
fn not_running(state: Option<DeliveryState>) -> Option<Statement> {
    state.filter(|state| WAIT.contains(state)).map(|_| sql!(" AND NOT {}", HAS_LEASE))
}

/// Disjoint parts of a list.
pub(super) struct Matching<'a> {
    company: CompanyId,
    query: &'a DeliveriesQuery,
    parts: Vec<Part>,
}

/// A part: what follows FROM, the state of its deliveries, and a further condition on them.
struct Part {
    from: Statement,
    is_walk: bool,
    state: Option<DeliveryState>,
    condition: Option<Statement>,
}

impl<'a> Matching<'a> {
    /// The parts if no settlement is unfinished, or the query has no state.
    pub(super) fn settled(
        connection: &Connection,
        company: CompanyId,
        query: &'a DeliveriesQuery,
    ) -> Self {
        let part = match query.state {
            Some(DeliveryState::InProgress) => Part::running(connection, company),
            state => Part::walk(connection, query, state, not_running(state)),
        };
        Self { company, query, parts: vec![part] }
    }

    /// The parts if some of these settlements are unfinished.
    pub(super) fn unsettled(
        connection: &Connection,
        company: CompanyId,
        query: &'a DeliveriesQuery,
        state: DeliveryState,
        settlements: &[Settlement],
        totals: Total,
    ) -> Self {
        let gathers = |number: i64| query.sync_id.is_none() && number <= GATHERED;
        let mut parts = Vec::new();
        if totals.unmoved > 0 {
            parts.push(Self::unmoved(connection, company, query, state, gathers(totals.unmoved)));
        }
        let gives = |is_waiting: bool| {
            settlements.iter().any(|it| {
                it.state == state && matches!(it.scope, Scope::Waiting { .. }) == is_waiting
            })
        };
        for (is_waiting, index, condition, before) in [
            (true, "deliveries_due", statement(WAITING), WAIT),
            (false, "deliveries_recoverable", ended(), END),
        ] {
            if totals.moved == 0 || !gives(is_waiting) {
                continue;
            }
            if gathers(totals.moved) {
                let unfinished = sql!(
                    "SELECT company_id, webhook_id, generation, since, until FROM settlements \
                     WHERE company_id = ?{} AND state = ? AND {} IS NOT NULL",
                    query.webhook_id.map(|id| statement(" AND webhook_id = ?").bind(id)),
                    if is_waiting { "generation" } else { "since" },
                );
                let unfinished = unfinished.bind(company).bind(state.as_str());
                let from = rows_of_each(connection, unfinished, "deliveries", index, condition);
                parts.push(Part { from, is_walk: false, state: None, condition: None });
            } else {
                let condition = sql!(" AND {}", is_moved_to(state));
                parts.extend(before.map(|before| {
                    Part::walk(connection, query, Some(before), Some(condition.clone()))
                }));
            }
        }
        Self { company, query, parts }
    }

    /// The deliveries that no settlement covers.
    fn unmoved(
        connection: &Connection,
        company: CompanyId,
        query: &DeliveriesQuery,
        state: DeliveryState,
        gathers: bool,
    ) -> Part {
        // Those in progress are closed by the change itself.
        if state == DeliveryState::InProgress {
            return Part::running(connection, company);
        }
        let condition = Some(sql!(" AND NOT {}{}", is_moved(), not_running(Some(state))));
        if !(gathers && WAIT.contains(&state)) {
            return Part::walk(connection, query, Some(state), condition);
        }
        let webhooks = sql!(
            "SELECT company_id, id AS webhook_id, generation FROM webhooks WHERE company_id = ?{}",
            query.webhook_id.map(|id| statement(" AND id = ?").bind(id)),
        );
        let urgency = if state == DeliveryState::Pending { "(0, 1)" } else { "(0, 2)" };
        let waiting = sql!("{} AND deliveries.urgency IN {}", WAITING, urgency);
        let webhooks = webhooks.bind(company);
        let from = rows_of_each(connection, webhooks, "deliveries", "deliveries_due", waiting);
        Part { from, is_walk: false, state: Some(state), condition }
    }

    /// Counts them.
    pub(super) fn count(&self) -> Statement {
        if self.parts.is_empty() {
            return statement("SELECT CAST(0 AS bigint) AS total");
        }
        let parts =
            self.parts.iter().map(|part| sql!("SELECT deliveries.id FROM {}", self.rows(part)));
        sql!("SELECT count(*) AS total FROM ({}) AS matching", joined(parts, " UNION ALL "))
    }

    /// A page of them, newest first; `None` when there are none.
    pub(super) fn page(&self, page: PageRequest) -> Option<Statement> {
        let offset = i64::try_from(page.offset()).unwrap_or(i64::MAX);
        let size = i64::from(page.size());
        let select = match self.parts.as_slice() {
            [] => return None,
            [part] => sql!(
                "SELECT {} FROM {} ORDER BY {} LIMIT ? OFFSET ?",
                DELIVERY_COLUMNS,
                self.rows(part),
                self.order(part),
            ),
            parts => {
                let most = size.saturating_add(offset);
                let parts = parts.iter().enumerate().map(|(place, part)| {
                    let first = sql!(
                        "SELECT * FROM (SELECT deliveries.id FROM {} ORDER BY {} LIMIT ?) AS part_{}",
                        self.rows(part),
                        self.order(part),
                        place,
                    );
                    first.bind(most)
                });
                sql!(
                    "SELECT {} FROM deliveries JOIN ({}) AS matching ON matching.id = deliveries.id \
                     ORDER BY deliveries.id DESC LIMIT ? OFFSET ?",
                    DELIVERY_COLUMNS,
                    joined(parts, " UNION ALL "),
                )
            }
        };
        Some(select.bind(size).bind(offset))
    }

    /// The newest of them within bounds on their ids, at most `limit`: their ids, kinds and moments of creation. `None` when
    /// there are none.
    pub(super) fn newest(&self, bounds: &Statement, limit: i64) -> Option<Statement> {
        let parts = self.parts.iter().enumerate().map(|(place, part)| {
            let first = sql!(
                "SELECT * FROM (SELECT deliveries.id, deliveries.kind, deliveries.created_at FROM {}{} \
                 ORDER BY {} LIMIT ?) AS part_{}",
                self.rows(part),
                bounds.clone(),
                self.order(part),
                place,
            );
            first.bind(limit)
        });
        let newest = sql!(
            "SELECT * FROM ({}) AS parts ORDER BY id DESC LIMIT ?",
            joined(parts, " UNION ALL ")
        );
        (!self.parts.is_empty()).then(|| newest.bind(limit))
    }

    /// The column that leads the index along which a part is walked, after the company.
    ///
    /// It is compared by two bounds and named in the order. With an equality PostgreSQL might walk all
    /// deliveries by their ids if its statistics estimate that most of them match. While a million rows are rewritten,
    /// the statistics are out of date for a long time.
    const fn leads(&self, part: &Part) -> Option<Lead> {
        match (part.is_walk, part.state, self.query.webhook_id, self.query.sync_id) {
            (true, Some(_), None, None) => Some(Lead::State),
            (true, None, Some(_), None) => Some(Lead::Webhook),
            (true, None, None, None) => Some(Lead::Company),
            _ => None,
        }
    }

    fn order(&self, part: &Part) -> Statement {
        let lead = self.leads(part).map(|lead| sql!("{} DESC, ", lead.column()));
        sql!("{}deliveries.id DESC", lead)
    }

    /// What follows FROM.
    fn rows(&self, part: &Part) -> Statement {
        let lead = self.leads(part);
        let conditions = [
            Some((Lead::Company, Bind::from(self.company))),
            self.query.webhook_id.map(|webhook| (Lead::Webhook, Bind::from(webhook))),
            part.state.map(|state| (Lead::State, Bind::from(state.as_str()))),
        ];
        let conditions = conditions.into_iter().flatten().map(|(column, value)| {
            let name = column.column();
            if lead == Some(column) {
                let bounds = sql!("{name} >= ? AND {name} <= ?", name = name);
                bounds.bind(value.clone()).bind(value)
            } else {
                sql!("{} = ?", name).bind(value)
            }
        });
        let sync = self.query.sync_id.map(|id| statement("deliveries.sync_id = ?").bind(id));
        let conditions = joined(conditions.chain(sync), " AND ");
        sql!("{} WHERE {}{}", &part.from, conditions, part.condition.as_ref())
    }
}

/// A column of an index along which deliveries are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Company,
    Webhook,
    State,
}

impl Lead {
    const fn column(self) -> &'static str {
        match self {
            Self::Company => "deliveries.company_id",
            Self::Webhook => "deliveries.webhook_id",
            Self::State => "deliveries.state",
        }
    }
}

impl Part {
    /// Those in progress; there are few at any time.
    fn running(connection: &Connection, company: CompanyId) -> Self {
        let from = running(connection, company);
        Self { from, is_walk: false, state: None, condition: None }
    }

    /// Walks them in the order of their ids.
    fn walk(
        connection: &Connection,
        query: &DeliveriesQuery,
        state: Option<DeliveryState>,
        condition: Option<Statement>,
    ) -> Self {
        // One sync causes few deliveries.
        let index = query.sync_id.and_then(|_| along(connection, "deliveries_by_sync"));
        Self { from: sql!("deliveries{}", index), is_walk: true, state, condition }
    }
}
