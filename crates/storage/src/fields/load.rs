//! Reads the fields of a company.

use std::sync::Arc;

use tokio::time::Instant;

use contact_hub_domain::fields::{Directory, Field, FieldKey, Filterable};
use contact_hub_domain::ids::{CompanyId, FieldId};

use super::index_state::{IndexState, IndexUpkeep};
use super::rows::{COLUMNS, FieldRow};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::sql;

/// A company's fields, and those whose indexed values each write of contacts writes or removes.
#[derive(Clone)]
pub(crate) struct KnownFields {
    pub(crate) directory: Arc<Directory>,
    pub(crate) indexed: Arc<[(FieldId, FieldKey, IndexUpkeep)]>,
}

/// Reads the company's fields as they are at a moment or later, and caches them.
pub(crate) fn load_directory(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    since: Instant,
) -> Result<Arc<Directory>, Failure> {
    load(storage, connection, company, since).map(|known| known.directory)
}

/// The company's fields as they were less than a second before, with at least as many fields as another directory has:
/// no field that a write knows of is missing.
pub(crate) fn recent(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    other: &Directory,
) -> Result<KnownFields, Failure> {
    let known = storage.directories().recent(company);
    let known = known.filter(|it| it.directory.fields().len() >= other.fields().len());
    known.map_or_else(|| load(storage, connection, company, Instant::now()), Ok)
}

fn load(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    since: Instant,
) -> Result<KnownFields, Failure> {
    let rows = rows(connection, company)?;
    let (mut fields, mut indexed) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let upkeep = row.index_state()?.upkeep();
        let field = row.into_field()?;
        if let Some(upkeep) = upkeep {
            indexed.push((field.id, field.key.clone(), upkeep));
        }
        fields.push(field);
    }
    let known =
        KnownFields { directory: Arc::new(Directory::new(fields)), indexed: indexed.into() };
    storage.directories().remember(company, since, &known);
    Ok(known)
}

/// The company's fields by which contacts can be filtered.
pub(crate) fn filterable(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<Field>, Failure> {
    let fields = rows(connection, company)?.into_iter().map(FieldRow::into_field);
    let is_ready = |field: &Result<Field, _>| {
        field.as_ref().map_or(true, |it| it.filterable == Filterable::Yes)
    };
    fields.filter(is_ready).collect()
}

/// The company's fields with the states of their indexes, oldest first.
pub(super) fn rows(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Vec<FieldRow>, Failure> {
    let select = sql!(
        "SELECT {} FROM fields JOIN companies ON companies.id = fields.company_id \
         WHERE fields.company_id = ? ORDER BY fields.position",
        COLUMNS
    );
    Ok(connection.rows(select.bind(company))?)
}

/// The state of the index of one of a company's fields.
pub(super) fn index_state(rows: &[FieldRow], field: FieldId) -> Result<IndexState, Failure> {
    let row = rows.iter().find(|row| row.id() == field);
    row.map_or(Ok(IndexState::Absent), FieldRow::index_state)
}
