//! The adapter under test, and each write with the result that the model expects.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use contact_hub_domain::access::Caller;
use contact_hub_domain::author::Call;
use contact_hub_domain::contacts::{
    self, BulkDraft, BulkRun, ChangedValues, Contact, ContactsError, CreatedContact, DeletionDraft,
    ErasureDraft, ExpectedVersion, ReplacementDraft, UnblockDraft,
};
use contact_hub_domain::context::{ContactPorts, Context, ErasurePorts};
use contact_hub_domain::fields::{self, FieldChangeDraft, FieldDraft};
use contact_hub_domain::input::Input;

use crate::compare::{compare, compare_pages};
use crate::model::{Kept, Model};
use crate::steps::{
    EMAILS, FIELDS, Patch, Row, Step, Values, change_draft, draft, identity, named,
};

/// An adapter's work outside of calls, such as writes that it has deferred.
pub type Background = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// An adapter under test.
#[derive(Clone)]
#[non_exhaustive]
pub struct Subject {
    /// The ports with the adapter.
    pub ports: ContactPorts,
    /// A caller of a company that has no contacts and no fields. All permissions are needed.
    pub caller: Caller,
    /// The ports of erasing and restoring; `None` for an adapter without these.
    pub erasures: Option<ErasurePorts>,
    /// The adapter's work outside of calls. It is run between writes, after which everything must read as before.
    pub background: Option<Background>,
}

impl Subject {
    /// An adapter that neither erases nor works outside of calls.
    #[must_use]
    pub const fn new(ports: ContactPorts, caller: Caller) -> Self {
        Self { ports, caller, erasures: None, background: None }
    }

    /// Does these writes, and compares the adapter with the model after each. At the end it also reads each contact and
    /// each list page by page.
    ///
    /// # Panics
    ///
    /// When the adapter and the model differ.
    pub(crate) async fn run(&self, steps: &[Step]) {
        let call = Call::default();
        let cx = Context { ports: &self.ports, caller: &self.caller, call: &call };
        let erasures = self.erasures.as_ref();
        let erasures = erasures.map(|ports| Context { ports, caller: &self.caller, call: &call });
        Run { cx, erasures, background: self.background.as_ref() }.all(steps).await;
    }
}

struct Run<'a> {
    cx: Context<'a, ContactPorts>,
    erasures: Option<Context<'a, ErasurePorts>>,
    background: Option<&'a Background>,
}

impl Run<'_> {
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
            Step::Background => {
                if let Some(background) = self.background {
                    background().await;
                }
            }
        }
    }

    async fn erase(&self, model: &mut Model, email: usize, block: bool) {
        let Some(cx) = &self.erasures else { return };
        let Some(kept) = model.contacts.remove(&identity(email)) else { return };
        let draft = ErasureDraft { block: Input::Bool(block).into() };
        contacts::erase(cx, kept.id(), &draft).await.expect("it is erased");
        if block {
            model.blocked.insert(identity(email));
        }
        let again = contacts::erase(cx, kept.id(), &draft).await;
        assert!(matches!(again, Err(ContactsError::NotFound)));
    }

    async fn restore(&self, model: &mut Model, emails: &[usize]) {
        let Some(cx) = &self.erasures else { return };
        let (mut ids, mut expected) = (Vec::new(), 0);
        for email in emails {
            if let Some(kept) = model.contacts.get_mut(&identity(*email)) {
                ids.push(kept.id());
                if !kept.is_active {
                    kept.restore();
                    expected += 1;
                }
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
        let Some(cx) = &self.erasures else { return };
        let draft = UnblockDraft { email: EMAILS[email].into() };
        contacts::unblock(cx, &draft).await.expect("it is unblocked");
        model.blocked.remove(&identity(email));
    }

    async fn all(&self, steps: &[Step]) {
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
        compare_pages(&self.cx, &model).await;
    }
}

async fn create(cx: &Context<'_, ContactPorts>, model: &mut Model, row: &Row) {
    let created = contacts::create(cx, &draft(row)).await;
    if let Some(refusal) = model.refusal(Some(row.email), row.values) {
        assert!(refusal.is(&created), "{refusal:?}");
        return;
    }
    let known = model.contacts.get(&identity(row.email)).map(Kept::id);
    if model.create(row) {
        let created = created.expect("it is created");
        assert_eq!(matches!(created, CreatedContact::Restored(_)), known.is_some());
        is_stored(cx, created.contact()).await;
    } else {
        assert!(matches!(created, Err(ContactsError::AlreadyExists(id)) if Some(id) == known));
    }
}

/// What a write returned is what is read.
async fn is_stored(cx: &Context<'_, ContactPorts>, returned: &Contact) {
    let read = contacts::read(cx, returned.id).await.expect("it is there");
    assert_eq!(read.contact, *returned);
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
    let holder = holder.filter(|holder| holder.id() != kept.id()).map(|holder| holder.is_active);
    let draft = change_draft(patch, form);
    let changed = contacts::change(cx, kept.id(), &draft, form, ExpectedVersion::Any).await;
    if form == ChangedValues::OfCall && patch.is_empty() {
        assert!(matches!(changed, Err(ContactsError::Invalid(_))));
        return;
    }
    // A contact that does not exist is reported before a blocked email.
    let email = patch.email.filter(|_| kept.is_active);
    if let Some(refusal) = model.refusal(email, patch.values) {
        assert!(refusal.is(&changed), "{refusal:?}");
        return;
    }
    match (kept.is_active, holder) {
        (false, _) => assert!(matches!(changed, Err(ContactsError::NotFound))),
        (true, Some(true)) => assert!(matches!(changed, Err(ContactsError::AlreadyExists(_)))),
        (true, Some(false)) => assert!(matches!(changed, Err(ContactsError::EmailOfDeleted))),
        (true, None) => {
            is_stored(cx, &changed.expect("it is changed").contact).await;
            model.change(target, patch);
        }
    }
}

async fn delete(cx: &Context<'_, ContactPorts>, model: &mut Model, email: usize) {
    let Some(kept) = model.contacts.get_mut(&identity(email)) else { return };
    let deleted = contacts::delete(cx, kept.id(), ExpectedVersion::Any).await;
    assert_eq!(deleted.is_ok(), kept.is_active);
    kept.is_active = false;
}

async fn delete_many(cx: &Context<'_, ContactPorts>, model: &mut Model, emails: &[usize]) {
    let mut expected = 0;
    let mut ids = vec![Input::from("no id")];
    for email in emails {
        if let Some(kept) = model.contacts.get_mut(&identity(*email)) {
            ids.push(Input::Text(kept.id().to_string().to_uppercase()));
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
    let ids = targets.iter().filter_map(kept).map(|kept| kept.id()).collect();
    let drafted = named(values).into_iter().collect();
    let set = contacts::set_values(cx, ids, &drafted).await;
    if let Some(refusal) = model.refusal(None, values) {
        assert!(refusal.is(&set), "{refusal:?}");
        return;
    }
    targets.retain(|email| kept(email).is_some_and(|kept| kept.is_active));
    assert_eq!(set.ok(), u64::try_from(targets.len()).ok());
    let patch = Patch { email: None, first: None, last: None, avatar: None, values };
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
    let replaced = contacts::replace_values(cx, kept.id(), &draft, ExpectedVersion::Any).await;
    if let Some(refusal) = model.refusal(None, values) {
        assert!(refusal.is(&replaced), "{refusal:?}");
        return;
    }
    if kept.is_active {
        is_stored(cx, &replaced.expect("it is replaced").contact).await;
        model.replace(email, values);
    } else {
        assert!(matches!(replaced, Err(ContactsError::NotFound)));
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
