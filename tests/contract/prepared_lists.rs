//! The number of prepared statements for lists is small.

use contact_hub_domain::contacts::ListDraft;
use contact_hub_storage::{record_plans, take_plans};
use contact_hub_web::FromQuery as _;

use crate::plans::{LIMITS, with_ages_of, with_own_plans};

/// Statements stay prepared as long as a connection is open, so their number must not depend on what clients send.
#[tokio::test(flavor = "multi_thread")]
async fn pages_and_values_of_prepared_lists_share_few_statements() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, directory) = with_ages_of(&database, |n| n % 3 != 0).await;
    record_plans(&database.url());
    for n in 1..40 {
        let page = format!("page[number]={n}&page[size]={}", 1 + n % 7);
        for list in [page.clone(), format!("filter[field:age][gt]={}&{page}", n % 9)] {
            let asked = ListDraft::from_query(&list).expect("a draft").validate(&directory);
            let limits = LIMITS[n % LIMITS.len()];
            storage.list_within(company, asked.expect("a query"), limits).await.expect("a list");
        }
    }
    let plans = take_plans(&database.url()).into_iter();
    let texts: Vec<String> = plans.filter(|it| it.is_kept).map(|it| it.statement).collect();
    let pages = texts.iter().filter(|text| text.contains("FROM contacts")).count();
    assert!((1..=6).contains(&pages) && texts.len() <= 16, "{texts:#?}");
}
