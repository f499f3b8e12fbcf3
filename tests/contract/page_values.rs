//! The plan of the statement that reads the values of a page.

use contact_hub_domain::contacts::ListQuery;
use contact_hub_storage::{ListLimits, record_plans, take_plans};

use crate::plans::{with_ages, with_own_plans};

#[tokio::test(flavor = "multi_thread")]
async fn the_values_of_a_page_are_read_by_the_ids_of_its_contacts() {
    let Some(database) = with_own_plans() else { return };
    let (storage, company, _) = with_ages(&database).await;
    record_plans(&database.url());
    storage
        .list_within(company, ListQuery::default(), ListLimits::default())
        .await
        .expect("a list");
    let plans = take_plans(&database.url()).into_iter();
    let plan = plans
        .filter(|it| it.statement.starts_with("SELECT contacts.id, contacts.field_values"))
        .collect::<Vec<_>>();
    let key =
        if database.is_postgres() { "contacts_pkey" } else { "sqlite_autoindex_contacts_1 (id=?)" };
    let reads = plan.iter().flat_map(|it| &it.plan).filter(|line| line.contains(key));
    assert_eq!(reads.count(), 2, "{plan:#?}");
}
