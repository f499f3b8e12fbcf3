//! Changes of a field's values that are not yet applied.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::ids::{CompanyId, FieldId};

use super::apply::ROWS;
use super::document::{decode, read};
use super::value_use::HEAD;
use super::{KeyRange, ValueUse, ValueUses};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Document {
    #[diesel(sql_type = Text)]
    value_uses: String,
}

/// The changes of the counts of the field's values that are not yet applied.
pub(crate) fn pending_uses(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
) -> Result<Vec<ValueUse>, Failure> {
    let mut uses = ValueUses::default();
    for document in documents(connection, company)? {
        decode(&document.value_uses, Some(field), &mut uses)?;
    }
    Ok(uses.into_changes().collect())
}

/// By how much the changes that are not yet applied change the number of contacts that have a value of the field in a range.
pub(super) fn pending_in(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    range: &KeyRange,
) -> Result<i64, Failure> {
    let mut total = 0;
    for document in documents(connection, company)? {
        read(&document.value_uses, Some(field), &mut |_field, value, delta| {
            let mut key = value.sort_key();
            key.truncate(HEAD);
            total += if range.has(&key) { delta } else { 0 };
        })?;
    }
    Ok(total)
}

/// By how much the changes that are not yet applied change the sums of the counts, by field.
pub(crate) fn pending_totals(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<BTreeMap<FieldId, i64>, Failure> {
    let mut totals = BTreeMap::new();
    for document in documents(connection, company)? {
        let mut uses = ValueUses::default();
        decode(&document.value_uses, None, &mut uses)?;
        for change in uses.into_changes() {
            *totals.entry(change.field).or_default() += change.delta;
        }
    }
    Ok(totals)
}

/// The size of the changes that are not yet applied, of as many of the oldest rows as a batch may have.
pub(crate) fn pending_size(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<usize, Failure> {
    let select = "SELECT coalesce(sum(size), 0) AS total FROM \
         (SELECT size FROM count_changes WHERE company_id = ? ORDER BY id LIMIT ?) AS oldest";
    let size = total(connection, statement(select).bind(company).bind(i64::from(ROWS)))?;
    Ok(usize::try_from(size).unwrap_or_default())
}

fn documents(connection: &mut Connection, company: CompanyId) -> Result<Vec<Document>, Failure> {
    let select = statement("SELECT value_uses FROM count_changes WHERE company_id = ?");
    Ok(connection.rows(select.bind(company))?)
}
