//! The writes of which sequences are made.

use contact_hub_domain::contacts::ContactDraft;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use proptest::prelude::*;

const EMAILS: [&str; 5] =
    ["a@x.example", "A@X.example", "b@x.example", "c@x.example", "d@x.example"];
pub(crate) const FIELDS: [(&str, &str); 3] =
    [("Team", "string"), ("Score", "number"), ("Member", "boolean")];

/// What a request says of the three fields: nothing, null, or one of a few values.
pub(crate) type Values = [Option<Option<u8>>; 3];

#[derive(Clone, Debug)]
#[expect(clippy::option_option, reason = "absent, null and a value are three cases")]
pub(crate) struct Row {
    pub(crate) email: usize,
    pub(crate) name: u8,
    pub(crate) avatar: Option<Option<u8>>,
    pub(crate) values: Values,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Create(Row),
    Bulk(Vec<Row>),
    Change(usize, Row),
    Delete(usize),
    DeleteMany(Vec<usize>),
    Replace(usize, Values),
    DoDeferred,
}

fn row() -> impl Strategy<Value = Row> {
    let value = prop::option::weighted(0.6, prop::option::weighted(0.7, 0_u8..3));
    let avatar = prop::option::of(prop::option::of(0_u8..2));
    (0..EMAILS.len(), 0_u8..3, avatar, [value.clone(), value.clone(), value])
        .prop_map(|(email, name, avatar, values)| Row { email, name, avatar, values })
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let email = 0..EMAILS.len();
    let value = prop::option::of(prop::option::of(0_u8..3));
    prop_oneof![
        3 => row().prop_map(Step::Create),
        4 => prop::collection::vec(row(), 1..8).prop_map(Step::Bulk),
        3 => (email.clone(), row()).prop_map(|(email, row)| Step::Change(email, row)),
        2 => email.clone().prop_map(Step::Delete),
        1 => prop::collection::vec(email.clone(), 1..4).prop_map(Step::DeleteMany),
        3 => (email, [value.clone(), value.clone(), value]).prop_map(|(e, v)| Step::Replace(e, v)),
        2 => Just(Step::DoDeferred),
    ]
}

fn input(field: usize, value: u8) -> Input {
    match field {
        0 => Input::Text(["red", "Red", "blue"][usize::from(value)].to_owned()),
        1 => Input::Number(["5", "5.0", "-1e3"][usize::from(value)].to_owned()),
        _ => Input::Bool(value > 0),
    }
}

/// What a value is worth: numbers that are equal are one.
pub(crate) fn worth(value: &Input) -> Input {
    match value {
        Input::Number(text) if text == "5.0" => Input::Number("5".to_owned()),
        other => other.clone(),
    }
}

fn key(field: usize) -> String {
    FIELDS[field].0.to_lowercase()
}

pub(crate) fn named(values: Values) -> Vec<(String, Input)> {
    let named = values.iter().enumerate().filter_map(|(field, value)| {
        value.map(|value| (key(field), value.map_or(Input::Null, |value| input(field, value))))
    });
    named.collect()
}

pub(crate) fn draft(row: &Row) -> ContactDraft {
    ContactDraft {
        email: EMAILS[row.email].into(),
        first_name: format!("Name {}", row.name).as_str().into(),
        last_name: "Last".into(),
        avatar_url: match row.avatar {
            None => Property::Absent,
            Some(None) => Property::Null,
            Some(Some(n)) => format!("https://pictures.example/{n}").as_str().into(),
        },
        field_values: named(row.values).into_iter().collect(),
    }
}

pub(crate) fn identity(email: usize) -> String {
    EMAILS[email].to_lowercase()
}
