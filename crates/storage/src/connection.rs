//! One connection, to either database.

use std::sync::OnceLock;

use diesel::connection::{
    AnsiTransactionManager, DefaultLoadingMode, SimpleConnection, TransactionManager,
};
use diesel::deserialize::QueryableByName;
use diesel::pg::Pg;
use diesel::r2d2::R2D2Connection as _;
use diesel::result::QueryResult;
use diesel::sqlite::Sqlite;
use diesel::{PgConnection, RunQueryDsl, SqliteConnection};

use contact_hub_traces::Span;

use crate::seen::Seen;
use crate::statement::Statement;

/// What [`observe_statements`] was given.
static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// A function that is called with each statement right before it runs, and with its connection.
type Observer = fn(&mut Connection, &Statement);

/// Lets a function observe the statements of all connections from now on. Only the first call has an effect.
pub(crate) fn observe_statements(observer: Observer) {
    OBSERVER.get_or_init(|| observer);
}

/// All rows. A loop, since it is compiled for each row on each database, and a chain of iterators has several times the code.
fn gathered<R>(read: impl Iterator<Item = QueryResult<Seen<R>>>) -> QueryResult<Vec<R>> {
    let mut rows = Vec::with_capacity(read.size_hint().0);
    for row in read {
        rows.push(row?.0);
    }
    Ok(rows)
}

/// A connection to either database.
pub(crate) enum Connection {
    Postgres(Box<PgConnection>),
    Sqlite(Box<SqliteConnection>),
}

impl Connection {
    /// Runs statements that return no rows and bind no values.
    pub(crate) fn batch(&mut self, text: &str) -> QueryResult<()> {
        match self {
            Self::Postgres(connection) => connection.batch_execute(text),
            Self::Sqlite(connection) => connection.batch_execute(text),
        }
    }

    /// Returns all rows.
    pub(crate) fn rows<R>(&mut self, statement: Statement) -> QueryResult<Vec<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        self.observe(&statement);
        let _span = self.span(statement.text());
        match self {
            Self::Postgres(connection) => {
                gathered(statement.load_iter::<_, DefaultLoadingMode>(connection.as_mut())?)
            }
            Self::Sqlite(connection) => {
                gathered(statement.load_iter::<_, DefaultLoadingMode>(connection.as_mut())?)
            }
        }
    }

    /// Returns the first row, if there is one.
    pub(crate) fn first<R>(&mut self, statement: Statement) -> QueryResult<Option<R>>
    where
        R: QueryableByName<Pg> + QueryableByName<Sqlite> + 'static,
    {
        Ok(self.rows(statement)?.into_iter().next())
    }

    /// Returns the number of affected rows.
    pub(crate) fn execute(&mut self, statement: Statement) -> QueryResult<usize> {
        self.observe(&statement);
        let _span = self.span(statement.text());
        match self {
            Self::Postgres(connection) => statement.execute(connection.as_mut()),
            Self::Sqlite(connection) => statement.execute(connection.as_mut()),
        }
    }

    fn observe(&mut self, statement: &Statement) {
        if let Some(observer) = OBSERVER.get() {
            observer(self, statement);
        }
    }

    /// The span of a statement of this text, without the values.
    fn span(&self, text: &str) -> Span {
        let database = match self {
            Self::Postgres(_) => "postgresql",
            Self::Sqlite(_) => "sqlite",
        };
        contact_hub_traces::statement(database, text)
    }

    /// Whether the server still answers.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.batch("SELECT 1").is_ok()
    }

    /// Begins a transaction with this statement, through Diesel's transaction manager, so that [`Self::is_broken`]
    /// sees it.
    pub(crate) fn begin(&mut self, text: &'static str) -> QueryResult<()> {
        let _span = self.span(text);
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::begin_transaction_sql(connection.as_mut(), text)
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::begin_transaction_sql(connection.as_mut(), text)
            }
        }
    }

    /// Commits the transaction.
    pub(crate) fn commit(&mut self) -> QueryResult<()> {
        let _span = self.span("COMMIT");
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::commit_transaction(connection.as_mut())
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::commit_transaction(connection.as_mut())
            }
        }
    }

    /// Rolls the transaction back.
    pub(crate) fn roll_back(&mut self) -> QueryResult<()> {
        let _span = self.span("ROLLBACK");
        match self {
            Self::Postgres(connection) => {
                AnsiTransactionManager::rollback_transaction(connection.as_mut())
            }
            Self::Sqlite(connection) => {
                AnsiTransactionManager::rollback_transaction(connection.as_mut())
            }
        }
    }

    /// Whether a transaction is open or could not be ended, so that the connection must not be reused.
    pub(crate) fn is_broken(&mut self) -> bool {
        match self {
            Self::Postgres(connection) => connection.is_broken(),
            Self::Sqlite(connection) => connection.is_broken(),
        }
    }
}
