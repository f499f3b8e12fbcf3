//! One file for each merge tag format, with the source of what it knows of the platform's syntax.
//!
//! `express` returns a tag in the platform's syntax, or `None` if the platform cannot express it. A fallback is text of
//! the asset. It is escaped for the platform's syntax only, never for HTML, because it comes from the same HTML or
//! plain text as the tag. A link that the platform offers always has a value, so its fallback is not used. A field's
//! key is spelled in the platform's usual style; a company whose fields have other names maps the tag. Strings have
//! apostrophes where both quotes are possible, because tags are often inside double-quoted attributes.
//!
//! To add a format: a file here and its lines in `Platform`.

pub(super) mod acoustic;
pub(super) mod activecampaign;
pub(super) mod adobe_campaign;
pub(super) mod adobe_journey_optimizer;
pub(super) mod braze;
pub(super) mod customerio;
pub(super) mod eloqua;
pub(super) mod handlebars;
pub(super) mod hubspot;
pub(super) mod iterable;
pub(super) mod klaviyo;
pub(super) mod liquid;
pub(super) mod mailchimp;
pub(super) mod marketo;
pub(super) mod pardot;
pub(super) mod responsys;
pub(super) mod sendgrid;
pub(super) mod sfmc;
mod spelling;
