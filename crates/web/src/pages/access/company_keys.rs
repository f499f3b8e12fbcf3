//! `GET /admin/company/keys`: the keys of all users.

use askama::Template;

use contact_hub_domain::access::{self, CompanyKey};
use contact_hub_domain::time::Timestamp;

use super::key_use::KeyUses;
use super::keys::KeyRow;
use super::roles::named;
use super::user;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::pager::Pager;
use crate::pages::respond;

const PATH: &str = "/admin/company/keys";

#[derive(Template)]
#[template(path = "access/company_keys.html")]
struct CompanyKeysPage {
    frame: Frame,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    key: KeyRow,
    email: String,
    /// The page of the user.
    user: String,
    role: String,
}

impl Row {
    fn new(found: &CompanyKey, uses: &KeyUses, now: Timestamp) -> Self {
        Self {
            key: KeyRow::new(&found.key, uses, now),
            email: found.email.as_str().to_owned(),
            user: user::path(found.key.user_id),
            role: named(found.permissions),
        }
    }
}

pub(crate) async fn handle(caller: PageCaller, list: Listing) -> Answer {
    let found = access::list_company_keys(&caller.context(), list.query).await?;
    let counted = KeyUses::of(&caller, found.items.iter().map(|it| &it.key)).await?;
    let now = caller.now();
    respond::page(&CompanyKeysPage {
        frame: caller.frame(Section::Company, "Keys of all users"),
        rows: found.items.iter().map(|key| Row::new(key, &counted, now)).collect(),
        pager: Pager::new(PATH, &list.address, found.meta),
    })
}
