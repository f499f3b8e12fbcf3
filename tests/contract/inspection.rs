//! A recount matches the stored counts, finds each wrong count, and reads indexes.

use contact_hub_domain::contacts::ContactStore as _;
use contact_hub_domain::fields::FieldStore;
use contact_hub_storage::{
    Inspection, MigrationState, Queues, RecordedPlan, Recount, Storage, record_plans, take_plans,
};
use contact_hub_tests::TestDatabase;

use crate::sample::{at, new_contact, stored_company, stored_field};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_recount_reads_indexes() {
    let database = TestDatabase::migrated();
    if database.cluster().is_some() {
        return;
    }
    let storage = database.storage();
    filled(&storage).await;
    drop(take_plans(&database.url()));
    record_plans(&database.url());
    let mut inspection = Inspection::open(&database.url()).expect("it connects");
    assert_eq!(inspection.queues(at(0)).expect("queues"), Queues::default());
    let _recount = inspection.recount(&mut |_so_far| ()).expect("a recount");
    let plans = take_plans(&database.url());
    let plan = |part: &str| -> String {
        let mut found = plans.iter().filter(|it: &&RecordedPlan| it.statement.contains(part));
        found.next().unwrap_or_else(|| panic!("no statement with {part}")).plan.join("\n")
    };
    assert!(plan("AND due_at < ").contains("deliveries_due_first"), "{}", plan("AND due_at < "));
    for part in ["ORDER BY email_identity LIMIT", "AND email_identity <= "] {
        let plan = plan(part);
        let is_along = plan.contains("Index Cond") || plan.contains("email_identity>?");
        assert!(is_along && !plan.contains("Sort") && !plan.contains("Seq Scan"), "{plan}");
    }
}
