//! Changes of a field's values that are not yet applied.

use diesel::QueryableByName;
use diesel::sql_types::Text;

use contact_hub_domain::ids::{CompanyId, FieldId};

use super::document::decode;
use super::{ValueUse, ValueUses};
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

#[derive(QueryableByName)]
struct Document {
    #[diesel(sql_type = Text)]
    value_uses: String,
}

/// The changes of the counts of the field's values that are not yet applied.
pub(crate) fn pending_uses(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
) -> Result<Vec<ValueUse>, Failure> {
    let select = statement("SELECT value_uses FROM count_changes WHERE company_id = ?");
    let documents: Vec<Document> = connection.rows(select.bind(company))?;
    let mut uses = ValueUses::default();
    for document in documents {
        decode(&document.value_uses, Some(field), &mut uses)?;
    }
    Ok(uses.into_changes().collect())
}
