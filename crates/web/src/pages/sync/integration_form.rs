//! The form of a connection, for creating and for changing alike.

use askama::Template;

use contact_hub_domain::fields;
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use contact_hub_domain::sync::{AssetType, Integration, IntegrationDraft, Platform};

use super::platform_names::{asset_type, platform};
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

const SHOWN: [&str; 4] = ["name", "asset_types", "merge_tag_format", "merge_tag_mapping"];

/// Tags that every asset may use.
const COMMON_TAGS: [&str; 5] =
    ["first_name", "last_name", "email", "unsubscribe_url", "view_online_url"];

/// How many fields are offered for the company's own texts; any other can be typed.
const OFFERED_FIELDS: usize = 50;

#[derive(Template)]
#[template(path = "sync/connection_form.html")]
struct ConnectionForm {
    frame: Frame,
    form: FormView,
    connection: Option<Named>,
    kinds: [(&'static str, &'static str); 3],
    chosen: &'static str,
    formats: Vec<(&'static str, &'static str)>,
    mapping: Vec<(String, String)>,
    suggestions: Vec<String>,
    shown: &'static [&'static str],
}

/// The choice of both types.
const BOTH: &str = "both";

/// The choices of asset types.
fn kinds() -> [(&'static str, &'static str); 3] {
    let [email, landing_page] = AssetType::ALL.map(|kind| (kind.as_str(), asset_type(kind)));
    [email, landing_page, (BOTH, "Both")]
}

/// The choice that the form has.
fn chosen(form: &FormView) -> &'static str {
    let given = AssetType::ALL.into_iter().filter(|kind| form.has("asset_types", kind.as_str()));
    match given.collect::<Vec<_>>().as_slice() {
        _ if form.has("asset_types", BOTH) => BOTH,
        [] => "",
        [one] => one.as_str(),
        _ => BOTH,
    }
}

/// Draws the form; `connection` is the one that is changed.
pub(super) async fn draw(caller: &PageCaller, form: FormView, connection: Option<Named>) -> Answer {
    let directory = fields::list(&caller.context()).await?;
    let of_fields = directory.in_use().take(OFFERED_FIELDS);
    let of_fields = of_fields.map(|field| format!("field:{}", field.key));
    let common = COMMON_TAGS.map(str::to_owned).into_iter();
    let title = if connection.is_some() { "Edit connection" } else { "Custom platform" };
    let page = ConnectionForm {
        frame: caller.frame(Section::Platforms, title),
        mapping: rows(&form),
        kinds: kinds(),
        chosen: chosen(&form),
        formats: Platform::ALL.map(|it| (it.as_str(), platform(it))).into(),
        suggestions: common.chain(of_fields).collect(),
        form,
        connection,
        shown: &SHOWN,
    };
    respond::page_with(page.form.status(), &page)
}

/// The company's own texts in the form, and rows for three more.
fn rows(form: &FormView) -> Vec<(String, String)> {
    let mut rows = pairs(form.all("tag"), form.all("replacement"));
    rows.extend(std::iter::repeat_n((String::new(), String::new()), 3));
    rows
}

fn pairs<'a>(
    tags: impl Iterator<Item = &'a str>,
    texts: impl Iterator<Item = &'a str>,
) -> Vec<(String, String)> {
    let both = tags.zip(texts).filter(|(tag, text)| !tag.is_empty() || !text.is_empty());
    both.map(|(tag, text)| (tag.to_owned(), text.to_owned())).collect()
}

/// The integration that the form describes.
pub(super) fn draft(form: &Form) -> IntegrationDraft {
    let mapping = pairs(form.all("tag"), form.all("replacement"));
    let members = mapping.into_iter().map(|(tag, text)| (tag, Input::Text(text)).into());
    let asset_types = if form.text("asset_types") == BOTH {
        AssetType::ALL.map(|kind| Input::from(kind.as_str()).into()).into_iter().collect()
    } else {
        form.list("asset_types")
    };
    IntegrationDraft {
        name: form.input("name"),
        asset_types,
        merge_tag_format: form.input("merge_tag_format"),
        merge_tag_mapping: members.collect(),
    }
}

/// The change that the form describes: what was edited in it. An empty input is refused, not left unchanged.
pub(super) fn change(form: &Form) -> IntegrationDraft {
    let IntegrationDraft { asset_types, merge_tag_mapping, .. } = draft(form);
    let has_mapping = form.is_edited("tag") || form.is_edited("replacement");
    IntegrationDraft {
        name: form.edited_text("name"),
        asset_types: if form.is_edited("asset_types") { asset_types } else { Property::Absent },
        merge_tag_format: form.edited_text("merge_tag_format"),
        merge_tag_mapping: if has_mapping { merge_tag_mapping } else { Property::Absent },
    }
}

/// The form filled with a connection.
pub(super) fn filled(integration: &Integration) -> FormView {
    let mut values = vec![
        ("name".to_owned(), integration.name.as_str().to_owned()),
        ("merge_tag_format".to_owned(), integration.format.as_str().to_owned()),
    ];
    let types: Vec<&str> = integration.asset_types.iter().map(AssetType::as_str).collect();
    let chosen = if let [one] = types.as_slice() { one } else { BOTH };
    values.push(("asset_types".to_owned(), chosen.to_owned()));
    for (name, text) in integration.mapping.iter() {
        values.push(("tag".to_owned(), name.to_string()));
        values.push(("replacement".to_owned(), text.to_owned()));
    }
    FormView::of(values)
}
