//! A page of the contacts that a query finds, with the exact number of all of them.
//!
//! Without a condition the number is a counter, and the page is walked along the index of its first sort key, from the
//! nearer end. With conditions the number is counted first, by the index that suits the conditions, and then tells how
//! the page is found: few hits are gathered and sorted, many are met soon enough along the index of the sort.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::contacts::{Contact, ListQuery, Sort, SortKey};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::page::Page;

use super::conditions::Conditions;
use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::dialect;
use crate::failure::Failure;
use crate::statement::{Statement, statement};

/// Up to this many hits are gathered and sorted.
const FEW_HITS: u64 = 20_000;

#[derive(QueryableByName)]
struct Total {
    #[diesel(sql_type = BigInt)]
    total: i64,
}

/// How the page is found among the hits.
enum Way {
    /// All are gathered and sorted.
    Gather,
    /// They are met along an index, which the text says where the database would not choose it by itself.
    Walk(String),
}

/// Where a page stands among the hits, counted from the end that is nearer.
struct Window {
    from_the_end: bool,
    limit: u64,
    offset: u64,
}

/// One page, and how many hits there are in all, as of one moment.
pub(super) fn list(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
) -> Result<Page<Contact>, Failure> {
    let conditions = Conditions::of(connection, query);
    let total = u64::try_from(count(connection, company, &conditions)?).unwrap_or_default();
    let Some(window) = Window::of(total, query.page.offset(), query.page.size().into()) else {
        return Ok(Page::new(query.page, total, Vec::new()));
    };
    let gather = !conditions.is_empty() && total <= FEW_HITS;
    let way = Way::of(connection, query.sorts.keys(), gather);
    let rows = connection.rows(page(company, query.sorts.keys(), &conditions, &window, &way))?;
    let mut decoder = Decoder::new(storage, company);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let row: ContactRow = row;
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values)?);
    }
    Ok(Page::new(query.page, total, contacts))
}

/// How the database finds the page and the number of hits, line by line. Nothing is run.
pub(super) fn explain(
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    gather: bool,
) -> Result<Vec<String>, Failure> {
    let conditions = Conditions::of(connection, query);
    let window = Window { from_the_end: false, limit: query.page.size().into(), offset: 0 };
    let way = Way::of(connection, query.sorts.keys(), gather);
    let page = page(company, query.sorts.keys(), &conditions, &window, &way);
    let mut lines = dialect::explain(connection, page)?;
    if !conditions.is_empty() {
        lines.extend(dialect::explain(connection, count_hits(company, &conditions))?);
    }
    Ok(lines)
}

fn count(
    connection: &mut Connection,
    company: CompanyId,
    conditions: &Conditions,
) -> Result<i64, Failure> {
    let count = if conditions.is_empty() {
        statement("SELECT active AS total FROM contact_counts WHERE company_id = ?").bind(company)
    } else {
        count_hits(company, conditions)
    };
    Ok(connection.first::<Total>(count)?.map_or(0, |row| row.total))
}

fn count_hits(company: CompanyId, conditions: &Conditions) -> Statement {
    let text = format!("SELECT count(*) AS total FROM contacts WHERE {}", conditions.text());
    conditions.bind(statement(text).uncached().bind(company))
}

impl Way {
    /// Of several keys only the first is in an index: along it, what is left to sort are the hits that tie in it.
    fn of(connection: &Connection, sorts: &[Sort], gather: bool) -> Self {
        match sorts {
            _ if gather => Self::Gather,
            [first, _, ..] => Self::Walk(dialect::along(connection, index(first.key))),
            _ => Self::Walk(String::new()),
        }
    }
}

impl Window {
    fn of(total: u64, offset: u64, size: u64) -> Option<Self> {
        let after = total.checked_sub(offset).filter(|after| *after > 0)?;
        let limit = size.min(after);
        let behind = after - limit;
        Some(if behind < offset {
            Self { from_the_end: true, limit, offset: behind }
        } else {
            Self { from_the_end: false, limit, offset }
        })
    }
}

/// The ids of the page are found first, in an index where there is one; only their rows are read.
fn page(
    company: CompanyId,
    sorts: &[Sort],
    conditions: &Conditions,
    window: &Window,
    way: &Way,
) -> Statement {
    let keys = sorts.iter().map(|sort| column(sort.key)).collect::<Vec<_>>().join(", ");
    let (walk, show) = (order(sorts, window.from_the_end, ""), order(sorts, false, "page."));
    let hits =
        |along: &str| format!("SELECT id, {keys} FROM contacts{along} WHERE {}", conditions.text());
    let found = match way {
        Way::Gather => format!(
            "(WITH hits AS MATERIALIZED ({}) SELECT * FROM hits ORDER BY {walk} LIMIT ? OFFSET ?)",
            hits("")
        ),
        Way::Walk(along) => format!("({} ORDER BY {walk} LIMIT ? OFFSET ?)", hits(along)),
    };
    let columns = COLUMNS.replace(", ", ", contacts.");
    let text = format!(
        "SELECT contacts.{columns} FROM {found} AS page JOIN contacts ON contacts.id = page.id ORDER BY {show}"
    );
    let found = conditions.bind(statement(text).uncached().bind(company));
    let bound = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    found.bind(bound(window.limit)).bind(bound(window.offset))
}

const fn column(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "email_folded",
        SortKey::FirstName => "first_name_folded",
        SortKey::LastName => "last_name_folded",
        SortKey::CreatedAt => "created_at",
    }
}

const fn index(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "contacts_by_email",
        SortKey::FirstName => "contacts_by_first_name",
        SortKey::LastName => "contacts_by_last_name",
        SortKey::CreatedAt => "contacts_by_created_at",
    }
}

/// The sort keys and the id, which breaks ties in the last key's direction; turned round for a walk from the end.
fn order(sorts: &[Sort], turned: bool, table: &str) -> String {
    let direction = |descending: bool| if descending == turned { "ASC" } else { "DESC" };
    let last = sorts.last().is_some_and(|sort| sort.descending);
    let keys = sorts.iter().map(|sort| (column(sort.key), sort.descending));
    let all = keys.chain([("id", last)]);
    all.map(|(column, descending)| format!("{table}{column} {}", direction(descending)))
        .collect::<Vec<_>>()
        .join(", ")
}
