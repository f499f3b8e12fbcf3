//! Parts of lists read no more contacts than necessary.

use contact_hub_domain::contacts::{ContactStore as _, ListDraft, NewContact, PartRequest, Start};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{ListLimits, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::list_counts::{TWO_DAYS, gather_statistics};
use crate::plans::{with_ages_of, with_own_plans};
use crate::sample::{at, new_contact, stored_company};

/// With these limits and one requested contact, a scan reads a hundred.
const LIMITS: ListLimits = ListLimits { few: 10, walk: 10, far: 1000 };

/// The emails of a part, and whether all matches were gathered for it.
async fn part(
    database: &TestDatabase,
    storage: &Storage,
    company: CompanyId,
    directory: &Directory,
    query: &str,
) -> (Vec<String>, bool) {
    record_plans(&database.url());
    let query = ListDraft::from_query(query).expect("a draft").validate(directory);
    let request = PartRequest { start: Start::Skipping(0), contacts: 1, bytes: 1000 };
    let part = storage.list_part_within(company, query.expect("a query"), request, LIMITS).await;
    let plans = take_plans(&database.url());
    assert!(!plans.is_empty());
    let found = part.expect("a part").contacts.into_iter();
    let found = found.map(|contact| contact.email.as_str().to_owned()).collect();
    (found, plans.iter().any(|plan| plan.statement.contains("AS matching")))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_contact_is_read_to_find_missing_values_where_every_contact_has_one() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |_n| true).await;
    let query = "filter[field:age][exists]=false";
    let found = part(&database, &storage, company, &directory, query).await;
    assert_eq!(found, (Vec::new(), false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_without_a_value_is_found_at_any_position() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |n| n > 0).await;
    for (sort, is_far) in [("email", false), ("-email", true)] {
        let query = format!("filter[field:age][exists]=false&sort[]={sort}");
        let found = part(&database, &storage, company, &directory, &query).await;
        assert_eq!(found, (vec!["ann0@x.example".to_owned()], is_far), "{sort}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_matches_far_along_a_covering_index_are_found_by_scanning_it() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let directory = Directory::default();
    for (name, number, moment) in [("early", 150, at(0)), ("late", 850, at(TWO_DAYS))] {
        let rows = (0..number).map(|n| {
            let new = new_contact(&directory, &format!("{name}{n:03}@x.example"), &[]);
            NewContact { at: moment, ..new }
        });
        storage.upsert_many(company.into(), rows.collect(), 0, moment).await.expect("a bulk");
    }
    gather_statistics(&database);
    let query = "filter[created_at][gt]=2026-01-02&sort[]=email";
    let found = part(&database, &storage, company, &directory, query).await;
    assert_eq!(found, (vec!["late000@x.example".to_owned()], false));
}
