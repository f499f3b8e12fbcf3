//! All data of a company as lines of JSON, in the shapes of the interface. An operator's command writes it.

use std::io;

use serde::Serialize;

use contact_hub_domain::access::{CompanyContents, StoredContact};
use contact_hub_domain::alerts::AlertChoice;
use contact_hub_domain::audit::{self, AuditQuery};
use contact_hub_domain::changes::{After, ChangesOutcome, ChangesQuery, MAX_CHANGES};
use contact_hub_domain::contacts::{ContactDetail, MAX_VIEWS};
use contact_hub_domain::context::Ports;
use contact_hub_domain::fields::FieldKey;
use contact_hub_domain::ids::{AssetId, CompanyId, UserId};
use contact_hub_domain::page::{MAX_PAGE_SIZE, Page, PageRequest};
use contact_hub_domain::ports::StoreError;

use super::export_json::{AlertChoiceJson, IdentityProviderJson, KeyOfUser, Line, ViewJson};
use super::json::{CompanyJson, UserJson};
use crate::audit::json::AuditEntryJson;
use crate::changes::json::ChangeJson;
use crate::contacts::json::ContactDetailJson;
use crate::fields::json::FieldJson;
use crate::sync::json::{AssetJson, IntegrationJson, SyncJson};
use crate::webhooks::json::{DeliveryDetailJson, WebhookJson};

/// How many contacts, assets or deliveries are read at once.
const TOGETHER: u32 = 100;

/// Why an export of a company ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompanyExportError {
    /// There is no such company, or it is being deleted.
    #[error("the company is unknown")]
    Unknown,
    /// The company was deleted while it was read.
    #[error("the company was deleted while it was read")]
    Deleted,
    /// Entries of the change feed were deleted faster than they were read.
    #[error("entries of the change feed expired while they were read")]
    ChangesExpired,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A line was not written.
    #[error("the export cannot be written")]
    Write(#[from] io::Error),
}

type Outcome = Result<(), CompanyExportError>;

/// Takes the type of an object, and its line.
pub type WriteLine<'a> = &'a mut (dyn FnMut(&'static str, &[u8]) -> io::Result<()> + Send);

/// Writes all data of a company except secrets: a line for the company, and then one for each object. It is read in
/// parts, so an object that changes in the meantime may be written in its old or its new state.
pub async fn export_company(
    ports: &Ports,
    contents: &dyn CompanyContents,
    company: CompanyId,
    write: WriteLine<'_>,
) -> Outcome {
    let mut export = CompanyExport { ports, contents, company, write };
    export.company_and_users().await?;
    export.contacts().await?;
    export.webhooks_and_integrations().await?;
    export.assets().await?;
    export.deliveries().await?;
    export.changes().await?;
    export.audit().await?;
    // Of a deleted company every list is empty.
    let company = ports.access.access.read_company(company).await?;
    company.map(drop).ok_or(CompanyExportError::Deleted)
}

struct CompanyExport<'a> {
    ports: &'a Ports,
    contents: &'a dyn CompanyContents,
    company: CompanyId,
    write: WriteLine<'a>,
}

impl CompanyExport<'_> {
    fn line(&mut self, r#type: &'static str, data: impl Serialize) -> Outcome {
        let mut line = serde_json::to_vec(&Line { r#type, data }).map_err(io::Error::from)?;
        line.push(b'\n');
        Ok((self.write)(r#type, &line)?)
    }

    async fn company_and_users(&mut self) -> Outcome {
        let access = &self.ports.access.access;
        let company = access.read_company(self.company).await?;
        let company = company.ok_or(CompanyExportError::Unknown)?;
        let at = self.ports.environment.clock.now();
        audit::record_company_export(&self.ports.audit, self.company, at).await?;
        self.line("company", CompanyJson::from(&company))?;
        let mut pages = Pages::default();
        while let Some(page) = pages.next() {
            let users = pages.met(access.list_users(self.company, page).await?);
            for user in &users {
                self.line("user", UserJson::from(user))?;
                self.keys(user.id).await?;
                self.views(user.id).await?;
                self.alert_choices(user.id).await?;
            }
        }
        self.identity_providers().await
    }

    async fn alert_choices(&mut self, user: UserId) -> Outcome {
        let chosen = self.ports.alerts.alerts.choices(self.company, user).await?;
        for (kind, AlertChoice { by_email, by_webhook }) in chosen {
            let user_id = user.to_string();
            let kind = kind.into();
            self.line("alert_choice", AlertChoiceJson { user_id, kind, by_email, by_webhook })?;
        }
        Ok(())
    }

    async fn identity_providers(&mut self) -> Outcome {
        let providers = &self.ports.access.oidc.company_providers;
        for provider in &providers.company_providers(self.company).await? {
            self.line("identity_provider", IdentityProviderJson::from(provider))?;
        }
        Ok(())
    }

    async fn keys(&mut self, user: UserId) -> Outcome {
        let user_id = user.to_string();
        for key in &self.ports.access.access.keys_of(user).await? {
            self.line("api_key", KeyOfUser { user_id: user_id.clone(), key: key.into() })?;
        }
        Ok(())
    }

    async fn views(&mut self, user: UserId) -> Outcome {
        let found = self.ports.views.views.views(self.company, user, MAX_VIEWS).await?;
        for view in found.iter().filter(|view| view.owner == user) {
            self.line("view", ViewJson::from(view))?;
        }
        Ok(())
    }

    async fn contacts(&mut self) -> Outcome {
        let fields = self.ports.contacts.fields.list(self.company).await?;
        for field in fields.fields() {
            self.line("field", FieldJson::from(field))?;
        }
        let mut after = String::new();
        loop {
            let part = self.contents.stored_contacts(self.company, after, TOGETHER).await?;
            let Some(last) = part.last() else { return Ok(()) };
            after = last.contact.email.identity().to_owned();
            for StoredContact { contact, is_deleted } in part {
                let keys: Vec<&str> = contact.field_values.keys().map(FieldKey::as_str).collect();
                let directory = self.ports.contacts.fields.directory(self.company, &keys).await?;
                let r#type = if is_deleted { "deleted_contact" } else { "contact" };
                let detail = ContactDetail::of(contact, directory);
                self.line(r#type, ContactDetailJson::from(&detail))?;
            }
        }
    }

    async fn webhooks_and_integrations(&mut self) -> Outcome {
        let now = self.ports.environment.clock.now();
        let mut pages = Pages::default();
        while let Some(page) = pages.next() {
            let webhooks = self.ports.webhooks.webhooks.list(self.company, page, now).await?;
            for webhook in &pages.met(webhooks) {
                self.line("webhook", WebhookJson::from(webhook))?;
            }
        }
        let mut pages = Pages::default();
        while let Some(page) = pages.next() {
            let integrations = self.ports.sync.sync.list_integrations(self.company, page).await?;
            for integration in &pages.met(integrations) {
                self.line("integration", IntegrationJson::from(integration))?;
            }
        }
        Ok(())
    }

    async fn assets(&mut self) -> Outcome {
        let mut after = None;
        loop {
            let ids = self.contents.asset_ids(self.company, after, TOGETHER).await?;
            let Some(last) = ids.last() else { return Ok(()) };
            after = Some(*last);
            for id in ids {
                let asset = self.ports.sync.sync.read_asset(self.company, id).await?;
                if let Some(detail) = asset {
                    self.line("asset", AssetJson::from(&detail))?;
                    self.syncs(id).await?;
                }
            }
        }
    }

    async fn syncs(&mut self, asset: AssetId) -> Outcome {
        let mut pages = Pages::default();
        while let Some(page) = pages.next() {
            let syncs = self.ports.sync.sync.list_syncs(self.company, asset, page).await?;
            let Some(syncs) = syncs else { return Ok(()) };
            for sync in &pages.met(syncs) {
                self.line("sync", SyncJson::from(sync))?;
            }
        }
        Ok(())
    }

    async fn deliveries(&mut self) -> Outcome {
        let mut after = None;
        loop {
            let ids = self.contents.delivery_ids(self.company, after, TOGETHER).await?;
            let Some(last) = ids.last() else { return Ok(()) };
            after = Some(*last);
            for id in ids {
                let delivery = self.ports.webhooks.webhooks.read_delivery(self.company, id).await?;
                if let Some(detail) = delivery {
                    self.line("delivery", DeliveryDetailJson::from(&detail))?;
                }
            }
        }
    }

    async fn changes(&mut self) -> Outcome {
        let mut query = ChangesQuery { size: MAX_CHANGES, ..ChangesQuery::default() };
        loop {
            let found = self.ports.changes.changes.list_changes(self.company, query.clone());
            let ChangesOutcome::Found(page) = found.await? else {
                return Err(CompanyExportError::ChangesExpired);
            };
            if page.entries.is_empty() {
                return Ok(());
            }
            for entry in &page.entries {
                self.line("change", ChangeJson::from(entry))?;
            }
            query.after = After::Entry(page.next);
        }
    }

    async fn audit(&mut self) -> Outcome {
        let mut query = AuditQuery { size: MAX_PAGE_SIZE, ..AuditQuery::default() };
        loop {
            let page = self.ports.audit.audit.list_entries(self.company, query.clone()).await?;
            for entry in &page.entries {
                self.line("audit_entry", AuditEntryJson::from(entry))?;
            }
            if page.next.is_none() {
                return Ok(());
            }
            query.after = page.next;
        }
    }
}

/// Goes through the pages of a list that is bounded.
struct Pages {
    number: u64,
    last: u64,
}

impl Default for Pages {
    fn default() -> Self {
        Self { number: 0, last: 1 }
    }
}

impl Pages {
    fn next(&mut self) -> Option<PageRequest> {
        self.number += 1;
        (self.number <= self.last).then(|| PageRequest::new(self.number, MAX_PAGE_SIZE)).flatten()
    }

    fn met<T>(&mut self, page: Page<T>) -> Vec<T> {
        self.last = page.meta.last_page;
        page.items
    }
}
