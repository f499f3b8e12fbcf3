//! Counts of matches read no more than necessary.

use contact_hub_domain::contacts::{ContactStore as _, NewContact};
use contact_hub_domain::fields::Directory;
use contact_hub_storage::{ListLimits, RecordedPlan};
use contact_hub_tests::TestDatabase;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};

use crate::plans::{plans_of, with_contacts};
use crate::sample::{at, new_contact};

/// Conditions that exclude few of the contacts that [`with_contacts`] stores.
const CONDITIONS: [&str; 7] = [
    "filter[last_name][!=]=smith",
    "filter[email][!=]=ann0@x.example",
    "filter[email][gt]=ann1",
    "filter[email][lt]=smith98",
    "filter[email][between]=ann1,smith98",
    "filter[created_at][gt]=2000-01-01",
    "filter[updated_at][between]=2000-01-01,2099-01-01",
];

/// Limits with which all matches are counted.
const COUNTED: ListLimits = ListLimits { few: 0, walk: 50_000, far: 1000 };

/// In microseconds after the start of 2026.
pub(crate) const TWO_DAYS: i64 = 2 * 86_400_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn contacts_that_a_condition_excludes_are_counted_when_they_are_few() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    gather_statistics(&database);
    for query in CONDITIONS {
        let plans = plans_of(&database, &storage, company, query, COUNTED).await;
        let counts = counts(&plans);
        assert!(!counts.is_empty(), "{query}: {plans:#?}");
        let whole = counts.iter().find(|plan| !plan.statement.contains("LIMIT"));
        assert!(whole.is_none(), "{query}: {whole:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_smaller_of_two_ranges_is_read() {
    let filled = with_contacts().await.filter(|(database, ..)| database.is_postgres());
    let Some((database, storage, company)) = filled else { return };
    let later = new_contact(&Directory::default(), "later@x.example", &[]);
    let later = NewContact { at: at(TWO_DAYS), ..later };
    storage.upsert_many(company.into(), vec![later], 0, at(TWO_DAYS)).await.expect("a bulk");
    gather_statistics(&database);
    let (all, one) = ("2025-12-31", "2026-01-02");
    for (created, updated, index) in
        [(all, one, "contacts_by_updated_at"), (one, all, "contacts_by_created_at")]
    {
        let query = format!("filter[created_at][gt]={created}&filter[updated_at][gt]={updated}");
        let plans = plans_of(&database, &storage, company, &query, COUNTED).await;
        let counts = counts(&plans).into_iter().filter(|it| !it.statement.contains("LIMIT"));
        let counts: Vec<_> = counts.collect();
        let is_along = |plan: &&RecordedPlan| plan.plan.iter().any(|line| line.contains(index));
        assert!(!counts.is_empty() && counts.iter().all(is_along), "{query}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_of_a_single_character_are_not_counted() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for (query, are_counted) in [("search=S", false), ("search=sm", true)] {
        let plans = plans_of(&database, &storage, company, query, COUNTED).await;
        assert_eq!(!counts(&plans).is_empty(), are_counted, "{query}: {plans:#?}");
    }
}

fn counts(plans: &[RecordedPlan]) -> Vec<&RecordedPlan> {
    plans.iter().filter(|plan| plan.statement.contains("count(*) AS total")).collect()
}

/// From these statistics PostgreSQL estimates how many contacts match a condition.
pub(crate) fn gather_statistics(database: &TestDatabase) {
    if database.is_postgres() {
        let connection = PgConnection::establish(database.url_text());
        connection.expect("PostgreSQL answers").batch_execute("ANALYZE contacts").expect("it does");
    }
}
