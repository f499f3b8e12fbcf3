//! Objects that do not exist, or no longer: what a page says about them, and the list that it leads to.

use actix_web::HttpRequest;
use actix_web::http::Method;

use crate::error::{ApiError, Code};

/// What a page says about a missing object.
pub(super) struct Gone {
    pub(super) heading: &'static str,
    pub(super) sentence: String,
    /// The list that had it: its name and its address.
    pub(super) list: (&'static str, &'static str),
}

impl Gone {
    /// The missing object of an error; `None` for other errors, and for those that have words of their own.
    pub(super) fn of(error: &ApiError, request: &HttpRequest) -> Option<Self> {
        let ApiError::Application { code, message, .. } = error else { return None };
        let is_form = request.method() == Method::POST;
        if message != code.message() || (*code == Code::NotFound && !is_form) {
            return None;
        }
        let noun = noun(*code)?;
        let list = LISTS.into_iter().find(|(path, _)| request.path().starts_with(path));
        let (href, name) = list.unwrap_or(("/", "the start"));
        let (heading, sentence) = if is_form {
            let sentence =
                format!("This {noun} was deleted after the page was opened. Nothing was changed.");
            ("It was deleted in the meantime", sentence)
        } else {
            let sentence = format!("There is no {noun} at this address. It may have been deleted.");
            ("Page not found", sentence)
        };
        Some(Self { heading, sentence, list: (name, href) })
    }
}

/// The lists by the beginnings of the addresses of their objects, the longer ones first.
const LISTS: [(&str, &str); 10] = [
    ("/contacts", "Contacts"),
    ("/fields", "Fields"),
    ("/assets", "Assets"),
    ("/admin/integrations/platforms", "Platforms"),
    ("/admin/integrations/webhooks/deliveries", "Deliveries"),
    ("/admin/integrations/webhooks", "Webhooks"),
    ("/admin/company", "Company"),
    ("/account/passkeys", "Passkeys"),
    ("/account/api-access", "API access"),
    ("/account", "Account"),
];

/// The word of pages for an object.
const fn noun(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::ContactNotFound => "contact",
        Code::FieldNotFound => "field",
        Code::AssetNotFound => "asset",
        Code::IntegrationNotFound => "connection",
        Code::WebhookNotFound => "webhook",
        Code::DeliveryNotFound => "delivery",
        Code::UserNotFound => "user",
        Code::ApiKeyNotFound => "key",
        Code::NotFound => "object",
        _ => return None,
    })
}
