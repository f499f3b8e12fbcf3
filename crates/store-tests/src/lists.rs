//! Compares lists by filter, sort and search with the model, by cursor and by page number.

use std::cmp::Reverse;

use contact_hub_domain::contacts::{
    self, Attribute, Comparison, Condition, Contact, FieldFilter, ListDraft, ListQuery,
    MomentAttribute, MomentTest, Operator, Place, Search, SortKey, SortName, TextAttribute,
    conditions,
};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::input::Input;
use contact_hub_domain::page::PageRequest;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::violations::Violations;

use crate::model::{Kept, Model};
use crate::steps::EMAILS;

type Cx<'a> = Context<'a, ContactPorts>;

/// A list, and the email identities that it has according to the model.
type Case = (ListDraft, Vec<String>);

/// How many contacts a page has, so that there are several.
const PAGE: u32 = 2;

/// A list with more contacts than this has many.
const MANY: u64 = 3;

fn team(kept: &Kept) -> Option<String> {
    match kept.content.values.get("team") {
        Some(Input::Text(text)) => Some(text.to_lowercase()),
        _ => None,
    }
}

fn score(kept: &Kept) -> Option<i64> {
    match kept.content.values.get("score") {
        Some(Input::Number(text)) => Some(if text == "5" { 5 } else { -1000 }),
        _ => None,
    }
}

/// The identities of the contacts that meet a condition, in an order.
fn listed<K: Ord>(
    model: &Model,
    meets: impl Fn(&str, &Kept) -> bool,
    key: impl Fn(&str, &Kept) -> K,
) -> Vec<String> {
    let mut found: Vec<_> =
        model.active().filter(|(identity, kept)| meets(identity, kept)).collect();
    found.sort_by_key(|(identity, kept)| key(identity, kept));
    found.into_iter().map(|(identity, _)| identity.clone()).collect()
}

fn comparison(path: &str, operator: Operator, text: &str) -> Comparison {
    Comparison { path: path.to_owned(), operator, texts: Ok(vec![text.to_owned()]) }
}

/// The list of the contacts whose value of a field compares with a text by this operator.
fn filtered(key: &str, operator: Operator, text: &str, sorts: &[(SortName, bool)]) -> ListDraft {
    let comparisons = vec![comparison(key, operator, text)];
    let filter = FieldFilter { key: key.to_owned(), path: key.to_owned(), comparisons };
    ListDraft { filters: vec![filter], sorts: sorts.to_vec(), ..ListDraft::default() }
}

fn by(key: &str) -> SortName {
    SortName::Field(key.to_owned())
}

const fn by_email() -> SortName {
    SortName::Attribute(SortKey::Email)
}

/// Lists by the values of fields. Contacts without a value are last in both directions.
fn of_fields(model: &Model) -> [Case; 4] {
    let none_last = |score: Option<i64>| (score.is_none(), Reverse(score));
    let sorts = vec![(by("team"), false), (by_email(), true)];
    [
        (
            filtered("team", Operator::Equal, "RED", &[(by("score"), true), (by_email(), false)]),
            listed(
                model,
                |_, kept| team(kept).as_deref() == Some("red"),
                |identity, kept| (none_last(score(kept)), identity.to_owned()),
            ),
        ),
        (
            filtered("score", Operator::GreaterOrEqual, "5.0", &[(by_email(), true)]),
            listed(
                model,
                |_, kept| score(kept) == Some(5),
                |identity, _| Reverse(identity.to_owned()),
            ),
        ),
        (
            filtered("team", Operator::Exists, "false", &[(by_email(), false)]),
            listed(model, |_, kept| team(kept).is_none(), |identity, _| identity.to_owned()),
        ),
        (
            ListDraft { sorts, ..ListDraft::default() },
            listed(
                model,
                |_, _| true,
                |identity, kept| (team(kept).is_none(), team(kept), Reverse(identity.to_owned())),
            ),
        ),
    ]
}

/// Lists by names, moments and a search. What has no order of its own has that of the ids.
fn of_attributes(model: &Model) -> [Case; 4] {
    let oldest = |kept: &Kept| (kept.seen().created_at, kept.seen().id);
    let named = vec![comparison("first_name", Operator::Equal, "NAME 1")];
    let first_name = Attribute::Text(TextAttribute::FirstName);
    let named = conditions(first_name, named, &mut Violations::default());
    let search = Search::parse("la B@X").expect("a search");
    let updates = model.active().map(|(_, kept)| kept.seen().updated_at);
    let first_update = updates.min().unwrap_or(Timestamp::MIN);
    let later = Condition::Moment {
        attribute: MomentAttribute::UpdatedAt,
        test: MomentTest::After(first_update),
    };
    let query = |query| ListDraft { query, ..ListDraft::default() };
    let last_names = [SortKey::LastName, SortKey::CreatedAt];
    [
        (ListDraft::default(), listed(model, |_, _| true, |_, kept| oldest(kept))),
        (
            ListDraft {
                sorts: last_names.map(|key| (SortName::Attribute(key), true)).to_vec(),
                ..query(ListQuery { conditions: named, ..ListQuery::default() })
            },
            listed(
                model,
                |_, kept| kept.content.first_name == "Name 1",
                |_, kept| Reverse((kept.content.last_name.clone(), oldest(kept))),
            ),
        ),
        (
            query(ListQuery { search, ..ListQuery::default() }),
            listed(model, |identity, _| identity.contains("b@x"), |_, kept| oldest(kept)),
        ),
        (
            query(ListQuery { conditions: vec![later], ..ListQuery::default() }),
            listed(model, |_, kept| kept.seen().updated_at > first_update, |_, kept| oldest(kept)),
        ),
    ]
}

/// Reads each list by a cursor.
pub(crate) async fn by_cursor(cx: &Cx<'_>, model: &Model) {
    for (draft, expected) in of_fields(model).into_iter().chain(of_attributes(model)) {
        let query = draft.clone().read(cx).await.expect("a query");
        assert_eq!(walked(cx, query).await, expected, "by cursor: {draft:?}");
    }
}

/// Reads each list by the numbers of pages, and with its total.
pub(crate) async fn by_number(cx: &Cx<'_>, model: &Model) {
    for (draft, expected) in of_fields(model).into_iter().chain(of_attributes(model)) {
        let query = draft.read(cx).await.expect("a query");
        let total = u64::try_from(expected.len()).expect("few");
        // The page after the last one has nothing.
        let pages = expected.chunks(2).chain([&[][..]]);
        for (number, rows) in (1..).zip(pages) {
            let page = PageRequest::new(number, PAGE).expect("a page");
            let query = ListQuery { page, ..query.clone() };
            let page = contacts::list(cx, query.clone()).await.expect("a page");
            let uncounted = contacts::list_uncounted(cx, query.clone()).await.expect("a page");
            let bare = query.clone().without_values();
            let bare = contacts::list(cx, bare).await.expect("a page");
            assert_eq!((page.meta.total, bare.meta.total), (total, total), "{query:?}");
            let of_many = contacts::list_of_many(cx, query.clone(), MANY).await.expect("a page");
            let more_than = MANY.max(number * u64::from(PAGE));
            let known = of_many.as_ref().map(|it| it.more_than);
            assert_eq!(known, (total > more_than).then_some(more_than), "{query:?}");
            let of_many = of_many.map(|it| it.contacts);
            for contacts in [page.items, uncounted, bare.items].into_iter().chain(of_many) {
                assert_eq!(identities(&contacts), rows, "{query:?}");
            }
        }
    }
}

/// The identities that a list has, read by a cursor.
async fn walked(cx: &Cx<'_>, query: ListQuery) -> Vec<String> {
    let query = ListQuery { page: PageRequest::new(1, PAGE).expect("a page"), ..query };
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let part = contacts::list_after(cx, query.clone(), after).await.expect("a part");
        found.extend(identities(&part.contacts));
        assert!(found.len() <= EMAILS.len(), "a list does not end: {found:?}");
        let Some(next) = part.next else { return found };
        after = Some(Place::from_cursor(&next, &query).expect("a place"));
    }
}

fn identities(contacts: &[Contact]) -> Vec<String> {
    contacts.iter().map(|contact| contact.email.identity().to_owned()).collect()
}
