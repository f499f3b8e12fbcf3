//! `GET /contacts`: the list, whose search, filters, order and page are in the address.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::contacts::{self, Contact, ContactsError, ListDraft, SortKey};
use contact_hub_domain::violations::Violations;

use super::filters::{Chip, Choices, chips, choices};
use crate::error::Answer;
use crate::extract::query::FromQuery as _;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::frame::{Frame, Section};
use crate::pages::label::{label, labelled};
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/contacts";

/// How many characters of a name a row shows.
const LONG_NAME: usize = 100;

#[derive(Template)]
#[template(path = "contacts/list.html")]
struct ContactsPage {
    frame: Frame,
    search: String,
    adding: &'static str,
    kept: Vec<(String, String)>,
    choices: Vec<Choices>,
    chips: Vec<Chip>,
    columns: Vec<Column>,
    problems: Vec<String>,
    rows: Vec<Row>,
    pager: Pager,
    is_narrowed: bool,
    export: String,
}

struct Column {
    label: &'static str,
    href: String,
    sorted: &'static str,
}

struct Row {
    id: String,
    email: String,
    first_name: String,
    last_name: String,
    created_at: Moment,
    updated_at: Moment,
}

impl From<&Contact> for Row {
    fn from(contact: &Contact) -> Self {
        Self {
            id: contact.id.to_string(),
            email: contact.email.as_str().to_owned(),
            first_name: shortened(contact.first_name.as_str(), LONG_NAME),
            last_name: shortened(contact.last_name.as_str(), LONG_NAME),
            created_at: contact.created_at.into(),
            updated_at: contact.updated_at.into(),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    if let Some(settled) = settled(&address) {
        return Ok(respond::see(&settled.href(PATH)));
    }
    let mut page = empty_page(&caller, &address);
    let draft = ListDraft::from_query(request.query_string())?;
    let query = match draft.read(&caller.context()).await {
        Ok(query) => query,
        Err(ContactsError::Invalid(violations)) => return refused(page, &violations),
        Err(error) => return Err(error.into()),
    };
    let found = contacts::list(&caller.context(), query).await?;
    page.rows = found.items.iter().map(Row::from).collect();
    page.pager = Pager::new(PATH, &address, found.meta);
    respond::page(&page)
}

/// The page without a list, with the errors of its address.
fn refused(mut page: ContactsPage, violations: &Violations) -> Answer {
    let messages = violations.iter().map(|(path, it)| labelled(&label(path), &it.join("; ")));
    page.problems = messages.collect();
    respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// The address for the form above the list: an added filter becomes a parameter, and empty fields are left out.
fn settled(address: &Address) -> Option<Address> {
    let is_helper = |name: &str| matches!(name, "add" | "value");
    let is_empty = |pair: &(String, String)| pair.0 == "search" && pair.1.is_empty();
    if !address.pairs().iter().any(|pair| is_helper(&pair.0) || is_empty(pair)) {
        return None;
    }
    let without_search = address.get("search").is_empty();
    let clean = address.without(|name| is_helper(name) || (without_search && name == "search"));
    let (add, value) = (address.get("add"), address.get("value"));
    let is_filter = add.starts_with("filter[") && !value.is_empty();
    Some(if is_filter { clean.with(add, value) } else { clean })
}

fn empty_page(caller: &PageCaller, address: &Address) -> ContactsPage {
    let chips = chips(address);
    let kept = address.without(|name| name == "search" || name.starts_with("page"));
    let search = address.get("search").to_owned();
    ContactsPage {
        frame: caller.frame(Section::Contacts, "Contacts"),
        is_narrowed: !search.is_empty() || !chips.is_empty(),
        search,
        adding: "",
        kept: kept.pairs().to_vec(),
        choices: choices(),
        chips,
        columns: columns(address),
        problems: Vec::new(),
        rows: Vec::new(),
        pager: Pager::default(),
        export: address.without(|name| name.starts_with("page")).href("/contacts/export.csv"),
    }
}

/// The heads of the columns. Each sorts by its column, and a second time reverses the order.
fn columns(address: &Address) -> Vec<Column> {
    let sorted_by = address.pairs().iter().find(|(name, _)| name.starts_with("sort"));
    let sorted_by = sorted_by.map_or("created_at", |(_, key)| key.as_str());
    let column = |(name, key): (&'static str, SortKey)| {
        let (sorted, next) = match sorted_by.strip_prefix('-') {
            None if sorted_by == name => ("ascending", format!("-{name}")),
            Some(descending) if descending == name => ("descending", name.to_owned()),
            _ => ("", name.to_owned()),
        };
        let others = address.on_first_page().without(|it| it.starts_with("sort"));
        Column { label: head(key), href: others.with("sort", &next).href(PATH), sorted }
    };
    SortKey::ATTRIBUTES.map(column).into()
}

const fn head(key: SortKey) -> &'static str {
    match key {
        SortKey::Email => "Email",
        SortKey::FirstName => "First name",
        SortKey::LastName => "Last name",
        SortKey::CreatedAt => "Created",
        SortKey::Field(_) => "Field",
    }
}
