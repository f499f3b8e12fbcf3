//! A company sees and changes nothing of another.

use std::slice;

use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{
    self, ChangeDraft, ChangedValues, Contact, ContactsError, DeletionDraft, ExpectedVersion,
    ListQuery, LookupDraft,
};
use contact_hub_domain::context::Context;
use contact_hub_domain::fields::{self, Field, FieldChangeDraft, FieldsError, ValuesQuery};
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use super::{Cx, contact, field};
use crate::Subject;

/// The other company also has a contact with the same email and a field with the same key.
pub(super) async fn nothing_of_another_company_is_found(one: Subject, other: Subject) {
    let call = Call::default();
    let cx = Context { ports: &one.ports, caller: &one.caller, call: &call };
    let others = Context { ports: &other.ports, caller: &other.caller, call: &call };
    let team = field(&cx, "Team", true).await.expect("a field");
    let ann = contact(&cx, "a@x.example", Some(("team", "red"))).await;
    sees_nothing(&others, &ann, &team).await;
    changes_nothing(&others, &ann, &team).await;
    let its_team = field(&others, "Team", true).await.expect("a field with the same key");
    let its_ann = contact(&others, "a@x.example", Some(("team", "blue"))).await;
    for (cx, ann, team) in [(&cx, &ann, &team), (&others, &its_ann, &its_team)] {
        let listed = contacts::list(cx, ListQuery::default()).await.expect("a list");
        assert_eq!(listed.items, slice::from_ref(ann));
        let directory = fields::list(cx).await.expect("fields");
        assert_eq!(directory.fields(), slice::from_ref(team));
        let values = fields::list_values(cx, team.id, ValuesQuery::default()).await;
        assert_eq!(values.expect("values").meta.total, 1);
    }
}

async fn sees_nothing(cx: &Cx<'_>, ann: &Contact, team: &Field) {
    let read = contacts::read(cx, ann.id).await;
    assert!(matches!(read, Err(ContactsError::NotFound)), "it is read");
    for draft in [
        LookupDraft { ids: texts(&[ann.id.to_string()]), ..LookupDraft::default() },
        LookupDraft { emails: texts(&["a@x.example".to_owned()]), ..LookupDraft::default() },
    ] {
        let found = contacts::look_up(cx, &draft).await.expect("a look-up");
        assert_eq!((found.contacts.len(), found.missing.len()), (0, 1), "it is looked up");
    }
    let listed = contacts::list(cx, ListQuery::default()).await.expect("a list");
    assert_eq!((listed.items.len(), listed.meta.total), (0, 0), "it is listed");
    let part = contacts::list_after(cx, ListQuery::default(), None).await.expect("a part");
    assert_eq!(part.contacts.len(), 0, "it is listed");
    assert_eq!(fields::list(cx).await.expect("fields").fields().len(), 0, "a field is listed");
    let values = fields::list_values(cx, team.id, ValuesQuery::default()).await;
    assert!(matches!(values, Err(FieldsError::NotFound)), "values are listed");
}

async fn changes_nothing(cx: &Cx<'_>, ann: &Contact, team: &Field) {
    let draft = ChangeDraft { first_name: "Other".into(), ..ChangeDraft::default() };
    let any = ExpectedVersion::Any;
    let changed = contacts::change(cx, ann.id, &draft, ChangedValues::OfCall, any.clone()).await;
    assert!(matches!(changed, Err(ContactsError::NotFound)), "it is changed");
    let deleted = contacts::delete(cx, ann.id, any).await;
    assert!(matches!(deleted, Err(ContactsError::NotFound)), "it is deleted");
    let draft = DeletionDraft { ids: texts(&[ann.id.to_string()]) };
    let deleted = contacts::delete_many(cx, &draft).await;
    assert_eq!(deleted.expect("a bulk"), 0, "it is deleted");
    let draft = FieldChangeDraft { name: "Other".into(), ..FieldChangeDraft::default() };
    let changed = fields::change(cx, team.id, &draft).await;
    assert!(matches!(changed, Err(FieldsError::NotFound)), "a field is changed");
}

fn texts(texts: &[String]) -> Property<Vec<Input>> {
    texts.iter().cloned().map(Input::Text).collect()
}
