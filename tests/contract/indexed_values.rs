//! The indexed values of a field match the active contacts, whatever is written while the index is built or deleted.

use std::sync::Arc;
use std::time::Duration;

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{
    Contact, ContactStore, ExpectedVersion, ListDraft, ListQuery, PartRequest, Place, Start,
};
use contact_hub_domain::fields::{
    ChangeFieldOutcome, Directory, Field, FieldChange, FieldLimits, FieldStore, FieldType,
    FieldValue, Filterable, Replacing,
};
use contact_hub_domain::ids::ContactId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use tokio::time::{Instant, sleep, timeout};

use crate::feed_order::until_one_waits;
use crate::plans::with_own_plans;
use crate::sample::{at, field, limits, new_contact, page_of, stored_company};

const CONTACTS: usize = 1500;

fn filterable(wanted: bool) -> FieldChange {
    FieldChange { filterable: Some(wanted), ..FieldChange::default() }
}

pub(crate) async fn set(
    storage: &Storage,
    company: &Company,
    field: &Field,
    wanted: bool,
) -> Field {
    let outcome =
        storage.change_field(company.id.into(), field.id, filterable(wanted), limits(100), at(1));
    let outcome = outcome.await.expect("an outcome");
    let ChangeFieldOutcome::Changed(field) = outcome else { unreachable!("{outcome:?}") };
    field
}

pub(crate) async fn score(storage: &Storage, company: &Company) -> Field {
    let field = field(company, "Score", FieldType::Number);
    FieldStore::create(storage, company.id.into(), field.clone(), limits(100), at(1))
        .await
        .expect("a field");
    field
}

pub(crate) async fn fields(storage: &Storage, company: &Company) -> Arc<Directory> {
    FieldStore::list(storage, company.id).await.expect("fields")
}

/// A bulk of contacts, some of which have a value.
async fn bulk(
    storage: &Storage,
    company: &Company,
    numbers: impl Iterator<Item = usize>,
    round: usize,
) {
    let directory = fields(storage, company).await;
    write(storage, company, &directory, numbers, round).await;
}

/// The same with a writer that does not read the fields.
async fn write(
    storage: &Storage,
    company: &Company,
    directory: &Directory,
    numbers: impl Iterator<Item = usize>,
    round: usize,
) {
    let rows = numbers.map(|n| {
        let value = ((n * 7 + round * 13) % 50).to_string();
        let values: &[(&str, &str)] = match (n + round) % 4 {
            0 => &[],
            1 if round > 0 => &[("score", "null")],
            _ => &[("score", value.as_str())],
        };
        new_contact(directory, &format!("p{n}@example.com"), values)
    });
    storage.upsert_many(company.id.into(), rows.collect(), 0, at(0)).await.expect("a bulk");
}

/// All active contacts, read without any index of values.
async fn all(storage: &Storage, company: &Company) -> Vec<Contact> {
    let mut start = Start::Skipping(0);
    let mut all = Vec::new();
    loop {
        let query = ListQuery::default();
        let part = PartRequest { start, contacts: 1000, bytes: 8 << 20 };
        let part = storage.list_part(company.id, query.clone(), part).await.expect("a part");
        let last = part.contacts.last().map(|last| Place::of(last, &query.sorts));
        all.extend(part.contacts);
        match last {
            Some(last) if part.goes_on => start = Start::Behind(last),
            _ => return all,
        }
    }
}

async fn ids(storage: &Storage, company: &Company, query: &str) -> Vec<ContactId> {
    let directory = fields(storage, company).await;
    let mut ids = Vec::new();
    for number in 1.. {
        let query = format!("{query}&page[size]=100&page[number]={number}");
        let draft = ListDraft::from_query(&query).expect("a draft");
        let query = draft.validate(&directory).expect("a valid query");
        let page = page_of(storage, company.id, query).await;
        ids.extend(page.items.iter().map(|contact| contact.id));
        if number >= page.meta.last_page {
            assert_eq!(page.meta.total, u64::try_from(ids.len()).expect("few"));
            break;
        }
    }
    ids
}

/// Compares lists by the values with a scan of all contacts.
async fn is_complete(storage: &Storage, company: &Company, field: &Field) {
    let contacts = all(storage, company).await;
    let value = |contact: &Contact| contact.field_values.get(&field.key).cloned();
    let mut sorted: Vec<_> = contacts.iter().map(|it| (value(it), it.id)).collect();
    sorted.sort_by_key(|(value, id)| {
        (value.is_none(), value.as_ref().map(FieldValue::list_key), *id)
    });
    let expected: Vec<_> = sorted.iter().map(|(_, id)| *id).collect();
    assert_eq!(ids(storage, company, "sort[]=field:score").await, expected);
    let none = expected.iter().skip(sorted.iter().filter(|(value, _)| value.is_some()).count());
    let none: Vec<_> = none.copied().collect();
    assert_eq!(
        ids(storage, company, "filter[field:score][exists]=false&sort[]=field:score").await,
        none
    );
}

/// Runs the task until the field is filterable.
pub(crate) async fn built(storage: &Storage, company: &Company) {
    let began = Instant::now();
    while fields(storage, company).await.fields()[0].filterable != Filterable::Yes {
        assert!(began.elapsed() < Duration::from_mins(2), "it is not built");
        storage.value_indexing().run().await.expect("it runs");
    }
}

/// Checks that PostgreSQL has statistics on the values.
fn is_analysed(database: &TestDatabase) {
    if database.is_postgres() && database.cluster().is_none() {
        let known = "SELECT count(*) > 0 FROM pg_stats WHERE tablename = 'indexed_values'";
        database.execute(&format!("DO $$ BEGIN ASSERT ({known}); END $$"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_are_indexed_deleted_and_indexed_again_in_batches() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let field = score(&storage, &company).await;
    bulk(&storage, &company, 0..900, 0).await;
    assert_eq!(set(&storage, &company, &field, true).await.filterable, Filterable::Building);
    assert_eq!(set(&storage, &company, &field, true).await.filterable, Filterable::Building);
    built(&storage, &company).await;
    is_complete(&storage, &company, &field).await;
    is_analysed(&database);

    assert_eq!(set(&storage, &company, &field, false).await.filterable, Filterable::No);
    bulk(&storage, &company, 300..1200, 1).await;
    // Old rows that are not deleted yet do not belong to the new index.
    assert_eq!(set(&storage, &company, &field, true).await.filterable, Filterable::Building);
    built(&storage, &company).await;
    is_complete(&storage, &company, &field).await;

    set(&storage, &company, &field, false).await;
    storage.value_indexing().run().await.expect("it runs");
    bulk(&storage, &company, 0..100, 2).await;
    set(&storage, &company, &field, true).await;
    built(&storage, &company).await;
    is_complete(&storage, &company, &field).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_created_as_filterable_is_filterable_at_once_in_every_instance() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    // The other instance has cached that there is no such field.
    fields(&other, &company).await;
    let field =
        Field { filterable: Filterable::Yes, ..field(&company, "Score", FieldType::Number) };
    FieldStore::create(&one, company.id.into(), field.clone(), limits(100), at(1))
        .await
        .expect("a field");
    bulk(&other, &company, 0..150, 0).await;
    is_complete(&one, &company, &field).await;
}

/// The statements of a bulk.
async fn statements(storage: &Storage, company: &Company, round: usize) -> u64 {
    let directory = fields(storage, company).await;
    let before = storage.statements();
    write(storage, company, &directory, 0..1000, round).await;
    storage.statements() - before
}

#[tokio::test(flavor = "multi_thread")]
async fn the_values_of_a_bulk_are_indexed_by_few_statements() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    score(&storage, &other).await;
    let field = score(&storage, &company).await;
    set(&storage, &company, &field, true).await;
    built(&storage, &company).await;
    // 750 rows are new, and then 500 have another value.
    for round in 0..2 {
        let without = statements(&storage, &other, round).await;
        let taken = statements(&storage, &company, round).await - without;
        assert!(taken <= 9, "{taken} statements in round {round}");
    }
    is_complete(&storage, &company, &field).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_filterable_fields_are_rejected() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let first = score(&storage, &company).await;
    let one = FieldLimits { in_use: 100, filterable: 1 };
    let second = field(&company, "Age", FieldType::Number);
    FieldStore::create(&storage, company.id.into(), second.clone(), limits(100), at(1))
        .await
        .expect("a field");
    let changed =
        storage.change_field(company.id.into(), first.id, filterable(true), one, at(1)).await;
    assert!(matches!(changed.expect("an outcome"), ChangeFieldOutcome::Changed(_)));
    let refused =
        storage.change_field(company.id.into(), second.id, filterable(true), one, at(1)).await;
    assert_eq!(refused.expect("an outcome"), ChangeFieldOutcome::TooManyFilterable);
}

/// Within the first second one instance knows that a field is filterable, and the other one does not.
#[tokio::test(flavor = "multi_thread")]
async fn no_indexed_value_remains_of_contacts_deleted_by_an_instance_with_older_fields() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let field = score(&one, &company).await;
    let directory = fields(&one, &company).await;
    let contact =
        |n: usize| new_contact(&directory, &format!("p{n}@example.com"), &[("score", "7")]);
    let contacts: Vec<_> = (0..20).map(contact).collect();
    let ids: Vec<_> = contacts.iter().map(|contact| contact.id).collect();
    // The other instance caches the fields with its write.
    write(&other, &company, &directory, 100..150, 0).await;
    set(&one, &company, &field, true).await;
    one.upsert_many(company.id.into(), contacts, 0, at(0)).await.expect("a bulk");
    other.delete_many(company.id.into(), ids, at(80)).await.expect("deleted");
    built(&one, &company).await;
    is_complete(&one, &company, &field).await;
}

/// Lets the task delete the values of a field while another transaction has deleted some of them; returns whether a batch
/// waited for that transaction.
async fn dropped_beside_a_deletion(
    database: &TestDatabase,
    storage: &Storage,
    company: &Company,
    field: &Field,
) -> bool {
    let mut connections =
        [(); 3].map(|()| PgConnection::establish(database.url_text()).expect("PostgreSQL answers"));
    let [earlier, other, observer] = &mut connections;
    earlier.batch_execute("BEGIN; SELECT pg_current_xact_id()").expect("a transaction");
    set(storage, company, field, false).await;
    let task = tokio::spawn({
        let indexing = storage.value_indexing();
        async move { indexing.run().await }
    });
    // The task waits for the transactions that run a second after its beginning.
    sleep(Duration::from_millis(1500)).await;
    let some = "SELECT contact_id FROM indexed_values ORDER BY sort_key, contact_id LIMIT 10";
    let delete = format!("BEGIN; DELETE FROM indexed_values WHERE contact_id IN ({some})");
    other.batch_execute(&delete).expect("it deletes");
    earlier.batch_execute("COMMIT").expect("it ends");
    let waited = timeout(Duration::from_secs(5), until_one_waits(observer)).await.is_ok();
    other.batch_execute("COMMIT").expect("it ends");
    task.await.expect("it ends").expect("it runs");
    waited
}

/// Rows that were deleted by others while a batch waited must not pass for the last ones.
#[tokio::test(flavor = "multi_thread")]
async fn no_value_of_a_dropped_index_remains_when_others_delete_some_meanwhile() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let field = score(&storage, &company).await;
    for round in 0..10 {
        set(&storage, &company, &field, true).await;
        built(&storage, &company).await;
        bulk(&storage, &company, 0..1000, round).await;
        bulk(&storage, &company, 1000..2000, round).await;
        if dropped_beside_a_deletion(&database, &storage, &company, &field).await {
            break;
        }
    }
    database.execute("DO $$ BEGIN ASSERT (SELECT count(*) = 0 FROM indexed_values); END $$");
}

/// Makes writes of every kind until the given time.
async fn keep_writing(storage: Storage, company: Company, field: Field, own: usize, end: Instant) {
    let directory = fields(&storage, &company).await;
    let mut round = 0;
    while Instant::now() < end {
        round += 1;
        let numbers = (0..CONTACTS).filter(|n| (n * 31 + round) % 23 == 0 && n % 2 == own);
        write(&storage, &company, &directory, numbers, round).await;
        let email = format!("n{own}.{round}@example.com");
        let new = new_contact(&directory, &email, &[("score", "7")]);
        let created = ContactStore::create(&storage, company.id.into(), new.clone()).await;
        created.expect("an outcome");
        let value = new.input.values.get(&field.key).cloned().flatten();
        let values = value.filter(|_| round % 3 > 0).map(|value| (field.key.clone(), value));
        let values = Replacing { values: values.into_iter().collect(), ..Replacing::default() };
        let any = ExpectedVersion::Any;
        let replaced = storage.replace_values(company.id.into(), new.id, values, any, at(70)).await;
        replaced.expect("an outcome");
        if round % 2 == 0 {
            let gone = storage.delete_many(company.id.into(), vec![new.id], at(80)).await;
            gone.expect("deleted");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn indexed_values_are_correct_after_any_writes_and_task_crashes() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let field = score(&one, &company).await;
    bulk(&one, &company, 0..CONTACTS, 0).await;
    let end = Instant::now() + Duration::from_secs(10);
    let writers = [(one.clone(), 0), (other.clone(), 1)].map(|(storage, own)| {
        tokio::spawn(keep_writing(storage, company.clone(), field.clone(), own, end))
    });
    for wanted in [true, false, true, false] {
        set(&one, &company, &field, wanted).await;
        // Each task is dropped at some point of its run.
        for millis in [1100, 300] {
            let indexing = other.value_indexing();
            let task = tokio::spawn(async move { indexing.run().await });
            sleep(Duration::from_millis(millis)).await;
            task.abort();
        }
    }
    set(&one, &company, &field, true).await;
    built(&one, &company).await;
    for writer in writers {
        writer.await.expect("it writes");
    }
    is_complete(&one, &company, &field).await;
}
