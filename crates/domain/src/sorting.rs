//! The rules for the sort keys of any list.

use crate::violations::{Problem, Violations};

/// The name of the sort keys in violations.
pub const SORT: &str = "sort";

/// Takes at most `max` keys, each with whether it is descending, and each once. A violation has the path `sort.N`,
/// where N is the key's position; too many keys have the path `sort`.
pub fn each_once<K: Clone + PartialEq>(
    keys: Vec<Result<(K, bool), Problem>>,
    max: usize,
    violations: &mut Violations,
) -> Vec<(K, bool)> {
    if keys.len() > max {
        violations.add_once(SORT, Problem::new(format!("must have at most {max} keys")));
    }
    let mut sorts: Vec<(K, bool)> = Vec::new();
    for (place, key) in keys.into_iter().enumerate() {
        let fresh = key.and_then(|(key, descending)| {
            if sorts.iter().any(|(known, _)| *known == key) {
                return Err(Problem::new("must not be given twice"));
            }
            Ok((key, descending))
        });
        sorts.extend(violations.collect(&format!("{SORT}.{place}"), fresh));
    }
    sorts
}
