//! Fields have distinct keys and a limited number, and their changes are stored.

use contact_hub_domain::contacts;
use contact_hub_domain::fields::{
    self, Field, FieldChangeDraft, FieldsError, Filterable, ValuesQuery,
};
use contact_hub_domain::ids::FieldId;
use contact_hub_domain::input::Input;
use contact_hub_domain::limits::Limits;

use super::{Cx, contact, field};

/// Limits that a test reaches.
pub(super) const FEW: Limits =
    Limits { fields: 2, filterable_fields: 1, webhooks: 1, api_keys: 1, users: 1, integrations: 1 };

async fn stored(cx: &Cx<'_>) -> Vec<Field> {
    fields::list(cx).await.expect("fields").fields().to_vec()
}

async fn archive(cx: &Cx<'_>, id: FieldId, archived: bool) -> Result<Field, FieldsError> {
    let archived = Input::Bool(archived).into();
    fields::change(cx, id, &FieldChangeDraft { archived, ..FieldChangeDraft::default() }).await
}

async fn make_filterable(cx: &Cx<'_>, id: FieldId, is: bool) -> Result<Field, FieldsError> {
    let filterable = Input::Bool(is).into();
    fields::change(cx, id, &FieldChangeDraft { filterable, ..FieldChangeDraft::default() }).await
}

fn is_refused(outcome: &Result<Field, FieldsError>, limit: &str) {
    assert!(matches!(outcome, Err(FieldsError::Invalid(_))), "{limit}: {outcome:?}");
}

/// A refused field leaves nothing. A taken key is reported before a full directory.
pub(super) async fn limits_hold(cx: &Cx<'_>) {
    let first = field(cx, "First", true).await.expect("a field");
    is_refused(&field(cx, "Second", true).await, "a new filterable field");
    let second = field(cx, "Second", false).await.expect("a field");
    is_refused(&field(cx, "Third", false).await, "a new field");
    let again = field(cx, "First", false).await;
    assert!(matches!(again, Err(FieldsError::AlreadyExists(_))), "a key that is taken: {again:?}");
    is_refused(&make_filterable(cx, second.id, true).await, "a field that becomes filterable");
    assert_eq!(stored(cx).await, [first.clone(), second.clone()]);
    let second = archive(cx, second.id, true).await.expect("it is archived");
    let third = field(cx, "Third", false).await.expect("an archived field does not count");
    is_refused(&archive(cx, second.id, false).await, "a field that is used again");
    assert_eq!(stored(cx).await, [first.clone(), second, third.clone()]);
    let first = make_filterable(cx, first.id, false).await.expect("it is changed");
    assert_eq!(first.filterable, Filterable::No);
    let third = make_filterable(cx, third.id, true).await.expect("the other no longer counts");
    assert_ne!(third.filterable, Filterable::No);
}

/// Nothing frees a key: neither a renaming nor an archive.
pub(super) async fn a_key_is_taken_forever(cx: &Cx<'_>) {
    let team = field(cx, "Team", false).await.expect("a field");
    let holder = async || match field(cx, "Team", true).await {
        Err(FieldsError::AlreadyExists(holder)) => *holder,
        other => panic!("a key is taken twice: {other:?}"),
    };
    assert_eq!(holder().await, team);
    let name = FieldChangeDraft { name: "Squad".into(), ..FieldChangeDraft::default() };
    let renamed = fields::change(cx, team.id, &name).await.expect("it is renamed");
    assert_eq!(holder().await, renamed);
    let archived = archive(cx, team.id, true).await.expect("it is archived");
    assert_eq!(holder().await, archived);
    assert_eq!(stored(cx).await, [archived]);
}

/// Fields keep their order, key and type, and contacts their values.
pub(super) async fn a_changed_field_is_stored(cx: &Cx<'_>) {
    let team = field(cx, "Team", false).await.expect("a field");
    let role = field(cx, "Role", false).await.expect("a field");
    let ann = contact(cx, "a@x.example", Some(("team", "red"))).await;
    let name = FieldChangeDraft { name: "A Squad".into(), ..FieldChangeDraft::default() };
    let renamed = fields::change(cx, team.id, &name).await.expect("it is renamed");
    assert_eq!(renamed, Field { name: "A Squad".to_owned(), ..team });
    assert_eq!(stored(cx).await, [renamed.clone(), role.clone()]);
    let archived = archive(cx, renamed.id, true).await.expect("it is archived");
    assert_eq!(archived, Field { archived: true, ..renamed });
    assert_eq!(stored(cx).await, [archived, role]);
    let read = contacts::read(cx, ann.id).await.expect("it is active");
    assert_eq!(read.contact, ann, "a change of a field has changed a contact");
    let unknown = FieldId::new(cx.ports.environment.ids.next());
    let changed = fields::change(cx, unknown, &name).await;
    assert!(matches!(changed, Err(FieldsError::NotFound)), "an unknown field: {changed:?}");
    let values = fields::list_values(cx, unknown, ValuesQuery::default()).await;
    assert!(matches!(values, Err(FieldsError::NotFound)), "an unknown field: {values:?}");
}
