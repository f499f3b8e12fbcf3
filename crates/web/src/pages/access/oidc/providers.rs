//! `GET /admin/company/sign-on`: the identity providers of the company.

use askama::Template;

use contact_hub_domain::access::{self, CompanyProvider};

use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

/// The address of the page.
pub(super) const PATH: &str = "/admin/company/sign-on";

#[derive(Template)]
#[template(path = "access/oidc/list.html")]
struct ProvidersPage {
    frame: Frame,
    /// Why passwords could not be switched off.
    problems: Vec<String>,
    password_sign_in: bool,
    providers: Vec<Row>,
}

struct Row {
    id: String,
    name: String,
    issuer: String,
    domains: String,
}

impl From<CompanyProvider> for Row {
    fn from(provider: CompanyProvider) -> Self {
        let domains = provider.domains.join(", ");
        Self {
            id: provider.id.to_string(),
            name: provider.name,
            issuer: provider.issuer,
            domains: if domains.is_empty() { "—".to_owned() } else { domains },
        }
    }
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    draw(&caller, &FormView::default()).await
}

/// Draws the page; the form is one that was refused.
pub(super) async fn draw(caller: &PageCaller, form: &FormView) -> Answer {
    let providers = access::list_oidc_providers(&caller.context()).await?;
    let page = ProvidersPage {
        frame: caller.frame(Section::Company, "Single sign-on"),
        problems: form.others(&[]),
        password_sign_in: caller.holder().password_sign_in,
        providers: providers.into_iter().map(Row::from).collect(),
    };
    respond::page_with(form.status(), &page)
}
