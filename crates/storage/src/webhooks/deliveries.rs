//! Read deliveries.

use diesel::QueryableByName;
use diesel::sql_types::{Nullable, Text};

use contact_hub_domain::ids::{CompanyId, DeliveryId};
use contact_hub_domain::page::Page;
use contact_hub_domain::webhooks::{DeliveriesQuery, Delivery, DeliveryDetail};

use super::attempts::attempts_of;
use super::matching::Matching;
use super::rows::{DELIVERY_COLUMNS, DeliveryRow};
use super::settling::{Settlement, Total, of_company, totals};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{sql, statement};

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
    let settlements = of_company(connection, company)?;
    let (matching, totals) = matching(connection, company, query, &settlements)?;
    let total = match query.sync_id {
        // One sync causes few deliveries.
        Some(_) => total(connection, matching.count())?,
        None => totals.moved + totals.unmoved,
    };
    let rows: Vec<DeliveryRow> = match matching.page(query.page) {
        Some(page) => connection.rows(page)?,
        None => Vec::new(),
    };
    let deliveries =
        rows.into_iter().map(|row| row.seen(&settlements)).collect::<Result<_, _>>()?;
    Ok(Page::new(query.page, u64::try_from(total).unwrap_or_default(), deliveries))
}

/// What matches, and how many there are without a condition on the sync.
pub(super) fn matching<'a>(
    connection: &mut Connection,
    company: CompanyId,
    query: &'a DeliveriesQuery,
    settlements: &[Settlement],
) -> Result<(Matching<'a>, Total), Failure> {
    let is_settled = settlements.is_empty() || query.state.is_none();
    let totals = totals(connection, company, query.webhook_id, query.state, settlements)?;
    let matching = match query.state.filter(|_| !is_settled) {
        Some(state) => Matching::unsettled(connection, company, query, state, settlements, totals),
        None => Matching::settled(connection, company, query),
    };
    Ok((matching, totals))
}

/// A delivery with its payload and attempts.
pub(super) fn read(
    connection: &mut Connection,
    company: CompanyId,
    id: DeliveryId,
) -> Result<Option<DeliveryDetail>, Failure> {
    let select =
        sql!("SELECT {} FROM deliveries WHERE id = ? AND company_id = ?", DELIVERY_COLUMNS);
    let row: Option<DeliveryRow> = connection.first(select.bind(id).bind(company))?;
    let Some(row) = row else {
        return Ok(None);
    };
    let settlements = of_company(connection, company)?;
    let delivery = row.seen(&settlements)?;
    // A payload without a webhook that it went to counts as erased; the row will be erased soon.
    let text = "SELECT payload FROM events WHERE id = ? AND company_id = ? AND EXISTS \
         (SELECT 1 FROM deliveries JOIN webhooks ON webhooks.id = deliveries.webhook_id \
         WHERE deliveries.event_id = events.id)";
    let event: Option<PayloadRow> =
        connection.first(statement(text).bind(delivery.event_id).bind(company))?;
    let attempts = attempts_of(connection, company, id)?;
    Ok(Some(DeliveryDetail { delivery, payload: event.and_then(|row| row.payload), attempts }))
}
