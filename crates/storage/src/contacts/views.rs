//! Saved views.

use async_trait::async_trait;
use diesel::QueryableByName;
use diesel::sql_types::{Bool, Text};

use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::contacts::{View, ViewName, ViewQuery, ViewStore};
use contact_hub_domain::ids::{CompanyId, UserId, ViewId};
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::time::Timestamp;

use crate::Storage;
use crate::audit;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::{count_up_to, lock_own_company};
use crate::statement::{sql, statement};
use crate::units::Reading;

const COLUMNS: &str = "id, user_id, name, query, is_shared, created_at";

#[derive(QueryableByName)]
struct ViewRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    query: String,
    #[diesel(sql_type = Bool)]
    is_shared: bool,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

impl From<ViewRow> for View {
    fn from(row: ViewRow) -> Self {
        Self {
            id: ViewId::new(row.id.0),
            owner: UserId::new(row.user_id.0),
            name: ViewName::from_stored(row.name),
            query: ViewQuery::from_stored(row.query),
            is_shared: row.is_shared,
            created_at: row.created_at.0,
        }
    }
}

#[async_trait]
impl ViewStore for Storage {
    async fn views(
        &self,
        company: CompanyId,
        user: UserId,
        limit: usize,
    ) -> Result<Vec<View>, StoreError> {
        self.read(Reading::For(company), move |connection| views(connection, company, user, limit))
            .await
    }

    async fn save_view(&self, by: Author, view: View, max: usize) -> Result<bool, StoreError> {
        self.write(by.company, move |connection| save(connection, &by, &view, max)).await
    }

    async fn delete_view(&self, by: Author, id: ViewId, at: Timestamp) -> Result<bool, StoreError> {
        self.write(by.company, move |connection| delete(connection, &by, id, at)).await
    }
}

/// Both parts in one statement, each along its index.
fn views(
    connection: &mut Connection,
    company: CompanyId,
    user: UserId,
    limit: usize,
) -> Result<Vec<View>, Failure> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let select = sql!(
        "SELECT {columns} FROM (SELECT {columns} FROM saved_views WHERE company_id = ? AND user_id = ? \
         ORDER BY created_at, id LIMIT ?) AS own \
         UNION ALL SELECT {columns} FROM (SELECT {columns} FROM saved_views \
         WHERE company_id = ? AND is_shared AND user_id <> ? ORDER BY created_at, id LIMIT ?) AS shared",
        columns = COLUMNS,
    );
    let select = select.bind(company).bind(user).bind(limit).bind(company).bind(user).bind(limit);
    let rows: Vec<ViewRow> = connection.rows(select)?;
    Ok(rows.into_iter().map(View::from).collect())
}

/// The lock on the company's row serialises counting and adding.
fn save(
    connection: &mut Connection,
    by: &Author,
    view: &View,
    max: usize,
) -> Result<Recorded<bool>, Failure> {
    let company = by.company;
    lock_own_company(connection, company)?;
    let held = statement("saved_views WHERE company_id = ? AND user_id = ?");
    if count_up_to(connection, held.bind(company).bind(view.owner), max)? >= max {
        return Ok(Recorded::unchanged(false));
    }
    let text = "INSERT INTO saved_views (id, company_id, user_id, name, query, is_shared, created_at) \
         VALUES (?, ?, ?, ?, ?, ?, ?)";
    let insert = statement(text)
        .bind(view.id)
        .bind(company)
        .bind(view.owner)
        .bind(view.name.as_str())
        .bind(view.query.as_str())
        .bind(view.is_shared)
        .bind(view.created_at);
    connection.execute(insert)?;
    let (id, at) = (view.id.uuid(), view.created_at);
    let entry = NewAuditEntry::of(by, AuditAction::ViewSaved, id, at).with_new(view);
    Ok(Recorded::by(audit::append(connection, &entry)?, true))
}

fn delete(
    connection: &mut Connection,
    by: &Author,
    id: ViewId,
    at: Timestamp,
) -> Result<Recorded<bool>, Failure> {
    let Some(user) = by.user else { return Ok(Recorded::unchanged(false)) };
    let select =
        sql!("SELECT {} FROM saved_views WHERE id = ? AND company_id = ? AND user_id = ?", COLUMNS);
    let found: Option<ViewRow> = connection.first(select.bind(id).bind(by.company).bind(user))?;
    let Some(view) = found.map(View::from) else { return Ok(Recorded::unchanged(false)) };
    let delete = statement("DELETE FROM saved_views WHERE id = ? AND company_id = ?");
    if connection.execute(delete.bind(id).bind(by.company))? == 0 {
        return Ok(Recorded::unchanged(false));
    }
    let entry = NewAuditEntry::of(by, AuditAction::ViewDeleted, id.uuid(), at).with_old(&view);
    Ok(Recorded::by(audit::append(connection, &entry)?, true))
}

/// Deletes the views of a company that name an email, as it is or as a query writes it.
pub(super) fn forget_naming(
    connection: &mut Connection,
    company: CompanyId,
    email: &str,
) -> Result<(), Failure> {
    let plain = email.to_lowercase();
    let written = ViewQuery::written(&plain);
    let text = "DELETE FROM saved_views WHERE company_id = ? AND (replace(lower(query), ?, '') <> lower(query) \
         OR replace(lower(query), ?, '') <> lower(query))";
    let delete = statement(text).bind(company).bind(plain).bind(written);
    connection.execute(delete)?;
    Ok(())
}
