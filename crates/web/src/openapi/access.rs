//! The rows of users, API keys and the company.

use utoipa::openapi::path::HttpMethod::{self, Delete, Get, Patch, Post};

use super::parameters;
use super::row::Row;
use super::success::Success;
use crate::base_paths::MANAGE_BASE;
use crate::error::Code;
use crate::extract::STANDARD_BODY;

const USER_ID: &str = "The id of a user";
const NO_USER: &[Code] = &[Code::UserNotFound];
const NO_KEY: &[Code] = &[Code::UserNotFound, Code::ApiKeyNotFound];

/// Every operation.
pub(super) fn operations() -> Vec<Row> {
    [users(), keys(), company()].into_iter().flatten().collect()
}

const fn row(
    tag: &'static str,
    route: (HttpMethod, &'static str),
    id: &'static str,
    summary: &'static str,
    success: Success,
) -> Row {
    Row::at(MANAGE_BASE, tag, route, id, summary, success)
}

fn users() -> Vec<Row> {
    const TAG: &str = "users";
    const ALL: &str = "/users";
    const ONE: &str = "/users/{id}";
    vec![
        row(TAG, (Post, ALL), "createUser", "Create a user", Success::Created("User"))
            .tells("Without permissions the user may do nothing yet.")
            .body("UserInput", STANDARD_BODY)
            .fails(&[Code::UserAlreadyExists]),
        row(TAG, (Get, ALL), "listUsers", "List users", Success::Page("User"))
            .tells("In the order of their creation.")
            .takes(parameters::page()),
        row(TAG, (Get, ONE), "readUser", "Read one user", Success::One("User"))
            .tells("The user with all permissions.")
            .takes(parameters::id(USER_ID))
            .fails(NO_USER),
        row(TAG, (Patch, ONE), "changeUser", "Change a user", Success::One("User"))
            .tells(
                "What is absent stays; permissions are replaced as a whole. You cannot take `manage_access` from \
                 yourself.",
            )
            .takes(parameters::id(USER_ID))
            .body("UserChange", STANDARD_BODY)
            .fails(&[Code::UserNotFound, Code::UserAlreadyExists, Code::OwnAccess]),
        row(TAG, (Delete, ONE), "deleteUser", "Delete a user", Success::Nothing)
            .tells("The user's keys stop working at once. You cannot delete yourself.")
            .takes(parameters::id(USER_ID))
            .fails(&[Code::UserNotFound, Code::OwnAccess]),
    ]
}

fn keys() -> Vec<Row> {
    const TAG: &str = "api keys";
    const ALL: &str = "/users/{id}/api-keys";
    const ONE: &str = "/users/{id}/api-keys/{key_id}";
    let created = Success::Created("ApiKeyWithToken");
    vec![
        row(TAG, (Post, ALL), "createApiKey", "Create an API key", created)
            .tells("The token is shown this once. The body may be left out.")
            .takes(parameters::id(USER_ID))
            .body("ApiKeyInput", STANDARD_BODY)
            .fails(NO_USER),
        row(TAG, (Get, ALL), "listApiKeys", "List the API keys of a user", Success::Page("ApiKey"))
            .tells("In the order of their creation, revoked and expired ones too.")
            .takes(parameters::id(USER_ID))
            .takes(parameters::page())
            .fails(NO_USER),
        row(TAG, (Get, ONE), "readApiKey", "Read one API key", Success::One("ApiKey"))
            .tells("The key without its token.")
            .takes(parameters::id(USER_ID))
            .takes(parameters::key_id())
            .fails(NO_KEY),
        row(TAG, (Delete, ONE), "revokeApiKey", "Revoke an API key", Success::Nothing)
            .tells("It stops working at once, and stays to be seen. Revoking it again changes nothing.")
            .takes(parameters::id(USER_ID))
            .takes(parameters::key_id())
            .fails(NO_KEY),
    ]
}

fn company() -> Vec<Row> {
    const TAG: &str = "company";
    const PATH: &str = "/company";
    vec![
        row(TAG, (Get, PATH), "readCompany", "Read the company", Success::One("Company"))
            .tells("That of the key. It is told even without the product access."),
        row(TAG, (Patch, PATH), "changeCompany", "Change the company", Success::One("Company"))
            .tells(
                "What is absent stays; allowed domains are replaced as a whole. Without the product access every other \
                 call is refused, but this one can switch it on again.",
            )
            .body("CompanyChange", STANDARD_BODY),
    ]
}
