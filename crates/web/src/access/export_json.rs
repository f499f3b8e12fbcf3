//! What an export of a company has that the interface does not return.

use std::collections::BTreeMap;

use serde::Serialize;

use contact_hub_domain::access::{CompanyProvider, Permission, Permissions};
use contact_hub_domain::contacts::View;

use super::json::ApiKeyJson;

#[derive(Serialize)]
pub(super) struct Line<T> {
    pub(super) r#type: &'static str,
    pub(super) data: T,
}

#[derive(Serialize)]
pub(super) struct KeyOfUser<'a> {
    pub(super) user_id: String,
    #[serde(flatten)]
    pub(super) key: ApiKeyJson<'a>,
}

#[derive(Serialize)]
pub(super) struct AlertChoiceJson {
    pub(super) user_id: String,
    pub(super) kind: &'static str,
    pub(super) by_email: bool,
    pub(super) by_webhook: bool,
}

#[derive(Serialize)]
pub(super) struct IdentityProviderJson<'a> {
    pub(super) id: String,
    pub(super) name: &'a str,
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) scopes: &'a [String],
    pub(super) trusts_emails: bool,
    pub(super) creates_users: bool,
    pub(super) group_claim: Option<&'a str>,
    pub(super) group_permissions: BTreeMap<&'a str, Vec<&'static str>>,
    pub(super) domains: &'a [String],
    pub(super) created_at: String,
}

#[derive(Serialize)]
pub(super) struct ViewJson<'a> {
    pub(super) id: String,
    pub(super) user_id: String,
    pub(super) name: &'a str,
    pub(super) query: &'a str,
    pub(super) shared: bool,
    pub(super) created_at: String,
}

impl<'a> From<&'a View> for ViewJson<'a> {
    fn from(view: &'a View) -> Self {
        Self {
            id: view.id.to_string(),
            user_id: view.owner.to_string(),
            name: view.name.as_str(),
            query: view.query.as_str(),
            shared: view.is_shared,
            created_at: view.created_at.to_seconds_text(),
        }
    }
}

impl<'a> From<&'a CompanyProvider> for IdentityProviderJson<'a> {
    fn from(provider: &'a CompanyProvider) -> Self {
        let named = |permissions: Permissions| permissions.iter().map(Permission::as_str).collect();
        let groups = provider.groups.iter().flat_map(|groups| &groups.groups);
        Self {
            id: provider.id.to_string(),
            name: &provider.name,
            issuer: &provider.issuer,
            client_id: &provider.client_id,
            scopes: &provider.scopes,
            trusts_emails: provider.trusts_emails,
            creates_users: provider.creates_users,
            group_claim: provider.groups.as_ref().map(|groups| groups.claim.as_str()),
            group_permissions: groups.map(|(group, can)| (group.as_str(), named(*can))).collect(),
            domains: &provider.domains,
            created_at: provider.created_at.to_seconds_text(),
        }
    }
}
