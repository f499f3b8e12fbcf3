//! The list of deliveries, and the health of webhooks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use contact_hub_tests::{Browser, Client, Receiver, Reply, with_hub};
use serde_json::json;

use super::DEADLINE;
use crate::support::{created, person, until};

const WEBHOOKS: &str = "/admin/integrations/webhooks";
const PATH: &str = "/admin/integrations/webhooks/deliveries";

/// A webhook that gets the changes of contacts.
async fn webhook(client: &Client, receiver: &Receiver, name: &str) -> String {
    let hook = json!({"name": name, "url": receiver.url(), "events": ["contactsChanged"]});
    let made = client.manage().post("/webhooks", &hook).await.expect(201);
    made.data()["id"].as_str().expect("an id").to_owned()
}

/// Waits until the company's newest delivery has this state, and returns it.
async fn newest(client: &Client, state: &str) -> serde_json::Value {
    let mut newest = json!(null);
    until(DEADLINE, async || {
        let found = client.manage().get("/deliveries?page[size]=1").await.expect(200);
        newest = found.data()[0].clone();
        newest["state"] == state
    })
    .await;
    newest
}

async fn sees(browser: &Browser, path: &str, parts: &[&str]) -> String {
    let page = browser.get(path).await.expect(200);
    for part in parts {
        assert!(page.text.contains(part), "{part} in {path}: {}", page.text);
    }
    page.text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_failing_from_a_failed_attempt_until_the_next_success() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let works = Arc::<AtomicBool>::default();
        let seen = Arc::clone(&works);
        let answer = move |_place| Reply::from(if seen.load(Relaxed) { 200 } else { 500 });
        let receiver = Receiver::scripted(answer).await;
        let id = webhook(&client, &receiver, "Hook").await;
        let own = format!("{WEBHOOKS}/{id}");
        sees(&browser, WEBHOOKS, &["badge good\">On<", "No attempts", "None yet"]).await;
        let _contact = created(&client, &person("ann@example.com")).await;
        let delivery = newest(&client, "retrying").await;
        sees(&browser, WEBHOOKS, &["badge bad\">Failing<", "0 %", "badge bad\">500<"]).await;
        sees(&browser, &own, &["Failing since", " failed"]).await;
        let resend = format!("{PATH}/{}/resend", delivery["id"].as_str().unwrap());
        works.store(true, Relaxed);
        let _ = browser.post(&resend, &[]).await.expect(303);
        newest(&client, "succeeded").await;
        sees(&browser, WEBHOOKS, &["badge good\">On<", "badge good\">200<"]).await;
        sees(&browser, &own, &[" attempts, ", " failed"]).await;
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "one table of filters")]
#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_found_by_their_properties() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[200]).await;
        let id = webhook(&client, &receiver, "First hook").await;
        let _contact = created(&client, &person("ann@example.com")).await;
        let delivery = newest(&client, "succeeded").await;
        let tested = client.manage().post(&format!("/webhooks/{id}/test"), &json!({})).await;
        assert!(tested.status < 300, "{}", tested.text);
        let of = |name: &str| delivery[name].as_str().unwrap().to_owned();
        let row = |id: &str| format!("href=\"{PATH}/{id}\"");
        let wanted = row(&of("id"));
        let all = sees(&browser, PATH, &[&wanted, "1–2 of 2", " ms"]).await;
        assert!(!all.contains("class=\"chips\""));
        for (query, chip) in [
            (format!("id={}", of("id")), format!("ID {}", of("id"))),
            (format!("id=+{}+", of("event_id")), format!("ID {}", of("event_id"))),
            ("event=contactsChanged".to_owned(), "Event contactsChanged".to_owned()),
            ("event=contactsChanged&from=2026-01-01T00:00:00Z".to_owned(), "From <time".to_owned()),
            (
                "event=contactsChanged&to_local=9999-01-01T00:00".to_owned(),
                "Before <time".to_owned(),
            ),
            (
                format!("event=contactsChanged&filter[webhook_id]={id}&filter[state]="),
                "Webhook First hook".to_owned(),
            ),
        ] {
            let page = sees(&browser, &format!("{PATH}?{query}"), &[&wanted, "1–1 of 1"]).await;
            assert!(page.contains(&chip), "{query}: {page}");
        }
        let none = "No delivery matches these filters.";
        for query in ["to=2026-01-01T00:00:00Z", "event=fieldsChanged", "filter[state]=skipped"] {
            sees(&browser, &format!("{PATH}?{query}"), &[none]).await;
        }
        for (query, problem) in [
            ("id=7", "Enter a whole id."),
            ("event=odd", "Choose an event."),
            ("from=yesterday", "Choose a date and time."),
        ] {
            let page = browser.get(&format!("{PATH}?{query}")).await.expect(422);
            assert!(page.text.contains(problem), "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_is_removed_by_its_chip() {
    with_hub(async |hub| {
        let (browser, _client) = hub.browser().await;
        let query = "event=test&filter[state]=retrying&from_local=2026-01-01T00:00&page[number]=3";
        let page = browser.get(&format!("{PATH}?{query}")).await.expect(200);
        for remaining in [
            "event=test&#38;filter[state]=retrying\"",
            "event=test&#38;from_local=2026-01-01T00%3A00\"",
            "filter[state]=retrying&#38;from_local=2026-01-01T00%3A00\"",
        ] {
            assert!(
                page.text.contains(&format!("{PATH}?{remaining}")),
                "{remaining} {}",
                page.text
            );
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_is_resent_after_its_size_was_confirmed() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[200]).await;
        let _hook = webhook(&client, &receiver, "Hook").await;
        for n in 1..=3 {
            let _contact = created(&client, &person(&format!("p{n}@example.com"))).await;
            until(DEADLINE, async || receiver.count() == n).await;
            newest(&client, "succeeded").await;
        }
        let all = client.manage().get("/deliveries").await.expect(200);
        let id = |place: usize| all.data()[place]["id"].as_str().unwrap().to_owned();
        let (first, second) = (id(0), id(1));
        sees(&browser, PATH, &[&format!("value=\"{first}\""), "Send all matching again"]).await;
        let resend = format!("{PATH}/resend");
        let two = format!("{resend}?ids={first}&ids={second}&event=contactsChanged");
        sees(&browser, &two, &["Send 2 deliveries again?", "Send 2 again"]).await;
        sees(&browser, &format!("{resend}?all=1"), &["Send 3 deliveries again?"]).await;
        sees(&browser, &format!("{resend}?all=1&id={first}"), &["Send 1 delivery again?"]).await;
        sees(&browser, &resend, &["Nothing to send again"]).await;
        assert_eq!(receiver.count(), 3);
        let page = browser.done(&resend, &[("ids", &first), ("ids", &second)]).await;
        assert!(page.text.contains("Deliveries queued again."));
        until(DEADLINE, async || receiver.count() == 5).await;
        let entries =
            client.manage().get("/audit?filter[action]=deliveries.resent").await.expect(200);
        assert_eq!(entries.data()[0]["counts"], json!({"resent": 2}));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_shows_a_timeline_with_requests_and_answers() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::scripted(|_place| Reply::from(500)).await;
        let _hook = webhook(&client, &receiver, "Hook").await;
        let _contact = created(&client, &person("ann@example.com")).await;
        let delivery = newest(&client, "retrying").await;
        let path = format!("{PATH}/{}", delivery["id"].as_str().unwrap());
        let event = delivery["event_id"].as_str().unwrap();
        let request = &receiver.requests()[0];
        let signature = request.header("service-signature").to_owned();
        let page = sees(
            &browser,
            &path,
            &[
                "Attempt 1",
                "by the schedule",
                "Request headers",
                "Answer headers",
                "<dt>content-length</dt>",
                "Next attempt",
                "data-until=",
                "Copy as curl",
                "curl -X POST &#39;http://127.0.0.1:",
                &format!("webhook-id: {event}"),
                &format!("Service-Signature: {signature}"),
                "&#34;changes&#34;: [\n",
            ],
        )
        .await;
        assert!(!page.contains("whsec_"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_of_a_deleted_webhook_cannot_be_sent_again() {
    with_hub(async |hub| {
        let (browser, client) = hub.browser().await;
        let receiver = Receiver::start(&[200]).await;
        let hook = webhook(&client, &receiver, "Hook").await;
        let _contact = created(&client, &person("ann@example.com")).await;
        let delivery = newest(&client, "succeeded").await;
        let path = format!("{PATH}/{}", delivery["id"].as_str().unwrap());
        let link = format!("{WEBHOOKS}/{hook}\"");
        let page = sees(&browser, &path, &["Send again", &link]).await;
        assert!(!page.contains("(deleted)"));
        let _gone = client.manage().delete(&format!("/webhooks/{hook}")).await.expect(204);
        let page = sees(&browser, &path, &[&hook, "(deleted)"]).await;
        assert!(!page.contains("Send again") && !page.contains(&link), "{page}");
    })
    .await;
}
