//! The order of a list of contacts.

use strum::{EnumCount, IntoStaticStr, VariantArray};

use crate::query::{Query, SortRules, sorts};
use crate::violations::Violations;

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

    /// Reads the sort parameters. Without them the default applies.
    pub fn read(query: Query<'_>, violations: &mut Violations) -> Self {
        let rules = SortRules {
            max: MAX_SORTS,
            read: SortKey::parse,
            names: "email, first_name, last_name or created_at",
        };
        let keys = sorts(query, &rules, violations).into_iter();
        let sorts = keys.map(|(key, descending)| Sort { key, descending });
        Self::new(sorts.collect()).unwrap_or_default()
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
    use crate::query::Query;
    use crate::violations::Violations;

    fn read(raw: &str) -> Result<Vec<(&'static str, bool)>, Vec<String>> {
        let mut violations = Violations::default();
        let sorts = Sorts::read(Query::parse(raw), &mut violations);
        if violations.is_empty() {
            let keys = sorts.keys().iter();
            return Ok(keys.map(|it| (it.key.as_str(), it.descending)).collect());
        }
        Err(violations.iter().map(|(path, _)| path.to_owned()).collect())
    }

    #[test]
    fn takes_every_spelling_of_the_list() {
        let expected = [("last_name", false), ("created_at", true)];
        for raw in [
            "sort[]=last_name&sort[]=-created_at",
            "sort%5B%5D=last_name&sort%5b%5d=%2Dcreated_at",
            "sort=last_name&sort=-created_at",
            "sort[0]=last_name&sort[1]=-created_at",
            "sort[1]=-created_at&sort[0]=last_name",
            "sort=last_name&sort[9]=-created_at&sorting=x",
        ] {
            assert_eq!(read(raw).as_deref(), Ok(&expected[..]), "{raw}");
        }
        assert_eq!(read("").as_deref(), Ok(&[("created_at", false)][..]));
    }

    #[test]
    fn refuses_by_place() {
        for (raw, paths) in [
            ("sort=", vec!["sort.0"]),
            ("sort[]=email&sort[]=-email", vec!["sort.1"]),
            ("sort=Email&sort[]=name&sort[]=email", vec!["sort.0", "sort.1"]),
            ("sort=--email", vec!["sort.0"]),
            ("sort=email,last_name", vec!["sort.0"]),
            ("sort=%ff", vec!["sort.0"]),
            ("sort[email]=-", vec!["sort.email"]),
            ("sort[0][x]=email", vec!["sort.0.x"]),
            ("sort[=email", vec!["sort"]),
            (
                "sort=email&sort=first_name&sort=last_name&sort=created_at&sort=id",
                vec!["sort", "sort.4"],
            ),
        ] {
            let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            assert_eq!(read(raw), Err(paths), "{raw}");
        }
    }

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
