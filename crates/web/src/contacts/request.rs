//! The request of `GET /contacts`: a query, how its page is found, and what each contact contains.

use utoipa::openapi::path;

use contact_hub_domain::contacts::{ContactsError, ListDraft, ListQuery, Place};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::violations::{Problem, Violations};

use super::list_query::matching;
use crate::extract::query::{
    Described, FromQuery, NUMBERED, Parameter, Query, keyed, numbered, only_keys,
};
use crate::openapi::parameters;

/// The path and the text of `page[after]`.
pub(super) type Cursor = (String, String);

/// A request for a list of contacts. The parts that depend on the company's fields are validated by [`Self::read`].
#[derive(Clone, Debug)]
pub(crate) struct ContactsRequest {
    draft: ListDraft,
    /// The cursor and the path of its violations; an empty one is the beginning.
    after: Option<Cursor>,
    is_counted: bool,
    /// Whether each contact has its values.
    with_values: bool,
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
        let is_counted = is_counted(query, &mut violations);
        let with_values = with_values(query, &mut violations);
        if keyed(query, "after").is_some() && keyed(query, number).is_some() {
            for path in ["page.after", "page.number"] {
                let sentence = "must not be given together: a cursor has no number";
                violations.add(path, Problem::new(sentence));
            }
        }
        let after = cursor(query, &mut violations);
        let mut draft = matching(query, violations);
        draft.query.page = page;
        Ok(Self { draft, after, is_counted, with_values })
    }
}

impl Described for ContactsRequest {
    fn parameters() -> Vec<path::Parameter> {
        parameters::contacts()
    }
}

impl ContactsRequest {
    /// The query, how its page is found, and whether each contact has its values.
    pub(super) async fn read(
        self,
        cx: &Context<'_, ContactPorts>,
    ) -> Result<(ListQuery, Paging, bool), ContactsError> {
        let Self { draft, after, is_counted, with_values } = self;
        let query = draft.read(cx).await?;
        let query = if with_values { query } else { query.without_values() };
        let paging = paging(&query, after, is_counted)?;
        Ok((query, paging, with_values))
    }
}

fn paging(
    query: &ListQuery,
    after: Option<Cursor>,
    is_counted: bool,
) -> Result<Paging, Violations> {
    match after {
        Some(cursor) => place(query, cursor).map(Paging::After),
        None => Ok(if is_counted { Paging::Counted } else { Paging::Uncounted }),
    }
}

/// The parameter `page[after]`, if it can be a cursor.
pub(super) fn cursor(query: Query<'_>, violations: &mut Violations) -> Option<Cursor> {
    let parameter = keyed(query, "after")?;
    let cursor = parameter.value().and_then(|cursor| {
        if !cursor.is_empty() {
            Place::check_cursor(&cursor)?;
        }
        Ok(cursor)
    });
    let path = parameter.path();
    violations.collect(&path, cursor).map(|cursor| (path, cursor))
}

/// The place of a cursor; an empty one is the beginning. Whether it is one of the query can be checked only if the rest of
/// the query is valid.
pub(super) fn place(
    query: &ListQuery,
    (path, cursor): Cursor,
) -> Result<Option<Place>, Violations> {
    let place = match cursor.as_str() {
        "" => Ok(None),
        cursor => Place::from_cursor(cursor, query).map(Some),
    };
    place.map_err(|problem| Violations::one(path, problem))
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

/// Whether `include` has its only valid word.
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
    use contact_hub_domain::fields::Directory;
    use contact_hub_domain::violations::Violations;

    use super::{ContactsRequest, FromQuery as _, Paging, paging};

    fn read(raw: &str) -> Result<Paging, Violations> {
        let ContactsRequest { draft, after, is_counted, .. } = ContactsRequest::from_query(raw)?;
        paging(&draft.validate(&Directory::default())?, after, is_counted)
    }

    fn refused(raw: &str) -> Vec<String> {
        let violations = read(raw).expect_err(raw);
        violations.iter().map(|(path, _)| path.to_owned()).collect()
    }

    #[test]
    fn a_page_can_be_requested_in_three_ways() {
        for (raw, paging) in [
            ("", Paging::Counted),
            ("page[total]=true&page[number]=3", Paging::Counted),
            ("page[total]=false&page[number]=3", Paging::Uncounted),
            ("page[after]=", Paging::After(None)),
            ("page[after]&page[size]=7&page[total]=false", Paging::After(None)),
            ("page%5Bafter%5D=x&page[after]=", Paging::After(None)),
        ] {
            assert_eq!(read(raw).expect(raw), paging, "{raw}");
        }
    }

    #[test]
    fn errors_name_the_path() {
        for (raw, paths) in [
            ("page[after]=&page[number]=1", vec!["page.after", "page.number"]),
            ("page[after]=x", vec!["page.after"]),
            ("page[after]=%ff", vec!["page.after"]),
            (
                "page[after]=x&page[size]=0&filter[foo]=1",
                vec!["page.size", "page.after", "filter.foo"],
            ),
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
