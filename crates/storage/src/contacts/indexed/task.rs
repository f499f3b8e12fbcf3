//! The background task that builds and deletes indexed values.

use std::time::Duration;

use diesel::QueryableByName;
use diesel::sql_types::Text;
use tokio::time::{Instant, sleep};

use contact_hub_domain::ids::{CompanyId, FieldId};
use contact_hub_domain::ports::StoreError;

use super::settle::wait_until_known;
use super::{build, delete, statistics};
use crate::Storage;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::fields::IndexState;
use crate::statement::statement;
use crate::units::{Reading, Writing};

/// How many contacts a batch has. On SQLite it blocks all other writes, so it is short.
const BATCH: u32 = 250;

/// By what batches are larger on PostgreSQL, where they block only writes of their contacts.
const TIMES_ON_POSTGRES: u32 = 4;

/// The pause after a batch is this many times as long as the batch, so that other work gets most of the database.
const REST: u32 = 2;

/// The longest pause.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// How many fields are worked on in turn.
const AT_ONCE: &str = "100";

/// A field with something to do.
#[derive(Clone, Copy)]
pub(super) struct Todo {
    pub(super) company: CompanyId,
    pub(super) field: FieldId,
    pub(super) state: IndexState,
}

#[derive(QueryableByName)]
struct TodoRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    index_state: String,
}

/// Builds and deletes the indexed values of fields. Every instance may run it: a batch locks its field.
#[derive(Clone)]
pub struct ValueIndexing(Storage);

impl Storage {
    /// The task that indexes values, which a service does in the background.
    #[must_use]
    pub fn value_indexing(&self) -> ValueIndexing {
        ValueIndexing(self.clone())
    }
}

impl ValueIndexing {
    /// Waits until a field was changed by this instance since the previous call.
    pub async fn wanted(&self) {
        self.0.index_work().notified().await;
    }

    /// Does what there is to do, a batch of each field in turn. A field whose batch fails holds up no other one, and is
    /// left for the next call; so is everything while a write runs that began long ago.
    pub async fn run(&self) -> Result<(), StoreError> {
        let mut has_failed = false;
        while !has_failed {
            let todos = self.todos().await?;
            if todos.is_empty() || !wait_until_known(&self.0).await? {
                break;
            }
            has_failed = self.work_off(todos).await;
        }
        Ok(())
    }

    /// Returns whether a field was left because of a failure.
    async fn work_off(&self, mut todos: Vec<Todo>) -> bool {
        let mut has_failed = false;
        while !todos.is_empty() {
            let mut left = Vec::new();
            for todo in todos {
                let started = Instant::now();
                match self.do_batch(todo).await {
                    Ok(true) => left.push(todo),
                    Ok(false) => self.end(todo).await,
                    Err(error) => {
                        has_failed = true;
                        let (company, field) = (todo.company, todo.field);
                        tracing::warn!(%error, %company, %field, "a batch of values was not indexed");
                    }
                }
                sleep(started.elapsed().saturating_mul(REST).min(LONGEST_REST)).await;
            }
            todos = left;
        }
        has_failed
    }

    /// Statistics that cannot be renewed cost time only.
    async fn end(&self, todo: Todo) {
        self.0.directories().forget(todo.company);
        if let Err(error) = statistics::renew(&self.0, todo.company).await {
            tracing::warn!(%error, "the statistics of indexed values were not renewed");
        }
    }

    /// Does a batch; returns whether there is more.
    async fn do_batch(&self, todo: Todo) -> Result<bool, StoreError> {
        let storage = self.0.clone();
        let unit = move |connection: &mut Connection| {
            let most = match connection {
                Connection::Postgres(_) => BATCH * TIMES_ON_POSTGRES,
                Connection::Sqlite(_) => BATCH,
            };
            match todo.state {
                IndexState::Building => build::batch(&storage, connection, todo, most),
                _ => delete::batch(connection, todo, most),
            }
        };
        self.0.write_unrecorded(Writing::For(todo.company), unit).await
    }

    async fn todos(&self) -> Result<Vec<Todo>, StoreError> {
        let unit = |connection: &mut Connection| {
            // The condition is that of the index.
            let text = "SELECT company_id, id, index_state FROM fields \
                 WHERE index_state IN ('building', 'dropping', 'rebuilding') \
                 ORDER BY company_id, id LIMIT ";
            let mut select = statement(text);
            select.push(AT_ONCE);
            let rows: Vec<TodoRow> = connection.rows(select)?;
            rows.into_iter().map(TodoRow::into_todo).collect()
        };
        self.0.read(Reading::Few, unit).await
    }
}

impl TodoRow {
    fn into_todo(self) -> Result<Todo, Failure> {
        Ok(Todo {
            company: CompanyId::new(self.company_id.0),
            field: FieldId::new(self.id.0),
            state: IndexState::parse(&self.index_state, self.id.0)?,
        })
    }
}
