//! The fields whose values are to be indexed, or whose indexed values are to be deleted.

use diesel::QueryableByName;
use diesel::sql_types::{Integer, Text};

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::fields::IndexState;
use crate::statement::statement;

/// How many fields are worked on in turn.
const AT_ONCE: &str = "100";

/// A field with pending work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Todo {
    pub(super) company: CompanyId,
    pub(super) field: FieldId,
    pub(super) state: IndexState,
    /// Raised with each change of the state, so that a state which came back is not taken for the one before.
    pub(super) version: i32,
}

#[derive(QueryableByName)]
struct TodoRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Text)]
    index_state: String,
    #[diesel(sql_type = Integer)]
    index_version: i32,
}

/// Some of the fields with pending work.
pub(super) fn todos(connection: &mut Connection) -> Result<Vec<Todo>, Failure> {
    // The condition is that of the index.
    let text = "SELECT company_id, id, index_state, index_version FROM fields \
         WHERE index_state IN ('building', 'dropping', 'rebuilding') \
         ORDER BY company_id, id LIMIT ";
    let mut select = statement(text);
    select.push(AT_ONCE);
    let rows: Vec<TodoRow> = connection.rows(select)?;
    rows.into_iter().map(TodoRow::into_todo).collect()
}

impl TodoRow {
    fn into_todo(self) -> Result<Todo, Failure> {
        Ok(Todo {
            company: CompanyId::new(self.company_id.0),
            field: FieldId::new(self.id.0),
            state: IndexState::parse(&self.index_state, self.id.0)?,
            version: self.index_version,
        })
    }
}
