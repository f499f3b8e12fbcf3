//! Signing in and out, and the own account.

pub(crate) mod account;
pub(crate) mod end_session;
pub(crate) mod link;
pub(crate) mod password;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
