//! Keys as pages show them.

use askama::Template;

use contact_hub_domain::access::{self, ApiKey, CreatedKey, KeyDraft};
use contact_hub_domain::ids::UserId;
use contact_hub_domain::input::Input;
use contact_hub_domain::time::Timestamp;

use super::first_call;
use super::key_use::{KeyUse, KeyUses};
use crate::error::{Answer, ApiError};
use crate::pages::caller::PageCaller;
use crate::pages::excerpt::shortened;
use crate::pages::form::Form;
use crate::pages::frame::{Frame, Section};
use crate::pages::listing::Listing;
use crate::pages::moment::Moment;
use crate::pages::pager::Pager;
use crate::pages::respond;

/// The longest name in a list, in characters.
const LONG_NAME: usize = 60;

const DAY: i64 = 24 * 60 * 60;

/// A row of a list of keys.
pub(super) struct KeyRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) start: String,
    pub(super) state: &'static str,
    pub(super) tone: &'static str,
    pub(super) is_valid: bool,
    pub(super) expires_at: Option<Moment>,
    pub(super) last_used_at: Option<Moment>,
    pub(super) created_at: Moment,
    pub(super) uses: KeyUse,
}

impl KeyRow {
    pub(super) fn new(key: &ApiKey, uses: &KeyUses, now: Timestamp) -> Self {
        let (state, tone) = if key.revoked_at.is_some() {
            ("Revoked", "bad")
        } else if key.expires_at.is_some_and(|expiry| expiry <= now) {
            ("Expired", "")
        } else {
            ("Valid", "good")
        };
        Self {
            id: key.id.to_string(),
            name: shortened(&key.name, LONG_NAME),
            start: key.start.clone(),
            state,
            tone,
            is_valid: tone == "good",
            expires_at: key.expires_at.map(Moment::from),
            last_used_at: key.last_used_at.map(Moment::from),
            created_at: key.created_at.into(),
            uses: uses.of_key(key.id),
        }
    }
}

/// A page of the keys of a user.
pub(super) struct Keys {
    pub(super) rows: Vec<KeyRow>,
    pub(super) pager: Pager,
    /// The address below which keys are created and revoked.
    pub(super) base: String,
}

impl Keys {
    /// The keys of a user, listed on the page at `base`.
    pub(super) async fn of(
        caller: &PageCaller,
        user: UserId,
        list: &Listing,
        base: String,
    ) -> Result<Self, ApiError> {
        let found = access::list_keys(&caller.context(), user, list.query).await?;
        let counted = KeyUses::of(caller, found.items.iter()).await?;
        let now = caller.now();
        Ok(Self {
            rows: found.items.iter().map(|key| KeyRow::new(key, &counted, now)).collect(),
            pager: Pager::new(&base, &list.address, found.meta),
            base,
        })
    }
}

/// The new key that the form describes, valid for the chosen number of days.
pub(super) fn draft(form: &Form, now: Timestamp) -> KeyDraft {
    let expires_at = match form.text("days") {
        "" => Input::Absent,
        text => Input::Text(text.parse::<i64>().map_or_else(
            |_invalid| text.to_owned(),
            |days| now.plus_seconds(days.saturating_mul(DAY)).to_seconds_text(),
        )),
    };
    KeyDraft { name: form.input("name"), expires_at: expires_at.into() }
}

#[derive(Template)]
#[template(path = "access/token.html")]
struct TokenPage {
    frame: Frame,
    name: String,
    token: String,
    back: String,
    /// The first call in each language.
    calls: [(&'static str, String); 3],
}

/// The page that shows a new key's token, only once.
pub(super) fn draw_token(caller: &PageCaller, created: &CreatedKey, back: &str) -> Answer {
    let token = created.token.reveal();
    respond::page(&TokenPage {
        frame: caller.frame(Section::ApiAccess, "Key created"),
        name: created.key.name.clone(),
        token: token.to_owned(),
        back: back.to_owned(),
        calls: first_call::in_each_language(&caller.state().public_url, token),
    })
}
