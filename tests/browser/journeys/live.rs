//! Pages that update without a reload.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use contact_hub_domain::live::MOST_PAGES_OF_USER;
use contact_hub_tests::{Browser, Client, Receiver, Reply, with_hub};
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::json;
use thirtyfour::By;

use crate::person::Person;

/// Waits until this many of the company's deliveries wait for a retry, and returns their ids, newest first.
async fn retrying(person: &Person, client: &Client, number: usize) -> Vec<String> {
    let found = async || {
        let found = client.manage().get("/deliveries?state=retrying").await.expect(200);
        let all = found.data().as_array().expect("a list").clone();
        all.iter().map(|it| it["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    person.until("the attempts", async || Ok(found().await.len() == number)).await;
    found().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_changes_while_the_focus_stays_in_another_one() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let works = Arc::<AtomicBool>::default();
        let seen = Arc::clone(&works);
        let answer = move |_place| Reply::from(if seen.load(Relaxed) { 200 } else { 500 });
        let receiver = Receiver::scripted(answer).await;
        let hook = json!({"name": "Mirror", "url": receiver.url(), "events": ["contactsChanged"]});
        let _ = client.manage().post("/webhooks", &hook).await.expect(201);
        let contact = |email: &str| json!({"email": email, "first_name": "Ann", "last_name": "Lee"});
        let _ = client.post("/contacts", &contact("ann@example.com")).await.expect(201);
        retrying(&person, &client, 1).await;
        let _ = client.post("/contacts", &contact("bo@example.com")).await.expect(201);
        let ids = retrying(&person, &client, 2).await;
        let row = |id: &str| format!("tr[data-item='{id}']");

        person.open("/admin/integrations/webhooks/deliveries").await;
        person.arrives("Deliveries").await;
        let focus = format!(
            "window.isSame = true; document.querySelector(\"{} a\").focus(); \
             document.querySelector(\"{} input\").checked = true;",
            row(&ids[1]),
            row(&ids[0]),
        );
        person.js(&focus).await.unwrap();
        works.store(true, Relaxed);
        let resend = format!("/deliveries/{}/resend", ids[0]);
        let _ = client.manage().post(&resend, &json!({})).await.expect(202);
        person
            .until("the row changes", async || {
                Ok(person.text_of(&row(&ids[0])).await.contains("Succeeded"))
            })
            .await;
        let stays = format!(
            "return window.isSame && document.activeElement.closest('tr').dataset.item === '{}' \
             && document.querySelector(\"{} input\").checked;",
            ids[1],
            row(&ids[0]),
        );
        assert_eq!(person.js(&stays).await.unwrap(), json!(true));
        assert!(person.text_of(&row(&ids[1])).await.contains("Retrying"));
        // The row may change twice: when it is pending again, and when it has arrived.
        let said = "return document.querySelector('p.hidden[role=status]').textContent;";
        let said = person.js(said).await.unwrap();
        assert!(said == "1 change" || said == "2 changes", "{said}");

        let _ = client.post("/contacts", &contact("cy@example.com")).await.expect(201);
        person
            .until("a new row", async || {
                let rows = "return document.querySelectorAll('#deliveries tr').length;";
                Ok(person.js(rows).await? == json!(3))
            })
            .await;
        assert_eq!(person.js(&stays).await.unwrap(), json!(true));

        person.open(&format!("/admin/integrations/webhooks/deliveries/{}", ids[1])).await;
        person.arrives("contactsChanged").await;
        let open = "window.isSame = true; const details = document.querySelector('#last-request details'); \
                    details.open = true; details.querySelector('summary').focus();";
        person.js(open).await.unwrap();
        let resend = format!("/deliveries/{}/resend", ids[1]);
        let _ = client.manage().post(&resend, &json!({})).await.expect(202);
        person
            .until("the second attempt", async || Ok(person.text().await?.contains("Attempt 2")))
            .await;
        person.sees("Send again").await;
        let stays = "return window.isSame && document.querySelector('#last-request details').open \
                     && document.activeElement.matches('#last-request summary');";
        assert_eq!(person.js(stays).await.unwrap(), json!(true));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_row_appears_after_a_click_beside_the_buttons() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let receiver = Receiver::start(&[200]).await;
        let hook = json!({"name": "Mirror", "url": receiver.url(), "events": ["contactsChanged"]});
        let _ = client.manage().post("/webhooks", &hook).await.expect(201);
        person.open("/admin/integrations/webhooks/deliveries").await;
        person.sees("Deliveries appear here").await;
        person.driver().find(By::Css("h1")).await.unwrap().click().await.unwrap();
        assert_eq!(person.js("return document.activeElement.id").await.unwrap(), "main");
        let contact = json!({"email": "ann@example.com", "first_name": "Ann", "last_name": "Lee"});
        let _ = client.post("/contacts", &contact).await.expect(201);
        person
            .until("the first row", async || {
                let rows = "return document.querySelectorAll('#deliveries tr').length;";
                Ok(person.js(rows).await? == json!(1))
            })
            .await;
        person.arrives("Deliveries").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_stream_polls() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let receiver = Receiver::start(&[200]).await;
        let hook = json!({"name": "Mirror", "url": receiver.url(), "events": ["contactsChanged"]});
        let _ = client.manage().post("/webhooks", &hook).await.expect(201);
        let contact =
            |email: &str| json!({"email": email, "first_name": "Ann", "last_name": "Lee"});
        let _ = client.post("/contacts", &contact("ann@example.com")).await.expect(201);
        let others = Browser::new(&hub.base());
        others.sign_in(&hub.hub.ports.access, client.made.user).await;
        let stream = async || {
            let stream = others.request(Method::GET, "/admin/live");
            stream.header(ACCEPT, "text/event-stream").send().await.unwrap()
        };
        let mut streams = Vec::new();
        for _ in 0..MOST_PAGES_OF_USER {
            streams.push(stream().await);
        }
        assert_eq!(stream().await.status(), 204);
        let has_rows = async |number: usize| {
            let rows = "return document.querySelectorAll('#deliveries tr').length;";
            let rows = async || Ok(person.js(rows).await? == json!(number));
            person.until(&format!("{number} rows"), rows).await;
        };
        person.open("/admin/integrations/webhooks/deliveries").await;
        has_rows(1).await;
        let _ = person.js("window.isSame = true").await.unwrap();
        let _ = client.post("/contacts", &contact("bo@example.com")).await.expect(201);
        has_rows(2).await;
        assert_eq!(person.js("return window.isSame").await.unwrap(), true);
        person.arrives("Deliveries").await;
        drop(streams);
    })
    .await;
}
