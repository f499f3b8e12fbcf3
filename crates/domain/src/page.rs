//! Pages of a list: the requested page, and its position among all rows.

/// The default size of a page.
pub const DEFAULT_PAGE_SIZE: u32 = 25;

/// The maximum number of rows of a page.
pub const MAX_PAGE_SIZE: u32 = 100;

/// The largest page number and offset, which every database and client can hold; a larger number counts as this one.
pub const MAX_PAGE_NUMBER: u64 = u64::MAX >> 1;

/// A requested page: its number from 1, and its size from 1 to [`MAX_PAGE_SIZE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    number: u64,
    size: u32,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { number: 1, size: DEFAULT_PAGE_SIZE }
    }
}

impl PageRequest {
    /// Takes a number and a size; `None` when one of them is 0 or the size is too large.
    #[must_use]
    pub fn new(number: u64, size: u32) -> Option<Self> {
        let valid = number >= 1 && (1..=MAX_PAGE_SIZE).contains(&size);
        valid.then_some(Self { number: number.min(MAX_PAGE_NUMBER), size })
    }

    /// The page's number, from 1.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }

    /// How many rows a page has.
    #[must_use]
    pub const fn size(self) -> u32 {
        self.size
    }

    /// How many rows come before the page, at most [`MAX_PAGE_NUMBER`].
    #[must_use]
    pub fn offset(self) -> u64 {
        (self.number - 1).saturating_mul(self.size.into()).min(MAX_PAGE_NUMBER)
    }
}

/// The position of a page among all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageMeta {
    /// The requested number.
    pub current_page: u64,
    /// The requested size.
    pub per_page: u32,
    /// How many rows there are on all pages.
    pub total: u64,
    /// The number of the last page, at least 1.
    pub last_page: u64,
    /// The place of the page's first row, from 1; 0 when the page is empty.
    pub from: u64,
    /// The place of the page's last row; 0 when the page is empty.
    pub to: u64,
}

impl PageMeta {
    /// Computes it for a page that has `rows` of `total` rows.
    #[must_use]
    pub fn new(request: PageRequest, total: u64, rows: u64) -> Self {
        let before = if rows == 0 { 0 } else { request.offset() };
        Self {
            current_page: request.number,
            per_page: request.size,
            total,
            last_page: total.div_ceil(request.size.into()).max(1),
            from: before.saturating_add(rows.min(1)),
            to: before.saturating_add(rows),
        }
    }
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// Its rows; none past the end.
    pub items: Vec<T>,
    /// Its position.
    pub meta: PageMeta,
}

impl<T> Page<T> {
    /// Takes the rows found for `request`, and how many there are on all pages.
    #[must_use]
    pub fn new(request: PageRequest, total: u64, items: Vec<T>) -> Self {
        let rows = u64::try_from(items.len()).unwrap_or(u64::MAX);
        Self { items, meta: PageMeta::new(request, total, rows) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PageMeta, PageRequest};

    #[test]
    fn an_empty_page_has_no_range() {
        let meta = |number, total, rows| {
            let request = PageRequest::new(number, 10).expect("valid");
            let meta = PageMeta::new(request, total, rows);
            (meta.last_page, meta.from, meta.to)
        };
        assert_eq!(meta(1, 0, 0), (1, 0, 0));
        assert_eq!(meta(2, 11, 1), (2, 11, 11));
        assert_eq!(meta(3, 30, 10), (3, 21, 30));
        assert_eq!(meta(4, 30, 0), (3, 0, 0));
    }

    proptest! {
        #[test]
        fn an_offset_fits_every_database(number in 1..=u64::MAX, size in 1..=100_u32) {
            let page = PageRequest::new(number, size).expect("valid");
            prop_assert!(i64::try_from(page.offset()).is_ok());
            prop_assert!(i64::try_from(page.number()).is_ok());
        }
    }
}
