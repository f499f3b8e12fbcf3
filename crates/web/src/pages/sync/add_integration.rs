//! `GET /admin/integrations/platforms/add`: Add New Integration, where the kind of an integration is chosen.

use askama::Template;

use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "sync/add_integration.html")]
struct AddIntegrationPage {
    frame: Frame,
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    let frame = caller.frame(Section::Platforms, "Add New Integration");
    respond::page(&AddIntegrationPage { frame })
}
