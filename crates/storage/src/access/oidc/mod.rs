//! Sign-ins by identity providers, and the identifiers by which providers know users.

mod attempts;
mod domains;
mod known;
mod password_sign_in;
mod provider_rows;
mod provider_store;
mod providers;
mod sign_in;
mod store;
mod subjects;
mod ways_in;

pub(crate) use known::KnownProviders;
