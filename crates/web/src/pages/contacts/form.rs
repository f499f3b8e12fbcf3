//! The form of a contact, for creating and for changing alike.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use contact_hub_domain::contacts::{AvatarUrl, ContactDetail, ContactDraft};
use contact_hub_domain::fields::{self, Directory, Field, FieldType, FieldValuesDraft};
use contact_hub_domain::given::Given;

use super::values::{given_of, text_of};
use crate::error::ApiError;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

/// The fields beside which an error can stand.
const SHOWN: [&str; 5] = ["email", "first_name", "last_name", "avatar_url", "field_values"];

#[derive(Template)]
#[template(path = "contacts/form.html")]
struct ContactForm {
    frame: Frame,
    form: FormView,
    id: Option<String>,
    fields: Vec<ValueField>,
    shown: &'static [&'static str],
}

/// A field of the form for the values of a field of the directory.
struct ValueField {
    name: String,
    label: String,
    kind: &'static str,
}

impl ValueField {
    fn of(field: &Field) -> Self {
        Self { name: path(field), label: field.name.clone(), kind: field.kind.as_str() }
    }

    fn is(&self, kind: FieldType) -> bool {
        self.kind == kind.as_str()
    }

    fn input(&self) -> &'static str {
        if self.is(FieldType::Date) { "date" } else { "text" }
    }

    fn attributes(&self) -> &'static str {
        if self.is(FieldType::Number) { "inputmode=\"decimal\"" } else { "" }
    }

    fn hint(&self) -> &'static str {
        if self.is(FieldType::DateTime) { "Such as 2026-11-20T09:30:00+01:00." } else { "" }
    }
}

/// The name of a value in the form, which is also its path when it is refused.
fn path(field: &Field) -> String {
    format!("field_values.{}", field.key)
}

/// Draws the form; `id` is the contact that is changed.
pub(super) async fn draw(
    caller: &PageCaller,
    status: StatusCode,
    form: FormView,
    id: Option<String>,
) -> Result<HttpResponse, ApiError> {
    let directory = fields::list(&caller.context()).await?;
    let title = if id.is_some() { "Edit contact" } else { "New contact" };
    let page = ContactForm {
        frame: caller.frame(Section::Contacts, title),
        form,
        id,
        fields: directory.fields().iter().map(ValueField::of).collect(),
        shown: &SHOWN,
    };
    respond::page_with(status, &page)
}

/// What the form gives. A field that the form did not have is absent.
pub(super) fn draft(form: &Form, directory: &Directory) -> ContactDraft {
    let typed = directory.fields().iter().filter_map(|field| {
        let path = path(field);
        let is_there = form.is_ticked(&path);
        is_there.then(|| (field.key.to_string(), given_of(field.kind, form.text(&path))))
    });
    ContactDraft {
        email: form.given("email"),
        first_name: form.given("first_name"),
        last_name: form.given("last_name"),
        avatar_url: form.clearing("avatar_url"),
        field_values: FieldValuesDraft::Entries(typed.collect()),
    }
}

/// The form filled with a contact.
pub(super) fn filled(detail: &ContactDetail) -> FormView {
    let contact = &detail.contact;
    let avatar = contact.avatar_url.as_ref().map_or("", AvatarUrl::as_str);
    let own = [
        ("email", contact.email.as_str()),
        ("first_name", contact.first_name.as_str()),
        ("last_name", contact.last_name.as_str()),
        ("avatar_url", avatar),
    ];
    let mut values: Vec<(String, String)> =
        own.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    values.push(("version".to_owned(), contact.updated_at.micros().to_string()));
    values.extend(detail.field_values.iter().map(|it| (path(&it.field), text_of(&it.value))));
    FormView::of(values)
}

/// What a form without an email would have to say is never needed: the email of a change is the contact's own.
pub(super) fn with_email(mut draft: ContactDraft, email: &str) -> ContactDraft {
    draft.email = Given::from(email);
    draft
}
