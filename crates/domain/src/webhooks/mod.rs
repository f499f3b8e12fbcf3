//! Webhooks: the receivers of events, and the deliveries to them.
//!
//! # The life of a delivery
//!
//! An event and one delivery for each subscribed webhook are written in the transaction that causes the event. Events
//! that consist of entries of the change feed are made afterwards, in batches, for each webhook that follows the feed
//! ([`Follower`]). A worker
//! of any instance claims due deliveries with a lease ([`DeliveryQueue`]), sends them ([`WebhookSender`]) and records
//! the outcomes. No transaction stays open meanwhile. [`RetrySchedule`] decides the next attempt, [`settle()`] the
//! state of the delivery, [`Health`] whether the webhook is switched off, and [`Breaker`] how many attempts it gets.
//! After a crash the lease expires, and the delivery is claimed again with the same attempt number. So an event arrives
//! at least once, and a receiver recognizes repetitions by the event's id.

pub mod activity;
mod address;
mod attempt;
mod breaker;
mod cancelling;
mod change;
mod changes_event;
mod create;
mod delete;
mod deliveries_query;
mod delivery;
mod draft;
mod error;
mod event;
mod follower;
mod headers;
mod health;
mod list;
mod list_deliveries;
mod network;
mod payload_url;
mod port;
mod queue;
mod read;
mod read_delivery;
mod recover;
mod rekey;
mod resend;
mod resend_many;
mod retry;
mod rotate_secret;
mod search;
mod secret;
mod settle;
mod signature;
mod state;
mod test;
mod test_places;
mod vault;
mod webhook;

pub use address::Guard;
pub use attempt::{Answer, Attempt, AttemptOutcome, AttemptResult, ErrorClass, MAX_ANSWER};
pub use breaker::{Breaker, LONGEST_PAUSE};
pub use cancelling::CancelReason;
pub use change::{WebhookChange, change};
pub use changes_event::{ChangesBatch, MAX_ENTRIES};
pub use create::{WithSecret, create};
pub use delete::delete;
pub use deliveries_query::DeliveriesQuery;
pub use delivery::{Delivery, DeliveryDetail, Trigger};
pub use draft::{MAX_EVENTS, WebhookDraft};
pub use error::WebhooksError;
pub use event::{Event, EventKind, Subscriptions};
pub use follower::{Announced, Announcement, Follower, Followers};
pub use headers::Headers;
pub use health::{DisabledReason, FAILED_LIMIT, FAILING_AFTER, FAILING_LIMIT, Health, HealthNews};
pub use list::{list, names};
pub use list_deliveries::list_deliveries;
pub use network::{IpNetwork, NotANetwork};
pub use payload_url::{MAX_PAYLOAD_URL, PayloadUrl, UrlPolicy};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockWebhookStore;
pub use port::{ResendOutcome, SentTest, TestTarget, WebhookStore};
pub use queue::{
    Backlog, Claim, Claimed, Dead, DeliveryQueue, DeliverySignal, Look, MAX_ATTEMPTS_AT_ONCE,
    MAX_BACKLOG, Prefetch, Recorded, Taken, Walk, WebhookNotice, WebhookSender,
};
#[cfg(any(test, feature = "mocks"))]
pub use queue::{MockDeliveryQueue, MockDeliverySignal, MockWebhookSender};
pub use read::read;
pub use read_delivery::read_delivery;
pub use recover::{RecoveryDraft, recover};
#[cfg(any(test, feature = "mocks"))]
pub use rekey::MockSecretStore;
pub use rekey::{RekeyError, Rekeyed, Resealed, SecretStore, TriedSecrets, rekey, try_secrets};
pub use resend::resend;
pub use resend_many::{MAX_RESENT, ResendChoice, Resendable, resend_many, resendable};
pub use retry::{MAX_RETRY_AFTER, NextStep, RetrySchedule};
pub use rotate_secret::{
    DEFAULT_GRACE, MAX_GRACE, Rotation, RotationDraft, end_previous_secrets, rotate_secret,
};
pub use search::{DeliverySearch, FoundDeliveries, ListedDelivery, SEARCHED, search_deliveries};
pub use secret::{MAX_SECRET, MIN_SECRET, Secret};
pub use settle::{AttemptedDelivery, Ended, Settled, settle};
pub(crate) use signature::hmac_sha256;
pub use signature::signature_headers;
pub use state::DeliveryState;
pub use test::test;
pub use test_places::{MAX_TESTS, MAX_TESTS_OF_COMPANY, TestPlaces};
#[cfg(any(test, feature = "mocks"))]
pub use vault::MockVault;
pub use vault::{Sealed, Vault, VaultError};
pub use webhook::{MAX_WEBHOOK_NAME, NewSecret, Webhook, WebhookName};

/// The maximum number of earlier secrets that stay valid at once.
pub const MAX_PREVIOUS_SECRETS: usize = 2;
