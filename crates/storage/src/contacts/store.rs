//! The contacts port.

use async_trait::async_trait;

use contact_hub_domain::contacts::{Contact, ContactStore, CreateContactOutcome, NewContact};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;

use super::document::{Decoder, encode};
use super::rows::{COLUMNS, ContactRow};
use super::value_uses::ValueUses;
use crate::Storage;
use crate::connection::Connection;
use crate::dialect;
use crate::failure::Failure;
use crate::statement::{Statement, statement};

#[async_trait]
impl ContactStore for Storage {
    async fn create(
        &self,
        company: CompanyId,
        new: NewContact,
    ) -> Result<CreateContactOutcome, StoreError> {
        let keys: Vec<String> = new
            .input
            .values
            .keys()
            .map(|key| key.as_str().to_owned())
            .collect();
        let directory =
            contact_hub_domain::fields::FieldStore::directory(self, company, &keys).await?;
        let storage = self.clone();
        self.write(move |connection| {
            Creation {
                storage: &storage,
                company,
                new: &new,
                directory: &directory,
            }
            .run(connection)
        })
        .await
    }

    async fn read(&self, company: CompanyId, id: ContactId) -> Result<Option<Contact>, StoreError> {
        let storage = self.clone();
        self.read(move |connection| {
            let text = format!(
                "SELECT {COLUMNS} FROM contacts WHERE id = ? AND company_id = ? AND deleted_at IS NULL"
            );
            let Some(row) = connection.first::<ContactRow>(statement(text).bind(id).bind(company))?
            else {
                return Ok(None);
            };
            let mut decoder = Decoder::new(&storage, company);
            let values = decoder.decode(connection, &row.field_values)?;
            row.into_contact(values).map(Some)
        })
        .await
    }
}

/// Every transaction locks in one order: contacts by email identity, counts of values by field and sort key, the
/// company's count of contacts. So two of them never wait for each other.
struct Creation<'a> {
    storage: &'a Storage,
    company: CompanyId,
    new: &'a NewContact,
    directory: &'a Directory,
}

impl Creation<'_> {
    fn run(&self, connection: &mut Connection) -> Result<CreateContactOutcome, Failure> {
        let created = self.new.created();
        if connection.execute(insert(self.company, &created))? == 1 {
            self.count(connection, &created)?;
            return Ok(CreateContactOutcome::Created(created));
        }
        let holder = self.holder(connection)?;
        let Some(holder) = holder else {
            return Err(Failure::Corrupt(
                "contacts.email_identity conflicts with no row".to_owned(),
            ));
        };
        if !holder.is_deleted {
            return Ok(CreateContactOutcome::EmailTaken(holder.id()));
        }
        let mut decoder = Decoder::new(self.storage, self.company);
        let values = decoder.decode(connection, &holder.field_values)?;
        let restored = self.new.restored(&holder.into_contact(values)?);
        connection.execute(restore(self.company, &restored))?;
        self.count(connection, &restored)?;
        Ok(CreateContactOutcome::Restored(restored))
    }

    fn holder(&self, connection: &mut Connection) -> Result<Option<ContactRow>, Failure> {
        let lock = dialect::for_update(connection);
        let text = format!(
            "SELECT {COLUMNS} FROM contacts WHERE company_id = ? AND email_identity = ?{lock}"
        );
        let holder = statement(text)
            .bind(self.company)
            .bind(self.new.input.email.identity());
        Ok(connection.first(holder)?)
    }

    fn count(&self, connection: &mut Connection, contact: &Contact) -> Result<(), Failure> {
        let mut uses = ValueUses::default();
        uses.gain(self.directory, &contact.field_values);
        let changes = uses.into_changes();
        if !changes.is_empty() {
            dialect::change_value_uses(connection, &changes)?;
        }
        let text = "UPDATE contact_counts SET active = active + ? WHERE company_id = ?";
        connection.execute(statement(text).bind(1_i64).bind(self.company))?;
        Ok(())
    }
}

fn insert(company: CompanyId, contact: &Contact) -> Statement {
    let text = "INSERT INTO contacts (email_identity, email, email_folded, first_name, first_name_folded, \
         last_name, last_name_folded, avatar_url, field_values, updated_at, created_at, id, company_id) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (company_id, email_identity) DO NOTHING";
    attributes(statement(text).bind(contact.email.identity()), contact)
        .bind(contact.created_at)
        .bind(contact.id)
        .bind(company)
}

fn restore(company: CompanyId, contact: &Contact) -> Statement {
    let text = "UPDATE contacts SET deleted_at = NULL, email = ?, email_folded = ?, first_name = ?, \
         first_name_folded = ?, last_name = ?, last_name_folded = ?, avatar_url = ?, field_values = ?, \
         updated_at = ? WHERE id = ? AND company_id = ?";
    attributes(statement(text), contact)
        .bind(contact.id)
        .bind(company)
}

/// Binds what an update may change.
fn attributes(statement: Statement, contact: &Contact) -> Statement {
    statement
        .bind(contact.email.as_str())
        .bind(contact.email.folded())
        .bind(contact.first_name.as_str())
        .bind(contact.first_name.folded())
        .bind(contact.last_name.as_str())
        .bind(contact.last_name.folded())
        .bind(
            contact
                .avatar_url
                .as_ref()
                .map(|url| url.as_str().to_owned()),
        )
        .bind(encode(&contact.field_values))
        .bind(contact.updated_at)
}
