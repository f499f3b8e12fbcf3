//! Values that a call in progress writes while its company is deleted.

use contact_hub_domain::contacts::ContactStore as _;
use contact_hub_domain::fields::{CreateFieldOutcome, FieldStore, FieldType, Filterable};
use contact_hub_tests::TestDatabase;

use crate::deferred::number;
use crate::sample::{at, field, limits, new_contact, stored_company};

/// On SQLite they would otherwise be values of the field that gets the number of the deleted one.
#[tokio::test(flavor = "multi_thread")]
async fn values_that_are_written_during_a_deletion_are_deleted() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await;
    let mut score = field(&company, "Score", FieldType::Number);
    score.filterable = Filterable::Yes;
    let created = FieldStore::create(&storage, company.id.into(), score, limits(100), at(0)).await;
    assert_eq!(created.expect("an outcome"), CreateFieldOutcome::Created);
    let directory = FieldStore::list(&storage, company.id).await.expect("fields");
    let write = async |emails: &str| {
        let rows = (0..300).map(|n| {
            new_contact(&directory, &format!("{emails}{n}@example.com"), &[("score", "5")])
        });
        storage.upsert_many(company.id.into(), rows.collect(), 0, at(0)).await.expect("a bulk");
    };
    write("early").await;

    let begun = storage.delete_company(company.id, at(1)).await;
    let mut deletion = begun.expect("it begins").expect("a company");
    while deletion.next().await.expect("a batch").is_some_and(|it| it.table != "count_changes") {}
    write("late").await;
    assert_eq!(number(&database, "SELECT count(*) AS number FROM indexed_values"), 300);
    while deletion.next().await.expect("a batch").is_some() {}
    assert_eq!(number(&database, "SELECT count(*) AS number FROM indexed_values"), 0);
}
