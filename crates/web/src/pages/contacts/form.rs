//! The form of a contact, for creating and for changing alike.

use askama::Template;

use contact_hub_domain::contacts::{AvatarUrl, ChangeDraft, Contact, ContactDetail, ContactDraft};
use contact_hub_domain::fields::{Directory, Field, FieldType, FieldValues, FieldsError};
use contact_hub_domain::ids::ContactId;

use super::conflict::Side;
use super::form_names::{VALUES, form_of_field, name_of, path};
use super::read::full_name;
use super::values::{LONG_VALUE, given_of};
use crate::error::{Answer, ApiError};
use crate::fields::json::text_of;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::excerpt::excerpt;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::pager::Pager;
use crate::pages::part::part;
use crate::pages::respond;

/// The fields beside which an error can be shown.
const BESIDE: [&str; 5] = ["email", "first_name", "last_name", "avatar_url", "field_values"];

/// A text with more characters gets more than one line.
const LINE: usize = 100;

#[derive(Template)]
#[template(path = "contacts/form.html")]
struct ContactForm {
    frame: Frame,
    form: FormView,
    contact: Option<Named>,
    shown: Shown,
    beside: &'static [&'static str],
}

impl ContactForm {
    fn has_lines(&self, field: &ValueField) -> bool {
        let text = self.form.text(&field.name);
        field.is(FieldType::String)
            && (text.contains(['\n', '\r']) || text.chars().nth(LINE).is_some())
    }
}

/// The contact of the form, and the fields that it shows. Saving does not change the others.
pub(super) struct Shown {
    id: Option<ContactId>,
    fields: Vec<ValueField>,
    pager: Pager,
    /// How many fields are left out until the new contact exists.
    left_out: usize,
    /// The fields that were changed in the meantime; the person chooses one of both versions in place of the field.
    contested: Vec<Side>,
}

impl Shown {
    /// The form of a new contact has only the first fields: going on to other fields would lose what was typed.
    pub(super) fn first(directory: &Directory) -> Self {
        let all: Vec<&Field> = directory.in_use().collect();
        let (fields, _pager) = part(&all, "", &Address::default());
        let left_out = all.len() - fields.len();
        let fields = fields.iter().map(|field| ValueField::of(field)).collect();
        Self { id: None, fields, pager: Pager::default(), left_out, contested: Vec::new() }
    }

    /// The fields that the address selects: one by its key, or else a part of all fields, with long texts shortened.
    pub(super) fn of(
        directory: &Directory,
        id: ContactId,
        query: &str,
        detail: &ContactDetail,
    ) -> Result<Self, ApiError> {
        let address = Address::of(query);
        let key = address.get("field");
        if !key.is_empty() {
            let field = directory.find(key).ok_or(FieldsError::NotFound)?;
            let fields = vec![ValueField::of(field)];
            let (pager, contested) = (Pager::default(), Vec::new());
            return Ok(Self { id: Some(id), fields, pager, left_out: 0, contested });
        }
        let in_use: Vec<&Field> = directory.in_use().collect();
        let (fields, pager) = part(&in_use, &path(id), &address);
        let values = &detail.contact.field_values;
        let fields = fields.iter().map(|field| ValueField::begun(field, id, values)).collect();
        Ok(Self { id: Some(id), fields, pager, left_out: 0, contested: Vec::new() })
    }

    /// The fields that a refused form had.
    pub(super) fn again(directory: &Directory, form: &Form, id: Option<ContactId>) -> Self {
        let had = directory.fields().iter().filter(|field| form.is_ticked(&name_of(field)));
        let fields: Vec<ValueField> = had.map(ValueField::of).collect();
        let in_use = directory.in_use().count();
        let left_out = if id.is_some() { 0 } else { in_use.saturating_sub(fields.len()) };
        Self { id, fields, pager: Pager::default(), left_out, contested: Vec::new() }
    }

    /// The same with both versions in place of the fields that were changed in the meantime.
    pub(super) fn contested(mut self, sides: Vec<Side>) -> Self {
        self.fields.retain(|field| !sides.iter().any(|side| side.name == field.name));
        Self { contested: sides, ..self }
    }

    /// Whether the form sends this field.
    fn has(&self, name: &str) -> bool {
        !name.starts_with(VALUES)
            || self.fields.iter().any(|field| field.name == name && field.long.is_none())
            || self.is_contested(name)
    }

    fn is_contested(&self, name: &str) -> bool {
        self.contested.iter().any(|side| side.name == name)
    }
}

/// A field of the form for the values of a field of the directory.
pub(super) struct ValueField {
    pub(super) name: String,
    pub(super) label: String,
    kind: FieldType,
    /// The beginning of a text that is too long to be shown among others, and the address of its form.
    long: Option<(String, String)>,
}

impl ValueField {
    pub(super) fn of(field: &Field) -> Self {
        Self { name: name_of(field), label: field.name.clone(), kind: field.kind, long: None }
    }

    fn begun(field: &Field, id: ContactId, values: &FieldValues) -> Self {
        let beginning =
            values.get(&field.key).and_then(|value| excerpt(&text_of(value), LONG_VALUE));
        let long = beginning.map(|beginning| (beginning, form_of_field(id, field)));
        Self { long, ..Self::of(field) }
    }

    fn is(&self, kind: FieldType) -> bool {
        self.kind == kind
    }

    pub(super) fn is_boolean(&self) -> bool {
        self.is(FieldType::Boolean)
    }

    pub(super) fn input(&self) -> &'static str {
        if self.is(FieldType::Date) { "date" } else { "text" }
    }

    pub(super) fn attributes(&self) -> &'static str {
        match self.kind {
            FieldType::Number => "inputmode=\"decimal\"",
            FieldType::DateTime => "data-picker",
            _ => "",
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        if self.is(FieldType::DateTime) { "Such as 2026-11-20T09:30:00+01:00." } else { "" }
    }
}

/// Draws the form; `contact` is the one that is changed.
pub(super) fn draw(
    caller: &PageCaller,
    form: FormView,
    contact: Option<&Contact>,
    shown: Shown,
) -> Answer {
    let title = if shown.id.is_some() { "Edit contact" } else { "New contact" };
    let frame = caller.frame(Section::Contacts, title);
    let contact = contact.map(|it| Named::new(&it.id, full_name(it)));
    let form = form.showing(|name| shown.has(name));
    respond::page_with(form.status(), &ContactForm { frame, form, contact, shown, beside: &BESIDE })
}

/// The change that the form describes: what was edited in it.
pub(super) fn change(form: &Form, directory: &Directory) -> ChangeDraft {
    let typed = directory.fields().iter().filter_map(|field| {
        let name = name_of(field);
        let is_edited = form.is_ticked(&name) && form.is_edited(&name);
        is_edited.then(|| (field.key.to_string(), given_of(field.kind, form.text(&name))))
    });
    ChangeDraft {
        email: form.edited_text("email"),
        first_name: form.edited_text("first_name"),
        last_name: form.edited_text("last_name"),
        avatar_url: form.edited_text("avatar_url"),
        field_values: typed.collect(),
    }
}

/// The contact that the form describes. A field that the form did not have is absent.
pub(super) fn draft(form: &Form, directory: &Directory) -> ContactDraft {
    let typed = directory.fields().iter().filter_map(|field| {
        let name = name_of(field);
        let is_there = form.is_ticked(&name);
        is_there.then(|| (field.key.to_string(), given_of(field.kind, form.text(&name))))
    });
    ContactDraft {
        email: form.input("email"),
        first_name: form.input("first_name"),
        last_name: form.input("last_name"),
        avatar_url: form.clearing("avatar_url"),
        field_values: typed.collect(),
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
    let of_fields = detail.field_values().into_iter();
    values.extend(of_fields.map(|it| (name_of(it.field), text_of(it.value))));
    FormView::of(values)
}
