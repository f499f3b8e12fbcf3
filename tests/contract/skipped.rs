//! Pages in the middle of a list, which are found by the numbers of contacts whose texts begin with a character.

use contact_hub_domain::contacts::{ContactStore as _, ListQuery, PartRequest, Start};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::{CompanyId, ContactId};
use contact_hub_storage::{ListLimits, Storage};
use contact_hub_tests::TestDatabase;
use contact_hub_web::FromQuery as _;

use crate::plans::{plans_of, with_contacts};
use crate::sample::{at, new_contact, stored_company};

/// With these limits every page counts as far from the ends of a list.
const FAR: ListLimits = ListLimits { few: 50_000, walk: 5_000, far: 0 };

#[tokio::test(flavor = "multi_thread")]
async fn only_contacts_with_the_first_character_of_a_page_are_scanned() {
    let Some((database, storage, company)) = with_contacts().await else { return };
    for (query, bound) in [
        ("sort[]=email&page[number]=9&page[size]=10", "email_folded >"),
        ("sort[]=-email&page[number]=9&page[size]=10", "email_folded <"),
        ("sort[]=email&page[number]=12&page[size]=10", "email_folded <"),
        ("sort[]=email&sort[]=last_name&page[number]=9&page[size]=10", "email_folded >"),
    ] {
        let plans = plans_of(&database, &storage, company, query, FAR).await;
        let plan = plans.last().expect("a plan");
        let lines = plan.plan.iter().map(|line| line.replace("email_folded>", "email_folded >"));
        let mut lines = lines.map(|line| line.replace("email_folded<", "email_folded <"));
        let is_bounded = lines.any(|line| line.contains(bound) && !line.contains("Filter"));
        assert!(is_bounded, "{query}: {plan:#?}");
    }
}

/// The contacts of the page of a list, and those of the part that starts at the same place.
pub(crate) async fn page_and_part(
    storage: &Storage,
    company: CompanyId,
    query: ListQuery,
    limits: ListLimits,
) -> [Vec<ContactId>; 2] {
    let start = Start::Skipping(query.page.offset());
    let part = PartRequest { start, contacts: query.page.size(), bytes: 1 << 20 };
    let page = storage.list_within(company, query.clone(), limits).await.expect("a list").items;
    let part = storage.list_part_within(company, query, part, limits).await.expect("a part");
    [page, part.contacts].map(|contacts| contacts.into_iter().map(|it| it.id).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_the_same_before_and_after_counts_are_applied_and_contacts_removed() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let beginnings = ["ann", "Ärn", "徐", "bo", "1", "_", "-", "ann"];
    let rows = (0..160).map(|n| {
        let email = format!("{}{n}@x.example", beginnings[n % 8]);
        new_contact(&Directory::default(), &email, &[])
    });
    let rows: Vec<_> = rows.collect();
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    storage.upsert_many(company.into(), rows, 0, at(0)).await.expect("a bulk");
    let gone = ids.iter().step_by(5).copied().collect();
    for step in 0..4 {
        match step {
            1 | 3 => storage.deferred_writes().run().await.expect("the counts are applied"),
            2 => {
                let deleted = storage.delete_many(company.into(), Vec::clone(&gone), at(1)).await;
                assert_eq!(deleted.expect("deleted"), 32);
            }
            _ => {}
        }
        for sort in ["email", "-email", "first_name", "-last_name", "email&sort[]=-last_name"] {
            for number in 1..=17 {
                let query = format!("sort[]={sort}&page[size]=10&page[number]={number}");
                let asked = || ListQuery::from_query(&query).expect("a query").without_values();
                let limits = ListLimits { far: u64::MAX, ..FAR };
                let far = page_and_part(&storage, company, asked(), FAR).await;
                let near = page_and_part(&storage, company, asked(), limits).await;
                assert_eq!(far, near, "{query}, step {step}");
                assert_eq!(far[0], far[1], "{query}, step {step}");
            }
        }
    }
}
