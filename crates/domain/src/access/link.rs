//! One-time links, by which a person signs in without a password, once, and chooses one.
//!
//! A user has one link at most; a newer one takes its place. Reading a link leaves it as it is, because programs that look
//! into mail follow links; only redeeming it uses it up.

use std::net::IpAddr;

use super::attempt::Attempt;
use super::sign_in::{fresh_session, signed_in};
use super::{AccessError, Password, PasswordDraft, Redemption, SessionToken, SignedIn};
use crate::context::Ports;
use crate::email::Email;
use crate::ids::{CompanyId, LinkId, UserId};
use crate::property::Property;
use crate::time::Timestamp;

/// A link is over after this many seconds.
pub const LINK_SECONDS: i64 = 24 * 60 * 60;

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// It signs in. A password may be chosen on the way.
    SignIn,
    /// It signs in once a password is chosen.
    SetPassword,
}

impl LinkPurpose {
    /// Every purpose.
    pub const ALL: [Self; 2] = [Self::SignIn, Self::SetPassword];

    /// The word by which it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::SetPassword => "set_password",
        }
    }
}

/// A link, without its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The service's id.
    pub id: LinkId,
    /// Whom it signs in.
    pub user_id: UserId,
    /// What it is for.
    pub purpose: LinkPurpose,
    /// When it was made.
    pub created_at: Timestamp,
    /// From this moment on it is over.
    pub expires_at: Timestamp,
}

/// A new link with its token, which is shown this once.
#[derive(Clone, Debug)]
pub struct CreatedLink {
    /// The link.
    pub link: Link,
    /// Its secret.
    pub token: SessionToken,
}

impl CreatedLink {
    /// Where the person goes.
    #[must_use]
    pub fn url(&self, public_url: &str) -> String {
        format!("{public_url}/sign-in/{}", self.token.reveal())
    }
}

/// Whom a link signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkHolder {
    /// The link.
    pub link: Link,
    /// The user's address.
    pub email: Email,
}

/// Makes a link for a user of the company, or of any company for an operator. The one that the user had is over.
pub async fn create_link(
    ports: &Ports,
    company: Option<CompanyId>,
    user: UserId,
    purpose: LinkPurpose,
) -> Result<CreatedLink, AccessError> {
    let created = fresh_link(ports, user, purpose);
    if ports.sessions.create_link(company, created.link, created.token.hash()).await? {
        Ok(created)
    } else {
        Err(AccessError::UserNotFound)
    }
}

/// A fresh link of the user.
pub(super) fn fresh_link(ports: &Ports, user: UserId, purpose: LinkPurpose) -> CreatedLink {
    let now = ports.clock.now();
    let link = Link {
        id: LinkId::new(ports.ids.next()),
        user_id: user,
        purpose,
        created_at: now,
        expires_at: now.plus_seconds(LINK_SECONDS),
    };
    CreatedLink { link, token: SessionToken::from_random(ports.randomness.bytes()) }
}

/// Whose link this is; it stays as it is. Links that are none count as failed attempts to sign in.
pub async fn read_link(
    ports: &Ports,
    token: &str,
    address: IpAddr,
) -> Result<LinkHolder, AccessError> {
    let token = SessionToken::parse(token).ok_or(AccessError::LinkInvalid)?;
    let attempt = Attempt::from(ports, address)?;
    let holder = ports.sessions.link(token.hash()).await?;
    let now = ports.clock.now();
    let holder = holder.filter(|holder| now < holder.link.expires_at);
    if holder.is_some() {
        attempt.succeeded();
    }
    holder.ok_or(AccessError::LinkInvalid)
}

/// Uses a link up: begins a session of its user, with the password that was chosen from now on. A password that is refused
/// leaves the link as it is.
pub async fn redeem_link(
    ports: &Ports,
    token: &str,
    password: &Property<Password>,
    address: IpAddr,
) -> Result<SignedIn, AccessError> {
    let holder = read_link(ports, token, address).await?;
    let optional = holder.link.purpose == LinkPurpose::SignIn;
    let password = match password {
        Property::Absent | Property::Null if optional => None,
        password => {
            let draft = PasswordDraft { password: password.clone(), ..PasswordDraft::default() };
            Some(ports.passwords.hash(draft.validate()?, address).await?)
        }
    };
    let link = SessionToken::parse(token).ok_or(AccessError::LinkInvalid)?.hash();
    let (session, token) = fresh_session(ports, holder.link.user_id);
    let at = session.created_at;
    let redemption = Redemption { link, password, session, token: token.hash(), at };
    if ports.sessions.redeem(redemption).await? {
        signed_in(ports, token).await
    } else {
        Err(AccessError::LinkInvalid)
    }
}
