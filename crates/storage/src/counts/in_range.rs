//! How many active contacts have a value of a field in a range: a sum of whole blocks, of the values at both ends, and of
//! the changes that are not yet applied.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::ids::{CompanyId, FieldId};

use super::pending::pending_in;
use super::stored_total;
use super::value_use::HEAD;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// A range of sort keys, from the first one to the one before which it ends.
///
/// Of a long key only the head is stored. Both ends are no longer than a head, so it lies in the range if the whole key
/// does.
pub(crate) struct KeyRange {
    from: Vec<u8>,
    to: Option<Vec<u8>>,
}

impl KeyRange {
    /// Without an end it has all keys from the first one on. `None` if an end is longer than a head.
    pub(crate) fn new(from: Vec<u8>, to: Option<Vec<u8>>) -> Option<Self> {
        let is_short = |key: &Vec<u8>| key.len() <= HEAD;
        (is_short(&from) && to.as_ref().is_none_or(is_short)).then_some(Self { from, to })
    }

    /// Every key.
    pub(crate) const fn all() -> Self {
        Self { from: Vec::new(), to: None }
    }

    /// Whether a key is in it, of a long one its head.
    pub(crate) fn has(&self, key: &[u8]) -> bool {
        *self.from <= *key && self.to.as_ref().is_none_or(|to| *key < **to)
    }
}

/// How many active contacts a company has, and how many of them have a value in a range.
pub(crate) struct InRange {
    pub(crate) contacts: u64,
    pub(crate) in_range: u64,
}

/// What was read in one statement.
#[derive(QueryableByName)]
struct Sums {
    #[diesel(sql_type = BigInt)]
    contacts: i64,
    #[diesel(sql_type = BigInt)]
    entries: i64,
    #[diesel(sql_type = BigInt)]
    applied: i64,
    #[diesel(sql_type = BigInt)]
    pending: i64,
}

/// The number of active contacts, and of those whose value of the field is in the range.
///
/// `entries`, which follow FROM, has one for each of them. Up to `few` are counted themselves: then no change has to be
/// read.
pub(crate) fn contacts_in_range(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    range: &KeyRange,
    entries: &Statement,
    few: u64,
) -> Result<InRange, Failure> {
    let select = sql!(
        "WITH ends AS ({ends}) SELECT coalesce(({contacts}), 0) AS contacts, (SELECT count(*) FROM (SELECT 1 FROM {entries} LIMIT {most}) AS bounded) AS entries, \
         ({sum}) AS applied, (SELECT count(*) FROM (SELECT 1 FROM count_changes WHERE company_id = ? LIMIT 1) AS changes) AS pending",
        ends = whole_blocks(company, field, range),
        contacts = stored_total::select(company),
        entries = entries.clone(),
        most = few.saturating_add(1),
        sum = sum(company, field, range),
    );
    let sums: Option<Sums> = connection.first(select.bind(company))?;
    let Some(sums) = sums else { return Ok(InRange { contacts: 0, in_range: 0 }) };
    let contacts = u64::try_from(sums.contacts).unwrap_or_default();
    let entries = u64::try_from(sums.entries).unwrap_or_default();
    if entries <= few {
        return Ok(InRange { contacts, in_range: entries });
    }
    let changes = match sums.pending {
        0 => 0,
        _ => pending_in(connection, company, field, range)?,
    };
    Ok(InRange { contacts, in_range: u64::try_from(sums.applied + changes).unwrap_or_default() })
}

/// Where the first block begins that is not entered in its middle, and where the last one begins that may end behind the
/// range. Both are NULL if the range is within a block.
fn whole_blocks(company: CompanyId, field: FieldId, range: &KeyRange) -> Statement {
    let begins = || {
        let begins = sql!(
            "SELECT first_key FROM field_value_blocks WHERE company_id = ? AND field_id = ? AND first_key >= ?{}",
            range.to.as_ref().map(|_| " AND first_key <= ?"),
        );
        let begins = begins.bind(company).bind(field).bind(range.from.as_slice());
        match &range.to {
            Some(to) => begins.bind(to.as_slice()),
            None => begins,
        }
    };
    sql!(
        "SELECT ({} ORDER BY first_key LIMIT 1) AS first_whole, ({} ORDER BY first_key DESC LIMIT 1) AS last_begun",
        begins(),
        begins(),
    )
}

/// The sum of what is applied.
fn sum(company: CompanyId, field: FieldId, range: &KeyRange) -> Statement {
    let blocks = "SELECT uses FROM field_value_blocks WHERE company_id = ? AND field_id = ? \
         AND first_key >= (SELECT first_whole FROM ends)";
    let values = "SELECT uses FROM field_value_uses WHERE company_id = ? AND field_id = ?";
    let of_field = |text: &'static str| statement(text).bind(company).bind(field);
    let from = statement(" AND sort_key >= ?").bind(range.from.as_slice());
    // No key is longer than a head.
    let behind_all = || vec![u8::MAX; HEAD + 1];
    let until = statement(" AND sort_key < coalesce((SELECT first_whole FROM ends), ?)");
    let until = until.bind(range.to.clone().unwrap_or_else(behind_all));
    let last = range.to.as_ref().map(|to| {
        let last = sql!(
            " UNION ALL {} AND sort_key >= (SELECT last_begun FROM ends) AND sort_key < ?",
            of_field(values),
        );
        last.bind(to.as_slice())
    });
    sql!(
        "SELECT CAST(coalesce(sum(uses), 0) AS bigint) FROM ({}{} UNION ALL {}{}{}{}) AS parts",
        of_field(blocks),
        range.to.as_ref().map(|_| " AND first_key < (SELECT last_begun FROM ends)"),
        of_field(values),
        from,
        until,
        last,
    )
}
