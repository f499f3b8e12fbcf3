//! `contact-hub company …`

use std::io::{self, Write as _};

use anyhow::Result;
use clap::Subcommand;
use contact_hub_domain::access::{
    self, AccessError, Company, CompanyDraft, DomainPattern, allow_oidc_domain, create_company,
    forbid_oidc_domain,
};
use contact_hub_domain::ids::CompanyId;
use contact_hub_domain::property::Property;
use serde_json::{Map, Value, json};

use super::company_delete::{delete, deletion_command};
use super::company_export::export;
use super::listing::{ListSettings, Rows, members};
use super::{ports_on, ports_on_new, refused, storage_on};
use crate::output::print_line;
use crate::settings::DatabaseSettings;
use crate::wire::command_ports;

/// The commands for companies.
#[derive(Subcommand, Debug)]
pub enum CompanyCommand {
    /// Create a company
    Create {
        /// Its name
        #[arg(long)]
        name: String,
        /// A domain of its contacts' emails, such as example.com or *.example.com; repeatable, without one every domain is
        /// allowed
        #[arg(long = "allowed-domain")]
        allowed_domains: Vec<String>,
        /// Create the company without the product access
        #[arg(long)]
        no_product_access: bool,
    },
    /// List companies in the order of their creation
    List {
        /// Only those after the company with this id
        #[arg(long)]
        after: Option<String>,
        /// How the list is printed
        #[command(flatten)]
        list: ListSettings,
    },
    /// Delete a company and everything of it, in batches; after an interruption the same command continues
    Delete {
        /// The id of the company
        #[arg(long)]
        id: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Allow a company the emails of a domain: on the sign-in page they lead to its identity provider
    AllowSignOnDomain {
        /// The id of the company
        #[arg(long)]
        id: String,
        /// The domain, such as example.com
        #[arg(long)]
        domain: String,
    },
    /// Take a domain from the company whose emails it has
    ForbidSignOnDomain {
        /// The domain
        #[arg(long)]
        domain: String,
    },
    /// Let the users of a company sign in with a password again, when nobody can sign in by its identity provider
    AllowPasswordSignIn {
        /// The id of the company
        #[arg(long)]
        id: String,
    },
    /// Write everything of a company to standard output, one JSON object in each line
    Export {
        /// The id of the company
        #[arg(long)]
        id: String,
    },
}

/// Runs it.
pub async fn run(database: &DatabaseSettings, command: CompanyCommand) -> Result<()> {
    match command {
        CompanyCommand::Create { name, allowed_domains, no_product_access } => {
            let domains = allowed_domains.iter().map(|it| Property::from(it.as_str()));
            let draft = CompanyDraft {
                name: name.as_str().into(),
                allowed_domains: domains.collect(),
                product_access: !no_product_access,
            };
            create(database, &draft).await
        }
        CompanyCommand::List { after, list } => self::list(database, after.as_deref(), &list).await,
        CompanyCommand::Delete { id, yes } => delete(database, &id, yes).await,
        CompanyCommand::AllowSignOnDomain { id, domain } => {
            let id = CompanyId::parse(&id).ok_or_else(|| refused(AccessError::CompanyNotFound))?;
            let allowed = allow_oidc_domain(&ports_on(database)?, id, &domain).await;
            allowed.map_err(refused)?;
            print_line(&json!({"domain": domain}).to_string())
        }
        CompanyCommand::ForbidSignOnDomain { domain } => {
            let was_allowed =
                forbid_oidc_domain(&ports_on(database)?, &domain).await.map_err(refused)?;
            anyhow::ensure!(was_allowed, "no company has the domain {domain}");
            print_line(&json!({"domain": domain}).to_string())
        }
        CompanyCommand::AllowPasswordSignIn { id } => allow_password_sign_in(database, &id).await,
        CompanyCommand::Export { id } => export(database, &id).await,
    }
}

async fn create(database: &DatabaseSettings, draft: &CompanyDraft) -> Result<()> {
    let company = create_company(&ports_on_new(database)?, draft).await.map_err(refused)?;
    print_line(&json!({"id": company.id.to_string()}).to_string())
}

async fn allow_password_sign_in(database: &DatabaseSettings, id: &str) -> Result<()> {
    let company = CompanyId::parse(id).ok_or_else(|| refused(AccessError::CompanyNotFound))?;
    let ports = ports_on(database)?;
    access::allow_password_sign_in(&ports, company.into()).await.map_err(refused)?;
    print_line(&json!({"id": company.to_string(), "password_sign_in": true}).to_string())
}

async fn list(
    database: &DatabaseSettings,
    after: Option<&str>,
    settings: &ListSettings,
) -> Result<()> {
    let after = match after {
        Some(id) => {
            Some(CompanyId::parse(id).ok_or_else(|| refused(AccessError::CompanyNotFound))?)
        }
        None => None,
    };
    let most = settings.limit.saturating_add(1);
    let storage = storage_on(database)?;
    let companies = command_ports(&storage)?.access.access.list_companies(after, most).await?;
    for company in storage.unfinished_deletions().await? {
        let notice = format!(
            "The company {company} is partly deleted: `{}` continues the deletion",
            deletion_command(company, &database.database_url)
        );
        writeln!(io::stderr(), "{notice}").ok();
    }
    Rows::of(companies.iter().map(row).collect(), settings).print("companies", settings)
}

fn row(company: &Company) -> Map<String, Value> {
    let domains = company.allowed_domains.patterns().iter().map(DomainPattern::as_str);
    members(json!({
        "id": company.id.to_string(),
        "name": company.name.as_str(),
        "product_access": company.product_access,
        "allowed_domains": domains.collect::<Vec<_>>(),
        "password_sign_in": company.password_sign_in,
        "created_at": company.created_at.to_seconds_text(),
    }))
}
