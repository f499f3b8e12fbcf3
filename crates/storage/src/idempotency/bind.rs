//! Ports whose stores belong to a call with a key.

use std::sync::Arc;

use contact_hub_domain::access::OidcPorts;
use contact_hub_domain::context::{
    AccessPorts, AlertPorts, ContactPorts, ErasurePorts, Ports, SyncPorts, ViewPorts, WebhookPorts,
};
use contact_hub_domain::webhooks::DeliverySignal;

use super::running::RunningCall;
use crate::Storage;

/// The same ports, with the storage of the call behind every store port of a use case.
pub(super) fn bind(storage: &Storage, running: &Arc<RunningCall>, ports: &Ports) -> Ports {
    let storage = Arc::new(storage.of_call(Arc::clone(running)));
    Ports {
        environment: ports.environment.clone(),
        contacts: contact_ports(&storage, &ports.contacts),
        erasures: ErasurePorts { erasures: storage.clone(), ..ports.erasures.clone() },
        views: ViewPorts { views: storage.clone(), ..ports.views.clone() },
        access: access_ports(&storage, &ports.access),
        sync: SyncPorts {
            environment: ports.sync.environment.clone(),
            sync: storage.clone(),
            links: ports.sync.links.clone(),
            signal: once_committed(running, &ports.sync.signal),
        },
        webhooks: WebhookPorts {
            environment: ports.webhooks.environment.clone(),
            webhooks: storage.clone(),
            signal: once_committed(running, &ports.webhooks.signal),
            sender: Arc::clone(&ports.webhooks.sender),
            vault: Arc::clone(&ports.webhooks.vault),
            url_policy: Arc::clone(&ports.webhooks.url_policy),
            tests: Arc::clone(&ports.webhooks.tests),
        },
        alerts: AlertPorts { alerts: storage, ..ports.alerts.clone() },
        mails: Arc::clone(&ports.mails),
        audit: ports.audit.clone(),
        overview: ports.overview.clone(),
        changes: ports.changes.clone(),
        live: ports.live.clone(),
        idempotency: ports.idempotency.clone(),
        deliveries: Arc::clone(&ports.deliveries),
    }
}

fn contact_ports(storage: &Arc<Storage>, ports: &ContactPorts) -> ContactPorts {
    ContactPorts {
        environment: ports.environment.clone(),
        contacts: storage.clone(),
        fields: storage.clone(),
        blocked_emails: ports.blocked_emails.clone(),
    }
}

fn access_ports(storage: &Arc<Storage>, ports: &AccessPorts) -> AccessPorts {
    AccessPorts {
        environment: ports.environment.clone(),
        access: storage.clone(),
        sessions: storage.clone(),
        passwords: Arc::clone(&ports.passwords),
        key_uses: Arc::clone(&ports.key_uses),
        rate_limiter: Arc::clone(&ports.rate_limiter),
        failed_sign_ins: Arc::clone(&ports.failed_sign_ins),
        audit: storage.clone(),
        calls: Arc::clone(&ports.calls),
        two_step: storage.clone(),
        vault: Arc::clone(&ports.vault),
        passkeys: storage.clone(),
        passkey_verifier: ports.passkey_verifier.clone(),
        oidc: OidcPorts {
            store: storage.clone(),
            company_providers: storage.clone(),
            ..ports.oidc.clone()
        },
    }
}

/// Wakes the worker once the write of a call is committed: before, there is nothing to deliver.
struct OnceCommitted {
    running: Arc<RunningCall>,
    signal: Arc<dyn DeliverySignal>,
}

fn once_committed(
    running: &Arc<RunningCall>,
    signal: &Arc<dyn DeliverySignal>,
) -> Arc<dyn DeliverySignal> {
    Arc::new(OnceCommitted { running: Arc::clone(running), signal: Arc::clone(signal) })
}

impl DeliverySignal for OnceCommitted {
    fn wake(&self) {
        let signal = Arc::clone(&self.signal);
        self.running.once_committed(move || signal.wake());
    }
}
