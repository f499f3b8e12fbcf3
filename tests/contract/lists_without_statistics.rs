//! Lists of a company that is missing in the statistics of PostgreSQL, which then expects one row of each table.

use contact_hub_domain::contacts::{ListDraft, ListQuery, PartRequest, Start};
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{ListLimits, RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::plans::{with_ages, with_own_plans};

/// Sorts and conditions by values, alone and combined with others.
const LISTS: [&str; 8] = [
    "sort[]=-field:age",
    "sort[]=-field:age&sort[]=last_name&filter[field:age][exists]=true",
    "sort[]=field:age&filter[field:age][exists]=false",
    "filter[field:age][gt]=2&sort[]=email",
    "filter[field:age][gt]=2&filter[field:age][lt]=5&sort[]=last_name",
    "filter[first_name]=ann&sort[]=field:age",
    "search=ann&sort[]=-field:age&sort[]=email",
    "sort[]=last_name&sort[]=field:age",
];

/// Values of the contacts that have a text. Those of many are looked up by a statement that needs statistics.
const WITH_TEXTS: [&str; 2] = [
    "search=ann&filter[field:age][gt]=2",
    "filter[email][contains]=ann&filter[field:age][exists]=false&sort[]=field:age",
];

/// Otherwise the time of a list grows with the cube of the number of contacts.
#[tokio::test(flavor = "multi_thread")]
async fn each_contact_and_each_value_is_looked_up_by_its_full_key() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let (storage, ..) = with_ages(&database).await;
    database.execute("ANALYZE contacts, indexed_values");
    let (_, company, directory) = with_ages(&database).await;
    let assert_full_keys = async |lists: &[&str], few| {
        for text in lists {
            let draft = ListDraft::from_query(text).expect("a draft");
            let query: ListQuery = draft.validate(&directory).expect("a query");
            assert_full_keys(&database, &storage, company, &query, few).await;
        }
    };
    let few = ListLimits::default().few;
    assert_full_keys(&LISTS, 0).await;
    assert_full_keys(&LISTS, few).await;
    assert_full_keys(&WITH_TEXTS, few).await;
    database.execute("ANALYZE contacts, indexed_values");
    assert_full_keys(&LISTS, few).await;
    assert_full_keys(&WITH_TEXTS, 0).await;
}

async fn assert_full_keys(
    database: &TestDatabase,
    storage: &Storage,
    company: CompanyId,
    query: &ListQuery,
    few: u64,
) {
    let limits = ListLimits { few, ..ListLimits::default() };
    record_plans(&database.url());
    storage.list_within(company, query.clone(), limits).await.expect("a list");
    let part = PartRequest { start: Start::Skipping(0), contacts: 30, bytes: 1 << 20 };
    storage.list_part_within(company, query.clone(), part, limits).await.expect("a part");
    for plan in take_plans(&database.url()) {
        assert_eq!(looked_up_partly(&plan), None, "{query:?}: {plan:#?}");
    }
}

/// A line of the plan that looks up a contact, or a contact's value, by only a part of its key.
fn looked_up_partly(plan: &RecordedPlan) -> Option<&String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut within, mut lines) = (None, plan.plan.iter().peekable());
    let mut is_walk = false;
    while let Some(line) = lines.next() {
        if line.contains("SubPlan") {
            within = Some(indent(line));
        } else if within.is_some_and(|outer| indent(line) <= outer) {
            within = None;
        }
        let has_id = lines.peek().is_some_and(|condition| condition.contains("(id = "));
        // Contacts without a value are listed by their ids.
        let is_partly = (line.contains("contacts_pkey") && !has_id && !is_walk)
            || (within.is_some() && line.contains("indexed_values_by_key"));
        if is_partly {
            return Some(line);
        }
        is_walk = line.contains("Limit");
    }
    None
}
