//! Resending many deliveries at once.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks::{
    DeliveriesQuery, DeliveryQueue as _, DeliverySearch, DeliveryState, Health, MAX_RESENT,
    NextStep, ResendChoice, Resendable, Trigger, WebhookChange, WebhookStore,
};

use super::outbox::{Outbox, second};

impl Outbox {
    async fn resendable(&self, choice: ResendChoice) -> Resendable {
        self.storage.resendable(self.company, choice).await.expect("a read")
    }

    async fn resend_many(&self, ids: Vec<DeliveryId>) -> u64 {
        let resent = self.storage.resend_many(self.company.into(), ids, second(50)).await;
        resent.expect("resent")
    }

    async fn delete(&self, webhook: contact_hub_domain::ids::WebhookId) {
        let by = self.company.into();
        assert!(
            WebhookStore::delete(&self.storage, by, webhook, second(9)).await.expect("deleted")
        );
    }
}

fn exhausted() -> ResendChoice {
    let state = Some(DeliveryState::Exhausted);
    let query = DeliveriesQuery { state, ..DeliveriesQuery::default() };
    ResendChoice::Matching(DeliverySearch { query, ..DeliverySearch::default() })
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_chosen_deliveries_are_resent() {
    let outbox = Outbox::new().await;
    let (webhook, deleted) = (outbox.webhook().await, outbox.webhook().await);
    let mut ids = outbox.due(webhook, 3, 4, second(0));
    ids.extend(outbox.due(deleted, 1, 4, second(0)));
    for n in 0..4 {
        outbox.attempt(second(n), NextStep::Exhausted).await;
    }
    let waiting = outbox.due(webhook, 1, 2, second(900))[0];
    outbox.delete(deleted).await;
    let found = outbox.resendable(exhausted()).await;
    assert_eq!((found.found, found.ids.len()), (4, 3));
    let chosen = outbox.resendable(ResendChoice::These(vec![ids[0], ids[3], waiting])).await;
    assert_eq!((chosen.found, chosen.ids), (3, vec![waiting, ids[0]]));
    assert_eq!(outbox.resend_many(vec![ids[0], ids[3], waiting]).await, 2);
    for id in [ids[0], waiting] {
        assert_eq!(outbox.state_of(id).await, ("pending", Some(second(50)), None));
    }
    assert_eq!(outbox.state_of(ids[1]).await.0, "exhausted");
    assert_eq!(outbox.state_of(ids[3]).await.0, "exhausted");
    let claimed = outbox.claim(second(60), 9).await;
    assert_eq!(claimed.len(), 2);
    assert!(claimed.iter().all(|it| it.trigger == Trigger::Resend && it.retries == 0));
    let foreign = crate::sample::stored_company(&outbox.storage).await.id;
    let resent = outbox.storage.resend_many(foreign.into(), ids, second(70)).await;
    assert_eq!(resent.expect("nothing"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_webhook_gets_resent_deliveries_while_its_rows_are_rewritten() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let ids = outbox.due(webhook, 4, 0, second(0));
    let off = WebhookChange { switched: Some(Health::switched(false)), ..WebhookChange::default() };
    let by = outbox.company.into();
    let changed = WebhookStore::change(&outbox.storage, by, webhook, off, second(1)).await;
    assert!(changed.expect("changed").is_some());
    assert_eq!(outbox.resend_many(ids[..2].to_vec()).await, 2);
    while outbox.storage.settle(100, std::time::Duration::MAX).await.expect("settled") {}
    assert_eq!(outbox.state_of(ids[0]).await.0, "pending");
    assert_eq!(outbox.state_of(ids[2]).await.0, "skipped");
    let page = outbox.storage.list_deliveries(outbox.company, DeliveriesQuery::default()).await;
    assert_eq!(page.expect("a list").meta.total, 4);
    assert_eq!(outbox.claim(second(60), 9).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_the_maximum_number_is_offered() {
    let outbox = Outbox::new().await;
    let webhook = outbox.webhook().await;
    let count = MAX_RESENT + 5;
    let ids = outbox.due(webhook, count, 0, second(0));
    let all = ResendChoice::Matching(DeliverySearch::default());
    let found = outbox.resendable(all).await;
    assert_eq!((found.found, found.ids.len()), (1005, MAX_RESENT));
    assert_eq!(found.ids[0], *ids.iter().max().expect("one"));
    assert_eq!(outbox.resend_many(found.ids).await, 1000);
}
