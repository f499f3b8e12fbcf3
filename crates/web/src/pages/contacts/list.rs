//! `GET /contacts`: the list, whose search, filters, order and page are in the address.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::contacts::{self, Contact, ContactsError, ListDraft, OfMany};
use contact_hub_domain::fields::{self, Directory};
use contact_hub_domain::page::PageMeta;
use contact_hub_domain::violations::Violations;

use super::filters::{Chip, Choices, chips, choices};
use super::layout::{self, Cell, Choice, Column, Layout, MAX_COLUMNS};
use super::narrowing::{Incomplete, Narrowing, narrowing};
use super::patient_list::{self, Listed};
use super::view_link::ViewLink;
use crate::error::Answer;
use crate::extract::query::FromQuery as _;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::cookies;
use crate::pages::excerpt::shortened;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::label::{label_of_filter, labelled};
use crate::pages::notice::Notice;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/contacts";

/// How many characters of an email a row shows, and how many its box is named by.
const LONG_EMAIL: usize = 100;
const LONG_NAME: usize = 50;

#[derive(Template)]
#[template(path = "contacts/list.html")]
struct ContactsPage {
    frame: Frame,
    search: String,
    /// The filter that is being added, and what is wrong with it.
    adding: String,
    typed: String,
    lacking: Option<&'static str>,
    kept: Vec<(String, String)>,
    kept_by_columns: Vec<(String, String)>,
    choices: Vec<Choices>,
    chips: Vec<Chip>,
    layout: Layout,
    offered: Vec<Choice>,
    max_columns: usize,
    /// How many fields are not among them.
    not_offered: usize,
    heads: Vec<Head>,
    problems: Vec<String>,
    rows: Vec<Row>,
    pager: Pager,
    is_narrowed: bool,
    export: String,
    /// The list, to come back to.
    back: String,
    /// The list with all of this page selected, for browsers without scripts.
    select_all: String,
    are_selected: bool,
    views: Vec<ViewLink>,
    /// The query that a view of this list stores.
    view: String,
    /// The form that saves it.
    view_form: FormView,
}

impl ContactsPage {
    /// Whether the list is a saved view.
    fn has_view(&self) -> bool {
        self.views.iter().any(|it| it.is_current)
    }
}

struct Head {
    label: String,
    /// The list sorted by this column; a second time reverses the order.
    href: Option<String>,
    sorted: &'static str,
}

struct Row {
    id: String,
    email: String,
    /// The email, for screen readers: which contact the box selects.
    name: String,
    cells: Vec<Cell>,
}

impl Row {
    fn new(contact: &Contact, columns: &[Column<'_>]) -> Self {
        Self {
            id: contact.id.to_string(),
            email: shortened(contact.email.as_str(), LONG_EMAIL),
            name: shortened(contact.email.as_str(), LONG_NAME),
            cells: columns.iter().map(|column| column.cell(contact)).collect(),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    let address = Address::of(request.query_string());
    match narrowing(&address) {
        Narrowing::Whole => draw(&caller, &request, address, None, FormView::default()).await,
        Narrowing::Settled(list, layout) => {
            let notice = layout::has_too_many(&address).then_some(Notice::FewerColumns);
            settled(&caller, &list, layout, notice).await
        }
        Narrowing::Incomplete(it) => {
            let address = it.address.clone();
            draw(&caller, &request, address, Some(it), FormView::default()).await
        }
    }
}

/// The list, with the form of a view that was refused.
pub(super) async fn with_refused_view(
    caller: &PageCaller,
    request: &HttpRequest,
    address: Address,
    view: FormView,
) -> Answer {
    draw(caller, request, address, None, view).await
}

async fn draw(
    caller: &PageCaller,
    request: &HttpRequest,
    address: Address,
    incomplete: Option<Incomplete>,
    view_form: FormView,
) -> Answer {
    let are_selected = address.get("select") == "page";
    let address = address.without(|name| name == "select");
    let cx = caller.context();
    let directory = fields::list(&cx).await?;
    let layout = Layout::of(&address, request, caller.state());
    let mut page = empty_page(caller, &address, &directory, layout, incomplete);
    page.are_selected = are_selected;
    page.view_form = view_form;
    let views = contacts::views(&caller.context()).await?;
    page.views = views.iter().map(|it| ViewLink::new(it, caller, &page.view)).collect();
    let draft = ListDraft::from_query(address.href("").trim_start_matches('?'))?;
    let query = match draft.read(&cx).await {
        Ok(query) => query,
        Err(ContactsError::Invalid(violations)) => return refused(page, &violations, &directory),
        Err(error) => return Err(error.into()),
    };
    let columns = page.layout.columns(&directory);
    let has_values = columns.iter().any(|column| matches!(column, Column::Field(_)));
    let query = if has_values { query } else { query.without_values() };
    let request = query.page;
    let (contacts, pager) = match patient_list::list(&cx, query).await? {
        Listed::Counted(found) => (found.items, Pager::new(PATH, &address, found.meta)),
        Listed::OfMany(OfMany { contacts, more_than, .. }) => {
            let shown = u64::try_from(contacts.len()).unwrap_or(u64::MAX);
            let meta = PageMeta::new(request, more_than, shown);
            (contacts, Pager::of_more_than(PATH, &address, meta))
        }
    };
    page.rows = contacts.iter().map(|contact| Row::new(contact, &columns)).collect();
    page.pager = pager;
    let is_whole = page.lacking.is_none();
    let status = if is_whole { page.view_form.status() } else { StatusCode::UNPROCESSABLE_ENTITY };
    respond::page_with(status, &page)
}

/// Redirects to the list, and has the browser keep the columns that were chosen.
async fn settled(
    caller: &PageCaller,
    address: &Address,
    layout: Option<Layout>,
    notice: Option<Notice>,
) -> Answer {
    let location = address.href(PATH);
    let mut response = match notice {
        Some(notice) => respond::done(caller, &location, notice),
        None => respond::see(&location),
    };
    if let Some(layout) = layout {
        let directory = fields::list(&caller.context()).await?;
        let kept = cookies::layout_cookie(caller.who.is_secure, layout.to_text(&directory));
        // The name and the value have only characters that a cookie allows.
        response.add_cookie(&kept).ok();
    }
    Ok(response)
}

/// The page without a list, with the errors of its address.
fn refused(mut page: ContactsPage, violations: &Violations, directory: &Directory) -> Answer {
    let messages = violations.iter();
    let messages =
        messages.map(|(path, it)| labelled(&label_of_filter(path, directory), &it.join("; ")));
    page.problems = messages.collect();
    respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

fn empty_page(
    caller: &PageCaller,
    address: &Address,
    directory: &Directory,
    layout: Layout,
    incomplete: Option<Incomplete>,
) -> ContactsPage {
    let chips = chips(address, directory);
    let without_page = address.without(|name| name.starts_with("page"));
    let search = address.get("search").to_owned();
    let view = without_page.without(|name| name == "layout");
    let view = view.with("layout", &layout.to_text(directory));
    let (adding, typed, lacking) =
        incomplete.map_or_else(Default::default, |it| (it.add, it.value, Some(it.problem)));
    ContactsPage {
        frame: caller.frame(Section::Contacts, "Contacts"),
        is_narrowed: !search.is_empty() || !chips.is_empty(),
        search,
        adding,
        typed,
        lacking,
        kept: without_page.without(|name| name == "search").pairs().to_vec(),
        kept_by_columns: without_page.without(|name| name == "layout").pairs().to_vec(),
        choices: choices(directory),
        chips,
        offered: layout::choices(&layout, directory),
        max_columns: MAX_COLUMNS,
        not_offered: layout::not_offered(&layout, directory),
        heads: heads(address, &layout.columns(directory)),
        layout,
        problems: Vec::new(),
        rows: Vec::new(),
        pager: Pager::default(),
        back: address.href(PATH),
        select_all: address.clone().with("select", "page").href(PATH),
        are_selected: false,
        views: Vec::new(),
        view: view.href("").trim_start_matches('?').to_owned(),
        view_form: FormView::default(),
        export: without_page.without(|name| name == "layout").href("/contacts/export.csv"),
    }
}

/// The heads of the columns.
fn heads(address: &Address, columns: &[Column<'_>]) -> Vec<Head> {
    let sorted_by = address.pairs().iter().find(|(name, _)| name.starts_with("sort"));
    let sorted_by = sorted_by.map_or("created_at", |(_, key)| key.as_str());
    let head = |(label, sort): (String, Option<String>)| {
        let Some(name) = sort else { return Head { label, href: None, sorted: "" } };
        let (sorted, next) = match sorted_by.strip_prefix('-') {
            None if sorted_by == name => ("ascending", format!("-{name}")),
            Some(descending) if descending == name => ("descending", name),
            _ => ("", name),
        };
        let others = address.on_first_page().without(|it| it.starts_with("sort"));
        Head { label, href: Some(others.with("sort", &next).href(PATH)), sorted }
    };
    let email = ("Email".to_owned(), Some("email".to_owned()));
    let others = columns.iter().map(|column| (column.label().to_owned(), column.sort()));
    std::iter::once(email).chain(others).map(head).collect()
}
