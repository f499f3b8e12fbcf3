//! What the audit shows of a thing: its settings, without secrets.

use serde_json::{Map, Value, json};

use crate::access::{ApiKey, Company, CompanyProvider, Permission, SignOnDomains, User};
use crate::contacts::View;
use crate::fields::Field;
use crate::sync::{Asset, Integration};
use crate::webhooks::Webhook;

/// Something with settings.
pub trait Settings {
    /// The settings by their names in the interface. Secrets and long texts are left out.
    fn settings(&self) -> Map<String, Value>;
}

macro_rules! settings {
    ($($kind:ty, |$it:ident| { $($name:literal: $value:expr),+ $(,)? };)+) => {$(
        impl Settings for $kind {
            fn settings(&self) -> Map<String, Value> {
                let $it = self;
                [$(($name.to_owned(), json!($value))),+].into_iter().collect()
            }
        }
    )+};
}

settings! {
    Company, |it| {
        "name": it.name.as_str(),
        "product_access": it.product_access,
        "allowed_domains": it.allowed_domains.patterns().iter().map(crate::access::DomainPattern::as_str).collect::<Vec<_>>(),
        "erase_deleted_after_days": it.erase_deleted_after.map(crate::access::Days::count),
        "requires_two_step": it.requires_two_step,
        "password_sign_in": it.password_sign_in,
    };
    SignOnDomains, |it| { "sign_on_domains": it.0 };
    User, |it| {
        "email": it.email.as_str(),
        "permissions": it.permissions.iter().map(Permission::as_str).collect::<Vec<_>>(),
    };
    ApiKey, |it| {
        "name": it.name,
        "user_id": it.user_id.to_string(),
        "expires_at": it.expires_at.map(crate::time::Timestamp::to_seconds_text),
    };
    CompanyProvider, |it| {
        "name": it.name,
        "issuer": it.issuer,
        "client_id": it.client_id,
        "scopes": it.scopes,
        "domains": it.domains,
        "trusts_emails": it.trusts_emails,
        "creates_users": it.creates_users,
        "group_claim": it.groups.as_ref().map(|groups| groups.claim.as_str()),
        "groups": it.groups.as_ref().map(|groups| groups.groups.iter().map(|(group, permissions)| json!({
            "group": group,
            "permissions": permissions.iter().map(Permission::as_str).collect::<Vec<_>>(),
        })).collect::<Vec<_>>()),
    };
    Field, |it| {
        "name": it.name,
        "key": it.key.as_str(),
        "type": it.kind.as_str(),
        "filterable": it.filterable != crate::fields::Filterable::No,
        "archived": it.archived,
    };
    View, |it| { "name": it.name.as_str(), "shared": it.is_shared };
    Asset, |it| { "name": it.name.as_str(), "type": it.form.kind().as_str() };
    Integration, |it| {
        "name": it.name.as_str(),
        "asset_types": it.asset_types.iter().map(crate::sync::AssetType::as_str).collect::<Vec<_>>(),
        "merge_tag_format": it.format.as_str(),
    };
    Webhook, |it| {
        "name": it.name.as_str(),
        "url": it.url.as_str(),
        "events": it.events.iter().map(crate::webhooks::EventKind::as_str).collect::<Vec<_>>(),
        "enabled": it.health.disabled.is_none(),
    };
}
