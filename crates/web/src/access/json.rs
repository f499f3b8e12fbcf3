//! How users, API keys and the company look on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use contact_hub_domain::access::{
    ApiKey, Company, CompanyChange, CreatedKey, Days, DomainPattern, KeyDraft, MAX_ALLOWED_DOMAINS,
    MAX_GIVEN_PERMISSIONS, Permission, User, UserDraft,
};
use contact_hub_domain::time::Timestamp;

use crate::extract::Object;
use crate::openapi::values::PermissionName;

/// A user.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(crate) struct UserJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    #[schema(format = "idn-email")]
    email: &'a str,
    #[schema(value_type = Vec<PermissionName>)]
    permissions: Vec<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
}

impl<'a> From<&'a User> for UserJson<'a> {
    fn from(user: &'a User) -> Self {
        Self {
            id: user.id.to_string(),
            email: user.email.as_str(),
            permissions: user.permissions.iter().map(Permission::as_str).collect(),
            created_at: user.created_at.to_seconds_text(),
        }
    }
}

/// An API key, without its token.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub(crate) struct ApiKeyJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    /// The first characters of the token, by which a person tells keys apart.
    start: &'a str,
    /// From this moment on it is invalid; null when it does not expire.
    #[schema(required, format = DateTime)]
    expires_at: Option<String>,
    /// To the minute, shortly after; null when it was never used.
    #[schema(required, format = DateTime)]
    last_used_at: Option<String>,
    /// Null while it is not revoked.
    #[schema(required, format = DateTime)]
    revoked_at: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
}

impl<'a> From<&'a ApiKey> for ApiKeyJson<'a> {
    fn from(key: &'a ApiKey) -> Self {
        Self {
            id: key.id.to_string(),
            name: &key.name,
            start: &key.start,
            expires_at: key.expires_at.map(Timestamp::to_seconds_text),
            last_used_at: key.last_used_at.map(Timestamp::to_seconds_text),
            revoked_at: key.revoked_at.map(Timestamp::to_seconds_text),
            created_at: key.created_at.to_seconds_text(),
        }
    }
}

/// An API key with its token, which is shown this once.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiKeyWithToken)]
pub(crate) struct CreatedKeyJson<'a> {
    #[serde(flatten)]
    key: ApiKeyJson<'a>,
    /// What follows `Bearer`.
    token: &'a str,
}

impl<'a> From<&'a CreatedKey> for CreatedKeyJson<'a> {
    fn from(created: &'a CreatedKey) -> Self {
        Self { key: ApiKeyJson::from(&created.key), token: created.token.reveal() }
    }
}

/// The company.
#[derive(Serialize, ToSchema)]
#[schema(as = Company)]
pub(crate) struct CompanyJson<'a> {
    #[schema(format = "uuid")]
    id: String,
    name: &'a str,
    product_access: bool,
    /// Domains such as `example.com` or `*.example.com`, in lower-case ASCII; none permits every domain.
    allowed_domains: Vec<&'a str>,
    /// After how many days deleted contacts are erased; null keeps them.
    #[schema(required, minimum = 1, maximum = 3650)]
    erase_deleted_after_days: Option<u16>,
    /// Whether its users have to set up two-step verification to use the pages.
    requires_two_step: bool,
    /// Whether its users may sign in to the pages with a password. The pages alone change it.
    password_sign_in: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

impl<'a> From<&'a Company> for CompanyJson<'a> {
    fn from(company: &'a Company) -> Self {
        let patterns = company.allowed_domains.patterns().iter();
        Self {
            id: company.id.to_string(),
            name: company.name.as_str(),
            product_access: company.product_access,
            allowed_domains: patterns.map(DomainPattern::as_str).collect(),
            erase_deleted_after_days: company.erase_deleted_after.map(Days::count),
            requires_two_step: company.requires_two_step,
            password_sign_in: company.password_sign_in,
            created_at: company.created_at.to_seconds_text(),
        }
    }
}

/// Decodes a new user.
pub(crate) fn user_draft(body: &Object<'_>) -> UserDraft {
    UserDraft {
        email: body.input("email"),
        permissions: body.scalars("permissions", MAX_GIVEN_PERMISSIONS),
    }
}

/// Decodes a change to a user.
pub(crate) fn user_change(body: &Object<'_>) -> UserDraft {
    UserDraft {
        email: body.input("email"),
        permissions: body.given_scalars("permissions", MAX_GIVEN_PERMISSIONS),
    }
}

/// Decodes a new key.
pub(crate) fn key_draft(body: &Object<'_>) -> KeyDraft {
    KeyDraft { name: body.input("name"), expires_at: body.input("expires_at") }
}

/// Decodes a change to the company.
pub(crate) fn company_change(body: &Object<'_>) -> CompanyChange {
    CompanyChange {
        name: body.input("name"),
        product_access: body.input("product_access"),
        allowed_domains: body.given_scalars("allowed_domains", MAX_ALLOWED_DOMAINS),
        erase_deleted_after_days: body.input("erase_deleted_after_days"),
        requires_two_step: body.input("requires_two_step"),
    }
}
