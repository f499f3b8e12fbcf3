//! Lists of SQLite that match more contacts than are gathered are exact, whichever way finds the page.

use contact_hub_domain::access::Company;
use contact_hub_domain::contacts::{ContactStore as _, ListQuery};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::sample::{at, stored_company};

/// How many contacts the company has, and from which one on they are called Smith: no Smith is among the first 20,000
/// by email, and there are more than 20,000 of them.
const CONTACTS: usize = 42_000;
const FIRST_SMITH: usize = 21_000;
const SMITHS: usize = CONTACTS - FIRST_SMITH;

/// How many contacts a list has, and the number of the first one.
const LISTS: [(&str, usize, usize); 11] = [
    ("search=example", CONTACTS, 0),
    ("search=smith", SMITHS, FIRST_SMITH),
    ("search=smith+ann", SMITHS, FIRST_SMITH),
    ("search=s", SMITHS, FIRST_SMITH),
    ("search=s+smith", SMITHS, FIRST_SMITH),
    ("search=zz", 0, 0),
    ("filter[last_name]=smith", SMITHS, FIRST_SMITH),
    ("filter[last_name]=smith&search=ann", SMITHS, FIRST_SMITH),
    ("filter[last_name][gt]=m", SMITHS, FIRST_SMITH),
    ("filter[last_name][contains]=smit", SMITHS, FIRST_SMITH),
    ("filter[email][contains]=s4", 2_000, 40_000),
];

/// Contacts with rising emails, names and moments.
fn insert(database: &TestDatabase, company: &Company, contacts: usize) {
    let id = company.id.uuid().simple();
    let last = contacts - 1;
    database.execute(&format!(
        "INSERT INTO contacts (id, company_id, email, email_identity, email_folded, first_name, first_name_folded, \
         last_name, last_name_folded, field_values, created_at, updated_at) \
         WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < {last}) \
         SELECT randomblob(16), unhex('{id}'), email, email, email, 'Ann', 'ann', name, lower(name), '{{}}', n, n \
         FROM (SELECT n, printf('%s%05d@example.com', iif(n < {FIRST_SMITH}, 'a', 's'), n) AS email, \
         iif(n < {FIRST_SMITH}, 'Lee', 'Smith') AS name FROM numbers); \
         UPDATE contact_counts SET active = {contacts} WHERE company_id = unhex('{id}')"
    ));
}

fn email(number: usize) -> String {
    format!("{}{number:05}@example.com", if number < FIRST_SMITH { 'a' } else { 's' })
}

/// The total, and the emails of the page.
async fn listed(storage: &Storage, company: CompanyId, query: &str) -> (u64, Vec<String>) {
    let parsed = ListQuery::from_query(query).expect("a query");
    let page = storage.list(company, parsed).await.expect("a list");
    let emails = page.items.iter().map(|contact| contact.email.as_str().to_owned());
    (page.meta.total, emails.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_many_matches_is_exact() {
    let database = TestDatabase::migrated();
    if database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let company = stored_company(&storage).await;
    insert(&database, &company, CONTACTS);
    for (query, matches, first) in LISTS {
        let matches_of_page = |skipped: usize| {
            (first + skipped..first + matches).take(10).map(email).collect::<Vec<_>>()
        };
        let total = u64::try_from(matches).expect("few");
        let pages = matches.div_ceil(10);
        for number in [1, 2, pages / 2, pages].into_iter().filter(|number| *number > 0) {
            let ascending = format!("{query}&sort[]=email&page[size]=10&page[number]={number}");
            let expected = matches_of_page((number - 1) * 10);
            assert_eq!(
                listed(&storage, company.id, &ascending).await,
                (total, expected),
                "{ascending}"
            );
            let descending =
                format!("{query}&sort[]=-created_at&page[size]=10&page[number]={number}");
            let behind = matches.saturating_sub((number - 1) * 10);
            let expected: Vec<_> =
                (first + behind.saturating_sub(10)..first + behind).rev().map(email).collect();
            assert_eq!(
                listed(&storage, company.id, &descending).await,
                (total, expected),
                "{descending}"
            );
        }
        let past = format!("{query}&page[size]=10&page[number]={}", pages + 2);
        assert_eq!(listed(&storage, company.id, &past).await, (total, Vec::new()), "{past}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_of_other_companies_and_deleted_contacts_are_left_out() {
    let database = TestDatabase::migrated();
    if database.is_postgres() {
        return;
    }
    let storage = database.storage();
    let (large, small) = (stored_company(&storage).await, stored_company(&storage).await);
    insert(&database, &large, CONTACTS);
    insert(&database, &small, 30);
    let by_email = "search=example&sort[]=email";
    let (total, emails) = listed(&storage, small.id, by_email).await;
    assert_eq!((total, emails.first()), (30, Some(&email(0))));
    let query = ListQuery::from_query("search=s+smith&sort[]=email").expect("a query");
    let page = storage.list(large.id, query).await.expect("a list");
    let gone = page.items.iter().take(2).map(|contact| contact.id).collect();
    storage.delete_many(large.id, gone, at(70)).await.expect("deleted");
    for query in [
        "search=smith&sort[]=email",
        "search=s&sort[]=email",
        "filter[last_name]=smith&sort[]=email",
    ] {
        let (total, emails) = listed(&storage, large.id, query).await;
        let left = u64::try_from(SMITHS - 2).expect("few");
        assert_eq!((total, emails.first()), (left, Some(&email(FIRST_SMITH + 2))), "{query}");
    }
}
