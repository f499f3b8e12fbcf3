//! Where a walk to a page far from both ends of a list begins. The numbers of contacts by the first character of their
//! email and names are kept, so those with the characters before that of the page are skipped.

use contact_hub_domain::contacts::Sort;
use contact_hub_domain::ids::CompanyId;

use super::order::column;
use super::ways::{Ways, allow};
use super::window::Window;
use crate::connection::Connection;
use crate::counts::contacts_by_beginning;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// How many characters are read. There are scripts with thousands, in which a character has few contacts.
const MAX_BEGINNINGS: usize = 10_000;

/// The part of a list that is walked along.
pub(super) struct Walked {
    /// The condition of the contacts in it.
    pub(super) scope: Statement,
    /// The page, counted from the beginning of the part.
    pub(super) window: Window,
}

/// The part of the contacts in a scope (all of a company, or those after a place) in which a page is. From the offset
/// `far_from` on, the contacts before the page are skipped. A page after a place has a small offset.
pub(super) fn walked(
    connection: &mut Connection,
    company: CompanyId,
    sorts: &[Sort],
    scope: Statement,
    window: Window,
    far_from: u64,
) -> Result<Walked, Failure> {
    let first = sorts.first().filter(|_| window.offset >= far_from);
    let counted = first.and_then(|sort| Some((sort, sort.key.counted_as()?, column(sort.key)?)));
    let Some((first, attribute, column)) = counted else { return Ok(Walked { scope, window }) };
    let counted = contacts_by_beginning(connection, company, attribute, MAX_BEGINNINGS)?;
    let Some(mut beginnings) = counted else { return Ok(Walked { scope, window }) };
    let descends = first.descending != window.from_the_end;
    if descends {
        beginnings.reverse();
    }
    let (mut offset, mut skipped) = (window.offset, None);
    let mut beginnings = beginnings.into_iter().peekable();
    while let Some((beginning, contacts)) = beginnings.next_if(|(_, contacts)| *contacts <= offset)
    {
        offset -= contacts;
        skipped = Some(beginning);
    }
    // The comparison is with a whole text: one that begins with a lower character precedes it.
    let condition = match (skipped, beginnings.next()) {
        (None, _) => return Ok(Walked { scope, window }),
        (Some(last), _) if descends => sql!("{} < ?", column).bind(last),
        (Some(_), Some((next, _))) => sql!("{} >= ?", column).bind(next),
        (Some(_), None) => statement("false"),
    };
    allow(connection, Ways::Indexes)?;
    Ok(Walked { scope: sql!("{} AND {}", scope, condition), window: Window { offset, ..window } })
}
