//! `POST /sign-in/oidc`: the identity provider of a company, by the domain of an email.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, web};
use askama::Template;

use contact_hub_domain::access;

use super::{ProviderLink, continuing, of_store};
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::form::Form;
use crate::pages::frame::Frame;
use crate::pages::{respond, session};
use crate::state::WebState;

#[derive(Template)]
#[template(path = "access/oidc/company.html")]
struct CompanyProviderPage {
    frame: Frame,
    provider: Option<ProviderLink>,
    back: String,
}

pub(crate) async fn handle(state: web::Data<WebState>, request: HttpRequest, form: Form) -> Answer {
    let next = session::within(form.text("next"));
    let (ports, address) = (&state.ports.access, Origin::of(&request).address);
    let found = access::oidc_provider_of_email(ports, form.text("email"), address).await;
    let found = found.map_err(of_store)?;
    let provider = found.map(|(key, name)| ProviderLink {
        href: continuing(&format!("/sign-in/oidc/{key}"), next),
        name,
    });
    let status = if provider.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let (frame, back) = (Frame::bare("Single sign-on"), continuing("/sign-in", next));
    respond::page_with(status, &CompanyProviderPage { frame, provider, back })
}
