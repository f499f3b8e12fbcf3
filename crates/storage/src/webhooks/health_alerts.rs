//! Alerts about the effects of attempts on webhooks.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::alerts::raised_by_health;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::WebhookNotice;

use crate::alerts::raise;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::any_id;
use crate::failure::Failure;
use crate::statement::sql;

#[derive(QueryableByName)]
struct NamedRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
}

/// Stores an alert for each notice, all by the same statements.
pub(super) fn raise_all(
    connection: &mut Connection,
    notices: &[WebhookNotice],
    at: Timestamp,
) -> Result<(), Failure> {
    if notices.is_empty() {
        return Ok(());
    }
    let any = any_id(connection, notices.iter().map(|notice| notice.webhook_id.uuid()));
    let select = sql!("SELECT id, company_id, name FROM webhooks WHERE id {}", any);
    let rows: Vec<NamedRow> = connection.rows(select)?;
    let alert = |notice: &WebhookNotice| {
        let row = rows.iter().find(|row| row.id.0 == notice.webhook_id.uuid())?;
        let company = CompanyId::new(row.company_id.0);
        Some(raised_by_health(company, notice.webhook_id, &row.name, notice.news, at))
    };
    raise(connection, &notices.iter().filter_map(alert).collect::<Vec<_>>())
}
