//! `GET` and `POST /admin/company`: name, product access, allowed domains, and the users.

use askama::Template;

use contact_hub_domain::access::{self, Company, CompanyChange, DomainPattern, User};
use contact_hub_domain::property::Property;

use super::roles::allowed;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::notice::Notice;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/company";

#[derive(Template)]
#[template(path = "access/company.html")]
struct CompanyPage {
    frame: Frame,
    form: FormView,
    id: String,
    users: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: String,
    email: String,
    role: String,
}

impl From<&User> for Row {
    fn from(user: &User) -> Self {
        let role = allowed(user.permissions);
        Self { id: user.id.to_string(), email: user.email.as_str().to_owned(), role }
    }
}

pub(crate) async fn show(caller: PageCaller, list: Listing) -> Answer {
    let company = access::read_company(&caller.context()).await?;
    draw(&caller, &list, filled(&company)).await
}

pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let change = CompanyChange {
        name: form.edited_text("name"),
        product_access: form.edited_box("product_access"),
        requires_two_step: form.edited_box("requires_two_step"),
        allowed_domains: if form.is_edited("allowed_domains") {
            lines(form.text("allowed_domains")).map(Property::from).collect()
        } else {
            Property::Absent
        },
        ..CompanyChange::default()
    };
    match access::change_company(&caller.context(), change).await {
        Ok(_company) => Ok(respond::done(&caller, PATH, Notice::CompanyChanged)),
        Err(error) => draw(&caller, &Listing::default(), FormView::refused(&form, error)?).await,
    }
}

/// The lines of a text that are not blank.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn filled(company: &Company) -> FormView {
    let patterns = company.allowed_domains.patterns().iter();
    let domains: Vec<&str> = patterns.map(DomainPattern::as_str).collect();
    let domains = domains.join("\n");
    let mut values = vec![
        ("name".to_owned(), company.name.as_str().to_owned()),
        ("allowed_domains".to_owned(), domains),
    ];
    if company.product_access {
        values.push(("product_access".to_owned(), "on".to_owned()));
    }
    if company.requires_two_step {
        values.push(("requires_two_step".to_owned(), "on".to_owned()));
    }
    FormView::of(values)
}

async fn draw(caller: &PageCaller, users: &Listing, form: FormView) -> Answer {
    let cx = caller.context();
    let found = access::list_users(&cx, users.query).await?;
    let page = CompanyPage {
        frame: caller.frame(Section::Company, "Company"),
        form,
        id: cx.caller.company.id.to_string(),
        users: found.items.iter().map(Row::from).collect(),
        pager: Pager::new(PATH, &users.address, found.meta),
    };
    respond::page_with(page.form.status(), &page)
}
