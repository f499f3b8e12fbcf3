//! The deliveries that match a list's query.
//!
//! While there is no unfinished settlement, a condition on the state is one on its column. Otherwise the rows in a
//! state are those whose column has it and that no settlement covers, and those that a settlement moves to it. Where
//! there are few, they are gathered from their webhooks or settlements, along the index of what waits or of what can
//! be recovered. Where there are many, a page of them is soon found by walking all rows of the state.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::{DeliveriesQuery, DeliveryState};

use super::rows::DELIVERY_COLUMNS;
use super::settling::{Scope, Settlement, Total, is_moved, is_moved_to};
use super::transitions::those;
use crate::connection::Connection;
use crate::dialect::{along, deliveries_of};
use crate::statement::{Bind, Statement, statement};

/// Up to this many deliveries are gathered.
const GATHERED: i64 = 20_000;

/// The deliveries that wait in a generation.
const WAITING: &str = "deliveries.company_id = owners.company_id AND deliveries.webhook_id = owners.webhook_id \
     AND deliveries.generation = owners.generation AND deliveries.due_at IS NOT NULL";

/// The deliveries that ended between two moments.
fn ended() -> String {
    format!(
        "deliveries.webhook_id = owners.webhook_id AND deliveries.state IN ({}) AND deliveries.kind <> 'test' \
         AND deliveries.updated_at >= owners.since AND deliveries.updated_at <= owners.until",
        those(DeliveryState::recovered)
    )
}

/// The states that a settlement of waiting deliveries covers.
const WAIT: [DeliveryState; 2] = [DeliveryState::Pending, DeliveryState::Retrying];
const END: [DeliveryState; 2] = [DeliveryState::Exhausted, DeliveryState::Skipped];

/// Disjoint parts of a list.
pub(super) struct Matching<'a> {
    company: CompanyId,
    query: &'a DeliveriesQuery,
    parts: Vec<Part>,
}

/// A part: what follows FROM, with its values, and a further condition on its deliveries, with its values.
struct Part {
    from: String,
    owners: Vec<Bind>,
    condition: String,
    values: Vec<Bind>,
}

impl<'a> Matching<'a> {
    /// For when no settlement is unfinished, or the query has no state.
    pub(super) fn settled(
        connection: &Connection,
        company: CompanyId,
        query: &'a DeliveriesQuery,
    ) -> Self {
        let condition =
            query.state.map_or_else(String::new, |_| " AND deliveries.state = ?".into());
        let values = query.state.into_iter().map(word).collect();
        let parts = vec![Part::walk(connection, query, condition, values)];
        Self { company, query, parts }
    }

    /// For when some of these settlements are unfinished.
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
        let ended = ended();
        for (is_waiting, index, condition, before) in [
            (true, "deliveries_due", WAITING, WAIT),
            (false, "deliveries_recoverable", ended.as_str(), END),
        ] {
            if totals.moved == 0 || !gives(is_waiting) {
                continue;
            }
            if gathers(totals.moved) {
                let of_webhook = query.webhook_id.map_or("", |_| " AND webhook_id = ?");
                let kind = if is_waiting { "generation" } else { "since" };
                let unfinished = format!(
                    "SELECT company_id, webhook_id, generation, since, until FROM settlements \
                     WHERE company_id = ?{of_webhook} AND state = ? AND {kind} IS NOT NULL"
                );
                let from = deliveries_of(connection, &unfinished, index, condition);
                let mut owners = owners(company, query);
                owners.push(word(state));
                parts.push(Part { from, owners, condition: String::new(), values: Vec::new() });
            } else {
                let condition = format!(" AND deliveries.state = ? AND {}", is_moved_to());
                parts.extend(before.map(|before| {
                    let values = vec![word(before), word(state)];
                    Part::walk(connection, query, condition.clone(), values)
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
        let condition = format!(" AND deliveries.state = ? AND NOT {}", is_moved());
        let values = vec![word(state)];
        if !(gathers && WAIT.contains(&state)) {
            return Part::walk(connection, query, condition, values);
        }
        let of_webhook = query.webhook_id.map_or("", |_| " AND id = ?");
        let webhooks = format!(
            "SELECT company_id, id AS webhook_id, generation FROM webhooks WHERE company_id = ?{of_webhook}"
        );
        let urgency = if state == DeliveryState::Pending { "(0, 1)" } else { "(0, 2)" };
        let waiting = format!("{WAITING} AND deliveries.urgency IN {urgency}");
        let from = deliveries_of(connection, &webhooks, "deliveries_due", &waiting);
        Part { from, owners: owners(company, query), condition, values }
    }

    /// Counts them.
    pub(super) fn count(&self) -> Statement {
        let parts =
            self.parts.iter().map(|part| format!("SELECT deliveries.id FROM {}", self.text(part)));
        let parts = parts.collect::<Vec<_>>().join(" UNION ALL ");
        if parts.is_empty() {
            return statement("SELECT CAST(0 AS bigint) AS total");
        }
        let text = format!("SELECT count(*) AS total FROM ({parts}) AS matching");
        self.parts.iter().fold(statement(text), |count, part| self.bind(count, part))
    }

    /// A page of them, newest first; `None` when there are none.
    pub(super) fn page(&self, page: PageRequest) -> Option<Statement> {
        if self.parts.is_empty() {
            return None;
        }
        let offset = i64::try_from(page.offset()).unwrap_or(i64::MAX);
        let size = i64::from(page.size());
        if let [part] = self.parts.as_slice() {
            let text = format!(
                "SELECT {} FROM {} ORDER BY deliveries.id DESC LIMIT ? OFFSET ?",
                columns(),
                self.text(part)
            );
            return Some(self.bind(statement(text), part).bind(size).bind(offset));
        }
        let parts = self.parts.iter().enumerate().map(|(place, part)| {
            format!(
                "SELECT * FROM (SELECT deliveries.id FROM {} ORDER BY deliveries.id DESC LIMIT ?) AS part_{place}",
                self.text(part)
            )
        });
        let parts = parts.collect::<Vec<_>>().join(" UNION ALL ");
        let text = format!(
            "SELECT {} FROM deliveries JOIN ({parts}) AS matching ON matching.id = deliveries.id \
             ORDER BY deliveries.id DESC LIMIT ? OFFSET ?",
            columns()
        );
        let most = size.saturating_add(offset);
        let parts =
            self.parts.iter().fold(statement(text), |text, part| self.bind(text, part).bind(most));
        Some(parts.bind(size).bind(offset))
    }

    fn text(&self, part: &Part) -> String {
        let conditions = [
            self.query.webhook_id.map(|_| " AND deliveries.webhook_id = ?"),
            self.query.sync_id.map(|_| " AND deliveries.sync_id = ?"),
        ];
        let conditions: String = conditions.into_iter().flatten().collect();
        let Part { from, condition, .. } = part;
        format!("{from} WHERE deliveries.company_id = ?{conditions}{condition}")
    }

    fn bind(&self, statement: Statement, part: &Part) -> Statement {
        let statement = part.owners.iter().cloned().fold(statement, Statement::bind);
        let statement = statement.bind(self.company);
        let statement = self.query.webhook_id.into_iter().fold(statement, Statement::bind);
        let statement = self.query.sync_id.into_iter().fold(statement, Statement::bind);
        part.values.iter().cloned().fold(statement, Statement::bind)
    }
}

impl Part {
    /// Walks them in the order of their ids.
    fn walk(
        connection: &Connection,
        query: &DeliveriesQuery,
        condition: String,
        values: Vec<Bind>,
    ) -> Self {
        // One sync causes few deliveries.
        let index = query.sync_id.map(|_| along(connection, "deliveries_by_sync"));
        let from = format!("deliveries{}", index.unwrap_or_default());
        Self { from, owners: Vec::new(), condition, values }
    }
}

/// The values that select the webhooks of a list, or their settlements.
fn owners(company: CompanyId, query: &DeliveriesQuery) -> Vec<Bind> {
    let mut owners = vec![Bind::from(company)];
    owners.extend(query.webhook_id.map(Bind::from));
    owners
}

fn word(state: DeliveryState) -> Bind {
    Bind::from(state.as_str())
}

fn columns() -> String {
    DELIVERY_COLUMNS
        .split(", ")
        .map(|column| format!("deliveries.{column}"))
        .collect::<Vec<_>>()
        .join(", ")
}
