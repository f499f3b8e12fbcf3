//! `contact-hub api-key …`

use anyhow::Result;
use clap::Subcommand;
use contact_hub_domain::access::{AccessError, KeyDraft, create_key, revoke_key};
use contact_hub_domain::ids::{ApiKeyId, UserId};
use contact_hub_domain::input::Input;
use serde_json::json;

use super::{ports_on, refused};
use crate::output::print_line;
use crate::settings::DatabaseSettings;

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
        ApiKeyCommand::Revoke { id } => revoke(database, &id).await,
    }
}

async fn create(database: &DatabaseSettings, user: &str, draft: &KeyDraft) -> Result<()> {
    let user = UserId::parse(user).ok_or_else(|| refused(AccessError::UserNotFound))?;
    let created = create_key(&ports_on(database)?, None, user, draft).await.map_err(refused)?;
    let (id, token) = (created.key.id.to_string(), created.token.reveal());
    print_line(&json!({"id": id, "token": token}).to_string())
}

async fn revoke(database: &DatabaseSettings, id: &str) -> Result<()> {
    let id = ApiKeyId::parse(id).ok_or_else(|| refused(AccessError::ApiKeyNotFound))?;
    revoke_key(&ports_on(database)?, None, id).await.map_err(refused)?;
    print_line(&json!({"id": id.to_string()}).to_string())
}
