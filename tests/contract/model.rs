//! Any sequence of writes leaves the store as a plain model in memory says, after every step.

use std::sync::Arc;

use contact_hub::adapters::Quotas;
use contact_hub::wire::{Environment, Outbound, ports};
use contact_hub_domain::access::Caller;
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ChangedValues, ContactsError, DeletionDraft, ErasureDraft,
    ExpectedVersion, ReplacementDraft, UnblockDraft,
};
use contact_hub_domain::context::{ContactPorts, Context, ErasurePorts, Ports};
use contact_hub_domain::fields::{self, FieldChangeDraft, FieldDraft};
use contact_hub_domain::input::Input;
use contact_hub_domain::limits::Limits;
use contact_hub_domain::webhooks::UrlPolicy;
use contact_hub_storage::Storage;
use contact_hub_tests::{CompanyOptions, TestDatabase, caller_of, create_company};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::memory::in_memory;
use crate::model_lists::compare;
use crate::model_state::Model;
use crate::model_steps::{
    EMAILS, FIELDS, Patch, Row, Step, Values, change_draft, draft, identity, named, step,
};

/// The store under test, and what a store of rows lacks.
struct Subject<'a> {
    cx: Context<'a, ContactPorts>,
    sql: Option<(&'a Storage, Context<'a, ErasurePorts>)>,
}

impl Subject<'_> {
    async fn apply(&self, model: &mut Model, step: &Step) {
        let cx = &self.cx;
        match step {
            Step::Create(row) => create(cx, model, row).await,
            Step::Bulk(rows, run) => bulk(cx, model, rows, *run).await,
            Step::Change(email, row) => {
                change(cx, model, *email, &Patch::from(row), ChangedValues::OfForm).await;
            }
            Step::Patch(email, patch) => {
                change(cx, model, *email, patch, ChangedValues::OfCall).await;
            }
            Step::Delete(email) => delete(cx, model, *email).await,
            Step::DeleteMany(emails) => delete_many(cx, model, emails).await,
            Step::Restore(emails) => self.restore(model, emails).await,
            Step::SetValues(emails, values) => set_values(cx, model, emails, *values).await,
            Step::Replace(email, values) => replace(cx, model, *email, *values).await,
            Step::Archive(field, archived) => archive(cx, model, *field, *archived).await,
            Step::Erase(email, block) => self.erase(model, *email, *block).await,
            Step::Unblock(email) => self.unblock(model, *email).await,
            Step::DoDeferred => {
                if let Some((storage, _)) = &self.sql {
                    storage.deferred_writes().run().await.expect("done");
                }
            }
        }
    }

    async fn erase(&self, model: &mut Model, email: usize, block: bool) {
        let Some((_, cx)) = &self.sql else { return };
        let Some(kept) = model.contacts.remove(&identity(email)) else { return };
        let draft = ErasureDraft { block: Input::Bool(block).into() };
        contacts::erase(cx, kept.id, &draft).await.expect("it is erased");
        if block {
            model.blocked.insert(identity(email));
        }
        let again = contacts::erase(cx, kept.id, &draft).await;
        assert!(matches!(again, Err(ContactsError::NotFound)));
    }

    /// A store of rows does not know when a contact was deleted, and lists none.
    async fn restore(&self, model: &mut Model, emails: &[usize]) {
        let Some((_, cx)) = &self.sql else { return };
        let (mut ids, mut expected) = (Vec::new(), 0);
        for email in emails {
            if let Some(kept) = model.contacts.get_mut(&identity(*email)) {
                ids.push(kept.id);
                expected += u64::from(!kept.is_active);
                kept.is_active = true;
            }
        }
        let listed = contacts::list_deleted(cx, None).await.expect("a list");
        let deleted = listed.iter().filter(|it| ids.contains(&it.id)).count();
        assert_eq!(u64::try_from(deleted), Ok(expected));
        let restored = contacts::restore(cx, ids).await;
        if expected == 0 {
            assert!(matches!(restored, Err(ContactsError::NotFound)));
        } else {
            assert_eq!(restored.ok(), Some(expected));
        }
    }

    async fn unblock(&self, model: &mut Model, email: usize) {
        let Some((_, cx)) = &self.sql else { return };
        let draft = UnblockDraft { email: EMAILS[email].into() };
        contacts::unblock(cx, &draft).await.expect("it is unblocked");
        model.blocked.remove(&identity(email));
    }

    async fn run(&self, steps: &[Step]) {
        for (name, kind, filterable) in FIELDS {
            let filterable = Input::Bool(filterable).into();
            let draft = FieldDraft { name: name.into(), r#type: kind.into(), filterable };
            fields::create(&self.cx, &draft).await.expect("a field");
        }
        let mut model = Model::default();
        for step in steps {
            self.apply(&mut model, step).await;
            compare(&self.cx, &mut model).await;
        }
    }
}

async fn create(cx: &Context<'_, ContactPorts>, model: &mut Model, row: &Row) {
    let created = contacts::create(cx, &draft(row)).await;
    if let Some(refusal) = model.refusal(Some(row.email), row.values) {
        assert!(refusal.is(&created), "{refusal:?}");
    } else if model.create(row) {
        created.expect("it is created");
    } else {
        assert!(matches!(created, Err(ContactsError::AlreadyExists(_))));
    }
}

/// A dry run has the outcome of a bulk, and changes nothing.
async fn bulk(cx: &Context<'_, ContactPorts>, model: &mut Model, rows: &[Row], run: BulkRun) {
    let draft = BulkDraft { contacts: rows.iter().map(|row| draft(row).into()).collect() };
    let result = contacts::upsert_many(cx, draft, run).await.expect("a bulk");
    let mut after = model.clone();
    let expected = after.bulk(rows);
    assert_eq!((result.created, result.updated, result.failed.len()), expected);
    if run == BulkRun::Written {
        *model = after;
    }
}

async fn change(
    cx: &Context<'_, ContactPorts>,
    model: &mut Model,
    target: usize,
    patch: &Patch,
    form: ChangedValues,
) {
    let Some(kept) = model.contacts.get(&identity(target)).cloned() else { return };
    let holder = patch.email.and_then(|email| model.contacts.get(&identity(email)));
    let holder = holder.filter(|holder| holder.id != kept.id).map(|holder| holder.is_active);
    let draft = change_draft(patch, form);
    let changed = contacts::change(cx, kept.id, &draft, form, ExpectedVersion::Any).await;
    if form == ChangedValues::OfCall && patch.is_empty() {
        assert!(matches!(changed, Err(ContactsError::Invalid(_))));
        return;
    }
    if let Some(refusal) = model.refusal(patch.email, patch.values) {
        assert!(refusal.is(&changed), "{refusal:?}");
        return;
    }
    match (kept.is_active, holder) {
        (false, _) => assert!(matches!(changed, Err(ContactsError::NotFound))),
        (true, Some(true)) => assert!(matches!(changed, Err(ContactsError::AlreadyExists(_)))),
        (true, Some(false)) => assert!(matches!(changed, Err(ContactsError::EmailOfDeleted))),
        (true, None) => {
            changed.expect("it is changed");
            model.change(target, patch);
        }
    }
}

async fn delete(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize) {
    let Some(kept) = model.contacts.get_mut(&identity(email)) else { return };
    let deleted = contacts::delete(cx, kept.id, ExpectedVersion::Any).await;
    assert_eq!(deleted.is_ok(), kept.is_active);
    kept.is_active = false;
}

async fn delete_many(cx: &Context<'_, ContactPorts>, model: &mut Model, emails: &[usize]) {
    let mut expected = 0;
    let mut ids = vec![Input::from("no id")];
    for email in emails {
        if let Some(kept) = model.contacts.get_mut(&identity(*email)) {
            ids.push(Input::Text(kept.id.to_string().to_uppercase()));
            expected += u64::from(kept.is_active);
            kept.is_active = false;
        }
    }
    let draft = DeletionDraft { ids: ids.into_iter().collect() };
    let deleted = contacts::delete_many(cx, &draft).await.expect("a bulk");
    assert_eq!(deleted, expected);
}

async fn set_values(
    cx: &Context<'_, ContactPorts>,
    model: &mut Model,
    emails: &[usize],
    values: Values,
) {
    let mut targets: Vec<usize> = emails.to_vec();
    targets.sort_unstable_by_key(|email| identity(*email));
    targets.dedup_by_key(|email| identity(*email));
    let kept = |email: &usize| model.contacts.get(&identity(*email)).cloned();
    let ids = targets.iter().filter_map(kept).map(|kept| kept.id).collect();
    let drafted = named(values).into_iter().collect();
    let set = contacts::set_values(cx, ids, &drafted).await;
    if let Some(refusal) = model.refusal(None, values) {
        assert!(refusal.is(&set), "{refusal:?}");
        return;
    }
    targets.retain(|email| kept(email).is_some_and(|kept| kept.is_active));
    assert_eq!(set.ok(), u64::try_from(targets.len()).ok());
    let patch = Patch { email: None, name: None, avatar: None, values };
    for email in targets {
        model.change(email, &patch);
    }
}

async fn replace(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize, values: Values) {
    let Some(kept) = model.contacts.get(&identity(email)).cloned() else { return };
    if named(values).is_empty() {
        return;
    }
    let draft = ReplacementDraft { field_values: named(values).into_iter().collect() };
    let replaced = contacts::replace_values(cx, kept.id, &draft, ExpectedVersion::Any).await;
    if let Some(refusal) = model.refusal(None, values) {
        assert!(refusal.is(&replaced), "{refusal:?}");
        return;
    }
    assert_eq!(replaced.is_ok(), kept.is_active);
    if kept.is_active {
        model.replace(email, values);
    }
}

async fn archive(
    cx: &Context<'_, ContactPorts>,
    model: &mut Model,
    field: usize,
    is_archived: bool,
) {
    let directory = fields::list(cx).await.expect("fields");
    let archived = Input::Bool(is_archived).into();
    let draft = FieldChangeDraft { archived, ..FieldChangeDraft::default() };
    fields::change(cx, directory.fields()[field].id, &draft).await.expect("it is changed");
    model.archived[field] = is_archived;
}

/// The ports of a service, which has a key to block emails with.
fn ports_of(storage: &Storage) -> Ports {
    let environment = Environment::default();
    let keys = [[7; 32].into()];
    let outbound = Outbound::new(&environment, &keys, UrlPolicy::default(), None, Arc::default());
    let (limits, quotas) = (Limits::default(), Quotas::default());
    ports(&environment, limits, storage, quotas, &outbound.expect("ports"), "")
}

/// A caller of a new company, which is asked for blocked emails with every write.
async fn caller(ports: &Ports) -> Caller {
    let company = create_company(&ports.access, &CompanyOptions::default()).await;
    let mut caller = caller_of(&ports.access, &company).await;
    caller.company.has_blocked_emails = true;
    caller
}

#[test]
fn any_sequence_of_writes_is_as_the_model_says() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let database = TestDatabase::migrated();
    let (ports, storage) = {
        let _entered = runtime.enter();
        let storage = database.storage();
        (ports_of(&storage), storage)
    };
    let mut runner =
        TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let sequences = prop::collection::vec(step(), 1..16);
    let result = runner.run(&sequences, |steps| {
        runtime.block_on(async {
            let (caller, call) = (caller(&ports).await, Call::default());
            let cx = Context { ports: &ports.contacts, caller: &caller, call: &call };
            let erasures = Context { ports: &ports.erasures, caller: &caller, call: &call };
            Subject { cx, sql: Some((&storage, erasures)) }.run(&steps).await;
            let rows = ContactPorts { blocked_emails: None, ..in_memory(&ports.contacts) };
            let cx = Context { ports: &rows, caller: &caller, call: &call };
            Subject { cx, sql: None }.run(&steps).await;
        });
        Ok(())
    });
    result.expect("the model and the store agree");
}
