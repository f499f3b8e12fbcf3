//! Companies, users and keys; passwords, passkeys, sessions and one-time links; the windows of rate limits.

mod audit;
mod cache;
mod companies;
mod company_contents;
mod company_deletion;
mod company_tables;
mod keys;
mod links;
mod lock;
mod oidc;
mod passkeys;
mod rate_windows;
mod rows;
mod session_rows;
mod session_store;
mod sessions;
mod store;
mod two_step;
mod two_step_store;
mod users;
mod writes;

pub(crate) use cache::HolderCache;
pub(crate) use company_deletion::unfinished as unfinished_deletions;
pub use company_deletion::{CompanyDeletion, DeletedRows};
pub(crate) use company_tables::names as tables_of_companies;
pub(crate) use lock::lock_user;
pub(crate) use oidc::KnownProviders;
pub(crate) use passkeys::delete_old_challenges;
pub use rate_windows::SharedQuotas;
pub(crate) use sessions::is_person;
