//! The fields port.

use std::sync::Arc;

use async_trait::async_trait;
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::changes::NewEntry;
use diesel::QueryableByName;
use diesel::sql_types::BigInt;
use tokio::time::Instant;

use contact_hub_domain::fields::{
    ChangeFieldOutcome, CreateFieldOutcome, Directory, Field, FieldChange, FieldLimits, FieldStore,
    FieldValue, Filterable, MAX_FIELDS_EVER, ValuesQuery,
};
use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::page::Page;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::index_state::IndexState;
use super::load::load_directory;
use super::rows::{COLUMNS, FieldRow};
use super::{change, values};
use crate::Storage;
use crate::audit;
use crate::changes;
use crate::connection::Connection;
use crate::dialect::execute_together;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::lock_own_company;
use crate::statement::{sql, statement};
use crate::two_phases::commit_in_two_phases;
use crate::units::Reading;

/// How many fields a company has.
#[derive(QueryableByName)]
struct Counts {
    /// With archived ones.
    #[diesel(sql_type = BigInt)]
    ever: i64,
    #[diesel(sql_type = BigInt)]
    in_use: i64,
    #[diesel(sql_type = BigInt)]
    filterable: i64,
}

#[async_trait]
impl FieldStore for Storage {
    async fn create(
        &self,
        by: Author,
        field: Field,
        limits: FieldLimits,
        at: Timestamp,
    ) -> Result<CreateFieldOutcome, StoreError> {
        let (company, storage) = (by.company, self.clone());
        let unit = move |connection: &mut Connection| {
            create(&storage, connection, &by, &field, limits, at)
        };
        self.write(company, unit).await
    }

    async fn change_field(
        &self,
        by: Author,
        id: FieldId,
        change: FieldChange,
        limits: FieldLimits,
        at: Timestamp,
    ) -> Result<ChangeFieldOutcome, StoreError> {
        let (company, storage) = (by.company, self.clone());
        let unit = move |connection: &mut _| {
            change::change(&storage, connection, &by, id, &change, limits, at)
        };
        let outcome = self.write(company, unit).await;
        // Also after a failure: the change may have been committed.
        self.once_committed(move |storage| {
            storage.directories().forget(company);
            storage.index_work().notify_one();
        });
        outcome
    }

    async fn list(&self, company: CompanyId) -> Result<Arc<Directory>, StoreError> {
        let storage = self.clone();
        self.read(Reading::For(company), move |connection| {
            load_directory(&storage, connection, company, Instant::now())
        })
        .await
    }

    async fn directory<'a>(
        &self,
        company: CompanyId,
        keys: &[&'a str],
    ) -> Result<Arc<Directory>, StoreError> {
        match self.directories().knowing(company, keys.iter().copied()) {
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
        self.read_anywhere(Reading::OrderedList(company), move |connection| {
            values::list_values(connection, company, field, &query)
        })
        .await
    }
}

/// The lock on the company's row serialises the creation of its fields, which keeps their positions and their number
/// correct.
fn create(
    storage: &Storage,
    connection: &mut Connection,
    by: &Author,
    field: &Field,
    limits: FieldLimits,
    at: Timestamp,
) -> Result<Recorded<CreateFieldOutcome>, Failure> {
    let company = by.company;
    lock_own_company(connection, company)?;
    let select = sql!(
        "SELECT {} FROM fields JOIN companies ON companies.id = fields.company_id \
         WHERE fields.company_id = ? AND fields.key = ?",
        COLUMNS
    );
    let holder = select.bind(company).bind(field.key.as_str());
    if let Some(row) = connection.first::<FieldRow>(holder)? {
        return Ok(Recorded::unchanged(CreateFieldOutcome::KeyTaken(row.into_field()?)));
    }
    let counts = counts(connection, company)?;
    let (ever, in_use) = (number(counts.ever), number(counts.in_use));
    if ever >= MAX_FIELDS_EVER || in_use >= limits.in_use {
        return Ok(Recorded::unchanged(CreateFieldOutcome::Full));
    }
    let is_filterable = field.filterable != Filterable::No;
    if is_filterable && number(counts.filterable) >= limits.filterable {
        return Ok(Recorded::unchanged(CreateFieldOutcome::TooManyFilterable));
    }
    commit_in_two_phases(storage, connection)?;
    insert(connection, company, field, ever)?;
    let change = changes::insertion(connection, company, &[NewEntry::field_created(by, field, at)]);
    let entry = NewAuditEntry::of(by, AuditAction::FieldCreated, field.id.uuid(), at);
    let (entry, audited) = audit::insertion(connection, &entry.with_new(field));
    let change = change.map(|(change, _published)| change);
    execute_together(connection, change.into_iter().chain([entry]))?;
    Ok(Recorded::by(audited, CreateFieldOutcome::Created))
}

/// At most [`MAX_FIELDS_EVER`] rows are counted.
fn counts(connection: &mut Connection, company: CompanyId) -> Result<Counts, Failure> {
    let text = "SELECT count(*) AS ever, count(*) FILTER (WHERE NOT archived) AS in_use, \
         count(*) FILTER (WHERE index_state NOT IN ('none', 'dropping')) AS filterable FROM fields \
         WHERE company_id = ?";
    let counts: Option<Counts> = connection.first(statement(text).bind(company))?;
    counts.ok_or_else(|| Failure::Corrupt(format!("fields of company {company}")))
}

fn number(count: i64) -> usize {
    usize::try_from(count).unwrap_or_default()
}

fn insert(
    connection: &mut Connection,
    company: CompanyId,
    field: &Field,
    position: usize,
) -> Result<(), Failure> {
    let position = i32::try_from(position)
        .map_err(|_too_many| Failure::Corrupt(format!("fields of company {company}")))?;
    // No contact has a value of a new field, so its index is complete.
    let is_indexed = field.filterable != Filterable::No;
    let state = if is_indexed { IndexState::Ready } else { IndexState::Absent };
    let text = "INSERT INTO fields (id, company_id, position, key, name, type, index_state) VALUES (?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(field.id)
        .bind(company)
        .bind(position)
        .bind(field.key.as_str())
        .bind(field.name.as_str())
        .bind(field.kind.as_str())
        .bind(state.as_str());
    connection.execute(insert)?;
    Ok(())
}
