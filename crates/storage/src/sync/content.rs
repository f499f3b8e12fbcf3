//! Reads the parts of a converted content.

use contact_hub_domain::ids::{AssetId, CompanyId};
use contact_hub_domain::sync::{ContentSource, Integration, MappingChoice, Platform};

use super::rows::{INTEGRATION, IntegrationRow};
use super::{assets, integrations};
use crate::connection::Connection;
use crate::dialect::Lock;
use crate::failure::Failure;
use crate::statement::sql;

pub(super) fn content(
    connection: &mut Connection,
    company: CompanyId,
    asset: AssetId,
    choice: MappingChoice,
) -> Result<Option<ContentSource>, Failure> {
    let Some((asset, _status)) = assets::find(connection, company, asset, Lock::None)? else {
        return Ok(None);
    };
    let integration = match choice {
        MappingChoice::Nothing => None,
        MappingChoice::Of(format) => oldest_with_mapping(connection, company, format)?,
        MappingChoice::By(id) => integrations::find(connection, company, id, Lock::None)?,
    };
    Ok(Some(ContentSource { asset, integration }))
}

fn oldest_with_mapping(
    connection: &mut Connection,
    company: CompanyId,
    format: Platform,
) -> Result<Option<Integration>, Failure> {
    let select = sql!(
        "SELECT {} FROM integrations WHERE company_id = ? AND merge_tag_format = ? \
         AND merge_tag_mapping IS NOT NULL ORDER BY created_at, id LIMIT 1",
        INTEGRATION
    );
    let select = select.bind(company).bind(format.as_str());
    let row = connection.first::<IntegrationRow>(select)?;
    row.map(IntegrationRow::into_integration).transpose()
}
