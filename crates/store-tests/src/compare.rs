//! Compares what a store returns with the model: contacts, values in use, look-ups and lists.

use contact_hub_domain::contacts::{self, Contact, ContactsError, ListQuery, LookupDraft};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::fields::{self, Field, FieldValue, ValuesQuery};
use contact_hub_domain::input::Input;
use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};

use crate::lists;
use crate::model::{Content, Kept, Model, Seen};
use crate::steps::{EMAILS, worth};

type Cx<'a> = Context<'a, ContactPorts>;

/// Compares contacts, values and lists, and notes what the domain has chosen for new contacts.
pub(crate) async fn compare(cx: &Cx<'_>, model: &mut Model) {
    contacts_of(cx, model).await;
    values_in_use(cx, model).await;
    look_ups(cx, model).await;
    lists::by_cursor(cx, model).await;
}

/// Compares each contact by its id, and lists and values page by page. It takes many calls, so it is not done after
/// every write.
pub(crate) async fn compare_pages(cx: &Cx<'_>, model: &Model) {
    reads(cx, model).await;
    pages_of_values(cx, model).await;
    lists::by_number(cx, model).await;
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
        assert!(kept.is_active, "{identity} is deleted");
        assert_eq!(content(&contact), kept.content);
        moments(&contact, kept);
    }
}

fn content(contact: &Contact) -> Content {
    let values = contact.field_values.iter();
    let values = values.map(|(key, value)| (key.as_str().to_owned(), worth(&value.shown())));
    Content {
        email: contact.email.as_str().to_owned(),
        first_name: contact.first_name.as_str().to_owned(),
        last_name: contact.last_name.as_str().to_owned(),
        avatar: contact.avatar_url.as_ref().map(|url| url.as_str().to_owned()),
        values: values.collect(),
    }
}

/// The id and the time of creation never change. The time of the last change moves with every version, and only then.
fn moments(contact: &Contact, kept: &mut Kept) {
    let Contact { id, created_at, updated_at, .. } = *contact;
    let seen = Seen { id, created_at, updated_at, versions: kept.versions };
    match kept.seen.replace(seen) {
        None if kept.versions == 1 => assert_eq!(updated_at, created_at, "of a new contact"),
        None => assert!(updated_at > created_at, "a change has not moved updated_at"),
        Some(before) => {
            assert_eq!((id, created_at), (before.id, before.created_at), "id and created_at");
            if kept.versions == before.versions {
                assert_eq!(updated_at, before.updated_at, "nothing has changed");
            } else {
                assert!(updated_at > before.updated_at, "a change has not moved updated_at");
            }
        }
    }
}

async fn reads(cx: &Cx<'_>, model: &Model) {
    for kept in model.contacts.values() {
        match contacts::read(cx, kept.id()).await {
            Ok(read) => {
                assert!(kept.is_active, "a deleted contact is read");
                assert_eq!(content(&read.contact), kept.content);
            }
            Err(ContactsError::NotFound) => assert!(!kept.is_active, "it is not read"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The distinct values that active contacts have for a field, in their order.
fn in_use(model: &Model, field: &Field) -> Vec<String> {
    let values = model.active().filter_map(|(_, kept)| kept.content.values.get(field.key.as_str()));
    let values = values.map(|value| FieldValue::validate(field.kind, value).expect("a value"));
    let mut values: Vec<FieldValue> = values.collect();
    values.sort_by_cached_key(FieldValue::sort_key);
    values.dedup();
    texts(&values)
}

fn texts(values: &[FieldValue]) -> Vec<String> {
    values.iter().map(|value| worth(&value.shown()).to_json()).collect()
}

async fn values_in_use(cx: &Cx<'_>, model: &Model) {
    let page = PageRequest::new(1, MAX_PAGE_SIZE).expect("a page");
    let all = ValuesQuery { page, ..ValuesQuery::default() };
    for field in fields::list(cx).await.expect("fields").fields() {
        let page = fields::list_values(cx, field.id, all).await.expect("values");
        assert_eq!(texts(&page.items), in_use(model, field), "{}", field.key);
    }
}

async fn pages_of_values(cx: &Cx<'_>, model: &Model) {
    for field in fields::list(cx).await.expect("fields").fields() {
        for descending in [false, true] {
            let mut expected = in_use(model, field);
            if descending {
                expected.reverse();
            }
            let total = u64::try_from(expected.len()).expect("few");
            // The page after the last one has nothing.
            for (number, rows) in (1..).zip(expected.chunks(2).chain([&[][..]])) {
                let page = PageRequest::new(number, 2).expect("a page");
                let query = ValuesQuery { page, descending };
                let page = fields::list_values(cx, field.id, query).await.expect("values");
                assert_eq!(texts(&page.items), rows, "{} {query:?}", field.key);
                assert_eq!(page.meta.total, total, "{} {query:?}", field.key);
            }
        }
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
    let ids: Vec<String> = model.contacts.values().map(|kept| kept.id().to_string()).collect();
    if ids.is_empty() {
        return;
    }
    let ids = ids.into_iter().map(Input::Text).collect();
    let draft = LookupDraft { ids, ..LookupDraft::default() };
    let found = contacts::look_up(cx, &draft).await.expect("a look-up");
    let found: Vec<_> = found.contacts.iter().map(|it| it.contact.id).collect();
    let active = model.contacts.values().filter(|kept| kept.is_active).map(Kept::id);
    assert_eq!(found, active.collect::<Vec<_>>());
}
