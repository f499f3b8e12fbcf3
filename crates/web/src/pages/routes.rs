//! Every page on one screen: path, method, who may open it.

use actix_web::Route;
use actix_web::http::Method;
use actix_web::middleware::from_fn;

use contact_hub_domain::access::Permission::{ContactsApi, ManageIntegrations, Publish};

use super::guard::{Access, LOOK, Rule, guard};
use super::step_up::Proof;
use super::{access, admin, contacts, fields, files, live, overview, sync, webhooks};
use crate::extract::{BULK_BODY, STANDARD_BODY};
use crate::handler::to;
use crate::resource::Served;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const FILE: Access = Access::File;
const OPEN: Access = Access::Open;
const SET_UP: Access = Access::SetUp;
const SIGNED_IN: Access = Access::SignedIn;
const MANAGER: Access = Access::Manager;
const CONTACTS: Access = Access::Any(&[ContactsApi]);
const PUBLISH: Access = Access::Any(&[Publish]);
const MANAGE: Access = Access::Any(&[ManageIntegrations]);

/// The largest form of most pages, in bytes.
const FORM: usize = 64 << 10;

/// The largest form with texts of many fields, in bytes. Escaping makes a text up to three times as long.
const LONG_FORM: usize = 4 << 20;

/// The largest form of an asset, whose HTML may have 2 MiB, in bytes.
const ASSET_FORM: usize = 8 << 20;

/// The form of the password itself asks for the current one.
const OWN_PASSWORD: Rule = of(SIGNED_IN, FORM, Proof::WithoutPassword);

/// The form of the company has its list of domains.
const COMPANY: Rule = of(MANAGER, LONG_FORM, Proof::Always);

/// The HTML of an asset, in the frame of the asset's page.
const PREVIEW: Rule = Rule { is_framed: true, ..of(LOOK, FORM, Proof::None) };

const TWO_STEP: &str = "/account/two-step";
const PASSKEYS: &str = "/account/passkeys";
const SIGN_ON: &str = "/admin/company/sign-on";
const USERS: &str = "/admin/company/users";
const WEBHOOKS: &str = "/admin/integrations/webhooks";
const PLATFORMS: &str = "/admin/integrations/platforms";

/// One row for each page and form. Rows of one path are neighbours, and a fixed path is before a pattern that it matches.
pub(crate) fn routes() -> Vec<Served> {
    let of_people = [of_everyone(), of_account(), of_passkeys(), of_company()];
    let of_work = [of_contacts(), of_assets(), of_platforms(), of_webhooks()];
    of_people.into_iter().chain(of_work).flatten().collect()
}

fn of_everyone() -> Vec<Served> {
    vec![
        page(GET, "/static/{file}", FILE, to(files::file)),
        page(GET, "/sign-in", OPEN, to(access::sign_in::show)),
        page(POST, "/sign-in", OPEN, to(access::sign_in::handle)),
        page(GET, "/sign-in/code", OPEN, to(access::second_step::show)),
        page(POST, "/sign-in/code", OPEN, to(access::second_step::handle)),
        page(POST, "/sign-in/passkey", OPEN, to(access::passkeys::sign_in)),
        page(POST, "/sign-in/passkey/options", OPEN, to(access::passkeys::begin_sign_in)),
        page(POST, "/sign-in/oidc", OPEN, to(access::oidc::by_domain::handle)),
        page(GET, "/sign-in/oidc/{provider}", OPEN, to(access::oidc::start::handle)),
        page(GET, "/sign-in/oidc/{provider}/callback", OPEN, to(access::oidc::callback::handle)),
        page(GET, "/sign-in/{token}", OPEN, to(access::link::show)),
        page(POST, "/sign-in/{token}", OPEN, to(access::link::handle)),
        page(POST, "/sign-out", SET_UP, to(access::sign_out::handle)),
        page(GET, "/", SIGNED_IN, to(overview::handle)),
        page(POST, "/setup/dismiss", SIGNED_IN, to(overview::dismiss)),
    ]
}

fn of_account() -> Vec<Served> {
    let two_step = |path: &str| format!("{TWO_STEP}{path}");
    vec![
        page(GET, "/account", SIGNED_IN, to(access::account::handle)),
        guarded(POST, "/account/password", OWN_PASSWORD, to(access::password::handle)),
        page(POST, "/account/sign-out-everywhere", SIGNED_IN, to(access::sign_out::everywhere)),
        page(POST, "/account/sessions/{id}/end", SIGNED_IN, to(access::end_session::handle)),
        page(GET, TWO_STEP, SET_UP, to(access::two_step::show)),
        proven(&two_step("/on"), SET_UP, to(access::two_step::turn_on)),
        proven(&two_step("/off"), SIGNED_IN, to(access::two_step::turn_off)),
        proven(&two_step("/recovery-codes"), SIGNED_IN, to(access::two_step::renew)),
        page(GET, "/account/alerts", SIGNED_IN, to(access::alerts::show)),
        page(POST, "/account/alerts", SIGNED_IN, to(access::alerts::handle)),
        page(GET, "/account/confirm/{provider}", SIGNED_IN, to(access::oidc::start::confirm)),
        page(GET, "/account/api-access", SIGNED_IN, to(access::api_access::handle)),
        proven("/account/api-access/keys", SIGNED_IN, to(access::create_key::own)),
        page(
            POST,
            "/account/api-access/keys/{key_id}/revoke",
            SIGNED_IN,
            to(access::revoke_key::own),
        ),
    ]
}

fn of_passkeys() -> Vec<Served> {
    let below = |path: &str| format!("{PASSKEYS}{path}");
    vec![
        page(GET, PASSKEYS, SET_UP, to(access::passkeys::list)),
        page(POST, PASSKEYS, SET_UP, to(access::passkeys::add)),
        proven(&below("/new"), SET_UP, to(access::passkeys::begin_adding)),
        page(POST, &below("/options"), SIGNED_IN, to(access::passkeys::begin_confirmation)),
        page(POST, &below("/{id}"), SIGNED_IN, to(access::passkeys::rename)),
        proven(&below("/{id}/delete"), SIGNED_IN, to(access::passkeys::delete)),
    ]
}

fn of_company() -> Vec<Served> {
    let below = |path: &str| format!("{USERS}{path}");
    let sign_on = |path: &str| format!("{SIGN_ON}{path}");
    vec![
        page(GET, "/admin", SIGNED_IN, to(admin::admin)),
        page(GET, "/admin/integrations", MANAGE, to(admin::integrations)),
        page(GET, "/admin/company", MANAGER, to(access::company::show)),
        guarded(POST, "/admin/company", COMPANY, to(access::company::handle)),
        page(GET, "/admin/company/keys", MANAGER, to(access::company_keys::handle)),
        page(GET, "/admin/company/services/new", MANAGER, to(access::create_service::show)),
        proven("/admin/company/services/new", MANAGER, to(access::create_service::handle)),
        page(GET, SIGN_ON, MANAGER, to(access::oidc::providers::handle)),
        page(GET, &sign_on("/new"), MANAGER, to(access::oidc::create::show)),
        proven(&sign_on("/new"), MANAGER, to(access::oidc::create::handle)),
        proven(&sign_on("/passwords"), MANAGER, to(access::oidc::passwords::handle)),
        page(GET, &sign_on("/{id}"), MANAGER, to(access::oidc::change::show)),
        proven(&sign_on("/{id}"), MANAGER, to(access::oidc::change::handle)),
        proven(&sign_on("/{id}/delete"), MANAGER, to(access::oidc::change::delete)),
        page(GET, &below("/new"), MANAGER, to(access::create_user::show)),
        proven(&below("/new"), MANAGER, to(access::create_user::handle)),
        page(GET, &below("/{id}"), MANAGER, to(access::user::show)),
        proven(&below("/{id}"), MANAGER, to(access::user::handle)),
        proven(&below("/{id}/invite"), MANAGER, to(access::invite::handle)),
        proven(&below("/{id}/reset-two-step"), MANAGER, to(access::reset_two_step::handle)),
        proven(&below("/{id}/delete"), MANAGER, to(access::delete_user::handle)),
        proven(&below("/{id}/keys"), MANAGER, to(access::create_key::of_user)),
        page(POST, &below("/{id}/keys/{key_id}/revoke"), MANAGER, to(access::revoke_key::of_user)),
    ]
}

fn of_contacts() -> Vec<Served> {
    vec![
        page(GET, "/contacts", CONTACTS, to(contacts::list::handle)),
        page(GET, "/contacts/new", CONTACTS, to(contacts::create::show)),
        large("/contacts/new", CONTACTS, LONG_FORM, to(contacts::create::handle)),
        page(GET, "/contacts/export.csv", CONTACTS, to(contacts::export::handle)),
        page(GET, "/contacts/import", CONTACTS, to(contacts::import::show)),
        large("/contacts/import/preview", CONTACTS, STANDARD_BODY, to(contacts::import::preview)),
        page(POST, "/contacts/import/end", CONTACTS, to(contacts::import::end)),
        page(POST, "/contacts/import/fields", CONTACTS, to(contacts::import::new_field)),
        large("/contacts/import/rows", CONTACTS, BULK_BODY, to(contacts::import::rows)),
        page(POST, "/contacts/selected", CONTACTS, to(contacts::selected::choose)),
        page(GET, "/contacts/selected/delete", CONTACTS, to(contacts::selected::confirm)),
        page(POST, "/contacts/selected/delete", CONTACTS, to(contacts::selected::delete)),
        page(GET, "/contacts/selected/values", CONTACTS, to(contacts::set_values::show)),
        page(POST, "/contacts/selected/values", CONTACTS, to(contacts::set_values::handle)),
        page(POST, "/contacts/views", CONTACTS, to(contacts::views::save)),
        page(POST, "/contacts/views/delete", CONTACTS, to(contacts::views::delete)),
        page(GET, "/contacts/deleted", CONTACTS, to(contacts::deleted::list)),
        page(POST, "/contacts/deleted/restore", CONTACTS, to(contacts::deleted::restore)),
        page(GET, "/contacts/{id}", CONTACTS, to(contacts::read::handle)),
        page(GET, "/contacts/{id}/edit", CONTACTS, to(contacts::change::show)),
        large("/contacts/{id}/edit", CONTACTS, LONG_FORM, to(contacts::change::handle)),
        page(POST, "/contacts/{id}/delete", CONTACTS, to(contacts::delete::handle)),
        page(GET, "/fields", CONTACTS, to(fields::list::handle)),
        page(POST, "/fields", CONTACTS, to(fields::create::handle)),
        page(GET, "/fields/{id}", CONTACTS, to(fields::list_values::handle)),
        page(POST, "/fields/{id}", CONTACTS, to(fields::change::handle)),
    ]
}

fn of_assets() -> Vec<Served> {
    vec![
        page(GET, "/admin/live", LOOK, to(live::handle)),
        page(GET, "/assets", LOOK, to(sync::list_assets::handle)),
        page(GET, "/assets/new", MANAGE, to(sync::create_asset::show)),
        large("/assets/new", MANAGE, ASSET_FORM, to(sync::create_asset::handle)),
        large("/assets/preview", MANAGE, ASSET_FORM, to(sync::preview::draft)),
        large("/assets/check", MANAGE, ASSET_FORM, to(sync::check_asset::handle)),
        page(GET, "/assets/{id}", LOOK, to(sync::read_asset::handle)),
        guarded(GET, "/assets/{id}/preview", PREVIEW, to(sync::preview::handle)),
        page(GET, "/assets/{id}/preview-as", LOOK, to(sync::preview_as::handle)),
        page(GET, "/assets/{id}/edit", MANAGE, to(sync::change_asset::show)),
        large("/assets/{id}/edit", MANAGE, ASSET_FORM, to(sync::change_asset::handle)),
        page(POST, "/assets/{id}/delete", MANAGE, to(sync::delete_asset::handle)),
        page(POST, "/assets/{id}/syncs", PUBLISH, to(sync::publish::handle)),
    ]
}

fn of_platforms() -> Vec<Served> {
    let below = |path: &str| format!("{PLATFORMS}{path}");
    vec![
        page(GET, PLATFORMS, MANAGE, to(sync::list_integrations::handle)),
        page(GET, &below("/all"), MANAGE, to(sync::platforms::handle)),
        page(GET, &below("/add"), MANAGE, to(sync::add_integration::handle)),
        page(GET, &below("/new"), MANAGE, to(sync::create_integration::show)),
        large(&below("/new"), MANAGE, LONG_FORM, to(sync::create_integration::handle)),
        page(GET, &below("/{id}"), MANAGE, to(sync::change_integration::show)),
        large(&below("/{id}"), MANAGE, LONG_FORM, to(sync::change_integration::handle)),
        page(POST, &below("/{id}/delete"), MANAGE, to(sync::delete_integration::handle)),
    ]
}

fn of_webhooks() -> Vec<Served> {
    let below = |path: &str| format!("{WEBHOOKS}{path}");
    let end_previous_secrets = to(webhooks::end_previous_secrets::handle);
    vec![
        page(GET, WEBHOOKS, MANAGE, to(webhooks::list::handle)),
        page(GET, &below("/new"), MANAGE, to(webhooks::create::show)),
        proven(&below("/new"), MANAGE, to(webhooks::create::handle)),
        page(GET, &below("/deliveries"), MANAGE, to(webhooks::list_deliveries::handle)),
        page(GET, &below("/deliveries/resend"), MANAGE, to(webhooks::resend_many::show)),
        page(POST, &below("/deliveries/resend"), MANAGE, to(webhooks::resend_many::handle)),
        page(GET, &below("/deliveries/{id}"), MANAGE, to(webhooks::read_delivery::handle)),
        page(POST, &below("/deliveries/{id}/resend"), MANAGE, to(webhooks::resend::handle)),
        page(GET, &below("/{id}"), MANAGE, to(webhooks::read::handle)),
        page(GET, &below("/{id}/edit"), MANAGE, to(webhooks::change::show)),
        page(POST, &below("/{id}/edit"), MANAGE, to(webhooks::change::handle)),
        page(POST, &below("/{id}/test"), MANAGE, to(webhooks::test::handle)),
        proven(&below("/{id}/rotate-secret"), MANAGE, to(webhooks::rotate_secret::handle)),
        proven(&below("/{id}/previous-secrets"), MANAGE, end_previous_secrets),
        page(POST, &below("/{id}/recover"), MANAGE, to(webhooks::recover::handle)),
        page(POST, &below("/{id}/delete"), MANAGE, to(webhooks::delete::handle)),
    ]
}

const fn of(access: Access, form_limit: usize, proof: Proof) -> Rule {
    Rule { access, form_limit, proof, is_framed: false }
}

/// One method of one page.
fn page(method: Method, path: &str, access: Access, route: Route) -> Served {
    guarded(method, path, of(access, FORM, Proof::None), route)
}

/// A form that may be larger than most.
fn large(path: &str, access: Access, form_limit: usize, route: Route) -> Served {
    guarded(POST, path, of(access, form_limit, Proof::None), route)
}

/// A form that needs a proof of who sends it.
fn proven(path: &str, access: Access, route: Route) -> Served {
    guarded(POST, path, of(access, FORM, Proof::Always), route)
}

fn guarded(method: Method, path: &str, rule: Rule, route: Route) -> Served {
    let guard = from_fn(move |request, next| guard(rule, request, next));
    Served { method, path: path.to_owned(), route: route.wrap(guard) }
}
