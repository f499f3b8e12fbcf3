//! A query by fields is validated without a panic, and a cursor that it accepts is the cursor of one place.

#![no_main]

use contact_hub_domain::contacts::{ListDraft, MAX_CONDITIONS, MAX_SORTS, Place};
use contact_hub_domain::fields::{Directory, Field, FieldKey, FieldType, Filterable};
use contact_hub_domain::ids::{DirectoryId, FieldId};
use contact_hub_web::FromQuery as _;
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

/// A filterable field of each type, with the name of the type, and one that is not filterable.
fn directory() -> Directory {
    let field = |name: &str, kind| Field {
        id: FieldId::new(Uuid::from_u128(1)),
        key: FieldKey::derive(name).expect("a key"),
        name: name.to_owned(),
        kind,
        directory_id: DirectoryId::new(Uuid::nil()),
        archived: false,
        filterable: if name == "other" { Filterable::No } else { Filterable::Yes },
    };
    let of_types = FieldType::ALL.map(|kind| field(kind.as_str(), kind));
    Directory::new(of_types.into_iter().chain([field("other", FieldType::String)]).collect())
}

// The first line is the query, the second one the cursor.
fuzz_target!(|text: &str| {
    let (query, cursor) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(draft) = ListDraft::from_query(query) else { return };
    let Ok(query) = draft.validate(&directory()) else { return };
    assert!(query.conditions.len() <= MAX_CONDITIONS && query.sorts.keys().len() <= MAX_SORTS);
    if let Ok(place) = Place::from_cursor(cursor, &query) {
        assert_eq!(Place::from_cursor(&place.to_cursor(&query), &query), Ok(place));
    }
});
