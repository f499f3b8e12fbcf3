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
use crate::dialect::{along, rows_of_each};
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

/// A part: what follows FROM, with its values, the state of its deliveries, and a further condition on them, with its
/// values.
struct Part {
    from: String,
    owners: Vec<Bind>,
    is_walk: bool,
    state: Option<DeliveryState>,
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
        let parts = vec![Part::walk(connection, query, query.state, String::new(), Vec::new())];
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
                let from = rows_of_each(connection, &unfinished, "deliveries", index, condition);
                let mut owners = owners(company, query);
                owners.push(word(state));
                parts.push(Part::gather(from, owners, None, String::new()));
            } else {
                let condition = format!(" AND {}", is_moved_to());
                parts.extend(before.map(|before| {
                    let values = vec![word(state)];
                    Part::walk(connection, query, Some(before), condition.clone(), values)
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
        let condition = format!(" AND NOT {}", is_moved());
        if !(gathers && WAIT.contains(&state)) {
            return Part::walk(connection, query, Some(state), condition, Vec::new());
        }
        let of_webhook = query.webhook_id.map_or("", |_| " AND id = ?");
        let webhooks = format!(
            "SELECT company_id, id AS webhook_id, generation FROM webhooks WHERE company_id = ?{of_webhook}"
        );
        let urgency = if state == DeliveryState::Pending { "(0, 1)" } else { "(0, 2)" };
        let waiting = format!("{WAITING} AND deliveries.urgency IN {urgency}");
        let from = rows_of_each(connection, &webhooks, "deliveries", "deliveries_due", &waiting);
        Part::gather(from, owners(company, query), Some(state), condition)
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
                "SELECT {} FROM {} ORDER BY {} LIMIT ? OFFSET ?",
                columns(),
                self.text(part),
                self.order(part)
            );
            return Some(self.bind(statement(text), part).bind(size).bind(offset));
        }
        let parts = self.parts.iter().enumerate().map(|(place, part)| {
            format!(
                "SELECT * FROM (SELECT deliveries.id FROM {} ORDER BY {} LIMIT ?) AS part_{place}",
                self.text(part),
                self.order(part)
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

    /// The column that leads the index along which a part is walked, after the company.
    ///
    /// It is compared by two bounds and named in the order. With an equality PostgreSQL would also consider to walk
    /// all deliveries by their ids, and would do so whenever its statistics say that most of them match. While a
    /// million rows are rewritten they say so for a long time after it has ceased to be true.
    const fn leads(&self, part: &Part) -> Option<Lead> {
        match (part.is_walk, part.state, self.query.webhook_id, self.query.sync_id) {
            (true, Some(_), None, None) => Some(Lead::State),
            (true, None, Some(_), None) => Some(Lead::Webhook),
            (true, None, None, None) => Some(Lead::Company),
            _ => None,
        }
    }

    fn order(&self, part: &Part) -> String {
        self.leads(part).map_or_else(String::new, |lead| format!("{} DESC, ", lead.column()))
            + "deliveries.id DESC"
    }

    /// The conditions of a part, each with the value that it compares.
    fn conditions(&self, part: &Part) -> [Option<(Lead, Bind)>; 3] {
        [
            Some((Lead::Company, Bind::from(self.company))),
            self.query.webhook_id.map(|webhook| (Lead::Webhook, Bind::from(webhook))),
            part.state.map(|state| (Lead::State, word(state))),
        ]
    }

    fn text(&self, part: &Part) -> String {
        let lead = self.leads(part);
        let conditions = self.conditions(part).into_iter().flatten().map(|(column, _)| {
            let name = column.column();
            if lead == Some(column) {
                format!("{name} >= ? AND {name} <= ?")
            } else {
                format!("{name} = ?")
            }
        });
        let sync = self.query.sync_id.map(|_| "deliveries.sync_id = ?".to_owned());
        let conditions = conditions.chain(sync).collect::<Vec<_>>().join(" AND ");
        format!("{} WHERE {conditions}{}", part.from, part.condition)
    }

    fn bind(&self, statement: Statement, part: &Part) -> Statement {
        let lead = self.leads(part);
        let statement = part.owners.iter().cloned().fold(statement, Statement::bind);
        let conditions = self.conditions(part).into_iter().flatten();
        let statement = conditions.fold(statement, |statement, (column, value)| {
            if lead == Some(column) {
                statement.bind(value.clone()).bind(value)
            } else {
                statement.bind(value)
            }
        });
        let statement = self.query.sync_id.into_iter().fold(statement, Statement::bind);
        part.values.iter().cloned().fold(statement, Statement::bind)
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
    /// Walks them in the order of their ids.
    fn walk(
        connection: &Connection,
        query: &DeliveriesQuery,
        state: Option<DeliveryState>,
        condition: String,
        values: Vec<Bind>,
    ) -> Self {
        // One sync causes few deliveries.
        let index = query.sync_id.map(|_| along(connection, "deliveries_by_sync"));
        let from = format!("deliveries{}", index.unwrap_or_default());
        Self { from, owners: Vec::new(), is_walk: true, state, condition, values }
    }

    /// Reads all of them, and sorts them.
    const fn gather(
        from: String,
        owners: Vec<Bind>,
        state: Option<DeliveryState>,
        condition: String,
    ) -> Self {
        Self { from, owners, is_walk: false, state, condition, values: Vec::new() }
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
