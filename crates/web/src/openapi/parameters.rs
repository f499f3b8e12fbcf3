//! The parameters of operations.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn, ParameterStyle};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Required, Schema};

use contact_hub_domain::audit::AuditAction;
use contact_hub_domain::changes::{ChangeType, DEFAULT_CHANGES, MAX_CHANGES, MAX_WAIT};
use contact_hub_domain::contacts::{
    MAX_CONDITIONS, MAX_FILTER_VALUE, MAX_SEARCH, MAX_SEARCH_TERMS, MAX_SORTS, MIN_SUBSTRING,
    SortKey, filters,
};
use contact_hub_domain::idempotency::MAX_IDEMPOTENCY_KEY;
use contact_hub_domain::page::{DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE};
use contact_hub_domain::sync::Platform;
use contact_hub_domain::webhooks::DeliveryState;

use crate::header_names::IDEMPOTENCY_KEY;

/// Whether a wrong value of the parameter is answered with 422.
pub(super) fn is_validated(parameter: &Parameter) -> bool {
    parameter.parameter_in == ParameterIn::Query || parameter.name == IDEMPOTENCY_KEY
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

pub(crate) fn id(name: &str, description: &str) -> Parameter {
    parameter(name, ParameterIn::Path, description, uuid())
}

pub(crate) fn if_none_match() -> Parameter {
    let description = "The `ETag` of an earlier answer; unchanged since is answered with 304";
    parameter("If-None-Match", ParameterIn::Header, description, text())
}

pub(crate) fn if_match() -> Parameter {
    let description = "The `ETag` of an earlier answer; changed since is answered with 412";
    parameter("If-Match", ParameterIn::Header, description, text())
}

pub(super) fn idempotency_key() -> Parameter {
    let description = "Marks a call that may be repeated, for example after a lost connection: it is done once, and the \
         same call with the same key gets the same answer for 24 hours. Each user has keys of their own.";
    let key = text().pattern(Some(r"^[!-~]+$")).max_length(Some(MAX_IDEMPOTENCY_KEY));
    parameter(IDEMPOTENCY_KEY, ParameterIn::Header, description, key.min_length(Some(1)))
}

pub(crate) fn content() -> Vec<Parameter> {
    let words = Platform::ALL.into_iter().map(Platform::as_str).chain(["marketing_cloud"]);
    let platform = "The syntax in which merge tags come back; without it they are as they were written. \
         `marketing_cloud` means `sfmc`.";
    let integration = "The integration whose own texts for merge tags are used, as the link in an event may name it; \
         without it those of the company's oldest integration of that format that has any";
    vec![
        parameter("platform", ParameterIn::Query, platform, text().enum_values(Some(words))),
        parameter("integration_id", ParameterIn::Query, integration, uuid()),
    ]
}

pub(crate) fn deliveries() -> Vec<Parameter> {
    let states = text().enum_values(Some(DeliveryState::ALL.map(DeliveryState::as_str)));
    let filters = [
        ("webhook_id", "Only those to this webhook", uuid()),
        ("sync_id", "Only those about this sync", uuid()),
        ("state", "Only those in this state", states),
    ];
    let each = filters.into_iter().map(|(name, description, schema)| {
        let description = format!("{description}; `{name}` alone means the same");
        parameter(&format!("filter[{name}]"), ParameterIn::Query, &description, schema)
    });
    page().into_iter().chain(each).collect()
}

pub(crate) fn audit() -> Vec<Parameter> {
    let actions = text().enum_values(Some(AuditAction::ALL.map(AuditAction::as_str)));
    let between =
        "Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty";
    let size = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    let size = size.maximum(Some(MAX_PAGE_SIZE)).default(Some(DEFAULT_PAGE_SIZE.into()));
    let after = "Only entries after this cursor, `meta.next` of the page before";
    vec![
        parameter("filter[actor]", ParameterIn::Query, "Only what this user did", uuid()),
        parameter("filter[action]", ParameterIn::Query, "Only this action", actions),
        parameter("filter[object]", ParameterIn::Query, "Only what was done to this", uuid()),
        parameter("filter[at][between]", ParameterIn::Query, between, text()),
        parameter("page[after]", ParameterIn::Query, after, text()),
        parameter("page[size]", ParameterIn::Query, "How many on a page", size),
    ]
}

pub(crate) fn changes() -> Vec<Parameter> {
    let integer = |max: u64| {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(max))
    };
    let kinds = text().enum_values(Some(ChangeType::ALL.map(ChangeType::as_str)));
    let kinds = ArrayBuilder::new().items(kinds);
    let size = integer(MAX_CHANGES.into()).default(Some(DEFAULT_CHANGES.into()));
    let after = "Only entries after this cursor, `meta.next` of an earlier answer; `latest` for entries after the latest one; \
                 without it from the oldest that is kept";
    let wait = "When there is no entry yet, how many seconds the call is held until there is one";
    vec![
        parameter("after", ParameterIn::Query, after, text()),
        parameter("type[]", ParameterIn::Query, "Only entries of these types", kinds),
        parameter("page[size]", ParameterIn::Query, "How many entries at most", size),
        parameter("wait", ParameterIn::Query, wait, integer(MAX_WAIT)),
    ]
}

fn uuid() -> ObjectBuilder {
    text().format(Some(SchemaFormat::Custom("uuid".to_owned())))
}

pub(crate) fn page() -> Vec<Parameter> {
    let integer = || ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    let number = integer().default(Some(1.into()));
    let size = integer().maximum(Some(MAX_PAGE_SIZE)).default(Some(DEFAULT_PAGE_SIZE.into()));
    vec![
        parameter("page[number]", ParameterIn::Query, "The page, from 1", number),
        parameter("page[size]", ParameterIn::Query, "How many on a page", size),
    ]
}

pub(crate) fn fields() -> Vec<Parameter> {
    let words = text().enum_values(Some(["true", "false"]));
    let description = "`true` lists archived fields too";
    vec![parameter("archived", ParameterIn::Query, description, words)]
}

pub(crate) fn values() -> Vec<Parameter> {
    let keys = text().enum_values(Some(["value", "-value"]));
    let mut parameters = page();
    parameters.push(sort("`-value` turns the type's own order round", keys, 1));
    parameters
}

const SORTS: &str = "`email`, `first_name`, `last_name`, `created_at`, or `field:` with the key of a filterable field; \
     a leading `-` means descending. By default `created_at`. Contacts without a value of the field are last in both \
     directions.";

const VALUE_FILTERS: &str = "Conditions on filterable fields, by their keys: `filter[field:jobTitle]=…`, or with an \
     operator, `filter[field:age][gte]=18`, or as a pair, as for names. Every type has equality and `exists` (`true` \
     or `false`), a string also `startsWith` and `contains`, without regard to case, and a number, date or datetime \
     `lt`, `lte`, `gt`, `gte` and `between`. Datetimes compare as instants.";

pub(crate) fn contacts() -> Vec<Parameter> {
    let after = "Reads the list by cursors: empty for the beginning, else `meta.next` of the page before, with the same \
         filters, sorts and search; not beside `page[number]`";
    let total =
        "Whether contacts are counted; without it a full page may be followed by another one";
    let include = "`field_values` adds its values to each contact";
    let flags = text().enum_values(Some(["true", "false"]));
    let mut parameters = page();
    parameters.extend([
        parameter("page[after]", ParameterIn::Query, after, text()),
        parameter("page[total]", ParameterIn::Query, total, flags.default(Some("true".into()))),
        parameter(
            "include",
            ParameterIn::Query,
            include,
            text().enum_values(Some(["field_values"])),
        ),
    ]);
    parameters.extend(matching());
    parameters
}

pub(crate) fn export() -> Vec<Parameter> {
    let after = "The `_cursor` of a line; the export goes on after it";
    let mut parameters = vec![parameter("page[after]", ParameterIn::Query, after, text())];
    parameters.extend(matching());
    parameters
}

pub(crate) fn bulk() -> Vec<Parameter> {
    let dry = "`true` answers with what would be created, updated and refused, and writes nothing";
    let flags = text().enum_values(Some(["true", "false"])).default(Some("false".into()));
    vec![parameter("dry_run", ParameterIn::Query, dry, flags)]
}

/// Which contacts a list has, and in which order.
fn matching() -> Vec<Parameter> {
    let names = SortKey::ATTRIBUTES.map(|(name, _)| name).join("|");
    let keys = text().pattern(Some(format!("^-?({names}|field:.+)$")));
    let search = format!(
        "At most {MAX_SEARCH_TERMS} terms, separated by white space; each matches the email, first or last name, without \
         regard to case: a term of {MIN_SUBSTRING} characters or more anywhere in it, a shorter one at its beginning"
    );
    let mut parameters = vec![
        sort(SORTS, keys, MAX_SORTS),
        parameter("search", ParameterIn::Query, &search, text().max_length(Some(MAX_SEARCH))),
    ];
    parameters.extend(filters().flat_map(|(name, operators)| filter(name, &operators)));
    parameters.push(value_filters());
    parameters
}

fn value_filters() -> Parameter {
    let by_key = ObjectBuilder::new().additional_properties(Some(filter_value()));
    ParameterBuilder::from(parameter("filter", ParameterIn::Query, VALUE_FILTERS, by_key))
        .style(Some(ParameterStyle::DeepObject))
        .explode(Some(true))
        .build()
}

fn sort(description: &str, keys: ObjectBuilder, max: usize) -> Parameter {
    let list = ArrayBuilder::new().items(keys).max_items(Some(max));
    parameter("sort[]", ParameterIn::Query, description, list)
}

/// An attribute that can be equal to a value holds text; the others hold moments.
fn filter(name: &str, operators: &[&str]) -> Vec<Parameter> {
    let short = operators.join("`, `");
    let mut parameters = if operators.contains(&"=") {
        vec![text_filter(name, &short)]
    } else {
        ["gt", "lt", "between"].map(|operator| moment_filter(name, operator)).into()
    };
    parameters.extend(pair(name, operators));
    parameters
}

fn text_filter(name: &str, short: &str) -> Parameter {
    let description = format!(
        "Equality without regard to case. Other comparisons: `filter[{name}][startsWith]=…`, with one of the operators \
         `{short}`, or as a pair, `filter[{name}][operator]` and `filter[{name}][value]`. `between` has two ends, joined \
         by a comma (`\\,` is a comma inside) or each in a `[between][]` of its own. All conditions must hold; at most \
         {MAX_CONDITIONS}."
    );
    parameter(&format!("filter[{name}]"), ParameterIn::Query, &description, filter_value())
}

fn moment_filter(name: &str, operator: &str) -> Parameter {
    const MOMENT: &str =
        r"\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}:\d{2}(\.\d{1,6})?([Zz]|[+-]\d{2}:\d{2}))?";
    let (description, pattern, example) = match operator {
        "gt" => ("Later than a date or RFC 3339 timestamp", format!("^{MOMENT}$"), "2026-01-01"),
        "lt" => ("Earlier than a date or RFC 3339 timestamp", format!("^{MOMENT}$"), "2026-12-31"),
        _ => (
            "Two dates or RFC 3339 timestamps joined by a comma, both included; one may be empty",
            format!("^({MOMENT},({MOMENT})?|,{MOMENT})$"),
            "2026-01-01,2026-12-31",
        ),
    };
    let description = format!("{description}. A date covers its day in UTC.");
    let value = text().pattern(Some(pattern)).examples([example]);
    let name = format!("filter[{name}][{operator}]");
    parameter(&name, ParameterIn::Query, &description, value)
}

/// The comparison and the value in separate parameters.
fn pair(name: &str, operators: &[&str]) -> [Parameter; 2] {
    let operator = text().enum_values(Some(operators.iter().copied()));
    [
        parameter(
            &format!("filter[{name}][operator]"),
            ParameterIn::Query,
            &format!("How `filter[{name}][value]` is compared; neither is valid alone"),
            operator,
        ),
        parameter(
            &format!("filter[{name}][value]"),
            ParameterIn::Query,
            &format!("What `filter[{name}][operator]` compares with"),
            filter_value(),
        ),
    ]
}

fn filter_value() -> ObjectBuilder {
    text().min_length(Some(1)).max_length(Some(MAX_FILTER_VALUE))
}
