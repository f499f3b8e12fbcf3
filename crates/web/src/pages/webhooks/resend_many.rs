//! `GET` and `POST /admin/integrations/webhooks/deliveries/resend`: resends a selection, after showing how many there are.

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::webhooks::{self, MAX_RESENT, ResendChoice};

use super::filter::{Filter, PATH};
use crate::error::Answer;
use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::charts::grouped;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

/// The parameter of a selected delivery, and the one for all that the filter matches.
const IDS: &str = "ids";
const ALL: &str = "all";

#[derive(Template)]
#[template(path = "webhooks/resend.html")]
struct ResendPage {
    frame: Frame,
    ids: Vec<String>,
    /// How many that is.
    count: String,
    /// How many were found, if that is more than are resent at once.
    found: Option<String>,
    /// How many cannot be resent.
    without_webhook: usize,
    back: String,
}

/// The address of the page for all that the filter matches.
pub(super) fn all_matching(filter: &Filter) -> String {
    filter.address.on_first_page().with(ALL, "1").href(&format!("{PATH}/resend"))
}

pub(crate) async fn show(caller: PageCaller, request: HttpRequest) -> Answer {
    let given = Address::of(request.query_string());
    let filter = Filter::read(request.query_string())?;
    let is_all = !given.get(ALL).is_empty();
    let choice = if is_all && filter.problems.is_empty() {
        ResendChoice::Matching(filter.search)
    } else {
        ResendChoice::These(ids(given.pairs()))
    };
    let resendable = webhooks::resendable(&caller.context(), choice).await?;
    let found = usize::try_from(resendable.found).unwrap_or(usize::MAX);
    let count = grouped(u64::try_from(resendable.ids.len()).unwrap_or(u64::MAX));
    let title = match resendable.ids.len() {
        0 => "Nothing to send again".to_owned(),
        1 => "Send 1 delivery again?".to_owned(),
        _ => format!("Send {count} deliveries again?"),
    };
    respond::page(&ResendPage {
        frame: caller.frame(Section::Webhooks, &title),
        count,
        found: (found > MAX_RESENT).then(|| grouped(resendable.found)),
        without_webhook: found.min(MAX_RESENT).saturating_sub(resendable.ids.len()),
        ids: resendable.ids.iter().map(DeliveryId::to_string).collect(),
        back: given.without(|name| matches!(name, IDS | ALL)).href(PATH),
    })
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    webhooks::resend_many(&caller.context(), ids(form.pairs())).await?;
    Ok(respond::done(&caller, PATH, Notice::ResentMany))
}

fn ids(pairs: &[(String, String)]) -> Vec<DeliveryId> {
    let ids = pairs.iter().filter(|(name, _)| name == IDS);
    ids.filter_map(|(_, id)| DeliveryId::parse(id)).take(MAX_RESENT).collect()
}
