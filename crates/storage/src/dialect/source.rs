//! Rows as input of a statement, column by column: arrays on PostgreSQL, one JSON document on SQLite. The text does
//! not depend on the number of rows.

use serde_json::Value;
use uuid::Uuid;

use contact_hub_domain::input::write_text;
use contact_hub_domain::time::Timestamp;

use crate::columns::{IdValue, JsonValue, MomentValue, separate};
use crate::connection::Connection;
use crate::statement::{Bind, Statement, joined, sql, statement};

/// The values of one column, made of a row when they are needed.
enum Cells<'a, T> {
    Ids(Cell<'a, T, Option<Uuid>>),
    Blobs(Cell<'a, T, Vec<u8>>),
    Jsons(Cell<'a, T, JsonValue>),
    Moments(Cell<'a, T, Option<Timestamp>>),
    Texts(Cell<'a, T, Option<String>>),
    Ints(Cell<'a, T, Option<i64>>),
}

type Cell<'a, T, C> = Box<dyn Fn(&T) -> C + 'a>;

/// Rows that a statement selects from under the name `source`.
pub(crate) struct Source<'a, T> {
    rows: &'a [T],
    columns: Vec<(&'static str, Cells<'a, T>)>,
}

impl<'a, T> Source<'a, T> {
    /// These rows, without columns yet.
    pub(crate) const fn of(rows: &'a [T]) -> Self {
        Self { rows, columns: Vec::new() }
    }

    pub(crate) fn ids<I: Into<Option<Uuid>>>(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> I + 'a,
    ) -> Self {
        self.column(name, Cells::Ids(Box::new(move |row| cell(row).into())))
    }

    pub(crate) fn blobs(self, name: &'static str, cell: impl Fn(&T) -> Vec<u8> + 'a) -> Self {
        self.column(name, Cells::Blobs(Box::new(cell)))
    }

    pub(crate) fn jsons(self, name: &'static str, cell: impl Fn(&T) -> JsonValue + 'a) -> Self {
        self.column(name, Cells::Jsons(Box::new(cell)))
    }

    pub(crate) fn moments<M: Into<Option<Timestamp>>>(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> M + 'a,
    ) -> Self {
        self.column(name, Cells::Moments(Box::new(move |row| cell(row).into())))
    }

    pub(crate) fn texts(self, name: &'static str, cell: impl Fn(&T) -> String + 'a) -> Self {
        self.optional_texts(name, move |row| Some(cell(row)))
    }

    pub(crate) fn optional_texts(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> Option<String> + 'a,
    ) -> Self {
        self.column(name, Cells::Texts(Box::new(cell)))
    }

    pub(crate) fn ints<I: Into<Option<i64>>>(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> I + 'a,
    ) -> Self {
        self.column(name, Cells::Ints(Box::new(move |row| cell(row).into())))
    }

    fn column(mut self, name: &'static str, cells: Cells<'a, T>) -> Self {
        self.columns.push((name, cells));
        self
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> Statement {
        joined(self.columns.iter().map(|(name, _)| *name), ", ")
    }

    /// The table expression after FROM, with the rows.
    pub(crate) fn table(self, connection: &Connection) -> Statement {
        let names = self.names();
        match connection {
            Connection::Postgres(_) => {
                let arrays = self
                    .columns
                    .iter()
                    .map(|(_, cells)| statement("?").bind(cells.array(self.rows)));
                sql!("unnest({}) AS source ({})", joined(arrays, ", "), names)
            }
            Connection::Sqlite(_) => {
                let members =
                    self.columns.iter().enumerate().map(|(place, (name, cells))| match cells {
                        Cells::Ids(_) | Cells::Blobs(_) => {
                            sql!("unhex(value ->> {}) AS {}", place, *name)
                        }
                        _ => sql!("value ->> {} AS {}", place, *name),
                    });
                // `json_each` would make a text of each row, which each `->>` parses again.
                sql!("(SELECT {} FROM jsonb_each(?)) AS source", joined(members, ", "))
                    .bind(self.document())
            }
        }
    }

    /// An array with an array for each row. It is written row by row, since the rows of a bulk can be megabytes.
    fn document(&self) -> String {
        let mut document = String::from("[");
        for row in self.rows {
            separate(&mut document);
            document.push('[');
            for (_, cells) in &self.columns {
                separate(&mut document);
                cells.write_json(row, &mut document);
            }
            document.push(']');
        }
        document.push(']');
        document
    }
}

impl<T> Cells<'_, T> {
    fn array(&self, rows: &[T]) -> Bind {
        match self {
            Self::Ids(cell) => Bind::Ids(rows.iter().map(|row| cell(row).map(IdValue)).collect()),
            Self::Blobs(cell) => Bind::Blobs(rows.iter().map(cell).collect()),
            Self::Jsons(cell) => Bind::Jsons(rows.iter().map(cell).collect()),
            Self::Moments(cell) => {
                Bind::Moments(rows.iter().map(|row| cell(row).map(MomentValue)).collect())
            }
            Self::Texts(cell) => Bind::Texts(rows.iter().map(cell).collect()),
            Self::Ints(cell) => Bind::BigInts(rows.iter().map(cell).collect()),
        }
    }

    fn write_json(&self, row: &T, document: &mut String) {
        let text = match self {
            Self::Ids(cell) => cell(row).map(|id| hex::encode(id.as_bytes())),
            Self::Blobs(cell) => Some(hex::encode(cell(row))),
            Self::Jsons(cell) => Some(cell(row).0),
            Self::Texts(cell) => cell(row),
            Self::Moments(cell) => return write_int(cell(row).map(Timestamp::micros), document),
            Self::Ints(cell) => return write_int(cell(row), document),
        };
        match text {
            Some(text) => write_text(&text, document),
            None => document.push_str(NULL),
        }
    }
}

const NULL: &str = "null";

fn write_int(int: Option<i64>, document: &mut String) {
    match int {
        Some(int) => document.push_str(&int.to_string()),
        None => document.push_str(NULL),
    }
}

/// The condition that an id is one of these, written after its column.
pub(crate) fn any_id(connection: &Connection, ids: impl Iterator<Item = Uuid>) -> Statement {
    match connection {
        Connection::Postgres(_) => statement("= ANY(?)").bind(ids.map(IdValue).collect::<Vec<_>>()),
        Connection::Sqlite(_) => {
            let ids: Vec<String> = ids.map(|id| hex::encode(id.as_bytes())).collect();
            statement("IN (SELECT unhex(value) FROM jsonb_each(?))")
                .bind(Value::from(ids).to_string())
        }
    }
}

/// The condition that an id, or another key, is one of those that this selects, written after its column. They are selected
/// first: PostgreSQL might otherwise join with the whole table.
pub(crate) fn any_selected(connection: &Connection, select: Statement) -> Statement {
    match connection {
        Connection::Postgres(_) => sql!("= ANY (ARRAY({}))", select),
        Connection::Sqlite(_) => sql!("IN ({})", select),
    }
}

/// The condition that an id is the result of one of these selections, written after its column. PostgreSQL would read
/// the whole table for `IN` if the selections depend on another table.
pub(crate) fn any_result(connection: &Connection, selections: [Statement; 2]) -> Statement {
    let selections = joined(selections, ", ");
    match connection {
        Connection::Postgres(_) => sql!("= ANY (ARRAY[{}])", selections),
        Connection::Sqlite(_) => sql!("IN ({})", selections),
    }
}

/// The condition that a text is one of these, written after its column.
pub(crate) fn any_text(connection: &Connection, texts: Vec<String>) -> Statement {
    match connection {
        Connection::Postgres(_) => {
            statement("= ANY(?)").bind(texts.into_iter().map(Some).collect::<Vec<_>>())
        }
        Connection::Sqlite(_) => {
            statement("IN (SELECT value FROM jsonb_each(?))").bind(Value::from(texts).to_string())
        }
    }
}
