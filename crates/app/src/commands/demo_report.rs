//! The requests that `contact-hub demo` sends, and the text that it prints.

use std::fmt::Write as _;

use contact_hub_receiver::{Received, Step};
use serde_json::{Value, json};

const HTML: &str = "<p>Hello {{first_name|there}}, is {{field:jobTitle}} still what you do?</p>\n\
    <p><a href=\"{{unsubscribe_url}}\">Unsubscribe {{email}}</a></p>";

/// The headers with which a webhook is verified, in the order in which they are printed.
const SHOWN: [&str; 5] =
    ["content-type", "service-signature", "webhook-id", "webhook-timestamp", "webhook-signature"];

/// The objects that exist before a sync is requested: addresses, ids, and keys and secrets, which only the demo prints.
pub(super) struct Made {
    pub(super) url: String,
    pub(super) key: String,
    /// The address that signs the owner in to the pages.
    pub(super) sign_in: String,
    pub(super) secret: String,
    pub(super) hook: String,
    pub(super) webhook: String,
    pub(super) integration: String,
    pub(super) asset: String,
}

/// A webhook to the receiver, with a generated secret.
pub(super) fn webhook_body(hook: &str) -> Value {
    json!({"name": "Sample receiver", "url": hook, "events": ["syncRequested"]})
}

/// An integration that accepts emails.
pub(super) fn integration_body() -> Value {
    json!({"name": "Our Braze", "asset_types": ["email"], "merge_tag_format": "braze"})
}

/// An email with merge tags.
pub(super) fn asset_body() -> Value {
    json!({"name": "Spring sale", "type": "email", "subject": "Spring!", "html": HTML})
}

/// Introduces the participants.
pub(super) fn opening(made: &Made) -> String {
    let Made { url, hook, webhook, integration, asset, .. } = made;
    format!(
        "A sync of an asset to a custom platform, from the request to the report.\n\n\
         1. Who takes part\n\
         \x20  service      {url}\n\
         \x20  receiver     {hook}\n\
         \x20  webhook      {webhook}, receives syncRequested\n\
         \x20  integration  {integration}, merge tag format braze\n\
         \x20  asset        {asset}, an email:\n{}",
        indented(HTML)
    )
}

/// A user requested the sync.
pub(super) fn requested(made: &Made, sync: &Value) -> String {
    format!(
        "\n2. A user requests a sync\n\
         \x20  POST {}/api/manage/v1/assets/{}/syncs\n\
         \x20  answered 202, status {}",
        made.url,
        made.asset,
        word(sync, "/status")
    )
}

/// A step of the receiver.
pub(super) fn step(step: &Step) -> String {
    match step {
        Step::Received(received) => webhook(received),
        Step::Fetched { beginning, .. } => {
            format!(
                "\n4. The receiver fetches content_link; the merge tags are Braze's now\n{}",
                indented(beginning)
            )
        }
        Step::Reported { status, with } => {
            format!("\n5. The receiver reports with PATCH sync_status_link\n   {status}: {with}")
        }
        other => format!("   {other}"),
    }
}

fn webhook(received: &Received) -> String {
    let mut text = "\n3. The service sends the webhook\n   POST /hook\n".to_owned();
    for name in SHOWN {
        let value = received.headers.get(name).and_then(|value| value.to_str().ok());
        // Writing to a string does not fail.
        writeln!(text, "   {name}: {}", value.unwrap_or("none")).ok();
    }
    let payload: Value = serde_json::from_str(&received.body).unwrap_or_default();
    text.push_str(&indented(&format!("{payload:#}")));
    text.push_str("\n   The receiver verifies both signatures and the time, stores the event, and answers 202.");
    text
}

/// The final state.
pub(super) fn ending(sync: &Value, delivery: &Value) -> String {
    format!(
        "\n6. The service shows the result\n\
         \x20  sync      {}, map_id {}, map_url {}\n\
         \x20  delivery  {} after {} attempt",
        word(sync, "/status"),
        word(sync, "/map_id"),
        word(sync, "/map_url"),
        word(delivery, "/state"),
        delivery.pointer("/attempt_count").unwrap_or(&Value::Null),
    )
}

/// Commands that the reader can try next.
pub(super) fn closing(made: &Made) -> String {
    let Made { url, key, sign_in, secret, webhook, integration, asset, .. } = made;
    format!(
        "\nThe demo runs until Ctrl-C, and then deletes everything.\n\
         \x20  API key         {key}\n\
         \x20  webhook secret  {secret}\n\
         \x20  all calls       {url}/docs\n\
         \x20  pages           {sign_in}\n\n\
         To request the sync again, as a resync:\n\n\
         \x20  curl -H 'Authorization: Bearer {key}' --json '{{\"integration_id\": \"{integration}\"}}' \
         {url}/api/manage/v1/assets/{asset}/syncs\n\n\
         To send a test event to the webhook:\n\n\
         \x20  curl -X POST -H 'Authorization: Bearer {key}' {url}/api/manage/v1/webhooks/{webhook}/test\n"
    )
}

fn word<'a>(json: &'a Value, pointer: &str) -> &'a str {
    json.pointer(pointer).and_then(Value::as_str).unwrap_or("none")
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("     {line}")).collect();
    lines.join("\n")
}
