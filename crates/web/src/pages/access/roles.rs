//! Roles: presets of permissions to choose from. Only the permissions are stored.

use contact_hub_domain::access::Permission::{
    self, ContactsApi, DownloadEmail, ManageAccess, ManageIntegrations, Publish,
};
use contact_hub_domain::access::Permissions;

/// Permissions that do not make a role.
pub(super) const OWN_CHOICE: &str = "own";

/// The role of the service of a platform.
pub(super) const SYNC_SERVICE: &str = "sync-service";

/// A preset.
pub(super) struct Role {
    /// In forms.
    pub(super) word: &'static str,
    /// For people.
    pub(super) label: &'static str,
    permissions: &'static [Permission],
}

/// Every preset.
pub(super) const ROLES: [Role; 5] = [
    Role { word: "owner", label: "Owner: everything", permissions: &Permission::ALL },
    Role {
        word: "editor",
        label: "Editor: contacts, and publishing assets",
        permissions: &[ContactsApi, Publish],
    },
    Role {
        word: "integrator",
        label: "Integrator: assets, platforms and webhooks",
        permissions: &[DownloadEmail, ManageIntegrations, Publish],
    },
    Role {
        word: "service",
        label: "API service: contacts, asset content and sync status",
        permissions: &[ContactsApi, DownloadEmail],
    },
    Role {
        word: SYNC_SERVICE,
        label: "Sync service: asset content and sync status",
        permissions: &[DownloadEmail],
    },
];

/// The role of these permissions.
pub(super) fn role_of(permissions: Permissions) -> &'static str {
    let found = ROLES.iter().find(|role| permissions_of(role) == permissions);
    found.map_or(OWN_CHOICE, |role| role.word)
}

/// The permissions of the role of this name.
pub(super) fn preset(word: &str) -> Option<Permissions> {
    ROLES.iter().find(|role| role.word == word).map(permissions_of)
}

fn permissions_of(role: &Role) -> Permissions {
    role.permissions.iter().copied().collect()
}

/// What these permissions allow, for people: the role, or each permission.
pub(super) fn allowed(permissions: Permissions) -> String {
    let role = ROLES.iter().find(|role| permissions_of(role) == permissions);
    match role {
        Some(role) => role.label.to_owned(),
        None if permissions.iter().next().is_none() => "Nothing".to_owned(),
        None => permissions.iter().map(label).collect::<Vec<_>>().join("; "),
    }
}

/// The same without what each means, such as `Owner`.
pub(super) fn named(permissions: Permissions) -> String {
    let allowed = allowed(permissions);
    let names = allowed.split("; ").filter_map(|label| label.split(':').next());
    names.collect::<Vec<_>>().join(", ")
}

/// The label of a permission.
pub(super) const fn label(permission: Permission) -> &'static str {
    match permission {
        ContactsApi => "Contacts: see and change contacts and fields",
        DownloadEmail => "Download Email: fetch the content of assets and report syncs, by key",
        ManageIntegrations => "Integrations: assets, platforms and webhooks",
        Publish => "Publish: request syncs of assets",
        ManageAccess => "Access: users, keys and the company",
    }
}

#[cfg(test)]
mod tests {
    use super::{
        OWN_CHOICE, Permission, Permissions, ROLES, allowed, named, permissions_of, preset, role_of,
    };

    #[test]
    fn each_role_is_recognised_by_its_permissions() {
        for role in &ROLES {
            assert_eq!(role_of(permissions_of(role)), role.word);
            assert_eq!(preset(role.word), Some(permissions_of(role)));
        }
        assert_eq!(role_of(Permissions::default()), OWN_CHOICE);
        assert_eq!(preset(OWN_CHOICE), None);
        assert_eq!(allowed(Permissions::default()), "Nothing");
        assert_eq!(named(Permission::ALL.into_iter().collect()), "Owner");
        let two = [Permission::ContactsApi, Permission::ManageAccess];
        assert_eq!(named(two.into_iter().collect()), "Contacts, Access");
    }
}
