//! Searches within the domains of emails.

use contact_hub_domain::contacts::{
    ContactDraft, ContactStore as _, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_storage::{ListLimits, RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use uuid::Uuid;

use crate::plans::{plans_of, with_contacts, with_own_plans};
use crate::sample::{at, new_contact, stored_company};

/// With these limits no matches are gathered, so all are counted.
const COUNTED: ListLimits = ListLimits { few: 0, walk: 50_000, far: 1000 };

/// More domains than the limit for lookups in an index.
const DOMAINS: usize = 10_100;

async fn store(
    storage: &Storage,
    company: CompanyId,
    emails: impl Iterator<Item = String>,
) -> Vec<ContactId> {
    let rows: Vec<_> = emails.map(|it| new_contact(&Directory::default(), &it, &[])).collect();
    for rows in rows.chunks(1000) {
        storage.upsert_many(company.into(), rows.to_vec(), 0, at(0)).await.expect("a bulk");
    }
    rows.iter().map(|row| row.id).collect()
}

async fn total(storage: &Storage, company: CompanyId, query: &str) -> u64 {
    let parsed = ListQuery::from_query(query).expect("a query");
    storage.list_within(company, parsed, ListLimits::default()).await.expect("a list").meta.total
}

#[tokio::test(flavor = "multi_thread")]
async fn more_domains_than_the_lookup_limit_are_still_searched() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let own = (0..DOMAINS).map(|n| format!("p{n}@d{n}.example"));
    let others = (0..30).map(|n| format!("example{n}@other.test"));
    let ids = store(&storage, company, own.chain(others)).await;
    for _before_and_after in 0..2 {
        for (query, matches) in [
            ("search=example", DOMAINS + 30),
            ("search=.example", DOMAINS),
            ("search=.example+d777", 11),
            ("search=.example&filter[email][startsWith]=p77", 111),
            ("search=d777.ex", 1),
            ("search=5@d", DOMAINS / 10),
            ("filter[email][contains]=@d1", 1211),
            ("filter[last_name][contains]=example", 0),
        ] {
            let matches = u64::try_from(matches).expect("few");
            assert_eq!(total(&storage, company, query).await, matches, "{query}");
        }
        storage.deferred_writes().run().await.expect("the counts are applied");
    }
    // The remaining domains are below the lookup limit, but more are counted until the changes are applied.
    let gone = (0..200).map(|n| ids[n * 50]).collect();
    storage.delete_many(company.into(), gone, at(1)).await.expect("deleted");
    for _before_and_after in 0..2 {
        let left = u64::try_from(DOMAINS - 200).expect("few");
        assert_eq!(total(&storage, company, "search=.example").await, left);
        storage.deferred_writes().run().await.expect("the counts are applied");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contacts_with_a_common_domain_are_not_counted() {
    let filled = with_contacts().await.filter(|(database, ..)| database.is_postgres());
    let Some((database, storage, company)) = filled else { return };
    for (query, are_counted) in [
        ("search=x.example", false),
        ("search=@X.Ex", false),
        ("filter[email][contains]=x.example", false),
        ("filter[first_name][contains]=ann", true),
        ("search=smith", true),
        ("search=x.example&filter[last_name]=lee", true),
    ] {
        let plans = plans_of(&database, &storage, company, query, COUNTED).await;
        let is_of_all = |plan: &&RecordedPlan| {
            plan.statement.contains("count(*) AS total") && !plan.statement.contains("NOT LIKE")
        };
        assert_eq!(plans.iter().any(|plan| is_of_all(&plan)), are_counted, "{query}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_contacts_with_a_rare_domain_are_found_by_the_index_of_domains() {
    let filled = with_contacts().await.filter(|(database, ..)| database.is_postgres());
    let Some((database, storage, company)) = filled else { return };
    let many = (0..3000).map(|n| format!("p{n}@common.test"));
    store(&storage, company, many.chain(["bo@rare.example".to_owned()])).await;
    let limits = ListLimits { few: 3, walk: 3, far: 1000 };
    for query in ["search=rare.exam", "search=@rare", "search=o@rare.example+rare"] {
        let plans = plans_of(&database, &storage, company, query, limits).await;
        let lines = plans.iter().flat_map(|it| &it.plan);
        let is_by_it =
            |line: &String| line.contains("Index Cond: ") && line.contains("domains.name");
        assert!(lines.into_iter().any(is_by_it), "{query}: {plans:#?}");
        assert_eq!(total(&storage, company, query).await, 1, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_with_one_character_before_a_common_domain_is_found_by_the_index_of_emails() {
    let filled = with_contacts().await.filter(|(database, ..)| database.is_postgres());
    let Some((database, storage, company)) = filled else { return };
    store(&storage, company, (0..300).map(|n| format!("p{n}@common.test"))).await;
    let named = ["a@common.test", "b@rare.example"].map(|email| {
        let draft = ContactDraft {
            email: email.into(),
            first_name: "Ann".into(),
            last_name: "of 7@common".into(),
            ..ContactDraft::default()
        };
        let input = draft.validate(&Directory::default()).expect("a contact");
        NewContact { id: ContactId::new(Uuid::now_v7()), input, at: at(0) }
    });
    storage.upsert_many(company.into(), named.to_vec(), 0, at(0)).await.expect("a bulk");
    for few in [10, 50] {
        let limits = ListLimits { few, walk: 3, far: 1000 };
        for sort in ["email", "-last_name"] {
            let query = format!("search=7@common&sort[]={sort}&page[size]=100");
            let parsed = ListQuery::from_query(&query).expect("a query");
            let found = storage.list_within(company, parsed, limits).await.expect("a list");
            assert_eq!((found.items.len(), found.meta.total), (32, 32), "{query}, {few}");
            let plans = plans_of(&database, &storage, company, &query, limits).await;
            let are_by_email = |plan: &RecordedPlan| {
                plan.plan
                    .iter()
                    .any(|line| line.contains("Index Only Scan using contacts_by_email"))
            };
            assert!(plans.iter().any(are_by_email), "{query}, {few}: {plans:#?}");
        }
        // Such a page is found by a walk, or its contacts by their ids.
        let query = "search=7@common&page[size]=1";
        let plans = plans_of(&database, &storage, company, query, limits).await;
        let are_by_domain = plans.iter().any(|plan| plan.statement.contains("domains.name"));
        assert!(!are_by_domain, "{few}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_a_walk_finds_reads_no_other_emails() {
    let filled = with_contacts().await.filter(|(database, ..)| database.is_postgres());
    let Some((database, storage, company)) = filled else { return };
    store(&storage, company, (0..300).map(|n| format!("p{n}@common.test"))).await;
    record_plans(&database.url());
    let query = ListQuery::from_query("search=7@common").expect("a query");
    let part = PartRequest { start: Start::Skipping(0), contacts: 5, bytes: 10_000 };
    let limits = ListLimits { few: 10, walk: 1000, far: 1000 };
    let part = storage.list_part_within(company, query, part, limits).await.expect("a part");
    let plans = take_plans(&database.url());
    let are_by_email = plans.iter().any(|plan| plan.statement.contains("ORDER BY email_folded"));
    assert!(part.contacts.len() == 5 && !are_by_email, "{plans:#?}");
}

/// As after a vacuum of the empty table, until the next vacuum.
const EMPTY_STATISTICS: [&str; 2] = [
    "DELETE FROM pg_statistic WHERE starelid = 'contacts'::regclass",
    "UPDATE pg_class SET reltuples = 0 WHERE oid = 'contacts'::regclass",
];

#[tokio::test(flavor = "multi_thread")]
async fn many_domains_are_looked_up_only_by_their_index() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    store(&storage, company, (0..300).map(|n| format!("p{n}@d{n}.example"))).await;
    let is_looked_up = async || {
        let limits = ListLimits::default();
        let plans = plans_of(&database, &storage, company, "search=.example", limits).await;
        plans.iter().any(|plan| plan.statement.contains("SELECT found.* FROM"))
    };
    database.execute("ANALYZE contacts");
    assert!(is_looked_up().await);
    for statement in EMPTY_STATISTICS {
        database.execute(statement);
    }
    assert!(!is_looked_up().await);
    assert_eq!(total(&storage, company, "search=.example").await, 300);
}
