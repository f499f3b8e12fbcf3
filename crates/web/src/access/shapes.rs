//! The shapes of users, API keys and the company in the OpenAPI document.

use serde_json::{Value, json};
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};

use contact_hub_domain::access::{
    MAX_ALLOWED_DOMAINS, MAX_COMPANY_NAME, MAX_DAYS, MAX_GIVEN_PERMISSIONS, MAX_KEY_NAME,
};
use contact_hub_domain::email::MAX_EMAIL;

use super::json::{ApiKeyJson, CompanyJson, CreatedKeyJson, UserJson};
use crate::openapi::shape::{Schemas, Shape, format, joined, name, nullable, string, text};
use crate::openapi::values::PermissionName;

const AT: &str = "2026-11-20T09:30:00+00:00";

pub(crate) const USER: Shape = Shape::new(Schemas::of::<UserJson<'_>>, || {
    json!({
        "id": "01931e3a-7c00-7000-8000-000000000002",
        "email": "importer@example.com",
        "permissions": ["contacts_api", "download_email"],
        "created_at": AT,
    })
});

pub(crate) const USER_INPUT: Shape = Shape::new(
    |schemas| {
        let permissions =
            permissions(schemas).schema_type(SchemaType::from_iter([Type::Array, Type::Null]));
        let user = user(schemas).required("email").property("permissions", permissions);
        schemas.add("UserInput", user)
    },
    || {
        json!({
            "email": "importer@example.com",
            "permissions": ["contacts_api", "download_email"],
        })
    },
);

pub(crate) const USER_CHANGE: Shape = Shape::new(
    |schemas| {
        let user = user(schemas);
        schemas.add("UserChange", user)
    },
    || json!({"permissions": ["contacts_api"]}),
);

pub(crate) const API_KEY: Shape = Shape::new(Schemas::of::<ApiKeyJson<'_>>, key);

pub(crate) const API_KEY_WITH_TOKEN: Shape =
    Shape::new(Schemas::of::<CreatedKeyJson<'_>>, || joined(key(), json!({"token": "hub_…"})));

pub(crate) const API_KEY_INPUT: Shape =
    Shape::new(key_input, || json!({"name": "Importer", "expires_at": "2099-01-01T00:00:00Z"}));

pub(crate) const COMPANY: Shape = Shape::new(Schemas::of::<CompanyJson<'_>>, || {
    json!({
        "id": "01931e3a-7c00-7000-8000-000000000003",
        "name": "Example Inc.",
        "product_access": true,
        "allowed_domains": ["*.example.com", "example.com"],
        "erase_deleted_after_days": null,
        "requires_two_step": false,
        "password_sign_in": true,
        "created_at": AT,
    })
});

pub(crate) const COMPANY_CHANGE: Shape =
    Shape::new(company_change, || json!({"allowed_domains": ["example.com", "*.example.com"]}));

fn key() -> Value {
    json!({
        "id": "01931e3a-7c00-7000-8000-000000000001",
        "name": "Importer",
        "start": "hub_0aB1",
        "expires_at": "2099-01-01T00:00:00+00:00",
        "last_used_at": null,
        "revoked_at": null,
        "created_at": AT,
    })
}

fn permissions(schemas: &mut Schemas) -> ArrayBuilder {
    ArrayBuilder::new()
        .items(schemas.of::<PermissionName>())
        .max_items(Some(MAX_GIVEN_PERMISSIONS))
        .description(Some("One given twice counts once"))
}

fn user(schemas: &mut Schemas) -> ObjectBuilder {
    ObjectBuilder::new()
        .property("email", format(text(MAX_EMAIL), "idn-email"))
        .property("permissions", permissions(schemas))
}

fn key_input(schemas: &mut Schemas) -> Ref {
    let label = name(MAX_KEY_NAME).schema_type(SchemaType::from_iter([Type::String, Type::Null]));
    let expiry = format(nullable(Type::String), "date-time");
    let key = ObjectBuilder::new()
        .property("name", label.description(Some("A label; `API key` when there is none")))
        .property("expires_at", expiry.description(Some("In the future; never when absent")));
    schemas.add("ApiKeyInput", key)
}

fn company_change(schemas: &mut Schemas) -> Ref {
    let domains = ArrayBuilder::new().items(string()).max_items(Some(MAX_ALLOWED_DOMAINS));
    let company = ObjectBuilder::new()
        .property("name", name(MAX_COMPANY_NAME))
        .property("product_access", ObjectBuilder::new().schema_type(Type::Boolean))
        .property(
            "requires_two_step",
            ObjectBuilder::new().schema_type(Type::Boolean).description(Some(
                "Whether users have to set up two-step verification to use the pages; keys need none",
            )),
        )
        .property(
            "erase_deleted_after_days",
            ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::Integer, Type::Null]))
                .minimum(Some(1))
                .maximum(Some(MAX_DAYS))
                .description(Some("After how many days deleted contacts are erased; null keeps them")),
        )
        .property(
            "allowed_domains",
            domains.description(Some(
                "Domains such as `example.com`, or `*.example.com` for its subdomains; none permits every domain",
            )),
        );
    schemas.add("CompanyChange", company)
}
