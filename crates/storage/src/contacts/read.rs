//! Read one contact, batched with concurrent reads.

use std::collections::HashMap;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};

use super::document::Decoder;
use crate::Storage;
use crate::connection::Connection;
use crate::dialect;
use crate::failure::Failure;

/// The active contacts with these ids, each in its company.
pub(crate) fn read(
    storage: &Storage,
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<HashMap<(CompanyId, ContactId), Contact>, Failure> {
    let rows = dialect::read_contacts(connection, asked)?;
    let mut decoders: HashMap<CompanyId, Decoder<'_>> = HashMap::new();
    let mut contacts = HashMap::with_capacity(rows.len());
    for (company, row) in rows {
        let decoder = decoders.entry(company).or_insert_with(|| Decoder::new(storage, company));
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.insert((company, row.id()), row.into_contact(values));
    }
    Ok(contacts)
}
