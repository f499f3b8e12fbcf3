//! Several ranges of the values of one field as one condition: as `gt` and `lt` of a number, which are then one range of the
//! index of values, and have a kept count.

use std::ops::Bound;

use contact_hub_domain::contacts::{Condition, ListQuery, ValueTest};
use contact_hub_domain::ids::FieldId;

/// A range of the keys of values.
type Keys = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// The same query, with at most one range for each field.
pub(super) fn with_merged_ranges(query: ListQuery) -> ListQuery {
    let mut conditions = Vec::with_capacity(query.conditions.len());
    for condition in query.conditions {
        let Condition::Value { field, test: ValueTest::Within(from, to) } = condition else {
            conditions.push(condition);
            continue;
        };
        match conditions.iter_mut().find_map(|earlier| range_of(earlier, field)) {
            Some(test) => narrow(test, (from, to)),
            None => conditions.push(Condition::Value { field, test: ValueTest::Within(from, to) }),
        }
    }
    ListQuery { conditions, ..query }
}

/// The test of a condition that is a range of a field.
fn range_of(condition: &mut Condition, of: FieldId) -> Option<&mut ValueTest> {
    match condition {
        Condition::Value { field, test } if *field == of => {
            matches!(test, ValueTest::Within(..)).then_some(test)
        }
        _ => None,
    }
}

fn narrow(test: &mut ValueTest, (from, to): Keys) {
    if let ValueTest::Within(earlier_from, earlier_to) = test {
        if is_beyond(&from, earlier_from, false) {
            *earlier_from = from;
        }
        if is_beyond(&to, earlier_to, true) {
            *earlier_to = to;
        }
    }
}

/// Whether a bound excludes more than another: it is higher, or lower for the end of a range.
fn is_beyond(bound: &Bound<Vec<u8>>, other: &Bound<Vec<u8>>, is_end: bool) -> bool {
    match (key_of(bound), key_of(other)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some((key, is_excluded)), Some((other, _))) if key == other => is_excluded,
        (Some((key, _)), Some((other, _))) => (key < other) == is_end,
    }
}

/// The key of a bound, and whether it is excluded itself.
fn key_of(bound: &Bound<Vec<u8>>) -> Option<(&[u8], bool)> {
    match bound {
        Bound::Included(key) => Some((key, false)),
        Bound::Excluded(key) => Some((key, true)),
        Bound::Unbounded => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds as _;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn bound() -> impl Strategy<Value = Bound<Vec<u8>>> {
        prop_oneof![
            Just(Bound::Unbounded),
            (0_u8..5).prop_map(|key| Bound::Included(vec![key])),
            (0_u8..5).prop_map(|key| Bound::Excluded(vec![key])),
        ]
    }

    proptest! {
        #[test]
        fn a_key_is_in_the_merged_range_if_it_is_in_all(
            ranges in prop::collection::vec((bound(), bound()), 1..4),
        ) {
            let field = FieldId::new(Uuid::nil());
            let conditions = ranges.iter().cloned().map(|(from, to)| Condition::Value {
                field,
                test: ValueTest::Within(from, to),
            });
            let query = ListQuery { conditions: conditions.collect(), ..ListQuery::default() };
            let merged = with_merged_ranges(query).conditions;
            let [Condition::Value { test: ValueTest::Within(from, to), .. }] = &merged[..] else {
                return Err(TestCaseError::fail(format!("{merged:?}")));
            };
            for key in 0..5 {
                let key = vec![key];
                let is_in_all = ranges.iter().all(|range| range.contains(&key));
                prop_assert_eq!((from.clone(), to.clone()).contains(&key), is_in_all);
            }
        }
    }

    #[test]
    fn other_conditions_and_other_fields_stay() {
        let value =
            |field, test| Condition::Value { field: FieldId::new(Uuid::from_u128(field)), test };
        let range = || ValueTest::Within(Bound::Included(vec![1]), Bound::Unbounded);
        let conditions =
            vec![value(1, range()), value(2, range()), value(1, ValueTest::Exists(false))];
        let query = ListQuery { conditions: conditions.clone(), ..ListQuery::default() };
        assert_eq!(with_merged_ranges(query).conditions, conditions);
    }
}
