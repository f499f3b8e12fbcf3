//! Gathers matches and sorts them, which gives their number and the page at once.

use diesel::QueryableByName;

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use super::order::order;
use super::page_rows::{Found, Values, columns};
use super::walk::bound;
use crate::connection::Connection;
use crate::contacts::rows::ContactRow;
use crate::dialect::looked_up;
use crate::failure::Failure;
use crate::paged::TotalRow;
use crate::statement::{Statement, sql, statement};

/// A contact with the number of all that were found.
#[derive(QueryableByName)]
pub(super) struct CountedRow {
    #[diesel(embed)]
    pub(super) contact: ContactRow,
    #[diesel(embed)]
    found: TotalRow,
}

impl CountedRow {
    /// Contacts that are all that were found.
    pub(super) fn all(contacts: Vec<ContactRow>) -> Vec<Self> {
        let total = i64::try_from(contacts.len()).unwrap_or(i64::MAX);
        contacts.into_iter().map(|contact| Self { contact, found: TotalRow { total } }).collect()
    }

    pub(super) fn total(&self) -> u64 {
        u64::try_from(self.found.total).unwrap_or_default()
    }
}

/// How many bytes of values further rows may have beside these: at least one, so that a further row shows that more follow.
pub(super) fn left_of(bytes: u32, rows: &[CountedRow]) -> u32 {
    let had: usize = rows.iter().map(|row| row.contact.field_values.0.len()).sum();
    bytes.saturating_sub(u32::try_from(had).unwrap_or(u32::MAX)).max(1)
}

/// The page and the total of these hits, unless there are more than `most` of them, or the page is past the end.
pub(super) fn gather(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    hits: Statement,
    most: u64,
) -> Result<Option<Found>, Failure> {
    let sorts = query.sorts.keys();
    let own = statement("contacts.company_id = ? AND contacts.id = page.id");
    let page = sql!(
        "WITH hits AS MATERIALIZED ({} LIMIT ?), page AS (SELECT * FROM hits ORDER BY {} LIMIT ? OFFSET ?) \
         SELECT {}, (SELECT count(*) FROM hits) AS total FROM page {} ORDER BY {}",
        hits,
        order(sorts, false, ""),
        columns(connection, Values::Omitted),
        looked_up(connection, "contacts", own.bind(company)),
        order(sorts, false, "page."),
    );
    let page = page.bind(bound(most.saturating_add(1))).bind(i64::from(query.page.size()));
    let page = page.bind(bound(query.page.offset())).uncached();
    let rows: Vec<CountedRow> = connection.rows(page)?;
    let Some(first) = rows.first() else {
        // The first page is empty only if there are no matches.
        let none = Found { total: 0, rows: Vec::new() };
        return Ok((query.page.offset() == 0).then_some(none));
    };
    let total = first.total();
    let rows = rows.into_iter().map(|row| row.contact).collect();
    Ok((total <= most).then_some(Found { total, rows }))
}
