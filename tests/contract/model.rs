//! Any sequence of writes leaves the store as a plain model in memory says, after every step.

use std::collections::BTreeMap;

use contact_hub::wire::command_ports;
use contact_hub_domain::access::Caller;
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ChangeDraft, ChangedValues, ContactsError, DeletionDraft,
    ExpectedVersion, ListQuery, ReplacementDraft,
};
use contact_hub_domain::context::{ContactPorts, Context, Ports};
use contact_hub_domain::fields::{self, FieldDraft, ValuesQuery};
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::input::Input;
use contact_hub_domain::page::{MAX_PAGE_SIZE, PageRequest};
use contact_hub_storage::Storage;
use contact_hub_tests::{CompanyOptions, TestDatabase, caller_of, create_company};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::memory::in_memory;
use crate::model_steps::{FIELDS, Row, Step, Values, draft, identity, named, step, worth};

#[derive(Clone, Debug, PartialEq)]
struct Kept {
    id: ContactId,
    name: String,
    avatar: Option<String>,
    values: BTreeMap<String, Input>,
    is_active: bool,
}

/// By email identity.
type Model = BTreeMap<String, Kept>;

fn set(values: &mut BTreeMap<String, Input>, changes: Values) {
    for (key, value) in named(changes) {
        match value {
            Input::Null => drop(values.remove(&key)),
            value => drop(values.insert(key, worth(&value))),
        }
    }
}

fn avatar(row: &Row) -> Option<String> {
    row.avatar.flatten().map(|n| format!("https://pictures.example/{n}"))
}

/// Creates or restores; true when there was no active contact.
fn model_create(model: &mut Model, row: &Row) -> bool {
    let kept = model.entry(identity(row.email)).or_insert_with(|| Kept {
        id: ContactId::parse("00000000-0000-0000-0000-000000000000").expect("an id"),
        name: String::new(),
        avatar: None,
        values: BTreeMap::new(),
        is_active: false,
    });
    if kept.is_active {
        return false;
    }
    kept.is_active = true;
    kept.name = format!("Name {}", row.name);
    kept.avatar = avatar(row);
    // On a create a null is as if it were absent.
    set(&mut kept.values, row.values.map(|value| value.filter(Option::is_some)));
    true
}

fn model_update(model: &mut Model, row: &Row) {
    let kept = model.get_mut(&identity(row.email)).expect("an active contact");
    kept.name = format!("Name {}", row.name);
    if row.avatar.is_some() {
        kept.avatar = avatar(row);
    }
    set(&mut kept.values, row.values);
}

async fn apply(
    cx: &Context<'_, ContactPorts>,
    storage: Option<&Storage>,
    model: &mut Model,
    step: &Step,
) {
    match step {
        Step::Create(row) => {
            let created = contacts::create(cx, &draft(row)).await;
            if model_create(model, row) {
                created.expect("it is created");
            } else {
                assert!(matches!(created, Err(ContactsError::AlreadyExists(_))));
            }
        }
        Step::Bulk(rows) => {
            let bulk = BulkDraft { contacts: rows.iter().map(|row| draft(row).into()).collect() };
            let result = contacts::upsert_many(cx, bulk, BulkRun::Written).await.expect("a bulk");
            let (mut created, mut updated) = (0, 0);
            for row in rows {
                if model_create(model, row) {
                    created += 1;
                } else {
                    model_update(model, row);
                    updated += 1;
                }
            }
            assert_eq!((result.created, result.updated), (created, updated));
            assert!(result.failed.is_empty());
        }
        Step::Change(email, row) => change(cx, model, *email, row).await,
        Step::Delete(email) => delete(cx, model, *email).await,
        Step::DeleteMany(emails) => delete_many(cx, model, emails).await,
        Step::Replace(email, values) => replace(cx, model, *email, *values).await,
        Step::DoDeferred => {
            if let Some(storage) = storage {
                storage.deferred_writes().run().await.expect("done");
            }
        }
    }
}

async fn change(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize, row: &Row) {
    let Some(kept) = model.get(&identity(email)).cloned() else { return };
    let holder = model.get(&identity(row.email)).filter(|holder| holder.id != kept.id);
    let holder = holder.map(|holder| holder.is_active);
    let (draft, form) = (ChangeDraft::from(draft(row)), ChangedValues::OfForm);
    let changed = contacts::change(cx, kept.id, &draft, form, ExpectedVersion::Any).await;
    match (kept.is_active, holder) {
        (false, _) => assert!(matches!(changed, Err(ContactsError::NotFound))),
        (true, Some(true)) => assert!(matches!(changed, Err(ContactsError::AlreadyExists(_)))),
        (true, Some(false)) => assert!(matches!(changed, Err(ContactsError::EmailOfDeleted))),
        (true, None) => {
            changed.expect("it is changed");
            model.remove(&identity(email));
            model.insert(identity(row.email), kept);
            model_update(model, row);
        }
    }
}

async fn delete(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize) {
    let Some(kept) = model.get_mut(&identity(email)) else { return };
    let deleted = contacts::delete(cx, kept.id, ExpectedVersion::Any).await;
    assert_eq!(deleted.is_ok(), kept.is_active);
    kept.is_active = false;
}

async fn delete_many(cx: &Context<'_, ContactPorts>, model: &mut Model, emails: &[usize]) {
    let mut expected = 0;
    let mut ids = vec![Input::from("no id")];
    for email in emails {
        if let Some(kept) = model.get_mut(&identity(*email)) {
            ids.push(Input::Text(kept.id.to_string().to_uppercase()));
            expected += u64::from(kept.is_active);
            kept.is_active = false;
        }
    }
    let draft = DeletionDraft { ids: ids.into_iter().collect() };
    let deleted = contacts::delete_many(cx, &draft).await.expect("a bulk");
    assert_eq!(deleted, expected);
}

async fn replace(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize, values: Values) {
    let Some(kept) = model.get_mut(&identity(email)) else { return };
    if named(values).is_empty() {
        return;
    }
    let draft = ReplacementDraft { field_values: named(values).into_iter().collect() };
    let replaced = contacts::replace_values(cx, kept.id, &draft, ExpectedVersion::Any).await;
    assert_eq!(replaced.is_ok(), kept.is_active);
    if kept.is_active {
        kept.values.clear();
        set(&mut kept.values, values);
    }
}

/// Compares every active contact, and the values in use of every field.
async fn compare(cx: &Context<'_, ContactPorts>, model: &mut Model) {
    let page = PageRequest::new(1, MAX_PAGE_SIZE).expect("a page");
    let all = ValuesQuery { page, ..ValuesQuery::default() };
    let page =
        contacts::list(cx, ListQuery { page, ..ListQuery::default() }).await.expect("a list");
    let active = model.values().filter(|kept| kept.is_active).count();
    assert_eq!((page.items.len(), page.meta.total), (active, u64::try_from(active).expect("few")));
    for contact in page.items {
        let kept = model.get_mut(contact.email.identity()).expect("a known contact");
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
    for field in fields::list(cx).await.expect("fields").fields() {
        let page = fields::list_values(cx, field.id, all).await.expect("values");
        let mut in_use: Vec<String> =
            page.items.iter().map(|value| worth(&value.shown()).to_json()).collect();
        let active = model.values().filter(|kept| kept.is_active);
        let mut expected: Vec<String> = active
            .filter_map(|kept| kept.values.get(field.key.as_str()).map(Input::to_json))
            .collect();
        in_use.sort();
        expected.sort();
        expected.dedup();
        assert_eq!(in_use, expected, "{}", field.key);
    }
}

async fn caller(ports: &Ports) -> Caller {
    let company = create_company(&ports.access, &CompanyOptions::default()).await;
    caller_of(&ports.access, &company).await
}

async fn run(cx: Context<'_, ContactPorts>, storage: Option<&Storage>, steps: &[Step]) {
    for (name, kind) in FIELDS {
        let draft = FieldDraft { name: name.into(), r#type: kind.into(), ..FieldDraft::default() };
        fields::create(&cx, &draft).await.expect("a field");
    }
    let mut model = Model::new();
    for step in steps {
        apply(&cx, storage, &mut model, step).await;
        compare(&cx, &mut model).await;
    }
}

#[test]
fn any_sequence_of_writes_is_as_the_model_says() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let database = TestDatabase::migrated();
    let (ports, storage) = {
        let _entered = runtime.enter();
        let storage = database.storage();
        (command_ports(&storage).expect("ports"), storage)
    };
    let mut runner =
        TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let sequences = prop::collection::vec(step(), 1..16);
    let result = runner.run(&sequences, |steps| {
        runtime.block_on(async {
            let caller = caller(&ports).await;
            run(
                Context { ports: &ports.contacts, caller: &caller, call: &Call::default() },
                Some(&storage),
                &steps,
            )
            .await;
            let rows = in_memory(&ports.contacts);
            run(Context { ports: &rows, caller: &caller, call: &Call::default() }, None, &steps)
                .await;
        });
        Ok(())
    });
    result.expect("the model and the store agree");
}
