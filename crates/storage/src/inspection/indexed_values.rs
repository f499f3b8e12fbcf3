//! Compares the indexed values of fields with the values of the contacts.
//!
//! Those of a company are compared in one snapshot, in which contacts are read in batches.

use std::collections::{BTreeMap, HashMap};

use diesel::QueryableByName;
use diesel::sql_types::{Binary, Bool, Text};
use uuid::Uuid;

use contact_hub_domain::fields::{Field, FieldValue};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use super::{Inspection, describe};
use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::contacts::indexed::{of_field, with_field_ids};
use crate::contacts::values_of;
use crate::dialect::{any_id, begin_list_snapshot};
use crate::failure::Failure;
use crate::fields::filterable;
use crate::paged::total;
use crate::statement::{sql, statement};

/// How many contacts are read at once, with their indexed values.
const BATCH: i64 = 250;

/// The result of comparing indexed values with the values of contacts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedValues {
    /// How many fields were compared: those by which contacts can be filtered.
    pub fields: u64,
    /// How many values the active contacts have of these fields, as far as they were read.
    pub values: u64,
    /// How many fields have indexed values that are wrong.
    pub different: u64,
    /// The first of these fields, in words.
    pub differences: Vec<String>,
}

#[derive(QueryableByName)]
struct ContactRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    email_identity: String,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Bool)]
    is_active: bool,
    #[diesel(sql_type = Json)]
    field_values: JsonValue,
}

#[derive(QueryableByName)]
struct IndexedRow {
    #[diesel(sql_type = Id)]
    contact_id: IdValue,
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
    #[diesel(sql_type = Binary)]
    sort_rest: Vec<u8>,
    #[diesel(sql_type = Moment)]
    contact_created_at: MomentValue,
}

impl IndexedRow {
    /// Whether it is how a contact of this age has the value.
    fn is_of(&self, value: &FieldValue, created_at: Timestamp) -> bool {
        self.contact_created_at.0 == created_at
            && self.sort_key == value.list_key()
            && self.sort_rest == value.list_rest()
    }
}

/// What was found of the values of one field.
#[derive(Default)]
struct OfField {
    /// Indexed as the contact has it.
    right: i64,
    missing: i64,
    /// Indexed with another value or another time.
    wrong: i64,
}

impl Inspection {
    /// Compares the indexed values of every field that can be filtered by, and calls `progress` with the result so far.
    pub fn compare_indexed_values(
        &mut self,
        progress: &mut dyn FnMut(&IndexedValues),
    ) -> Result<IndexedValues, StoreError> {
        let mut compared = IndexedValues::default();
        self.look_at_each_company(begin_list_snapshot, |connection, company| {
            let fields = filterable(connection, company)?;
            if fields.is_empty() {
                return Ok(());
            }
            compared.compare_company(connection, company, &fields, progress)
        })?;
        Ok(compared)
    }
}

impl IndexedValues {
    fn compare_company(
        &mut self,
        connection: &mut Connection,
        company: CompanyId,
        fields: &[Field],
        progress: &mut dyn FnMut(&Self),
    ) -> Result<(), Failure> {
        let mut found: BTreeMap<Uuid, OfField> = BTreeMap::new();
        let mut after = String::new();
        loop {
            let contacts = contacts_after(connection, company, &after)?;
            let Some(last) = contacts.last() else { break };
            after.clone_from(&last.email_identity);
            let mut indexed = indexed_of(connection, company, &contacts)?;
            for contact in contacts.iter().filter(|contact| contact.is_active) {
                for (field, value) in values_of(&contact.field_values, fields)? {
                    let of_field = found.entry(field.id.uuid()).or_default();
                    match indexed.remove(&(contact.id.0, field.id.uuid())) {
                        None => of_field.missing += 1,
                        Some(row) if row.is_of(&value, contact.created_at.0) => of_field.right += 1,
                        Some(_) => of_field.wrong += 1,
                    }
                    self.values += 1;
                }
            }
            progress(self);
        }
        for field in fields {
            let found = found.remove(&field.id.uuid()).unwrap_or_default();
            let count = sql!(
                "SELECT count(*) AS total FROM indexed_values WHERE {}",
                of_field(connection, "", company, field.id),
            );
            let number = total(connection, count)?;
            self.add(company, field, &found, number);
        }
        Ok(())
    }

    fn add(&mut self, company: CompanyId, field: &Field, found: &OfField, number: i64) {
        self.fields += 1;
        let OfField { right, missing, wrong } = *found;
        let surplus = number - right - wrong;
        if (missing, wrong, surplus) == (0, 0, 0) {
            return;
        }
        self.different += 1;
        describe(&mut self.differences, || {
            format!(
                "company {company}, field {}: {missing} values are not indexed, {wrong} are indexed wrongly, \
                 and {surplus} are indexed that no active contact has",
                field.key.as_str()
            )
        });
    }
}

fn contacts_after(
    connection: &mut Connection,
    company: CompanyId,
    after: &str,
) -> Result<Vec<ContactRow>, Failure> {
    let text = "SELECT id, email_identity, created_at, deleted_at IS NULL AS is_active, field_values FROM contacts \
         WHERE company_id = ? AND email_identity > ? ORDER BY email_identity LIMIT ?";
    Ok(connection.rows(statement(text).bind(company).bind(after).bind(BATCH))?)
}

/// The indexed values of contacts, by contact and field.
fn indexed_of(
    connection: &mut Connection,
    company: CompanyId,
    contacts: &[ContactRow],
) -> Result<HashMap<(Uuid, Uuid), IndexedRow>, Failure> {
    let active = contacts.iter().filter(|contact| contact.is_active);
    let (field_id, rows) = with_field_ids(connection);
    let select = sql!(
        "SELECT contact_id, {}, sort_key, sort_rest, contact_created_at FROM {} AND contact_id {}",
        field_id,
        rows,
        any_id(connection, active.map(|contact| contact.id.0)),
    );
    let rows: Vec<IndexedRow> = connection.rows(select.bind(company))?;
    Ok(rows.into_iter().map(|row| ((row.contact_id.0, row.field_id.0), row)).collect())
}
