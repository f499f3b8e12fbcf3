//! The first parameter of every use case: the caller, and the ports of one capability.
//!
//! A service binds only the groups of the capabilities that it uses. [`Ports`] has all of them.

use std::sync::Arc;

use crate::access::{
    AccessStore, Caller, FailedSignIns, KeyUses, OidcPorts, PasskeyStore, PasskeyVerifier,
    PasswordHasher, RateLimiter, SessionStore, TwoStepStore,
};
use crate::alerts::{AlertQueue, AlertStore};
use crate::audit::AuditStore;
use crate::author::{Author, Call};
use crate::changes::ChangeStore;
use crate::contacts::{BlockedEmails, ContactStore, ErasureStore, ViewStore};
use crate::fields::FieldStore;
use crate::idempotency::CallStore;
use crate::limits::Limits;
use crate::live::LiveStore;
use crate::overview::{CallCounts, OverviewStore};
use crate::ports::{Clock, Ids, Randomness};
use crate::sync::{Links, SyncStore};
use crate::webhooks::{
    DeliveryQueue, DeliverySignal, TestPlaces, UrlPolicy, Vault, WebhookSender, WebhookStore,
};

/// What every capability needs besides its stores.
#[derive(Clone)]
pub struct Environment {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Source of ids.
    pub ids: Arc<dyn Ids>,
    /// Source of unguessable bytes.
    pub randomness: Arc<dyn Randomness>,
    /// The maximum number of webhooks, keys, fields, users and integrations.
    pub limits: Limits,
}

/// The ports of contacts and their fields.
#[derive(Clone)]
pub struct ContactPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores contacts.
    pub contacts: Arc<dyn ContactStore>,
    /// Stores fields.
    pub fields: Arc<dyn FieldStore>,
    /// Emails that contacts may not have; `None` for a program that blocks none.
    pub blocked_emails: Option<Arc<BlockedEmails>>,
}

/// The ports of erasing contacts.
#[derive(Clone)]
pub struct ErasurePorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Erases contacts.
    pub erasures: Arc<dyn ErasureStore>,
    /// Stores fields.
    pub fields: Arc<dyn FieldStore>,
    /// Emails of erased people that may not come back.
    pub blocked_emails: Arc<BlockedEmails>,
}

/// The ports of saved views.
#[derive(Clone)]
pub struct ViewPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores views.
    pub views: Arc<dyn ViewStore>,
}

/// The ports of companies, users, keys and sessions.
#[derive(Clone)]
pub struct AccessPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores companies, users and keys.
    pub access: Arc<dyn AccessStore>,
    /// Stores passwords, sessions and one-time links.
    pub sessions: Arc<dyn SessionStore>,
    /// Hashes passwords.
    pub passwords: Arc<dyn PasswordHasher>,
    /// When keys were last used, until it is recorded.
    pub key_uses: Arc<KeyUses>,
    /// Counts calls.
    pub rate_limiter: Arc<dyn RateLimiter>,
    /// Failed attempts to sign in, until they are recorded.
    pub failed_sign_ins: Arc<FailedSignIns>,
    /// Records failed attempts to sign in.
    pub audit: Arc<dyn AuditStore>,
    /// How many calls companies make, until it is recorded.
    pub calls: Arc<CallCounts>,
    /// Stores the secrets of two-step verification.
    pub two_step: Arc<dyn TwoStepStore>,
    /// Seals and opens these secrets.
    pub vault: Arc<dyn Vault>,
    /// Stores passkeys.
    pub passkeys: Arc<dyn PasskeyStore>,
    /// Checks the answers of authenticators; `None` when the address of the service allows no passkeys.
    pub passkey_verifier: Option<Arc<dyn PasskeyVerifier>>,
    /// Sign-in by identity providers.
    pub oidc: OidcPorts,
}

/// The ports of assets, integrations and syncs.
#[derive(Clone)]
pub struct SyncPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores assets, integrations and syncs.
    pub sync: Arc<dyn SyncStore>,
    /// The addresses that receivers of events call.
    pub links: Links,
    /// Wakes the worker that delivers.
    pub signal: Arc<dyn DeliverySignal>,
}

/// The ports of webhooks.
#[derive(Clone)]
pub struct WebhookPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores webhooks and their deliveries.
    pub webhooks: Arc<dyn WebhookStore>,
    /// Wakes the worker that delivers.
    pub signal: Arc<dyn DeliverySignal>,
    /// Sends to webhooks.
    pub sender: Arc<dyn WebhookSender>,
    /// Seals and opens the secrets of webhooks.
    pub vault: Arc<dyn Vault>,
    /// Which addresses webhooks may have.
    pub url_policy: Arc<UrlPolicy>,
    /// The tests of webhooks that run.
    pub tests: Arc<TestPlaces>,
}

/// The port of the change feed.
#[derive(Clone)]
pub struct ChangePorts {
    /// Stores the feeds.
    pub changes: Arc<dyn ChangeStore>,
}

/// The port of pages that show changes by themselves.
#[derive(Clone)]
pub struct LivePorts {
    /// Notices changes.
    pub live: Arc<dyn LiveStore>,
}

/// The ports of calls with an idempotency key.
#[derive(Clone)]
pub struct IdempotencyPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores their answers.
    pub calls: Arc<dyn CallStore>,
    /// Seals answers with secrets.
    pub vault: Arc<dyn Vault>,
}

/// The port of the audit.
#[derive(Clone)]
pub struct AuditPorts {
    /// Stores the audits.
    pub audit: Arc<dyn AuditStore>,
}

/// The ports of the overview.
#[derive(Clone)]
pub struct OverviewPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores the figures.
    pub overview: Arc<dyn OverviewStore>,
    /// How many calls companies make, until it is recorded.
    pub calls: Arc<CallCounts>,
}

/// The ports of alerts.
#[derive(Clone)]
pub struct AlertPorts {
    /// Time, ids, randomness and limits.
    pub environment: Environment,
    /// Stores what users chose, and alerts.
    pub alerts: Arc<dyn AlertStore>,
    /// Whether the service can send emails.
    pub sends_emails: bool,
}

/// The ports of all capabilities.
#[derive(Clone)]
pub struct Ports {
    /// The environment that all groups share.
    pub environment: Environment,
    /// Contacts and fields.
    pub contacts: ContactPorts,
    /// Erasing contacts.
    pub erasures: ErasurePorts,
    /// Saved views.
    pub views: ViewPorts,
    /// Companies, users, keys and sessions.
    pub access: AccessPorts,
    /// Assets, integrations and syncs.
    pub sync: SyncPorts,
    /// Webhooks.
    pub webhooks: WebhookPorts,
    /// The change feed.
    pub changes: ChangePorts,
    /// Pages that show changes by themselves.
    pub live: LivePorts,
    /// Calls with an idempotency key.
    pub idempotency: IdempotencyPorts,
    /// The audit.
    pub audit: AuditPorts,
    /// The overview.
    pub overview: OverviewPorts,
    /// Which alerts users get.
    pub alerts: AlertPorts,
    /// The emails that wait, for the worker.
    pub mails: Arc<dyn AlertQueue>,
    /// The deliveries that are due, for the worker.
    pub deliveries: Arc<dyn DeliveryQueue>,
}

/// An authenticated caller with the ports of one capability.
#[derive(Clone, Copy)]
pub struct Context<'a, P> {
    /// The ports.
    pub ports: &'a P,
    /// The caller; every use case is limited to this caller's company.
    pub caller: &'a Caller,
    /// The call.
    pub call: &'a Call,
}

impl<P> Context<'_, P> {
    /// The author of the changes that the use case makes.
    #[must_use]
    pub fn author(&self) -> Author {
        Author {
            company: self.caller.company.id,
            user: Some(self.caller.user_id),
            call: self.call.clone(),
        }
    }
}

impl AsRef<ContactPorts> for Ports {
    fn as_ref(&self) -> &ContactPorts {
        &self.contacts
    }
}

impl AsRef<ErasurePorts> for Ports {
    fn as_ref(&self) -> &ErasurePorts {
        &self.erasures
    }
}

impl AsRef<ViewPorts> for Ports {
    fn as_ref(&self) -> &ViewPorts {
        &self.views
    }
}

impl AsRef<AccessPorts> for Ports {
    fn as_ref(&self) -> &AccessPorts {
        &self.access
    }
}

impl AsRef<SyncPorts> for Ports {
    fn as_ref(&self) -> &SyncPorts {
        &self.sync
    }
}

impl AsRef<AuditPorts> for Ports {
    fn as_ref(&self) -> &AuditPorts {
        &self.audit
    }
}

impl AsRef<OverviewPorts> for Ports {
    fn as_ref(&self) -> &OverviewPorts {
        &self.overview
    }
}

impl AsRef<AlertPorts> for Ports {
    fn as_ref(&self) -> &AlertPorts {
        &self.alerts
    }
}

impl AsRef<ChangePorts> for Ports {
    fn as_ref(&self) -> &ChangePorts {
        &self.changes
    }
}

impl AsRef<WebhookPorts> for Ports {
    fn as_ref(&self) -> &WebhookPorts {
        &self.webhooks
    }
}
