//! The sort keys of any list: `sort[]=last_name&sort[]=-created_at`, `sort[0]=…`, or a bare `sort=…`.

use contact_hub_domain::sorting::{SORT, each_once};
use contact_hub_domain::violations::{Problem, Violations};

use super::{Listed, Query};

/// The keys in their order, each with whether it is descending. `key` finds a key by its name; `names` are the names
/// for people, as in `a or b`.
pub(crate) fn sorts<K: Clone + PartialEq>(
    query: Query<'_>,
    max: usize,
    key: fn(&str) -> Option<K>,
    names: &str,
    violations: &mut Violations,
) -> Vec<(K, bool)> {
    let values = values(query, violations).into_iter();
    let keys = values.map(|value| directed(&value?, key, names));
    each_once(keys.collect(), max, violations)
}

fn values(query: Query<'_>, violations: &mut Violations) -> Vec<Result<String, Problem>> {
    let mut values = Listed::default();
    for parameter in query.named(SORT) {
        match parameter.segments().as_deref() {
            Some([]) => values.push("", parameter.value()),
            Some([index]) if Listed::<()>::is_index(index) => {
                values.push(index, parameter.value());
            }
            _ => {
                violations.add_once(&parameter.path(), Problem::new("must be written as sort[]"));
            }
        }
    }
    values.into_items()
}

fn directed<K>(value: &str, key: fn(&str) -> Option<K>, names: &str) -> Result<(K, bool), Problem> {
    let (name, descending) = match value.strip_prefix('-') {
        Some(name) => (name, true),
        None => (value, false),
    };
    let key = key(name).ok_or_else(|| {
        Problem::new(format!("must be {names}, with a leading - for descending order"))
    })?;
    Ok((key, descending))
}
