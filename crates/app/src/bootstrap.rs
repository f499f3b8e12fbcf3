//! Creates the first company of an empty database and announces it once.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use contact_hub_domain::access::{self, Bootstrapped};
use contact_hub_domain::context::AccessPorts;
use contact_hub_storage::DatabaseUrl;

use crate::database_flag::{database_flag, lacks_password};

/// Creates the first company if there is none. The returned key and link are never shown again.
pub async fn first_company(ports: &AccessPorts) -> Result<Option<Bootstrapped>> {
    access::bootstrap(ports).await.context("the first company cannot be created")
}

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(500);

/// Like [`first_company`], but retries within this time when it fails, for example because the database falls silent.
pub async fn first_company_within(
    ports: &AccessPorts,
    limit: Duration,
) -> Result<Option<Bootstrapped>> {
    let began = Instant::now();
    loop {
        match first_company(ports).await {
            Err(error) if began.elapsed() + PAUSE < limit => {
                let cause = format!("{error:#}");
                tracing::warn!(cause, "the first company was not created; retrying");
                tokio::time::sleep(PAUSE).await;
            }
            outcome => return outcome,
        }
    }
}

/// The announcement for the operator. Its command leads to the same database.
#[must_use]
pub fn announcement(first: &Bootstrapped, public_url: &str, database: &DatabaseUrl) -> String {
    let token = first.key.token.reveal();
    let flag = database_flag(database);
    let hint = if lacks_password(database) {
        "For another one, with the password in the address of the database:"
    } else {
        "For another one:"
    };
    format!(
        "\nThe database was empty, so it has a first company now.\n  \
         company  {}\n  API key  {token}\n  sign in  {}\n\n\
         The key has all permissions and is shown only this once. Try it:\n\n  \
         curl -H 'Authorization: Bearer {token}' {public_url}/api/public/v1/fields\n\n\
         The address signs its owner in once, within a day; choose a password there. {hint}\n\n  \
         contact-hub user sign-in-link --public-url {public_url} --id {}{flag}\n",
        first.company.id,
        first.link.url(public_url),
        first.owner.id
    )
}
