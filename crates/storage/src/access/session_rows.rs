//! Rows of `sessions`, `sign_in_links` and `user_passwords`.

use diesel::QueryableByName;
use diesel::sql_types::{Bool, Nullable, SmallInt, Text};

use contact_hub_domain::access::{
    Caller, CompanyName, Link, LinkHolder, LinkPurpose, ListedSession, PasswordHash, Permissions,
    Session, SessionHolder, SignInCandidate, SignInMethod,
};
use contact_hub_domain::email::Email;
use contact_hub_domain::ids::{CompanyId, LinkId, SessionId, UserId};

use super::rows::CallerCompanyColumns;
use crate::columns::{Id, IdValue, Moment, MomentValue};
use crate::failure::Failure;

/// A row of `sessions`, without the hash.
#[derive(QueryableByName)]
pub(super) struct SessionRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    seen_at: MomentValue,
    #[diesel(sql_type = Moment)]
    confirmed_at: MomentValue,
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Self {
            id: SessionId::new(row.id.0),
            user_id: UserId::new(row.user_id.0),
            created_at: row.created_at.0,
            seen_at: row.seen_at.0,
            confirmed_at: row.confirmed_at.0,
        }
    }
}

/// A row of `sessions`, with what a list shows.
#[derive(QueryableByName)]
pub(super) struct ListedSessionRow {
    #[diesel(embed)]
    session: SessionRow,
    #[diesel(sql_type = Nullable<Text>)]
    address: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    browser: Option<String>,
}

impl From<ListedSessionRow> for ListedSession {
    fn from(row: ListedSessionRow) -> Self {
        let address = row.address.and_then(|text| text.parse().ok());
        Self { session: row.session.into(), address, browser: row.browser }
    }
}

/// A session, joined to its user and company.
#[derive(QueryableByName)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
pub(super) struct SessionHolderRow {
    #[diesel(embed)]
    session: SessionRow,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = SmallInt)]
    permissions: i16,
    #[diesel(sql_type = Nullable<Text>)]
    method: Option<String>,
    #[diesel(sql_type = Bool)]
    password_sign_in: bool,
    #[diesel(sql_type = Bool)]
    has_password: bool,
    #[diesel(sql_type = Bool)]
    is_person: bool,
    #[diesel(sql_type = Bool)]
    has_two_step: bool,
    #[diesel(sql_type = Bool)]
    has_passkey: bool,
    #[diesel(sql_type = Bool)]
    requires_two_step: bool,
    #[diesel(sql_type = Bool)]
    used_many_factors: bool,
    #[diesel(sql_type = Bool)]
    awaits_code: bool,
    #[diesel(sql_type = Text)]
    company_name: String,
    #[diesel(embed)]
    company: CallerCompanyColumns,
}

impl SessionHolderRow {
    pub(super) fn into_holder(self) -> Result<SessionHolder, Failure> {
        let session = Session::from(self.session);
        let company = self.company.into_company()?;
        let permissions = Permissions::from_bits(self.permissions);
        Ok(SessionHolder {
            session,
            caller: Caller { user_id: session.user_id, company, permissions },
            email: Email::from_stored(self.email),
            company_name: CompanyName::from_stored(self.company_name),
            method: self.method.as_deref().and_then(SignInMethod::parse),
            password_sign_in: self.password_sign_in,
            has_password: self.has_password,
            is_person: self.is_person,
            has_two_step: self.has_two_step,
            has_passkey: self.has_passkey,
            requires_two_step: self.requires_two_step,
            used_many_factors: self.used_many_factors,
            awaits_code: self.awaits_code,
        })
    }
}

/// A row of `sign_in_links`, without the hash, joined to its user.
#[derive(QueryableByName)]
pub(super) struct LinkRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Text)]
    purpose: String,
    #[diesel(sql_type = Moment)]
    created_at: MomentValue,
    #[diesel(sql_type = Moment)]
    expires_at: MomentValue,
    #[diesel(sql_type = Text)]
    email: String,
    #[diesel(sql_type = Bool)]
    password_sign_in: bool,
}

impl LinkRow {
    pub(super) fn into_holder(self) -> Result<LinkHolder, Failure> {
        let known = LinkPurpose::parse(&self.purpose);
        let corrupt = || Failure::Corrupt("sign_in_links.purpose".to_owned());
        let link = Link {
            id: LinkId::new(self.id.0),
            user_id: UserId::new(self.user_id.0),
            purpose: known.ok_or_else(corrupt)?,
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        };
        let email = Email::from_stored(self.email);
        Ok(LinkHolder { link, email, password_sign_in: self.password_sign_in })
    }
}

/// A user with the password, if there is one, and the company's setting.
#[derive(QueryableByName)]
pub(super) struct PasswordRow {
    #[diesel(sql_type = Id)]
    user_id: IdValue,
    #[diesel(sql_type = Id)]
    company_id: IdValue,
    #[diesel(sql_type = Nullable<Text>)]
    password_hash: Option<String>,
    #[diesel(sql_type = Bool)]
    password_sign_in: bool,
}

impl From<PasswordRow> for SignInCandidate {
    fn from(row: PasswordRow) -> Self {
        Self {
            user: UserId::new(row.user_id.0),
            company: CompanyId::new(row.company_id.0),
            password_sign_in: row.password_sign_in,
            password: row.password_hash.map(PasswordHash::new),
        }
    }
}
