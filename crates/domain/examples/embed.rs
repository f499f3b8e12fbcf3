//! Embeds contacts and their fields, and no other capability, with a store in memory.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use contact_hub_domain::access::{Caller, CallerCompany, Permissions};
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{self, ContactDraft, ContactsError, Existing, ListQuery};
use contact_hub_domain::context::{ContactPorts, Context, Environment};
use contact_hub_domain::fields::{self, Field, FieldDraft};
use contact_hub_domain::ids::{CompanyId, ContactId, DirectoryId, UserId};
use contact_hub_domain::limits::Limits;
use contact_hub_domain::ports::{Clock, Ids, Randomness};
use contact_hub_domain::row_store::{CompanyRows, RowAdapter, RowStore, Stored};
use contact_hub_domain::time::Timestamp;
use uuid::Uuid;

/// The rows of one company.
#[derive(Clone, Default)]
struct Rows {
    fields: Vec<Field>,
    contacts: HashMap<ContactId, Existing>,
    ids: HashMap<String, ContactId>,
}

impl CompanyRows for Rows {
    fn contact(&self, id: ContactId) -> Stored<Option<Existing>> {
        Ok(self.contacts.get(&id).cloned())
    }

    fn contact_by_identity(&self, identity: &str) -> Stored<Option<Existing>> {
        Ok(self.ids.get(identity).and_then(|id| self.contacts.get(id)).cloned())
    }

    fn contacts(&self) -> Stored<Vec<Existing>> {
        Ok(self.contacts.values().cloned().collect())
    }

    fn put_contact(&mut self, row: Existing) -> Stored<()> {
        let (id, identity) = (row.contact.id, row.contact.email.identity().to_owned());
        if let Some(before) = self.contacts.insert(id, row) {
            self.ids.remove(before.contact.email.identity());
        }
        self.ids.insert(identity, id);
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

/// The rows of all companies. A transaction works on a copy, which replaces the rows when it succeeds.
#[derive(Default)]
struct Memory(Mutex<HashMap<CompanyId, Rows>>);

impl RowStore for Memory {
    fn transaction<T>(
        &self,
        company: CompanyId,
        work: impl FnOnce(&mut dyn CompanyRows) -> Stored<T>,
    ) -> Stored<T> {
        let mut companies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = companies.get(&company).cloned().unwrap_or_default();
        let done = work(&mut rows)?;
        companies.insert(company, rows);
        Ok(done)
    }
}

/// The time, ids and randomness of this machine.
struct Machine;

impl Clock for Machine {
    #[expect(clippy::disallowed_methods, reason = "this adapter reads the time")]
    fn now(&self) -> Timestamp {
        Timestamp::from_clock(time::OffsetDateTime::now_utc())
    }
}

impl Ids for Machine {
    #[expect(clippy::disallowed_methods, reason = "this adapter creates ids")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}

impl Randomness for Machine {
    #[expect(clippy::expect_used, reason = "a guessable secret would be worse than a panic")]
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
        bytes
    }
}

fn ports() -> ContactPorts {
    let (machine, store) = (Arc::new(Machine), Arc::new(RowAdapter(Memory::default())));
    ContactPorts {
        environment: Environment {
            clock: machine.clone(),
            ids: machine.clone(),
            randomness: machine,
            limits: Limits::default(),
        },
        contacts: store.clone(),
        fields: store,
        blocked_emails: None,
    }
}

/// A user of a company, whom the program has authenticated itself.
fn caller() -> Caller {
    Caller {
        user_id: UserId::new(Uuid::from_u128(1)),
        company: CallerCompany {
            id: CompanyId::new(Uuid::from_u128(2)),
            directory_id: DirectoryId::new(Uuid::from_u128(3)),
            product_access: true,
            allowed_domains: Arc::default(),
            has_blocked_emails: false,
        },
        permissions: Permissions::all(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (ports, caller) = (ports(), caller());
    let cx = Context { ports: &ports, caller: &caller, call: &Call::default() };

    let field =
        FieldDraft { name: "Job Title".into(), r#type: "string".into(), ..FieldDraft::default() };
    assert_eq!(fields::create(&cx, &field).await?.key.as_str(), "jobTitle");

    let draft = ContactDraft {
        email: "ann@example.com".into(),
        first_name: "Ann".into(),
        last_name: "O'Hara".into(),
        field_values: [("jobTitle".to_owned(), "Engineer".into())].into_iter().collect(),
        ..ContactDraft::default()
    };
    let created = contacts::create(&cx, &draft).await?;
    let again = contacts::create(&cx, &draft).await;
    assert!(matches!(again, Err(ContactsError::AlreadyExists(id)) if id == created.contact().id));
    assert_eq!(contacts::list(&cx, ListQuery::default()).await?.items.len(), 1);
    Ok(())
}
