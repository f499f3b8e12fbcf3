//! `GET /admin/integrations/webhooks/deliveries`

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::webhooks;

use super::delivery_row::DeliveryRow;
use super::filter::{Chip, EVENT, FROM, Filter, ID, PATH, STATE, TO, WEBHOOK, events, states};
use super::names::WebhookNames;
use super::resend_many::all_matching;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::respond;

/// The maximum number of webhooks to choose from; the page of each webhook leads to its deliveries.
const MAX_CHOICES: usize = 100;

#[derive(Template)]
#[template(path = "webhooks/deliveries.html")]
struct DeliveriesPage {
    frame: Frame,
    kept: Vec<(String, String)>,
    selects: Vec<Select>,
    fields: Vec<Field>,
    chips: Vec<Chip>,
    rows: Vec<DeliveryRow>,
    pager: Pager,
    searched_until: Option<(Moment, String)>,
    resend_all: String,
    /// The parameters of this list, by which the next page leads back to it.
    shown: Vec<(String, String)>,
}

/// A value, its words, and whether it is chosen.
type Choice = (String, String, bool);

/// A select of the filter.
struct Select {
    id: &'static str,
    name: &'static str,
    label: &'static str,
    options: Vec<Choice>,
    problem: Option<&'static str>,
}

/// Another field of the filter.
struct Field {
    name: &'static str,
    label: &'static str,
    kind: &'static str,
    value: String,
    /// The parameter of a moment that is picked in the visitor's zone, and its value in UTC.
    moment: Option<&'static str>,
    moment_value: String,
    problem: Option<&'static str>,
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    let filter = Filter::read(request.query_string())?;
    let names = WebhookNames::of(&caller).await?;
    let mut page = DeliveriesPage {
        frame: caller.frame(Section::Webhooks, "Deliveries"),
        kept: filter.kept(),
        selects: selects(&filter, &names),
        fields: fields(&filter),
        chips: filter.chips(&names),
        rows: Vec::new(),
        pager: Pager::default(),
        searched_until: None,
        resend_all: all_matching(&filter),
        shown: filter.address.pairs().to_vec(),
    };
    if !filter.problems.is_empty() {
        return respond::page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    let found = webhooks::search_deliveries(&caller.context(), filter.search).await?;
    let row = |it| DeliveryRow::listed(it, &names);
    page.rows = found.page.items.into_iter().map(row).collect();
    page.pager = Pager::new(PATH, &filter.address, found.page.meta);
    page.searched_until = found.searched_until.map(|(at, id)| (at.into(), filter.before(id)));
    respond::page(&page)
}

fn selects(filter: &Filter, names: &WebhookNames) -> Vec<Select> {
    let owned = |(value, label, is_chosen): (&str, &str, bool)| {
        (value.to_owned(), label.to_owned(), is_chosen)
    };
    let states = states(&filter.search).into_iter().map(owned).collect();
    let events = events(&filter.search).into_iter().map(owned).collect();
    let chosen = filter.search.query.webhook_id;
    let webhooks: Vec<Choice> = names
        .all()
        .map(|(id, name)| (id.to_string(), name.to_owned(), chosen == Some(id)))
        .collect();
    let select = |id, name, label, options| Select {
        id,
        name,
        label,
        options,
        problem: filter.problem(name),
    };
    let mut selects =
        vec![select("state", STATE, "State", states), select(EVENT, EVENT, "Event", events)];
    if (1..=MAX_CHOICES).contains(&webhooks.len()) {
        selects.push(select("webhook", WEBHOOK, "Webhook", webhooks));
    }
    selects
}

fn fields(filter: &Filter) -> Vec<Field> {
    let value = |name: &str| filter.address.get(name).trim().to_owned();
    let moment = |[name, local]: [&'static str; 2], label| Field {
        name: local,
        label,
        kind: "datetime-local",
        value: value(local),
        moment: Some(name),
        moment_value: value(name),
        problem: filter.problem(name).or(filter.problem(local)),
    };
    let id = Field {
        name: ID,
        label: "ID",
        kind: "search",
        value: value(ID),
        moment: None,
        moment_value: String::new(),
        problem: filter.problem(ID),
    };
    vec![moment(FROM, "From"), moment(TO, "Before"), id]
}
