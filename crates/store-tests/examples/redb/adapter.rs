//! The rows of contacts and fields in redb, an embedded key-value store.

use contact_hub_domain::contacts::Existing;
use contact_hub_domain::fields::Field;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::row_store::{CompanyRows, RowStore, Stored};
use redb::{Database, ReadableTable, Table, TableDefinition};

use crate::documents::{ContactDocument, FieldDocument};

/// Documents of contacts, by company and id.
const CONTACTS: TableDefinition<'_, (u128, u128), &[u8]> = TableDefinition::new("contacts");
/// The ids of contacts, by company and email identity.
const IDENTITIES: TableDefinition<'_, (u128, &str), u128> = TableDefinition::new("identities");
/// Documents of fields, by company and place in the order of creation.
const FIELDS: TableDefinition<'_, (u128, u64), &[u8]> = TableDefinition::new("fields");

/// A store of rows in redb.
pub(crate) struct Redb(Database);

impl Redb {
    /// The store in a database.
    pub(crate) const fn of(database: Database) -> Self {
        Self(database)
    }
}

/// redb writes one transaction at a time, so each is serializable. A transaction that is dropped is rolled back.
impl RowStore for Redb {
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T> {
        let transaction = self.0.begin_write().map_err(failed)?;
        let done = {
            let mut rows = Rows {
                company: company.uuid().as_u128(),
                contacts: transaction.open_table(CONTACTS).map_err(failed)?,
                identities: transaction.open_table(IDENTITIES).map_err(failed)?,
                fields: transaction.open_table(FIELDS).map_err(failed)?,
            };
            work(&mut rows)?
        };
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

struct Rows<'a> {
    company: u128,
    contacts: Table<'a, (u128, u128), &'static [u8]>,
    identities: Table<'a, (u128, &'static str), u128>,
    fields: Table<'a, (u128, u64), &'static [u8]>,
}

impl CompanyRows for Rows<'_> {
    fn contact(&self, id: ContactId) -> Stored<Option<Existing>> {
        let found = self.contacts.get((self.company, id.uuid().as_u128())).map_err(failed)?;
        found.map(|document| ContactDocument::read(id, document.value())).transpose()
    }

    fn contact_by_identity(&self, identity: &str) -> Stored<Option<Existing>> {
        let id = self.identities.get((self.company, identity)).map_err(failed)?;
        let id = id.map(|id| ContactId::new(uuid::Uuid::from_u128(id.value())));
        id.map_or(Ok(None), |id| self.contact(id))
    }

    fn contacts(&self) -> Stored<Vec<Existing>> {
        let all = (self.company, 0)..=(self.company, u128::MAX);
        let rows = self.contacts.range(all).map_err(failed)?;
        rows.map(|row| {
            let (key, document) = row.map_err(failed)?;
            let id = ContactId::new(uuid::Uuid::from_u128(key.value().1));
            ContactDocument::read(id, document.value())
        })
        .collect()
    }

    fn put_contact(&mut self, row: Existing) -> Stored<()> {
        let id = row.contact.id;
        if let Some(before) = self.contact(id)? {
            let identity = before.contact.email.identity();
            self.identities.remove((self.company, identity)).map_err(failed)?;
        }
        let key = (self.company, id.uuid().as_u128());
        let identity = row.contact.email.identity();
        self.identities.insert((self.company, identity), key.1).map_err(failed)?;
        let document = ContactDocument::of(&row).to_bytes()?;
        self.contacts.insert(key, document.as_slice()).map_err(failed)?;
        Ok(())
    }

    fn fields(&self) -> Stored<Vec<Field>> {
        let rows =
            self.fields.range((self.company, 0)..=(self.company, u64::MAX)).map_err(failed)?;
        rows.map(|row| FieldDocument::read(row.map_err(failed)?.1.value())).collect()
    }

    fn put_field(&mut self, field: Field) -> Stored<()> {
        let known = self.fields()?;
        let place = known.iter().position(|known| known.id == field.id).unwrap_or(known.len());
        let place = u64::try_from(place).map_err(failed)?;
        let document = FieldDocument::of(&field).to_bytes()?;
        self.fields.insert((self.company, place), document.as_slice()).map_err(failed)?;
        Ok(())
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Failed(Box::new(error))
}
