//! The duties of [`QuotaStore`], which only PostgreSQL has.

use contact_hub_domain::access::{
    Bucket, QuotaStore as _, RateLimited, SharedWindow, Slice, WindowKey, WriteWindowOutcome,
};
use contact_hub_domain::ids::{InstanceId, UserId};
use contact_hub_storage::SharedQuotas;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::at;

fn key() -> WindowKey {
    WindowKey::of(&RateLimited::User(UserId::new(Uuid::now_v7())), Bucket::Standard)
}

fn window(calls: u32) -> SharedWindow {
    let made = Slice { at: at(1), calls, holder: None };
    let lease = Slice { at: at(6), calls: 7, holder: Some(InstanceId::new(Uuid::now_v7())) };
    SharedWindow::from_stored(vec![lease, made])
}

async fn on_postgres(test: impl AsyncFnOnce(&SharedQuotas)) {
    let database = TestDatabase::migrated();
    let quotas = database.storage().shared_quotas();
    assert_eq!(quotas.is_some(), database.is_postgres());
    if let Some(quotas) = quotas {
        test(&quotas).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_written_if_its_version_is_current_and_returned_otherwise() {
    on_postgres(async |quotas| {
        let (key, one, two) = (key(), window(1), window(2));
        let write = async |version, window: &SharedWindow| {
            quotas.write_window(key, version, window.clone(), at(60)).await.expect("an outcome")
        };
        let WriteWindowOutcome::Written(first) = write(None, &one).await else {
            panic!("there was none");
        };
        assert_eq!(write(None, &two).await, WriteWindowOutcome::Changed(Some((first, one))));
        let WriteWindowOutcome::Written(second) = write(Some(first), &two).await else {
            panic!("it had this version");
        };
        let found = WriteWindowOutcome::Changed(Some((second, two.clone())));
        assert_eq!(write(Some(first), &window(3)).await, found);
        let empty = SharedWindow::default();
        assert!(matches!(write(Some(second), &empty).await, WriteWindowOutcome::Written(_)));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_concurrent_writes_succeeds() {
    on_postgres(async |quotas| {
        let key = key();
        let writes = (0..8).map(|n| {
            let quotas = quotas.clone();
            tokio::spawn(async move {
                quotas.write_window(key, None, window(n), at(60)).await.expect("an outcome")
            })
        });
        let mut written = 0;
        for write in writes.collect::<Vec<_>>() {
            let outcome = write.await.expect("no panic");
            written += usize::from(matches!(outcome, WriteWindowOutcome::Written(_)));
        }
        assert_eq!(written, 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_windows_are_deleted_and_can_be_written_again() {
    on_postgres(async |quotas| {
        let (old, new) = (key(), key());
        let write = async |key, version, expires_at| {
            quotas.write_window(key, version, window(1), expires_at).await.expect("an outcome")
        };
        let WriteWindowOutcome::Written(version) = write(old, None, at(60)).await else {
            panic!("there was none");
        };
        let _kept = write(new, None, at(120)).await;
        assert_eq!(quotas.delete_expired_windows(at(60)).await.expect("a number"), 1);
        let again = write(old, Some(version), at(60)).await;
        assert!(matches!(again, WriteWindowOutcome::Written(_)));
        assert_eq!(quotas.delete_expired_windows(at(120)).await.expect("a number"), 2);
        assert_eq!(quotas.delete_expired_windows(at(120)).await.expect("a number"), 0);
    })
    .await;
}
