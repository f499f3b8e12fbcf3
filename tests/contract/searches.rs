//! What a search finds in another company is neither shown nor counted, however little the own company has.

use contact_hub_domain::contacts::{ContactStore as _, ListQuery};
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
async fn a_search_beside_a_large_company_is_exact() {
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
