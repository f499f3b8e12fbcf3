//! Read deliveries.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};

use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::page::Page;
use contact_hub_domain::webhooks::{DeliveriesQuery, Delivery, DeliveryDetail};

use super::attempts::attempts_of;
use super::rows::{DELIVERY_COLUMNS, DeliveryRow, TotalRow};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, statement};

#[derive(QueryableByName)]
struct PayloadRow {
    #[diesel(sql_type = Nullable<Text>)]
    payload: Option<String>,
}

/// A page of the deliveries that match, newest first.
pub(super) fn list(
    connection: &mut Connection,
    company: CompanyId,
    query: &DeliveriesQuery,
) -> Result<Page<Delivery>, Failure> {
    let matching = matching(query);
    let text = format!("SELECT count(*) AS total FROM deliveries WHERE {matching}");
    let count = bind(statement(text).bind(company), query);
    let total = connection.first::<TotalRow>(count)?.map_or(0, |row| row.total);
    let text = format!(
        "SELECT {DELIVERY_COLUMNS} FROM deliveries WHERE {matching} ORDER BY id DESC LIMIT ? OFFSET ?"
    );
    let offset = i64::try_from(query.page.offset()).unwrap_or(i64::MAX);
    let page = bind(statement(text).bind(company), query);
    let page = page.bind(i64::from(query.page.size())).bind(offset);
    let rows: Vec<DeliveryRow> = connection.rows(page)?;
    let deliveries = rows.into_iter().map(DeliveryRow::into_delivery).collect::<Result<_, _>>()?;
    Ok(Page::new(query.page, u64::try_from(total).unwrap_or_default(), deliveries))
}

/// The conditions, with a `?` for each value in the order of [`bind`], the company's first.
fn matching(query: &DeliveriesQuery) -> String {
    let conditions = [
        query.webhook_id.map(|_| " AND webhook_id = ?"),
        query.sync_id.map(|_| " AND sync_id = ?"),
        query.state.map(|_| " AND state = ?"),
    ];
    std::iter::once("company_id = ?").chain(conditions.into_iter().flatten()).collect()
}

fn bind(statement: Statement, query: &DeliveriesQuery) -> Statement {
    let statement = query.webhook_id.into_iter().fold(statement, Statement::bind);
    let statement = query.sync_id.into_iter().fold(statement, Statement::bind);
    query.state.into_iter().fold(statement, |statement, state| statement.bind(state.as_str()))
}

/// A delivery with its payload and attempts.
pub(super) fn read(
    connection: &mut Connection,
    company: CompanyId,
    id: DeliveryId,
) -> Result<Option<DeliveryDetail>, Failure> {
    let text = format!("SELECT {DELIVERY_COLUMNS} FROM deliveries WHERE id = ? AND company_id = ?");
    let row: Option<DeliveryRow> = connection.first(statement(text).bind(id).bind(company))?;
    let Some(delivery) = row.map(DeliveryRow::into_delivery).transpose()? else {
        return Ok(None);
    };
    let text = "SELECT payload FROM events WHERE id = ? AND company_id = ?";
    let event: Option<PayloadRow> =
        connection.first(statement(text).bind(delivery.event_id).bind(company))?;
    let attempts = attempts_of(connection, company, id)?;
    Ok(Some(DeliveryDetail { delivery, payload: event.and_then(|row| row.payload), attempts }))
}
