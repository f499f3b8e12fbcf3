//! Alerts of what attempts did to webhooks.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::alerts::raised_by_health;
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::WebhookNotice;

use crate::alerts::raise;
use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct NamedRow {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
}

/// Stores an alert for each notice. Notices are rare: a webhook has each at most once until an attempt succeeds.
pub(super) fn raise_all(
    connection: &mut Connection,
    notices: &[WebhookNotice],
    at: Timestamp,
) -> Result<(), Failure> {
    for WebhookNotice { webhook_id, news } in notices {
        let select = statement("SELECT company_id, name FROM webhooks WHERE id = ?");
        let row: Option<NamedRow> = connection.first(select.bind(*webhook_id))?;
        if let Some(row) = row {
            let company = CompanyId::new(row.company_id.0);
            raise(connection, &raised_by_health(company, *webhook_id, &row.name, *news, at))?;
        }
    }
    Ok(())
}
