//! An endpoint as the document describes it.

use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Required};

use super::shape::{Schemas, Shape};
use super::{deprecated, parameters, responses};
use crate::endpoint::{Endpoint, GET, Taken};
use crate::error::Code;

/// The name of the one security scheme.
pub(super) const BEARER: &str = "bearer";

impl Endpoint {
    /// The path, the method and the operation. Adds the schemas that it refers to.
    pub(super) fn describe(self, schemas: &mut Schemas) -> (String, HttpMethod, Operation) {
        let (path, takes_key) = (self.path(), self.takes_key());
        let (_, method) = self.place.verb;
        let mut taken = Taken { only_reads: method == GET.1, ..Taken::default() };
        (self.place.takes)(&mut taken);
        taken.errors.extend(self.errors);
        if takes_key {
            taken.parameters.push(parameters::idempotency_key());
            taken.errors.extend([
                Code::IdempotencyKeyInUse,
                Code::IdempotencyKeyReused,
                Code::IdempotentAnswerGone,
            ]);
        }
        let mut responses = responses::of(self.success, &taken, schemas);
        if takes_key {
            responses::add_replayed(&mut responses);
        }
        let required = if taken.is_body_optional { Required::False } else { Required::True };
        let body = self.body.zip(taken.body);
        let mut operation = OperationBuilder::new()
            .operation_id(Some(self.id))
            .summary(Some(self.summary))
            .description(self.description)
            .tag(self.place.section.name)
            .security(SecurityRequirement::new(BEARER, Vec::<String>::new()))
            .parameters(Some(taken.parameters))
            .request_body(body.map(|(shape, most)| request_body(shape, most, required, schemas)))
            .responses(responses)
            .build();
        if let Some(deprecation) = self.deprecation {
            deprecated::mark(&mut operation, deprecation);
        }
        (path, method, operation)
    }
}

impl Taken {
    /// Whether a wrong value is answered with 422.
    pub(super) fn is_validated(&self) -> bool {
        self.body.is_some() || self.parameters.iter().any(parameters::is_validated)
    }
}

fn request_body(
    shape: Shape,
    max_bytes: usize,
    required: Required,
    schemas: &mut Schemas,
) -> RequestBody {
    let content = ContentBuilder::new().schema(Some((shape.schema)(schemas)));
    RequestBodyBuilder::new()
        .content("application/json", content.example(Some((shape.example)())).build())
        .description(Some(format!("JSON in UTF-8, at most {max_bytes} bytes")))
        .required(Some(required))
        .build()
}
