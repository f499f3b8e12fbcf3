//! The duties of [`FieldStore`], line by line.

use contact_hub_domain::fields::{
    ChangeFieldOutcome, CreateFieldOutcome, Field, FieldChange, FieldStore, FieldType,
};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;

use crate::sample::{at, field, limits, stored_company, stored_field};

async fn listed(storage: &Storage, company: CompanyId) -> Vec<Field> {
    storage.list(company).await.expect("a list").fields().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_every_type_are_listed_completely_and_oldest_first() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    assert!(listed(&storage, company.id).await.is_empty());
    let mut created = Vec::new();
    for (n, kind) in FieldType::ALL.into_iter().rev().enumerate() {
        let field = field(&company, &format!("Ünï Field {n}"), kind);
        let outcome =
            storage.create(company.id.into(), field.clone(), limits(1000), at(1)).await.unwrap();
        assert_eq!(outcome, CreateFieldOutcome::Created);
        created.push(field);
    }
    assert_eq!(listed(&storage, company.id).await, created);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_key_is_reported_with_its_field_and_nothing_is_stored() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let holder = stored_field(&storage, &company, "Job Title").await;
    let taken = field(&company, "job-title", FieldType::Date);
    let outcome = storage.create(company.id.into(), taken, limits(1000), at(1)).await.unwrap();
    assert_eq!(outcome, CreateFieldOutcome::KeyTaken(holder.clone()));
    assert_eq!(listed(&storage, company.id).await, [holder]);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_compared_exactly() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    for name in ["JobTitle", "Job Title", "Jöb Title", "ß", "ss", "I", "ı", "σ", "ς"] {
        stored_field(&storage, &company, name).await;
    }
    assert_eq!(listed(&storage, company.id).await.len(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_only_taken_in_its_own_company() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (one, other) = (stored_company(&storage).await, stored_company(&storage).await);
    let ours = stored_field(&storage, &one, "Age").await;
    let theirs = stored_field(&storage, &other, "Age").await;
    assert_eq!(listed(&storage, one.id).await, [ours]);
    assert_eq!(listed(&storage, other.id).await, [theirs]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_directory_accepts_no_fields_and_a_taken_key_is_reported_first() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let (company, other) = (stored_company(&storage).await, stored_company(&storage).await);
    stored_field(&storage, &other, "Of another company").await;
    for name in ["One", "Two"] {
        let field = field(&company, name, FieldType::String);
        let outcome = storage.create(company.id.into(), field, limits(2), at(1)).await.unwrap();
        assert_eq!(outcome, CreateFieldOutcome::Created);
    }
    let third = field(&company, "Three", FieldType::String);
    let outcome = storage.create(company.id.into(), third, limits(2), at(1)).await.unwrap();
    assert_eq!(outcome, CreateFieldOutcome::Full);
    let taken = field(&company, "Two", FieldType::String);
    let outcome = storage.create(company.id.into(), taken, limits(2), at(1)).await.unwrap();
    assert!(matches!(outcome, CreateFieldOutcome::KeyTaken(_)), "{outcome:?}");
    assert_eq!(listed(&storage, company.id).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_creates_never_exceed_the_limit_and_have_an_order() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let calls = (0..16).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let (id, field) = (company.id, field(&company, &format!("Field {n}"), FieldType::Number));
        tokio::spawn(async move {
            storage.create(id.into(), field, limits(10), at(1)).await.expect("an outcome")
        })
    });
    let mut created = 0;
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap() {
            CreateFieldOutcome::Created => created += 1,
            outcome => assert_eq!(outcome, CreateFieldOutcome::Full),
        }
    }
    assert_eq!(created, 10);
    let (ours, theirs) = (listed(&one, company.id).await, listed(&other, company.id).await);
    assert_eq!(ours.len(), 10);
    assert_eq!(ours, theirs);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_creates_of_the_same_key_succeeds() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let calls = (0..8).map(|n| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let (id, field) = (company.id, field(&company, "Age", FieldType::Number));
        tokio::spawn(async move {
            storage.create(id.into(), field, limits(1000), at(1)).await.expect("an outcome")
        })
    });
    let mut holders = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        if let CreateFieldOutcome::KeyTaken(holder) = call.await.unwrap() {
            holders.push(holder);
        }
    }
    let stored = listed(&one, company.id).await;
    assert_eq!(stored.len(), 1);
    assert_eq!(holders, vec![stored[0].clone(); 7]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_the_fields_that_other_instances_create() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let mut created = Vec::new();
    for n in 0..4 {
        let storage = if n % 2 == 0 { &one } else { &other };
        created.push(stored_field(storage, &company, &format!("Field {n}")).await);
        assert_eq!(listed(&one, company.id).await, created);
        assert_eq!(listed(&other, company.id).await, created);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_knows_all_keys_takes_no_statement() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let age = stored_field(&storage, &company, "Age").await;
    let known = ["age"];
    storage.list(company.id).await.unwrap();
    let before = storage.statements();
    let directory = storage.directory(company.id, &known).await.unwrap();
    assert_eq!(directory.fields(), [age]);
    storage.directory(company.id, &[]).await.unwrap();
    assert_eq!(storage.statements(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_lacks_a_key_is_read_again() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let age = stored_field(&one, &company, "Age").await;
    one.list(company.id).await.unwrap();
    let late = stored_field(&other, &company, "Late").await;
    let keys = ["age", "late", "nothing"];
    let directory = one.directory(company.id, &keys[..2]).await.unwrap();
    assert_eq!(directory.fields(), [age.clone(), late.clone()]);
    let directory = one.directory(company.id, &keys).await.unwrap();
    assert_eq!(directory.fields(), [age, late]);
}

fn archiving(archived: bool) -> FieldChange {
    FieldChange { archived: Some(archived), ..FieldChange::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_instances_see_a_change_within_a_second() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let age = stored_field(&one, &company, "Age").await;
    let keys = ["age"];
    other.list(company.id).await.unwrap();
    let changed = one
        .change_field(company.id.into(), age.id, archiving(true), limits(1000), at(1))
        .await
        .unwrap();
    let archived = Field { archived: true, ..age };
    assert_eq!(changed, ChangeFieldOutcome::Changed(archived.clone()));
    let began = tokio::time::Instant::now();
    assert_eq!(one.directory(company.id, &keys).await.unwrap().fields(), [archived]);
    while !other.directory(company.id, &keys).await.unwrap().fields()[0].archived {
        assert!(began.elapsed().as_secs() < 10, "the change was not seen");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_never_exceed_the_limit() {
    let database = TestDatabase::migrated();
    let (one, other) = (database.storage(), database.storage());
    let company = stored_company(&one).await;
    let mut fields = Vec::new();
    for n in 0..8 {
        let field = stored_field(&one, &company, &format!("Field {n}")).await;
        one.change_field(company.id.into(), field.id, archiving(true), limits(1000), at(1))
            .await
            .unwrap();
        fields.push(field);
    }
    let calls = fields.into_iter().enumerate().map(|(n, field)| {
        let storage = if n % 2 == 0 { one.clone() } else { other.clone() };
        let company = company.id;
        tokio::spawn(async move {
            storage.change_field(company.into(), field.id, archiving(false), limits(3), at(1)).await
        })
    });
    let mut full = 0;
    for call in calls.collect::<Vec<_>>() {
        full += u32::from(call.await.unwrap().unwrap() == ChangeFieldOutcome::Full);
    }
    assert_eq!(full, 5);
    let in_use = listed(&one, company.id).await.into_iter().filter(|field| !field.archived);
    assert_eq!(in_use.count(), 3);
}
