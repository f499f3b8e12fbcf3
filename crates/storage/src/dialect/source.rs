//! Rows as input of a statement, column by column: arrays on PostgreSQL, one JSON document on SQLite. The text does
//! not depend on the number of rows.

use serde_json::Value;
use uuid::Uuid;

use contact_hub_domain::time::Timestamp;

use crate::columns::{IdValue, JsonValue, MomentValue};
use crate::connection::Connection;
use crate::statement::{Bind, Statement, joined, sql, statement};

/// The values of one column, one for each row.
enum Cells {
    Ids(Vec<Uuid>),
    Blobs(Vec<Vec<u8>>),
    Jsons(Vec<JsonValue>),
    Moments(Vec<Option<Timestamp>>),
    Texts(Vec<Option<String>>),
    Ints(Vec<Option<i64>>),
}

/// Rows that a statement selects from under the name `source`.
pub(crate) struct Source<'a, T> {
    rows: &'a [T],
    columns: Vec<(&'static str, Cells)>,
}

impl<'a, T> Source<'a, T> {
    /// These rows, without columns yet.
    pub(crate) const fn of(rows: &'a [T]) -> Self {
        Self { rows, columns: Vec::new() }
    }

    pub(crate) fn ids(self, name: &'static str, cell: impl Fn(&T) -> Uuid) -> Self {
        self.column(name, Cells::Ids, cell)
    }

    pub(crate) fn blobs(self, name: &'static str, cell: impl Fn(&T) -> Vec<u8>) -> Self {
        self.column(name, Cells::Blobs, cell)
    }

    pub(crate) fn jsons(self, name: &'static str, cell: impl Fn(&T) -> JsonValue) -> Self {
        self.column(name, Cells::Jsons, cell)
    }

    pub(crate) fn moments<M: Into<Option<Timestamp>>>(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> M,
    ) -> Self {
        self.column(name, Cells::Moments, |row| cell(row).into())
    }

    pub(crate) fn texts(self, name: &'static str, cell: impl Fn(&T) -> String) -> Self {
        self.optional_texts(name, |row| Some(cell(row)))
    }

    pub(crate) fn optional_texts(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> Option<String>,
    ) -> Self {
        self.column(name, Cells::Texts, cell)
    }

    pub(crate) fn ints<I: Into<Option<i64>>>(
        self,
        name: &'static str,
        cell: impl Fn(&T) -> I,
    ) -> Self {
        self.column(name, Cells::Ints, |row| cell(row).into())
    }

    fn column<C>(
        mut self,
        name: &'static str,
        cells: fn(Vec<C>) -> Cells,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.columns.push((name, cells(self.rows.iter().map(cell).collect())));
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
                let arrays = self.columns.into_iter().map(|(_, cells)| statement("?").bind(cells));
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
                sql!("(SELECT {} FROM json_each(?)) AS source", joined(members, ", "))
                    .bind(self.document())
            }
        }
    }

    fn document(&self) -> String {
        let columns: Vec<Vec<Value>> = self.columns.iter().map(|(_, cells)| cells.json()).collect();
        let row = |at: usize| -> Value {
            columns.iter().map(|column| column.get(at).cloned().unwrap_or_default()).collect()
        };
        (0..self.rows.len()).map(row).collect::<Value>().to_string()
    }
}

impl From<Cells> for Bind {
    fn from(cells: Cells) -> Self {
        match cells {
            Cells::Ids(ids) => Self::Ids(ids.into_iter().map(IdValue).collect()),
            Cells::Blobs(blobs) => Self::Blobs(blobs),
            Cells::Jsons(jsons) => Self::Jsons(jsons),
            Cells::Moments(moments) => {
                Self::Moments(moments.into_iter().map(|it| it.map(MomentValue)).collect())
            }
            Cells::Texts(texts) => Self::Texts(texts),
            Cells::Ints(ints) => Self::BigInts(ints),
        }
    }
}

impl Cells {
    fn json(&self) -> Vec<Value> {
        match self {
            Self::Ids(ids) => ids.iter().map(|id| hex::encode(id.as_bytes()).into()).collect(),
            Self::Blobs(blobs) => blobs.iter().map(|blob| hex::encode(blob).into()).collect(),
            Self::Jsons(jsons) => jsons.iter().map(|json| json.0.as_str().into()).collect(),
            Self::Moments(moments) => {
                moments.iter().map(|moment| moment.map(Timestamp::micros).into()).collect()
            }
            Self::Texts(texts) => texts.iter().map(|text| text.clone().into()).collect(),
            Self::Ints(ints) => ints.iter().map(|int| (*int).into()).collect(),
        }
    }
}

/// The condition that an id is one of these, written after its column.
pub(crate) fn any_id(connection: &Connection, ids: impl Iterator<Item = Uuid>) -> Statement {
    match connection {
        Connection::Postgres(_) => statement("= ANY(?)").bind(ids.map(IdValue).collect::<Vec<_>>()),
        Connection::Sqlite(_) => {
            let ids: Vec<String> = ids.map(|id| hex::encode(id.as_bytes())).collect();
            statement("IN (SELECT unhex(value) FROM json_each(?))")
                .bind(Value::from(ids).to_string())
        }
    }
}

/// The condition that an id is one of those that this selects, written after its column. The ids are selected first:
/// PostgreSQL might otherwise join with the whole table.
pub(crate) fn any_selected(connection: &Connection, select: Statement) -> Statement {
    match connection {
        Connection::Postgres(_) => sql!("= ANY (ARRAY({}))", select),
        Connection::Sqlite(_) => sql!("IN ({})", select),
    }
}

/// The condition that a text is one of these, written after its column.
pub(crate) fn any_text(connection: &Connection, texts: Vec<String>) -> Statement {
    match connection {
        Connection::Postgres(_) => {
            statement("= ANY(?)").bind(texts.into_iter().map(Some).collect::<Vec<_>>())
        }
        Connection::Sqlite(_) => {
            statement("IN (SELECT value FROM json_each(?))").bind(Value::from(texts).to_string())
        }
    }
}
