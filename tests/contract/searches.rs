//! Searches find texts that contain a term, and only in the caller's company.

use contact_hub_domain::contacts::{ContactStore as _, ListQuery, PersonName};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{ListLimits, Storage};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::sample::{at, new_contact, stored_company};

async fn with_contacts(storage: &Storage, contacts: usize) -> CompanyId {
    let company = stored_company(storage).await.id;
    let row = |n| new_contact(&Directory::default(), &format!("p{n:02}@example.com"), &[]);
    let rows = (0..contacts).map(row).collect();
    storage.upsert_many(company.into(), rows, 0, at(0)).await.expect("a bulk");
    company
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_in_a_company_beside_a_large_one_is_exact() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let large = with_contacts(&storage, 60).await;
    let small = with_contacts(&storage, 10).await;
    let limits = ListLimits { few: 20, walk: 5, far: 1000 };
    for query in ["search=example", "search=p0", "search=ann+p0", "filter[email][contains]=p0"] {
        let query = format!("{query}&sort[]=-email&page[size]=4&page[number]=2");
        for company in [large, small] {
            let parsed = ListQuery::from_query(&query).expect("a query");
            let page = storage.list_within(company, parsed, limits).await.expect("a list");
            let emails: Vec<_> = page.items.iter().map(|it| it.email.as_str()).collect();
            let matches: usize =
                if company == large && query.starts_with("search=example") { 60 } else { 10 };
            let expected = (0..matches).rev().skip(4).take(4);
            let expected: Vec<_> = expected.map(|n| format!("p{n:02}@example.com")).collect();
            assert_eq!(emails, expected, "{query}");
            assert_eq!(page.meta.total, u64::try_from(matches).expect("few"), "{query}");
        }
    }
}

/// Checks that a search finds exactly these contacts.
async fn assert_found(storage: &Storage, company: CompanyId, search: &str, emails: &[&str]) {
    for limits in [ListLimits::default(), ListLimits { few: 0, walk: 1, far: 1 }] {
        let query = ListQuery::from_query(&format!("search={search}&sort[]=email"));
        let page = storage.list_within(company, query.expect("a query"), limits).await;
        let page = page.expect("a list");
        let found: Vec<_> = page.items.iter().map(|it| it.email.as_str()).collect();
        assert_eq!(found, emails, "{search} within {limits:?}");
        assert_eq!(page.meta.total, u64::try_from(emails.len()).expect("few"), "{search}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_term_whose_parts_occur_in_several_places_does_not_match() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let named = |email, name: &str| {
        let mut row = new_contact(&Directory::default(), email, &[]);
        row.input.last_name = PersonName::from_stored(name.to_owned());
        row
    };
    let rows = vec![
        named("abcd@x.example", "Lee"),
        named("abc.bcd@x.example", "abc bcd"),
        named("bcdabc@x.example", "Lee"),
        named("y@x.example", "Lee \"abcd\""),
    ];
    storage.upsert_many(company.into(), rows, 0, at(0)).await.expect("a bulk");
    assert_found(&storage, company, "abcd", &["abcd@x.example", "y@x.example"]).await;
    assert_found(&storage, company, "abcdabc", &[]).await;
    assert_found(&storage, company, "%22abcd%22", &["y@x.example"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_found_by_its_current_texts() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let named = |name: &str| {
        let row = |n| {
            let mut row = new_contact(&Directory::default(), &format!("p{n}@example.com"), &[]);
            row.input.last_name = PersonName::from_stored(name.to_owned());
            row
        };
        (0..3).map(row).collect()
    };
    let emails = ["p0@example.com", "p1@example.com", "p2@example.com"];
    for (name, before) in [("Lindgren", "none"), ("Lindqvist", "lindgren"), ("Ek", "lindqvist")] {
        storage.upsert_many(company.into(), named(name), 0, at(0)).await.expect("a bulk");
        assert_found(&storage, company, before, &[]).await;
        assert_found(&storage, company, &name.to_lowercase(), &emails).await;
    }
    assert_found(&storage, company, "example", &emails).await;
}
