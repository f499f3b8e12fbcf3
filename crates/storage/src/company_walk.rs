//! Walks from company to company along the index of a table.

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::ids::CompanyId;

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql};

#[derive(QueryableByName)]
struct Company {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
}

/// The next company, in the order of the ids, that has one of these rows. They are given as they follow FROM, with a
/// condition.
pub(crate) fn next_company(
    connection: &mut Connection,
    rows: impl Into<Statement>,
    after: Uuid,
) -> Result<Option<CompanyId>, Failure> {
    let next = sql!(
        "SELECT company_id FROM {} AND company_id > ? ORDER BY company_id LIMIT 1",
        rows.into()
    );
    let next: Option<Company> = connection.first(next.bind(IdValue(after)))?;
    Ok(next.map(|next| CompanyId::new(next.company_id.0)))
}
