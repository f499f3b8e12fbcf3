//! The sections of the interfaces: where their paths begin, what their callers need, and their tags in the document.

use contact_hub_domain::access::Need::{self, Account, Product};
use contact_hub_domain::access::Permission::{
    ContactsApi, DownloadEmail, ManageAccess, ManageIntegrations,
};
use contact_hub_domain::sync::PUBLISHED_BASE;

/// Where the contacts interface begins.
pub(crate) const CONTACTS_BASE: &str = "/api/public/v1";

/// Where the management interface begins.
pub(crate) const MANAGE_BASE: &str = "/api/manage/v1";

/// Operations on one kind of resource.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    /// The tag of its operations.
    pub(crate) name: &'static str,
    /// Where its paths begin.
    pub(crate) base: &'static str,
    /// What callers need, unless an operation names another permission.
    pub(crate) need: Need,
    about: &'static str,
    exception: &'static str,
}

impl Section {
    const fn new(name: &'static str, base: &'static str, need: Need, about: &'static str) -> Self {
        Self { name, base, need, about, exception: "" }
    }

    const fn except(mut self, exception: &'static str) -> Self {
        self.exception = exception;
        self
    }

    /// The description of the tag in the document.
    pub(crate) fn description(self) -> String {
        let (Product(permission) | Account(permission)) = self.need;
        format!("{}; permission `{}`{}", self.about, permission.as_str(), self.exception)
    }
}

pub(crate) const CONTACTS: Section = Section::new(
    "contacts",
    CONTACTS_BASE,
    Product(ContactsApi),
    "Contacts and their field values",
);

pub(crate) const FIELDS: Section =
    Section::new("fields", CONTACTS_BASE, Product(ContactsApi), "Fields and the values in use");

pub(crate) const ASSETS: Section =
    Section::new("assets", MANAGE_BASE, Product(ManageIntegrations), "Assets and their syncs")
        .except(", and `publish` to request a sync");

pub(crate) const INTEGRATIONS: Section = Section::new(
    "integrations",
    MANAGE_BASE,
    Product(ManageIntegrations),
    "Connections to custom platforms",
);

pub(crate) const WEBHOOKS: Section =
    Section::new("webhooks", MANAGE_BASE, Product(ManageIntegrations), "Where events are sent");

pub(crate) const DELIVERIES: Section = Section::new(
    "deliveries",
    MANAGE_BASE,
    Product(ManageIntegrations),
    "What became of each event that was sent",
);

pub(crate) const USERS: Section =
    Section::new("users", MANAGE_BASE, Product(ManageAccess), "Who may do what");

pub(crate) const API_KEYS: Section =
    Section::new("api keys", MANAGE_BASE, Product(ManageAccess), "The keys of a user");

pub(crate) const COMPANY: Section =
    Section::new("company", MANAGE_BASE, Account(ManageAccess), "The account")
        .except(", even without the product access");

pub(crate) const CHANGES: Section = Section::new(
    "changes",
    MANAGE_BASE,
    Product(ContactsApi),
    "What changed, in an order that can be followed",
);

pub(crate) const AUDIT: Section =
    Section::new("audit", MANAGE_BASE, Account(ManageAccess), "Who did what")
        .except(", even without the product access");

pub(crate) const PEOPLE: Section =
    Section::new("people", MANAGE_BASE, Product(ContactsApi), "The rights of a person");

pub(crate) const CUSTOM_PLATFORM: Section = Section::new(
    "custom platform",
    PUBLISHED_BASE,
    Product(DownloadEmail),
    "What a custom platform's service calls",
);

/// Every section, in the order of the document.
pub(crate) const SECTIONS: [Section; 13] = [
    CONTACTS,
    FIELDS,
    ASSETS,
    INTEGRATIONS,
    WEBHOOKS,
    DELIVERIES,
    USERS,
    API_KEYS,
    COMPANY,
    CHANGES,
    AUDIT,
    PEOPLE,
    CUSTOM_PLATFORM,
];
