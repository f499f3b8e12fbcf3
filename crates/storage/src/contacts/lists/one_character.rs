//! The number of matches of a search of one character, by the counts that are kept of beginnings.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_domain::ids::CompanyId;

use crate::connection::Connection;
use crate::counts::contacts_beginning;
use crate::failure::Failure;

/// `None` unless one character is all that the query asks for.
pub(super) fn matches_of_one_character(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
) -> Result<Option<u64>, Failure> {
    let character = query.search.only_character().filter(|_| query.conditions.is_empty());
    let Some(character) = character else { return Ok(None) };
    contacts_beginning(connection, company, character).map(Some)
}
