//! The values in use for a field.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary, Text};

use contact_hub_domain::fields::{FieldType, FieldValue, ValuesQuery};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::input::FromText;
use contact_hub_domain::page::Page;

use super::uncounted::{Counted, Uncounted, ValueKey, ValueRow, Window};
use crate::columns::{Json, JsonValue};
use crate::connection::Connection;
use crate::counts::{ValueUse, counted, pending_uses, start_of};
use crate::dialect::{Source, looked_up};
use crate::failure::Failure;
use crate::statement::{sql, statement};

#[derive(QueryableByName)]
struct FieldKind {
    #[diesel(sql_type = Text)]
    kind: String,
}

#[derive(QueryableByName)]
struct UsesRow {
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
    #[diesel(sql_type = Binary)]
    identity: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    uses: i64,
}

#[derive(QueryableByName)]
struct CountedRow {
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
    #[diesel(sql_type = Binary)]
    sort_rest: Vec<u8>,
    #[diesel(sql_type = Binary)]
    identity: Vec<u8>,
    #[diesel(sql_type = Json)]
    value: JsonValue,
}

/// A page of the distinct values of a field of the company; `None` when there is no such field.
///
/// The counted values are merged with what the changes that are not yet applied add and remove.
pub(super) fn list_values(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    query: &ValuesQuery,
) -> Result<Option<Page<FieldValue>>, Failure> {
    let kind = statement("SELECT type AS kind FROM fields WHERE id = ? AND company_id = ?");
    let Some(kind) = connection.first::<FieldKind>(kind.bind(field).bind(company))? else {
        return Ok(None);
    };
    let kind = FieldType::from_text(&kind.kind)
        .map_err(|_unknown| Failure::Corrupt(format!("fields.type of field {field}")))?;
    let changes = pending_uses(connection, company, field)?;
    let uncounted = Uncounted::of(&changes, &uses(connection, company, field, &changes)?);
    let counted = counted(connection, company, field)?;
    let total = uncounted.total(counted);
    let page = Window { offset: query.page.offset(), limit: query.page.size().into() };
    let window = uncounted.window(page);
    let rows = if query.descending {
        let mut rows = read(connection, company, field, kind, window.turned(counted))?;
        rows.reverse();
        rows
    } else {
        read(connection, company, field, kind, window)?
    };
    let values = uncounted.merged(rows, query.descending, page);
    Ok(Some(Page::new(query.page, total, values)))
}

/// The counts of the values that changes are about.
fn uses(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    changes: &[ValueUse],
) -> Result<Counted, Failure> {
    if changes.is_empty() {
        return Ok(Counted::new());
    }
    let keys = Source::of(changes)
        .blobs("sort_key", |it| it.sort_key.clone())
        .blobs("identity", |it| it.identity.clone());
    let one = statement(
        "company_id = ? AND field_id = ? \
         AND field_value_uses.sort_key = source.sort_key AND field_value_uses.identity = source.identity",
    );
    let select = sql!(
        "SELECT source.sort_key, source.identity, uses FROM {} {}",
        keys.table(connection),
        looked_up(connection, "field_value_uses", one.bind(company).bind(field)),
    );
    let rows: Vec<UsesRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(|row| ((row.sort_key, row.identity), row.uses)).collect())
}

/// Counted values in ascending order.
fn read(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    kind: FieldType,
    window: Window,
) -> Result<Vec<ValueRow>, Failure> {
    let start = start_of(connection, company, field, window.offset)?;
    let text = "SELECT sort_key, sort_rest, identity, value FROM field_value_uses \
         WHERE company_id = ? AND field_id = ? AND sort_key >= ? ORDER BY sort_key, sort_rest, identity LIMIT ? OFFSET ?";
    let bound = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let select =
        statement(text).bind(company).bind(field).bind(start.first_key).bind(bound(window.limit));
    let select = select.bind(bound(window.offset) - start.preceding);
    let rows: Vec<CountedRow> = connection.rows(select)?;
    let rows = rows.into_iter().map(|row| {
        let value = FieldValue::from_stored_json(kind, &row.value.0);
        let corrupt = || Failure::Corrupt(format!("field_value_uses.value of field {field}"));
        let key =
            ValueKey { sort_key: row.sort_key, sort_rest: row.sort_rest, identity: row.identity };
        Ok(ValueRow { key, value: value.ok_or_else(corrupt)? })
    });
    rows.collect()
}
