//! The port of fields.

use std::sync::Arc;

use async_trait::async_trait;

use super::rows::{RowAdapter, RowStore, Stored, page};
use crate::author::Author;
use crate::fields::{
    ChangeFieldOutcome, CreateFieldOutcome, Directory, Field, FieldChange, FieldLimits, FieldStore,
    FieldValue, Filterable, MAX_FIELDS_EVER, ValuesQuery,
};
use crate::ids::{CompanyId, FieldId};
use crate::page::Page;
use crate::time::Timestamp;

#[async_trait]
impl<S: RowStore> FieldStore for RowAdapter<S> {
    async fn create(
        &self,
        by: Author,
        field: Field,
        limits: FieldLimits,
        _at: Timestamp,
    ) -> Stored<CreateFieldOutcome> {
        self.0.transaction(by.company, |rows| {
            let known = rows.fields()?;
            if let Some(holder) = known.iter().find(|known| known.key == field.key) {
                return Ok(CreateFieldOutcome::KeyTaken(holder.clone()));
            }
            let in_use = known.iter().filter(|field| !field.archived).count();
            if in_use >= limits.in_use || known.len() >= MAX_FIELDS_EVER {
                return Ok(CreateFieldOutcome::Full);
            }
            let filterable =
                known.iter().filter(|field| field.filterable != Filterable::No).count();
            if field.filterable != Filterable::No && filterable >= limits.filterable {
                return Ok(CreateFieldOutcome::TooManyFilterable);
            }
            rows.put_field(field)?;
            Ok(CreateFieldOutcome::Created)
        })
    }

    async fn change_field(
        &self,
        by: Author,
        id: FieldId,
        change: FieldChange,
        limits: FieldLimits,
        _at: Timestamp,
    ) -> Stored<ChangeFieldOutcome> {
        self.0.transaction(by.company, |rows| {
            let mut outcome = change.decide(&rows.fields()?, id, limits);
            if let ChangeFieldOutcome::Changed(field) = &mut outcome {
                // Lists read all contacts, so nothing has to be built.
                if field.filterable == Filterable::Building {
                    field.filterable = Filterable::Yes;
                }
                rows.put_field(field.clone())?;
            }
            Ok(outcome)
        })
    }

    async fn list(&self, company: CompanyId) -> Stored<Arc<Directory>> {
        self.0.transaction(company, |rows| Ok(Arc::new(Directory::new(rows.fields()?))))
    }

    async fn list_values(
        &self,
        company: CompanyId,
        field: FieldId,
        query: ValuesQuery,
    ) -> Stored<Option<Page<FieldValue>>> {
        self.0.transaction(company, |rows| {
            let fields = rows.fields()?;
            let Some(field) = fields.iter().find(|known| known.id == field) else {
                return Ok(None);
            };
            let active = rows.contacts()?.into_iter().filter(|row| !row.is_deleted);
            let values = active.filter_map(|mut row| row.contact.field_values.remove(&field.key));
            let mut values: Vec<FieldValue> = values.collect();
            values.sort_by_cached_key(FieldValue::sort_key);
            values.dedup();
            if query.descending {
                values.reverse();
            }
            Ok(Some(page(query.page, values)))
        })
    }
}
