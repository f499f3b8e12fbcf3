//! One row for each operation, and the rows of the contacts interface.

use utoipa::openapi::path::HttpMethod;

use super::responses::{SHARED, WITH_BODY};
use super::row::Row;
use super::success::Success;
use super::{access, parameters, sync, webhooks};
use crate::error::Code;
use crate::extract::{BULK_BODY, STANDARD_BODY};

/// Every error code that an operation, a path without one or another method may be answered with.
pub(super) fn codes() -> Vec<&'static str> {
    let mut codes: Vec<Code> = SHARED.into_iter().chain(WITH_BODY).collect();
    codes.extend([Code::NotFound, Code::MethodNotAllowed]);
    codes.extend(operations().iter().flat_map(|row| row.errors));
    let mut names: Vec<&str> = codes.into_iter().map(Code::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Every operation.
pub(super) fn operations() -> Vec<Row> {
    let ours = [fields(), contacts(), bulk(), values()];
    let others = [sync::operations(), webhooks::operations(), access::operations()];
    ours.into_iter().chain(others).flatten().collect()
}

fn fields() -> Vec<Row> {
    use HttpMethod::{Get, Post};
    vec![
        Row::new(Post, "/fields", "createField", "Create a field", Success::Created("Field"))
            .body("FieldInput", STANDARD_BODY)
            .tells(
                "The key is derived from the name; use the one of the answer when setting values.",
            )
            .fails(&[Code::FieldAlreadyExists]),
        Row::new(Get, "/fields", "listFields", "List all fields", Success::List("Field"))
            .tells("In the order of their creation, all in one answer."),
        Row::new(
            Get,
            "/fields/{id}/values",
            "listFieldValues",
            "List the distinct values in use for a field",
            Success::Page("Scalar"),
        )
        .tells("Values of active contacts, ascending in the order of the field's type.")
        .takes(parameters::id("The id of a field"))
        .takes(parameters::page())
        .takes(parameters::values_sort())
        .fails(&[Code::FieldNotFound]),
    ]
}

fn contacts() -> Vec<Row> {
    use HttpMethod::{Delete, Get, Post};
    vec![
        Row::new(
            Post,
            "/contacts",
            "createContact",
            "Create or restore a contact",
            Success::CreatedVersion("Contact"),
        )
        .tells("Creates only: an active contact with the email is a conflict. A deleted one is restored under its old id.")
        .body("ContactInput", STANDARD_BODY)
        .fails(&[Code::EmailDomainNotAllowed, Code::ContactAlreadyExists]),
        Row::new(Get, "/contacts", "listContacts", "List contacts", Success::Page("Contact"))
            .tells("Active contacts without their values; filters and search all have to fit.")
            .takes(parameters::page())
            .takes(parameters::contacts_list()),
        Row::new(
            Get,
            "/contacts/{id}",
            "readContact",
            "Read one contact with its values",
            Success::Versioned("ContactDetail"),
        )
        .tells("The contact's attributes, with its values in the order of the fields' creation.")
        .takes(parameters::id("The id of a contact"))
        .takes(parameters::if_none_match())
        .fails(&[Code::ContactNotFound]),
        Row::new(Delete, "/contacts/{id}", "deleteContact", "Delete one contact", Success::Nothing)
            .tells("Creating a contact with its email restores it.")
            .takes(parameters::id("The id of a contact"))
            .takes(parameters::if_match())
            .fails(&[Code::ContactNotFound, Code::PreconditionFailed]),
    ]
}

fn bulk() -> Vec<Row> {
    use HttpMethod::{Delete, Post};
    vec![
        Row::new(
            Post,
            "/contacts/bulk",
            "upsertContacts",
            "Create or update many contacts",
            Success::One("BulkResult"),
        )
        .tells(
            "Contacts are matched by email; rows count as if one by one in their order. Valid rows are processed even if \
             others fail. An update leaves an absent `avatar_url` and absent field values as they are.",
        )
        .body("BulkInput", BULK_BODY),
        Row::new(
            Delete,
            "/contacts/bulk",
            "deleteContacts",
            "Delete many contacts",
            Success::One("BulkDeleteResult"),
        )
        .tells("Ids that are unknown or deleted already are ignored and not counted.")
        .body("BulkDeleteInput", BULK_BODY),
        Row::new(
            Post,
            "/contacts/bulk-delete",
            "deleteContactsByPost",
            "Delete many contacts, for proxies that drop a DELETE's body",
            Success::One("BulkDeleteResult"),
        )
        .tells("Ids that are unknown or deleted already are ignored and not counted.")
        .body("BulkDeleteInput", BULK_BODY),
    ]
}

fn values() -> Vec<Row> {
    use HttpMethod::{Get, Put};
    const PATH: &str = "/contacts/{id}/field-values";
    vec![
        Row::new(
            Get,
            PATH,
            "readFieldValues",
            "Read the values of a contact",
            Success::VersionedList("FieldValueEntry"),
        )
        .tells("In the order of the fields' creation, as in the detail of the contact.")
        .takes(parameters::id("The id of a contact"))
        .takes(parameters::if_none_match())
        .fails(&[Code::ContactNotFound]),
        Row::new(
            Put,
            PATH,
            "replaceFieldValues",
            "Replace the values of a contact",
            Success::Replaced("FieldValueEntry"),
        )
        .tells("Replaces all: a value whose field is absent from the request is removed.")
        .takes(parameters::id("The id of a contact"))
        .takes(parameters::if_match())
        .body("FieldValuesInput", STANDARD_BODY)
        .fails(&[Code::ContactNotFound, Code::PreconditionFailed]),
    ]
}
