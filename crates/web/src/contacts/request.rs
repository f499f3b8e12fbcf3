//! What `GET /contacts` is asked for: a query, how its page is found, and what each contact has.

use contact_hub_domain::contacts::{ListQuery, Place};
use contact_hub_domain::violations::{Problem, Violations};

use super::list_query::matching;
use crate::extract::query::{FromQuery, NUMBERED, Parameter, Query, keyed, numbered, only_keys};

/// A valid request for a list of contacts.
#[derive(Clone, Debug)]
pub(crate) struct ContactsRequest {
    pub(super) query: ListQuery,
    pub(super) paging: Paging,
    /// Whether each contact has its values.
    pub(super) with_values: bool,
}

/// How a page is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Paging {
    /// By its number, with the total.
    Counted,
    /// By its number, without a total.
    Uncounted,
    /// After the place of a cursor, or from the beginning.
    After(Option<Place>),
}

impl FromQuery for ContactsRequest {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let [number, size] = NUMBERED;
        only_keys(query, &[number, size, "after", "total"], &mut violations);
        let page = numbered(query, &mut violations);
        let matching = ListQuery { page, ..matching(query, &mut violations) };
        let is_counted = is_counted(query, &mut violations);
        let with_values = with_values(query, &mut violations);
        if keyed(query, "after").is_some() && keyed(query, number).is_some() {
            for path in ["page.after", "page.number"] {
                let sentence = "must not be given together: a cursor has no number";
                violations.add(path, Problem::new(sentence));
            }
        }
        let place = after(query, &matching, &mut violations);
        let paging = match keyed(query, "after") {
            Some(_) => Paging::After(place),
            None if is_counted => Paging::Counted,
            None => Paging::Uncounted,
        };
        violations.into_result().map(|()| Self { query: matching, paging, with_values })
    }
}

/// The place of `page[after]`; an empty or absent one is the beginning. What a cursor belongs to is known only if the rest
/// of the query is valid.
pub(super) fn after(
    query: Query<'_>,
    matching: &ListQuery,
    violations: &mut Violations,
) -> Option<Place> {
    let parameter = keyed(query, "after")?;
    let is_known = violations.is_empty();
    let place = parameter.value().and_then(|cursor| match cursor.as_str() {
        "" => Ok(None),
        _ if !is_known => Ok(None),
        cursor => Place::from_cursor(cursor, matching).map(Some),
    });
    violations.collect(&parameter.path(), place).flatten()
}

fn is_counted(query: Query<'_>, violations: &mut Violations) -> bool {
    let total = keyed(query, "total").map(|parameter| flag(&parameter));
    total.is_none_or(|total| violations.collect("page.total", total).unwrap_or(true))
}

/// A parameter that is `true` or `false`.
pub(super) fn flag(parameter: &Parameter<'_>) -> Result<bool, Problem> {
    match parameter.value()?.as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Problem::new("must be true or false")),
    }
}

/// Whether `include` has the one word that there is.
fn with_values(query: Query<'_>, violations: &mut Violations) -> bool {
    let mut words = query.named("include").map(|parameter| match parameter.segments().as_deref() {
        Some([]) if parameter.value()? == "field_values" => Ok(true),
        _ => Err(Problem::new("must be field_values")),
    });
    let all: Result<Vec<bool>, Problem> = words.by_ref().collect();
    violations.collect("include", all).is_some_and(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{ContactsRequest, FromQuery as _, Paging};

    fn refused(raw: &str) -> Vec<String> {
        let violations = ContactsRequest::from_query(raw).expect_err(raw);
        violations.iter().map(|(path, _)| path.to_owned()).collect()
    }

    #[test]
    fn a_page_is_found_in_three_ways() {
        for (raw, paging) in [
            ("", Paging::Counted),
            ("page[total]=true&page[number]=3", Paging::Counted),
            ("page[total]=false&page[number]=3", Paging::Uncounted),
            ("page[after]=", Paging::After(None)),
            ("page[after]&page[size]=7&page[total]=false", Paging::After(None)),
            ("page%5Bafter%5D=x&page[after]=", Paging::After(None)),
        ] {
            assert_eq!(ContactsRequest::from_query(raw).expect(raw).paging, paging, "{raw}");
        }
    }

    #[test]
    fn refuses_by_path() {
        for (raw, paths) in [
            ("page[after]=&page[number]=1", vec!["page.after", "page.number"]),
            ("page[after]=x", vec!["page.after"]),
            ("page[after]=%ff", vec!["page.after"]),
            ("page[after][x]=", vec!["page.after.x"]),
            ("page[total]=", vec!["page.total"]),
            ("page[total]=1&page[after]=", vec!["page.total"]),
            ("page[foo]=1", vec!["page.foo"]),
            ("include=", vec!["include"]),
            ("include=fields", vec!["include"]),
            ("include=field_values&include=x", vec!["include"]),
            ("include[]=field_values", vec!["include"]),
        ] {
            assert_eq!(refused(raw), paths, "{raw}");
        }
        let with = ContactsRequest::from_query("include=field_values").expect("a request");
        assert!(with.with_values);
    }
}
