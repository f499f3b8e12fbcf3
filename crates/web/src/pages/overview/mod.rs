//! `GET /`: the figures of the company and the problems that need action, for people who may see some of them.

mod calls;
mod contacts;
mod deliveries;
mod no_access;
mod period;
mod problems;
mod setup;
mod syncs;

use actix_web::HttpRequest;
use askama::Template;

use contact_hub_domain::access::Permission::{self, ContactsApi, ManageIntegrations, Publish};
use contact_hub_domain::overview;

use self::calls::CallsPart;
use self::contacts::ContactsPart;
use self::period::{Choice, choices};
use self::problems::{Problem, problems};
use self::setup::Setup;
use self::syncs::SyncFigure;
use super::caller::PageCaller;
use super::charts::BarChart;
use super::frame::{Frame, Section};
use super::{cookies, respond};
use crate::error::Answer;

pub(crate) use setup::{came_from_setup, dismiss};

/// The permissions with which a person sees something there.
const SHOWN_TO: [Permission; 3] = [ContactsApi, ManageIntegrations, Publish];

#[derive(Template)]
#[template(path = "overview/overview.html")]
struct OverviewPage {
    frame: Frame,
    setup: Option<Setup>,
    problems: Vec<Problem>,
    choices: [Choice; 2],
    deliveries: Option<BarChart>,
    calls: CallsPart,
    contacts: Option<ContactsPart>,
    syncs: Option<Vec<SyncFigure>>,
}

pub(crate) async fn handle(caller: PageCaller, request: HttpRequest) -> Answer {
    if !caller.who.may_any(&SHOWN_TO) {
        return if caller.who.manages_access() {
            Ok(respond::see("/admin/company"))
        } else {
            no_access::draw(&caller).await
        };
    }
    let (period, now) = (period::asked(request.query_string()), caller.now());
    let found = overview::read(&caller.context(), period, now).await?;
    let is_dismissed = cookies::is_setup_dismissed(caller.state(), &request);
    let steps = found.setup.filter(|_| !is_dismissed);
    let deliveries = if caller.may(ManageIntegrations) {
        Some(deliveries::chart(&caller, period, now).await?)
    } else {
        None
    };
    let sees_syncs = caller.who.may_any(&[ManageIntegrations, Publish]);
    respond::page(&OverviewPage {
        frame: caller.frame(Section::Overview, "Overview"),
        setup: steps.and_then(|steps| Setup::of(&caller, steps)),
        problems: problems(&caller, &found),
        choices: choices(period),
        deliveries,
        calls: CallsPart::new(period, now, &found.calls),
        contacts: caller.may(ContactsApi).then(|| ContactsPart::new(now, &found)),
        syncs: sees_syncs.then(|| syncs::figures(found.syncs)),
    })
}
