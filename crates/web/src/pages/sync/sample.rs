//! How a preview shows an asset: with the values of a contact, or in the syntax of a platform.

use askama::filters::{Html, escape};

use contact_hub_domain::access::Permission;
use contact_hub_domain::contacts::{self, Contact, ContactsError};
use contact_hub_domain::ids::{AssetId, ContactId, IntegrationId};
use contact_hub_domain::input::FromText as _;
use contact_hub_domain::sync::{
    self, Asset, Content, ContentQuery, MergeTagName, Platform, SyncError, fill,
};

use crate::error::ApiError;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::contacts::values::in_words;

/// The memory that a preview needs, in bytes: the content and its conversion.
pub(super) const WEIGHT: usize = 16 << 20;

/// Replaces the links that a platform makes for each recipient.
const LINK: &str = "#";

/// What the address of a preview chooses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// The contact whose values are shown.
    pub(super) contact: Option<ContactId>,
    /// The syntax, and the connection with its own texts.
    pub(super) syntax: ContentQuery,
}

/// What a mail program shows of an asset.
pub(super) struct Shown {
    /// The subject of an email.
    pub(super) subject: Option<String>,
    /// The preheader of an email that has one.
    pub(super) preheader: Option<String>,
    /// The HTML.
    pub(super) html: String,
}

impl Sample {
    /// Reads `contact` and `as` of an address: a platform or a connection. Anything else chooses nothing.
    pub(super) fn of(address: &Address) -> Self {
        let chosen = address.get("as");
        let platform = Platform::from_text(chosen).ok();
        Self {
            contact: ContactId::parse(address.get("contact")),
            syntax: ContentQuery { platform, integration: IntegrationId::parse(chosen) },
        }
    }

    /// The chosen contact, for people who may see contacts.
    pub(super) async fn contact(self, caller: &PageCaller) -> Result<Option<Contact>, ApiError> {
        let Some(id) = self.contact.filter(|_| caller.may(Permission::ContactsApi)) else {
            return Ok(None);
        };
        match contacts::read(&caller.context(), id).await {
            Ok(found) => Ok(Some(found.contact)),
            Err(ContactsError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The asset in the chosen syntax.
    pub(super) async fn content(
        self,
        caller: &PageCaller,
        asset: AssetId,
    ) -> Result<Content, ApiError> {
        let mut query = self.syntax;
        if let Some(id) = query.integration {
            let choices = sync::integration_choices(&caller.context()).await?;
            query.platform = choices.iter().find(|it| it.id == id).map(|it| it.format);
            query.integration = query.platform.and(query.integration);
        }
        Ok(sync::read_content(&caller.context(), asset, query).await?)
    }
}

impl Shown {
    /// The asset with the values of a contact.
    pub(super) fn filled(asset: &Asset, contact: &Contact) -> Result<Self, SyncError> {
        let line = |text: Option<&str>| {
            text.map(|text| fill(text, |name| value(contact, name))).transpose()
        };
        let in_html = |name: &MergeTagName| value(contact, name).as_deref().map(escaped);
        Ok(Self {
            subject: line(asset.form.subject())?,
            preheader: line(asset.form.preheader())?,
            html: fill(asset.html.as_str(), in_html)?,
        })
    }

    /// The asset in the chosen syntax.
    pub(super) fn converted(content: &Content) -> Result<Self, SyncError> {
        let rendered = content.render()?;
        Ok(Self { subject: rendered.subject, preheader: rendered.preheader, html: rendered.html })
    }
}

fn value(contact: &Contact, name: &MergeTagName) -> Option<String> {
    match name {
        MergeTagName::FirstName => Some(contact.first_name.as_str().to_owned()),
        MergeTagName::LastName => Some(contact.last_name.as_str().to_owned()),
        MergeTagName::Email => Some(contact.email.as_str().to_owned()),
        MergeTagName::Field(key) => contact.field_values.get(key).map(in_words),
        MergeTagName::UnsubscribeUrl | MergeTagName::ViewOnlineUrl => Some(LINK.to_owned()),
    }
}

fn escaped(value: &str) -> String {
    escape(value, Html).map(|safe| safe.to_string()).unwrap_or_default()
}
