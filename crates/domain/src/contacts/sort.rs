//! The order of a list of contacts.

use strum::{EnumCount, IntoStaticStr, VariantArray};

/// The most keys that a list is sorted by.
pub const MAX_SORTS: usize = 4;

/// The keys by which contacts can be sorted. Text is sorted by its folded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SortKey {
    /// The address.
    Email,
    /// The first name.
    FirstName,
    /// The last name.
    LastName,
    /// When the contact was first created.
    CreatedAt,
}

/// A key with its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The key.
    pub key: SortKey,
    /// Largest first.
    pub descending: bool,
}

/// One to [`MAX_SORTS`] distinct keys, followed by the id in the direction of the last key, so that the order is total.
/// By default the oldest contact is first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorts(Vec<Sort>);

impl Default for Sorts {
    fn default() -> Self {
        Self(vec![Sort { key: SortKey::CreatedAt, descending: false }])
    }
}

impl Sorts {
    /// Takes keys; `None` when there are none, too many, or one twice.
    #[must_use]
    pub fn new(sorts: Vec<Sort>) -> Option<Self> {
        let each_once = SortKey::ALL
            .into_iter()
            .all(|key| sorts.iter().filter(|sort| sort.key == key).count() <= 1);
        (!sorts.is_empty() && each_once).then_some(Self(sorts))
    }

    /// The keys, the most important first.
    #[must_use]
    pub fn keys(&self) -> &[Sort] {
        &self.0
    }

    /// Whether contacts with equal keys are ordered by descending id.
    #[must_use]
    pub fn id_descending(&self) -> bool {
        self.0.last().is_some_and(|sort| sort.descending)
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, SortKey, Sorts};

    #[test]
    fn ties_follow_the_last_key() {
        let sort = |key, descending| Sort { key, descending };
        let sorts = Sorts::new(vec![sort(SortKey::Email, false), sort(SortKey::CreatedAt, true)]);
        assert!(sorts.expect("valid").id_descending());
        assert!(!Sorts::default().id_descending());
        assert_eq!(Sorts::new(Vec::new()), None);
        assert_eq!(Sorts::new(vec![sort(SortKey::Email, true); 2]), None);
    }
}
