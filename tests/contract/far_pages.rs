//! Pages far from both ends of a list with conditions on values: the walk to them begins near the page.

use std::sync::Arc;

use contact_hub_domain::contacts::{
    ContactDraft, ContactStore as _, ListDraft, ListQuery, NewContact, PartRequest, Start,
};
use contact_hub_domain::fields::{Directory, Field, FieldStore, FieldType, Filterable};
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_domain::input::Input;
use contact_hub_storage::{ListLimits, RecordedPlan, Storage, record_plans, take_plans};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;
use uuid::Uuid;

use crate::plans::with_own_plans;
use crate::sample::{at, field, limits, stored_company};
use crate::skipped::page_and_part;

const CONTACTS: usize = 240;

/// With these limits every page that does not begin its list may be far from both ends.
const FAR: ListLimits = ListLimits { few: 0, walk: 0, far: 0 };

/// With these none is.
const NEAR: ListLimits = ListLimits { few: 50_000, walk: 5_000, far: 1000 };

/// Which contacts have the value 5, in the order of their emails; the others have 6, or none.
const SPREADS: [fn(usize) -> bool; 5] = [
    |n| n.is_multiple_of(2),
    |n| n * 7919 % 10 < 7,
    |n| n < CONTACTS / 2,
    |n| n >= CONTACTS - 30,
    |n| !(20..CONTACTS - 20).contains(&n),
];

const LISTS: [&str; 13] = [
    "filter[field:score]=5&sort[]=email",
    "filter[field:score]=5&sort[]=-email&sort[]=last_name",
    "filter[field:score]=5&sort[]=last_name&sort[]=-email",
    "filter[field:score]=5&sort[]=-created_at",
    "filter[field:score][gt]=1&sort[]=first_name",
    "filter[field:score][exists]=false&sort[]=-email",
    "filter[field:score][lt]=6&filter[field:score][exists]=true&sort[]=email",
    "filter[field:score]=5&filter[field:rank][exists]=false&sort[]=-email",
    "filter[field:score][exists]=true&filter[field:rank]=1&sort[]=created_at",
    "sort[]=field:score&sort[]=email",
    "sort[]=-field:score&sort[]=-last_name",
    "filter[field:score]=5&filter[updated_at][gt]=2026-01-01T00:00:00.000080Z&sort[]=email",
    BEHIND_LEFT_OUT,
];

/// The contacts that match follow half of all, which one condition leaves out.
const BEHIND_LEFT_OUT: &str =
    "filter[field:score]=5&filter[updated_at][gt]=2026-01-01T00:00:00.000118Z&sort[]=created_at";

fn contact(n: usize, has_value: fn(usize) -> bool, directory: &Directory) -> NewContact {
    let score = if has_value(n) { Some("5") } else { n.is_multiple_of(3).then_some("6") };
    let rank = (n % 5 < 3).then_some("1");
    let values = [("score", score), ("rank", rank)].into_iter();
    let values = values.filter_map(|(key, value)| {
        value.map(|value| (key.to_owned(), Input::Number(value.to_owned())))
    });
    let draft = ContactDraft {
        email: Input::from(format!("{n:03}@x.example").as_str()).into(),
        first_name: "Ann".into(),
        last_name: Input::from(format!("Lee {}", n / 3).as_str()).into(),
        avatar_url: Input::Null.into(),
        field_values: values.collect(),
    };
    let input = draft.validate(directory).expect("a valid contact");
    let shuffled = i64::try_from(n * 7919 % CONTACTS).expect("a number");
    NewContact { id: ContactId::new(Uuid::now_v7()), input, at: at(shuffled) }
}

async fn company(storage: &Storage, has_value: fn(usize) -> bool) -> (CompanyId, Arc<Directory>) {
    let company = stored_company(storage).await;
    for name in ["Score", "Rank"] {
        let field = field(&company, name, FieldType::Number);
        let field = Field { filterable: Filterable::Yes, ..field };
        let created = FieldStore::create(storage, company.id.into(), field, limits(10), at(1));
        created.await.expect("a field");
    }
    let directory = FieldStore::list(storage, company.id).await.expect("fields");
    let rows = (0..CONTACTS).map(|n| contact(n, has_value, &directory)).collect();
    storage.upsert_many(company.id.into(), rows, 0, at(0)).await.expect("a bulk");
    (company.id, directory)
}

fn query(text: &str, directory: &Directory) -> ListQuery {
    ListDraft::from_query(text).expect("a draft").validate(directory).expect("a valid query")
}

#[tokio::test(flavor = "multi_thread")]
async fn far_pages_have_the_same_contacts_however_the_values_are_spread() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    for (spread, has_value) in SPREADS.into_iter().enumerate() {
        let (company, directory) = company(&storage, has_value).await;
        for list in LISTS {
            for (size, step) in [(1, 37), (10, 4), (70, 1)] {
                for number in (2..=CONTACTS / size).step_by(step) {
                    let text = format!("{list}&page[size]={size}&page[number]={number}");
                    let query = query(&text, &directory);
                    let far = page_and_part(&storage, company, query.clone(), FAR).await;
                    let near = page_and_part(&storage, company, query, NEAR).await;
                    assert_eq!(far, near, "{text}, spread {spread}");
                    assert_eq!(far[0], far[1], "{text}, spread {spread}");
                }
            }
        }
    }
}

/// The statements of a page of ten contacts, of a company in which matches are spread evenly.
async fn statements(database: &TestDatabase, list: &str, number: u32) -> Vec<RecordedPlan> {
    let storage = database.storage();
    let (company, directory) = company(&storage, SPREADS[1]).await;
    let text = format!("{list}&page[size]=10&page[number]={number}");
    record_plans(&database.url());
    storage.list_within(company, query(&text, &directory), FAR).await.expect("a list");
    take_plans(&database.url())
}

/// Whether a statement counts the contacts with a value among others.
fn is_count(plan: &RecordedPlan) -> bool {
    let is_count = plan.statement.starts_with("SELECT count(*) AS total FROM (SELECT");
    is_count && plan.plan.iter().any(|line| line.contains(" Join"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_values_of_contacts_before_a_far_page_are_not_looked_up() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    for list in [LISTS[0], LISTS[1], LISTS[2], LISTS[6], LISTS[9]] {
        let plans = statements(&database, list, 8).await;
        let walks = plans.iter().filter(|it| it.statement.contains("FETCH FIRST"));
        let walks: Vec<_> = walks.collect();
        let is_bounded =
            |it: &&RecordedPlan| it.statement.contains("_folded FROM contacts WHERE company_id");
        assert!(!walks.is_empty() && walks.iter().all(is_bounded), "{list}: {plans:#?}");
        assert!(plans.iter().any(is_count), "{list}: {plans:#?}");
    }
}

/// Those without a value may all be far behind the others. No index has them, so a walk to them goes on until a join of all
/// contacts takes less.
#[tokio::test(flavor = "multi_thread")]
async fn contacts_without_a_value_are_walked_to_until_a_join_takes_less() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let near: fn(usize) -> bool = |n| n < 50;
    let far: fn(usize) -> bool = |n| n < 200;
    for (has_value, joins) in [(near, 0), (far, 2)] {
        let (company, directory) = company(&storage, has_value).await;
        let query =
            query("filter[field:score][exists]=false&sort[]=email&page[size]=1", &directory);
        record_plans(&database.url());
        let found = page_and_part(&storage, company, query, FAR).await;
        assert_eq!(found[0], found[1]);
        // Of the page, and of the part.
        let joined = take_plans(&database.url());
        let joined =
            joined.iter().filter(|it| it.plan.iter().any(|line| line.contains(" Anti Join")));
        assert_eq!(joined.count(), joins);
    }
}

/// The first walk meets two matches before its end, and the part has three with the one that precedes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_part_behind_many_other_contacts_is_walked_to_past_those_that_a_condition_leaves_out() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let storage = database.storage();
    let (company, directory) =
        company(&storage, |n| (n * 7919 % CONTACTS).is_multiple_of(16)).await;
    let query = query(&format!("{BEHIND_LEFT_OUT}&page[size]=1&page[number]=2"), &directory);
    let found = page_and_part(&storage, company, query.clone(), FAR).await;
    assert_eq!((found[0].len(), &found[0]), (1, &found[1]));
    record_plans(&database.url());
    let part = PartRequest { start: Start::Skipping(1), contacts: 1, bytes: 1 << 20 };
    let _ = storage.list_part_within(company, query, part, FAR).await.expect("a part");
    let plans = take_plans(&database.url());
    assert!(!plans.iter().any(|it| it.statement.contains("AS matching")), "{plans:#?}");
}

/// On the first of these pages fewer values are looked up than entries would be read. Beside the last one, a walk reads all
/// contacts with one name.
#[tokio::test(flavor = "multi_thread")]
async fn matches_are_not_counted_if_the_walk_would_not_be_shorter() {
    let Some(database) = with_own_plans().filter(TestDatabase::is_postgres) else { return };
    let same_name = "filter[field:score]=5&sort[]=first_name&sort[]=email";
    for (list, number) in [(LISTS[0], 2), (LISTS[9], 2), (same_name, 8)] {
        let plans = statements(&database, list, number).await;
        assert!(!plans.is_empty() && !plans.iter().any(is_count), "{list}: {plans:#?}");
    }
}
