//! A recount matches the stored counts and finds each wrong count, and so does the comparison of indexed values. Both read
//! indexes.

use contact_hub_domain::contacts::ContactStore as _;
use contact_hub_domain::fields::{Field, FieldStore, FieldType, Filterable};
use contact_hub_storage::{
    IndexedValues, Inspection, MigrationState, Queues, RecordedPlan, Recount, Storage,
    record_plans, take_plans,
};
use contact_hub_tests::TestDatabase;

use crate::sample::{at, field, limits, new_contact, stored_company, stored_field};

/// Contacts with values, of which half share one, and whose counts are not yet applied.
async fn filled(storage: &Storage) {
    let company = stored_company(storage).await;
    stored_field(storage, &company, "One").await;
    stored_field(storage, &company, "Two").await;
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    let row = |n: usize| {
        let (own, shared) = (n.to_string(), (n % 2).to_string());
        let values = [("one", own.as_str()), ("two", shared.as_str())];
        new_contact(&directory, &format!("p{n}@example.com"), &values)
    };
    storage
        .upsert_many(company.id.into(), (0..40).map(row).collect(), 0, at(0))
        .await
        .expect("rows");
}

fn recount(database: &TestDatabase) -> Recount {
    let mut inspection = Inspection::open(&database.url()).expect("it connects");
    assert_eq!(inspection.schema().expect("a state"), MigrationState::Current);
    inspection.recount(&mut |_so_far| ()).expect("a recount")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recount_matches_before_and_after_the_counts_are_applied() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    filled(&storage).await;
    let agrees = |recount: Recount| {
        assert_eq!(
            (recount.companies, recount.contacts, recount.different),
            (1, 40, 0),
            "{recount:?}"
        );
    };
    agrees(recount(&database));
    storage.deferred_writes().run().await.expect("the counts are applied");
    agrees(recount(&database));
}

/// Statements that falsify a count, statements that correct it again, and the reported finding.
const WRONG: [[&str; 3]; 7] = [
    [
        "UPDATE contact_counts SET active = active + 1",
        "UPDATE contact_counts SET active = active - 1",
        "41 active contacts are counted, and there are 40",
    ],
    [
        "UPDATE text_counts SET contacts = contacts + 3 WHERE text = '@example.com'",
        "UPDATE text_counts SET contacts = contacts - 3 WHERE text = '@example.com'",
        "43 contacts with a domain are counted, and there are 40",
    ],
    [
        "UPDATE text_counts SET contacts = contacts + 2 WHERE text = 'p'",
        "UPDATE text_counts SET contacts = contacts - 2 WHERE text = 'p'",
        "42 contacts that begin with \"p\" are counted, and there are 40",
    ],
    [
        "UPDATE text_counts SET contacts = contacts + 2 WHERE text = 'email:p'",
        "UPDATE text_counts SET contacts = contacts - 2 WHERE text = 'email:p'",
        "42 contacts whose email begins with \"p\" are counted, and there are 40",
    ],
    [
        "UPDATE field_value_uses SET uses = uses + 3 WHERE uses = 20",
        "UPDATE field_value_uses SET uses = uses - 3 WHERE uses = 23",
        "46 values of the field two are counted, and there are 40",
    ],
    [
        "UPDATE field_value_blocks SET number = number + 1 WHERE number = 2",
        "UPDATE field_value_blocks SET number = number - 1 WHERE number = 3",
        "3 distinct values of the field",
    ],
    [
        "UPDATE field_value_blocks SET uses = uses + 3 WHERE number = 2",
        "UPDATE field_value_blocks SET uses = uses - 3 WHERE number = 2",
        "43 values in the blocks of the field two are counted, and there are 40",
    ],
];

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_count_is_found() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    filled(&storage).await;
    storage.deferred_writes().run().await.expect("the counts are applied");
    for [wrong, right, words] in WRONG {
        if words.contains("domain") && !database.is_postgres() {
            continue;
        }
        database.execute(wrong);
        let found = recount(&database);
        assert_eq!(found.different, 1, "{found:?}");
        assert!(found.differences[0].contains(words), "{found:?}");
        database.execute(right);
        assert_eq!(recount(&database).different, 0);
    }
}

/// 260 contacts with a value of each of two filterable fields; two more are deleted.
async fn filled_and_indexed(storage: &Storage) {
    let company = stored_company(storage).await;
    for name in ["Rank", "Score"] {
        let field = field(&company, name, FieldType::Number);
        let field = Field { filterable: Filterable::Yes, ..field };
        let created = FieldStore::create(storage, company.id.into(), field, limits(100), at(1));
        created.await.expect("a field");
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    assert!(directory.fields().iter().all(|field| field.filterable == Filterable::Yes));
    let row = |n: usize| {
        let (rank, score) = ((n % 7).to_string(), n.to_string());
        let values = [("rank", rank.as_str()), ("score", score.as_str())];
        new_contact(&directory, &format!("p{n}@example.com"), &values)
    };
    let rows: Vec<_> = (0..262).map(row).collect();
    let deleted = rows.iter().rev().take(2).map(|row| row.id).collect();
    storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("rows");
    storage.delete_many(company.id.into(), deleted, at(2)).await.expect("an outcome");
}

fn compare(database: &TestDatabase) -> IndexedValues {
    let mut inspection = Inspection::open(&database.url()).expect("it connects");
    inspection.compare_indexed_values(&mut |_so_far| ()).expect("a comparison")
}

/// Statements that falsify indexed values, with a place for the condition on the field, and what is found with all of those
/// before.
const WRONG_VALUES: [[&str; 2]; 5] = [
    [
        "DELETE FROM indexed_values WHERE {score} \
         AND contact_id IN (SELECT id FROM contacts WHERE email LIKE 'p11%')",
        "field score: 11 values are not indexed, 0 are indexed wrongly, and 0 are",
    ],
    [
        "UPDATE indexed_values SET contact_id = (SELECT id FROM contacts WHERE email = 'p261@example.com') \
         WHERE {score} \
         AND contact_id = (SELECT id FROM contacts WHERE email = 'p3@example.com')",
        "field score: 12 values are not indexed, 0 are indexed wrongly, and 1 are",
    ],
    [
        "UPDATE indexed_values SET sort_key = sort_rest \
         WHERE {score} \
         AND contact_id = (SELECT id FROM contacts WHERE email = 'p4@example.com')",
        "field score: 12 values are not indexed, 1 are indexed wrongly, and 1 are",
    ],
    [
        "UPDATE indexed_values SET sort_rest = sort_key \
         WHERE {rank} \
         AND contact_id = (SELECT id FROM contacts WHERE email = 'p4@example.com')",
        "field rank: 0 values are not indexed, 1 are indexed wrongly, and 0 are",
    ],
    [
        "UPDATE contacts SET created_at = (SELECT max(deleted_at) FROM contacts) WHERE email = 'p5@example.com'",
        "field rank: 0 values are not indexed, 2 are indexed wrongly, and 0 are",
    ],
];

/// A statement with the condition that a row has a value of a field.
fn of_field(database: &TestDatabase, text: &str, field: &str) -> String {
    let (column, of_field) =
        if database.is_postgres() { ("field_id", "id") } else { ("field_number", "index_number") };
    let condition = format!("{column} = (SELECT {of_field} FROM fields WHERE key = '{field}')");
    text.replace(&format!("{{{field}}}"), &condition)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_wrong_indexed_value_is_found() {
    let database = TestDatabase::migrated();
    // A cluster does not run statements that change one table by another without the company.
    if database.cluster().is_some() {
        return;
    }
    filled_and_indexed(&database.storage()).await;
    let found = compare(&database);
    assert_eq!((found.fields, found.values, found.different), (2, 520, 0), "{found:?}");
    for [wrong, words] in WRONG_VALUES {
        let wrong = of_field(&database, wrong, "score");
        database.execute(&of_field(&database, &wrong, "rank"));
        let found = compare(&database);
        assert!(found.differences.iter().any(|it| it.contains(words)), "{words}: {found:?}");
        assert_eq!(found.different, u64::try_from(found.differences.len()).expect("few"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recount_reads_indexes() {
    let database = TestDatabase::migrated();
    if database.cluster().is_some() {
        return;
    }
    let storage = database.storage();
    filled(&storage).await;
    filled_and_indexed(&storage).await;
    drop(take_plans(&database.url()));
    record_plans(&database.url());
    let mut inspection = Inspection::open(&database.url()).expect("it connects");
    assert_eq!(inspection.queues(at(0)).expect("queues"), Queues::default());
    let _recount = inspection.recount(&mut |_so_far| ()).expect("a recount");
    inspection.compare_indexed_values(&mut |_so_far| ()).expect("a comparison");
    let plans = take_plans(&database.url());
    let plan = |part: &str| -> String {
        let mut found = plans.iter().filter(|it: &&RecordedPlan| it.statement.contains(part));
        found.next().unwrap_or_else(|| panic!("no statement with {part}")).plan.join("\n")
    };
    assert!(plan("AND due_at < ").contains("deliveries_due_first"), "{}", plan("AND due_at < "));
    for part in [
        "max(email_identity) AS last",
        "AND email_identity <= ",
        "is_active, field_values FROM contacts",
        "contact_created_at FROM indexed_values",
    ] {
        let plan = plan(part);
        let along = ["Index Cond", "email_identity>?", "PRIMARY KEY (contact_id=?)"];
        let is_along = along.into_iter().any(|it| plan.contains(it));
        assert!(is_along && !plan.contains("Sort") && !plan.contains("Seq Scan"), "{plan}");
    }
}
