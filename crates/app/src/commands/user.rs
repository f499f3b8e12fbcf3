//! `contact-hub user …`

use anyhow::Result;
use clap::Subcommand;
use contact_hub_domain::access::{AccessError, LinkPurpose, UserDraft, create_link, create_user};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::property::Property;
use serde_json::json;

use super::{ports_on, refused};
use crate::output::print_line;
use crate::settings::{DatabaseSettings, public_url};

/// The commands for API users.
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
        /// A permission: `contacts_api`, `download_email`, `manage_integrations`, publish or `manage_access`;
        /// repeatable
        #[arg(long = "permission")]
        permissions: Vec<String>,
    },
    /// Create a link with which a user can sign in once, within a day; it invalidates the previous link
    SignInLink {
        /// The id of the user
        #[arg(long)]
        id: String,
        /// The address under which browsers reach the service
        #[arg(
            long,
            env = "CONTACT_HUB_PUBLIC_URL",
            value_parser = public_url,
            default_value = "http://127.0.0.1:8080"
        )]
        public_url: String,
    },
}

/// Runs it.
pub async fn run(database: &DatabaseSettings, command: UserCommand) -> Result<()> {
    match command {
        UserCommand::Create { company, email, permissions } => {
            let permissions = permissions.iter().map(|word| Property::from(word.as_str()));
            let draft =
                UserDraft { email: email.as_str().into(), permissions: permissions.collect() };
            create(database, &company, &draft).await
        }
        UserCommand::SignInLink { id, public_url } => {
            sign_in_link(database, &id, &public_url).await
        }
    }
}

async fn create(database: &DatabaseSettings, company: &str, draft: &UserDraft) -> Result<()> {
    let company = CompanyId::parse(company).ok_or_else(|| refused(AccessError::CompanyNotFound))?;
    let user = create_user(&ports_on(database)?, company.into(), draft).await.map_err(refused)?;
    print_line(&json!({"id": user.id.to_string()}).to_string())
}

async fn sign_in_link(database: &DatabaseSettings, id: &str, public_url: &str) -> Result<()> {
    let user = UserId::parse(id).ok_or_else(|| refused(AccessError::UserNotFound))?;
    let ports = ports_on(database)?;
    let made = create_link(&ports, None, user, LinkPurpose::SignIn).await.map_err(refused)?;
    print_line(&json!({"url": made.url(public_url)}).to_string())
}
