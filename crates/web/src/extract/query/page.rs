//! The page of any list: `page[number]` and `page[size]`.

use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};
use contact_hub_domain::violations::{Problem, Violations};

use super::parameter::{integer, integer_within};
use super::{FromQuery, Parameter, Query, no_filters, no_sorts};

const PAGE: &str = "page";

impl FromQuery for PageRequest {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let page = page(query, &mut violations);
        no_filters(query, &mut violations);
        no_sorts(query, &mut violations);
        violations.into_result().map(|()| page)
    }
}

/// The keys of a page by its number.
pub(crate) const NUMBERED: [&str; 2] = ["number", "size"];

/// Reads the page. Any other key below `page` is a violation.
pub(crate) fn page(query: Query<'_>, violations: &mut Violations) -> PageRequest {
    only_keys(query, &NUMBERED, violations);
    numbered(query, violations)
}

/// Any key below `page` that is none of these is a violation.
pub(crate) fn only_keys(query: Query<'_>, keys: &[&str], violations: &mut Violations) {
    for parameter in query.named(PAGE) {
        let is_known = |segments: &[&str]| matches!(segments, [key] if keys.contains(key));
        if !parameter.segments().as_deref().is_some_and(is_known) {
            let keys: Vec<String> = keys.iter().map(|key| format!("page[{key}]")).collect();
            let problem = Problem::new(format!("must be written as {}", keys.join(" or ")));
            violations.add_once(&parameter.path(), problem);
        }
    }
}

/// The parameter with a key below `page`; of repeated ones the last one counts, as in JSON.
pub(crate) fn keyed<'a>(query: Query<'a>, key: &str) -> Option<Parameter<'a>> {
    let is_it = |parameter: &Parameter<'_>| parameter.segments().as_deref() == Some(&[key]);
    query.named(PAGE).filter(is_it).last()
}

/// Reads number and size.
pub(crate) fn numbered(query: Query<'_>, violations: &mut Violations) -> PageRequest {
    let [number, size] = NUMBERED.map(|key| keyed(query, key));
    let default = PageRequest::default();
    let mut keep = |parameter: Option<Parameter<'_>>, max| {
        let parameter = parameter?;
        violations.collect(&parameter.path(), within(&parameter, max))
    };
    let number = keep(number, None).unwrap_or(default.number());
    let size = keep(size, Some(MAX_PAGE_SIZE)).and_then(|size| u32::try_from(size).ok());
    PageRequest::new(number, size.unwrap_or(default.size())).unwrap_or(default)
}

fn within(parameter: &Parameter<'_>, max: Option<u32>) -> Result<u64, Problem> {
    match max {
        Some(max) => integer_within(parameter, max.into()),
        None => integer(&parameter.value()?)
            .filter(|number| *number >= 1)
            .ok_or_else(|| Problem::new("must be an integer of at least 1")),
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::page::{MAX_PAGE_NUMBER, PageRequest};

    use super::FromQuery as _;

    fn read(raw: &str) -> Result<(u64, u32), Vec<String>> {
        let page = PageRequest::from_query(raw);
        page.map(|page| (page.number(), page.size()))
            .map_err(|violations| violations.iter().map(|(path, _)| path.to_owned()).collect())
    }

    #[test]
    fn accepts_plain_integers_within_their_bounds() {
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
    fn rejects_everything_else_under_its_path() {
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
            ("filter[name]=x", "filter.name"),
            ("filter=x", "filter"),
            ("sort[]=name", "sort.0"),
            ("sort=-name", "sort.0"),
        ] {
            assert_eq!(read(raw), Err(vec![path.to_owned()]), "{raw}");
        }
        let all = read("page=1&page[number]=0&page[size]=0").expect_err("three violations");
        assert_eq!(all, ["page", "page.number", "page.size"]);
    }
}
