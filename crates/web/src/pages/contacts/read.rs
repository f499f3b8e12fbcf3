//! `GET /contacts/{id}`

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::changes;
use contact_hub_domain::contacts::{self, AvatarUrl, Contact};
use contact_hub_domain::fields::{self, FieldType, FieldValue, FieldValueEntry};
use contact_hub_domain::ids::ContactId;

use super::events::Event;
use super::form_names::form_of_field;
use super::values::{LONG_VALUE, in_words};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::excerpt;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::part::part;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "contacts/read.html")]
struct ContactPage {
    frame: Frame,
    id: String,
    name: String,
    email: String,
    avatar: Option<String>,
    created_at: Moment,
    updated_at: Moment,
    version: i64,
    initials: String,
    groups: Vec<Group>,
    pager: Pager,
    events: Vec<Event>,
    /// The page with more events.
    more_events: Option<String>,
}

/// Values of one kind.
struct Group {
    /// Its name; none when there is one group.
    heading: Option<&'static str>,
    values: Vec<ValueRow>,
}

/// How many events a page shows at first, and at most.
const EVENTS: u32 = 10;
const MAX_EVENTS: u32 = 100;

struct ValueRow {
    label: String,
    text: String,
    /// The same as a moment, for the visitor's zone.
    moment: Option<Moment>,
    /// Where all of a long text can be read.
    whole: Option<String>,
}

impl ValueRow {
    fn new(entry: &FieldValueEntry<'_>, id: ContactId) -> Self {
        let (label, text) = (entry.field.name.clone(), in_words(entry.value));
        let moment = match entry.value {
            FieldValue::DateTime(moment) => Some(Moment::from(moment.at)),
            _ => None,
        };
        match excerpt(&text, LONG_VALUE) {
            Some(beginning) => {
                let whole = Some(form_of_field(id, entry.field));
                Self { label, text: beginning, moment, whole }
            }
            None => Self { label, text, moment, whole: None },
        }
    }
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    request: HttpRequest,
) -> Answer {
    let detail = contacts::read(&caller.context(), id).await?;
    let address = Address::of(request.query_string());
    let path = format!("/contacts/{id}");
    let field_values = detail.field_values();
    let (values, pager) = part(&field_values, &path, &address);
    let limit = if address.get("events") == "all" { MAX_EVENTS } else { EVENTS };
    let mut entries = changes::of_contact(&caller.context(), id, limit + 1).await?;
    let has_more = u32::try_from(entries.len()).is_ok_and(|found| found > limit);
    entries.truncate(usize::try_from(limit).unwrap_or_default());
    let directory = fields::list(&caller.context()).await?;
    let person = caller.holder().caller.user_id;
    let events = entries.iter().map(|entry| Event::new(entry, &directory, person)).collect();
    let all = address.without(|name| name == "events").with("events", "all");
    let more_events =
        (has_more && limit < MAX_EVENTS).then(|| format!("{}#events", all.href(&path)));
    respond::page(&ContactPage {
        groups: groups(values, id),
        pager,
        events,
        more_events,
        ..page(&caller, &detail.contact)
    })
}

/// Values by what they are: texts and numbers, dates, answers, and those of archived fields.
fn groups(values: &[FieldValueEntry<'_>], id: ContactId) -> Vec<Group> {
    let heading = |entry: &FieldValueEntry<'_>| match entry.field.kind {
        _ if entry.field.archived => "Archived fields",
        FieldType::Date | FieldType::DateTime => "Dates",
        FieldType::Boolean => "Yes or no",
        FieldType::String | FieldType::Number => "Texts and numbers",
    };
    let of = |name: &'static str| {
        let rows = values.iter().filter(|entry| heading(entry) == name);
        Group { heading: Some(name), values: rows.map(|it| ValueRow::new(it, id)).collect() }
    };
    let all = ["Texts and numbers", "Dates", "Yes or no", "Archived fields"].map(of);
    let mut groups: Vec<Group> = all.into_iter().filter(|it| !it.values.is_empty()).collect();
    if let [only] = groups.as_mut_slice()
        && only.heading != Some("Archived fields")
    {
        only.heading = None;
    }
    groups
}

/// The address of a picture, if the policy of our pages allows it.
fn shown_avatar(url: &AvatarUrl) -> Option<String> {
    url.as_str().starts_with("https:").then(|| url.as_str().to_owned())
}

/// The name of a contact.
pub(super) fn full_name(contact: &Contact) -> String {
    format!("{} {}", contact.first_name.as_str(), contact.last_name.as_str())
}

fn page(caller: &PageCaller, contact: &Contact) -> ContactPage {
    let (first, last) = (contact.first_name.as_str(), contact.last_name.as_str());
    let name = full_name(contact);
    ContactPage {
        frame: caller.frame(Section::Contacts, &name),
        id: contact.id.to_string(),
        email: contact.email.as_str().to_owned(),
        avatar: contact.avatar_url.as_ref().and_then(shown_avatar),
        created_at: contact.created_at.into(),
        updated_at: contact.updated_at.into(),
        version: contact.updated_at.micros(),
        initials: [first, last].iter().filter_map(|name| name.chars().next()).collect(),
        groups: Vec::new(),
        pager: Pager::default(),
        events: Vec::new(),
        more_events: None,
        name,
    }
}
