//! `GET /contacts/{id}`

use actix_web::HttpResponse;
use askama::Template;

use contact_hub_domain::contacts::{self, AvatarUrl, ContactsError};
use contact_hub_domain::ids::ContactId;

use super::values::text_of;
use crate::error::ApiError;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::moment::Moment;
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
    values: Vec<(String, String)>,
}

pub(crate) async fn handle(caller: PageCaller, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = ContactId::parse(id.as_str()).ok_or(ContactsError::NotFound)?;
    let detail = contacts::read(&caller.context(), id).await?;
    let contact = detail.contact;
    let name = format!("{} {}", contact.first_name.as_str(), contact.last_name.as_str());
    let values = detail.field_values.iter().map(|it| (it.field.name.clone(), text_of(&it.value)));
    respond::page(&ContactPage {
        frame: caller.frame(Section::Contacts, &name),
        id: id.to_string(),
        email: contact.email.as_str().to_owned(),
        avatar: contact.avatar_url.as_ref().map(AvatarUrl::as_str).map(str::to_owned),
        created_at: contact.created_at.into(),
        updated_at: contact.updated_at.into(),
        version: contact.updated_at.micros(),
        values: values.collect(),
        name,
    })
}
