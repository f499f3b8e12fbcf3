//! `POST /assets/check`: the warnings of what is being written, as a part of the page.

use askama::Template;

use contact_hub_domain::fields;

use super::asset_warnings::AssetWarnings;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::respond;

/// The fields of the form that may have merge tags.
const PARTS: [&str; 4] = ["subject", "preheader", "html", "text"];

#[derive(Template)]
#[template(path = "sync/warnings_part.html")]
struct WarningsPart {
    warnings: AssetWarnings,
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let checked = caller.work(form.weight(), |caller| async move {
        let fields = fields::list(&caller.context()).await?;
        Ok(AssetWarnings::of_parts(PARTS.map(|name| form.text(name)), &fields))
    });
    respond::page(&WarningsPart { warnings: checked.await? })
}
