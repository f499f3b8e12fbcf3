//! A hub that runs in the test's process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use contact_hub::backup_settings::BackupSettings;
use contact_hub::edge_settings::EdgeSettings;
use contact_hub::hub::Hub;
use contact_hub::limit_settings::LimitSettings;
use contact_hub::mail_settings::MailSettings;
use contact_hub::oidc_settings::OidcSettings;
use contact_hub::otlp_settings::OtlpSettings;
use contact_hub::replica_settings::ReplicaSettings;
use contact_hub::settings::{DatabaseSettings, ServeSettings};
use contact_hub::webhook_settings::WebhookSettings;
use contact_hub::wire::Environment;

use crate::browser::Browser;
use crate::client::Client;
use crate::clock::TestClock;
use crate::company::{CompanyOptions, create_company};
use crate::database::TestDatabase;

/// A hub on a separate database.
pub struct TestHub {
    /// The hub.
    pub hub: Hub,
    /// Its clock.
    pub clock: TestClock,
    /// Its database.
    pub database: TestDatabase,
    http: reqwest::Client,
}

/// Runs a test on a fresh hub, and stops the hub after it.
pub async fn with_hub(test: impl AsyncFnOnce(&TestHub)) {
    with_settings(|_settings| {}, test).await;
}

/// Like [`with_hub`], with other settings.
pub async fn with_settings(
    change: impl FnOnce(&mut ServeSettings),
    test: impl AsyncFnOnce(&TestHub),
) {
    Box::pin(with_world(true, change, test)).await;
}

/// Runs a test on a fresh hub without background tasks, so that every statement belongs to a request.
pub async fn with_idle_hub(test: impl AsyncFnOnce(&TestHub)) {
    with_world(false, |_settings| {}, test).await;
}

/// Like [`with_idle_hub`], with other settings.
pub async fn with_idle_settings(
    change: impl FnOnce(&mut ServeSettings),
    test: impl AsyncFnOnce(&TestHub),
) {
    Box::pin(with_world(false, change, test)).await;
}

async fn with_world(
    has_background: bool,
    change: impl FnOnce(&mut ServeSettings),
    test: impl AsyncFnOnce(&TestHub),
) {
    let database = TestDatabase::migrated();
    let mut settings = serve_settings(&database);
    change(&mut settings);
    let mut way = database_settings(&database);
    (way.database_url, way.database_pooled) = database.service_address();
    run(way, settings, has_background, database, test).await;
}

/// Like [`with_hub`], with another address for the database.
pub async fn with_database(
    change: impl AsyncFnOnce(&TestDatabase, &mut DatabaseSettings),
    test: impl AsyncFnOnce(&TestHub),
) {
    let database = TestDatabase::migrated();
    let mut way = database_settings(&database);
    change(&database, &mut way).await;
    Box::pin(run(way, serve_settings(&database), true, database, test)).await;
}

async fn run(
    way: DatabaseSettings,
    settings: ServeSettings,
    has_background: bool,
    database: TestDatabase,
    test: impl AsyncFnOnce(&TestHub),
) {
    let clock = TestClock::default();
    let environment = Environment {
        clock: Arc::new(clock.clone()),
        has_background,
        follows_database: false,
        ..Environment::default()
    };
    let hub = Hub::start(&way, &settings, &environment).expect("a hub");
    let hub = TestHub { hub, clock, database, http: reqwest::Client::new() };
    test(&hub).await;
    let TestHub { hub, database, .. } = hub;
    hub.stop().await.expect("it stops");
    drop(database);
}

fn database_settings(database: &TestDatabase) -> DatabaseSettings {
    DatabaseSettings {
        database_url: database.url(),
        database_pooled: false,
        database_connections: 8,
        database_wait_ms: 20_000,
        database_statement_ms: 20_000,
    }
}

fn serve_settings(database: &TestDatabase) -> ServeSettings {
    ServeSettings {
        audit_retention_days: 400,
        changes_retention_days: 30,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        public_url: None,
        cors_origins: Vec::new(),
        metrics_listen: None,
        metrics_token: None,
        secret_key_file: Some(database.directory().join("hub.key")),
        rate_limit_standard: 0,
        rate_limit_bulk: 0,
        database_start_wait_ms: 0,
        no_migrate: true,
        no_bootstrap: true,
        workers: Some(2),
        log: "off".to_owned(),
        edge: EdgeSettings { rate_limit_pages: 0, ..EdgeSettings::default() },
        replicas: ReplicaSettings::default(),
        limits: LimitSettings::default(),
        webhooks: webhook_settings(),
        mail: MailSettings::default(),
        oidc: OidcSettings::default(),
        backups: BackupSettings::default(),
        otlp: OtlpSettings::default(),
    }
}

/// Allows webhooks to call receivers on this machine.
fn webhook_settings() -> WebhookSettings {
    WebhookSettings {
        allow_http: true,
        allow_networks: vec!["127.0.0.0/8".parse().expect("a network")],
        ..WebhookSettings::default()
    }
}

impl TestHub {
    /// A client of a new company with all permissions.
    pub async fn client(&self) -> Client {
        self.client_of(&CompanyOptions::default()).await
    }

    /// A client of a new company.
    pub async fn client_of(&self, options: &CompanyOptions) -> Client {
        let made = create_company(&self.hub.ports.access, options).await;
        Client::new(self.http.clone(), self.base(), made)
    }

    /// A signed-in user of a new company with all permissions, and a client of the same user.
    pub async fn browser(&self) -> (Browser, Client) {
        self.browser_of(&CompanyOptions::default()).await
    }

    /// A signed-in user of a new company, and a client of the same user.
    pub async fn browser_of(&self, options: &CompanyOptions) -> (Browser, Client) {
        let client = self.client_of(options).await;
        let browser = Browser::new(&self.base());
        browser.sign_in(&self.hub.ports.access, client.made.user).await;
        (browser, client)
    }

    /// The address of the hub.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.hub.address)
    }

    /// A client without a key.
    #[must_use]
    pub const fn http(&self) -> &reqwest::Client {
        &self.http
    }
}
