//! The query of the audit.

use contact_hub_domain::audit::{AuditAction, AuditCursor, AuditQuery};
use contact_hub_domain::contacts::moment_range;
use contact_hub_domain::ids::UserId;
use contact_hub_domain::page::MAX_PAGE_SIZE;
use contact_hub_domain::violations::{Problem, Violations};

use crate::extract::query::{FromQuery, Parameter, Query, integer_within, no_sorts};

impl FromQuery for AuditQuery {
    type Error = Violations;

    /// If a parameter is repeated, the last one counts. Unknown ones below `filter` and `page` are violations: a
    /// misspelt condition must not return everything.
    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let mut read = Self::default();
        for parameter in query.named("filter") {
            let outcome = filter(&mut read, &parameter);
            violations.collect(&parameter.path(), outcome);
        }
        for parameter in query.named("page") {
            let outcome = page(&mut read, &parameter);
            violations.collect(&parameter.path(), outcome);
        }
        no_sorts(query, &mut violations);
        violations.into_result().map(|()| read)
    }
}

fn filter(read: &mut AuditQuery, parameter: &Parameter<'_>) -> Result<(), Problem> {
    let segments = parameter.segments();
    let value = parameter.value()?;
    let not_an_id = || Problem::new("must be an id");
    match segments.as_deref() {
        Some(["actor"]) => read.actor = Some(UserId::parse(&value).ok_or_else(not_an_id)?),
        // Every kind of id has the same form.
        Some(["object"]) => {
            read.object = Some(UserId::parse(&value).ok_or_else(not_an_id)?.uuid());
        }
        Some(["action"]) => {
            let action = AuditAction::parse(&value);
            read.action = Some(action.ok_or_else(|| Problem::not_one_of(&AuditAction::ALL))?);
        }
        Some(["at", "between"]) => {
            let (from, to) = moment_range(&[value])?;
            (read.from, read.to) = (Some(from), Some(to));
        }
        Some([name, ..]) if !["actor", "object", "action", "at"].contains(name) => {
            return Err(Problem::new("is not a field that can be filtered"));
        }
        _ => {
            return Err(Problem::new(
                "must be written as filter[actor], filter[action], filter[object] or filter[at][between]",
            ));
        }
    }
    Ok(())
}

fn page(read: &mut AuditQuery, parameter: &Parameter<'_>) -> Result<(), Problem> {
    match parameter.segments().as_deref() {
        Some(["after"]) => {
            let text = parameter.value()?;
            let cursor = AuditCursor::parse(&text);
            let problem = || Problem::new("must be a cursor from an earlier answer");
            read.after = if text.is_empty() { None } else { Some(cursor.ok_or_else(problem)?) };
        }
        Some(["size"]) => {
            let size = integer_within(parameter, MAX_PAGE_SIZE.into())?;
            read.size = u32::try_from(size).unwrap_or(MAX_PAGE_SIZE);
        }
        _ => return Err(Problem::new("must be written as page[after] or page[size]")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::audit::{AuditAction, AuditQuery};
    use contact_hub_domain::ids::UserId;

    use super::FromQuery as _;

    #[test]
    fn accepts_every_condition() {
        let id = "01931e3a-7c00-7000-8000-0000000000ab";
        let raw = format!(
            "filter[actor]={id}&filter%5Bobject%5D={id}&filter[action]=user.created\
             &filter[at][between]=2026-01-01,2026-02-01&page[size]=3&page[after]=&x=1"
        );
        let query = AuditQuery::from_query(&raw).expect("valid");
        assert_eq!(query.action, Some(AuditAction::UserCreated));
        assert_eq!(query.actor.map(UserId::uuid), query.object);
        assert_eq!((query.size, query.after), (3, None));
        assert!(query.from < query.to);
        assert_eq!(AuditQuery::from_query(""), Ok(AuditQuery::default()));
    }

    #[test]
    fn rejects_everything_else_under_its_path() {
        for (raw, path) in [
            ("filter[actor]=x", "filter.actor"),
            ("filter[object]=", "filter.object"),
            ("filter[action]=deleted", "filter.action"),
            ("filter[at]=2026-01-01", "filter.at"),
            ("filter[at][between]=,", "filter.at.between"),
            ("filter[at][gt]=2026-01-01", "filter.at.gt"),
            ("filter[user]=x", "filter.user"),
            ("filter=x", "filter"),
            ("page[number]=1", "page.number"),
            ("page[size]=101", "page.size"),
            ("page[after]=x", "page.after"),
        ] {
            let violations = AuditQuery::from_query(raw).expect_err(raw);
            let paths: Vec<_> = violations.iter().map(|(path, _)| path).collect();
            assert_eq!(paths, [path], "{raw}");
        }
    }
}
