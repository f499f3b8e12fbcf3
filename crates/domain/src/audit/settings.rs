//! What the audit shows of a thing: its settings, without secrets.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::access::{ApiKey, Company, CompanyProvider, Permission, SignOnDomains, User};
use crate::contacts::View;
use crate::fields::Field;
use crate::sync::{Asset, Integration, MergeTagMapping};
use crate::webhooks::Webhook;

/// The longest mapping that is shown, in bytes of its texts. A longer one is a number and a hash, which shows whether it
/// changed.
const LONG_MAPPING: usize = 10_000;

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
        "merge_tag_mapping": mapping(&it.mapping),
    };
    Webhook, |it| {
        "name": it.name.as_str(),
        "url": it.url.as_str(),
        "events": it.events.iter().map(crate::webhooks::EventKind::as_str).collect::<Vec<_>>(),
        "enabled": it.health.disabled.is_none(),
    };
}

fn mapping(mapping: &MergeTagMapping) -> Value {
    let texts: BTreeMap<String, &str> =
        mapping.iter().map(|(name, text)| (name.to_string(), text)).collect();
    let length: usize = texts.values().map(|text| text.len()).sum();
    if length <= LONG_MAPPING {
        return json!(texts);
    }
    let hash = hex::encode(Sha256::digest(json!(texts).to_string()));
    json!(format!("{} tags, SHA-256 {hash}", texts.len()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{LONG_MAPPING, mapping};
    use crate::sync::{MergeTagMapping, MergeTagName};

    #[test]
    fn a_long_mapping_is_shown_by_its_hash() {
        let of = |text: String| {
            let name = MergeTagName::parse("email").expect("a name");
            mapping(&MergeTagMapping::from_stored(BTreeMap::from([(name, text)])))
        };
        let fits = "x".repeat(LONG_MAPPING);
        assert_eq!(of(fits.clone()), json!({"email": fits}));
        let (one, other) = (of(format!("{fits}1")), of(format!("{fits}2")));
        assert!(one.as_str().is_some_and(|it| it.starts_with("1 tags, SHA-256 ")), "{one}");
        assert_ne!(one, other);
    }
}
