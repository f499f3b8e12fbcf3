//! `contact-hub demo`: runs a whole sync on one machine, and prints each step.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use contact_hub_receiver::{Bound, Caller, Method, Options, Receiver, Step};
use contact_hub_storage::migrate;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::demo_report;
use crate::backup_settings::BackupSettings;
use crate::edge_settings::EdgeSettings;
use crate::hub::Hub;
use crate::limit_settings::LimitSettings;
use crate::mail_settings::MailSettings;
use crate::oidc_settings::OidcSettings;
use crate::otlp_settings::OtlpSettings;
use crate::output::print_line;
use crate::replica_settings::ReplicaSettings;
use crate::settings::{
    AUDIT_RETENTION_DAYS, CHANGES_RETENTION_DAYS, DatabaseSettings, ServeSettings, listen_address,
};
use crate::shutdown::StopSignals;
use crate::webhook_settings::WebhookSettings;
use crate::wire::Environment;
use crate::{bootstrap, logs};

/// How long the sync may take; it usually takes less than a second.
const PATIENCE: Duration = Duration::from_mins(1);

/// Settings of the demo. It uses a temporary database, which is deleted at the end.
#[derive(Args, Clone, Debug)]
pub struct DemoSettings {
    /// The address on which the service listens; port 0 picks a free one
    #[arg(long, default_value = "127.0.0.1:0", value_parser = listen_address)]
    pub listen: SocketAddr,

    /// Exit after the sync instead of running until Ctrl-C
    #[arg(long)]
    pub once: bool,
}

/// The participants.
struct Cast {
    made: demo_report::Made,
    caller: Caller,
    steps: UnboundedReceiver<Step>,
    _receiver: Receiver,
}

/// Runs the sync to its end, or until SIGTERM or Ctrl-C.
pub async fn run(settings: &DemoSettings) -> Result<()> {
    let _logs = logs::start("warn,actix_server=off,actix_http=off")?;
    let mut signals = StopSignals::listen()?;
    let folder = tempfile::tempdir().context("no directory for temporary files")?;
    let hub = start(settings, folder.path())?;
    let shown = tokio::select! {
        shown = show(&hub, folder.path(), settings.once) => shown,
        () = signals.next() => Ok(()),
    };
    hub.stop().await?;
    shown
}

/// Starts the service on a temporary database. Its webhooks may call this machine, which is forbidden otherwise.
fn start(settings: &DemoSettings, folder: &Path) -> Result<Hub> {
    let url = format!("sqlite://{}", folder.join("demo.db").display());
    let database_url = url.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    let database = DatabaseSettings {
        database_url,
        database_pooled: false,
        database_connections: 4,
        database_wait_ms: 3000,
        database_statement_ms: 20_000,
    };
    let serve = ServeSettings {
        audit_retention_days: AUDIT_RETENTION_DAYS,
        changes_retention_days: CHANGES_RETENTION_DAYS,
        listen: settings.listen,
        public_url: None,
        metrics_listen: None,
        metrics_token: None,
        secret_key_file: None,
        cors_origins: Vec::new(),
        rate_limit_standard: 1000,
        rate_limit_bulk: 60,
        database_start_wait_ms: 0,
        no_migrate: true,
        no_bootstrap: true,
        workers: Some(2),
        log: String::new(),
        edge: EdgeSettings::default(),
        replicas: ReplicaSettings::default(),
        limits: LimitSettings::default(),
        webhooks: webhooks_of_this_machine()?,
        mail: MailSettings::default(),
        oidc: OidcSettings::default(),
        backups: BackupSettings::default(),
        otlp: OtlpSettings::default(),
    };
    migrate(&database.database_url).context("the demo's database cannot be created")?;
    Hub::start(&database, &serve, &Environment::default())
}

fn webhooks_of_this_machine() -> Result<WebhookSettings> {
    let loopback = "127.0.0.0/8".parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    let allow_networks = vec![loopback];
    Ok(WebhookSettings { allow_http: true, allow_networks, ..WebhookSettings::default() })
}

async fn show(hub: &Hub, folder: &Path, once: bool) -> Result<()> {
    let mut cast = Box::pin(Cast::assemble(hub, folder)).await?;
    print_line(&demo_report::opening(&cast.made))?;
    let looped = tokio::time::timeout(PATIENCE, cast.play());
    looped.await.context("the sync did not end")??;
    if once {
        return Ok(());
    }
    print_line(&demo_report::closing(&cast.made))?;
    while let Some(step) = cast.steps.recv().await {
        print_line(&format!("receiver: {step}"))?;
    }
    Ok(())
}

impl Cast {
    /// Creates a company, a receiver, and over HTTP what an administrator creates: webhook, integration, asset.
    async fn assemble(hub: &Hub, folder: &Path) -> Result<Self> {
        let first =
            bootstrap::first_company(&hub.ports.access).await?.context("not a new database")?;
        let (url, key) = (hub.public_url.clone(), first.key.token.reveal().to_owned());
        let (caller, sign_in) = (Caller::new(&key)?, first.link.url(&url));
        let bound = Bound::to(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let hook = bound.hook();
        let make = async |path: &str, body: Value| made(&caller, &url, path, &body).await;
        let webhook = make("/webhooks", demo_report::webhook_body(&hook)).await?;
        let integration = make("/integrations", demo_report::integration_body()).await?;
        let asset = make("/assets", demo_report::asset_body()).await?;
        let secret = text(&webhook, "/secret")?;
        let (tell, steps) = unbounded_channel();
        let clock = Arc::clone(&hub.ports.environment.clock);
        let options = Options {
            hub: url.parse().context("the service's address is invalid")?,
            key: key.clone(),
            secret: secret.clone(),
            folder: folder.join("synced"),
            fail: false,
            now: Arc::new(move || clock.now().micros().div_euclid(1_000_000)),
            tell: Arc::new(move |step| drop(tell.send(step.clone()))),
        };
        let receiver = bound.start(options)?;
        let cast = demo_report::Made {
            webhook: text(&webhook, "/id")?,
            integration: text(&integration, "/id")?,
            asset: text(&asset, "/id")?,
            url,
            key,
            sign_in,
            secret,
            hook,
        };
        Ok(Self { made: cast, caller, steps, _receiver: receiver })
    }

    /// Requests a sync and prints its steps up to the final state.
    async fn play(&mut self) -> Result<()> {
        let path = format!("/assets/{}/syncs", self.made.asset);
        let body = json!({"integration_id": self.made.integration});
        let sync = made(&self.caller, &self.made.url, &path, &body).await?;
        print_line(&demo_report::requested(&self.made, &sync))?;
        loop {
            let step = self.steps.recv().await.context("the receiver has stopped")?;
            match &step {
                Step::Reported { .. } => {
                    print_line(&demo_report::step(&step))?;
                    break;
                }
                Step::Received(_) | Step::Fetched { .. } | Step::Written(_) => {
                    print_line(&demo_report::step(&step))?;
                }
                other => bail!("the receiver {other}"),
            }
        }
        let syncs = self.read(&path).await?;
        let delivery = self.delivered(&text(&sync, "/id")?).await?;
        print_line(&demo_report::ending(syncs.pointer("/0").unwrap_or(&Value::Null), &delivery))
    }

    /// The delivery, once its outcome is recorded: the report may arrive before that.
    async fn delivered(&self, sync: &str) -> Result<Value> {
        loop {
            let rows = self.read(&format!("/deliveries?filter[sync_id]={sync}")).await?;
            match rows.pointer("/0") {
                Some(row) if row.pointer("/state") == Some(&json!("succeeded")) => {
                    return Ok(row.clone());
                }
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    async fn read(&self, path: &str) -> Result<Value> {
        call(&self.caller, Method::GET, &self.made.url, path, None).await
    }
}

async fn made(caller: &Caller, url: &str, path: &str, body: &Value) -> Result<Value> {
    call(caller, Method::POST, url, path, Some(body)).await
}

/// Calls the management interface, and returns the payload of its answer.
async fn call(
    caller: &Caller,
    method: Method,
    url: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<Value> {
    let address = format!("{url}/api/manage/v1{path}");
    let mut answer = caller.call(method, &address, body).await?;
    let data = answer.json.pointer_mut("/data").map(Value::take);
    data.filter(|_| answer.is_success())
        .with_context(|| format!("{path}: {}", answer.description()))
}

fn text(json: &Value, pointer: &str) -> Result<String> {
    let text = json.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    text.with_context(|| format!("the answer has no {pointer}"))
}
