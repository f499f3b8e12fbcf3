//! Creates a contact, lists those with the same last name, and deletes the contact:
//! `CONTACT_HUB_KEY=… cargo run --example people -- https://hub.example`

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example prints, and reads its key from the environment"
)]

use std::error::Error;

use contact_hub_client::{ContactHub, ContactQuery, NewContact};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let base = std::env::args().nth(1).ok_or("the address of the service is missing")?;
    let hub = ContactHub::new(&base, &std::env::var("CONTACT_HUB_KEY")?)?;
    let ann = NewContact::new("ann@example.com", "Ann", "Lee");
    let created = hub.create_contact(&ann).await?.data;
    let mut contacts = hub.contacts(&ContactQuery::new().filter("last_name", "Lee"));
    while let Some(contact) = contacts.next().await? {
        println!("{} {} {}", contact.first_name, contact.last_name, contact.email);
    }
    hub.delete_contact(&created.id).await?;
    Ok(())
}
