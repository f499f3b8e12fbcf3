//! The syncs on the overview.

use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::overview::{CompanyOverview, OverviewStore, SetupSteps, Since, SyncTotals};
use contact_hub_domain::sync::{Reported, SyncStore};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;

use super::sample::{completed, failed, requested, stored};
use crate::sample::{at, stored_company};

async fn overview(storage: &Storage, company: CompanyId) -> CompanyOverview {
    let since = Since { calls: at(0), days: at(0) };
    storage.overview(company, since).await.expect("an overview")
}

#[tokio::test(flavor = "multi_thread")]
async fn syncs_are_counted_by_state_and_a_failed_one_is_shown_until_the_next_one() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let setting = stored(&database, &storage).await;
    let company = setting.company.id;
    let ask = async |number| requested(&storage, &setting, number).await;
    let report = async |sync, report, number| {
        let (by, asset) = (company.into(), setting.asset.id);
        let reported = Reported::Named(Some(sync));
        let done = storage.report(by, asset, reported, report, at(number)).await;
        assert!(done.expect("recorded").is_some());
    };
    let empty = overview(&storage, company).await;
    assert_eq!((empty.syncs, empty.failed_syncs), (SyncTotals::default(), Vec::new()));
    let steps = SetupSteps {
        has_contacts: false,
        has_asset: true,
        has_webhook: true,
        has_integration: true,
    };
    assert_eq!(empty.setup, Some(steps));

    let _superseded = ask(1).await;
    let second = ask(2).await;
    report(second.id, failed("It is full."), 3).await;
    let found = overview(&storage, company).await;
    let totals = SyncTotals { requested: 0, completed: 0, failed: 1, closed: 1 };
    assert_eq!(found.syncs, totals);
    let [shown] = found.failed_syncs.as_slice() else { panic!("{:?}", found.failed_syncs) };
    assert_eq!((shown.asset, shown.message.as_str()), (setting.asset.id, "It is full."));
    assert_eq!((shown.asset_name.as_str(), shown.integration_name.as_str()), ("Spring", "Ours"));

    let again = ask(4).await;
    let found = overview(&storage, company).await;
    assert_eq!(found.failed_syncs, [], "it is requested again");
    assert_eq!(found.setup, Some(steps));
    report(again.id, completed("1"), 5).await;
    let found = overview(&storage, company).await;
    assert_eq!(found.syncs, SyncTotals { completed: 1, ..totals });
    assert_eq!(found.setup, None, "there is a completed sync");
    let other = stored_company(&storage).await.id;
    assert_eq!(overview(&storage, other).await.setup, Some(SetupSteps::default()));
}
