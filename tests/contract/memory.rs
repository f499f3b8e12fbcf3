//! An in-memory store of rows, used through the adapter that the domain provides for such stores.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use contact_hub_domain::contacts::Existing;
use contact_hub_domain::context::ContactPorts;
use contact_hub_domain::fields::Field;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::row_store::{CompanyRows, RowAdapter, RowStore, Stored};

#[derive(Clone, Default)]
struct Rows {
    fields: Vec<Field>,
    contacts: HashMap<ContactId, Existing>,
}

impl CompanyRows for Rows {
    fn contact(&self, id: ContactId) -> Stored<Option<Existing>> {
        Ok(self.contacts.get(&id).cloned())
    }

    fn contact_by_identity(&self, identity: &str) -> Stored<Option<Existing>> {
        let mut rows = self.contacts.values();
        Ok(rows.find(|row| row.contact.email.identity() == identity).cloned())
    }

    fn contacts(&self) -> Stored<Vec<Existing>> {
        Ok(self.contacts.values().cloned().collect())
    }

    fn put_contact(&mut self, row: Existing) -> Stored<()> {
        self.contacts.insert(row.contact.id, row);
        Ok(())
    }

    fn fields(&self) -> Stored<Vec<Field>> {
        Ok(self.fields.clone())
    }

    fn put_field(&mut self, field: Field) -> Stored<()> {
        match self.fields.iter_mut().find(|known| known.id == field.id) {
            Some(known) => *known = field,
            None => self.fields.push(field),
        }
        Ok(())
    }
}

/// The rows of all companies.
#[derive(Default)]
pub(crate) struct Memory(Mutex<HashMap<CompanyId, Rows>>);

impl RowStore for Memory {
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T> {
        let mut companies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(companies.entry(company).or_default())
    }
}

/// These ports, with contacts and fields in memory.
pub(crate) fn in_memory(ports: &ContactPorts) -> ContactPorts {
    let store = Arc::new(RowAdapter(Memory::default()));
    ContactPorts { contacts: store.clone(), fields: store, ..ports.clone() }
}
