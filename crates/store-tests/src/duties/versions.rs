//! A write that expects another version is refused, one that changes nothing makes no version, and a restore makes one.

use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ChangeDraft, ChangedValues, Contact, ContactsError, ExpectedVersion,
    ReplacementDraft,
};
use contact_hub_domain::time::Timestamp;

use super::{Cx, contact, draft, field};

/// Does each conditional write, and returns the results.
async fn writes(
    cx: &Cx<'_>,
    contact: &Contact,
    email: &str,
    versions: &[Timestamp],
) -> [Result<(), ContactsError>; 3] {
    let expected = ExpectedVersion::OneOf(versions.to_vec());
    let change = ChangeDraft { email: email.into(), ..ChangeDraft::default() };
    let values = [("team".to_owned(), "green".into())].into_iter().collect();
    let replacement = ReplacementDraft { field_values: values };
    let form = ChangedValues::OfCall;
    [
        contacts::change(cx, contact.id, &change, form, expected.clone()).await.map(drop),
        contacts::replace_values(cx, contact.id, &replacement, expected.clone()).await.map(drop),
        contacts::delete(cx, contact.id, expected).await,
    ]
}

/// Gives a contact another first name, so that it has a new version.
async fn renamed(cx: &Cx<'_>, contact: &Contact, versions: &[Timestamp]) -> Contact {
    let expected = ExpectedVersion::OneOf(versions.to_vec());
    let draft = ChangeDraft { first_name: "Second".into(), ..ChangeDraft::default() };
    let changed = contacts::change(cx, contact.id, &draft, ChangedValues::OfCall, expected).await;
    changed.expect("a change at the version").contact
}

/// A version is reported after a contact that does not exist, and before an email that another one has.
pub(super) async fn a_write_at_another_version_changes_nothing(cx: &Cx<'_>) {
    field(cx, "Team", false).await.expect("a field");
    contact(cx, "holder@x.example", None).await;
    let before = contact(cx, "a@x.example", Some(("team", "red"))).await;
    let now = renamed(cx, &before, &[before.updated_at]).await;
    for versions in [vec![before.updated_at], Vec::new()] {
        for email in ["b@x.example", "holder@x.example"] {
            for (n, written) in writes(cx, &now, email, &versions).await.into_iter().enumerate() {
                let is_stale = matches!(written, Err(ContactsError::Stale));
                assert!(is_stale, "write {n} ignores the expected version");
            }
        }
    }
    let read = contacts::read(cx, now.id).await.expect("it is active");
    assert_eq!(read.contact, now, "a refused write has changed the contact");
    // Any of several versions is enough, but each write makes another one.
    let moved = writes(cx, &now, "b@x.example", &[before.updated_at, now.updated_at]).await;
    let [changed, replaced, deleted] = moved;
    changed.expect("a change at one of the versions");
    assert!(matches!(replaced, Err(ContactsError::Stale)), "a change leaves the version");
    assert!(matches!(deleted, Err(ContactsError::Stale)), "a change leaves the version");
    at_the_current_version(cx, now).await;
}

async fn at_the_current_version(cx: &Cx<'_>, contact: Contact) {
    let values = [("team".to_owned(), "green".into())].into_iter().collect();
    let replacement = ReplacementDraft { field_values: values };
    let version = async || {
        let read = contacts::read(cx, contact.id).await.expect("it is active");
        ExpectedVersion::OneOf(vec![read.contact.updated_at])
    };
    let replaced = contacts::replace_values(cx, contact.id, &replacement, version().await).await;
    replaced.expect("a replacement at the version");
    contacts::delete(cx, contact.id, version().await).await.expect("a deletion at the version");
    for written in writes(cx, &contact, "c@x.example", &[contact.updated_at]).await {
        assert!(matches!(written, Err(ContactsError::NotFound)), "a deleted contact is written");
    }
}

/// Writes what a contact already has in every way.
pub(super) async fn what_changes_nothing_keeps_the_version(cx: &Cx<'_>) {
    field(cx, "Team", false).await.expect("a field");
    let value = Some(("team", "red"));
    let ann = contact(cx, "a@x.example", value).await;
    let same = || draft("a@x.example", value);
    let any = ExpectedVersion::Any;
    let (values, form) = (same().field_values, ChangedValues::OfForm);
    let change = ChangeDraft { email: "a@x.example".into(), ..ChangeDraft::default() };
    let changed = contacts::change(cx, ann.id, &change, form, any.clone()).await;
    assert_eq!(changed.expect("a change").contact, ann, "by a change");
    let replacement = ReplacementDraft { field_values: values.clone() };
    let replaced = contacts::replace_values(cx, ann.id, &replacement, any).await;
    assert_eq!(replaced.expect("a replacement").contact, ann, "by a replacement");
    contacts::set_values(cx, vec![ann.id], &values).await.expect("values are set");
    is_as_before(cx, &ann, "by setting values").await;
    let rows = BulkDraft { contacts: [same().into()].into_iter().collect() };
    contacts::upsert_many(cx, rows, BulkRun::Written).await.expect("a bulk");
    is_as_before(cx, &ann, "by a bulk").await;
}

async fn is_as_before(cx: &Cx<'_>, before: &Contact, by: &str) {
    let read = contacts::read(cx, before.id).await.expect("it is active");
    assert_eq!(read.contact, *before, "{by}");
}

/// A create and a bulk restore a deleted contact: with its id, the time of its creation and its other values.
pub(super) async fn a_restore_is_another_version_of_the_contact(cx: &Cx<'_>) {
    for name in ["Team", "Role"] {
        field(cx, name, false).await.expect("a field");
    }
    let ann = contact(cx, "a@x.example", Some(("team", "red"))).await;
    contacts::delete(cx, ann.id, ExpectedVersion::Any).await.expect("it is deleted");
    let restored = contact(cx, "A@x.example", Some(("role", "cook"))).await;
    is_restored(&ann, &restored, "by a create");
    let read = contacts::read(cx, ann.id).await.expect("it is active");
    assert_eq!(read.contact, restored, "a restore is not stored as it was returned");
    contacts::delete(cx, ann.id, ExpectedVersion::Any).await.expect("it is deleted");
    let row = draft("a@x.example", Some(("role", "cook")));
    let rows = BulkDraft { contacts: [row.into()].into_iter().collect() };
    contacts::upsert_many(cx, rows, BulkRun::Written).await.expect("a bulk");
    let read = contacts::read(cx, ann.id).await.expect("it is active");
    is_restored(&restored, &read.contact, "by a bulk");
}

fn is_restored(before: &Contact, restored: &Contact, by: &str) {
    assert_eq!((restored.id, restored.created_at), (before.id, before.created_at), "{by}");
    assert!(restored.updated_at > before.updated_at, "a restore {by} leaves the version");
    assert_eq!(restored.field_values.len(), 2, "a restore {by} loses or has other values");
}
