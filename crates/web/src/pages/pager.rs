//! The position in a list, and the links to its other pages.

use contact_hub_domain::page::PageMeta;

use super::address::Address;
use super::charts::grouped;

/// What the template of a list shows below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pager {
    /// The place of the first row, from 1.
    pub(crate) from: u64,
    /// The place of the last one.
    pub(crate) to: u64,
    /// How many there are.
    pub(crate) total: u64,
    /// How many pages there are.
    pub(crate) last_page: u64,
    /// This page.
    pub(crate) current: u64,
    /// The page before.
    pub(crate) previous: Option<String>,
    /// The page after.
    pub(crate) next: Option<String>,
    /// The first page.
    pub(crate) first: String,
    /// The last page.
    pub(crate) last: String,
}

impl Pager {
    /// The list at `path` with its state in the address.
    pub(crate) fn new(path: &str, address: &Address, meta: PageMeta) -> Self {
        let PageMeta { current_page, total, last_page, from, to, .. } = meta;
        let at = |number: u64| {
            address.on_first_page().with("page[number]", &number.to_string()).href(path)
        };
        let previous = (current_page > 1).then(|| at((current_page - 1).min(last_page)));
        let next = (current_page < last_page).then(|| at(current_page + 1));
        let first = address.on_first_page().href(path);
        Self {
            from,
            to,
            total,
            last_page,
            current: current_page,
            previous,
            next,
            first,
            last: at(last_page),
        }
    }

    /// How many rows there are, in words.
    pub(crate) fn number(&self) -> String {
        grouped(self.total)
    }

    /// The places of the first and the last row.
    pub(crate) fn places(&self) -> String {
        format!("{}–{}", grouped(self.from), grouped(self.to))
    }

    /// Whether there is more than one page.
    pub(crate) const fn is_needed(&self) -> bool {
        self.last_page > 1 || self.current > 1
    }
}
