//! `contact-hub api-key …`

use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Subcommand;
use contact_hub_domain::access::{AccessError, ApiKey, KeyDraft, create_key, revoke_key};
use contact_hub_domain::ids::{ApiKeyId, CompanyId, UserId};
use contact_hub_domain::input::Input;
use contact_hub_domain::page::Page;
use contact_hub_domain::time::Timestamp;
use serde_json::{Map, Value, json};

use super::listing::{ListSettings, Rows, members, paged};
use super::{ports_on, refused};
use crate::database_flag::database_flag;
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// How long services may accept a key after it was revoked. The command ends only then: after it the key is rejected.
const ACCEPTED_FOR: Duration = Duration::from_secs(1);

/// The commands for API keys.
#[derive(Subcommand, Debug)]
pub enum ApiKeyCommand {
    /// Create a key and print its token, which cannot be shown again
    Create {
        /// The id of the key's user
        #[arg(long)]
        user: String,
        /// A label
        #[arg(long)]
        name: Option<String>,
        /// When it expires, in RFC 3339; without this flag it never does
        #[arg(long)]
        expires_at: Option<String>,
    },
    /// List the keys of a user in the order of their creation, without their tokens
    List {
        /// The id of the user's company
        #[arg(long)]
        company: String,
        /// The id of the user
        #[arg(long)]
        user: String,
        /// How the list is printed
        #[command(flatten)]
        list: ListSettings,
    },
    /// Revoke a key
    Revoke {
        /// The id of the key
        #[arg(long)]
        id: String,
    },
}

/// Runs it.
pub async fn run(database: &DatabaseSettings, command: ApiKeyCommand) -> Result<()> {
    match command {
        ApiKeyCommand::Create { user, name, expires_at } => {
            let input = |text: Option<String>| text.map_or(Input::Absent, Input::Text);
            let draft = KeyDraft { name: input(name).into(), expires_at: input(expires_at).into() };
            create(database, &user, &draft).await
        }
        ApiKeyCommand::List { company, user, list } => {
            self::list(database, &company, &user, &list).await
        }
        ApiKeyCommand::Revoke { id } => revoke(database, &id).await,
    }
}

async fn create(database: &DatabaseSettings, user: &str, draft: &KeyDraft) -> Result<()> {
    let user = UserId::parse(user).ok_or_else(|| refused(AccessError::UserNotFound))?;
    let created = create_key(&ports_on(database)?, None, user, draft).await.map_err(refused)?;
    let (id, token) = (created.key.id.to_string(), created.token.reveal());
    let printed = print_line(&json!({"id": id, "token": token}).to_string());
    printed.with_context(|| {
        let flag = database_flag(&database.database_url);
        format!(
            "the key {id} was created, but its token is lost: revoke it with `contact-hub api-key revoke --id {id}{flag}`"
        )
    })
}

async fn revoke(database: &DatabaseSettings, id: &str) -> Result<()> {
    let id = ApiKeyId::parse(id).ok_or_else(|| refused(AccessError::ApiKeyNotFound))?;
    revoke_key(&ports_on(database)?, None, id).await.map_err(refused)?;
    tokio::time::sleep(ACCEPTED_FOR).await;
    print_line(&json!({"id": id.to_string()}).to_string())
}

async fn list(
    database: &DatabaseSettings,
    company: &str,
    user: &str,
    settings: &ListSettings,
) -> Result<()> {
    let unknown = || refused(AccessError::UserNotFound);
    let company = CompanyId::parse(company).ok_or_else(|| refused(AccessError::CompanyNotFound))?;
    let user = UserId::parse(user).ok_or_else(unknown)?;
    let access = ports_on(database)?.access;
    access.read_user(company, user).await?.ok_or_else(unknown)?;
    let list = async |page| {
        let keys = access.list_keys(company, user, page).await?;
        // A user who is deleted meanwhile has no more keys.
        Ok(keys.unwrap_or_else(|| Page::new(page, 0, Vec::new())))
    };
    let rows = paged(settings, list, row).await?;
    Rows::of(rows, settings).print("api_keys", settings)
}

fn row(key: &ApiKey) -> Map<String, Value> {
    members(json!({
        "id": key.id.to_string(),
        "name": key.name,
        "start": key.start,
        "expires_at": key.expires_at.map(Timestamp::to_seconds_text),
        "last_used_at": key.last_used_at.map(Timestamp::to_seconds_text),
        "revoked_at": key.revoked_at.map(Timestamp::to_seconds_text),
        "created_at": key.created_at.to_seconds_text(),
    }))
}
