//! Binds an adapter to every port.

use std::sync::Arc;

use anyhow::{Context, Result};
use contact_hub_domain::access::{
    OidcClient, OidcPorts, OidcProvider, PasskeyVerifier, RateLimiter,
};
use contact_hub_domain::alerts::Mailer;
use contact_hub_domain::contacts::BlockedEmails;
use contact_hub_domain::context::{
    AccessPorts, AlertPorts, AuditPorts, ChangePorts, ContactPorts,
    Environment as DomainEnvironment, ErasurePorts, IdempotencyPorts, LivePorts, OverviewPorts,
    Ports, SyncPorts, ViewPorts, WebhookPorts,
};
use contact_hub_domain::ids::InstanceId;
use contact_hub_domain::limits::Limits;
use contact_hub_domain::overview::CallCounts;
use contact_hub_domain::ports::{Clock, Ids, Randomness};
use contact_hub_domain::sync::Links;
use contact_hub_domain::webhooks::{UrlPolicy, Vault, WebhookSender};
use contact_hub_sender::{ClientLimits, HttpOidcClient, HttpSender, SystemLookup, WorkerSignal};
use contact_hub_storage::Storage;

use crate::adapters::{
    Argon2idHasher, InMemoryRateLimiter, LeasingRateLimiter, MasterKeyVault, Quotas, SystemClock,
    SystemRandomness, TimeOrderedIds, WebauthnVerifier,
};
use crate::master_key::MasterKey;

/// The ports that are not stores; tests bring their own.
#[derive(Clone)]
pub struct Environment {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether the database's clock replaces it, as it must when several instances share a database.
    pub follows_database: bool,
    /// The source of ids.
    pub ids: Arc<dyn Ids>,
    /// The source of unguessable bytes.
    pub randomness: Arc<dyn Randomness>,
    /// Whether background tasks run: deliveries, recording the uses of keys, retention.
    pub has_background: bool,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            follows_database: true,
            ids: Arc::new(TimeOrderedIds),
            randomness: Arc::new(SystemRandomness),
            has_background: true,
        }
    }
}

/// The ports for what the service sends: webhooks, emails, and requests to identity providers.
pub struct Outbound {
    /// Seals and opens their secrets.
    pub vault: Arc<dyn Vault>,
    /// Makes attempts.
    pub sender: Arc<dyn WebhookSender>,
    /// Wakes the worker.
    pub signal: Arc<WorkerSignal>,
    /// Which addresses are allowed.
    pub url_policy: Arc<UrlPolicy>,
    /// Sends emails; `None` when no mail server is set.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Communicates with identity providers.
    pub oidc: Arc<dyn OidcClient>,
    /// The operator's identity providers.
    pub providers: Arc<[OidcProvider]>,
}

impl Outbound {
    /// The ports for these keys and for the addresses that the policy permits.
    pub fn new(
        environment: &Environment,
        keys: &[MasterKey],
        policy: UrlPolicy,
        mailer: Option<Arc<dyn Mailer>>,
        providers: Arc<[OidcProvider]>,
    ) -> Result<Self> {
        let vault: Arc<dyn Vault> =
            Arc::new(MasterKeyVault::new(keys, Arc::clone(&environment.randomness)));
        let sender = HttpSender::new(
            policy.clone(),
            ClientLimits::default(),
            Arc::new(SystemLookup),
            Arc::clone(&vault),
            Arc::clone(&environment.clock),
        );
        let sender = Arc::new(sender.context("webhooks cannot be sent")?);
        let oidc = HttpOidcClient::new(policy.clone(), Arc::new(SystemLookup));
        let oidc = Arc::new(oidc.context("identity providers cannot be asked")?);
        let (signal, url_policy) = (Arc::default(), Arc::new(policy));
        Ok(Self { vault, sender, signal, url_policy, mailer, oidc, providers })
    }
}

/// All ports, with the storage behind every store port.
#[must_use]
pub fn ports(
    environment: &Environment,
    limits: Limits,
    storage: &Storage,
    quotas: Quotas,
    outbound: &Outbound,
    public_url: &str,
) -> Ports {
    let environment = DomainEnvironment {
        clock: Arc::clone(&environment.clock),
        ids: Arc::clone(&environment.ids),
        randomness: Arc::clone(&environment.randomness),
        limits,
    };
    let storage = Arc::new(storage.clone());
    let blocked_emails = blocked_emails(&environment, &storage, outbound);
    let calls = Arc::new(CallCounts::new(InstanceId::new(environment.ids.next())));
    Ports {
        contacts: contact_ports(&environment, &storage, &blocked_emails),
        views: ViewPorts { environment: environment.clone(), views: storage.clone() },
        access: access_ports(&environment, &storage, (quotas, &calls), outbound, public_url),
        overview: OverviewPorts {
            environment: environment.clone(),
            overview: storage.clone(),
            calls,
        },
        erasures: ErasurePorts {
            environment: environment.clone(),
            erasures: storage.clone(),
            fields: storage.clone(),
            blocked_emails,
        },
        sync: sync_ports(&environment, &storage, outbound, public_url),
        webhooks: webhook_ports(&environment, &storage, outbound),
        alerts: alert_ports(&environment, &storage, outbound),
        mails: storage.clone(),
        audit: AuditPorts { audit: storage.clone() },
        changes: ChangePorts { changes: storage.clone() },
        live: LivePorts { live: storage.clone() },
        idempotency: idempotency_ports(&environment, &storage, outbound),
        deliveries: storage,
        environment,
    }
}

fn alert_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    outbound: &Outbound,
) -> AlertPorts {
    AlertPorts {
        environment: environment.clone(),
        alerts: storage.clone(),
        sends_emails: outbound.mailer.is_some(),
    }
}

fn sync_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    outbound: &Outbound,
    public_url: &str,
) -> SyncPorts {
    SyncPorts {
        environment: environment.clone(),
        sync: storage.clone(),
        links: Links::new(public_url),
        signal: outbound.signal.clone(),
    }
}

fn webhook_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    outbound: &Outbound,
) -> WebhookPorts {
    WebhookPorts {
        environment: environment.clone(),
        webhooks: storage.clone(),
        signal: outbound.signal.clone(),
        sender: Arc::clone(&outbound.sender),
        vault: Arc::clone(&outbound.vault),
        url_policy: Arc::clone(&outbound.url_policy),
        tests: Arc::default(),
    }
}

fn contact_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    blocked_emails: &Arc<BlockedEmails>,
) -> ContactPorts {
    ContactPorts {
        environment: environment.clone(),
        contacts: storage.clone(),
        fields: storage.clone(),
        blocked_emails: Some(Arc::clone(blocked_emails)),
    }
}

fn idempotency_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    outbound: &Outbound,
) -> IdempotencyPorts {
    IdempotencyPorts {
        environment: environment.clone(),
        calls: storage.clone(),
        vault: Arc::clone(&outbound.vault),
    }
}

fn access_ports(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    (quotas, calls): (Quotas, &Arc<CallCounts>),
    outbound: &Outbound,
    public_url: &str,
) -> AccessPorts {
    AccessPorts {
        environment: environment.clone(),
        access: storage.clone(),
        sessions: storage.clone(),
        passwords: Arc::new(Argon2idHasher::new(Arc::clone(&environment.randomness))),
        key_uses: Arc::default(),
        rate_limiter: rate_limiter(quotas, storage, environment.ids.as_ref()),
        failed_sign_ins: Arc::default(),
        audit: storage.clone(),
        calls: Arc::clone(calls),
        two_step: storage.clone(),
        vault: Arc::clone(&outbound.vault),
        passkeys: storage.clone(),
        passkey_verifier: passkey_verifier(public_url),
        oidc: OidcPorts {
            store: storage.clone(),
            company_providers: storage.clone(),
            url_policy: Arc::clone(&outbound.url_policy),
            client: Arc::clone(&outbound.oidc),
            providers: Arc::clone(&outbound.providers),
            public_url: public_url.into(),
        },
    }
}

/// The verifier of passkeys; `None` when the public address allows none.
fn passkey_verifier(public_url: &str) -> Option<Arc<dyn PasskeyVerifier>> {
    let verifier = WebauthnVerifier::of(public_url)?;
    Some(Arc::new(verifier))
}

fn blocked_emails(
    environment: &DomainEnvironment,
    storage: &Arc<Storage>,
    outbound: &Outbound,
) -> Arc<BlockedEmails> {
    let (ids, randomness) = (Arc::clone(&environment.ids), Arc::clone(&environment.randomness));
    let vault = Arc::clone(&outbound.vault);
    Arc::new(BlockedEmails::new(storage.clone(), vault, ids, randomness))
}

/// A call waits for the limits that instances share for the time that it may wait for the database, divided by this.
const PARTS_OF_WAIT: u32 = 12;

/// The limits that instances share with PostgreSQL, or those of the one process that uses SQLite.
fn rate_limiter(quotas: Quotas, storage: &Storage, ids: &dyn Ids) -> Arc<dyn RateLimiter> {
    match storage.shared_quotas() {
        Some(store) => {
            let instance = InstanceId::new(ids.next());
            let answered_within = store.wait() / PARTS_OF_WAIT;
            Arc::new(LeasingRateLimiter::new(quotas, instance, Arc::new(store), answered_within))
        }
        None => Arc::new(InMemoryRateLimiter::new(quotas)),
    }
}

/// The ports of a command, which answers no calls, seals no secrets and sends nothing.
pub fn command_ports(storage: &Storage) -> Result<Ports> {
    let environment = Environment::default();
    let outbound = Outbound::new(&environment, &[], UrlPolicy::default(), None, Arc::default())?;
    Ok(ports(&environment, Limits::default(), storage, Quotas::default(), &outbound, ""))
}
