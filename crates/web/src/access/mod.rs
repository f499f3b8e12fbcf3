//! Users, their API keys, and the company.

pub(crate) mod change_company;
pub(crate) mod change_user;
pub(crate) mod create_key;
pub(crate) mod create_user;
pub(crate) mod delete_user;
pub(crate) mod export_company;
mod export_json;
pub(crate) mod json;
pub(crate) mod list_keys;
pub(crate) mod list_users;
pub(crate) mod read_company;
pub(crate) mod read_key;
pub(crate) mod read_user;
pub(crate) mod revoke_key;
pub(crate) mod shapes;
