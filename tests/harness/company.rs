//! A company with a user and a key.

use contact_hub_domain::access::{self, Caller, CompanyDraft, KeyDraft, Permission, UserDraft};
use contact_hub_domain::context::AccessPorts;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::property::Property;

/// Attributes of the company and its user.
#[derive(Clone, Debug)]
pub struct CompanyOptions {
    /// Patterns of allowed domains.
    pub allowed_domains: Vec<&'static str>,
    /// Whether the account has the product access.
    pub product_access: bool,
    /// The user's permissions.
    pub permissions: Vec<Permission>,
    /// When the key expires, in RFC 3339.
    pub expires_at: Option<String>,
}

impl Default for CompanyOptions {
    fn default() -> Self {
        Self {
            allowed_domains: Vec::new(),
            product_access: true,
            permissions: Permission::ALL.to_vec(),
            expires_at: None,
        }
    }
}

/// The ids and the token of the new company.
#[derive(Clone, Debug)]
pub struct Made {
    /// The company.
    pub company: CompanyId,
    /// Its user.
    pub user: UserId,
    /// The user's key.
    pub key: ApiKeyId,
    /// The key's token.
    pub token: String,
}

/// Creates a company with one user and one key.
pub async fn create_company(ports: &AccessPorts, options: &CompanyOptions) -> Made {
    let company =
        access::create_company(ports, &company_draft(options)).await.expect("a company").id;
    let user =
        access::create_user(ports, company.into(), &user_draft(options)).await.expect("a user").id;
    let expires_at = options.expires_at.as_deref().map_or(Property::Absent, Property::from);
    let draft = KeyDraft { name: Property::Absent, expires_at };
    let created = access::create_key(ports, None, user, &draft).await.expect("a key");
    let token = created.token.reveal().to_owned();
    Made { company, user, key: created.key.id, token }
}

fn company_draft(options: &CompanyOptions) -> CompanyDraft {
    let domains = options.allowed_domains.iter().map(|domain| (*domain).into());
    CompanyDraft {
        name: "Acme".into(),
        allowed_domains: domains.collect(),
        product_access: options.product_access,
    }
}

fn user_draft(options: &CompanyOptions) -> UserDraft {
    let permissions = options.permissions.iter().map(|permission| permission.as_str().into());
    UserDraft { email: "api@acme.example".into(), permissions: permissions.collect() }
}

/// The caller of a company's key.
pub async fn caller_of(ports: &AccessPorts, made: &Made) -> Caller {
    let holder = access::authenticate(ports, &made.token).await.expect("a valid key");
    holder.caller.clone()
}
