//! Embeds contacts and their fields, and no other capability, with a store in memory.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use contact_hub_domain::access::{Caller, CallerCompany, Permissions};
use contact_hub_domain::contacts::{
    self, ChangeContactOutcome, Contact, ContactDraft, ContactInput, ContactStore, ContactsError,
    CreateContactOutcome, DeleteContactOutcome, Existing, ExpectedVersion, ExportPart, ListQuery,
    Merged, NewContact, ReplaceValuesOutcome, merge,
};
use contact_hub_domain::context::{ContactPorts, Context, Environment};
use contact_hub_domain::email::Email;
use contact_hub_domain::fields::{
    self, CreateFieldOutcome, Directory, Field, FieldDraft, FieldStore, FieldValue, FieldValues,
    ValuesQuery,
};
use contact_hub_domain::ids::{CompanyId, ContactId, DirectoryId, FieldId, UserId};
use contact_hub_domain::limits::Limits;
use contact_hub_domain::page::{Page, PageRequest};
use contact_hub_domain::ports::{Clock, Ids, Randomness, StoreError};
use contact_hub_domain::time::Timestamp;
use uuid::Uuid;

type Stored<T> = Result<T, StoreError>;

/// The rows of one company. The contacts are in the order of their creation.
#[derive(Default)]
struct Rows {
    fields: Vec<Field>,
    contacts: BTreeMap<(Timestamp, ContactId), Existing>,
}

impl Rows {
    fn with_email(&self, email: &Email) -> Option<&Existing> {
        self.contacts.values().find(|row| row.contact.email.identity() == email.identity())
    }

    fn with_id(&mut self, id: ContactId) -> Option<&mut Existing> {
        self.contacts.values_mut().find(|row| row.contact.id == id && !row.is_deleted)
    }

    fn put(&mut self, contact: Contact) {
        let place = (contact.created_at, contact.id);
        self.contacts.insert(place, Existing { contact, is_deleted: false });
    }

    fn active(&self) -> impl Iterator<Item = &Contact> {
        self.contacts.values().filter(|row| !row.is_deleted).map(|row| &row.contact)
    }
}

/// The rows of all companies. Its lock makes every call a transaction.
#[derive(Default)]
struct Memory(Mutex<HashMap<CompanyId, Rows>>);

impl Memory {
    fn of<T>(&self, company: CompanyId, work: impl FnOnce(&mut Rows) -> T) -> Stored<T> {
        let companies = self.0.lock();
        let mut companies =
            companies.map_err(|error| StoreError::Failed(error.to_string().into()))?;
        Ok(work(companies.entry(company).or_default()))
    }
}

fn page<T>(request: PageRequest, rows: Vec<T>) -> Page<T> {
    let total = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let offset = usize::try_from(request.offset()).unwrap_or(usize::MAX);
    let size = usize::try_from(request.size()).unwrap_or(usize::MAX);
    Page::new(request, total, rows.into_iter().skip(offset).take(size).collect())
}

/// A list with conditions needs indexes, which this store does not have.
fn without_conditions(query: &ListQuery) -> Stored<()> {
    let plain = ListQuery { page: query.page, ..ListQuery::default() };
    if *query == plain { Ok(()) } else { Err(StoreError::Failed("not supported".into())) }
}

#[async_trait]
impl ContactStore for Memory {
    async fn create(&self, company: CompanyId, new: NewContact) -> Stored<CreateContactOutcome> {
        self.of(company, |rows| match rows.with_email(&new.input.email) {
            Some(row) if !row.is_deleted => CreateContactOutcome::EmailTaken(row.contact.id),
            Some(row) => {
                let restored = new.restored(&row.contact);
                rows.put(restored.clone());
                CreateContactOutcome::Restored(restored)
            }
            None => {
                rows.put(new.created());
                CreateContactOutcome::Created(new.created())
            }
        })
    }

    async fn read(&self, company: CompanyId, id: ContactId) -> Stored<Option<Contact>> {
        self.of(company, |rows| rows.with_id(id).map(|row| row.contact.clone()))
    }

    async fn list(&self, company: CompanyId, query: ListQuery) -> Stored<Page<Contact>> {
        without_conditions(&query)?;
        self.of(company, |rows| page(query.page, rows.active().cloned().collect()))
    }

    async fn list_after(
        &self,
        company: CompanyId,
        query: ListQuery,
        part: ExportPart,
    ) -> Stored<Vec<Contact>> {
        without_conditions(&query)?;
        let after = part.after.map(|place| (place.created_at, place.id));
        let size = usize::try_from(part.contacts).unwrap_or(usize::MAX);
        self.of(company, |rows| {
            let rest = rows.active().skip_while(|it| Some((it.created_at, it.id)) <= after);
            rest.take(size).cloned().collect()
        })
    }

    async fn upsert_many(&self, company: CompanyId, new: Vec<NewContact>) -> Stored<Merged> {
        self.of(company, |rows| {
            let merged = merge(rows.contacts.values().cloned().collect(), &new);
            merged.changes.iter().for_each(|change| rows.put(change.after().clone()));
            merged
        })
    }

    async fn change(
        &self,
        company: CompanyId,
        id: ContactId,
        input: ContactInput,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Stored<ChangeContactOutcome> {
        self.of(company, |rows| {
            let holder = rows.with_email(&input.email).map(|row| (row.contact.id, row.is_deleted));
            let Some(row) = rows.with_id(id) else { return ChangeContactOutcome::NotFound };
            match holder.filter(|(holder, _)| *holder != id) {
                _ if !expected.permits(row.contact.updated_at) => ChangeContactOutcome::Stale,
                Some((_, true)) => ChangeContactOutcome::EmailOfDeleted,
                Some((holder, false)) => ChangeContactOutcome::EmailTaken(holder),
                None => {
                    row.contact = row.contact.changed(&input, at);
                    ChangeContactOutcome::Changed(row.contact.clone())
                }
            }
        })
    }

    async fn delete(
        &self,
        company: CompanyId,
        id: ContactId,
        expected: ExpectedVersion,
        _at: Timestamp,
    ) -> Stored<DeleteContactOutcome> {
        self.of(company, |rows| match rows.with_id(id) {
            None => DeleteContactOutcome::NotFound,
            Some(row) if !expected.permits(row.contact.updated_at) => DeleteContactOutcome::Stale,
            Some(row) => {
                row.is_deleted = true;
                DeleteContactOutcome::Deleted
            }
        })
    }

    async fn delete_many(
        &self,
        company: CompanyId,
        ids: Vec<ContactId>,
        _at: Timestamp,
    ) -> Stored<u64> {
        self.of(company, |rows| {
            let deleted =
                ids.iter().filter_map(|id| rows.with_id(*id).map(|row| row.is_deleted = true));
            u64::try_from(deleted.count()).unwrap_or(u64::MAX)
        })
    }

    async fn replace_values(
        &self,
        company: CompanyId,
        id: ContactId,
        values: FieldValues,
        expected: ExpectedVersion,
        at: Timestamp,
    ) -> Stored<ReplaceValuesOutcome> {
        self.of(company, |rows| match rows.with_id(id) {
            None => ReplaceValuesOutcome::NotFound,
            Some(row) if !expected.permits(row.contact.updated_at) => ReplaceValuesOutcome::Stale,
            Some(row) => {
                row.contact = row.contact.with_values(&values, at);
                ReplaceValuesOutcome::Replaced(row.contact.clone())
            }
        })
    }
}

#[async_trait]
impl FieldStore for Memory {
    async fn create(
        &self,
        company: CompanyId,
        field: Field,
        max: usize,
    ) -> Stored<CreateFieldOutcome> {
        self.of(company, |rows| match rows.fields.iter().find(|known| known.key == field.key) {
            Some(holder) => CreateFieldOutcome::KeyTaken(holder.clone()),
            None if rows.fields.len() >= max => CreateFieldOutcome::Full,
            None => {
                rows.fields.push(field);
                CreateFieldOutcome::Created
            }
        })
    }

    async fn list(&self, company: CompanyId) -> Stored<Arc<Directory>> {
        self.of(company, |rows| Arc::new(Directory::new(rows.fields.clone())))
    }

    async fn list_values(
        &self,
        company: CompanyId,
        field: FieldId,
        query: ValuesQuery,
    ) -> Stored<Option<Page<FieldValue>>> {
        self.of(company, |rows| {
            let key = &rows.fields.iter().find(|known| known.id == field)?.key;
            let values = rows.active().filter_map(|contact| contact.field_values.get(key));
            let mut values: Vec<FieldValue> = values.cloned().collect();
            values.sort_by_key(FieldValue::sort_key);
            values.dedup();
            if query.descending {
                values.reverse();
            }
            Some(page(query.page, values))
        })
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
    let (machine, store) = (Arc::new(Machine), Arc::new(Memory::default()));
    ContactPorts {
        environment: Environment {
            clock: machine.clone(),
            ids: machine.clone(),
            randomness: machine,
            limits: Limits::default(),
        },
        contacts: store.clone(),
        fields: store,
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
        },
        permissions: Permissions::all(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (ports, caller) = (ports(), caller());
    let cx = Context { ports: &ports, caller: &caller };

    let field = FieldDraft { name: "Job Title".into(), r#type: "string".into() };
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
