//! Sample companies, users, keys, fields and contacts.

use contact_hub_domain::access::{
    AccessStore, Allowlist, ApiKey, Company, CompanyName, CreateKeyOutcome, CreateUserOutcome,
    DomainPattern, Link, LinkPurpose, Permission, Permissions, SessionToken, Token, TokenHash,
    User,
};
use contact_hub_domain::author::Author;
use contact_hub_domain::contacts::{
    Contact, ContactDraft, ContactStore, ListOutcome, ListQuery, NewContact,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::fields::{
    CreateFieldOutcome, Directory, Field, FieldLimits, FieldName, FieldStore, FieldType, Filterable,
};
use contact_hub_domain::ids::{
    ApiKeyId, CompanyId, ContactId, DirectoryId, FieldId, LinkId, UserId,
};
use contact_hub_domain::input::{FromText, Input};
use contact_hub_domain::page::Page;
use contact_hub_domain::time::Timestamp;
use contact_hub_storage::Storage;
use uuid::Uuid;

/// A limit that no test reaches.
pub(super) const MANY: usize = 1000;

/// The time this many microseconds after the start of 2026.
pub(crate) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000 + micros).expect("in range")
}

/// The author of writes that only prepare a test.
pub(crate) fn operator() -> Author {
    CompanyId::new(Uuid::nil()).into()
}

/// A user as the author.
pub(crate) fn author(company: CompanyId, user: UserId) -> Author {
    Author { user: Some(user), ..company.into() }
}

pub(crate) fn company() -> Company {
    Company {
        id: CompanyId::new(Uuid::now_v7()),
        directory_id: DirectoryId::new(Uuid::now_v7()),
        name: CompanyName::from_text("Acme").expect("a name"),
        product_access: true,
        requires_two_step: false,
        password_sign_in: true,
        erase_deleted_after: None,
        allowed_domains: Allowlist::new(vec![
            DomainPattern::from_text("*.example.com").expect("a pattern"),
            DomainPattern::from_text("exämple.de").expect("a pattern"),
        ]),
        created_at: at(1),
    }
}

pub(crate) fn user(company: CompanyId, email: &str) -> User {
    User {
        id: UserId::new(Uuid::now_v7()),
        company_id: company,
        email: Email::from_text(email).expect("an email"),
        permissions: [Permission::ContactsApi, Permission::Publish].into_iter().collect(),
        created_at: at(2),
    }
}

/// A key with its own token.
pub(crate) fn key(user: UserId) -> (ApiKey, TokenHash) {
    let (id, randomness) = (Uuid::now_v7(), Uuid::new_v4());
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(randomness.as_bytes());
    let token = Token::from_random(bytes);
    let key = ApiKey {
        id: ApiKeyId::new(id),
        user_id: user,
        name: "A key".to_owned(),
        start: token.start().to_owned(),
        expires_at: Some(at(9_999_999)),
        revoked_at: None,
        last_used_at: None,
        created_at: at(3),
    };
    (key, token.hash())
}

/// A link with its own token.
pub(crate) fn link(user: UserId) -> (Link, TokenHash) {
    let link = Link {
        id: LinkId::new(Uuid::now_v7()),
        user_id: user,
        purpose: LinkPurpose::SetPassword,
        created_at: at(3),
        expires_at: at(500),
    };
    (link, session_token())
}

/// The hash of a fresh token.
pub(crate) fn session_token() -> TokenHash {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(Uuid::new_v4().as_bytes());
    SessionToken::from_random(bytes).hash()
}

/// A page of a list, with any amount of values.
pub(crate) async fn page_of(
    store: &dyn ContactStore,
    company: CompanyId,
    query: ListQuery,
) -> Page<Contact> {
    let outcome = ContactStore::list(store, company, query, u32::MAX).await.expect("a list");
    let ListOutcome::Listed(page) = outcome else { unreachable!("any amount is allowed") };
    page
}

/// A stored company.
pub(crate) async fn stored_company(storage: &Storage) -> Company {
    let company = company();
    storage.create_company(company.clone()).await.expect("a company");
    company
}

/// A stored company with a user and a key.
pub(crate) async fn stored_key(storage: &Storage) -> (Company, User, ApiKey, TokenHash) {
    let company = stored_company(storage).await;
    let user = user(company.id, "api@acme.example");
    let made = storage.create_user(operator(), user.clone(), MANY).await.expect("a user");
    assert_eq!(made, CreateUserOutcome::Created);
    let (key, hash) = key(user.id);
    let outcome = storage.create_key(None, key.clone(), hash, MANY).await.expect("a key");
    assert_eq!(outcome, CreateKeyOutcome::Created);
    (company, user, key, hash)
}

/// At most this many fields.
pub(crate) const fn limits(fields: usize) -> FieldLimits {
    FieldLimits { in_use: fields, filterable: fields }
}

pub(crate) fn field(company: &Company, name: &str, kind: FieldType) -> Field {
    let name = FieldName::from_text(name).expect("a name");
    Field {
        id: FieldId::new(Uuid::now_v7()),
        key: name.key().clone(),
        name: name.as_str().to_owned(),
        kind,
        directory_id: company.directory_id,
        archived: false,
        filterable: Filterable::No,
    }
}

/// A stored field.
pub(crate) async fn stored_field(storage: &Storage, company: &Company, name: &str) -> Field {
    let field = field(company, name, FieldType::Number);
    let made =
        FieldStore::create(storage, company.id.into(), field.clone(), limits(1000), at(1)).await;
    assert_eq!(made.expect("a field"), CreateFieldOutcome::Created);
    field
}

/// A contact to be created, with number values.
pub(crate) fn new_contact(
    directory: &Directory,
    email: &str,
    values: &[(&str, &str)],
) -> NewContact {
    let entries = values.iter().map(|(key, number)| {
        let raw = if *number == "null" { Input::Null } else { Input::Number((*number).to_owned()) };
        ((*key).to_owned(), raw)
    });
    let draft = ContactDraft {
        email: email.into(),
        first_name: "Ann".into(),
        last_name: "Lee".into(),
        avatar_url: "https://pictures.example/1".into(),
        field_values: entries.collect(),
    };
    let input = draft.validate(directory).expect("a valid contact");
    NewContact { id: ContactId::new(Uuid::now_v7()), input, at: at(4) }
}

pub(crate) fn all_permissions() -> Permissions {
    Permissions::all()
}
