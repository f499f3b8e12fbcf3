//! A list in several parameters: `key[]=a&key[]=b`, or with indices, `key[1]=b&key[0]=a`.

use super::parameter::integer;

/// Gathers the items of such a list. Indices only determine the order; they may start anywhere and have gaps. The index
/// of an item without one is the number of items before it. Items with equal indices keep their order.
#[derive(Clone, Debug)]
pub(crate) struct Listed<T>(Vec<(u64, T)>);

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Listed<T> {
    /// Whether the text in brackets is that of a list's item.
    pub(crate) fn is_index(segment: &str) -> bool {
        segment.is_empty() || integer(segment).is_some()
    }

    /// Adds an item with the content of its brackets.
    pub(crate) fn push(&mut self, segment: &str, item: T) {
        let next = u64::try_from(self.0.len()).unwrap_or(u64::MAX);
        self.0.push((integer(segment).unwrap_or(next), item));
    }

    /// The items in their order.
    pub(crate) fn into_items(mut self) -> Vec<T> {
        self.0.sort_by_key(|(index, _)| *index);
        self.0.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Listed;

    #[test]
    fn indices_order_the_items() {
        let items = |sent: &[(&str, char)]| {
            let mut list = Listed::default();
            for (segment, item) in sent {
                list.push(segment, *item);
            }
            list.into_items()
        };
        assert_eq!(items(&[("", 'a'), ("", 'b')]), ['a', 'b']);
        assert_eq!(items(&[("1", 'b'), ("0", 'a')]), ['a', 'b']);
        assert_eq!(items(&[("7", 'b'), ("", 'a'), ("7", 'c')]), ['a', 'b', 'c']);
        assert!(Listed::<char>::is_index("007") && !Listed::<char>::is_index("x"));
    }
}
