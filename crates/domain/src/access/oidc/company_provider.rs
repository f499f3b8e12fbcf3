//! Providers that companies set.

use super::{GroupPermissions, MAX_GROUPS, OidcProvider, ProviderKey};
use crate::access::{Permission, Permissions};
use crate::email::ascii_domain;
use crate::ids::{CompanyId, OidcProviderId};
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{Purpose, broken, count, needed, optional, required, valid};
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};
use crate::webhooks::{PayloadUrl, Secret, UrlPolicy};

/// The maximum number of providers of a company.
pub const MAX_COMPANY_PROVIDERS: usize = 5;

/// The maximum number of email domains of a company, and of a provider.
pub const MAX_OIDC_DOMAINS: usize = 20;

/// The maximum number of scopes of a provider.
pub const MAX_OIDC_SCOPES: usize = 20;

/// The longest texts of a provider, in code points.
const MAX_NAME: usize = 100;
const MAX_ISSUER: usize = 500;
const MAX_CLIENT_ID: usize = 255;
const MAX_CLIENT_SECRET: usize = 1000;
const MAX_SCOPE: usize = 100;
const MAX_CLAIM: usize = 100;
const MAX_GROUP: usize = 255;

texts! {
    /// What people call a provider.
    OidcName, |text| text::name(text, MAX_NAME);
    /// The client id of the service at a provider.
    OidcClientId, |text| text::name(text, MAX_CLIENT_ID);
    /// A scope that a provider is asked for.
    OidcScope, |text| word(text, MAX_SCOPE);
    /// The name of the claim with a person's groups.
    OidcClaim, |text| text::name(text, MAX_CLAIM);
    /// The domain of emails, in its ASCII form.
    OidcDomain, domain;
}

/// A text without blanks.
fn word(text: &str, max: usize) -> Result<&str, Problem> {
    let text = text::bounded(text::trimmed(text), max)?;
    let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_word.then_some(text).ok_or_else(|| Problem::new("must be a word"))
}

/// International domains are given in their ASCII form, in which emails are compared.
fn domain(text: &str) -> Result<&str, Problem> {
    let text = text::trimmed(text);
    let is_domain = text.contains('.') && ascii_domain(text).as_deref() == Some(text);
    is_domain
        .then_some(text)
        .ok_or_else(|| Problem::new("must be a domain in lower case, such as example.com"))
}

/// A group with its permissions, written as `name = permission, permission`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcGroup {
    /// The group's name at the provider.
    pub name: String,
    /// What its members may do.
    pub permissions: Permissions,
}

impl FromText for OidcGroup {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let form = || Problem::new("must be a group, =, and permissions with commas between them");
        let (name, words) = text.rsplit_once('=').ok_or_else(form)?;
        let name = text::name(name, MAX_GROUP)?.to_owned();
        let words = words.split(',').map(text::trimmed).filter(|word| !word.is_empty());
        let permissions = words.map(Permission::from_text).collect::<Result<_, _>>()?;
        Ok(Self { name, permissions })
    }
}

/// The secret of the service at a provider.
#[derive(Clone)]
pub struct OidcClientSecret(pub(super) Secret);

impl FromText for OidcClientSecret {
    fn from_text(text: &str) -> Result<Self, Problem> {
        let text = text::bounded(text::without_controls(text::trimmed(text))?, MAX_CLIENT_SECRET)?;
        if text.is_empty() {
            return Err(Problem::new("is required"));
        }
        Ok(Self(Secret::from_stored(zeroize::Zeroizing::new(text.to_owned()))))
    }
}

/// A provider that a company set, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyProvider {
    /// The service's id.
    pub id: OidcProviderId,
    /// The company.
    pub company: CompanyId,
    /// What people call it.
    pub name: String,
    /// Its issuer identifier.
    pub issuer: String,
    /// The client id of the service there.
    pub client_id: String,
    /// The scopes that it is asked for.
    pub scopes: Vec<String>,
    /// Whether emails count as verified even if it does not say so.
    pub trusts_emails: bool,
    /// Whether it creates users.
    pub creates_users: bool,
    /// The permissions of groups.
    pub groups: Option<GroupPermissions>,
    /// The domains of the emails that it vouches for; none means all of the company's users.
    pub domains: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl CompanyProvider {
    /// The provider in the form that signing in needs.
    #[must_use]
    pub fn with_secret(self, secret: Secret) -> OidcProvider {
        OidcProvider {
            key: ProviderKey::of_company(self.id),
            company: Some(self.company),
            name: self.name,
            issuer: self.issuer,
            client_id: self.client_id,
            client_secret: Some(secret),
            scopes: self.scopes,
            trusts_emails: self.trusts_emails,
            creates_users_in: self.creates_users.then_some(self.company),
            groups: self.groups,
            domains: self.domains,
        }
    }
}

/// The input for a provider. It may contain a secret, so it has no `Debug`.
#[derive(Clone, Default, garde::Validate)]
#[garde(context(OidcRules as rules))]
pub struct OidcProviderDraft {
    /// What people call it.
    #[garde(custom(required))]
    pub name: Property<OidcName>,
    /// Its issuer identifier.
    #[garde(custom(required), custom(permitted))]
    pub issuer: Property<PayloadUrl>,
    /// The client id of the service there.
    #[garde(custom(required))]
    pub client_id: Property<OidcClientId>,
    /// The secret of the service there. A change may omit it, unless it changes the issuer.
    #[garde(custom(needed(rules.purpose)))]
    pub client_secret: Property<OidcClientSecret>,
    /// The scopes that it is asked for.
    #[garde(
        custom(optional),
        custom(count(0, MAX_OIDC_SCOPES, "entries")),
        inner(custom(required))
    )]
    pub scopes: Property<Vec<Property<OidcScope>>>,
    /// Whether emails count as verified even if it does not say so.
    #[garde(skip)]
    pub trusts_emails: bool,
    /// Whether it creates users.
    #[garde(skip)]
    pub creates_users: bool,
    /// The claim with the groups.
    #[garde(custom(optional))]
    pub group_claim: Property<OidcClaim>,
    /// The permissions of groups.
    #[garde(custom(optional), custom(count(0, MAX_GROUPS, "entries")), inner(custom(required)))]
    pub groups: Property<Vec<Property<OidcGroup>>>,
    /// The domains of the emails that it vouches for.
    #[garde(
        custom(optional),
        custom(count(0, MAX_OIDC_DOMAINS, "entries")),
        inner(custom(required))
    )]
    pub domains: Property<Vec<Property<OidcDomain>>>,
}

/// The context of the rules.
pub struct OidcRules {
    purpose: Purpose,
    policy: UrlPolicy,
}

/// An issuer is an address without a query, which the service is permitted to call.
fn permitted(issuer: &Property<PayloadUrl>, rules: &OidcRules) -> garde::Result {
    let Ok(url) = issuer.required() else { return Ok(()) };
    if url.as_str().contains('?') || url.as_str().chars().count() > MAX_ISSUER {
        return broken(format!("must have no query and at most {MAX_ISSUER} characters"));
    }
    rules.policy.permit(url).or_else(|problem| broken(problem.as_str()))
}

/// A validated draft.
pub(super) struct ValidProvider {
    pub(super) provider: CompanyProvider,
    pub(super) secret: Option<Secret>,
}

impl OidcProviderDraft {
    /// Validates a new provider. All violations are returned at once.
    pub(super) fn validate(
        &self,
        (id, company): (OidcProviderId, CompanyId),
        created_at: Timestamp,
        policy: &UrlPolicy,
    ) -> Result<ValidProvider, Violations> {
        let rules = OidcRules { purpose: Purpose::New, policy: policy.clone() };
        valid(self, rules, |_rules| self.taken((id, company), created_at))
    }

    /// Validates a change. The secret may be absent, and is then kept, unless the issuer changes: a secret is never
    /// sent to another issuer.
    pub(super) fn validate_change(
        &self,
        before: &CompanyProvider,
        policy: &UrlPolicy,
    ) -> Result<ValidProvider, Violations> {
        let issuer = self.issuer.value();
        let stays = issuer.is_some_and(|issuer| issuer.as_str() == before.issuer);
        let purpose = if stays { Purpose::Change } else { Purpose::New };
        let rules = OidcRules { purpose, policy: policy.clone() };
        valid(self, rules, |_rules| self.taken((before.id, before.company), before.created_at))
    }

    fn taken(
        &self,
        (id, company): (OidcProviderId, CompanyId),
        created_at: Timestamp,
    ) -> Option<ValidProvider> {
        let groups: Vec<OidcGroup> = self.groups.values().unwrap_or_default();
        let groups = groups.into_iter().map(|group| (group.name, group.permissions)).collect();
        let claim = self.group_claim.value();
        let groups =
            claim.map(|claim| GroupPermissions { claim: claim.as_str().to_owned(), groups });
        let scopes: Vec<OidcScope> = self.scopes.values().unwrap_or_default();
        let mut domains: Vec<OidcDomain> = self.domains.values().unwrap_or_default();
        domains.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        domains.dedup();
        let provider = CompanyProvider {
            id,
            company,
            name: self.name.value()?.as_str().to_owned(),
            issuer: self.issuer.value()?.as_str().to_owned(),
            client_id: self.client_id.value()?.as_str().to_owned(),
            scopes: scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
            trusts_emails: self.trusts_emails,
            creates_users: self.creates_users,
            groups,
            domains: domains.iter().map(|domain| domain.as_str().to_owned()).collect(),
            created_at,
        };
        let secret = self.client_secret.value().map(|OidcClientSecret(secret)| secret);
        Some(ValidProvider { provider, secret })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{CompanyProvider, OidcGroup, OidcProviderDraft};
    use crate::access::Permission;
    use crate::ids::{CompanyId, OidcProviderId};
    use crate::input::FromText;
    use crate::time::Timestamp;
    use crate::violations::Violations;
    use crate::webhooks::UrlPolicy;

    fn draft() -> OidcProviderDraft {
        OidcProviderDraft {
            name: "Acme".into(),
            issuer: "https://id.example".into(),
            client_id: "hub".into(),
            client_secret: "s3cret".into(),
            scopes: ["email", "groups"].iter().map(|scope| (*scope).into()).collect(),
            domains: ["b.example", "a.example", "b.example"]
                .iter()
                .map(|it| (*it).into())
                .collect(),
            ..OidcProviderDraft::default()
        }
    }

    fn validated(draft: &OidcProviderDraft) -> Result<CompanyProvider, Violations> {
        let ids = (OidcProviderId::new(Uuid::nil()), CompanyId::new(Uuid::nil()));
        let valid = draft.validate(ids, Timestamp::MIN, &UrlPolicy::default());
        valid.map(|valid| valid.provider)
    }

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn a_valid_provider_is_accepted_unchanged() {
        let provider = validated(&draft()).expect("valid");
        assert_eq!(provider.domains, ["a.example", "b.example"]);
        assert_eq!(provider.scopes, ["email", "groups"]);
        assert!(provider.groups.is_none() && !provider.creates_users);
    }

    #[test]
    fn invalid_members_are_named() {
        for issuer in ["http://id.example", "https://127.0.0.1", "https://id.example?x", "id"] {
            let wrong = OidcProviderDraft { issuer: issuer.into(), ..draft() };
            assert_eq!(paths(&validated(&wrong).expect_err(issuer)), ["issuer"], "{issuer}");
        }
        for domain in ["localhost", "Acme.example", "@acme.example", "*.acme.example", "exämple.de"]
        {
            let domains = [domain.into()].into_iter().collect();
            let wrong = OidcProviderDraft { domains, ..draft() };
            assert_eq!(paths(&validated(&wrong).expect_err(domain)), ["domains.0"], "{domain}");
        }
        let empty = validated(&OidcProviderDraft::default()).expect_err("empty");
        assert_eq!(paths(&empty), ["client_id", "client_secret", "issuer", "name"]);
    }

    #[test]
    fn a_secret_is_only_kept_for_the_same_issuer() {
        let before = validated(&draft()).expect("valid");
        let without =
            || OidcProviderDraft { client_secret: crate::property::Property::Absent, ..draft() };
        let policy = UrlPolicy::default();
        assert!(without().validate_change(&before, &policy).is_ok_and(|it| it.secret.is_none()));
        let moved = OidcProviderDraft { issuer: "https://evil.example".into(), ..without() };
        let refused = moved.validate_change(&before, &policy).err().expect("refused");
        assert_eq!(paths(&refused), ["client_secret"]);
    }

    #[test]
    fn a_group_has_a_name_and_permissions() {
        let group = OidcGroup::from_text(" a = b = publish , contacts_api ").expect("a group");
        assert_eq!(group.name, "a = b");
        assert!(group.permissions.has(Permission::Publish));
        assert!(OidcGroup::from_text("a =").expect("a group").permissions.iter().next().is_none());
        for wrong in ["", "a", "= publish", "a = all"] {
            assert!(OidcGroup::from_text(wrong).is_err(), "{wrong}");
        }
    }
}
