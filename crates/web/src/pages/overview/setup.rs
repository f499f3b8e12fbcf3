//! The steps to the first completed sync: which are done, and the pages of the others.

use actix_web::{HttpRequest, HttpResponse};

use contact_hub_domain::access::Permission::{ContactsApi, ManageIntegrations};
use contact_hub_domain::context::{Context, WebhookPorts};
use contact_hub_domain::overview::SetupSteps;

use crate::pages::address::Address;
use crate::pages::caller::PageCaller;
use crate::pages::{cookies, respond};

/// Where the sample receiver listens unless it is given another address.
const RECEIVER: std::net::Ipv4Addr = std::net::Ipv4Addr::LOCALHOST;

/// The steps.
pub(super) struct Setup {
    /// In the order in which they are taken.
    pub(super) steps: Vec<Step>,
    /// How many are done.
    pub(super) done: usize,
    /// How the sample receiver is tried; `None` for someone who may not create a webhook.
    pub(super) sample: Option<Sample>,
}

/// A step.
pub(super) struct Step {
    /// What is to be done.
    pub(super) label: &'static str,
    /// Where; `None` where the person may not.
    pub(super) href: Option<&'static str>,
    /// What it is for.
    pub(super) hint: &'static str,
    /// Whether it is done.
    pub(super) is_done: bool,
}

/// What the commands for the sample receiver contain.
pub(super) struct Sample {
    /// The address of the service.
    pub(super) hub: String,
    /// Whether the service may send to this machine.
    pub(super) is_permitted: bool,
}

impl Setup {
    /// The steps for a person who may take one; `None` for others.
    pub(super) fn of(caller: &PageCaller, done: SetupSteps) -> Option<Self> {
        let (contacts, manage) = (caller.may(ContactsApi), caller.may(ManageIntegrations));
        if !contacts && !manage {
            return None;
        }
        let steps = steps(contacts, manage, done);
        Some(Self {
            done: steps.iter().filter(|step| step.is_done).count(),
            steps,
            sample: manage.then(|| Sample::of(caller)),
        })
    }
}

/// The steps, for someone who may change contacts or manage integrations.
fn steps(contacts: bool, manage: bool, done: SetupSteps) -> Vec<Step> {
    let step = |label, (may, href): (bool, _), is_done, hint| Step {
        label,
        href: may.then_some(href),
        hint,
        is_done,
    };
    vec![
        step(
            "Import contacts or create a field",
            (contacts, if done.has_contacts { "/contacts" } else { "/contacts/import" }),
            done.has_contacts,
            "Merge tags take their values from the fields of contacts.",
        ),
        step(
            "Create an asset",
            (manage, if done.has_asset { "/assets" } else { NEW_ASSET }),
            done.has_asset,
            "An email or a landing page to publish.",
        ),
        step(
            "Create a webhook",
            (manage, if done.has_webhook { WEBHOOKS } else { NEW_WEBHOOK }),
            done.has_webhook,
            "It sends sync requests to the service of your platform.",
        ),
        step(
            "Connect a platform",
            (manage, if done.has_integration { PLATFORMS } else { NEW_PLATFORM }),
            done.has_integration,
            "It decides how merge tags are written.",
        ),
        step(
            "Complete the first sync",
            (manage, "/assets"),
            false,
            "Open an asset and choose Publish. The step is done when the platform reports success.",
        ),
    ]
}

const NEW_ASSET: &str = "/assets/new?setup=1";
const WEBHOOKS: &str = "/admin/integrations/webhooks";
const NEW_WEBHOOK: &str = "/admin/integrations/webhooks/new?setup=1";
const PLATFORMS: &str = "/admin/integrations/platforms";
/// There is one kind of integration to choose, so the choice is left out.
const NEW_PLATFORM: &str = "/admin/integrations/platforms/new?setup=1";

/// Whether a step led to this form, so that what it creates leads back to the steps.
pub(crate) fn came_from_setup(request: &HttpRequest) -> bool {
    !Address::of(request.query_string()).get("setup").is_empty()
}

impl Sample {
    fn of(caller: &PageCaller) -> Self {
        let cx: Context<'_, WebhookPorts> = caller.context();
        let policy = &cx.ports.url_policy;
        Self {
            hub: caller.state().public_url.clone(),
            is_permitted: policy.allow_http && policy.guard.permits(RECEIVER.into()),
        }
    }
}

/// `POST /setup/dismiss`: this browser no longer shows the steps.
pub(crate) async fn dismiss(caller: PageCaller) -> HttpResponse {
    let mut response = respond::see("/");
    // The name and the value have only characters that a cookie allows.
    response.add_cookie(&cookies::dismiss_setup(caller.who.is_secure)).ok();
    response
}
