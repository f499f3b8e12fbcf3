//! Changes of the counts of values.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use contact_hub_domain::fields::{Directory, FieldValue, FieldValues};
use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::columns::JsonValue;
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{sql, statement};

/// How many bytes of the sort key are indexed; PostgreSQL rejects index rows above about 2,700 bytes.
const HEAD: usize = 512;

/// A change of the number of active contacts that have a value.
#[derive(Debug)]
struct ValueUse {
    field: FieldId,
    /// The head of the bytes by which the type orders its values.
    sort_key: Vec<u8>,
    /// Distinguishes values with the same head: empty when the head is the whole key, else the SHA-256 of the whole.
    identity: Vec<u8>,
    /// The part of the key that does not fit into the head.
    sort_rest: Vec<u8>,
    /// The value as JSON.
    value: String,
    /// The change of the count; never 0.
    delta: i64,
}

/// The changes of one transaction, summed by value.
#[derive(Default)]
pub(super) struct ValueUses(BTreeMap<(FieldId, Vec<u8>), (FieldValue, i64)>);

impl ValueUses {
    /// Adds the values of a contact that becomes active.
    pub(super) fn gain(
        &mut self,
        directory: &Directory,
        values: &FieldValues,
    ) -> Result<(), Failure> {
        self.change(directory, values, 1)
    }

    /// Subtracts the values of an active contact.
    pub(super) fn lose(
        &mut self,
        directory: &Directory,
        values: &FieldValues,
    ) -> Result<(), Failure> {
        self.change(directory, values, -1)
    }

    /// Writes the changes and the change of the company's count of contacts, each in at most one statement.
    pub(super) fn write(
        self,
        connection: &mut Connection,
        company: CompanyId,
        more_contacts: i64,
    ) -> Result<(), Failure> {
        let changes = self.into_changes();
        if !changes.is_empty() {
            change(connection, &changes)?;
        }
        if more_contacts != 0 {
            let text = "UPDATE contact_counts SET active = active + ? WHERE company_id = ?";
            connection.execute(statement(text).bind(more_contacts).bind(company))?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        directory: &Directory,
        values: &FieldValues,
        delta: i64,
    ) -> Result<(), Failure> {
        for (key, value) in values {
            let field = directory.find(key.as_str());
            let field = field.ok_or_else(|| Failure::Corrupt("a value has no field".to_owned()))?;
            let entry = self.0.entry((field.id, value.sort_key()));
            entry.or_insert_with(|| (value.clone(), 0)).1 += delta;
        }
        Ok(())
    }

    /// The changes, sorted, so that all transactions lock the counts in one order.
    fn into_changes(self) -> Vec<ValueUse> {
        self.0
            .into_iter()
            .filter(|(_, (_, delta))| *delta != 0)
            .map(|((field, key), (value, delta))| ValueUse::new(field, key, &value, delta))
            .collect()
    }
}

/// Adds to the counts of values, in one statement, and a second one when any count falls. The changes are sorted,
/// with one for each value.
fn change(connection: &mut Connection, changes: &[ValueUse]) -> Result<(), Failure> {
    let key = || {
        Source::of(changes)
            .ids("field_id", |it| it.field.uuid())
            .blobs("sort_key", |it| it.sort_key.clone())
            .blobs("identity", |it| it.identity.clone())
    };
    let counts = key()
        .blobs("sort_rest", |it| it.sort_rest.clone())
        .jsons("value", |it| JsonValue(it.value.clone()))
        .ints("uses", |it| it.delta);
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    let upsert = sql!(
        "INSERT INTO field_value_uses AS known ({columns}) SELECT {columns} FROM {table} WHERE true \
         ON CONFLICT (field_id, sort_key, identity) DO UPDATE SET uses = known.uses + excluded.uses",
        columns = counts.names(),
        table = counts.table(connection),
    );
    connection.execute(upsert)?;
    if changes.iter().any(|change| change.delta < 0) {
        let delete = sql!(
            "DELETE FROM field_value_uses WHERE uses <= 0 AND ({columns}) IN (SELECT {columns} FROM {table})",
            columns = key().names(),
            table = key().table(connection),
        );
        connection.execute(delete)?;
    }
    Ok(())
}

impl ValueUse {
    fn new(field: FieldId, mut sort_key: Vec<u8>, value: &FieldValue, delta: i64) -> Self {
        let long = sort_key.len() > HEAD;
        let identity = if long { Sha256::digest(&sort_key).to_vec() } else { Vec::new() };
        let sort_rest = if long { sort_key.split_off(HEAD) } else { Vec::new() };
        Self { field, sort_key, identity, sort_rest, value: value.shown().to_json(), delta }
    }
}
