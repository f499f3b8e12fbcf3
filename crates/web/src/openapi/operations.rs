//! One row for each operation of the contacts interface.

use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, Required};

use super::BEARER;
use super::parameters;
use super::responses::{self, Success};
use crate::error::Code;

/// An operation, with what is its own; what all share is added by [`Row::build`].
pub(super) struct Row {
    method: HttpMethod,
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    parameters: Vec<Parameter>,
    body: Option<&'static str>,
    success: Success,
    errors: &'static [Code],
}

impl Row {
    const fn new(
        method: HttpMethod,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        success: Success,
    ) -> Self {
        Self { method, path, id, summary, parameters: Vec::new(), body: None, success, errors: &[] }
    }

    fn takes(mut self, parameters: Vec<Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    const fn body(mut self, schema: &'static str) -> Self {
        self.body = Some(schema);
        self
    }

    const fn fails(mut self, errors: &'static [Code]) -> Self {
        self.errors = errors;
        self
    }

    /// The path, the method and the whole operation.
    pub(super) fn build(self) -> (&'static str, HttpMethod, Operation) {
        let judged = self.body.is_some() || self.parameters.iter().any(parameters::is_judged);
        let tag = if self.path.starts_with("/fields") { "fields" } else { "contacts" };
        let operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .summary(Some(self.summary))
            .tag(tag)
            .security(SecurityRequirement::new(BEARER, Vec::<String>::new()))
            .parameters(Some(self.parameters))
            .request_body(self.body.map(|schema| {
                let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema)));
                let content = content.example(super::schemas::example(schema)).build();
                RequestBodyBuilder::new()
                    .content("application/json", content)
                    .required(Some(Required::True))
                    .build()
            }))
            .responses(responses::of(&self.success, self.errors, self.body.is_some(), judged));
        (self.path, self.method, operation.build())
    }
}

/// Every operation.
pub(super) fn operations() -> Vec<Row> {
    [fields(), contacts(), bulk(), values()].into_iter().flatten().collect()
}

fn fields() -> Vec<Row> {
    use HttpMethod::{Get, Post};
    vec![
        Row::new(Post, "/fields", "createField", "Create a field", Success::Created("Field"))
            .body("FieldInput")
            .fails(&[Code::FieldAlreadyExists]),
        Row::new(Get, "/fields", "listFields", "List all fields", Success::List("Field")),
        Row::new(
            Get,
            "/fields/{id}/values",
            "listFieldValues",
            "List the distinct values in use for a field",
            Success::Page("Scalar"),
        )
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
            Success::Created("Contact"),
        )
        .body("ContactInput")
        .fails(&[Code::EmailDomainNotAllowed, Code::ContactAlreadyExists]),
        Row::new(Get, "/contacts", "listContacts", "List contacts", Success::Page("Contact"))
            .takes(parameters::page())
            .takes(parameters::contacts_list()),
        Row::new(
            Get,
            "/contacts/{id}",
            "readContact",
            "Read one contact with its values",
            Success::Versioned("ContactDetail"),
        )
        .takes(parameters::id("The id of a contact"))
        .takes(parameters::if_none_match())
        .fails(&[Code::ContactNotFound]),
        Row::new(Delete, "/contacts/{id}", "deleteContact", "Delete one contact", Success::Nothing)
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
        .body("BulkInput"),
        Row::new(
            Delete,
            "/contacts/bulk",
            "deleteContacts",
            "Delete many contacts",
            Success::One("BulkDeleteResult"),
        )
        .body("BulkDeleteInput"),
        Row::new(
            Post,
            "/contacts/bulk-delete",
            "deleteContactsByPost",
            "Delete many contacts, for proxies that drop a DELETE's body",
            Success::One("BulkDeleteResult"),
        )
        .body("BulkDeleteInput"),
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
        .takes(parameters::id("The id of a contact"))
        .takes(parameters::if_match())
        .body("FieldValuesInput")
        .fails(&[Code::ContactNotFound, Code::PreconditionFailed]),
    ]
}
