//! The deletion of a company. This test runs all of its statements, so the plan rules check them.

use contact_hub_domain::webhooks::WebhookStore;

use super::outbox::{Outbox, second, secret, webhook};
use crate::sample::{MANY, operator, stored_company};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_claimed_after_the_deletion_begins_and_all_rows_are_deleted() {
    let outbox = Outbox::new().await;
    let doomed = outbox.webhook().await;
    outbox.due(doomed, 3, 0, second(0));
    outbox.due(doomed, 2, 1, second(0));
    let running = outbox.claim(second(1), 1).await;
    let other = stored_company(&outbox.storage).await.id;
    let kept = webhook(other);
    let made = WebhookStore::create(&outbox.storage, operator(), kept.clone(), secret(2), MANY);
    made.await.expect("a webhook");
    let others = Outbox { company: other, ..outbox };
    others.due(kept.id, 1, 0, second(0));

    let begun = others.storage.delete_company(running[0].company, second(2)).await;
    let mut deletion = begun.expect("it begins").expect("a company");
    let claimed = others.claim(second(3), 9).await;
    let webhooks: Vec<_> = claimed.iter().map(|it| it.webhook_id).collect();
    assert_eq!(webhooks, [kept.id]);

    while deletion.next().await.expect("a batch").is_some() {}
    assert_eq!(others.number_of("true"), 1);
    let again = others.storage.delete_company(running[0].company, second(4)).await;
    assert!(again.expect("an answer").is_none());
}
