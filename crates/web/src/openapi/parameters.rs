//! The parameters of operations.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Required, Schema};

use contact_hub_domain::contacts::{MAX_FILTER_VALUE, MAX_SEARCH, MAX_SORTS, SortKey};
use contact_hub_domain::page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE};

/// Whether a wrong value of the parameter is answered with 422.
pub(super) fn is_judged(parameter: &Parameter) -> bool {
    parameter.parameter_in == ParameterIn::Query
}

fn parameter(
    name: &str,
    place: ParameterIn,
    description: &str,
    schema: impl Into<RefOr<Schema>>,
) -> Parameter {
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(required)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

pub(super) fn id(description: &str) -> Vec<Parameter> {
    let uuid = text().format(Some(SchemaFormat::Custom("uuid".to_owned())));
    vec![parameter("id", ParameterIn::Path, description, uuid)]
}

pub(super) fn if_none_match() -> Vec<Parameter> {
    let description = "The `ETag` of an earlier answer; unchanged since is answered with 304";
    vec![parameter("If-None-Match", ParameterIn::Header, description, text())]
}

pub(super) fn if_match() -> Vec<Parameter> {
    let description = "The `ETag` of an earlier answer; changed since is answered with 412";
    vec![parameter("If-Match", ParameterIn::Header, description, text())]
}

pub(super) fn page() -> Vec<Parameter> {
    let integer = || ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    let number = integer().default(Some(1.into()));
    let size = integer().maximum(Some(MAX_PAGE_SIZE)).default(Some(DEFAULT_PAGE_SIZE.into()));
    vec![
        parameter("page[number]", ParameterIn::Query, "The page, from 1", number),
        parameter("page[size]", ParameterIn::Query, "How many on a page", size),
    ]
}

pub(super) fn values_sort() -> Vec<Parameter> {
    let keys = text().enum_values(Some(["value", "-value"]));
    vec![sort("`-value` turns the type's own order round", keys, 1)]
}

pub(super) fn contacts_list() -> Vec<Parameter> {
    let names = SortKey::ALL.map(SortKey::as_str);
    let keys = names.into_iter().flat_map(|name| [name.to_owned(), format!("-{name}")]);
    let keys = text().enum_values(Some(keys.collect::<Vec<_>>()));
    let search = "White space separates terms; each occurs in the email, first or last name";
    let mut parameters = vec![
        sort("A leading `-` means descending; by default `created_at`", keys, MAX_SORTS),
        parameter("search", ParameterIn::Query, search, text().max_length(Some(MAX_SEARCH))),
    ];
    parameters.extend(["email", "first_name", "last_name"].map(text_filter));
    parameters.extend(["created_at", "updated_at"].map(moment_filter));
    parameters
}

fn sort(description: &str, keys: ObjectBuilder, max: usize) -> Parameter {
    let list = ArrayBuilder::new().items(keys).max_items(Some(max));
    parameter("sort[]", ParameterIn::Query, description, list)
}

fn text_filter(name: &str) -> Parameter {
    let description = format!(
        "Equality without regard to case. Other comparisons: `filter[{name}][startsWith]=…`, with the operators `=`, \
         `!=`, `startsWith`, `contains`, `notContains`, `>`, `<`, `between` (two ends joined by a comma), or as a pair \
         `filter[{name}][operator]` and `filter[{name}][value]`."
    );
    let value = text().min_length(Some(1)).max_length(Some(MAX_FILTER_VALUE));
    parameter(&format!("filter[{name}]"), ParameterIn::Query, &description, value)
}

fn moment_filter(name: &str) -> Parameter {
    let description = "Two dates or RFC 3339 timestamps joined by a comma, one of which may be empty. Also `[>]` and \
         `[<]`. A date covers its day in UTC.";
    let value = text().examples(["2026-01-01,2026-12-31"]).pattern(Some(
        r"^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]))?,\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$",
    ));
    let name = format!("filter[{name}][between]");
    parameter(&name, ParameterIn::Query, description, value)
}
