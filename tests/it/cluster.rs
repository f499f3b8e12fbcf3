//! A Citus cluster, if the tests run on one.

use std::time::{Duration, Instant};

use contact_hub_tests::{Answer, Client, with_hub};
use serde_json::{Value, json};

use crate::support::{created, person, person_with_values};

const PATIENCE: Duration = Duration::from_secs(30);

/// Enough companies that almost certainly each node has some.
const COMPANIES: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_down_only_affects_the_contacts_of_its_companies() {
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

/// A transaction is committed on the coordinator before it is committed on its node.
#[tokio::test(flavor = "multi_thread")]
async fn an_entry_of_the_feed_is_only_visible_after_its_change() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let contact = format!("/contacts/{}", created(&client, &person("ann@example.com")).await);
        let Some(cluster) = hub.database.cluster() else { return };
        cluster.commit_slowly();
        let deadline = Instant::now() + PATIENCE;
        while client.get(&contact).await.status != 200 {
            assert!(Instant::now() < deadline, "it recovers");
        }
        let manage = client.manage();
        let mut latest = cursor(&manage.get("/changes?after=latest").await.expect(200));
        for number in 0..20 {
            let name = json!({"first_name": format!("Ann {number}")});
            let written = async {
                let _ = client.patch(&contact, &name).await.expect(200);
            };
            let read = async {
                let entries = manage.get(&format!("/changes?wait=20&after={latest}")).await;
                let known = client.get(&contact).await.expect(200);
                assert_eq!(known.data()["first_name"], name["first_name"]);
                cursor(&entries.expect(200))
            };
            ((), latest) = tokio::join!(written, read);
        }
    })
    .await;
}

/// The node has no statistics of new tables. If the settings of a list did not apply there, it would compare each contact
/// with each value until the list times out.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_statistics_lists_by_the_settings_of_the_transaction() {
    with_hub(async |hub| {
        if hub.database.cluster().is_none() {
            return;
        }
        let client = hub.client().await;
        for name in ["Score", "Team"] {
            let field = json!({"name": name, "type": "number", "filterable": true});
            let _ = client.post("/fields", &field).await.expect(201);
        }
        let rows: Vec<_> = (0..15_000).map(with_some_values).collect();
        for part in rows.chunks(1000) {
            let _ = client.post("/contacts/bulk", &json!({"contacts": part})).await.expect(200);
        }
        let lacking = "filter[field:score][exists]=false&filter[field:team][exists]=false";
        let list = client.get(&format!("/contacts?{lacking}&sort[]=email")).await.expect(200);
        assert_eq!(list.json["meta"]["total"], 15_000 / 20);
    })
    .await;
}

/// Of ten contacts one has no score, and of four one no team.
fn with_some_values(n: u32) -> Value {
    let mut values = json!({});
    if !n.is_multiple_of(10) {
        values["score"] = json!(n % 997);
    }
    if !n.is_multiple_of(4) {
        values["team"] = json!(n % 50);
    }
    person_with_values(&format!("p{n}@example.com"), &values)
}

fn cursor(answer: &Answer) -> String {
    answer.json["meta"]["next"].as_str().expect("a cursor").to_owned()
}

async fn create(client: &Client, status: u16) {
    let _ = client.post("/contacts", &person("second@example.com")).await.expect(status);
}
