//! Rows as input of a statement, column by column: arrays on PostgreSQL, one JSON document on SQLite. The text does
//! not depend on the number of rows.

use serde_json::Value;
use uuid::Uuid;

use contact_hub_domain::time::Timestamp;

use crate::columns::{IdValue, MomentValue};
use crate::connection::Connection;
use crate::statement::{Bind, Statement};

/// The values of one column, one for each row.
#[derive(Debug)]
pub(crate) enum Cells {
    Ids(Vec<Uuid>),
    Moments(Vec<Option<Timestamp>>),
    Texts(Vec<Option<String>>),
    Ints(Vec<Option<i64>>),
}

/// Rows that a statement selects from under the name `source`.
#[derive(Debug, Default)]
pub(crate) struct Source(Vec<(&'static str, Cells)>);

impl Source {
    /// Adds a column; all columns have the same number of rows.
    pub(crate) fn column(mut self, name: &'static str, cells: Cells) -> Self {
        self.0.push((name, cells));
        self
    }

    /// The table expression after FROM.
    pub(crate) fn text(&self, connection: &Connection) -> String {
        let names = self.0.iter().map(|(name, _)| *name);
        match connection {
            Connection::Postgres(_) => {
                let marks = vec!["?"; self.0.len()].join(", ");
                format!("unnest({marks}) AS source ({})", names.collect::<Vec<_>>().join(", "))
            }
            Connection::Sqlite(_) => {
                let members = self.0.iter().enumerate().map(|(place, (name, cells))| match cells {
                    Cells::Ids(_) => format!("unhex(value ->> {place}) AS {name}"),
                    _ => format!("value ->> {place} AS {name}"),
                });
                let members = members.collect::<Vec<_>>().join(", ");
                format!("(SELECT {members} FROM json_each(?)) AS source")
            }
        }
    }

    /// Binds the rows.
    pub(crate) fn bind(self, connection: &Connection, statement: Statement) -> Statement {
        match connection {
            Connection::Postgres(_) => self
                .0
                .into_iter()
                .fold(statement, |statement, (_, cells)| statement.bind(Bind::from(cells))),
            Connection::Sqlite(_) => statement.bind(self.document()),
        }
    }

    fn document(&self) -> String {
        let columns: Vec<Vec<Value>> = self.0.iter().map(|(_, cells)| cells.json()).collect();
        let rows = columns.first().map_or(0, Vec::len);
        let row = |at: usize| -> Value {
            columns.iter().map(|column| column.get(at).cloned().unwrap_or_default()).collect()
        };
        (0..rows).map(row).collect::<Value>().to_string()
    }
}

impl From<Cells> for Bind {
    fn from(cells: Cells) -> Self {
        match cells {
            Cells::Ids(ids) => Self::Ids(ids.into_iter().map(IdValue).collect()),
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
            Self::Ids(ids) => {
                ids.iter().map(|id| Value::from(hex::encode(id.as_bytes()))).collect()
            }
            Self::Moments(moments) => {
                moments.iter().map(|moment| Value::from(moment.map(Timestamp::micros))).collect()
            }
            Self::Texts(texts) => texts.iter().map(|text| Value::from(text.clone())).collect(),
            Self::Ints(ints) => ints.iter().map(|int| Value::from(*int)).collect(),
        }
    }
}

/// The condition that an id is one of these, written after its column, with its value.
pub(crate) fn any_id(
    connection: &Connection,
    ids: impl Iterator<Item = Uuid>,
) -> (&'static str, Bind) {
    match connection {
        Connection::Postgres(_) => ("= ANY(?)", Bind::Ids(ids.map(IdValue).collect())),
        Connection::Sqlite(_) => {
            let ids: Vec<String> = ids.map(|id| hex::encode(id.as_bytes())).collect();
            let document = Value::from(ids).to_string();
            ("IN (SELECT unhex(value) FROM json_each(?))", Bind::Text(Some(document)))
        }
    }
}
