//! The first page: its charts, and the steps to the first sync.

use std::time::Duration;

use contact_hub_domain::overview::record_calls;
use contact_hub_tests::{Client, with_hub};
use serde_json::json;

use super::environment;
use crate::person::Person;

#[tokio::test(flavor = "multi_thread")]
async fn the_setup_steps_lead_to_the_first_sync() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        person.arrives("Overview").await;
        person.sees("Set up: 0 of 5 steps done").await;
        person.sees("Nothing needs action.").await;
        person.click("Create an asset").await;
        person.arrives("New asset").await;
        person.fill("Name", "Spring").await;
        person.fill("Subject", "Spring is here").await;
        person.fill("HTML", "<p>Hi</p>").await;
        person.click("Save").await;
        person.arrives("Overview").await;
        person.sees("Asset created.").await;
        person.sees("Set up: 1 of 5 steps done").await;
        person.click("Try it with the sample receiver").await;
        person.sees(&format!("--hub {}", hub.base())).await;
        person.arrives("Overview").await;
        person.click("Hide these steps").await;
        person.arrives("Overview").await;
        person.misses("Set up:").await;
        let _ = client.get("/contacts").await.expect(200);
    })
    .await;
}

/// Waits for the first attempt at a delivery: without one there is no chart of them.
async fn until_one_is_attempted(client: &Client) {
    let is_attempted = async || {
        let deliveries = client.manage().get("/deliveries").await.expect(200);
        let all = deliveries.data().as_array().expect("a list");
        all.iter().any(|delivery| delivery["attempt_count"].as_u64().is_some_and(|it| it > 0))
    };
    while !is_attempted().await {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_of_charts_are_also_available_as_text() {
    with_hub(async |hub| {
        let (person, client) = Person::signed_in(hub).await;
        let _world = environment::fill(&client).await;
        until_one_is_attempted(&client).await;
        record_calls(&hub.hub.ports.overview).await.expect("recorded");
        person.open("/").await;
        person.arrives("Overview").await;
        person.sees("Failed sync").await;
        let title = "return document.querySelector('svg[role=img] > title').textContent";
        let title = person.js(title).await.unwrap();
        assert!(title.as_str().is_some_and(|it| it.starts_with("Delivery attempts: ")), "{title}");
        let figures = "return document.querySelectorAll('.chart details[open] tbody tr').length";
        person.click_beside("Delivery attempts", "Figures").await;
        person.sees(":00 (UTC)").await;
        assert_eq!(person.js(figures).await.unwrap(), json!(24));
        person.arrives("Overview").await;
        person.click("Last 30 days").await;
        person.arrives("Overview").await;
        person.click_beside("Delivery attempts", "Figures").await;
        assert_eq!(person.js(figures).await.unwrap(), json!(30));
    })
    .await;
}
