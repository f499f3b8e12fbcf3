//! `contact-hub contacts …`: contacts of a running service.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write as _};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use contact_hub_client::{Contact, ContactHub, ContactQuery, FieldType, NewContact, Value};
use serde_json::{Map, json};

use super::listing::{ListSettings, Rows, members, print_properties};
use super::progress::{INCOMPLETE, Progress};
use super::remote::RemoteSettings;
use crate::output::{UNWRITABLE, print_line};

/// The commands for contacts.
#[derive(Subcommand, Debug)]
pub enum ContactsCommand {
    /// List contacts
    List {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// Which contacts
        #[command(flatten)]
        choice: ChoiceArguments,
        /// How the list is printed
        #[command(flatten)]
        list: ListSettings,
    },
    /// Show a contact with its field values
    Show {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// The id of the contact
        #[arg(long)]
        id: String,
        /// Print JSON on a terminal too
        #[arg(long)]
        json: bool,
    },
    /// Create a contact
    Create {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// The contact
        #[command(flatten)]
        contact: ContactArguments,
    },
    /// Delete a contact
    Delete {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// The id of the contact
        #[arg(long)]
        id: String,
    },
    /// Write contacts with their field values to standard output, one JSON object in each line
    Export {
        /// The service
        #[command(flatten)]
        remote: RemoteSettings,
        /// Which contacts
        #[command(flatten)]
        choice: ChoiceArguments,
    },
}

/// Which contacts, and in which order.
#[derive(Args, Debug)]
pub struct ChoiceArguments {
    /// Only contacts that match these words by email, first name or last name
    #[arg(long)]
    search: Option<String>,
    /// Only contacts with this value, such as `last_name=Lee`, `email.startsWith=ann` or `field:city=Bern`; repeatable
    #[arg(long = "filter", value_name = "NAME=VALUE", value_parser = pair)]
    filters: Vec<(String, String)>,
    /// Sort by this attribute, such as `last_name`, or `-created_at` for the newest first; repeatable
    #[arg(long = "sort", allow_hyphen_values = true)]
    sort: Vec<String>,
}

/// A contact to create.
#[derive(Args, Debug)]
pub struct ContactArguments {
    /// Its email
    #[arg(long)]
    email: String,
    /// The first name
    #[arg(long)]
    first_name: String,
    /// The last name
    #[arg(long)]
    last_name: String,
    /// The address of a picture
    #[arg(long)]
    avatar_url: Option<String>,
    /// A field value by the key of the field, such as `jobTitle=Engineer`; repeatable
    #[arg(long = "value", value_name = "KEY=VALUE", value_parser = pair)]
    values: Vec<(String, String)>,
}

/// Runs it.
pub async fn run(command: ContactsCommand) -> Result<()> {
    match command {
        ContactsCommand::List { remote, choice, list } => self::list(&remote, choice, &list).await,
        ContactsCommand::Show { remote, id, json } => show(&remote, &id, json).await,
        ContactsCommand::Create { remote, contact } => create(&remote, contact).await,
        ContactsCommand::Delete { remote, id } => {
            let deleted = remote.hub()?.delete_contact(&id).await;
            deleted.map_err(|error| remote.failure(error))?;
            print_line(&json!({"id": id}).to_string())
        }
        ContactsCommand::Export { remote, choice } => export(&remote, choice).await,
    }
}

async fn list(
    remote: &RemoteSettings,
    choice: ChoiceArguments,
    settings: &ListSettings,
) -> Result<()> {
    let wanted = settings.limit.saturating_add(1);
    let most = usize::try_from(wanted).unwrap_or(usize::MAX);
    let query = ContactQuery::from(choice).page_size(wanted.min(ContactQuery::LARGEST_PAGE));
    let mut contacts = remote.hub()?.contacts(&query);
    let mut rows = Vec::new();
    while rows.len() < most
        && let Some(contact) = contacts.next().await.map_err(|error| remote.failure(error))?
    {
        rows.push(row(&contact));
    }
    Rows::of(rows, settings).print("contacts", settings)
}

async fn show(remote: &RemoteSettings, id: &str, is_json: bool) -> Result<()> {
    let read = remote.hub()?.read_contact(id).await;
    let contact = read.map_err(|error| remote.failure(error))?.data;
    let mut properties = row(&contact);
    properties.insert("updated_at".to_owned(), json!(contact.updated_at));
    properties.insert("avatar_url".to_owned(), json!(contact.avatar_url));
    for value in contact.field_values.iter().flatten() {
        properties.insert(format!("field:{}", value.key), json!(value.value.to_string()));
    }
    print_properties(&properties, &serde_json::to_string(&contact)?, is_json)
}

async fn create(remote: &RemoteSettings, arguments: ContactArguments) -> Result<()> {
    let ContactArguments { email, first_name, last_name, avatar_url, values } = arguments;
    require_once(&values)?;
    let hub = remote.hub()?;
    let mut contact = NewContact { avatar_url, ..NewContact::new(email, first_name, last_name) };
    for (key, value) in typed(&hub, values).await.map_err(|error| remote.failure(error))? {
        contact = contact.with_value(key, value);
    }
    let created = hub.create_contact(&contact).await;
    let created = created.map_err(|error| remote.failure(error))?;
    print_line(&json!({"id": created.data.id}).to_string())
}

/// Rejects two values of one field, of which only the last would be sent.
fn require_once(values: &[(String, String)]) -> Result<()> {
    let mut keys = HashSet::new();
    match values.iter().find(|(key, _)| !keys.insert(key)) {
        Some((key, _)) => bail!("--value has two values for {key}: a field has one"),
        None => Ok(()),
    }
}

/// The values in the types of their fields. A value that does not fit is sent as text, and the service reports what is
/// wrong.
async fn typed(
    hub: &ContactHub,
    values: Vec<(String, String)>,
) -> Result<Vec<(String, Value)>, contact_hub_client::Error> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let fields = hub.list_fields().await?.data;
    let typed = values.into_iter().map(|(key, text)| {
        let field = fields.iter().find(|field| field.key == key);
        let value = match (field.map(|field| &field.r#type), text.as_str()) {
            (Some(FieldType::Boolean), "true") => true.into(),
            (Some(FieldType::Boolean), "false") => false.into(),
            (Some(FieldType::Number), digits) => {
                digits.parse().map_or_else(|_no_number| text.clone().into(), Value::Number)
            }
            _ => text.into(),
        };
        (key, value)
    });
    Ok(typed.collect())
}

async fn export(remote: &RemoteSettings, choice: ChoiceArguments) -> Result<()> {
    let mut export = remote.hub()?.export(&choice.into());
    let (mut out, mut progress) = (BufWriter::new(io::stdout()), Progress::start());
    let mut count: u64 = 0;
    loop {
        let exported = match export.next().await {
            Ok(Some(exported)) => exported,
            Ok(None) => break,
            Err(error) if count == 0 => return Err(remote.failure(error)),
            Err(error) => return Err(remote.failure(error).context(INCOMPLETE)),
        };
        let mut line = serde_json::to_vec(&exported.contact)?;
        line.push(b'\n');
        out.write_all(&line).context(UNWRITABLE).context(INCOMPLETE)?;
        count += 1;
        progress.show(|| format!("{count} contacts are written"));
    }
    out.flush().context(UNWRITABLE).context(INCOMPLETE)?;
    progress.end(&format!("{count} contacts are written"));
    Ok(())
}

impl From<ChoiceArguments> for ContactQuery {
    fn from(choice: ChoiceArguments) -> Self {
        let mut query = choice.search.into_iter().fold(Self::new(), Self::search);
        for (name, value) in choice.filters {
            query = match name.split_once('.') {
                Some((name, operator)) => query.filter_by(name, operator, value),
                None => query.filter(&name, value),
            };
        }
        choice.sort.into_iter().fold(query, Self::sort)
    }
}

fn row(contact: &Contact) -> Map<String, serde_json::Value> {
    members(json!({
        "id": contact.id,
        "email": contact.email,
        "first_name": contact.first_name,
        "last_name": contact.last_name,
        "created_at": contact.created_at,
    }))
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("it must be a name and a value, joined by `=`".to_owned()),
    }
}
