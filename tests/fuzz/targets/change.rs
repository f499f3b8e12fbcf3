//! An accepted change of a contact keeps what it does not name, and applying it again changes nothing.

#![no_main]

use contact_hub_domain::contacts::{ChangeDraft, ChangedValues, Contact, ContactDraft, NewContact};
use contact_hub_domain::fields::{Directory, Field, FieldKey, FieldType, Filterable};
use contact_hub_domain::ids::{ContactId, DirectoryId, FieldId};
use contact_hub_domain::input::Input;
use contact_hub_domain::time::Timestamp;
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

fn directory() -> Directory {
    let field = |kind: FieldType| Field {
        id: FieldId::new(Uuid::from_u128(1)),
        key: FieldKey::derive(kind.as_str()).expect("a key"),
        name: kind.as_str().to_owned(),
        kind,
        directory_id: DirectoryId::new(Uuid::nil()),
        archived: false,
        filterable: Filterable::No,
    };
    Directory::new(FieldType::ALL.map(field).into_iter().collect())
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).expect("a moment")
}

fn contact(directory: &Directory) -> Contact {
    let values = [("number", Input::Number("5".to_owned())), ("string", Input::Text("red".to_owned()))];
    let draft = ContactDraft {
        email: "ann@x.example".into(),
        first_name: "Ann".into(),
        last_name: "Lee".into(),
        avatar_url: "https://a.example/1".into(),
        field_values: values.map(|(key, value)| (key.to_owned(), value)).into_iter().collect(),
    };
    let input = draft.validate(directory).expect("a valid contact");
    NewContact { id: ContactId::new(Uuid::from_u128(1)), input, at: at(1) }.created()
}

/// Each line names a property and has its JSON. Other lines are values of fields.
fn draft(text: &str) -> ChangeDraft {
    let mut draft = ChangeDraft::default();
    let mut values = Vec::new();
    for (name, json) in text.lines().filter_map(|line| line.split_once(' ')) {
        let input = Input::from_json(json);
        match name {
            "email" => draft.email = input.into(),
            "first_name" => draft.first_name = input.into(),
            "last_name" => draft.last_name = input.into(),
            "avatar_url" => draft.avatar_url = input.into(),
            key => values.push((key.to_owned(), input)),
        }
    }
    if !values.is_empty() {
        draft.field_values = values.into_iter().collect();
    }
    draft
}

fuzz_target!(|text: &str| {
    let directory = directory();
    let (before, draft) = (contact(&directory), draft(text));
    let Ok(change) = draft.validate(&directory, ChangedValues::OfCall) else { return };
    let after = before.changed(&change, at(2));
    assert_eq!(after.updated_at > before.updated_at, after != before);
    assert!(change.email.is_some() || after.email == before.email);
    assert!(change.avatar_url.is_some() || after.avatar_url == before.avatar_url);
    for (key, value) in &before.field_values {
        assert!(change.values.contains_key(key) || after.field_values.get(key) == Some(value));
    }
    for (key, value) in &change.values {
        assert_eq!(after.field_values.get(key), value.as_ref());
    }
    assert_eq!(after.changed(&change, at(3)), after);
});
