//! The first company of an empty store.

use super::create_key::fresh_key;
use super::link::fresh_link;
use super::{
    AccessError, Company, CompanyDraft, CreatedKey, CreatedLink, KeyDraft, LinkPurpose,
    Permissions, User,
};
use crate::context::AccessPorts;
use crate::email::Email;
use crate::ids::UserId;
use crate::input::FromText;
use crate::property::Property;
use crate::violations::Violations;

/// The first company and how its owner gets access.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bootstrapped {
    /// The company.
    pub company: Company,
    /// Its owner, with all permissions.
    pub owner: User,
    /// The owner's key.
    pub key: CreatedKey,
    /// The link by which the owner signs in.
    pub link: CreatedLink,
}

/// Creates a company and its owner with all permissions, with a key and a sign-in link. Returns `None` if there is a
/// company already.
pub async fn bootstrap(ports: &AccessPorts) -> Result<Option<Bootstrapped>, AccessError> {
    let first = first_company(ports)?;
    let key = (first.key.key.clone(), first.key.token.hash());
    let link = (first.link.link, first.link.token.hash());
    let made =
        ports.access.bootstrap(first.company.clone(), first.owner.clone(), key, link).await?;
    Ok(made.then_some(first))
}

fn first_company(ports: &AccessPorts) -> Result<Bootstrapped, Violations> {
    let draft = CompanyDraft {
        name: "My company".into(),
        allowed_domains: Property::Absent,
        product_access: true,
    };
    let company = draft.validate(ports)?;
    let email = Email::from_text("owner@contact-hub.example");
    let owner = User {
        id: UserId::new(ports.environment.ids.next()),
        company_id: company.id,
        email: email.map_err(|problem| Violations::one("email", problem))?,
        permissions: Permissions::all(),
        created_at: company.created_at,
    };
    let draft = KeyDraft { name: "First key".into(), ..KeyDraft::default() };
    let key = fresh_key(ports, owner.id, &draft)?;
    let link = fresh_link(ports, owner.id, LinkPurpose::SignIn);
    Ok(Bootstrapped { company, owner, key, link })
}
