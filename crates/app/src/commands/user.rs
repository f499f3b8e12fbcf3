//! `contact-hub user …`

use anyhow::Result;
use clap::Subcommand;
use contact_hub_domain::access::{AccessError, UserDraft, create_user};
use contact_hub_domain::given::{Given, GivenList};
use contact_hub_domain::ids::CompanyId;
use serde_json::json;

use super::{ports_on, refused};
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// What can be done with API users.
#[derive(Subcommand, Debug)]
pub enum UserCommand {
    /// Create an API user
    Create {
        /// The id of the user's company
        #[arg(long)]
        company: String,
        /// The user's email, unique in the company
        #[arg(long)]
        email: String,
        /// A permission: `contacts_api`, `download_email`, `manage_integrations`, publish or `manage_access`; repeatable
        #[arg(long = "permission")]
        permissions: Vec<String>,
    },
}

/// Runs it.
pub async fn run(database: &DatabaseSettings, command: UserCommand) -> Result<()> {
    let UserCommand::Create { company, email, permissions } = command;
    let draft = UserDraft {
        email: Given::Text(email),
        permissions: GivenList::Items(permissions.into_iter().map(Given::Text).collect()),
    };
    let company =
        CompanyId::parse(&company).ok_or_else(|| refused(AccessError::CompanyNotFound))?;
    let user = create_user(&ports_on(database)?, company, &draft).await.map_err(refused)?;
    print_line(&json!({"id": user.id.to_string()}).to_string())
}
