//! A claim costs as much as it takes, however much waits.

use contact_hub_domain::webhooks::NextStep;
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};

use super::outbox::{Outbox, claim_at, second};

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_walks_along_the_index_of_what_is_due() {
    let outbox = Outbox::new().await;
    let mut webhooks = Vec::new();
    for _ in 0..3 {
        let webhook = outbox.webhook().await;
        webhooks.push(webhook);
        outbox.due(webhook, 300, 1, second(1_000_000));
        outbox.due(webhook, 5, 0, second(0));
    }
    if outbox.database.is_postgres() {
        let url = outbox.database.url_text();
        let mut connection = PgConnection::establish(url).expect("PostgreSQL answers");
        connection.batch_execute("ANALYZE deliveries; ANALYZE webhooks").expect("analysed");
    }
    let plan = outbox.storage.explain_claim(claim_at(second(1), 50), webhooks).await;
    let plan = plan.expect("a plan");
    let reads_all = |line: &&String| {
        line.contains("Seq Scan on deliveries") || line.trim() == "SCAN deliveries"
    };
    assert_eq!(plan.iter().find(reads_all), None, "{plan:#?}");
    assert!(plan.iter().any(|line| line.contains("deliveries_due")), "{plan:#?}");
    assert!(plan.iter().any(|line| line.contains("deliveries_in_progress")), "{plan:#?}");
    let _taken = outbox.attempt(second(1), NextStep::Succeeded).await;
}
