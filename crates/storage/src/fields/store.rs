//! The fields port.

use std::sync::Arc;

use async_trait::async_trait;
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use contact_hub_domain::fields::{
    CreateFieldOutcome, Directory, Field, FieldStore, FieldValue, ValuesQuery,
};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::page::Page;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::rows::{COLUMNS, FieldRow};
use super::values;
use crate::Storage;
use crate::audit;
use crate::changes;
use crate::connection::Connection;
use crate::dialect::execute_together;
use crate::failure::Failure;
use crate::room::{count_up_to, lock_company};
use crate::statement::{sql, statement};
use crate::units::Reading;

#[async_trait]
impl FieldStore for Storage {
    async fn create(
        &self,
        by: Author,
        field: Field,
        max: usize,
        at: Timestamp,
    ) -> Result<CreateFieldOutcome, StoreError> {
        let company = by.company;
        let unit = move |connection: &mut Connection| create(connection, &by, &field, max, at);
        self.write(company, unit).await
    }

    async fn list(&self, company: CompanyId) -> Result<Arc<Directory>, StoreError> {
        let directory = Arc::new(
            self.read(Reading::Few, move |connection| load_directory(connection, company)).await?,
        );
        self.directories().remember(company, &directory);
        Ok(directory)
    }

    async fn directory(
        &self,
        company: CompanyId,
        keys: &[String],
    ) -> Result<Arc<Directory>, StoreError> {
        match self.directories().knowing(company, keys.iter().map(String::as_str)) {
            Some(directory) => Ok(directory),
            None => self.list(company).await,
        }
    }

    async fn list_values(
        &self,
        company: CompanyId,
        field: FieldId,
        query: ValuesQuery,
    ) -> Result<Option<Page<FieldValue>>, StoreError> {
        self.read(Reading::OrderedList(company), move |connection| {
            values::list_values(connection, company, field, &query)
        })
        .await
    }
}

/// The lock on the company's row serialises the creation of its fields, which keeps their positions and their number
/// correct.
fn create(
    connection: &mut Connection,
    by: &Author,
    field: &Field,
    max: usize,
    at: Timestamp,
) -> Result<CreateFieldOutcome, Failure> {
    let company = by.company;
    lock_company(connection, company)?;
    let select = sql!(
        "SELECT {} FROM fields JOIN companies ON companies.id = fields.company_id \
         WHERE fields.company_id = ? AND fields.key = ?",
        COLUMNS
    );
    let holder = select.bind(company).bind(field.key.as_str());
    if let Some(row) = connection.first::<FieldRow>(holder)? {
        return Ok(CreateFieldOutcome::KeyTaken(row.into_field()?));
    }
    let fields = statement("fields WHERE company_id = ?").bind(company);
    let held = count_up_to(connection, fields, max)?;
    if held >= max {
        return Ok(CreateFieldOutcome::Full);
    }
    insert(connection, company, field, held)?;
    let change = changes::insertion(connection, company, &[NewEntry::field_created(by, field, at)]);
    let entry = NewAuditEntry::of(by, AuditAction::FieldCreated, field.id.uuid(), at);
    let entry = audit::insertion(connection, &[entry.with_new(field)]);
    execute_together(connection, change.into_iter().chain(entry))?;
    Ok(CreateFieldOutcome::Created)
}

fn insert(
    connection: &mut Connection,
    company: CompanyId,
    field: &Field,
    position: usize,
) -> Result<(), Failure> {
    let position = i32::try_from(position)
        .map_err(|_too_many| Failure::Corrupt(format!("fields of company {company}")))?;
    let text =
        "INSERT INTO fields (id, company_id, position, key, name, type) VALUES (?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(field.id)
        .bind(company)
        .bind(position)
        .bind(field.key.as_str())
        .bind(field.name.as_str())
        .bind(field.kind.as_str());
    connection.execute(insert)?;
    Ok(())
}

/// Reads the company's fields, oldest first.
pub(crate) fn load_directory(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<Directory, Failure> {
    let select = sql!(
        "SELECT {} FROM fields JOIN companies ON companies.id = fields.company_id \
         WHERE fields.company_id = ? ORDER BY fields.position",
        COLUMNS
    );
    let rows: Vec<FieldRow> = connection.rows(select.bind(company))?;
    let fields = rows.into_iter().map(FieldRow::into_field).collect::<Result<_, _>>()?;
    Ok(Directory::new(fields))
}
