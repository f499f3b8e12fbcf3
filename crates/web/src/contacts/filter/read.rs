//! Reads the filters of a query.

use contact_hub_domain::contacts::{
    Comparison, Condition, FieldFilter, MAX_CONDITIONS, Operator, conditions,
};
use contact_hub_domain::violations::{Problem, Violations};

use super::parameters::{Gathered, Subject, Value, gather, too_many};
use crate::extract::query::Query;

/// The conditions of a query, all of which must hold; those on fields are not validated yet. Violations have the path of
/// their parameter.
pub(crate) fn read(
    query: Query<'_>,
    violations: &mut Violations,
) -> (Vec<Condition>, Vec<FieldFilter>) {
    let gathered = gather(query, violations);
    let count: usize = gathered.iter().map(Gathered::conditions).sum();
    if count > MAX_CONDITIONS {
        violations.add_once("filter", too_many());
        return (Vec::new(), Vec::new());
    }
    let (mut of_attributes, mut of_fields) = (Vec::new(), Vec::new());
    for gathered in gathered {
        let comparisons = comparisons(&gathered, violations);
        match gathered.subject {
            Subject::Attribute(attribute) => {
                of_attributes.extend(conditions(attribute, comparisons, violations));
            }
            Subject::Field(key) => {
                of_fields.push(FieldFilter { key, path: gathered.path, comparisons });
            }
        }
    }
    (of_attributes, of_fields)
}

/// All comparisons of an attribute, in any form.
fn comparisons(gathered: &Gathered, violations: &mut Violations) -> Vec<Comparison> {
    let bare = gathered.bare.iter().map(|value| (Operator::Equal, value.clone()));
    let pair = pair(gathered, violations);
    let all = bare.chain(pair).chain(gathered.short.iter().cloned());
    let compare = |(operator, value): (Operator, Value)| {
        let texts = value.texts();
        Comparison { path: value.path, operator, texts }
    };
    all.map(compare).collect()
}

fn pair(gathered: &Gathered, violations: &mut Violations) -> Option<(Operator, Value)> {
    let path = &gathered.path;
    let (operator_path, value_path) = (format!("{path}.operator"), format!("{path}.value"));
    let value = gathered.pair_value(&value_path);
    let (operator, value) = match (gathered.operators.as_slice(), value) {
        ([], None) => return None,
        ([], Some(_)) => {
            violations.add_once(&value_path, Problem::new("must stand beside an operator"));
            return None;
        }
        (_, None) => {
            violations.add_once(&operator_path, Problem::new("must stand beside a value"));
            return None;
        }
        ([operator], Some(value)) => (operator, value),
        (_, Some(_)) => {
            violations.add_once(&operator_path, Problem::new("must not be given twice"));
            return None;
        }
    };
    if !gathered.bare.is_empty() {
        violations.add_once(path, Problem::new("must not have a pair beside a bare value"));
        return None;
    }
    let operator = operator.clone().and_then(|name| {
        Operator::parse(&name).ok_or_else(|| Problem::new("must be a known operator"))
    });
    violations.collect(&operator_path, operator).map(|operator| (operator, value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use contact_hub_domain::violations::Violations;

    use super::{Query, read};

    fn validated(raw: &str) -> Result<String, Vec<String>> {
        let mut violations = Violations::default();
        let (conditions, _of_fields) = read(Query::parse(raw), &mut violations);
        if violations.is_empty() {
            return Ok(format!("{conditions:?}"));
        }
        Err(violations.iter().map(|(path, _)| path.to_owned()).collect())
    }

    #[test]
    fn every_syntax_gives_the_same_condition() {
        for (one, other) in [
            ("filter[email]=A@b.c", "filter[email][operator]=eq&filter[email][value]=a@b.c"),
            ("filter[email]=a", "filter%5Bemail%5D%5B=%5D=a"),
            (
                "filter[last_name][startsWith]=An",
                "filter[last_name][value]=an&filter[last_name][operator]=startsWith",
            ),
            ("filter[last_name][>]=b", "filter[last_name][gt]=b"),
            ("filter[last_name][!=]=b", "filter[last_name][ne]=B"),
            (
                "filter[last_name][between]=Adams,Baker",
                "filter[last_name][between][]=Adams&filter[last_name][between][]=Baker",
            ),
            (
                "filter[created_at][between]=2026-11-20,",
                "filter[created_at][between][]=2026-11-20&filter[created_at][between][]=",
            ),
            (
                "filter[last_name][between]=a%5C,b,c",
                "filter[last_name][operator]=between&filter[last_name][value][]=a,b&filter[last_name][value][]=c",
            ),
        ] {
            assert_eq!(validated(one).expect(one), validated(other).expect(other), "{one}");
        }
    }

    #[test]
    fn errors_name_the_path_of_the_parameter() {
        for (raw, path) in [
            ("filter=x", "filter"),
            ("filter[]=x", "filter"),
            ("filter[email=x", "filter"),
            ("filter[foo]=x", "filter.foo"),
            ("filter[email][foo]=x", "filter.email.foo"),
            ("filter[email]=", "filter.email"),
            ("filter[email][contains]=", "filter.email.contains"),
            ("filter[email]=a&filter[email]=b", "filter.email"),
            ("filter[email][gt]=a&filter[email][>]=b", "filter.email.>"),
            ("filter[email][operator]=eq", "filter.email.operator"),
            ("filter[email][value]=x", "filter.email.value"),
            ("filter[email][operator]=like&filter[email][value]=x", "filter.email.operator"),
            ("filter[email][operator]=eq&filter[email][value]=", "filter.email.value"),
            ("filter[email]=a&filter[email][operator]=ne&filter[email][value]=b", "filter.email"),
            ("filter[email][between]=a", "filter.email.between"),
            ("filter[email][between]=a,", "filter.email.between"),
            ("filter[email][between][]=a&filter[email][between][]=", "filter.email.between"),
            (
                "filter[created_at][between][]=&filter[created_at][between][]=",
                "filter.created_at.between",
            ),
            ("filter[email][contains][]=a&filter[email][contains][]=b", "filter.email.contains"),
            ("filter[created_at]=2026-11-20", "filter.created_at"),
            ("filter[created_at][contains]=2026", "filter.created_at.contains"),
            ("filter[created_at][gt]=yesterday", "filter.created_at.gt"),
            ("filter[created_at][between]=,", "filter.created_at.between"),
            ("filter[email]=%ff", "filter.email"),
        ] {
            assert_eq!(validated(raw), Err(vec![path.to_owned()]), "{raw}");
        }
        let long = format!("filter[email][contains]={}", "x".repeat(257));
        assert_eq!(validated(&long), Err(vec!["filter.email.contains".to_owned()]));
    }

    #[test]
    fn accepts_sixteen_conditions() {
        let names = ["eq", "ne", "startsWith", "contains", "notContains", "gt", "lt"];
        let short = |field: &str| names.map(|name| format!("filter[{field}][{name}]=x")).join("&");
        let fourteen = format!("{}&{}", short("email"), short("first_name"));
        let sixteen = format!("{fourteen}&filter[last_name]=x&filter[last_name][ne]=y");
        assert!(validated(&sixteen).is_ok());
        let more = format!("{sixteen}&filter[last_name][gt]=z");
        assert_eq!(validated(&more), Err(vec!["filter".to_owned()]));
    }

    proptest! {
        #[test]
        fn any_query_is_accepted_or_rejected(raw in "(filter(\\[|%5B)?[a-z_]{0,10}\\]?(\\[[a-zA-Z<>=!]{0,8}\\])?=?[^&]{0,6}&?){0,6}") {
            let _judged = validated(&raw);
        }
    }
}
