//! Finish a sign-in by an identity provider.

use std::net::IpAddr;

use super::begin::provider_with;
use super::confirming::confirm;
use super::failures::note;
use super::secret::Derived;
use super::{
    OidcAttempt, OidcClaims, OidcError, OidcGrant, OidcPerson, OidcProvider, OidcRefusal,
    OidcSignIn, OidcSignInOutcome,
};
use crate::access::attempt::Attempt;
use crate::access::sign_in::{fresh_session, signed_in};
use crate::access::{SessionHolder, SessionToken, SignedIn, User};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::email::Email;
use crate::ids::UserId;
use crate::input::FromText;
use crate::time::Timestamp;

/// The longest text of a provider that is shown, in characters.
const MAX_ANSWER: usize = 300;

/// The answer with which a browser comes back; absent members are empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct OidcAnswer<'a> {
    /// The state of the request.
    pub state: &'a str,
    /// The code to redeem.
    pub code: &'a str,
    /// The issuer.
    pub issuer: &'a str,
    /// The error's code.
    pub error: &'a str,
    /// The error in words.
    pub description: &'a str,
}

/// The outcome of an answer.
#[derive(Clone, Debug)]
pub enum OidcFinished {
    /// A session has begun. The second value is the page to redirect to.
    SignedIn(Box<SignedIn>, String),
    /// The session's user proved again who they are, and is redirected to this page.
    Confirmed(String),
}

/// Handles the answer with which a browser comes back from a provider. `browser` is the browser's secret, and `holder`
/// its signed-in user. An answer is accepted once, and only from the browser in which the sign-in began.
pub async fn finish_oidc(
    ports: &AccessPorts,
    provider: &str,
    browser: &str,
    answer: OidcAnswer<'_>,
    holder: Option<&SessionHolder>,
    address: IpAddr,
    call: &Call,
) -> Result<OidcFinished, OidcError> {
    let admitted = Attempt::from(ports, address).await?;
    let provider = provider_with(ports, provider).await?;
    match answered(ports, &provider, browser, answer, holder, call).await {
        Ok((finished, begun_at)) => {
            admitted.finished(begun_at);
            Ok(finished)
        }
        Err(error) => {
            note(ports, &provider, &error, call);
            Err(error)
        }
    }
}

async fn answered(
    ports: &AccessPorts,
    provider: &OidcProvider,
    browser: &str,
    answer: OidcAnswer<'_>,
    holder: Option<&SessionHolder>,
    call: &Call,
) -> Result<(OidcFinished, Timestamp), OidcError> {
    let browser = SessionToken::parse(browser).ok_or(OidcError::Over)?;
    let derived = Derived(&browser);
    // Checked before the sign-in is removed, so that another site cannot end it by sending the browser here.
    if !derived.is_state(answer.state) {
        return Err(OidcError::Over);
    }
    let attempt = ports.oidc.store.take_oidc(browser.hash()).await?.ok_or(OidcError::Over)?;
    let now = ports.environment.clock.now();
    if attempt.provider != provider.key.as_str() || !attempt.is_open(now) {
        return Err(OidcError::Over);
    }
    if !answer.error.is_empty() || answer.code.is_empty() {
        return Err(OidcError::Answered(words(answer)));
    }
    let grant = OidcGrant {
        redirect: ports.oidc.redirect(&provider.key),
        code: answer.code.to_owned(),
        issuer: (!answer.issuer.is_empty()).then(|| answer.issuer.to_owned()),
        nonce: derived.nonce(),
        verifier: derived.verifier(),
        now,
    };
    let claims = ports.oidc.client.redeem(provider, grant).await?;
    if attempt.session.is_some() {
        confirm(ports, provider, &attempt, &claims, holder).await?;
        return Ok((OidcFinished::Confirmed(attempt.next), attempt.started_at));
    }
    let finished = begin_session(ports, provider, &attempt, claims, call).await?;
    Ok((finished, attempt.started_at))
}

/// The provider's error as text, without control characters.
fn words(answer: OidcAnswer<'_>) -> String {
    let error = if answer.error.is_empty() { "no code" } else { answer.error };
    let text = match answer.description {
        "" => error.to_owned(),
        description => format!("{description} ({error})"),
    };
    text.chars().filter(|char| !char.is_control()).take(MAX_ANSWER).collect()
}

async fn begin_session(
    ports: &AccessPorts,
    provider: &OidcProvider,
    attempt: &OidcAttempt,
    claims: OidcClaims,
    call: &Call,
) -> Result<OidcFinished, OidcError> {
    let id = UserId::new(ports.environment.ids.next());
    let (session, token) = fresh_session(ports, id);
    let email = email_of(provider, &claims);
    let permissions = provider.groups.as_ref().map(|groups| groups.of(&claims.groups));
    let new_user = provider.creates_users_in.zip(email.as_ref().ok()).map(|(company_id, email)| {
        let (email, permissions) = (email.clone(), permissions.unwrap_or_default());
        User { id, company_id, email, permissions, created_at: session.created_at }
    });
    let sign_in = OidcSignIn {
        person: OidcPerson {
            subject: provider.subject(claims.subject),
            company: provider.company,
            email: email.as_ref().ok().cloned(),
        },
        new_user,
        max_users: ports.environment.limits.users,
        permissions,
        used_many_factors: claims.used_many_factors,
        session,
        token: token.hash(),
        call: call.clone(),
    };
    let refusal = match ports.oidc.store.sign_in_by_oidc(sign_in).await? {
        OidcSignInOutcome::Begun => {
            let signed_in = signed_in(ports, token).await?;
            return Ok(OidcFinished::SignedIn(Box::new(signed_in), attempt.next.clone()));
        }
        OidcSignInOutcome::NoUser => email.err().unwrap_or(OidcRefusal::NoUser),
        OidcSignInOutcome::OtherSubject => OidcRefusal::OtherSubject,
        OidcSignInOutcome::Full => OidcRefusal::CompanyFull,
    };
    Err(OidcError::Refused(refusal))
}

/// The email, if it is verified and the provider vouches for its domain.
fn email_of(provider: &OidcProvider, claims: &OidcClaims) -> Result<Email, OidcRefusal> {
    let text = claims.email.as_deref().ok_or(OidcRefusal::NoEmail)?;
    if !claims.email_verified.unwrap_or(provider.trusts_emails) {
        return Err(OidcRefusal::EmailNotVerified);
    }
    let email = Email::from_text(text).map_err(|_malformed| OidcRefusal::NoEmail)?;
    if provider.vouches_for(&email) { Ok(email) } else { Err(OidcRefusal::OtherDomain) }
}
