//! Access: companies, their API users with permissions, and the keys by which those users are known.
//!
//! A key's token is shown once; a store keeps only its hash.

mod allowlist;
mod api_key;
mod authenticate;
mod bootstrap;
mod company;
mod create_company;
mod create_key;
mod create_user;
mod error;
mod key_uses;
mod permission;
mod port;
mod rate_limit;
mod revoke_key;
mod token;
mod user;

pub use allowlist::{Allowlist, DomainPattern, MAX_ALLOWED_DOMAINS};
pub use api_key::{ApiKey, KeyHolder};
pub use authenticate::authenticate;
pub use bootstrap::{Bootstrapped, bootstrap};
pub use company::{Caller, CallerCompany, Company, CompanyName, MAX_COMPANY_NAME};
pub use create_company::{CompanyDraft, create_company};
pub use create_key::{CreatedKey, KeyDraft, KeyName, create_key};
pub use create_user::{UserDraft, create_user};
pub use error::AccessError;
pub use key_uses::{KeyUses, record_key_uses};
pub use permission::{Permission, Permissions};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockAccessStore;
pub use port::{AccessStore, CreateUserOutcome};
#[cfg(any(test, feature = "mocks"))]
pub use rate_limit::MockRateLimiter;
pub use rate_limit::{Admission, Bucket, RateLimited, RateLimiter, SlidingWindow, WINDOW_SECONDS};
pub use revoke_key::revoke_key;
pub use token::{Token, TokenHash};
pub use user::User;
