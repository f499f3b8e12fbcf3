//! A Citus cluster, where the tests run on one.

use std::time::{Duration, Instant};

use contact_hub_tests::{Client, with_hub};

use crate::support::{created, person};

const PATIENCE: Duration = Duration::from_secs(30);

/// Enough that each node has some with near certainty.
const COMPANIES: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_down_affects_the_contacts_of_its_companies_alone() {
    with_hub(async |hub| {
        let Some(cluster) = hub.database.cluster() else { return };
        let mut clients = Vec::new();
        for _ in 0..COMPANIES {
            let client = hub.client().await;
            let contact = created(&client, &person("first@example.com")).await;
            clients.push((client, format!("/contacts/{contact}")));
        }
        let down = cluster.node_of(clients[0].0.made.company);
        let (theirs, others): (Vec<_>, Vec<_>) = clients
            .into_iter()
            .partition(|(client, _)| cluster.node_of(client.made.company) == down);
        assert!(!others.is_empty(), "the companies are on several nodes");
        cluster.close(&down);
        for (client, contact) in &theirs {
            for path in ["/contacts", "/fields", contact] {
                let answer = client.get(path).await.expect_error(503, "SERVICE_UNAVAILABLE");
                assert!(answer.header("retry-after").parse::<u32>().is_ok());
            }
            create(client, 503).await;
            let _ = client.manage().get("/webhooks").await.expect(200);
        }
        for (client, contact) in &others {
            create(client, 201).await;
            let list = client.get("/contacts").await.expect(200);
            assert_eq!(list.json["meta"]["total"], 2);
            let _ = client.get(contact).await.expect(200);
        }
        cluster.open(&down);
        for (client, contact) in &theirs {
            let deadline = Instant::now() + PATIENCE;
            while client.get(contact).await.status != 200 {
                assert!(Instant::now() < deadline, "it recovers");
            }
            create(client, 201).await;
        }
    })
    .await;
}

async fn create(client: &Client, status: u16) {
    let _ = client.post("/contacts", &person("second@example.com")).await.expect(status);
}
