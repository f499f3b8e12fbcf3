//! Appends what a transaction changes.

use contact_hub_domain::ids::CompanyId;

use super::document::encode;
use super::{ValueUse, ValueUses};
use crate::Storage;
use crate::backlog::Work;
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::sql;

/// How many values one row changes at most, so that a batch of rows has a bounded size.
const ENTRIES: usize = 1000;

struct Row {
    contacts: i64,
    entries: i64,
    document: String,
}

impl ValueUses {
    /// Appends the changes and the change of the company's number of contacts, in at most one statement.
    pub(crate) fn write(
        self,
        storage: &Storage,
        connection: &mut Connection,
        company: CompanyId,
        more_contacts: i64,
    ) -> Result<(), Failure> {
        let changes: Vec<ValueUse> = self.into_changes().collect();
        let rows = rows(&changes, more_contacts);
        if rows.is_empty() {
            return Ok(());
        }
        let source = Source::of(&rows)
            .ints("contacts", |row| row.contacts)
            .ints("entries", |row| row.entries)
            .texts("value_uses", |row| row.document.clone());
        let insert = sql!(
            "INSERT INTO count_changes (company_id, {columns}) SELECT ?, {columns} FROM {table}",
            columns = source.names(),
            table = source.table(connection),
        );
        connection.execute(insert.bind(company))?;
        storage.backlog().grow(Work::Counts, company, rows.len() + changes.len());
        Ok(())
    }
}

fn rows(changes: &[ValueUse], more_contacts: i64) -> Vec<Row> {
    let row = |contacts, changes: &[ValueUse]| Row {
        contacts,
        entries: i64::try_from(changes.len()).unwrap_or(i64::MAX),
        document: encode(changes),
    };
    let contacts = (more_contacts != 0).then(|| row(more_contacts, &[]));
    let mut parts = changes.chunks(ENTRIES);
    match parts.next() {
        None => contacts.into_iter().collect(),
        Some(first) => {
            let first = row(more_contacts, first);
            std::iter::once(first).chain(parts.map(|part| row(0, part))).collect()
        }
    }
}
