//! Problems that need action: failing webhooks, failed syncs, and imports that rejected rows.

use contact_hub_domain::access::Permission::{ContactsApi, ManageIntegrations, Publish};
use contact_hub_domain::ids::UserId;
use contact_hub_domain::overview::{CompanyOverview, FailedSync, FailingWebhook, LastImport};

use crate::pages::caller::PageCaller;
use crate::pages::moment::Moment;

/// A problem that needs action.
pub(super) struct Problem {
    /// A word for it.
    pub(super) word: &'static str,
    /// What it is about.
    pub(super) name: String,
    /// The address of the page on which it can be solved.
    pub(super) href: String,
    /// What is wrong.
    pub(super) text: String,
    /// The first failed attempt, or when it was reported.
    pub(super) at: Option<Moment>,
}

/// The problems that the person may see.
pub(super) fn problems(caller: &PageCaller, found: &CompanyOverview) -> Vec<Problem> {
    let mut problems = Vec::new();
    if caller.may(ManageIntegrations) {
        problems.extend(found.failing_webhooks.iter().map(Problem::from));
    }
    if caller.who.may_any(&[ManageIntegrations, Publish]) {
        problems.extend(found.failed_syncs.iter().map(Problem::from));
    }
    if caller.may(ContactsApi) {
        let person = caller.holder().caller.user_id;
        problems.extend(found.refused_imports.iter().map(|it| Problem::of_import(it, person)));
    }
    problems
}

impl Problem {
    fn of_import(import: &LastImport, person: UserId) -> Self {
        let (refused, rows) = (import.counts.refused, import.counts.rows());
        let by = if import.user == person { "Your import" } else { "An import of another user" };
        Self {
            word: "Refused rows",
            name: format!("{refused} of {rows} rows"),
            href: "/contacts/import".to_owned(),
            text: format!("{by} refused them. Correct and import them again. It ended"),
            at: Some(import.ended_at.into()),
        }
    }
}

impl From<&FailingWebhook> for Problem {
    fn from(webhook: &FailingWebhook) -> Self {
        let text = match (webhook.is_off, webhook.since) {
            (true, Some(_)) => "It was switched off because attempts failed. First failed attempt:",
            (true, None) => "It was switched off because an attempt failed.",
            (false, _) => "Its attempts fail. First failed attempt:",
        };
        Self {
            word: if webhook.is_off { "Switched off" } else { "Failing webhook" },
            name: webhook.name.as_str().to_owned(),
            href: format!("/admin/integrations/webhooks/{}", webhook.id),
            text: text.to_owned(),
            at: webhook.since.map(Moment::from),
        }
    }
}

impl From<&FailedSync> for Problem {
    fn from(sync: &FailedSync) -> Self {
        let (asset, connection) = (sync.asset_name.as_str(), sync.integration_name.as_str());
        Self {
            word: "Failed sync",
            name: format!("{asset} to {connection}"),
            href: format!("/assets/{}", sync.asset),
            text: sync.message.clone(),
            at: Some(sync.reported_at.into()),
        }
    }
}
