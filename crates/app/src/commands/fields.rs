//! `contact-hub fields …`: custom fields of a running service.

use anyhow::Result;
use clap::Subcommand;
use contact_hub_client::Field;
use serde_json::{Map, Value, json};

use super::listing::{ListSettings, Rows, members};
use super::remote::RemoteSettings;

/// The commands for fields.
#[derive(Subcommand, Debug)]
pub enum FieldsCommand {
    /// List fields in the order of their creation
    List {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// How the list is printed
        #[command(flatten)]
        list: ListSettings,
    },
}

/// Runs it.
pub async fn run(command: FieldsCommand) -> Result<()> {
    let FieldsCommand::List { remote, list } = command;
    let fields = remote.hub()?.list_fields().await.map_err(|error| remote.failure(error))?;
    Rows::of(fields.data.iter().map(row).collect(), &list).print("fields", &list)
}

fn row(field: &Field) -> Map<String, Value> {
    members(json!({
        "id": field.id,
        "key": field.key,
        "name": field.name,
        "type": field.r#type,
        "filterable": field.filterable,
        "archived": field.archived,
    }))
}
