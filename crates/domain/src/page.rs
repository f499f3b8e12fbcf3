//! Pages of a list: the requested page, and its position among all rows.

use crate::query::{Parameter, Query, integer, refuse};
use crate::violations::{Problem, Violations};

/// The default size of a page.
pub const DEFAULT_PAGE_SIZE: u32 = 25;

/// The most rows of a page.
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

    /// Parses the undecoded query of a request for a list without other parameters.
    pub fn parse(raw: &str) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let page = Self::read(Query::parse(raw), &mut violations);
        violations.into_result().map(|()| page)
    }

    /// Reads `page[number]` and `page[size]`; of repeated parameters the last one counts, as in JSON. Any other key
    /// below `page` is a violation.
    pub fn read(query: Query<'_>, violations: &mut Violations) -> Self {
        let (mut number, mut size) = (None, None);
        for parameter in query.named("page") {
            match parameter.segments().as_deref() {
                Some(["number"]) => number = Some(parameter),
                Some(["size"]) => size = Some(parameter),
                _ => {
                    let problem = Problem::new("must be written as page[number] or page[size]");
                    refuse(violations, &parameter.path(), problem);
                }
            }
        }
        let default = Self::default();
        let mut keep = |parameter: Option<Parameter<'_>>, max| {
            let parameter = parameter?;
            violations.collect(&parameter.path(), within(&parameter, max))
        };
        let number = keep(number, None).unwrap_or(default.number);
        let size = keep(size, Some(MAX_PAGE_SIZE)).and_then(|size| u32::try_from(size).ok());
        Self::new(number, size.unwrap_or(default.size)).unwrap_or(default)
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

fn within(parameter: &Parameter<'_>, max: Option<u32>) -> Result<u64, Problem> {
    let number = integer(&parameter.value()?);
    number.filter(|number| *number >= 1 && max.is_none_or(|max| *number <= max.into())).ok_or_else(
        || match max {
            Some(max) => Problem::new(format!("must be an integer from 1 to {max}")),
            None => Problem::new("must be an integer of at least 1"),
        },
    )
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

    use super::{MAX_PAGE_NUMBER, PageMeta, PageRequest};
    use crate::query::Query;
    use crate::violations::Violations;

    fn read(raw: &str) -> Result<(u64, u32), Vec<String>> {
        let mut violations = Violations::default();
        let page = PageRequest::read(Query::parse(raw), &mut violations);
        if violations.is_empty() {
            return Ok((page.number(), page.size()));
        }
        Err(violations.iter().map(|(path, _)| path.to_owned()).collect())
    }

    #[test]
    fn takes_plain_integers_within_their_bounds() {
        for (raw, page) in [
            ("", (1, 25)),
            ("page[number]=3&page[size]=100", (3, 100)),
            ("page%5Bsize%5D=1&pages[x]=1&page_size=0", (1, 1)),
            ("page[size]=x&page[size]=010", (1, 10)),
            ("page[number]=9223372036854775808", (MAX_PAGE_NUMBER, 25)),
        ] {
            assert_eq!(read(raw), Ok(page), "{raw}");
        }
        let long = format!("page[number]={}", "9".repeat(400));
        assert_eq!(read(&long), Ok((MAX_PAGE_NUMBER, 25)));
    }

    #[test]
    fn refuses_everything_else_by_its_path() {
        for value in ["0", "-1", "%2B1", "+1", "1.0", "", "+", "1e1", "x", "%ff", "1%00"] {
            for key in ["number", "size"] {
                let raw = format!("page[{key}]={value}");
                assert_eq!(read(&raw), Err(vec![format!("page.{key}")]), "{raw}");
            }
        }
        for (raw, path) in [
            ("page=2", "page"),
            ("page[]=2", "page"),
            ("page[size=2", "page"),
            ("page[foo]=2&page[foo]=3", "page.foo"),
            ("page[size][x]=2", "page.size.x"),
            ("page[size]=101", "page.size"),
            ("page[size]=99999999999999999999999", "page.size"),
        ] {
            assert_eq!(read(raw), Err(vec![path.to_owned()]), "{raw}");
        }
        let all = read("page=1&page[number]=0&page[size]=0").expect_err("three violations");
        assert_eq!(all, ["page", "page.number", "page.size"]);
    }

    #[test]
    fn an_empty_page_stands_nowhere() {
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
