//! The schemas of users, API keys and the company.

use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use contact_hub_domain::access::{
    MAX_ALLOWED_DOMAINS, MAX_COMPANY_NAME, MAX_GIVEN_PERMISSIONS, MAX_KEY_NAME,
};
use contact_hub_domain::email::MAX_EMAIL;

use super::shapes::{Named, add, format, name, string, text};
use super::values::PermissionName;
use crate::access::json::{ApiKeyJson, CompanyJson, CreatedKeyJson, UserJson};

/// Adds every schema by its name.
pub(super) fn add_all(schemas: &mut Vec<Named>) {
    add::<UserJson<'_>>("User", schemas);
    add::<ApiKeyJson<'_>>("ApiKey", schemas);
    add::<CreatedKeyJson<'_>>("ApiKeyWithToken", schemas);
    add::<CompanyJson<'_>>("Company", schemas);
    add::<PermissionName>("Permission", schemas);
    let by_hand = [
        ("UserInput", user().required("email")),
        ("UserChange", user()),
        ("ApiKeyInput", key()),
        ("CompanyChange", company()),
    ];
    schemas
        .extend(by_hand.map(|(name, schema)| (name.to_owned(), RefOr::from(Schema::from(schema)))));
}

fn user() -> ObjectBuilder {
    let permissions = ArrayBuilder::new()
        .items(Ref::from_schema_name("Permission"))
        .max_items(Some(MAX_GIVEN_PERMISSIONS))
        .description(Some("One given twice counts once"));
    ObjectBuilder::new()
        .property("email", format(text(MAX_EMAIL), "idn-email"))
        .property("permissions", permissions)
}

fn key() -> ObjectBuilder {
    let nullable = || SchemaType::from_iter([Type::String, Type::Null]);
    let label = name(MAX_KEY_NAME).schema_type(nullable());
    let expiry = format(string().schema_type(nullable()), "date-time");
    ObjectBuilder::new()
        .property("name", label.description(Some("A label; `API key` when there is none")))
        .property("expires_at", expiry.description(Some("In the future; never when absent")))
}

fn company() -> ObjectBuilder {
    let domains = ArrayBuilder::new().items(string()).max_items(Some(MAX_ALLOWED_DOMAINS));
    ObjectBuilder::new()
        .property("name", name(MAX_COMPANY_NAME))
        .property("product_access", ObjectBuilder::new().schema_type(Type::Boolean))
        .property(
            "allowed_domains",
            domains.description(Some(
                "Domains such as `example.com`, or `*.example.com` for its subdomains; none permits every domain",
            )),
        )
}
