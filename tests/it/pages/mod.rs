//! The pages, without drawing them: what their forms do, whom they let in, and that nothing foreign gets out of its text.

mod assets;
mod contacts;
mod fields;
mod foreign;
mod guard;
mod import;
mod platforms;
mod sign_in;
mod webhooks;

use contact_hub_tests::Answer;
use reqwest::header::LOCATION;

/// Where an answer leads.
fn location(answer: &Answer) -> &str {
    answer.headers[LOCATION].to_str().unwrap()
}

/// The last part of where an answer leads.
fn id_of(answer: &Answer) -> String {
    location(answer).rsplit('/').next().unwrap().to_owned()
}

/// What every page of a person has.
const PAGES: [&str; 15] = [
    "/contacts",
    "/contacts/new",
    "/contacts/import",
    "/fields",
    "/assets",
    "/assets/new",
    "/admin/integrations/platforms",
    "/admin/integrations/platforms/all",
    "/admin/integrations/platforms/new",
    "/admin/integrations/webhooks",
    "/admin/integrations/webhooks/new",
    "/admin/integrations/webhooks/deliveries",
    "/account",
    "/contacts?search=x&filter[email][contains]=y&sort=-email",
    "/",
];
