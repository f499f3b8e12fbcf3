//! A receiver for trying out an integration, or as a starting point for your own.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Parser;
use contact_hub_receiver::{Bound, Options, Step};
use url::Url;

/// Takes the webhook syncRequested, fetches the content, writes it to a folder and reports the result.
#[derive(Parser)]
struct Arguments {
    /// The service's public address
    #[arg(long)]
    hub: Url,
    /// The API key of a user with the permission `download_email`
    #[arg(long, env = "CONTACT_HUB_KEY", hide_env_values = true)]
    key: String,
    /// The webhook's secret
    #[arg(long, env = "CONTACT_HUB_WEBHOOK_SECRET", hide_env_values = true)]
    secret: String,
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:9000")]
    listen: SocketAddr,
    /// The folder for the content
    #[arg(long, default_value = "synced")]
    folder: PathBuf,
    /// Report every sync as failed
    #[arg(long)]
    fail: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    let Arguments { hub, key, secret, listen, folder, fail } = Arguments::parse();
    let bound = Bound::to(listen).await?;
    print(&format!("listening; the webhook's url is {}", bound.hook()));
    let tell = Arc::new(|step: &Step| print(&step.to_string()));
    let now = Arc::new(now);
    let _receiver = bound.start(Options { hub, key, secret, folder, fail, now, tell })?;
    tokio::signal::ctrl_c().await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a separate program, without ports")]
fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |passed| i64::try_from(passed.as_secs()).unwrap_or(i64::MAX))
}

#[expect(clippy::print_stdout, reason = "it reports its steps there")]
fn print(line: &str) {
    println!("{line}");
}
