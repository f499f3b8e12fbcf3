//! The one table from errors to answers.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpResponse, ResponseError};

use contact_hub_domain::access::{AccessError, RateLimitState};
use contact_hub_domain::changes::ChangesError;
use contact_hub_domain::contacts::ContactsError;
use contact_hub_domain::fields::FieldsError;
use contact_hub_domain::idempotency::IdempotencyError;
use contact_hub_domain::ids::SyncId;
use contact_hub_domain::ports::StoreError;
use contact_hub_domain::sync::SyncError;
use contact_hub_domain::violations::{Problem, Violations};
use contact_hub_domain::webhooks::WebhooksError;

use crate::unavailable;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $status:ident, $message:literal;)+) => {
        /// A machine-readable error code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $($(#[$doc])* $variant,)+
        }

        impl Code {
            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)+ }
            }

            pub(crate) const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }
        }
    };
}

codes! {
    Unauthenticated = "UNAUTHENTICATED", UNAUTHORIZED, "The bearer token is missing, invalid or expired.";
    AccessDenied = "ACCESS_DENIED", FORBIDDEN, "The account lacks the product access or the permission for this call.";
    EmailDomainNotAllowed = "EMAIL_DOMAIN_NOT_ALLOWED", BAD_REQUEST, "The email's domain is not on the company's recipient domain allowlist.";
    ContactNotFound = "CONTACT_NOT_FOUND", NOT_FOUND, "There is no contact with this id.";
    FieldNotFound = "FIELD_NOT_FOUND", NOT_FOUND, "There is no field with this id.";
    AssetNotFound = "ASSET_NOT_FOUND", NOT_FOUND, "There is no asset with this id.";
    IntegrationNotFound = "INTEGRATION_NOT_FOUND", NOT_FOUND, "There is no integration with this id.";
    WebhookNotFound = "WEBHOOK_NOT_FOUND", NOT_FOUND, "There is no webhook with this id.";
    DeliveryNotFound = "DELIVERY_NOT_FOUND", NOT_FOUND, "There is no delivery with this id.";
    CompanyNotFound = "COMPANY_NOT_FOUND", NOT_FOUND, "There is no such company.";
    UserNotFound = "USER_NOT_FOUND", NOT_FOUND, "There is no user with this id.";
    ApiKeyNotFound = "API_KEY_NOT_FOUND", NOT_FOUND, "There is no API key with this id.";
    ContactAlreadyExists = "CONTACT_ALREADY_EXISTS", CONFLICT, "An active contact has this email.";
    ContactErased = "CONTACT_ERASED", CONFLICT, "The person who had this email was erased, and the email is blocked. It can be unblocked.";
    FieldAlreadyExists = "FIELD_ALREADY_EXISTS", CONFLICT, "A field has this key.";
    UserAlreadyExists = "USER_ALREADY_EXISTS", CONFLICT, "A user of the company has this email.";
    OwnAccess = "OWN_ACCESS", CONFLICT, "You cannot delete yourself or take manage_access from yourself; another user who has it can.";
    SyncNotRequested = "SYNC_NOT_REQUESTED", CONFLICT, "No open sync matches this report.";
    SyncAmbiguous = "SYNC_AMBIGUOUS", CONFLICT, "Several syncs of the asset are open; name one as sync_id.";
    AssetTypeNotSupported = "ASSET_TYPE_NOT_SUPPORTED", CONFLICT, "The integration does not take assets of this type.";
    WebhookNotConfigured = "WEBHOOK_NOT_CONFIGURED", CONFLICT, "No enabled webhook subscribes to syncRequested.";
    CursorExpired = "CURSOR_EXPIRED", GONE, "Entries after this cursor are no longer kept: begin again with an export.";
    IdempotencyKeyInUse = "IDEMPOTENCY_KEY_IN_USE", CONFLICT, "A call with this Idempotency-Key is in progress; repeat this one to get its answer.";
    IdempotentAnswerGone = "IDEMPOTENT_ANSWER_GONE", GONE, "The call with this Idempotency-Key was done, but its large answer was not kept, as too many are. Read what you need instead.";
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY, "This Idempotency-Key was used for another request; use a new key for each request.";
    BadRequest = "BAD_REQUEST", BAD_REQUEST, "This is not a valid request of HTTP/1.1. In its target, spaces, quotation marks, <, > and letters beyond ASCII must be percent-encoded.";
    RequestHeaderFieldsTooLarge = "REQUEST_HEADER_FIELDS_TOO_LARGE", REQUEST_HEADER_FIELDS_TOO_LARGE, "The request has too many or too long headers, or a too long target.";
    NotFound = "NOT_FOUND", NOT_FOUND, "There is nothing at this address.";
    PreconditionFailed = "PRECONDITION_FAILED", PRECONDITION_FAILED, "It has changed since the version that If-Match names.";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED, "This address does not take this method; see the Allow header.";
    NotAcceptable = "NOT_ACCEPTABLE", NOT_ACCEPTABLE, "This address answers with application/x-ndjson or text/csv only.";
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", PAYLOAD_TOO_LARGE, "The body is larger than this address takes.";
    RequestTimeout = "REQUEST_TIMEOUT", REQUEST_TIMEOUT, "The request did not arrive in time.";
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", UNSUPPORTED_MEDIA_TYPE, "The body must be JSON in UTF-8, without a content encoding.";
    ServiceUnavailable = "SERVICE_UNAVAILABLE", SERVICE_UNAVAILABLE, "The service cannot answer right now; try again soon.";
    InternalError = "INTERNAL_ERROR", INTERNAL_SERVER_ERROR, "The service failed; the request id tells the operator which call it was.";
}

/// How long a client waits before it tries an unavailable service again, in seconds.
const UNAVAILABLE_SECONDS: &str = "2";

/// The same before it repeats a call with an idempotency key that is in progress.
const IN_USE_SECONDS: &str = "1";

/// The type of a rate-limit error.
pub(crate) const RATE_LIMITED: &str = "rate_limit_exceeded";

/// An error as the client sees it; the middleware writes the envelope.
#[derive(Debug)]
pub(crate) enum ApiError {
    /// An application error.
    Application { code: Code, message: String, cause: Option<StoreError> },
    /// An application error that lists the asset's open syncs.
    OpenSyncs { code: Code, open: Vec<SyncId> },
    /// Too many calls.
    RateLimited(RateLimitState),
    /// A validation error.
    Validation(Violations),
}

/// What a handler returns.
pub(crate) type Answer = Result<HttpResponse, ApiError>;

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self::Application { code, message: message.into(), cause: None }
    }

    /// A body that the service cannot read at all.
    pub(crate) fn unreadable_body(sentence: &str) -> Self {
        Self::Validation(Violations::one("body", Problem::new(sentence)))
    }

    /// How long a client waits before it tries again, in seconds; `None` when that would not help.
    pub(crate) fn retry_after(&self) -> Option<HeaderValue> {
        match self {
            Self::RateLimited(rate_limit) => Some(HeaderValue::from(rate_limit.wait_seconds)),
            Self::Application { code: Code::ServiceUnavailable, .. } => {
                Some(HeaderValue::from_static(UNAVAILABLE_SECONDS))
            }
            Self::Application { code: Code::IdempotencyKeyInUse, .. } => {
                Some(HeaderValue::from_static(IN_USE_SECONDS))
            }
            Self::Application { .. } | Self::OpenSyncs { .. } | Self::Validation(_) => None,
        }
    }

    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::Application { code, .. } | Self::OpenSyncs { code, .. } => code.status(),
            Self::Validation(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
        }
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Self::new(code, code.message())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let code = match error {
            StoreError::Unavailable(_) => Code::ServiceUnavailable,
            StoreError::Corrupt(_) | StoreError::Failed(_) => Code::InternalError,
        };
        Self::Application { code, message: code.message().to_owned(), cause: Some(error) }
    }
}

impl From<Violations> for ApiError {
    fn from(violations: Violations) -> Self {
        Self::Validation(violations)
    }
}

impl From<ContactsError> for ApiError {
    fn from(error: ContactsError) -> Self {
        match error {
            ContactsError::Invalid(violations) => Self::Validation(violations),
            ContactsError::DomainNotAllowed => Code::EmailDomainNotAllowed.into(),
            ContactsError::NotFound => Code::ContactNotFound.into(),
            ContactsError::Stale => Code::PreconditionFailed.into(),
            ContactsError::AlreadyExists(holder) => Self::new(
                Code::ContactAlreadyExists,
                format!("The active contact {holder} has this email."),
            ),
            ContactsError::Erased => Code::ContactErased.into(),
            ContactsError::EmailOfDeleted => Self::new(
                Code::ContactAlreadyExists,
                "A deleted contact has this email. Creating a contact with it restores that one.",
            ),
            ContactsError::Store(error) => error.into(),
        }
    }
}

impl From<ChangesError> for ApiError {
    fn from(error: ChangesError) -> Self {
        match error {
            ChangesError::CursorExpired => Code::CursorExpired.into(),
            ChangesError::Store(error) => error.into(),
        }
    }
}

impl From<FieldsError> for ApiError {
    fn from(error: FieldsError) -> Self {
        match error {
            FieldsError::Invalid(violations) => Self::Validation(violations),
            FieldsError::NotFound => Code::FieldNotFound.into(),
            FieldsError::AlreadyExists(holder) => Self::new(
                Code::FieldAlreadyExists,
                format!(
                    "The field \"{}\" ({}) has the key {}.",
                    holder.name, holder.id, holder.key
                ),
            ),
            FieldsError::Store(error) => error.into(),
        }
    }
}

impl From<SyncError> for ApiError {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Invalid(violations) => Self::Validation(violations),
            SyncError::AssetNotFound => Code::AssetNotFound.into(),
            SyncError::IntegrationNotFound => Code::IntegrationNotFound.into(),
            SyncError::AssetTypeNotSupported => Code::AssetTypeNotSupported.into(),
            SyncError::WebhookNotConfigured => Code::WebhookNotConfigured.into(),
            SyncError::NotRequested(open) => Self::OpenSyncs { code: Code::SyncNotRequested, open },
            SyncError::Ambiguous(open) => Self::OpenSyncs { code: Code::SyncAmbiguous, open },
            SyncError::Store(error) => error.into(),
        }
    }
}

impl From<IdempotencyError> for ApiError {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::KeyInUse => Code::IdempotencyKeyInUse.into(),
            IdempotencyError::KeyReused => Code::IdempotencyKeyReused.into(),
            IdempotencyError::Store(error) => error.into(),
        }
    }
}

impl From<WebhooksError> for ApiError {
    fn from(error: WebhooksError) -> Self {
        match error {
            WebhooksError::Invalid(violations) => Self::Validation(violations),
            WebhooksError::WebhookNotFound => Code::WebhookNotFound.into(),
            WebhooksError::DeliveryNotFound => Code::DeliveryNotFound.into(),
            WebhooksError::TooManyTests => {
                unavailable::count(unavailable::WEBHOOK_TESTS);
                let message = "Too many tests of webhooks run right now; try again soon.";
                Self::new(Code::ServiceUnavailable, message)
            }
            WebhooksError::Store(error) => error.into(),
        }
    }
}

impl From<AccessError> for ApiError {
    fn from(error: AccessError) -> Self {
        match error {
            // The last three occur only in pages, which have their own words for them.
            AccessError::Unauthenticated
            | AccessError::SignInRefused
            | AccessError::PasswordSignInOff(_)
            | AccessError::LinkInvalid => Code::Unauthenticated.into(),
            AccessError::Denied => Code::AccessDenied.into(),
            AccessError::Invalid(violations) => Self::Validation(violations),
            AccessError::CompanyNotFound => Code::CompanyNotFound.into(),
            AccessError::UserNotFound => Code::UserNotFound.into(),
            AccessError::UserAlreadyExists => Code::UserAlreadyExists.into(),
            AccessError::OwnAccess => Code::OwnAccess.into(),
            AccessError::ApiKeyNotFound => Code::ApiKeyNotFound.into(),
            AccessError::SessionNotFound
            | AccessError::OidcProviderNotFound
            | AccessError::PasskeyNotFound
            | AccessError::PasskeysOff => Code::NotFound.into(),
            AccessError::TooManyCalls(rate_limit) | AccessError::TooManyAttempts(rate_limit) => {
                Self::RateLimited(rate_limit)
            }
            AccessError::Store(error) => error.into(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Application { code, .. } | Self::OpenSyncs { code, .. } => {
                f.write_str(code.as_str())
            }
            Self::RateLimited(_) => f.write_str(RATE_LIMITED),
            Self::Validation(violations) => f.write_str(&violations.summary()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status()
    }

    fn error_response(&self) -> HttpResponse {
        HttpResponse::new(self.status())
    }
}
