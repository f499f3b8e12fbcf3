//! One-time links, with which a person signs in once without a password, and chooses one.
//!
//! Users whose company does not allow sign-in by password choose none.
//!
//! A user has at most one link; a newer one replaces it. Reading a link does not consume it, because mail scanners
//! follow links; only redeeming it does.

use std::net::IpAddr;

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::attempt::Attempt;
use super::password_sign_in::password_sign_in_off;
use super::sign_in::{fresh_session, signed_in};
use super::{AccessError, Password, PasswordDraft, Redemption, SessionToken, SignedIn};
use crate::author::{Author, Call};
use crate::context::AccessPorts;
use crate::email::Email;
use crate::ids::{LinkId, UserId};
use crate::property::Property;
use crate::time::Timestamp;

/// A link expires after this many seconds.
pub const LINK_SECONDS: i64 = 24 * 60 * 60;

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum LinkPurpose {
    /// It signs in, with or without a new password.
    SignIn,
    /// It signs in with a new password.
    SetPassword,
}

/// A link, without its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The service's id.
    pub id: LinkId,
    /// The user that it signs in.
    pub user_id: UserId,
    /// Its purpose.
    pub purpose: LinkPurpose,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A new link with its token, which is shown only once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CreatedLink {
    /// The link.
    pub link: Link,
    /// Its secret.
    pub token: SessionToken,
}

impl CreatedLink {
    /// The address to open.
    #[must_use]
    pub fn url(&self, public_url: &str) -> String {
        format!("{public_url}/sign-in/{}", self.token.reveal())
    }
}

/// The user of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkHolder {
    /// The link.
    pub link: Link,
    /// The user's address.
    pub email: Email,
    /// Whether the company lets its users sign in with a password.
    pub password_sign_in: bool,
}

impl LinkHolder {
    /// Whether a password has to be chosen.
    #[must_use]
    pub fn needs_password(&self) -> bool {
        self.link.purpose == LinkPurpose::SetPassword && self.password_sign_in
    }
}

/// Creates a link for a user of the author's company; an operator (`None`) may name a user of any company. It replaces
/// the user's earlier link.
pub async fn create_link(
    ports: &AccessPorts,
    by: Option<Author>,
    user: UserId,
    purpose: LinkPurpose,
) -> Result<CreatedLink, AccessError> {
    let created = fresh_link(ports, user, purpose);
    if ports.sessions.create_link(by, created.link, created.token.hash()).await? {
        Ok(created)
    } else {
        Err(AccessError::UserNotFound)
    }
}

/// A new link of the user, not yet stored.
pub(super) fn fresh_link(ports: &AccessPorts, user: UserId, purpose: LinkPurpose) -> CreatedLink {
    let now = ports.environment.clock.now();
    let link = Link {
        id: LinkId::new(ports.environment.ids.next()),
        user_id: user,
        purpose,
        created_at: now,
        expires_at: now.plus_seconds(LINK_SECONDS),
    };
    CreatedLink { link, token: SessionToken::from_random(ports.environment.randomness.bytes()) }
}

/// Finds the user of a link without consuming it. Invalid links count as failed attempts to sign in.
pub async fn read_link(
    ports: &AccessPorts,
    token: &str,
    address: IpAddr,
) -> Result<LinkHolder, AccessError> {
    let token = SessionToken::parse(token).ok_or(AccessError::LinkInvalid)?;
    let attempt = Attempt::from(ports, address).await?;
    let holder = ports.sessions.link(token.hash()).await?;
    let now = ports.environment.clock.now();
    let holder = holder.filter(|holder| now < holder.link.expires_at);
    if holder.is_some() {
        attempt.succeeded();
    }
    holder.ok_or(AccessError::LinkInvalid)
}

/// Consumes a link: sets the chosen password and begins a session of its user. A rejected password does not consume the
/// link.
pub async fn redeem_link(
    ports: &AccessPorts,
    token: &str,
    password: &Property<Password>,
    address: IpAddr,
    call: &Call,
) -> Result<SignedIn, AccessError> {
    let holder = read_link(ports, token, address).await?;
    let password = match password {
        Property::Absent | Property::Null if !holder.needs_password() => None,
        _ if !holder.password_sign_in => return Err(password_sign_in_off("password").into()),
        password => {
            let draft = PasswordDraft { password: password.clone(), ..PasswordDraft::default() };
            Some(ports.passwords.hash(draft.validate()?, address).await?)
        }
    };
    let link = SessionToken::parse(token).ok_or(AccessError::LinkInvalid)?.hash();
    let (session, token) = fresh_session(ports, holder.link.user_id);
    let at = session.created_at;
    let redemption =
        Redemption { link, password, session, token: token.hash(), call: call.clone(), at };
    if ports.sessions.redeem(redemption).await? {
        signed_in(ports, token).await
    } else {
        Err(AccessError::LinkInvalid)
    }
}
