//! `GET /assets/{id}/preview-as`: the preview at a chosen width, with the values of a contact or as a platform gets it.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::access::Permission;
use contact_hub_domain::contacts::{self, Contact, ListDraft};
use contact_hub_domain::ids::AssetId;
use contact_hub_domain::sync::{self, AssetName, IntegrationChoice, Platform};

use super::converted_source::ConvertedSource;
use super::platform_names::platform;
use super::sample::{Sample, Shown, WEIGHT};
use crate::error::{Answer, ApiError};
use crate::extract::PathId;
use crate::extract::query::FromQuery as _;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::excerpt::shortened;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

/// How many contacts of a search are offered.
const FOUND: &str = "5";

/// How much of an email is shown, in characters.
const LONG_EMAIL: usize = 100;

#[derive(Template)]
#[template(path = "sync/preview_as.html")]
struct PreviewPage {
    frame: Frame,
    asset: Named,
    subject: Option<String>,
    preheader: Option<String>,
    problem: Option<&'static str>,
    /// The address of the frame.
    source: String,
    is_phone: bool,
    may_see_contacts: bool,
    search: String,
    found: Vec<Choice>,
    contact: Option<ShownContact>,
    syntaxes: Vec<Syntax>,
    converted: Option<(String, ConvertedSource)>,
}

/// A contact that was found.
struct Choice {
    email: String,
    href: String,
}

/// The contact whose values are shown.
struct ShownContact {
    id: String,
    email: String,
    /// The preview without it.
    href: String,
}

/// A syntax to choose.
struct Syntax {
    value: String,
    label: String,
    is_chosen: bool,
}

/// What is shown.
struct Read {
    name: AssetName,
    contact: Option<Contact>,
    /// `None` when the values make it too long.
    shown: Option<Shown>,
    converted: Option<(Platform, ConvertedSource)>,
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<AssetId>,
    request: HttpRequest,
) -> Answer {
    let address = Address::of(request.query_string());
    let sample = Sample::of(&address);
    let connections = sync::integration_choices(&caller.context()).await?;
    let found = found(&caller, id, &address).await?;
    let read = caller.work(WEIGHT, |caller| async move { read(&caller, id, sample).await });
    let Read { name, contact, shown, converted } = read.await?;
    let syntaxes = syntaxes(&connections, address.get("as"));
    let contact = contact.filter(|_| converted.is_none());
    let converted = converted.map(|(it, source)| (chosen_label(&syntaxes, it), source));
    respond::page(&PreviewPage {
        frame: caller.frame(Section::Assets, &format!("Preview of {}", name.as_str())),
        asset: Named::new(&id, name.as_str()),
        problem: shown.is_none().then_some("The values make the content too long to show."),
        subject: shown.as_ref().and_then(|it| it.subject.clone()),
        preheader: shown.as_ref().and_then(|it| it.preheader.clone()),
        source: chosen_of(&address, &["contact", "as"]).href(&format!("/assets/{id}/preview")),
        is_phone: address.get("width") == "phone",
        may_see_contacts: caller.may(Permission::ContactsApi),
        search: address.get("search").to_owned(),
        found,
        contact: contact.map(|contact| ShownContact {
            id: contact.id.to_string(),
            email: shortened(contact.email.as_str(), LONG_EMAIL),
            href: chosen_of(&address, &["width"]).href(&path(id)),
        }),
        syntaxes,
        converted,
    })
}

async fn read(caller: &PageCaller, id: AssetId, sample: Sample) -> Result<Read, ApiError> {
    let contact = sample.contact(caller).await?;
    let content = sample.content(caller, id).await?;
    let shown = match contact.as_ref().filter(|_| content.platform.is_none()) {
        Some(contact) => Shown::filled(&content.asset, contact),
        None => Shown::converted(&content),
    };
    let converted = content.platform.map(|it| (it, ConvertedSource::of(&content)));
    Ok(Read { name: content.asset.name, contact, shown: shown.ok(), converted })
}

/// The label of the chosen syntax.
fn chosen_label(syntaxes: &[Syntax], it: Platform) -> String {
    let chosen = syntaxes.iter().find(|it| it.is_chosen);
    chosen.map_or_else(|| platform(it).to_owned(), |chosen| chosen.label.clone())
}

fn path(id: AssetId) -> String {
    format!("/assets/{id}/preview-as")
}

/// The address with some of its choices.
fn chosen_of(address: &Address, names: &[&str]) -> Address {
    address.without(|name| !names.contains(&name))
}

/// The contacts that the search finds.
async fn found(
    caller: &PageCaller,
    id: AssetId,
    address: &Address,
) -> Result<Vec<Choice>, ApiError> {
    let search = address.get("search");
    if search.trim().is_empty() || !caller.may(Permission::ContactsApi) {
        return Ok(Vec::new());
    }
    let query = Address::default().with("search", search).with("page[size]", FOUND);
    let draft = ListDraft::from_query(query.href("").trim_start_matches('?'))?;
    let cx = caller.context();
    let found = contacts::list(&cx, draft.read(&cx).await?.without_values()).await?;
    let width = chosen_of(address, &["width"]);
    let choice = |contact: &Contact| Choice {
        email: shortened(contact.email.as_str(), LONG_EMAIL),
        href: width.clone().with("contact", &contact.id.to_string()).href(&path(id)),
    };
    Ok(found.items.iter().map(choice).collect())
}

/// The connections of the company, and then every platform.
fn syntaxes(connections: &[IntegrationChoice], chosen: &str) -> Vec<Syntax> {
    let connection = |it: &IntegrationChoice| {
        let label = format!("{} ({})", it.name.as_str(), platform(it.format));
        (it.id.to_string(), label)
    };
    let every = Platform::ALL.map(|it| (it.as_str().to_owned(), platform(it).to_owned()));
    let syntax =
        |(value, label): (String, String)| Syntax { is_chosen: value == chosen, value, label };
    connections.iter().map(connection).chain(every).map(syntax).collect()
}
