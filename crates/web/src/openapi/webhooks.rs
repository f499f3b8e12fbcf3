//! The rows of webhooks and deliveries.

use utoipa::openapi::path::HttpMethod::{self, Delete, Get, Patch, Post};

use super::parameters;
use super::row::Row;
use super::success::Success;
use crate::base_paths::MANAGE_BASE;
use crate::error::Code;
use crate::extract::STANDARD_BODY;

const WEBHOOK: &str = "The id of a webhook";
const DELIVERY: &str = "The id of a delivery";
const NO_WEBHOOK: &[Code] = &[Code::WebhookNotFound];

/// Every operation.
pub(super) fn operations() -> Vec<Row> {
    [webhooks(), secrets(), deliveries()].into_iter().flatten().collect()
}

const fn webhook(
    route: (HttpMethod, &'static str),
    id: &'static str,
    summary: &'static str,
    success: Success,
) -> Row {
    Row::at(MANAGE_BASE, "webhooks", route, id, summary, success)
}

const fn delivery(
    route: (HttpMethod, &'static str),
    id: &'static str,
    summary: &'static str,
    success: Success,
) -> Row {
    Row::at(MANAGE_BASE, "deliveries", route, id, summary, success)
}

fn webhooks() -> Vec<Row> {
    const ALL: &str = "/webhooks";
    const ONE: &str = "/webhooks/{id}";
    let created = Success::Created("WebhookWithSecret");
    let changed = Success::One("WebhookMaybeWithSecret");
    vec![
        webhook((Post, ALL), "createWebhook", "Create a webhook", created)
            .tells("The secret is shown this once. It is generated when none is given.")
            .body("WebhookInput", STANDARD_BODY),
        webhook((Get, ALL), "listWebhooks", "List webhooks", Success::Page("Webhook"))
            .tells("In the order of their creation.")
            .takes(parameters::page()),
        webhook((Get, ONE), "readWebhook", "Read one webhook", Success::One("Webhook"))
            .tells("The webhook without its secret, and how its receiver does.")
            .takes(parameters::id(WEBHOOK))
            .fails(NO_WEBHOOK),
        webhook((Patch, ONE), "changeWebhook", "Change a webhook", changed)
            .tells(
                "What is absent stays. Switching it off skips what was to be delivered, switching it on makes it well \
                 again. A new secret counts as a rotation with a grace of a day, and is shown this once.",
            )
            .takes(parameters::id(WEBHOOK))
            .body("WebhookChange", STANDARD_BODY)
            .fails(NO_WEBHOOK),
        webhook((Delete, ONE), "deleteWebhook", "Delete a webhook", Success::Nothing)
            .tells("What was to be delivered to it is cancelled, and stays to be seen without its payload.")
            .takes(parameters::id(WEBHOOK))
            .fails(NO_WEBHOOK),
    ]
}

fn secrets() -> Vec<Row> {
    const ROTATE: &str = "/webhooks/{id}/rotate-secret";
    const PREVIOUS: &str = "/webhooks/{id}/previous-secrets";
    const TEST: &str = "/webhooks/{id}/test";
    let rotated = Success::One("WebhookWithSecret");
    vec![
        webhook((Post, ROTATE), "rotateSecret", "Give a webhook a new secret", rotated)
            .tells(
                "The secret before it stays valid for `grace_seconds`, a day when none is input; meanwhile deliveries \
                 are signed with both. The new one is shown this once. The body may be left out.",
            )
            .takes(parameters::id(WEBHOOK))
            .body("RotationInput", STANDARD_BODY)
            .fails(NO_WEBHOOK),
        webhook((Delete, PREVIOUS), "endPreviousSecrets", "End the old secrets", Success::Nothing)
            .tells("From now on deliveries are signed with the current secret alone.")
            .takes(parameters::id(WEBHOOK))
            .fails(NO_WEBHOOK),
        webhook((Post, TEST), "testWebhook", "Send a test event", Success::One("TestAttempt"))
            .tells(
                "Sends an event of the kind `test` at once, to a webhook that is on or off, and answers with the attempt. \
                 It is never retried and touches no sync.",
            )
            .takes(parameters::id(WEBHOOK))
            .fails(NO_WEBHOOK),
    ]
}

fn deliveries() -> Vec<Row> {
    const ALL: &str = "/deliveries";
    const RECOVER: &str = "/deliveries/recover";
    const ONE: &str = "/deliveries/{id}";
    const RESEND: &str = "/deliveries/{id}/resend";
    let resent = Success::Accepted("Delivery");
    let recovered = Success::Accepted("Recovery");
    let one = Success::One("DeliveryDetail");
    vec![
        delivery((Get, ALL), "listDeliveries", "List deliveries", Success::Page("Delivery"))
            .tells("The newest first.")
            .takes(parameters::page())
            .takes(parameters::deliveries()),
        delivery((Post, RECOVER), "recoverDeliveries", "Deliver again what failed", recovered)
            .tells(
                "Every delivery to the webhook that became `exhausted` or `skipped` since then. Tests and what was \
                 cancelled are left out.",
            )
            .body("RecoveryInput", STANDARD_BODY)
            .fails(NO_WEBHOOK),
        delivery((Get, ONE), "readDelivery", "Read one delivery with its attempts", one)
            .tells("What is sent, and every attempt.")
            .takes(parameters::id(DELIVERY))
            .fails(&[Code::DeliveryNotFound]),
        delivery((Post, RESEND), "resendDelivery", "Deliver again", resent)
            .tells(
                "Whatever its state: at once, under the same event id, with retries by the whole schedule, and to a webhook \
                 that is off once. One that is in progress is tried again only if the running attempt fails.",
            )
            .takes(parameters::id(DELIVERY))
            .fails(&[Code::DeliveryNotFound, Code::WebhookNotFound]),
    ]
}
