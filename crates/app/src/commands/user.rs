//! `contact-hub user …`

use anyhow::Result;
use clap::Subcommand;
use contact_hub_domain::access::{
    self, AccessError, LinkPurpose, Permission, User, UserDraft, create_link, create_user,
};
use contact_hub_domain::ids::{CompanyId, UserId};
use contact_hub_domain::property::Property;
use serde_json::{Map, Value, json};

use super::listing::{ListSettings, Rows, members, paged};
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
    /// List the users of a company in the order of their creation
    List {
        /// The id of the company
        #[arg(long)]
        company: String,
        /// How the list is printed
        #[command(flatten)]
        list: ListSettings,
    },
    /// Turn off the two-step verification and delete the passkeys of a user who has lost them
    ResetTwoStep {
        /// The id of the user
        #[arg(long)]
        id: String,
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
        UserCommand::List { company, list } => self::list(database, &company, &list).await,
        UserCommand::ResetTwoStep { id } => reset_two_step(database, &id).await,
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

async fn reset_two_step(database: &DatabaseSettings, id: &str) -> Result<()> {
    let user = UserId::parse(id).ok_or_else(|| refused(AccessError::UserNotFound))?;
    let was_on = access::reset_two_step(&ports_on(database)?, None, user).await.map_err(refused)?;
    print_line(&json!({"id": user.to_string(), "was_on": was_on}).to_string())
}

async fn list(database: &DatabaseSettings, company: &str, settings: &ListSettings) -> Result<()> {
    let unknown = || refused(AccessError::CompanyNotFound);
    let company = CompanyId::parse(company).ok_or_else(unknown)?;
    let access = ports_on(database)?.access;
    access.read_company(company).await?.ok_or_else(unknown)?;
    let rows = paged(settings, async |page| access.list_users(company, page).await, row).await?;
    Rows::of(rows, settings).print("users", settings)
}

fn row(user: &User) -> Map<String, Value> {
    members(json!({
        "id": user.id.to_string(),
        "email": user.email.as_str(),
        "permissions": user.permissions.iter().map(Permission::as_str).collect::<Vec<_>>(),
        "created_at": user.created_at.to_seconds_text(),
    }))
}
