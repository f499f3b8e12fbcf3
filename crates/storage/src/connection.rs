//! One connection, to either database.

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::deserialize::QueryableByName;
use diesel::pg::Pg;
use diesel::r2d2::R2D2Connection as _;
use diesel::result::QueryResult;
use diesel::sqlite::Sqlite;
use diesel::{PgConnection, RunQueryDsl, SqliteConnection};

use crate::plans;
use crate::statement::Statement;

/// A connection to either database.
pub(crate) enum Connection {
    Postgres(Box<PgConnection>),
    Sqlite(Box<SqliteConnection>),
}

impl Connection {
    /// Runs statements that return nothing and bind nothing.
    pub(crate) fn batch(&mut self, text: &str) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => connection.batch_execute(text),
            Self::Sqlite(connection) => connection.batch_execute(text),
        }
    }

    /// Every row of a statement.
    pub(crate) fn rows<R>(&mut self, statement: Statement) -> QueryResult<Vec<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        plans::note(self, &statement);
        match self {
            Self::Postgres(connection) => statement.load(connection.as_mut()),
            Self::Sqlite(connection) => statement.load(connection.as_mut()),
        }
    }

    /// The first row of a statement, if there is one.
    pub(crate) fn first<R>(&mut self, statement: Statement) -> QueryResult<Option<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        Ok(self.rows(statement)?.into_iter().next())
    }

    /// How many rows a statement touched.
    pub(crate) fn execute(&mut self, statement: Statement) -> QueryResult<usize> {
        plans::note(self, &statement);
        match self {
            Self::Postgres(connection) => statement.execute(connection.as_mut()),
            Self::Sqlite(connection) => statement.execute(connection.as_mut()),
        }
    }

    /// Whether the other side still answers.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.batch("SELECT 1").is_ok()
    }

    /// Begins a transaction by this statement; what `BEGIN` alone would miss is known to [`Self::is_broken`].
    pub(crate) fn begin(&mut self, text: &str) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::begin_transaction_sql(connection.as_mut(), text)
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::begin_transaction_sql(connection.as_mut(), text)
            }
        }
    }

    /// Ends the transaction and keeps what it did.
    pub(crate) fn commit(&mut self) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::commit_transaction(connection.as_mut())
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::commit_transaction(connection.as_mut())
            }
        }
    }

    /// Ends the transaction and undoes what it did.
    pub(crate) fn roll_back(&mut self) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::rollback_transaction(connection.as_mut())
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::rollback_transaction(connection.as_mut())
            }
        }
    }

    /// Whether a transaction is open or could not be ended, so that the connection must not be used for another unit.
    pub(crate) fn is_broken(&mut self) -> bool {
        match self {
            Self::Postgres(connection) => connection.is_broken(),
            Self::Sqlite(connection) => connection.is_broken(),
        }
    }
}
