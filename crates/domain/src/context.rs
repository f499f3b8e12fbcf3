//! The first parameter of every use case: who asks, and through which ports the answer is found.

use std::sync::Arc;

use crate::access::{AccessStore, Caller, KeyUses, PasswordHasher, RateLimiter, SessionStore};
use crate::contacts::ContactStore;
use crate::fields::FieldStore;
use crate::limits::Limits;
use crate::ports::{Clock, Ids, Randomness};
use crate::sync::{Links, SyncStore};
use crate::webhooks::{
    DeliveryQueue, DeliverySignal, UrlPolicy, Vault, WebhookSender, WebhookStore,
};

/// Every port, bound once by whoever assembles a service.
#[derive(Clone)]
pub struct Ports {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Gives unguessable bytes.
    pub randomness: Arc<dyn Randomness>,
    /// When keys were last used, until it is recorded.
    pub key_uses: Arc<KeyUses>,
    /// Counts calls.
    pub rate_limiter: Arc<dyn RateLimiter>,
    /// Companies, users and keys.
    pub access: Arc<dyn AccessStore>,
    /// Passwords, sessions and one-time links.
    pub sessions: Arc<dyn SessionStore>,
    /// Hashes passwords.
    pub passwords: Arc<dyn PasswordHasher>,
    /// Fields.
    pub fields: Arc<dyn FieldStore>,
    /// Contacts.
    pub contacts: Arc<dyn ContactStore>,
    /// Assets, integrations and syncs.
    pub sync: Arc<dyn SyncStore>,
    /// The addresses that receivers of events call.
    pub links: Links,
    /// Webhooks and what was delivered to them.
    pub webhooks: Arc<dyn WebhookStore>,
    /// What is to be delivered.
    pub deliveries: Arc<dyn DeliveryQueue>,
    /// Wakes the worker that delivers.
    pub signal: Arc<dyn DeliverySignal>,
    /// Sends to webhooks.
    pub sender: Arc<dyn WebhookSender>,
    /// Seals and opens the secrets of webhooks.
    pub vault: Arc<dyn Vault>,
    /// Which addresses webhooks may have.
    pub url_policy: Arc<UrlPolicy>,
    /// How many webhooks, keys, fields, users and integrations there may be.
    pub limits: Limits,
}

/// An authenticated caller with the ports.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Every port.
    pub ports: &'a Ports,
    /// Who asks; every unit of work is bound to this caller's company.
    pub caller: &'a Caller,
}
