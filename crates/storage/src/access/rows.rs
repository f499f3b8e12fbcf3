//! Rows of `companies`, `users` and `api_keys`.

use std::sync::Arc;

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt, Text};

use contact_hub_domain::access::{
    Allowlist, ApiKey, Caller, CallerCompany, Company, CompanyKey, CompanyName, Days,
    DomainPattern, KeyHolder, Permissions, User,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{ApiKeyId, CompanyId, DirectoryId, UserId};

use crate::columns::{Id, IdValue, Json, JsonValue, Moment, MomentValue};
use crate::failure::Failure;

pub(super) const USER: &str =
    "users.id, users.company_id, users.email, users.permissions, users.created_at";

pub(super) const KEY: &str = "api_keys.id, api_keys.user_id, api_keys.name, api_keys.token_start, api_keys.expires_at, \
     api_keys.revoked_at, api_keys.last_used_at, api_keys.created_at";

pub(super) const COMPANY: &str = "companies.id, companies.directory_id, companies.name, companies.product_access, \
     companies.allowed_domains, companies.erase_deleted_after_days, companies.requires_two_step, \
     companies.password_sign_in, companies.created_at";

/// A row of `users`.
#[derive(QueryableByName)]
pub(super) struct UserRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

impl UserRow {
    pub(super) fn into_user(self) -> User {
        User {
            id: UserId::new(self.id.0),
            company_id: CompanyId::new(self.company_id.0),
            email: Email::from_stored(self.email),
            permissions: Permissions::from_bits(self.permissions),
            created_at: self.created_at.0,
        }
    }
}

/// A row of `companies`.
#[derive(QueryableByName)]
pub(super) struct CompanyRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    directory_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    product_access: bool,
    #[diesel(sql_type = Json)]
    allowed_domains: JsonValue,
    #[diesel(sql_type = Nullable<Integer>)]
    erase_deleted_after_days: Option<i32>,
    #[diesel(sql_type = Bool)]
    requires_two_step: bool,
    #[diesel(sql_type = Bool)]
    password_sign_in: bool,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

impl CompanyRow {
    pub(super) fn into_company(self) -> Result<Company, Failure> {
        Ok(Company {
            id: CompanyId::new(self.id.0),
            directory_id: DirectoryId::new(self.directory_id.0),
            name: CompanyName::from_stored(self.name),
            product_access: self.product_access,
            allowed_domains: decode_allowlist(&self.allowed_domains)?,
            erase_deleted_after: self.erase_deleted_after_days.and_then(Days::from_stored),
            requires_two_step: self.requires_two_step,
            password_sign_in: self.password_sign_in,
            created_at: self.created_at.0,
        })
    }
}

/// The columns of the company that a key or a session is joined to.
#[derive(QueryableByName)]
pub(super) struct CallerCompanyColumns {
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Id)]
    directory_id: IdValue,
    #[diesel(sql_type = Bool)]
    product_access: bool,
    #[diesel(sql_type = Json)]
    allowed_domains: JsonValue,
    #[diesel(sql_type = Bool)]
    has_blocked_emails: bool,
}

impl CallerCompanyColumns {
    pub(super) fn into_company(self) -> Result<CallerCompany, Failure> {
        Ok(CallerCompany {
            id: CompanyId::new(self.company_id.0),
            directory_id: DirectoryId::new(self.directory_id.0),
            product_access: self.product_access,
            allowed_domains: Arc::new(decode_allowlist(&self.allowed_domains)?),
            has_blocked_emails: self.has_blocked_emails,
        })
    }
}

/// A key that is not revoked, joined to its user and company.
#[derive(QueryableByName)]
pub(super) struct HolderRow {
    #[diesel(sql_type = Id)]
    key_id: IdValue,
    #[diesel(sql_type = Nullable<Moment>)]
    expires_at: Option<MomentValue>,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
    #[diesel(embed)]
    company: CallerCompanyColumns,
}

impl HolderRow {
    pub(super) fn into_holder(self) -> Result<KeyHolder, Failure> {
        let company = self.company.into_company()?;
        let key_id = ApiKeyId::new(self.key_id.0);
        let caller = Caller {
            user_id: UserId::new(self.user_id.0),
            company,
            permissions: Permissions::from_bits(self.permissions),
        };
        Ok(KeyHolder { key_id, caller, expires_at: self.expires_at.map(|moment| moment.0) })
    }
}

/// A row of `api_keys`, without the hash.
#[derive(QueryableByName)]
pub(super) struct KeyRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    token_start: String,
    #[diesel(sql_type = Nullable<Moment>)]
    expires_at: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Moment>)]
    revoked_at: Option<MomentValue>,
    #[diesel(sql_type = Nullable<Moment>)]
    last_used_at: Option<MomentValue>,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
}

impl From<KeyRow> for ApiKey {
    fn from(row: KeyRow) -> Self {
        let moment = |value: Option<MomentValue>| value.map(|moment| moment.0);
        Self {
            id: ApiKeyId::new(row.id.0),
            user_id: UserId::new(row.user_id.0),
            name: row.name,
            start: row.token_start,
            expires_at: moment(row.expires_at),
            revoked_at: moment(row.revoked_at),
            last_used_at: moment(row.last_used_at),
            created_at: row.created_at.0,
        }
    }
}

/// A row of `api_keys` with its row of `users`.
#[derive(QueryableByName)]
pub(super) struct CompanyKeyRow {
    #[diesel(embed)]
    key: KeyRow,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
}

impl From<CompanyKeyRow> for CompanyKey {
    fn from(row: CompanyKeyRow) -> Self {
        Self {
            key: row.key.into(),
            email: Email::from_stored(row.email),
            permissions: Permissions::from_bits(row.permissions),
        }
    }
}

pub(super) fn encode_allowlist(list: &Allowlist) -> JsonValue {
    let patterns: Vec<&str> = list.patterns().iter().map(DomainPattern::as_str).collect();
    JsonValue(serde_json::Value::from(patterns).to_string())
}

pub(super) fn decode_allowlist(json: &JsonValue) -> Result<Allowlist, Failure> {
    let patterns: Vec<String> = serde_json::from_str(&json.0)
        .map_err(|_not_json| Failure::Corrupt("companies.allowed_domains".to_owned()))?;
    Ok(Allowlist::new(patterns.into_iter().map(DomainPattern::from_stored).collect()))
}
