//! The page of a sign-in by an identity provider that failed.

use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::access::{OidcClientError, OidcError, OidcRefusal};

use crate::error::{Answer, Code};
use crate::pages::frame::Frame;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/oidc/failed.html")]
struct FailedPage {
    frame: Frame,
    sentence: &'static str,
    /// What the provider said.
    answer: String,
    back: &'static str,
}

/// The page of a failure. `is_signed_in` determines whether the person goes back to the account or has to sign in.
pub(super) fn failed(provider: &str, error: OidcError, is_signed_in: bool) -> Answer {
    let error = match error {
        OidcError::Access(error) => return Err(error.into()),
        error => error,
    };
    let reason = error.reason();
    let (status, sentence) = match &error {
        OidcError::UnknownProvider | OidcError::Access(_) => return Err(Code::NotFound.into()),
        OidcError::Over => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "This sign-in is over or was used already. Start again.",
        ),
        OidcError::Answered(_) => {
            (StatusCode::UNPROCESSABLE_ENTITY, "Your identity provider did not sign you in.")
        }
        OidcError::Client(OidcClientError::Unavailable(_)) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "Your identity provider cannot be reached now. Try again later, or sign in another way.",
        ),
        OidcError::Client(OidcClientError::Invalid(_)) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "The answer of your identity provider is not valid. Start again.",
        ),
        OidcError::Refused(refusal) => (StatusCode::FORBIDDEN, sentence(*refusal)),
    };
    tracing::warn!(provider, reason, "a sign-in by an identity provider failed");
    let answer = match error {
        OidcError::Answered(answer) => answer,
        _ => String::new(),
    };
    let back = if is_signed_in { "/account" } else { "/sign-in" };
    let page = FailedPage { frame: Frame::bare("Not signed in"), sentence, answer, back };
    respond::page_with(status, &page)
}

const fn sentence(refusal: OidcRefusal) -> &'static str {
    match refusal {
        OidcRefusal::NoUser => {
            "No user here has your email. Ask someone who manages users of your company to add you."
        }
        OidcRefusal::NoEmail => {
            "Your identity provider did not give your email, so you cannot be found."
        }
        OidcRefusal::EmailNotVerified => {
            "Your identity provider has not verified your email. Verify it there, and sign in again."
        }
        OidcRefusal::OtherDomain => {
            "This identity provider is not used for the domain of your email."
        }
        OidcRefusal::OtherSubject => {
            "The user with your email is linked to another account at your identity provider. Ask someone who manages \
             users of your company."
        }
        OidcRefusal::CompanyFull => "Your company has as many users as it may have.",
        OidcRefusal::OtherUser => "You signed in at your identity provider as a different user.",
        OidcRefusal::NotConfirmed => {
            "Your identity provider did not ask you to sign in again, so nothing was confirmed."
        }
    }
}
