//! Signing in and out, the own account, keys, the company and its users.

pub(crate) mod account;
pub(crate) mod alerts;
pub(crate) mod api_access;
mod browser;
pub(crate) mod company;
pub(crate) mod company_keys;
pub(crate) mod create_key;
pub(crate) mod create_service;
pub(crate) mod create_user;
pub(crate) mod delete_user;
pub(crate) mod end_session;
mod first_call;
pub(crate) mod invite;
mod keys;
pub(crate) mod link;
pub(crate) mod password;
mod qr;
pub(crate) mod reset_two_step;
pub(crate) mod revoke_key;
mod roles;
pub(crate) mod second_step;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod two_step;
pub(crate) mod user;
mod user_form;
