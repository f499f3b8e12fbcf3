//! The start page of a person without a permission for any page: what is missing, and whom to ask.

use askama::Template;

use contact_hub_domain::access::list_managers;

use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "overview/no_access.html")]
struct NoAccessPage {
    frame: Frame,
    has_product: bool,
    /// The emails of those who can change that.
    managers: Vec<String>,
}

pub(super) async fn draw(caller: &PageCaller) -> Answer {
    let managers = list_managers(&caller.context()).await?;
    respond::page(&NoAccessPage {
        frame: caller.frame(Section::Overview, "No access yet"),
        has_product: caller.holder().caller.company.product_access,
        managers: managers.iter().map(|email| email.as_str().to_owned()).collect(),
    })
}
