//! Read one contact, batched with concurrent reads.

use std::collections::HashMap;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::ports::StoreError;

use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow, RowOfCompany};
use crate::Storage;
use crate::columns::IdValue;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::read_batcher::ReadBatcher;
use crate::reader::Reader;
use crate::statement::sql;
use crate::units::Reading;

/// Batches reads of contacts by company and id.
pub(crate) type ContactReads = ReadBatcher<Reader, (CompanyId, ContactId), Contact>;

pub(crate) fn contact_reads() -> ContactReads {
    ReadBatcher::new(|reader: &Reader, asked| {
        reader.read(|storage, connection| read(storage, connection, asked))
    })
}

/// Reads one contact, batched with concurrent reads.
pub(super) async fn read_batched(
    storage: &Storage,
    company: CompanyId,
    id: ContactId,
) -> Result<Option<Contact>, StoreError> {
    if storage.opener().is_cluster() {
        // A batch of several companies would fail when the node of one of them is down.
        let reader = storage.clone();
        let contact = move |connection: &mut Connection| {
            Ok(read(&reader, connection, &[(company, id)])?.into_values().next())
        };
        // This future is larger than that of a batch, and would make all reads larger.
        return Box::pin(storage.read(Reading::For(company), contact)).await;
    }
    storage.ask(storage.contact_reads(), &storage.pools().readers, (company, id)).await
}

/// The active contacts with these ids, each in its company.
fn read(
    storage: &Storage,
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<HashMap<(CompanyId, ContactId), Contact>, Failure> {
    let rows = rows(storage, connection, asked)?;
    let mut decoders: HashMap<CompanyId, Decoder<'_>> = HashMap::new();
    let mut contacts = HashMap::with_capacity(rows.len());
    for (company, row) in rows {
        let decoder = decoders.entry(company).or_insert_with(|| Decoder::new(storage, company));
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.insert((company, row.id()), row.into_contact(values));
    }
    Ok(contacts)
}

fn rows(
    storage: &Storage,
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    match connection {
        Connection::Postgres(_) if !storage.opener().is_cluster() => at_once(connection, asked),
        // SQLite has no round trips that one statement would save, and on a cluster that statement would involve all
        // nodes.
        _ => one_by_one(connection, asked),
    }
}

fn at_once(
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    // Behind a SELECT the planner does not see how long the arrays are. Otherwise it plans each batch anew, since it
    // expects more of a plan for few rows than planning costs, which takes longer than the look-ups.
    let ids: Vec<IdValue> = asked.iter().map(|(_, id)| IdValue(id.uuid())).collect();
    let select = if let Some(company) = only_company(asked) {
        let select = sql!(
            "SELECT {}, company_id FROM contacts WHERE company_id = ? \
             AND id = ANY (CAST((SELECT ?) AS uuid[])) AND deleted_at IS NULL",
            COLUMNS
        );
        select.bind(company).bind(ids)
    } else {
        let select = sql!(
            "SELECT {}, company_id FROM unnest((SELECT ?), (SELECT ?)) AS asked (of_company, of_id) \
             JOIN contacts ON id = of_id AND company_id = of_company WHERE deleted_at IS NULL",
            COLUMNS
        );
        let companies: Vec<IdValue> =
            asked.iter().map(|(company, _)| IdValue(company.uuid())).collect();
        select.bind(companies).bind(ids)
    };
    let rows: Vec<RowOfCompany> = connection.rows(select)?;
    Ok(rows.into_iter().map(RowOfCompany::into_pair).collect())
}

/// The company that has all of them; then no join is needed.
fn only_company(asked: &[(CompanyId, ContactId)]) -> Option<CompanyId> {
    let (first, _) = asked.first()?;
    asked.iter().all(|(company, _)| company == first).then_some(*first)
}

fn one_by_one(
    connection: &mut Connection,
    asked: &[(CompanyId, ContactId)],
) -> Result<Vec<(CompanyId, ContactRow)>, Failure> {
    let select = sql!(
        "SELECT {} FROM contacts WHERE id = ? AND company_id = ? AND deleted_at IS NULL",
        COLUMNS
    );
    let mut rows = Vec::with_capacity(asked.len());
    for (company, id) in asked {
        let row = connection.first(select.clone().bind(*id).bind(*company))?;
        rows.extend(row.map(|row| (*company, row)));
    }
    Ok(rows)
}
