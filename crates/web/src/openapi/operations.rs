//! One row for each operation, and the rows of the contacts interface.

use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, Required};

use super::responses::{self, SHARED, Success, WITH_BODY};
use super::{BEARER, access, examples, parameters, sync, webhooks};
use crate::error::Code;
use crate::extract::{BULK_BODY, STANDARD_BODY};
use crate::state::CONTACTS_BASE;

/// An operation, with what is its own; what all share is added by [`Row::build`].
pub(super) struct Row {
    method: HttpMethod,
    base: &'static str,
    tag: &'static str,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    description: Option<&'static str>,
    parameters: Vec<Parameter>,
    body: Option<(&'static str, usize)>,
    success: Success,
    errors: &'static [Code],
}

impl Row {
    /// An operation of the contacts interface.
    const fn new(
        method: HttpMethod,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        success: Success,
    ) -> Self {
        Self::at(CONTACTS_BASE, "contacts", (method, path), id, summary, success)
    }

    /// An operation of the interface that begins at `base`.
    pub(super) const fn at(
        base: &'static str,
        tag: &'static str,
        (method, path): (HttpMethod, &'static str),
        id: &'static str,
        summary: &'static str,
        success: Success,
    ) -> Self {
        Self {
            method,
            base,
            tag,
            path,
            id,
            summary,
            description: None,
            parameters: Vec::new(),
            body: None,
            success,
            errors: &[],
        }
    }

    pub(super) const fn tells(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    pub(super) fn takes(mut self, parameters: Vec<Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    pub(super) const fn body(mut self, schema: &'static str, max_bytes: usize) -> Self {
        self.body = Some((schema, max_bytes));
        self
    }

    pub(super) const fn fails(mut self, errors: &'static [Code]) -> Self {
        self.errors = errors;
        self
    }

    /// The path, the method and the whole operation.
    pub(super) fn build(self) -> (String, HttpMethod, Operation) {
        let judged = self.body.is_some() || self.parameters.iter().any(parameters::is_judged);
        let tag = if self.path.starts_with("/fields") { "fields" } else { self.tag };
        let operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .summary(Some(self.summary))
            .description(self.description)
            .tag(tag)
            .security(SecurityRequirement::new(BEARER, Vec::<String>::new()))
            .parameters(Some(self.parameters))
            .request_body(self.body.map(|(schema, max_bytes)| request_body(schema, max_bytes)))
            .responses(responses::of(&self.success, self.errors, self.body.is_some(), judged));
        (format!("{}{}", self.base, self.path), self.method, operation.build())
    }
}

fn request_body(schema: &str, max_bytes: usize) -> RequestBody {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema)));
    RequestBodyBuilder::new()
        .content("application/json", content.example(examples::request(schema)).build())
        .description(Some(format!("JSON in UTF-8, at most {max_bytes} bytes")))
        .required(Some(Required::True))
        .build()
}

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
