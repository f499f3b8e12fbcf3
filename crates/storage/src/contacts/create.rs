//! Create one contact, or restore a deleted one.

use std::sync::Arc;

use contact_hub_domain::contacts::{CreateContactOutcome, NewContact};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::CompanyId;

use super::document::Decoder;
use super::write;
use crate::Storage;
use crate::connection::Connection;
use crate::counts::ValueUses;
use crate::failure::Failure;

/// A creation inserts first, since a conflict is rare.
pub(super) struct Creation<'a> {
    pub(super) storage: &'a Storage,
    pub(super) company: CompanyId,
    pub(super) new: &'a NewContact,
    pub(super) directory: &'a Arc<Directory>,
}

impl Creation<'_> {
    pub(super) fn run(&self, connection: &mut Connection) -> Result<CreateContactOutcome, Failure> {
        let created = self.new.created();
        let mut uses = ValueUses::default();
        if write::insert(connection, self.company, &[&created])? == 1 {
            uses.gain(self.directory, &created.field_values)?;
            uses.write(self.storage, connection, self.company, 1)?;
            return Ok(CreateContactOutcome::Created(created));
        }
        let identities = vec![self.new.input.email.identity().to_owned()];
        let holder = write::lock_by_identities(connection, self.company, identities)?.pop();
        let holder = holder.ok_or(Failure::Overtaken)?;
        if !holder.is_deleted {
            return Ok(CreateContactOutcome::EmailTaken(holder.id()));
        }
        let mut decoder = Decoder::knowing(self.storage, self.company, Arc::clone(self.directory));
        let values = decoder.decode(connection, &holder.field_values)?;
        let restored = self.new.restored(&holder.into_contact(values));
        write::update(connection, self.company, &[&restored])?;
        uses.gain(decoder.directory(connection)?.as_ref(), &restored.field_values)?;
        uses.write(self.storage, connection, self.company, 1)?;
        Ok(CreateContactOutcome::Restored(restored))
    }
}
