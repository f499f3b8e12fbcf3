//! The form of an asset, for creating and for changing alike.

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use askama::Template;

use contact_hub_domain::fields;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use contact_hub_domain::sync::{Asset, AssetDraft, AssetType};

use super::merge_tag_choices::{TagChoice, tag_choices};
use super::platform_names::asset_type;
use crate::error::{Answer, Code};
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::{headers, respond};

const SHOWN: [&str; 6] = ["name", "type", "subject", "preheader", "html", "text"];

#[derive(Template)]
#[template(path = "sync/asset_form.html")]
struct AssetForm {
    frame: Frame,
    form: FormView,
    asset: Option<Named>,
    kinds: [(&'static str, &'static str); 2],
    shown: &'static [&'static str],
    tags: Vec<TagChoice>,
    /// The nonce of the editor's styles.
    nonce: String,
}

/// Draws the form; `asset` is the one that is changed.
pub(super) async fn draw(caller: &PageCaller, form: FormView, asset: Option<Named>) -> Answer {
    let fields = fields::list(&caller.context()).await?;
    let title = if asset.is_some() { "Edit asset" } else { "New asset" };
    let page = AssetForm {
        frame: caller.frame(Section::Assets, title),
        form,
        asset,
        kinds: AssetType::ALL.map(|kind| (kind.as_str(), asset_type(kind))),
        shown: &SHOWN,
        tags: tag_choices(&fields),
        nonce: hex::encode(caller.state().ports.environment.randomness.bytes()),
    };
    let mut response = respond::page_with(page.form.status(), &page)?;
    let policy =
        headers::with_styles(&page.nonce).try_into().map_err(|_never| Code::InternalError)?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The new asset that the form describes. Fields of emails only are left out for others, whose form hides them.
pub(super) fn draft(form: &Form) -> AssetDraft {
    let is_email = form.text("type") == AssetType::Email.as_str();
    let of_email = |name| if is_email { form.input(name) } else { Property::Absent };
    AssetDraft {
        name: form.input("name"),
        r#type: form.input("type"),
        html: form.input("html"),
        text: form.input("text"),
        subject: of_email("subject"),
        preheader: of_email("preheader"),
    }
}

/// The change that the form describes. Text that was not edited is kept byte for byte, as it is by now.
pub(super) fn change(form: &Form, asset: &Asset) -> AssetDraft {
    let before = filled(asset);
    let is_email = form.text("type") == AssetType::Email.as_str();
    let of_email = |name| match (is_email, before.text("type") == AssetType::Email.as_str()) {
        (true, true) => changed(form, &before, name),
        (true, false) => form.input(name),
        (false, _) => Property::Absent,
    };
    AssetDraft {
        name: changed(form, &before, "name"),
        r#type: changed(form, &before, "type"),
        html: changed(form, &before, "html"),
        text: changed(form, &before, "text"),
        subject: of_email("subject"),
        preheader: of_email("preheader"),
    }
}

fn changed<P: From<Input>>(form: &Form, before: &FormView, name: &str) -> P {
    let as_sent = before.text(name).replace("\r\n", "\n");
    if form.text(name) == as_sent { Input::Absent.into() } else { form.edited_text(name) }
}

/// The form filled with an asset. A text that is made from the HTML is left empty, and so stays made.
pub(super) fn filled(asset: &Asset) -> FormView {
    let text = if asset.text.is_made { "" } else { asset.text.text.as_str() };
    FormView::filled([
        ("name", asset.name.as_str()),
        ("type", asset.form.kind().as_str()),
        ("subject", asset.form.subject().unwrap_or_default()),
        ("preheader", asset.form.preheader().unwrap_or_default()),
        ("html", asset.html.as_str()),
        ("text", text),
    ])
}
