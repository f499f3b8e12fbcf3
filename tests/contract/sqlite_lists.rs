//! The indexes that SQLite reads for a list that many contacts match or that checks many contacts.

use contact_hub_domain::contacts::{ListDraft, PartRequest, Start};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{ListLimits, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::plans::{plans_of, with_ages, with_contacts, with_own_plans};

/// Many matches are counted, and 200 contacts are a sample.
const LIMITS: ListLimits = ListLimits { few: 0, walk: 200, far: 1000 };

/// Lists, and the covering indexes for counting their matches. A third of the contacts are called `smith`.
const COUNTED: [(&str, &[&str]); 9] = [
    ("filter[email][contains]=an", &["contacts_by_email"]),
    ("filter[last_name][notContains]=qx", &["contacts_by_last_name"]),
    ("filter[updated_at][gt]=2020-01-01&sort[]=last_name", &["contacts_by_updated_at"]),
    ("search=sm", &["contacts_by_email", "contacts_by_first_name", "contacts_by_last_name"]),
    ("search=smith", &["contacts_by_last_name"]),
    ("search=smith+exa", &["contacts_by_last_name"]),
    ("search=sm+an&filter[created_at][lt]=2999-01-01", &["contacts_by_last_name"]),
    ("filter[first_name][lt]=x&filter[email][gt]=b", &["contacts_by_last_name"]),
    ("search=smith10", &[]),
];

/// `None` on PostgreSQL.
async fn on_sqlite() -> Option<(TestDatabase, Storage, CompanyId)> {
    with_contacts().await.filter(|(database, ..)| !database.is_postgres())
}

#[tokio::test(flavor = "multi_thread")]
async fn many_matches_are_counted_with_the_indexes_of_the_tested_columns() {
    let Some((database, storage, company)) = on_sqlite().await else { return };
    for (query, indexes) in COUNTED {
        let plans = plans_of(&database, &storage, company, query, LIMITS).await;
        let lines: Vec<&str> = plans.iter().flat_map(|it| &it.plan).map(String::as_str).collect();
        let covering = |index: &str| format!("SEARCH contacts USING COVERING INDEX {index} ");
        for index in indexes {
            let is_read = lines.iter().any(|line| line.contains(&covering(index)));
            assert!(is_read, "{query}: {plans:#?}");
        }
        if indexes.is_empty() {
            let is_read = lines.iter().any(|line| line.contains("COVERING INDEX contacts_by_"));
            assert!(!is_read, "{query}: {plans:#?}");
        }
    }
}

/// Without a match all index entries are scanned, but no rows are read.
#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_no_contact_has_is_searched_in_the_index_of_its_column() {
    let Some((database, storage, company)) = on_sqlite().await else { return };
    for (query, index) in [
        ("filter[email][contains]=qx", "INDEX contacts_by_email"),
        ("filter[last_name][contains]=qx", "COVERING INDEX contacts_by_last_name"),
    ] {
        let plans = plans_of(&database, &storage, company, query, ListLimits::default()).await;
        let expected = format!("SEARCH contacts USING {index} (company_id=?)");
        let is_read = plans.iter().flat_map(|it| &it.plan).any(|line| line.contains(&expected));
        assert!(is_read, "{query}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_with_few_contacts_is_read_before_a_common_text() {
    let Some((database, storage, company)) = on_sqlite().await else { return };
    let query = "search=smith&filter[created_at][gt]=2999-01-01";
    let plans = plans_of(&database, &storage, company, query, LIMITS).await;
    let lines: Vec<&str> = plans.iter().flat_map(|it| &it.plan).map(String::as_str).collect();
    let reads = |index: &str| lines.iter().any(|line| line.contains(index));
    assert!(reads(" contacts_by_created_at ") && !reads(" contacts_by_last_name "), "{plans:#?}");
}

/// A part in the order of the values of a field reads the contacts of the values. Along an index of the company it would read a
/// range of it for each value.
#[tokio::test(flavor = "multi_thread")]
async fn contacts_in_the_order_of_their_values_are_looked_up_by_id() {
    let Some(database) = with_own_plans().filter(|it| !it.is_postgres()) else { return };
    let (storage, company, directory) = with_ages(&database).await;
    for column in ["last_name", "first_name", "email"] {
        // Each has more matches than are sorted.
        for test in ["[!=]=st", "[notContains]=st", "[gt]=a", "[between]=a,z"] {
            let query = format!("filter[{column}]{test}&sort[]=-field:age&sort[]=first_name");
            record_plans(&database.url());
            let draft = ListDraft::from_query(&query).expect("a draft");
            let query_of_list = draft.validate(&directory).expect("a query");
            let part = PartRequest { start: Start::Skipping(0), contacts: 3, bytes: 1000 };
            storage.list_part_within(company, query_of_list, part, LIMITS).await.expect("a part");
            let plans = take_plans(&database.url());
            let of_contacts = plans.iter().filter(|it| it.statement.contains("FROM contacts"));
            // The number of the field is looked up once, between the values and the contacts.
            let is_of_field =
                |line: &&String| line.contains("SCALAR SUBQUERY") || line.contains("SEARCH fields");
            let lines = of_contacts.flat_map(|it| &it.plan).filter(|line| !is_of_field(line));
            let lines: Vec<&String> = lines.collect();
            let mut after_values = lines
                .windows(2)
                .filter(|pair| pair[0].contains("SEARCH walked"))
                .map(|pair| pair[1]);
            let is_by_id = |line: &String| line.contains("(id=?)") || line.contains(" AND id=?)");
            let first = after_values.next().is_some_and(is_by_id);
            assert!(first && after_values.all(is_by_id), "{query}: {plans:#?}");
        }
    }
}
