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
    /// Whether there are more than that, which are not counted.
    pub(crate) are_more: bool,
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
            are_more: false,
            last_page,
            current: current_page,
            previous,
            next,
            first,
            last: at(last_page),
        }
    }

    /// The same for a list with more rows than these, which the page precedes or ends: a page follows, and the last one is not
    /// known.
    pub(crate) fn of_more_than(path: &str, address: &Address, meta: PageMeta) -> Self {
        let meta = PageMeta { last_page: meta.current_page + 1, ..meta };
        Self { are_more: true, last: String::new(), ..Self::new(path, address, meta) }
    }

    /// How many rows there are, in words.
    pub(crate) fn number(&self) -> String {
        let total = grouped(self.total);
        if self.are_more { format!("more than {total}") } else { total }
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

#[cfg(test)]
mod tests {
    use contact_hub_domain::page::PageRequest;

    use super::*;

    #[test]
    fn a_page_of_more_rows_than_were_counted_has_a_next_one_and_no_last_one() {
        let address = Address::of("search=a&page[number]=401");
        let meta = PageMeta::new(PageRequest::new(401, 25).expect("a page"), 10_025, 25);
        let pager = Pager::of_more_than("/contacts", &address, meta);
        assert_eq!(pager.places(), "10,001–10,025");
        assert_eq!(pager.number(), "more than 10,025");
        let next = pager.next.expect("a next page");
        assert!(next.contains("402") && pager.last.is_empty(), "{next}");
    }
}
