//! Access: companies, their users with permissions, and the keys and sessions of users.
//!
//! A key's token is shown once; a store keeps only its hash.
//!
//! # How people sign in
//!
//! On the pages people have a session instead of a key. It begins with a password ([`sign_in()`]) or with a one-time
//! link ([`redeem_link()`]). The first start prints one link; users who manage access create the others ([`invite()`]).
//! A user with two-step verification then enters a code ([`second_step()`]). A passkey replaces both steps
//! ([`sign_in_with_passkey()`]). Identity providers sign people in too ([`finish_oidc()`]). A session leads to the same
//! [`Caller`] as a key, so every use case serves both.

mod admitted_calls;
mod allowlist;
mod api_key;
mod attempt;
mod authenticate;
mod authenticate_request;
mod bootstrap;
mod change_company;
mod change_user;
mod company;
mod company_contents;
mod company_draft;
mod confirm;
mod create_company;
mod create_key;
mod create_service;
mod create_user;
mod delete_user;
mod error;
mod failed_sign_ins;
mod invite;
mod key_uses;
mod link;
mod list_company_keys;
mod list_keys;
mod list_managers;
mod list_users;
mod oidc;
mod passkeys;
mod password;
mod password_sign_in;
mod permission;
mod port;
mod quota;
mod rate_limit;
mod read_company;
mod read_key;
mod read_user;
mod revoke_key;
mod session;
mod session_port;
mod set_password;
mod sign_in;
mod sign_out;
mod sliding_window;
mod token;
mod two_step;
mod user;
mod user_draft;

pub use admitted_calls::{AdmittedCalls, CallsAt};
pub use allowlist::{Allowlist, DomainPattern, MAX_ALLOWED_DOMAINS};
pub use api_key::{ApiKey, KeyHolder};
pub use authenticate::{authenticate, authenticate_again};
pub use authenticate_request::{
    Authenticated, authenticate_api_request, authenticate_page_request,
};
pub use bootstrap::{Bootstrapped, bootstrap};
pub use change_company::change_company;
pub use change_user::{change_user, decide_user_change};
pub use company::{
    Caller, CallerCompany, Company, CompanyName, Days, MAX_COMPANY_NAME, MAX_DAYS, Need,
};
#[cfg(any(test, feature = "mocks"))]
pub use company_contents::MockCompanyContents;
pub use company_contents::{CompanyContents, StoredContact};
pub use company_draft::{CompanyChange, CompanyDraft};
pub use confirm::{FRESH_SECONDS, confirm};
pub use create_company::create_company;
pub use create_key::{CreatedKey, KeyDraft, KeyName, MAX_KEY_NAME, create_key};
pub use create_service::create_service;
pub use create_user::create_user;
pub use delete_user::{decide_user_deletion, delete_user};
pub use error::AccessError;
pub use failed_sign_ins::{FailedSignIns, record_failed_sign_ins};
pub use invite::invite;
pub use key_uses::{KeyUses, record_key_uses};
pub use link::{
    CreatedLink, LINK_SECONDS, Link, LinkHolder, LinkPurpose, create_link, read_link, redeem_link,
};
pub use list_company_keys::{CompanyKey, list_company_keys};
pub use list_keys::list_keys;
pub use list_managers::list_managers;
pub use list_users::list_users;
pub use oidc::{
    AllowDomainOutcome, CompanyProvider, CompanyProviderStore, DeleteProviderOutcome,
    GroupPermissions, MAX_COMPANY_PROVIDERS, MAX_GROUPS, MAX_OIDC_DOMAINS, MAX_OIDC_NEXT,
    MAX_OIDC_SCOPES, MAX_PROVIDER_KEY, OIDC_ATTEMPTS, OIDC_SECONDS, OidcAnswer, OidcAttempt,
    OidcBegun, OidcClaim, OidcClaims, OidcClient, OidcClientError, OidcClientId, OidcClientSecret,
    OidcDomain, OidcError, OidcFinished, OidcGrant, OidcGroup, OidcName, OidcPerson, OidcPorts,
    OidcProvider, OidcProviderDraft, OidcPurpose, OidcRefusal, OidcRequest, OidcRules, OidcScope,
    OidcSignIn, OidcSignInOutcome, OidcStore, OidcSubject, ProviderKey, SaveProviderOutcome,
    SealedSecret, SignOnDomains, SwitchPasswordSignInOutcome, allow_oidc_domain, begin_oidc,
    change_oidc_provider, create_oidc_provider, delete_oidc_provider, finish_oidc,
    forbid_oidc_domain, has_company_oidc_providers, linked_oidc_providers, list_oidc_domains,
    list_oidc_providers, oidc_provider_of_email, oidc_providers_of_company, read_oidc_provider,
};
#[cfg(any(test, feature = "mocks"))]
pub use oidc::{MockCompanyProviderStore, MockOidcClient, MockOidcStore};
pub use passkeys::{
    AddPasskeyOutcome, Bound, CHALLENGE_SECONDS, Ceremony, CeremonyError, Challenge,
    ChallengePurpose, Claim, CredentialId, MAX_CHALLENGES, MAX_CHALLENGES_OF_NETWORK,
    MAX_PASSKEY_NAME, MAX_PASSKEYS, NewCredential, NewPasskey, Passkey, PasskeyDraft, PasskeyName,
    PasskeyRequest, PasskeyStore, PasskeyUse, PasskeyVerifier, Proven, Refused, StoredPasskey,
    add_passkey, begin_passkey, begin_passkey_confirmation, begin_passkey_sign_in,
    confirm_with_passkey, delete_passkey, list_passkeys, rename_passkey, sign_in_with_passkey,
};
#[cfg(any(test, feature = "mocks"))]
pub use passkeys::{MockPasskeyStore, MockPasskeyVerifier};
#[cfg(any(test, feature = "mocks"))]
pub use password::MockPasswordHasher;
pub use password::{
    MAX_PASSWORD, MIN_PASSWORD, Password, PasswordHash, PasswordHasher, PresentPassword,
};
pub use password_sign_in::{
    WayIn, allow_password_sign_in, has_way_in, keeps_way_in, switch_password_sign_in,
};
pub use permission::{Permission, Permissions};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockAccessStore;
pub use port::{
    AccessStore, ChangeUserOutcome, CreateKeyOutcome, CreateUserOutcome, DeleteUserOutcome, OfUser,
};
#[cfg(any(test, feature = "mocks"))]
pub use quota::MockQuotaStore;
pub use quota::{
    Answer, Ask, Grant, LeaseError, LeasedWindow, QuotaStore, Report, Settlement, SharedWindow,
    Slice, Step, WindowKey, WindowVersion, WriteWindowOutcome, lease,
};
#[cfg(any(test, feature = "mocks"))]
pub use rate_limit::MockRateLimiter;
pub use rate_limit::{
    Bucket, CODE_ATTEMPTS, CODES_WINDOW_SECONDS, ClientNetwork, GiveBack, RateLimitState,
    RateLimited, RateLimiter, SIGN_IN_ATTEMPTS, SIGN_IN_ATTEMPTS_OF_NETWORK,
    SIGN_IN_WINDOW_SECONDS, TokenUser, WINDOW_SECONDS,
};
pub use read_company::read_company;
pub use read_key::read_key;
pub use read_user::read_user;
pub use revoke_key::{revoke_key, revoke_key_of};
pub use session::{
    ListedSession, MAX_SESSIONS, Presence, SESSION_IDLE_SECONDS, SESSION_SECONDS, Session,
    SessionHolder, SessionToken, SignInMethod, authenticate_session,
};
#[cfg(any(test, feature = "mocks"))]
pub use session_port::MockSessionStore;
pub use session_port::{PasswordChange, Redemption, SessionStore, SignInCandidate};
pub use set_password::{PasswordDraft, set_password};
pub use sign_in::{SignedIn, sign_in};
pub use sign_out::{end_session, list_sessions, sign_out, sign_out_everywhere};
pub use sliding_window::SlidingWindow;
pub use token::{Token, TokenHash};
#[cfg(any(test, feature = "mocks"))]
pub use two_step::MockTwoStepStore;
pub use two_step::{
    CodeSecret, Completion, NewTwoStep, Proof, RECOVERY_CODES, RecoveryCode, SECOND_STEP_SECONDS,
    TwoStepState, TwoStepStore, fresh_code_secret, renew_recovery_codes, reset_two_step,
    second_step, turn_off_two_step, turn_on_two_step, two_step_state,
};
pub use user::User;
pub use user_draft::{MAX_GIVEN_PERMISSIONS, UserDraft};
