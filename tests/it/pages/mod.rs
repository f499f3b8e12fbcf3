//! The pages, without rendering them: what their forms do, who has access, and that untrusted text is escaped.

mod access;
mod assets;
mod breadcrumbs;
mod change_contact;
mod contacts;
mod deliveries;
mod fields;
mod foreign;
mod gone;
mod guard;
mod import;
mod list_contacts;
mod live;
mod overview;
pub(crate) mod passkeys;
mod platforms;
mod queries;
mod send_again;
mod sign_in;
mod sizes;
mod stale_forms;
mod step_up;
mod two_step;
mod two_step_required;
mod views;
mod webhooks;

use std::time::Duration;

use contact_hub_tests::Answer;
use reqwest::header::LOCATION;

/// The target of a redirect.
fn location(answer: &Answer) -> &str {
    answer.headers[LOCATION].to_str().unwrap()
}

/// The last part of the target of a redirect.
fn id_of(answer: &Answer) -> String {
    location(answer).rsplit('/').next().unwrap().to_owned()
}

/// How long a delivery may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// The pages that need no id.
const PAGES: [&str; 27] = [
    "/contacts",
    "/contacts/new",
    "/contacts/import",
    "/contacts/deleted",
    "/fields",
    "/assets",
    "/assets/new",
    "/admin/integrations/platforms",
    "/admin/integrations/platforms/all",
    "/admin/integrations/platforms/new",
    "/admin/integrations/webhooks",
    "/admin/integrations/webhooks/new",
    "/admin/integrations/webhooks/deliveries",
    "/admin/integrations/webhooks/deliveries/resend?all=1",
    "/account",
    "/account/api-access",
    "/account/alerts",
    "/account/two-step",
    "/account/passkeys",
    "/admin/company",
    "/admin/company/users/new",
    "/admin/company/sign-on",
    "/admin/company/sign-on/new",
    "/admin/company/keys",
    "/admin/company/services/new",
    "/contacts?search=x&filter[email][contains]=y&sort=-email",
    "/",
];
