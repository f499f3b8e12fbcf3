//! Fields, values, and queries by value, for the lists that are compared with the rules.

use contact_hub_domain::contacts::{ListDraft, ListQuery};
use contact_hub_domain::fields::{Directory, FieldType};
use contact_hub_domain::input::Input;
use contact_hub_web::FromQuery as _;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// The name and type of each field.
pub(crate) const FIELDS: [(&str, FieldType); 5] = [
    ("Team", FieldType::String),
    ("Age", FieldType::Number),
    ("Member", FieldType::Boolean),
    ("Day", FieldType::Date),
    ("Seen", FieldType::DateTime),
];

/// The values of a contact; for each field, some contacts have no value.
pub(crate) fn values(n: u8) -> Vec<(String, Input)> {
    let long = format!("{}{}", "Ä".repeat(700), n % 3);
    let teams = ["red", "Red", "blue", "Blue", "ß", "", long.as_str()];
    let team = teams.get(usize::from(n % 8));
    let age = ["5", "5.0", "-1e3", "1e21", "0.25"].get(usize::from(n % 6));
    let day = ["2026-01-01", "2026-01-02", "0001-01-01"].get(usize::from(n % 4));
    let seen = ["2026-01-01T10:00:00+02:00", "2026-01-01T08:00:00Z", "2026-01-01T08:00:00.5Z"];
    let seen = seen.get(usize::from(n % 5));
    let member = (n % 3 < 2).then_some(Input::Bool(n.is_multiple_of(3)));
    let all = [
        ("team", team.copied().map(Input::from)),
        ("age", age.map(|it| Input::Number((*it).to_owned()))),
        ("member", member),
        ("day", day.copied().map(Input::from)),
        ("seen", seen.copied().map(Input::from)),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Conditions on fields that all, some or no values meet.
const BY_VALUE: [&str; 24] = [
    "filter[field:team]=RED",
    "filter[field:team]=green",
    "filter[field:team][startsWith]=b",
    "filter[field:team][startsWith]=ä",
    "filter[field:team][contains]=e",
    "filter[field:team][contains]=ä2",
    "filter[field:team][exists]=true",
    "filter[field:team][exists]=false",
    "filter[field:age]=5.00",
    "filter[field:age][lt]=5",
    "filter[field:age][lte]=5",
    "filter[field:age][gt]=0.25&filter[field:team][contains]=r",
    "filter[field:age][gte]=5",
    "filter[field:age][between]=-2000,4",
    "filter[field:age][between]=4,-2000",
    "filter[field:age][exists]=false&filter[field:member]=false",
    "filter[field:member]=true",
    "filter[field:member][exists]=true",
    "filter[field:day]=2026-01-02",
    "filter[field:day][gt]=2026-01-01",
    "filter[field:day][lte]=2026-01-01",
    "filter[field:seen]=2026-01-01T09:00:00+01:00",
    "filter[field:seen][gt]=2026-01-01T08:00:00Z",
    "filter[field:seen][between]=2026-01-01T07:00:00Z,2026-01-01T08:00:00Z&filter[field:day][exists]=true",
];

const SORTS_BY_VALUE: [&str; 8] = [
    "sort[]=field:team",
    "sort[]=-field:team",
    "sort[]=-field:age",
    "sort[]=field:age&sort[]=-last_name",
    "sort[]=last_name&sort[]=-field:day",
    "sort[]=-field:member&sort[]=field:seen&sort[]=-email",
    "sort[]=first_name&sort[]=field:team&sort[]=created_at",
    "sort[]=-field:seen&sort[]=-field:member",
];

/// A query, optionally with conditions on fields and sorted by a field.
pub(crate) fn by_values() -> impl Strategy<Value = String> {
    let conditions = subsequence(&BY_VALUE[..], 0..3);
    let sorts = prop::option::of(select(&SORTS_BY_VALUE[..]));
    (conditions, sorts).prop_map(|(conditions, sorts)| {
        conditions.into_iter().chain(sorts).collect::<Vec<_>>().join("&")
    })
}

/// The query with the field conditions and sorts of another one.
pub(crate) fn with_values(
    mut query: ListQuery,
    by_values: &str,
    directory: &Directory,
) -> ListQuery {
    let draft = ListDraft::from_query(by_values).expect("a draft");
    // The draft would reject a second condition with the same operator.
    let Ok(other) = draft.validate(directory) else { return query };
    query.conditions.extend(other.conditions);
    if by_values.contains("sort") {
        query.sorts = other.sorts;
    }
    query
}
