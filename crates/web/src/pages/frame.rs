//! What all pages share: title, navigation, the person, the token of forms, and a notice.

use contact_hub_domain::access::Permission::{
    self, ContactsApi, ManageAccess, ManageIntegrations, Publish,
};

use super::caller::{PageCaller, Person};
use super::files::VERSION;
use super::notice::ShownNotice;

/// An entry of the navigation, with those below it. Without a permission it is open to everyone; one with entries below
/// it is shown when one of them is.
struct Place {
    section: Section,
    label: &'static str,
    href: &'static str,
    permissions: &'static [Permission],
    below: &'static [Self],
}

const fn place(
    section: Section,
    label: &'static str,
    href: &'static str,
    permissions: &'static [Permission],
) -> Place {
    Place { section, label, href, permissions, below: &[] }
}

const fn group(
    section: Section,
    label: &'static str,
    href: &'static str,
    below: &'static [Place],
) -> Place {
    Place { section, label, href, permissions: &[], below }
}

const PLACES: [Place; 8] = [
    place(Section::Overview, "Overview", "/", &[ContactsApi, ManageIntegrations, Publish]),
    place(Section::Contacts, "Contacts", "/contacts", &[ContactsApi]),
    place(Section::Fields, "Fields", "/fields", &[ContactsApi]),
    place(Section::Assets, "Assets", "/assets", &[ManageIntegrations, Publish]),
    group(Section::Admin, "Admin", "/admin", &ADMIN),
    place(Section::ApiAccess, "API access", "/account/api-access", &[]),
    place(Section::Docs, "API reference", "/docs", &[]),
    place(Section::Account, "Account", "/account", &[]),
];

const ADMIN: [Place; 2] = [
    group(Section::Integrations, "Integrations", "/admin/integrations", &INTEGRATIONS),
    place(Section::Company, "Company", "/admin/company", &[ManageAccess]),
];

const INTEGRATIONS: [Place; 2] = [
    place(Section::Webhooks, "Webhooks", "/admin/integrations/webhooks", &[ManageIntegrations]),
    place(Section::Platforms, "Platforms", "/admin/integrations/platforms", &[ManageIntegrations]),
];

/// The entries that a person may open.
fn entries(places: &[Place], person: &Person, current: Option<Section>) -> Vec<Entry> {
    let entry = |place: &Place| {
        let below = entries(place.below, person, current);
        let is_shown =
            if place.below.is_empty() { place.is_open_to(person) } else { !below.is_empty() };
        is_shown.then(|| Entry {
            section: place.section,
            label: place.label,
            href: place.href,
            is_current: current == Some(place.section),
            begins_group: matches!(place.section, Section::Admin | Section::ApiAccess),
            below,
        })
    };
    places.iter().filter_map(entry).collect()
}

impl Place {
    fn is_open_to(&self, person: &Person) -> bool {
        let is_managers = *self.permissions == [ManageAccess];
        self.permissions.is_empty()
            || person.may_any(self.permissions)
            || (is_managers && person.manages_access())
    }
}

impl Entry {
    /// A sentence about the pages that it leads to, for the pages of Admin.
    pub(crate) const fn about(&self) -> &'static str {
        match self.section {
            Section::Integrations => "How assets reach your platforms, and events your services.",
            Section::Webhooks => "Where events are sent, and each delivery with its attempts.",
            Section::Platforms => "The platforms to which assets are published.",
            Section::Company => "Name, allowed domains, users and their keys.",
            _ => "",
        }
    }
}

/// Where a page belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// The first page.
    Overview,
    /// Contacts.
    Contacts,
    /// Fields.
    Fields,
    /// Assets.
    Assets,
    /// Admin.
    Admin,
    /// Admin, integrations.
    Integrations,
    /// Admin, webhooks.
    Webhooks,
    /// Admin, platforms.
    Platforms,
    /// Admin, company.
    Company,
    /// Own keys.
    ApiAccess,
    /// Reference and guide.
    Docs,
    /// Own password and sessions.
    Account,
}

/// An entry of the navigation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    section: Section,
    /// Its text.
    pub(crate) label: &'static str,
    /// Where it leads.
    pub(crate) href: &'static str,
    /// Whether the page belongs to it.
    pub(crate) is_current: bool,
    /// Whether a group begins with it.
    pub(crate) begins_group: bool,
    /// The entries below it.
    pub(crate) below: Vec<Self>,
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
    /// The token of every form.
    pub(crate) csrf: String,
    /// The notice of what was done just before.
    pub(crate) notice: Option<ShownNotice>,
}

impl Frame {
    /// A page for someone who is not signed in.
    pub(crate) fn bare(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A page for a person.
    pub(crate) fn of(person: &Person, section: Option<Section>, title: &str) -> Self {
        Self {
            title: title.to_owned(),
            entries: if person.holder.must_set_up() {
                Vec::new()
            } else {
                entries(&PLACES, person, section)
            },
            person: Some(person.holder.email.as_str().to_owned()),
            company: person.holder.company_name.as_str().to_owned(),
            csrf: person.csrf.clone(),
            notice: person.notice.clone(),
        }
    }

    /// The version in the addresses of our files.
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
