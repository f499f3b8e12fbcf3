//! The deliveries that a list asks for.
//!
//! While nothing is unsettled a condition on the state is one on its column. Else the rows of a state are those that have
//! it and that no settlement concerns, and those to which a settlement gives it; each part is walked along its own index.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::webhooks::{DeliveriesQuery, DeliveryState};

use super::rows::DELIVERY_COLUMNS;
use super::settling::{Total, is_moved, is_moved_to};
use crate::statement::{Bind, Statement, statement};

/// Up to so many waiting deliveries are gathered from their webhooks, rather than looked for among all of their state.
const GATHERED: i64 = 20_000;

/// The states that a settlement changes.
const MOVED: [DeliveryState; 4] = [
    DeliveryState::Pending,
    DeliveryState::Retrying,
    DeliveryState::Exhausted,
    DeliveryState::Skipped,
];

/// Parts of a list that have no row in common.
pub(super) struct Matching<'a> {
    company: CompanyId,
    query: &'a DeliveriesQuery,
    parts: Vec<Part>,
}

/// What stands behind FROM, a further condition, and the values of this.
struct Part {
    from: &'static str,
    condition: String,
    values: Vec<&'static str>,
}

const DELIVERIES: &str = "deliveries";

/// What waits in the present generations of the company's webhooks.
const WAITING: &str = "webhooks JOIN deliveries ON deliveries.company_id = webhooks.company_id \
     AND deliveries.webhook_id = webhooks.id AND deliveries.generation = webhooks.generation \
     AND deliveries.due_at IS NOT NULL";

impl<'a> Matching<'a> {
    /// While no settlement is unfinished, or when any state will do.
    pub(super) fn settled(company: CompanyId, query: &'a DeliveriesQuery) -> Self {
        let part = Part {
            from: DELIVERIES,
            condition: query.state.map_or_else(String::new, |_| " AND deliveries.state = ?".into()),
            values: query.state.into_iter().map(DeliveryState::as_str).collect(),
        };
        Self { company, query, parts: vec![part] }
    }

    /// While some settlement is unfinished.
    pub(super) fn unsettled(
        company: CompanyId,
        query: &'a DeliveriesQuery,
        state: DeliveryState,
        totals: Total,
    ) -> Self {
        let word = state.as_str();
        let mut parts = Vec::new();
        if totals.unmoved > 0 {
            let waits = matches!(state, DeliveryState::Pending | DeliveryState::Retrying);
            let is_gathered = waits && totals.unmoved <= GATHERED;
            parts.push(Part {
                from: if is_gathered { WAITING } else { DELIVERIES },
                condition: format!(" AND deliveries.state = ? AND NOT {}", is_moved()),
                values: vec![word],
            });
        }
        if totals.moved > 0 {
            parts.extend(MOVED.map(|before| Part {
                from: DELIVERIES,
                condition: format!(" AND deliveries.state = ? AND {}", is_moved_to()),
                values: vec![before.as_str(), word],
            }));
        }
        Self { company, query, parts }
    }

    /// How many there are.
    pub(super) fn count(&self) -> Statement {
        let parts =
            self.parts.iter().map(|part| format!("SELECT deliveries.id FROM {}", self.text(part)));
        let parts = parts.collect::<Vec<_>>().join(" UNION ALL ");
        if parts.is_empty() {
            return statement("SELECT 0 AS total");
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
        let statement = statement.bind(self.company);
        let statement = self.query.webhook_id.into_iter().fold(statement, Statement::bind);
        let statement = self.query.sync_id.into_iter().fold(statement, Statement::bind);
        part.values.iter().fold(statement, |statement, value| statement.bind(Bind::from(*value)))
    }
}

fn columns() -> String {
    DELIVERY_COLUMNS
        .split(", ")
        .map(|column| format!("deliveries.{column}"))
        .collect::<Vec<_>>()
        .join(", ")
}
