//! One file for each merge tag format, with the source of what it knows of the platform's syntax.
//!
//! `express` gives a tag in the platform's syntax; where the platform has nothing for some tag it says `None`. A
//! fallback is text of the asset: it is escaped against the platform's syntax only, never against HTML, since it comes
//! from the same HTML or plain text that the tag stands in. A link that the platform has is always there, so its
//! fallback is of no use. A field's key is spelled in the platform's usual style; a company whose fields are called
//! otherwise maps the tag. Strings are quoted with apostrophes where both quotes will do, since tags often stand in
//! double-quoted attributes.
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
