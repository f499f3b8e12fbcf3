//! Permissions by groups at the provider.

use crate::access::Permissions;

/// The maximum number of groups of a provider that have permissions.
pub const MAX_GROUPS: usize = 50;

/// Which permissions the members of groups have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupPermissions {
    /// The name of the claim with the person's groups.
    pub claim: String,
    /// The groups with their permissions.
    pub groups: Vec<(String, Permissions)>,
}

impl GroupPermissions {
    /// The permissions of a person in these groups: every permission that one of the groups has. Other groups grant
    /// nothing.
    #[must_use]
    pub fn of(&self, groups: &[String]) -> Permissions {
        let given = self.groups.iter().filter(|(group, _)| groups.contains(group));
        given.flat_map(|(_, permissions)| permissions.iter()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::GroupPermissions;
    use crate::access::{Permission, Permissions};

    #[test]
    fn permissions_of_groups_are_combined_and_unknown_groups_are_ignored() {
        let only = |permission| -> Permissions { [permission].into_iter().collect() };
        let groups = vec![
            ("editors".to_owned(), only(Permission::Publish)),
            ("readers".to_owned(), only(Permission::ContactsApi)),
        ];
        let mapping = GroupPermissions { claim: "groups".to_owned(), groups };
        let of = |groups: &[&str]| {
            mapping.of(&groups.iter().map(|group| (*group).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of(&["editors"]), only(Permission::Publish));
        let both = [Permission::ContactsApi, Permission::Publish].into_iter().collect();
        assert_eq!(of(&["readers", "x", "editors"]), both);
        for nothing in [vec![], vec!["Editors"], vec!["x"]] {
            assert_eq!(of(&nothing), Permissions::default());
        }
    }
}
