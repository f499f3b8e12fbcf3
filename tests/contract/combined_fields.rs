//! Lists that combine fields with each other and with other keys read no more than necessary.

use contact_hub_domain::contacts::{ListDraft, ListQuery, PartRequest, Start};
use contact_hub_domain::fields::Directory;
use contact_hub_storage::{ListLimits, RecordedPlan, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::plans::{with_ages_of, with_own_plans};

/// With these limits ten contacts are many.
const LIMITS: ListLimits = ListLimits { few: 0, walk: 10, far: 0 };

fn query_of(text: &str, directory: &Directory) -> ListQuery {
    let draft = ListDraft::from_query(text).expect("a draft");
    draft.validate(directory).expect("a query")
}

/// The statements of a page and of a part of a list. The contacts that the predicate selects have an age, between 0 and 6.
async fn statements(
    database: &TestDatabase,
    has_age: impl Fn(u32) -> bool,
    text: &str,
) -> [Vec<RecordedPlan>; 2] {
    let (storage, company, directory) = with_ages_of(database, has_age).await;
    let query = query_of(text, &directory);
    record_plans(&database.url());
    storage.list_within(company, query.clone(), LIMITS).await.expect("a list");
    let of_page = take_plans(&database.url());
    record_plans(&database.url());
    let part = PartRequest { start: Start::Skipping(0), contacts: 3, bytes: 1 << 20 };
    storage.list_part_within(company, query, part, LIMITS).await.expect("a part");
    [of_page, take_plans(&database.url())]
}

#[tokio::test(flavor = "multi_thread")]
async fn many_contacts_with_one_value_are_walked_by_the_next_key() {
    let Some(database) = with_own_plans() else { return };
    let list = "sort[]=field:age&sort[]=email&page[size]=3";
    for plans in statements(&database, |_| true, list).await {
        let sorts_values = |it: &RecordedPlan| it.statement.contains("walked.sort_key AS value_0");
        let walks = |line: &String| line.contains("contacts_by_email");
        let is_walked = plans.iter().flat_map(|it| &it.plan).any(walks);
        assert!(is_walked && !plans.iter().any(sorts_values), "{plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_on_the_field_of_the_order_limits_the_walk() {
    let Some(database) = with_own_plans() else { return };
    let list = "filter[field:age][gt]=2&filter[field:age][lt]=5&sort[]=-field:age";
    for plans in statements(&database, |_| true, list).await {
        let pages = plans.iter().filter(|it| it.statement.contains("indexed_values AS walked"));
        let pages: Vec<_> = pages.collect();
        let is_limited = |it: &&RecordedPlan| {
            it.statement.contains("sort_key > ? AND sort_key < ?")
                && !it.statement.contains("EXISTS")
        };
        assert!(!pages.is_empty() && pages.iter().all(is_limited), "{pages:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_page_is_read_from_the_end_of_the_contacts_without_a_value() {
    let Some(database) = with_own_plans() else { return };
    let list = "sort[]=field:age&page[size]=10&page[number]=20";
    let [plans, _] = statements(&database, |n| n % 3 != 0, list).await;
    let is_turned = |it: &RecordedPlan| it.statement.contains("ORDER BY id DESC LIMIT");
    let counts = |it: &RecordedPlan| {
        it.statement.starts_with("SELECT count(*) AS total FROM indexed_values")
    };
    assert!(plans.iter().any(is_turned) && !plans.iter().any(counts), "{plans:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_many_contacts_have_are_joined() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    for (list, join) in [
        ("filter[field:age][gt]=2&filter[field:age][exists]=true", "Hash Join"),
        ("filter[field:age][gt]=2&filter[field:age][exists]=true&sort[]=email", "Hash Join"),
        ("filter[field:age][gt]=2&filter[created_at][gt]=2020-01-01", "Hash Join"),
        ("filter[field:age][exists]=false&filter[created_at][gt]=2020-01-01", "Hash Anti Join"),
    ] {
        let [plans, _] = statements(&database, |n| n % 3 != 0, list).await;
        let is_joined = plans.iter().flat_map(|it| &it.plan).any(|line| line.contains(join));
        assert!(is_joined, "{list}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_contacts_with_the_same_value_are_merged_in_their_order() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    for list in [
        "filter[field:age]=3&filter[field:age][exists]=true",
        "filter[field:age]=3&filter[field:age][exists]=true&sort[]=email",
    ] {
        let [plans, _] = statements(&database, |n| n % 7 == 3, list).await;
        let is_merged = |it: &&RecordedPlan| it.plan.iter().any(|line| line.contains("Merge Join"));
        let joined = plans.iter().find(is_merged).unwrap_or_else(|| panic!("{list}: {plans:#?}"));
        // Of the two sides only that of all values is sorted.
        let sorts = joined.plan.iter().filter(|line| line.contains("Sort Key: "));
        let by_contact = sorts.filter(|line| line.contains("contact_id")).count();
        assert_eq!(by_contact, 1, "{list}: {joined:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_contacts_that_another_condition_leaves_out_are_joined_if_these_are_fewer() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    for value in ["filter[field:age]=3", "filter[field:age][exists]=false"] {
        let list = format!("{value}&filter[updated_at][gt]=2020-01-01&page[size]=3");
        let [plans, _] = statements(&database, |n| n % 7 == 3, &list).await;
        let joins = |it: &&RecordedPlan| it.plan.iter().any(|line| line.contains("Join"));
        let joined: Vec<_> = plans.iter().filter(joins).map(|it| it.statement.as_str()).collect();
        let is_left_out = |text: &&str| text.contains("updated_at <= ?");
        assert!(!joined.is_empty() && joined.iter().all(is_left_out), "{list}: {plans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_groups_of_a_part_share_its_bytes() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |_| true).await;
    let query = query_of("sort[]=field:age&sort[]=email", &directory);
    // About 33 documents such as {"age":0}, of the first two ages.
    let part = PartRequest { start: Start::Skipping(0), contacts: 40, bytes: 300 };
    let part = storage.list_part_within(company, query, part, LIMITS).await.expect("a part");
    assert!(part.goes_on && (29..38).contains(&part.contacts.len()), "{}", part.contacts.len());
}
