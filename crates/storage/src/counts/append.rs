//! Appends what a transaction changes.

use contact_hub_domain::ids::CompanyId;

use super::document::encode;
use super::{CountChanges, ValueUse};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::statement::{Statement, sql};

/// The size from which the changes of a transaction continue in another row, so that a batch of rows is bounded.
const ROW: usize = 64 << 10;

/// What a row, and each value in it, adds to the size of its document.
const OVERHEAD: usize = 64;

struct Row {
    contacts: i64,
    size: usize,
    text_counts: String,
    value_uses: String,
}

impl CountChanges {
    /// The statement that appends the changes, with their size; `None` when there are none.
    pub(crate) fn insertion(
        self,
        connection: &Connection,
        company: CompanyId,
    ) -> Result<Option<(Statement, usize)>, Failure> {
        let rows = rows(Self { texts: self.texts.kept_by(connection), ..self })?;
        if rows.is_empty() {
            return Ok(None);
        }
        let source = Source::of(&rows)
            .ints("contacts", |row| row.contacts)
            .ints("size", |row| i64::try_from(row.size).unwrap_or(i64::MAX))
            .texts("text_counts", |row| row.text_counts.clone())
            .texts("value_uses", |row| row.value_uses.clone());
        let insert = sql!(
            "INSERT INTO count_changes (company_id, {columns}) SELECT ?, {columns} FROM {table}",
            columns = source.names(),
            table = source.table(connection),
        );
        Ok(Some((insert.bind(company), rows.iter().map(|row| row.size).sum())))
    }
}

/// The first row has all changes besides those of values: a transaction writes so few contacts that they fit into one.
fn rows(changes: CountChanges) -> Result<Vec<Row>, Failure> {
    let CountChanges { mut contacts, mut texts, uses } = changes;
    let mut uses = uses.into_changes().peekable();
    let mut rows = Vec::new();
    while uses.peek().is_some() || contacts != 0 || !texts.is_empty() {
        let part = fitting(&mut uses);
        let texts = std::mem::take(&mut texts);
        let (text_counts, value_uses) = (texts.encode()?, encode(&part));
        let size = text_counts.len() + value_uses.len() + OVERHEAD * (1 + texts.len() + part.len());
        rows.push(Row { contacts: std::mem::take(&mut contacts), size, text_counts, value_uses });
    }
    Ok(rows)
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
    use std::borrow::Cow;

    use contact_hub_domain::fields::FieldValue;
    use contact_hub_domain::ids::FieldId;
    use uuid::Uuid;

    use super::super::ValueUses;
    use super::super::document::decode;
    use super::*;

    fn uses(number: usize, length: usize) -> ValueUses {
        let mut uses = ValueUses::default();
        for n in 0..number {
            let value = FieldValue::String(format!("{n:0length$}").into());
            uses.add(FieldId::new(Uuid::nil()), Cow::Owned(value), 1);
        }
        uses
    }

    fn values(uses: ValueUses) -> Vec<FieldValue> {
        uses.into_changes().map(|it| it.value).collect()
    }

    #[test]
    fn rows_have_a_maximum_size_and_contain_every_change_once() {
        for (number, length) in [(0, 1), (1, 5000), (300, 5000), (5000, 4)] {
            let uses = || uses(number, length);
            let changes = CountChanges { contacts: 7, uses: uses(), ..CountChanges::default() };
            let rows = rows(changes).expect("they are written");
            assert!(rows.iter().all(|row| row.size < ROW + 3 * 5000), "{number} of {length}");
            assert_eq!(rows.iter().map(|row| row.contacts).sum::<i64>(), 7);
            let mut read = ValueUses::default();
            for row in &rows {
                decode(&row.value_uses, None, &mut read).expect("it is read");
            }
            assert_eq!(values(read), values(uses()));
        }
        assert!(rows(CountChanges::default()).expect("nothing").is_empty());
    }
}
