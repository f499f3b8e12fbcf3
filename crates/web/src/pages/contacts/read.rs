//! `GET /contacts/{id}`

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::contacts::{self, AvatarUrl, Contact};
use contact_hub_domain::fields::{FieldValue, FieldValueEntry};
use contact_hub_domain::ids::ContactId;

use super::form::form_of_field;
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
    values: Vec<ValueRow>,
    pager: Pager,
}

struct ValueRow {
    label: String,
    text: String,
    /// The same as a moment, for the visitor's zone.
    moment: Option<Moment>,
    /// Where all of a long text can be read.
    whole: Option<String>,
}

impl ValueRow {
    fn new(entry: &FieldValueEntry, id: ContactId) -> Self {
        let (label, text) = (entry.field.name.clone(), in_words(&entry.value));
        let moment = match entry.value {
            FieldValue::DateTime(moment) => Some(Moment::from(moment.at)),
            _ => None,
        };
        match excerpt(&text, LONG_VALUE) {
            Some(beginning) => {
                let whole = Some(form_of_field(id, &entry.field));
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
    let (values, pager) = part(&detail.field_values, &format!("/contacts/{id}"), &address);
    let values = values.iter().map(|entry| ValueRow::new(entry, id)).collect();
    respond::page(&page(&caller, &detail.contact, values, pager))
}

fn page(
    caller: &PageCaller,
    contact: &Contact,
    values: Vec<ValueRow>,
    pager: Pager,
) -> ContactPage {
    let name = format!("{} {}", contact.first_name.as_str(), contact.last_name.as_str());
    ContactPage {
        frame: caller.frame(Section::Contacts, &name),
        id: contact.id.to_string(),
        email: contact.email.as_str().to_owned(),
        avatar: contact.avatar_url.as_ref().map(AvatarUrl::as_str).map(str::to_owned),
        created_at: contact.created_at.into(),
        updated_at: contact.updated_at.into(),
        version: contact.updated_at.micros(),
        values,
        pager,
        name,
    }
}
