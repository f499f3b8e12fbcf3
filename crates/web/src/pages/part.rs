//! A long list that is in memory, shown in parts, so that no page grows with it.

use contact_hub_domain::page::{PageMeta, PageRequest};

use super::address::Address;
use super::pager::Pager;

/// How many rows a part has.
pub(crate) const PART: u8 = 50;

/// The part that the address selects, or the nearest one, and the links to the others.
pub(crate) fn part<'a, T>(all: &'a [T], path: &str, address: &Address) -> (&'a [T], Pager) {
    let asked = address.get("page[number]").parse().unwrap_or(1);
    let number = asked.clamp(1, last_part(all.len()));
    let rows = all.chunks(PART.into()).nth(number - 1).unwrap_or_default();
    let count = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
    let request = PageRequest::new(count(number), PART.into()).unwrap_or_default();
    let meta = PageMeta::new(request, count(all.len()), count(rows.len()));
    (rows, Pager::new(path, address, meta))
}

/// The number of the last part of a list with this many rows.
pub(crate) fn last_part(rows: usize) -> usize {
    rows.div_ceil(PART.into()).max(1)
}

#[cfg(test)]
mod tests {
    use super::{Address, part};

    #[test]
    fn a_missing_page_is_replaced_by_the_nearest_one() {
        let all: Vec<u32> = (0..101).collect();
        for (number, first, rows) in
            [("", 0, 50), ("x", 0, 50), ("0", 0, 50), ("2", 50, 50), ("3", 100, 1), ("9", 100, 1)]
        {
            let address = Address::default().with("page[number]", number);
            let (shown, pager) = part(&all, "/x", &address);
            assert_eq!((shown[0], shown.len()), (first, rows), "{number}");
            assert_eq!((pager.from, pager.last_page), (u64::from(first) + 1, 3), "{number}");
        }
        assert!(part::<u32>(&[], "/x", &Address::default()).0.is_empty());
    }
}
