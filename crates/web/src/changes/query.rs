//! The query of the change feed.

use std::time::Duration;

use contact_hub_domain::changes::{
    After, ChangeType, ChangesQuery, MAX_CHANGES, MAX_WAIT, Position,
};
use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{FromQuery, Parameter, Query, integer_within, no_filters, no_sorts};

/// In place of a cursor: after the latest entry.
pub(super) const LATEST: &str = "latest";

impl FromQuery for ChangesQuery {
    type Error = Violations;

    /// If a parameter is repeated, the last one counts, except for `type[]`, which is a list.
    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let mut read = Self::default();
        if let Some(parameter) = query.named("after").last() {
            let after = violations.collect(&parameter.path(), after(&parameter));
            read.after = after.unwrap_or_default();
        }
        read.types = types(query, &mut violations);
        if let Some(size) = size(query, &mut violations) {
            read.size = size;
        }
        if let Some(parameter) = query.named("wait").last() {
            let seconds = alone(&parameter).and_then(|()| integer_within(&parameter, MAX_WAIT));
            let seconds = violations.collect(&parameter.path(), seconds);
            read.wait = Duration::from_secs(seconds.unwrap_or_default());
        }
        no_filters(query, &mut violations);
        no_sorts(query, &mut violations);
        violations.into_result().map(|()| read)
    }
}

fn after(parameter: &Parameter<'_>) -> Result<After, Problem> {
    alone(parameter)?;
    let value = parameter.value()?;
    if value == LATEST {
        return Ok(After::Latest);
    }
    let position = Position::parse(&value);
    let invalid = || Problem::new(format!("must be a cursor from an earlier answer, or {LATEST}"));
    position.map(After::Entry).ok_or_else(invalid)
}

fn types(query: Query<'_>, violations: &mut Violations) -> Vec<ChangeType> {
    let mut types = Vec::new();
    for (place, parameter) in query.named("type").enumerate() {
        let path = format!("type.{place}");
        let read = match parameter.segments().as_deref() {
            Some([_place]) => parameter.value().and_then(|text| {
                ChangeType::parse(&text).ok_or_else(|| Problem::not_one_of(&ChangeType::ALL))
            }),
            _ => Err(Problem::new("must be written as type[]")),
        };
        types.extend(violations.collect(&path, read));
    }
    types.sort_unstable_by_key(|kind| kind.as_str());
    types.dedup();
    types
}

fn size(query: Query<'_>, violations: &mut Violations) -> Option<u32> {
    let mut size = None;
    for parameter in query.named("page") {
        let read = match parameter.segments().as_deref() {
            Some(["size"]) => integer_within(&parameter, MAX_CHANGES.into()),
            _ => Err(Problem::new("must be written as page[size]")),
        };
        size = violations.collect(&parameter.path(), read);
    }
    size.and_then(|size| u32::try_from(size).ok())
}

/// Rejects `name[…]`.
fn alone(parameter: &Parameter<'_>) -> Result<(), Problem> {
    if parameter.segments() == Some(Vec::new()) {
        return Ok(());
    }
    Err(Problem::new(format!("must be written as {}", parameter.name())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use contact_hub_domain::changes::{After, ChangeType, ChangesQuery, Position};

    use super::FromQuery as _;

    #[test]
    fn accepts_a_cursor_types_a_size_and_a_wait() {
        let position = Position { number: 7, ordinal: 2 };
        let raw = format!(
            "after={position}&type[]=sync.failed&type%5B%5D=contact.created&type[]=sync.failed&page[size]=1000&wait=25&x=1"
        );
        let expected = ChangesQuery {
            after: After::Entry(position),
            types: vec![ChangeType::ContactCreated, ChangeType::SyncFailed],
            size: 1000,
            wait: Duration::from_secs(25),
        };
        assert_eq!(ChangesQuery::from_query(&raw), Ok(expected));
        let latest = ChangesQuery { after: After::Latest, ..ChangesQuery::default() };
        assert_eq!(ChangesQuery::from_query("after=latest"), Ok(latest));
        assert_eq!(ChangesQuery::from_query(""), Ok(ChangesQuery::default()));
    }

    #[test]
    fn rejects_everything_else_under_its_path() {
        for (raw, path) in [
            ("after=", "after"),
            ("after=x", "after"),
            ("after=Latest", "after"),
            ("after[]=x", "after"),
            ("type[]=contact.created&type[]=contact", "type.1"),
            ("type=contact.created", "type.0"),
            ("type[]=", "type.0"),
            ("page[size]=0", "page.size"),
            ("page[size]=1001", "page.size"),
            ("page[number]=1", "page.number"),
            ("page=1", "page"),
            ("wait=0", "wait"),
            ("wait=26", "wait"),
            ("wait=x", "wait"),
            ("wait[]=1", "wait"),
        ] {
            let violations = ChangesQuery::from_query(raw).expect_err(raw);
            let paths: Vec<_> = violations.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, [path], "{raw}");
        }
    }

    proptest! {
        #[test]
        fn any_query_is_parsed_or_rejected(raw in "[aftertypewisz\\[\\]=&%5BD.]{0,60}") {
            let _ = ChangesQuery::from_query(&raw);
        }
    }
}
