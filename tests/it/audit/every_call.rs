//! Every call that changes something leaves an entry with its request id.

use std::collections::BTreeSet;

use contact_hub_tests::{TestHub, with_hub};

use crate::prepared::{Leaves, calls};
use crate::support::{created, get, person};

/// Every operation of the document that writes.
async fn operations(hub: &TestHub) -> BTreeSet<String> {
    let document = get(hub, "/openapi.json").await.expect(200).json;
    let mut operations = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if ["post", "put", "patch", "delete"].contains(&method.as_str()) {
                operations.insert(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    operations
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_that_changes_something_leaves_an_entry() {
    with_hub(async |hub| {
        let (setting, calls) = calls(hub).await;
        let client = &setting.client;
        let called: BTreeSet<String> = calls.iter().map(|it| it.operation.to_owned()).collect();
        let operations = operations(hub).await;
        let others: Vec<_> = called.symmetric_difference(&operations).collect();
        assert!(others.is_empty(), "each needs a call in prepared.rs, or is gone: {others:?}");
        for call in &calls {
            let answer = call.send(hub, client).await;
            assert!(answer.status < 300, "{}: {}", call.operation, answer.text);
            call.leaves.check(client, call.operation, answer.header("x-request-id")).await;
        }
    })
    .await;
}

/// The operations that export only read, but leave an entry too.
#[tokio::test(flavor = "multi_thread")]
async fn every_export_leaves_an_entry() {
    with_hub(async |hub| {
        let client = hub.client().await;
        let id = created(&client, &person("ann@example.com")).await;
        let everything = format!("/contacts/{id}/everything");
        for (client, path) in [(&client, "/contacts/export"), (&client.manage(), &everything)] {
            let answer = client.get(path).await.expect(200);
            Leaves::InAudit.check(client, path, answer.header("x-request-id")).await;
        }
    })
    .await;
}
