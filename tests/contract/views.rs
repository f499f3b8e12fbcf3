//! The duties of the port for saved views.

use contact_hub_domain::access::{AccessStore as _, CreateUserOutcome};
use contact_hub_domain::contacts::{View, ViewName, ViewQuery, ViewStore as _};
use contact_hub_domain::ids::{CompanyId, UserId, ViewId};
use contact_hub_storage::Storage;
use contact_hub_tests::TestDatabase;
use uuid::Uuid;

use crate::sample::{MANY, at, author, operator, stored_company, user};

async fn stored_user(storage: &Storage, company: CompanyId, email: &str) -> UserId {
    let user = user(company, email);
    let outcome = storage.create_user(operator(), user.clone(), MANY).await.expect("an answer");
    assert_eq!(outcome, CreateUserOutcome::Created);
    user.id
}

fn view(owner: UserId, is_shared: bool, created: i64) -> View {
    View {
        id: ViewId::new(Uuid::now_v7()),
        owner,
        name: ViewName::from_stored("Mine".to_owned()),
        query: ViewQuery::from_stored("sort=email".to_owned()),
        is_shared,
        created_at: at(created),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_has_own_and_shared_views_and_can_delete_own_ones() {
    let database = TestDatabase::migrated();
    let storage = database.storage();
    let company = stored_company(&storage).await.id;
    let other = stored_company(&storage).await.id;
    let ann = stored_user(&storage, company, "ann@acme.example").await;
    let bob = stored_user(&storage, company, "bob@acme.example").await;
    let eve = stored_user(&storage, other, "eve@other.example").await;
    let (shared, own, last) = (view(ann, true, 1), view(ann, false, 2), view(bob, false, 3));
    for (company, view) in [(company, &shared), (company, &own), (company, &last)] {
        let by = author(company, view.owner);
        assert_eq!(storage.save_view(by, view.clone(), 2).await.ok(), Some(true));
    }
    let full = storage.save_view(author(company, ann), view(ann, false, 4), 2).await;
    assert_eq!(full.ok(), Some(false));
    let of = async |company, user| storage.views(company, user, MANY).await.expect("views");
    assert_eq!(of(company, ann).await, [shared.clone(), own.clone()]);
    assert_eq!(of(company, bob).await, [last.clone(), shared.clone()]);
    assert_eq!(of(other, eve).await, []);

    for (by, id, deleted) in [
        (author(company, bob), shared.id, false),
        (author(other, eve), shared.id, false),
        (author(company, ann), shared.id, true),
        (author(company, ann), shared.id, false),
    ] {
        assert_eq!(storage.delete_view(by, id, at(5)).await.ok(), Some(deleted));
    }
    assert_eq!(of(company, bob).await, [last]);
    assert_eq!(of(company, ann).await, [own]);
}
