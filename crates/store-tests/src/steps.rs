//! The writes of which sequences are made.

use contact_hub_domain::contacts::{AvatarUrl, BulkRun, ChangeDraft, ChangedValues, ContactDraft};
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use proptest::prelude::*;

pub(crate) const EMAILS: [&str; 5] =
    ["a@x.example", "A@X.example", "b@x.example", "c@x.example", "d@x.example"];
/// The name and type of each field, and whether it is filterable.
pub(crate) const FIELDS: [(&str, &str, bool); 3] =
    [("Team", "string", true), ("Score", "number", true), ("Member", "boolean", false)];

/// The input of a request for the three fields: nothing, null, or one of a few values.
pub(crate) type Values = [Option<Option<u8>>; 3];

#[derive(Clone, Debug)]
#[expect(clippy::option_option, reason = "absent, null and a value are three cases")]
pub(crate) struct Row {
    pub(crate) email: usize,
    pub(crate) first: u8,
    pub(crate) last: u8,
    pub(crate) avatar: Option<Option<u8>>,
    pub(crate) values: Values,
}

/// What a change names.
#[derive(Clone, Debug)]
#[expect(clippy::option_option, reason = "absent, null and a value are three cases")]
pub(crate) struct Patch {
    pub(crate) email: Option<usize>,
    pub(crate) first: Option<u8>,
    pub(crate) last: Option<u8>,
    pub(crate) avatar: Option<Option<u8>>,
    pub(crate) values: Values,
}

impl Patch {
    pub(crate) fn is_empty(&self) -> bool {
        let has_attribute = [self.email.is_some(), self.first.is_some(), self.last.is_some()];
        let has_attribute = has_attribute.contains(&true) || self.avatar.is_some();
        !has_attribute && self.values.iter().all(Option::is_none)
    }
}

impl From<&Row> for Patch {
    fn from(row: &Row) -> Self {
        Self {
            email: Some(row.email),
            first: Some(row.first),
            last: Some(row.last),
            avatar: row.avatar,
            values: row.values,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Create(Row),
    Bulk(Vec<Row>, BulkRun),
    /// By a form, which names everything.
    Change(usize, Row),
    Patch(usize, Patch),
    Delete(usize),
    DeleteMany(Vec<usize>),
    Restore(Vec<usize>),
    SetValues(Vec<usize>, Values),
    Replace(usize, Values),
    /// Archives a field, or puts it to use again.
    Archive(usize, bool),
    /// Erases a contact, and blocks its email or not.
    Erase(usize, bool),
    Unblock(usize),
    /// The adapter's work outside of calls.
    Background,
}

fn row() -> impl Strategy<Value = Row> {
    let value = prop::option::weighted(0.6, prop::option::weighted(0.7, 0_u8..3));
    let avatar = prop::option::of(prop::option::of(0_u8..2));
    (0..EMAILS.len(), [0_u8..3, 0..3], avatar, [value.clone(), value.clone(), value]).prop_map(
        |(email, [first, last], avatar, values)| Row { email, first, last, avatar, values },
    )
}

fn patch() -> impl Strategy<Value = Patch> {
    let email = prop::option::weighted(0.3, 0..EMAILS.len());
    let name = prop::option::of(0_u8..3);
    (email, [name.clone(), name], row()).prop_map(|(email, [first, last], row)| Patch {
        email,
        first,
        last,
        ..Patch::from(&row)
    })
}

fn bulk() -> impl Strategy<Value = Step> {
    let run = prop_oneof![3 => Just(BulkRun::Written), 1 => Just(BulkRun::Dry)];
    (prop::collection::vec(row(), 1..8), run).prop_map(|(rows, run)| Step::Bulk(rows, run))
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let email = 0..EMAILS.len();
    let value = prop::option::of(prop::option::of(0_u8..3));
    prop_oneof![
        3 => row().prop_map(Step::Create),
        5 => bulk(),
        2 => (email.clone(), row()).prop_map(|(email, row)| Step::Change(email, row)),
        3 => (email.clone(), patch()).prop_map(|(email, patch)| Step::Patch(email, patch)),
        3 => email.clone().prop_map(Step::Delete),
        1 => prop::collection::vec(email.clone(), 1..4).prop_map(Step::DeleteMany),
        2 => prop::collection::vec(email.clone(), 1..4).prop_map(Step::Restore),
        2 => (prop::collection::vec(email.clone(), 1..4), [value.clone(), value.clone(), value.clone()])
            .prop_map(|(emails, values)| Step::SetValues(emails, values)),
        3 => (email.clone(), [value.clone(), value.clone(), value])
            .prop_map(|(email, values)| Step::Replace(email, values)),
        1 => (0..FIELDS.len(), any::<bool>()).prop_map(|(field, is)| Step::Archive(field, is)),
        3 => (email.clone(), any::<bool>()).prop_map(|(email, block)| Step::Erase(email, block)),
        1 => email.prop_map(Step::Unblock),
        2 => Just(Step::Background),
    ]
}

fn input(field: usize, value: u8) -> Input {
    match field {
        0 => Input::Text(["red", "Red", "blue"][usize::from(value)].to_owned()),
        1 => Input::Number(["5", "5.0", "-1e3"][usize::from(value)].to_owned()),
        _ => Input::Bool(value > 0),
    }
}

/// The value in the form in which values are compared: equal numbers become the same.
pub(crate) fn worth(value: &Input) -> Input {
    match value {
        Input::Number(text) if text == "5.0" => Input::Number("5".to_owned()),
        other => other.clone(),
    }
}

pub(crate) fn key(field: usize) -> String {
    FIELDS[field].0.to_lowercase()
}

pub(crate) fn named(values: Values) -> Vec<(String, Input)> {
    let named = values.iter().enumerate().filter_map(|(field, value)| {
        value.map(|value| (key(field), value.map_or(Input::Null, |value| input(field, value))))
    });
    named.collect()
}

/// The input for a change. A form may name no values, a call then leaves them out.
pub(crate) fn change_draft(patch: &Patch, form: ChangedValues) -> ChangeDraft {
    let values = named(patch.values);
    let has_values = form == ChangedValues::OfForm || !values.is_empty();
    ChangeDraft {
        email: patch.email.map_or(Property::Absent, |email| EMAILS[email].into()),
        first_name: patch.first.map_or(Property::Absent, |name| first(name).as_str().into()),
        last_name: patch.last.map_or(Property::Absent, |name| last(name).as_str().into()),
        avatar_url: avatar_url(patch.avatar),
        field_values: if has_values { values.into_iter().collect() } else { Property::Absent },
    }
}

#[expect(clippy::option_option, reason = "absent, null and a value are three cases")]
fn avatar_url(avatar: Option<Option<u8>>) -> Property<AvatarUrl> {
    match avatar {
        None => Property::Absent,
        Some(None) => Property::Null,
        Some(Some(n)) => format!("https://pictures.example/{n}").as_str().into(),
    }
}

pub(crate) fn draft(row: &Row) -> ContactDraft {
    ContactDraft {
        email: EMAILS[row.email].into(),
        first_name: first(row.first).as_str().into(),
        last_name: last(row.last).as_str().into(),
        avatar_url: avatar_url(row.avatar),
        field_values: named(row.values).into_iter().collect(),
    }
}

pub(crate) fn identity(email: usize) -> String {
    EMAILS[email].to_lowercase()
}

pub(crate) fn first(name: u8) -> String {
    format!("Name {name}")
}

pub(crate) fn last(name: u8) -> String {
    format!("Last {name}")
}
