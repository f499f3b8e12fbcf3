//! Revoked keys and removed permissions.

use std::time::Duration;

use contact_hub_domain::access::revoke_key;
use contact_hub_tests::{Answer, with_hub};

use crate::support::{execute, second_hub, until};

/// "About a second", with room for a busy machine.
const SOON: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_within_about_a_second() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let other = hub.client().await;
        let _ = client.get("/fields").await.expect(200);
        revoke_key(&hub.hub.ports.access, None, client.made.key).await.unwrap();
        until(SOON, async || client.get("/fields").await.status == 401).await;
        let answer = client.get("/fields").await.expect_error(401, "UNAUTHENTICATED");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let _ = other.get("/fields").await.expect(200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_instance_sees_a_revocation_too() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let second = second_hub(&hub.database);
        let ask = async || {
            let url = format!("http://{}/api/public/v1/fields", second.address);
            Answer::of(hub.http().get(url).bearer_auth(&client.made.token)).await.status
        };
        assert_eq!(ask().await, 200);
        revoke_key(&hub.hub.ports.access, None, client.made.key).await.unwrap();
        until(SOON, async || ask().await == 401).await;
        second.stop().await.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_permission_takes_effect_within_about_a_second() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.get("/fields").await.expect(200);
        execute(&hub.database, "UPDATE users SET permissions = 0");
        until(SOON, async || client.get("/fields").await.status == 403).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_product_access_takes_effect_within_about_a_second() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let _ = client.get("/fields").await.expect(200);
        execute(&hub.database, "UPDATE companies SET product_access = NOT product_access");
        until(SOON, async || client.get("/fields").await.status == 403).await;
        execute(&hub.database, "UPDATE companies SET product_access = NOT product_access");
        until(SOON, async || client.get("/fields").await.status == 200).await;
    })
    .await;
}
