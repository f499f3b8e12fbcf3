//! An operation with what is its own.

use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, Required};

use super::success::Success;
use super::{examples, parameters, responses};
use crate::base_paths::CONTACTS_BASE;
use crate::error::Code;

/// The name of the one security scheme.
pub(super) const BEARER: &str = "bearer";

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
    pub(super) errors: &'static [Code],
}

impl Row {
    /// An operation of the contacts interface.
    pub(super) const fn new(
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
        let validated = self.body.is_some() || self.parameters.iter().any(parameters::is_validated);
        let tag = if self.path.starts_with("/fields") { "fields" } else { self.tag };
        let operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .summary(Some(self.summary))
            .description(self.description)
            .tag(tag)
            .security(SecurityRequirement::new(BEARER, Vec::<String>::new()))
            .parameters(Some(self.parameters))
            .request_body(self.body.map(|(schema, max_bytes)| request_body(schema, max_bytes)))
            .responses(responses::of(&self.success, self.errors, self.body.is_some(), validated));
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
