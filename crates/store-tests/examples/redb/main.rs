//! Embeds contacts and their fields with a store of its own, in a file.

mod adapter;
mod documents;
mod ports;

use std::error::Error;
use std::io::{Write as _, stdout};

use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{self, ContactDraft, ListQuery};
use contact_hub_domain::context::Context;
use contact_hub_domain::fields::{self, FieldDraft, FieldValue};
use redb::Database;

use crate::adapter::Redb;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let file = directory.path().join("contacts.redb");
    let caller = ports::caller(1);
    {
        let ports = ports::ports(Redb::of(Database::create(&file)?));
        let cx = Context { ports: &ports, caller: &caller, call: &Call::default() };
        let field = FieldDraft {
            name: "Job Title".into(),
            r#type: "string".into(),
            ..FieldDraft::default()
        };
        fields::create(&cx, &field).await?;
        let draft = ContactDraft {
            email: "ann@example.com".into(),
            first_name: "Ann".into(),
            last_name: "O'Hara".into(),
            field_values: [("jobTitle".to_owned(), "Engineer".into())].into_iter().collect(),
            ..ContactDraft::default()
        };
        contacts::create(&cx, &draft).await?;
    }
    // Another process would read what this one has stored.
    let ports = ports::ports(Redb::of(Database::create(&file)?));
    let cx = Context { ports: &ports, caller: &caller, call: &Call::default() };
    let page = contacts::list(&cx, ListQuery::default()).await?;
    for contact in page.items {
        let values = contact.field_values.values().map(FieldValue::to_json);
        let values = values.collect::<Vec<_>>().join(", ");
        writeln!(stdout(), "{}: {values}", contact.email.as_str())?;
    }
    Ok(())
}
