//! The range in which the kept counts have the values that a condition is about.

use std::ops::Bound;

use contact_hub_domain::contacts::ValueTest;
use contact_hub_domain::fields::FieldType;

use crate::counts::KeyRange;

/// The sort keys of the values that pass a test, or that are there. Their counts are kept by [`sort_key`], which for a
/// text continues after the folded form: with a zero byte, which no text has, and the text.
///
/// [`sort_key`]: contact_hub_domain::fields::FieldValue::sort_key
pub(super) fn key_range(kind: FieldType, test: &ValueTest) -> Option<KeyRange> {
    let edge = |key: &[u8], is_behind: bool| {
        let mut edge = key.to_vec();
        match kind {
            FieldType::String => edge.push(u8::from(is_behind)),
            _ if is_behind => edge.push(0),
            _ => {}
        }
        edge
    };
    match test {
        ValueTest::Exists(_) => Some(KeyRange::all()),
        ValueTest::Contains(_) => None,
        ValueTest::Within(from, to) => {
            let from = match from {
                Bound::Included(key) => edge(key, false),
                Bound::Excluded(key) => edge(key, true),
                Bound::Unbounded => Vec::new(),
            };
            let to = match to {
                Bound::Included(key) => Some(edge(key, true)),
                Bound::Excluded(key) => Some(edge(key, false)),
                Bound::Unbounded => None,
            };
            KeyRange::new(from, to)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeBounds as _;

    use contact_hub_domain::fields::FieldValue;

    use super::*;

    /// Texts, some of which sort after others or begin with them.
    const TEXTS: [&str; 9] = ["", "\u{1}", "\u{1}a", "a", "a\u{1}", "ab", "Ab", "b", "ß"];

    #[test]
    fn the_stored_key_of_a_text_is_in_the_range_if_the_text_matches() {
        let bounds = TEXTS.iter().flat_map(|text| {
            let key = FieldValue::String((*text).into()).list_key();
            [Bound::Included(key.clone()), Bound::Excluded(key)]
        });
        let bounds: Vec<_> = bounds.chain([Bound::Unbounded]).collect();
        for from in &bounds {
            for to in &bounds {
                let test = ValueTest::Within(from.clone(), to.clone());
                let range = key_range(FieldType::String, &test).expect("a range");
                for text in TEXTS {
                    let value = FieldValue::String(text.into());
                    let passes = (from.clone(), to.clone()).contains(&value.list_key());
                    assert_eq!(range.has(&value.sort_key()), passes, "{text:?} {test:?}");
                }
            }
        }
    }

    #[test]
    fn a_truncated_key_has_no_range() {
        let within = |length: usize| {
            ValueTest::Within(Bound::Included(vec![b'a'; length]), Bound::Unbounded)
        };
        assert!(key_range(FieldType::String, &within(511)).is_some());
        assert!(key_range(FieldType::String, &within(512)).is_none());
        assert!(key_range(FieldType::Number, &within(512)).is_some());
        assert!(key_range(FieldType::Number, &within(513)).is_none());
    }
}
