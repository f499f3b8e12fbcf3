//! What all pages share: title, navigation, the person, the token of forms, and a notice.

use contact_hub_domain::access::Permission::{
    self, ContactsApi, ManageAccess, ManageIntegrations, Publish,
};

use super::caller::{PageCaller, Person};
use super::files::VERSION;

/// The entries of the navigation, each with the permissions of which one opens it; none open it for everyone.
const SECTIONS: [(Section, &str, &str, &[Permission]); 8] = [
    (Section::Contacts, "Contacts", "/contacts", &[ContactsApi]),
    (Section::Fields, "Fields", "/fields", &[ContactsApi]),
    (Section::Assets, "Assets", "/assets", &[ManageIntegrations, Publish]),
    (Section::Webhooks, "Webhooks", "/admin/integrations/webhooks", &[ManageIntegrations]),
    (Section::Platforms, "Platforms", "/admin/integrations/platforms", &[ManageIntegrations]),
    (Section::Company, "Company", "/admin/company", &[ManageAccess]),
    (Section::ApiAccess, "API access", "/account/api-access", &[]),
    (Section::Account, "Account", "/account", &[]),
];

/// Where a page belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Contacts.
    Contacts,
    /// Fields.
    Fields,
    /// Assets.
    Assets,
    /// Admin, webhooks.
    Webhooks,
    /// Admin, platforms.
    Platforms,
    /// Admin, company.
    Company,
    /// Own keys.
    ApiAccess,
    /// Own password and sessions.
    Account,
}

/// An entry of the navigation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Its text.
    pub(crate) label: &'static str,
    /// Where it leads.
    pub(crate) href: &'static str,
    /// Whether the page belongs to it.
    pub(crate) is_current: bool,
    /// Whether a group begins with it.
    pub(crate) begins_group: bool,
}

/// What the template of every page draws around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The title.
    pub(crate) title: String,
    /// The navigation; none before signing in.
    pub(crate) entries: Vec<Entry>,
    /// The email of the person; none before signing in.
    pub(crate) person: Option<String>,
    /// The company's name; empty before signing in.
    pub(crate) company: String,
    /// What every form carries.
    pub(crate) csrf: String,
    /// What was done just before.
    pub(crate) notice: Option<&'static str>,
}

impl Frame {
    /// A page for someone who is not signed in.
    pub(crate) fn bare(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A page for a person.
    pub(crate) fn of(person: &Person, section: Option<Section>, title: &str) -> Self {
        let permitted = SECTIONS.into_iter().filter(|(_, _, _, permissions)| {
            let is_managers = *permissions == [ManageAccess];
            permissions.is_empty()
                || person.may_any(permissions)
                || (is_managers && person.manages_access())
        });
        let entries = permitted.map(|(it, label, href, _)| Entry {
            label,
            href,
            is_current: section == Some(it),
            begins_group: matches!(it, Section::Webhooks | Section::Company | Section::ApiAccess),
        });
        Self {
            title: title.to_owned(),
            entries: entries.collect(),
            person: Some(person.holder.email.as_str().to_owned()),
            company: person.holder.company_name.as_str().to_owned(),
            csrf: person.csrf.clone(),
            notice: person.notice,
        }
    }

    /// What the addresses of our files end with.
    #[expect(clippy::unused_self, reason = "templates reach it through the frame")]
    pub(crate) fn version(&self) -> &'static str {
        VERSION.as_str()
    }
}

impl PageCaller {
    /// What is drawn around a page.
    pub(crate) fn frame(&self, section: Section, title: &str) -> Frame {
        Frame::of(&self.who, Some(section), title)
    }
}
