//! `/contacts/import`: a CSV file becomes contacts. The browser reads the file and sends it in parts, so that a file may be
//! of any size and nothing is kept here between them.

mod cells;
mod column;
mod csv_rows;
mod end;
mod new_field;
mod preview;
mod reading;
mod rows;
mod spelling;

use askama::Template;

use contact_hub_domain::contacts::MAX_BULK_UPSERT;
use contact_hub_domain::fields;

use super::columns::targets;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

pub(crate) use end::handle as end;
pub(crate) use new_field::handle as new_field;
pub(crate) use preview::handle as preview;
pub(crate) use rows::handle as rows;

/// How much of a name or a cell is shown, in characters.
const LONG_TEXT: usize = 50;

#[derive(Template)]
#[template(path = "contacts/import.html")]
struct ImportPage {
    frame: Frame,
    /// The user whose positions in files the browser keeps.
    owner: String,
    part: usize,
    /// The targets of columns. They are in the page once, and the script copies them to each column.
    targets: Vec<(String, String)>,
}

/// The page that takes the file.
pub(crate) async fn show(caller: PageCaller) -> Answer {
    let frame = caller.frame(Section::Contacts, "Import contacts");
    let targets = targets(&*fields::list(&caller.context()).await?, LONG_TEXT);
    let owner = caller.holder().caller.user_id.to_string();
    respond::page(&ImportPage { frame, owner, part: MAX_BULK_UPSERT / 2, targets })
}
