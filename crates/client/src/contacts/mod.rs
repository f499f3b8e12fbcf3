//! The operations on contacts.

mod export;
mod pages;
mod query;
mod types;

pub use export::{Export, ExportedContact};
pub use pages::Contacts;
pub use query::ContactQuery;
pub use types::{
    Contact, ContactChange, CursorMeta, Deleted, FailedRow, LookupMeta, NewContact, UpsertResult,
};

use serde::Serialize;

use crate::{Call, ContactHub, Method};

#[derive(Serialize)]
struct UpsertInput<'a> {
    contacts: &'a [NewContact],
}

#[derive(Serialize)]
struct Ids<'a> {
    ids: &'a [&'a str],
}

#[derive(Serialize)]
struct Emails<'a> {
    emails: &'a [&'a str],
}

impl ContactHub {
    /// Reads a contact with its field values.
    pub fn read_contact(&self, id: &str) -> Call<Contact> {
        self.contact_path(Method::Get, &[id])
    }

    /// Creates a contact, or restores the deleted one with this email.
    pub fn create_contact(&self, contact: &NewContact) -> Call<Contact> {
        self.contact_path(Method::Post, &[]).body(contact)
    }

    /// Changes a contact.
    pub fn change_contact(&self, id: &str, change: &ContactChange) -> Call<Contact> {
        self.contact_path(Method::Patch, &[id]).body(change)
    }

    /// Deletes a contact. An attempt that is repeated may get 404, because the first one has deleted it.
    pub fn delete_contact(&self, id: &str) -> Call<()> {
        self.contact_path(Method::Delete, &[id])
    }

    /// Creates or updates up to 1,000 contacts, matched by email. An invalid row does not affect the others.
    pub fn upsert_contacts(&self, contacts: &[NewContact]) -> Call<UpsertResult> {
        self.contact_path(Method::Post, &["bulk"]).body(&UpsertInput { contacts })
    }

    /// Deletes up to 1,000 contacts. Unknown ids are ignored.
    pub fn delete_contacts(&self, ids: &[&str]) -> Call<Deleted> {
        self.contact_path(Method::Post, &["bulk-delete"]).body(&Ids { ids })
    }

    /// Reads up to 1,000 contacts with their field values by their ids, in this order.
    pub fn look_up_contacts(&self, ids: &[&str]) -> Call<Vec<Contact>, LookupMeta> {
        self.contact_path(Method::Post, &["lookup"]).body(&Ids { ids })
    }

    /// Reads up to 1,000 contacts with their field values by their emails, in this order.
    pub fn look_up_contacts_by_email(&self, emails: &[&str]) -> Call<Vec<Contact>, LookupMeta> {
        self.contact_path(Method::Post, &["lookup"]).body(&Emails { emails })
    }

    /// Reads one page of contacts after a cursor, which is empty for the first page. [`Self::contacts`] reads all pages.
    pub fn list_contacts(
        &self,
        query: &ContactQuery,
        after: &str,
    ) -> Call<Vec<Contact>, CursorMeta> {
        let call = self.contact_path(Method::Get, &[]).query("page[after]", after);
        query.parameters().fold(call, |call, (name, value)| call.query(name, value))
    }

    pub(crate) fn contact_path<D, M>(&self, method: Method, rest: &[&str]) -> Call<D, M> {
        let path = ["api", "public", "v1", "contacts"];
        self.call(method, path.into_iter().chain(rest.iter().copied()))
    }
}
