//! A restore drill at scale: a filled database is backed up under load and restored elsewhere, and everything that was
//! acknowledged before must be there. The figures are printed.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::database::{Durability, ThrowawayPostgres};
use crate::load::{EMAILS, Latencies, Load};
use crate::service::{Service, write_key_file};
use crate::torture::Kind;
use crate::{cargo, process, report};

/// How long the load runs before the backup, for comparison.
const BEFORE: Duration = Duration::from_secs(10);

/// How many clients create contacts.
const CLIENTS: usize = 4;

/// Options of the drill.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of contacts
    #[arg(long, default_value_t = 1_000_000)]
    contacts: u64,
    /// The database
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Kind,
    /// Use the development build
    #[arg(long)]
    debug: bool,
}

/// The two databases of a drill.
struct Site {
    _server: Option<ThrowawayPostgres>,
    directory: tempfile::TempDir,
    live: String,
    restored: String,
    programs: PathBuf,
    key_file: String,
}

/// Runs the task.
pub(crate) fn run(options: &Options) -> Result<()> {
    let profile = if options.debug { "debug" } else { "release" };
    build(profile)?;
    let site = Site::prepare(options.database, profile)?;
    let key = site.fill(options.contacts)?;
    let backup = site.directory.path().join("hub.backup").display().to_string();
    let (made, acknowledged) = site.back_up_under_load(&key, &backup)?;
    let restored = site.timed("restored", &["restore", &backup], &site.restored)?;
    ensure!(restored.get("rows") == made.get("rows"), "tables differ: {made} {restored}");
    site.timed("checked", &["check"], &site.restored)?;
    site.expect(&key, &acknowledged)
}

fn build(profile: &str) -> Result<()> {
    let mut command = cargo::command(&["build", "--quiet", "--bins"]);
    command.args(["--package", "contact-hub", "--package", "contact-hub-tests"]);
    if profile == "release" {
        command.arg("--release");
    }
    process::run(&mut command)
}

impl Site {
    fn prepare(kind: Kind, profile: &str) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("contact-hub-drill-").tempdir()?;
        let key_file = write_key_file(directory.path())?.display().to_string();
        let programs = cargo::workspace_root().join("target").join(profile);
        let (server, [live, restored]) = match kind {
            Kind::Sqlite => {
                let file = |name| format!("sqlite://{}", directory.path().join(name).display());
                (None, [file("hub.db"), file("restored.db")])
            }
            Kind::Postgres => {
                let server = ThrowawayPostgres::start(Durability::Durable)?;
                server.sql("postgres", "CREATE DATABASE restored")?;
                let urls = [server.url(), server.url_of("restored")];
                (Some(server), urls)
            }
        };
        Ok(Self { _server: server, directory, live, restored, programs, key_file })
    }

    /// Creates the contacts; returns a key of their company.
    fn fill(&self, contacts: u64) -> Result<String> {
        let (began, count) = (Instant::now(), contacts.to_string());
        let mut seed = Command::new(self.programs.join("seed"));
        seed.args(["--contacts", &count, "--database-url", &self.live]);
        let made: Value = serde_json::from_str(&process::capture(&mut seed)?)?;
        report::line(&format!("{contacts} contacts in {:.1} s", began.elapsed().as_secs_f64()));
        let token = made.get("token").and_then(Value::as_str);
        Ok(token.context("the seed prints no token")?.to_owned())
    }

    /// The report of the backup, and the emails that were acknowledged before it began.
    fn back_up_under_load(&self, key: &str, backup: &str) -> Result<(Value, Vec<String>)> {
        let program = self.programs.join("contact-hub");
        let service = Service::on_filled(&program, self.directory.path(), &self.live, &[])?;
        let runtime = Runtime::new()?;
        let load = Load::start(&runtime, key, std::slice::from_ref(&service.base), CLIENTS)?;
        let started = Instant::now();
        runtime.block_on(async { tokio::time::sleep(BEFORE).await });
        let acknowledged = load.created().into_iter().map(|created| created.email).collect();
        let began = Instant::now();
        let made = self.timed("backed up", &["backup", backup], &self.live)?;
        let ended = Instant::now();
        let outcome = load.stop(&runtime)?;
        ensure!(outcome.failed == 0, "calls failed: {}", outcome.failures.join("; "));
        let before = Latencies::between(&outcome.created, started, began);
        let during = Latencies::between(&outcome.created, began, ended);
        report::line(&format!("  before:  {}", before.text()));
        report::line(&format!("  during:  {}", during.text()));
        Ok((made, acknowledged))
    }

    /// Runs a command of the service and prints how long it took; returns the JSON that it prints.
    fn timed(&self, done: &str, arguments: &[&str], database: &str) -> Result<Value> {
        let began = Instant::now();
        let mut command = Command::new(self.programs.join("contact-hub"));
        command.args(arguments).args(["--database-url", database]);
        command.env("CONTACT_HUB_SECRET_KEY_FILE", &self.key_file);
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        // Warnings of a check are no failure.
        let failed = !matches!(output.status.code(), Some(0 | 1)) || text.is_empty();
        ensure!(!failed, "{} {text}", String::from_utf8_lossy(&output.stderr).trim());
        let seconds = began.elapsed().as_secs_f64();
        let told: Value = serde_json::from_str(&text)?;
        let bytes = told.get("bytes").and_then(Value::as_u64).unwrap_or_default();
        let size = if bytes > 0 { format!(", {} MB", bytes / 1_000_000) } else { String::new() };
        report::line(&format!("{done} in {seconds:.1} s{size}"));
        Ok(told)
    }

    /// The restored database is served, and has every acknowledged contact.
    fn expect(&self, key: &str, emails: &[String]) -> Result<()> {
        let program = self.programs.join("contact-hub");
        let began = Instant::now();
        let service = Service::on_filled(&program, self.directory.path(), &self.restored, &[])?;
        report::line(&format!("served after {:.1} s", began.elapsed().as_secs_f64()));
        let runtime = Runtime::new()?;
        let http = reqwest::Client::builder().no_proxy().build()?;
        let missing = runtime.block_on(async {
            let mut missing = Vec::new();
            for email in emails {
                let url = format!("{}/api/public/v1/contacts?search={email}", service.base);
                let answer = http.get(url).bearer_auth(key).send().await?.text().await?;
                if !answer.contains(&format!("\"{email}\"")) {
                    missing.push(email.clone());
                }
            }
            anyhow::Ok(missing)
        })?;
        ensure!(
            missing.is_empty(),
            "{} of {} are missing: {missing:?}",
            missing.len(),
            emails.len()
        );
        report::line(&format!("all {} acknowledged contacts ({EMAILS}…) are found", emails.len()));
        Ok(())
    }
}
