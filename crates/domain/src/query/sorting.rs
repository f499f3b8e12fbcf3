//! The sort keys of any list: `sort[]=last_name&sort[]=-created_at`, `sort[0]=…`, or a bare `sort=…`.

use super::{Listed, Query, refuse};
use crate::violations::{Problem, Violations};

const NAME: &str = "sort";

/// The sort keys of a list.
pub(crate) struct SortRules<K> {
    /// The maximum number of keys.
    pub(crate) max: usize,
    /// The keys by name.
    pub(crate) read: fn(&str) -> Option<K>,
    /// The names for people, as in `a or b`.
    pub(crate) names: &'static str,
}

/// The keys in their order, each with whether it is descending. A violation has the path `sort.N`, where N is the key's
/// position; too many keys have the path `sort`.
pub(crate) fn sorts<K: Copy + PartialEq>(
    query: Query<'_>,
    rules: &SortRules<K>,
    violations: &mut Violations,
) -> Vec<(K, bool)> {
    let values = values(query, violations);
    if values.len() > rules.max {
        let sentence = format!("must have at most {} keys", rules.max);
        refuse(violations, NAME, Problem::new(sentence));
    }
    let mut sorts: Vec<(K, bool)> = Vec::new();
    for (place, value) in values.into_iter().enumerate() {
        let key = value.and_then(|value| key(&value, rules));
        let fresh = key.and_then(|(key, descending)| {
            if sorts.iter().any(|(known, _)| *known == key) {
                return Err(Problem::new("must not be given twice"));
            }
            Ok((key, descending))
        });
        sorts.extend(violations.collect(&format!("{NAME}.{place}"), fresh));
    }
    sorts
}

fn values(query: Query<'_>, violations: &mut Violations) -> Vec<Result<String, Problem>> {
    let mut values = Listed::default();
    for parameter in query.named(NAME) {
        match parameter.segments().as_deref() {
            Some([]) => values.push("", parameter.value()),
            Some([index]) if Listed::<()>::is_index(index) => {
                values.push(index, parameter.value());
            }
            _ => {
                let problem = Problem::new("must be written as sort[]");
                refuse(violations, &parameter.path(), problem);
            }
        }
    }
    values.into_items()
}

fn key<K>(value: &str, rules: &SortRules<K>) -> Result<(K, bool), Problem> {
    let (name, descending) = match value.strip_prefix('-') {
        Some(name) => (name, true),
        None => (value, false),
    };
    let key = (rules.read)(name).ok_or_else(|| {
        let names = rules.names;
        Problem::new(format!("must be {names}, with a leading - for descending order"))
    })?;
    Ok((key, descending))
}
