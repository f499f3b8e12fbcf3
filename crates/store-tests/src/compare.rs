//! Compares what a store returns with the model: lists, values in use, look-ups, and lists by cursor, filter and sort.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use contact_hub_domain::contacts::{
    self, Comparison, FieldFilter, ListDraft, ListQuery, LookupDraft, Operator, Place, SortKey,
    SortName,
};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::fields::{self, ValuesQuery};
use contact_hub_domain::input::Input;
use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};

use crate::model::{Kept, Model};
use crate::steps::{EMAILS, worth};

type Cx<'a> = Context<'a, ContactPorts>;

/// Compares everything, and notes the ids of new contacts.
pub(crate) async fn compare(cx: &Cx<'_>, model: &mut Model) {
    contacts_of(cx, model).await;
    values_in_use(cx, model).await;
    look_ups(cx, model).await;
    cursor_lists(cx, model).await;
}

async fn contacts_of(cx: &Cx<'_>, model: &mut Model) {
    let page = PageRequest::new(1, MAX_PAGE_SIZE).expect("a page");
    let page =
        contacts::list(cx, ListQuery { page, ..ListQuery::default() }).await.expect("a list");
    let active = model.active().count();
    assert_eq!((page.items.len(), page.meta.total), (active, u64::try_from(active).expect("few")));
    for contact in page.items {
        let identity = contact.email.identity();
        let kept = model.contacts.get_mut(identity).expect("a known contact");
        let shown = contact.field_values.iter();
        let values =
            shown.map(|(key, value)| (key.as_str().to_owned(), worth(&value.shown()))).collect();
        let is_new = kept.id.uuid().is_nil();
        let id = if is_new { contact.id } else { kept.id };
        let found = Kept {
            id: contact.id,
            name: contact.first_name.as_str().to_owned(),
            avatar: contact.avatar_url.map(|url| url.as_str().to_owned()),
            values,
            is_active: true,
        };
        kept.id = id;
        assert_eq!(found, *kept);
    }
}

async fn values_in_use(cx: &Cx<'_>, model: &Model) {
    let page = PageRequest::new(1, MAX_PAGE_SIZE).expect("a page");
    let all = ValuesQuery { page, ..ValuesQuery::default() };
    for field in fields::list(cx).await.expect("fields").fields() {
        let page = fields::list_values(cx, field.id, all).await.expect("values");
        let mut in_use: Vec<String> =
            page.items.iter().map(|value| worth(&value.shown()).to_json()).collect();
        let values = model.active().filter_map(|(_, kept)| kept.values.get(field.key.as_str()));
        let expected: BTreeSet<String> = values.map(Input::to_json).collect();
        in_use.sort();
        assert_eq!(in_use, Vec::from_iter(expected), "{}", field.key);
    }
}

async fn look_ups(cx: &Cx<'_>, model: &Model) {
    let draft = LookupDraft {
        emails: EMAILS.into_iter().map(Input::from).collect(),
        ..LookupDraft::default()
    };
    let found = contacts::look_up(cx, &draft).await.expect("a look-up");
    let is_active = |email: &str| model.active().any(|(identity, _)| *identity == email);
    let (mut known, mut missing) = (Vec::new(), Vec::new());
    for email in EMAILS {
        let identity = email.to_lowercase();
        if !is_active(&identity) {
            missing.push(email.to_owned());
        } else if !known.contains(&identity) {
            known.push(identity);
        }
    }
    let identities = found.contacts.iter().map(|it| it.contact.email.identity().to_owned());
    assert_eq!((identities.collect::<Vec<_>>(), found.missing), (known, missing));
    let ids: Vec<String> = model.contacts.values().map(|kept| kept.id.to_string()).collect();
    if ids.is_empty() {
        return;
    }
    let ids = ids.into_iter().map(Input::Text).collect();
    let draft = LookupDraft { ids, ..LookupDraft::default() };
    let found = contacts::look_up(cx, &draft).await.expect("a look-up");
    let found: Vec<_> = found.contacts.iter().map(|it| it.contact.id).collect();
    let active = model.contacts.values().filter(|kept| kept.is_active).map(|kept| kept.id);
    assert_eq!(found, active.collect::<Vec<_>>());
}

fn team(kept: &Kept) -> Option<String> {
    match kept.values.get("team") {
        Some(Input::Text(text)) => Some(text.to_lowercase()),
        _ => None,
    }
}

fn score(kept: &Kept) -> Option<i64> {
    match kept.values.get("score") {
        Some(Input::Number(text)) => Some(if text == "5" { 5 } else { -1000 }),
        _ => None,
    }
}

/// The identities of the contacts that meet a condition, in an order.
fn listed<K: Ord>(
    model: &Model,
    meets: impl Fn(&Kept) -> bool,
    key: impl Fn(&str, &Kept) -> K,
) -> Vec<String> {
    let mut found: Vec<_> = model.active().filter(|(_, kept)| meets(kept)).collect();
    found.sort_by_key(|(identity, kept)| key(identity, kept));
    found.into_iter().map(|(identity, _)| identity.clone()).collect()
}

/// The list of the contacts whose value of a field compares with a text by this operator.
fn filtered(key: &str, operator: Operator, text: &str, sorts: &[(SortName, bool)]) -> ListDraft {
    let texts = Ok(vec![text.to_owned()]);
    let comparisons = vec![Comparison { path: key.to_owned(), operator, texts }];
    let filter = FieldFilter { key: key.to_owned(), path: key.to_owned(), comparisons };
    ListDraft { filters: vec![filter], sorts: sorts.to_vec(), ..ListDraft::default() }
}

async fn cursor_lists(cx: &Cx<'_>, model: &Model) {
    let none_last = |score: Option<i64>| (score.is_none(), Reverse(score));
    let by_email = || SortName::Attribute(SortKey::Email);
    let by = |key: &str| SortName::Field(key.to_owned());
    let sorts = vec![(by("team"), false), (by_email(), true)];
    for (draft, expected) in [
        (
            filtered("team", Operator::Equal, "RED", &[(by("score"), true), (by_email(), false)]),
            listed(
                model,
                |kept| team(kept).as_deref() == Some("red"),
                |identity, kept| (none_last(score(kept)), identity.to_owned()),
            ),
        ),
        (
            filtered("score", Operator::GreaterOrEqual, "5.0", &[(by_email(), true)]),
            listed(
                model,
                |kept| score(kept) == Some(5),
                |identity, _| Reverse(identity.to_owned()),
            ),
        ),
        (
            filtered("team", Operator::Exists, "false", &[(by_email(), false)]),
            listed(model, |kept| team(kept).is_none(), |identity, _| identity.to_owned()),
        ),
        (
            ListDraft { sorts, ..ListDraft::default() },
            listed(
                model,
                |_| true,
                |identity, kept| (team(kept).is_none(), team(kept), Reverse(identity.to_owned())),
            ),
        ),
    ] {
        assert_eq!(walked(cx, draft.clone()).await, expected, "{draft:?}");
    }
}

/// The identities that a list has, read by a cursor, two contacts at a time.
async fn walked(cx: &Cx<'_>, draft: ListDraft) -> Vec<String> {
    let query = draft.read(cx).await.expect("a query");
    let query = ListQuery { page: PageRequest::new(1, 2).expect("a page"), ..query };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let part = contacts::list_after(cx, query.clone(), after).await.expect("a part");
        found.extend(part.contacts.iter().map(|it| it.email.identity().to_owned()));
        let Some(next) = part.next else { return found };
        after = Some(Place::from_cursor(&next, &query).expect("a place"));
    }
}
