//! Appends what a transaction changes.

use contact_hub_domain::ids::CompanyId;

use super::document::encode;
use super::{ValueUse, ValueUses};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::statement::{Statement, sql};

/// The size from which the changes of a transaction continue in another row, so that a batch of rows is bounded.
const ROW: usize = 64 << 10;

/// What a row, and each value in it, adds to the size of its document.
const OVERHEAD: usize = 64;

struct Row {
    contacts: i64,
    size: usize,
    document: String,
}

impl ValueUses {
    /// The statement that appends the changes and the change of the company's number of contacts, with their size;
    /// `None` when there are none.
    pub(crate) fn insertion(
        self,
        connection: &Connection,
        company: CompanyId,
        more_contacts: i64,
    ) -> Option<(Statement, usize)> {
        let rows = rows(self.into_changes(), more_contacts);
        if rows.is_empty() {
            return None;
        }
        let source = Source::of(&rows)
            .ints("contacts", |row| row.contacts)
            .ints("size", |row| i64::try_from(row.size).unwrap_or(i64::MAX))
            .texts("value_uses", |row| row.document.clone());
        let insert = sql!(
            "INSERT INTO count_changes (company_id, {columns}) SELECT ?, {columns} FROM {table}",
            columns = source.names(),
            table = source.table(connection),
        );
        Some((insert.bind(company), rows.iter().map(|row| row.size).sum()))
    }
}

fn rows(changes: impl Iterator<Item = ValueUse>, more_contacts: i64) -> Vec<Row> {
    let mut changes = changes.peekable();
    let mut rows = Vec::new();
    while changes.peek().is_some() || (rows.is_empty() && more_contacts != 0) {
        let part = fitting(&mut changes);
        let contacts = if rows.is_empty() { more_contacts } else { 0 };
        let document = encode(&part);
        let size = document.len() + OVERHEAD * (1 + part.len());
        rows.push(Row { contacts, size, document });
    }
    rows
}

/// The changes that fill a row. A row is exceeded by less than one value.
fn fitting(changes: &mut impl Iterator<Item = ValueUse>) -> Vec<ValueUse> {
    let (mut part, mut size) = (Vec::new(), 0);
    while size < ROW
        && let Some(change) = changes.next()
    {
        size += OVERHEAD + change.value_length();
        part.push(change);
    }
    part
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::FieldValue;
    use contact_hub_domain::ids::FieldId;
    use uuid::Uuid;

    use super::super::document::decode;
    use super::*;

    fn changes(number: usize, length: usize) -> Vec<ValueUse> {
        let mut uses = ValueUses::default();
        for n in 0..number {
            let value = FieldValue::String(format!("{n:0length$}").into());
            uses.add(FieldId::new(Uuid::nil()), value, 1);
        }
        uses.into_changes().collect()
    }

    #[test]
    fn rows_are_bounded_in_bytes_and_have_every_change_once() {
        for (number, length) in [(0, 1), (1, 5000), (300, 5000), (5000, 4)] {
            let changes = changes(number, length);
            let values: Vec<_> = changes.iter().map(|it| it.value.clone()).collect();
            let rows = rows(changes.into_iter(), 7);
            assert!(rows.iter().all(|row| row.size < ROW + 3 * 5000), "{number} of {length}");
            assert_eq!(rows.iter().map(|row| row.contacts).sum::<i64>(), 7);
            let mut read = ValueUses::default();
            for row in &rows {
                decode(&row.document, None, &mut read).expect("it is read");
            }
            let read: Vec<_> = read.into_changes().map(|it| it.value).collect();
            assert_eq!(read, values);
        }
        assert!(rows(std::iter::empty(), 0).is_empty());
    }
}
