//! Which steps of the setup are done: each is a check whether one row exists.

use diesel::QueryableByName;
use diesel::sql_types::Bool;

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::overview::SetupSteps;

use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql};

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// The steps; `None` once there is a completed sync.
pub(super) fn steps(
    connection: &mut Connection,
    company: CompanyId,
    contacts: u64,
) -> Result<Option<SetupSteps>, Failure> {
    let mut has = |rows: &'static str| -> Result<bool, Failure> {
        let select: Statement =
            sql!("SELECT EXISTS (SELECT 1 FROM {} company_id = ?) AS yes", rows);
        let answer: Option<Answer> = connection.first(select.bind(company))?;
        Ok(answer.is_some_and(|it| it.yes))
    };
    if has("syncs WHERE state = 'completed' AND")? {
        return Ok(None);
    }
    Ok(Some(SetupSteps {
        has_contacts: contacts > 0 || has("fields WHERE")?,
        has_asset: has("assets WHERE")?,
        has_webhook: has("webhooks WHERE")?,
        has_integration: has("integrations WHERE")?,
    }))
}
