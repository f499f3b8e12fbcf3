//! The query of a list of contacts.

use contact_hub_domain::contacts::{ListDraft, ListQuery, MAX_SORTS, Search, SortKey, SortName};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::violations::{Problem, Violations};

use super::filter;
use crate::extract::query::{FromQuery, Parameter, Query, page, sorts};

impl FromQuery for ListDraft {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let page = page(query, &mut violations);
        let mut draft = matching(query, violations);
        draft.query.page = page;
        Ok(draft)
    }
}

/// Which contacts a list has and in which order, without its page. `violations` are those that were found before.
pub(super) fn matching(query: Query<'_>, mut violations: Violations) -> ListDraft {
    let sorts = order(query, &mut violations);
    let (conditions, filters) = filter::read(query, &mut violations);
    let search = search(query, &mut violations);
    let query = ListQuery { conditions, search, ..ListQuery::default() };
    ListDraft { query, sorts, filters, violations }
}

/// A query that names no field.
impl FromQuery for ListQuery {
    type Error = Violations;

    fn from_query(raw: &str) -> Result<Self, Violations> {
        ListDraft::from_query(raw)?.validate(&Directory::default())
    }
}

fn order(query: Query<'_>, violations: &mut Violations) -> Vec<(SortName, bool)> {
    let names = "email, first_name, last_name, created_at or field: with the key of a field";
    sorts(query, MAX_SORTS, sort_name, names, violations)
}

fn sort_name(name: &str) -> Option<SortName> {
    let field = name.strip_prefix(filter::FIELD).filter(|key| !key.is_empty());
    let attribute = SortKey::ATTRIBUTES.into_iter().find(|(known, _)| *known == name);
    attribute
        .map(|(_, key)| SortName::Attribute(key))
        .or_else(|| field.map(|key| SortName::Field(key.to_owned())))
}

/// Reads `search`; if repeated, the last one counts. Brackets are rejected, because a malformed search must not return
/// all contacts.
fn search(query: Query<'_>, violations: &mut Violations) -> Search {
    let Some(last) = query.named("search").last() else {
        return Search::default();
    };
    violations.collect("search", of_parameter(&last)).unwrap_or_default()
}

fn of_parameter(parameter: &Parameter<'_>) -> Result<Search, Problem> {
    match parameter.segments().as_deref() {
        Some([]) => Search::parse(&parameter.value()?),
        _ => Err(Problem::new("must be one text")),
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::contacts::{ListQuery, SearchTerm, SortKey};

    use super::FromQuery as _;

    fn sorted(raw: &str) -> Result<Vec<(&'static str, bool)>, Vec<String>> {
        let query = ListQuery::from_query(raw);
        query
            .map(|it| it.sorts.keys().iter().map(|it| (name_of(it.key), it.descending)).collect())
            .map_err(|violations| violations.iter().map(|(path, _)| path.to_owned()).collect())
    }

    fn name_of(key: SortKey) -> &'static str {
        let known = SortKey::ATTRIBUTES.into_iter().find(|(_, known)| *known == key);
        known.map_or("field", |(name, _)| name)
    }

    fn searched(raw: &str) -> Option<Vec<String>> {
        let query = ListQuery::from_query(raw).ok()?;
        let terms = query.search.terms().iter().map(|term| match term {
            SearchTerm::Within(part) => part.as_str().to_owned(),
            SearchTerm::Beginning(prefix) => format!("^{}", prefix.as_str()),
        });
        Some(terms.collect())
    }

    #[test]
    fn accepts_every_syntax_of_the_list() {
        let expected = [("last_name", false), ("created_at", true)];
        for raw in [
            "sort[]=last_name&sort[]=-created_at",
            "sort%5B%5D=last_name&sort%5b%5d=%2Dcreated_at",
            "sort=last_name&sort=-created_at",
            "sort[0]=last_name&sort[1]=-created_at",
            "sort[1]=-created_at&sort[0]=last_name",
            "sort=last_name&sort[9]=-created_at&sorting=x",
        ] {
            assert_eq!(sorted(raw).as_deref(), Ok(&expected[..]), "{raw}");
        }
        assert_eq!(sorted("").as_deref(), Ok(&[("created_at", false)][..]));
    }

    #[test]
    fn errors_name_the_place() {
        for (raw, paths) in [
            ("sort=", vec!["sort.0"]),
            ("sort[]=email&sort[]=-email", vec!["sort.1"]),
            ("sort=Email&sort[]=name&sort[]=email", vec!["sort.0", "sort.1"]),
            ("sort=--email", vec!["sort.0"]),
            ("sort=email,last_name", vec!["sort.0"]),
            ("sort=%ff", vec!["sort.0"]),
            ("sort[email]=-", vec!["sort.email"]),
            ("sort[0][x]=email", vec!["sort.0.x"]),
            ("sort[=email", vec!["sort"]),
            (
                "sort=email&sort=first_name&sort=last_name&sort=created_at&sort=id",
                vec!["sort", "sort.4"],
            ),
        ] {
            let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            assert_eq!(sorted(raw), Err(paths), "{raw}");
        }
    }

    #[test]
    fn the_last_search_counts() {
        let terms = searched("search=+Ann%E2%80%83O'HARA++%25_+ÄB%09").expect("valid");
        assert_eq!(terms, ["ann", "o'hara", "^%_", "^äb"]);
        for nothing in ["", "search=", "search", "search=+%20%EF%BB%BF", "searching=x"] {
            assert_eq!(searched(nothing), Some(Vec::new()), "{nothing}");
        }
        assert_eq!(searched("search=a&search=b"), Some(vec!["^b".to_owned()]));
        for bad in ["search[]=a", "search[x]=a", "search[=a", "search=%ff", "search=%00"] {
            assert!(searched(bad).is_none(), "{bad}");
        }
    }
}
