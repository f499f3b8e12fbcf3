//! The supported platforms.

use strum::{Display, EnumCount, IntoStaticStr, VariantArray};

use super::merge_tag::MergeTag;
use super::platforms;
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;
use crate::words::one_of;

/// A merge tag format: a platform, or a template language on its own.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumCount,
    IntoStaticStr,
    VariantArray,
    Display,
)]
#[strum(serialize_all = "snake_case")]
pub enum Platform {
    /// Adobe Marketo Engage.
    Marketo,
    /// Oracle Eloqua.
    Eloqua,
    /// `HubSpot`.
    Hubspot,
    /// Salesforce Account Engagement, once Pardot.
    Pardot,
    /// Salesforce Marketing Cloud.
    Sfmc,
    /// Mailchimp.
    Mailchimp,
    /// Braze.
    Braze,
    /// Klaviyo.
    Klaviyo,
    /// Iterable.
    Iterable,
    /// Oracle Responsys.
    Responsys,
    /// Adobe Campaign.
    AdobeCampaign,
    /// Customer.io.
    Customerio,
    /// `ActiveCampaign`.
    Activecampaign,
    /// Twilio `SendGrid`.
    Sendgrid,
    /// Adobe Journey Optimizer.
    AdobeJourneyOptimizer,
    /// Acoustic Campaign.
    Acoustic,
    /// Liquid on any other platform.
    Liquid,
    /// Handlebars on any other platform.
    Handlebars,
}

impl Platform {
    /// The tag in the platform's syntax; `None` when the platform cannot express it.
    pub(super) fn express(self, tag: &MergeTag) -> Option<String> {
        match self {
            Self::Marketo => Some(platforms::marketo::express(tag)),
            Self::Eloqua => platforms::eloqua::express(tag),
            Self::Hubspot => Some(platforms::hubspot::express(tag)),
            Self::Pardot => Some(platforms::pardot::express(tag)),
            Self::Sfmc => Some(platforms::sfmc::express(tag)),
            Self::Mailchimp => Some(platforms::mailchimp::express(tag)),
            Self::Braze => platforms::braze::express(tag),
            Self::Klaviyo => Some(platforms::klaviyo::express(tag)),
            Self::Iterable => Some(platforms::iterable::express(tag)),
            Self::Responsys => platforms::responsys::express(tag),
            Self::AdobeCampaign => Some(platforms::adobe_campaign::express(tag)),
            Self::Customerio => Some(platforms::customerio::express(tag)),
            Self::Activecampaign => Some(platforms::activecampaign::express(tag)),
            Self::Sendgrid => Some(platforms::sendgrid::express(tag)),
            Self::AdobeJourneyOptimizer => platforms::adobe_journey_optimizer::express(tag),
            Self::Acoustic => Some(platforms::acoustic::express(tag)),
            Self::Liquid => Some(platforms::liquid::express(tag)),
            Self::Handlebars => Some(platforms::handlebars::express(tag)),
        }
    }
}

/// Reads also `marketing_cloud`, an alias of `sfmc`.
impl FromText for Platform {
    fn from_text(text: &str) -> Result<Self, Problem> {
        if text::trimmed(text) == "marketing_cloud" {
            return Ok(Self::Sfmc);
        }
        one_of(text, &Self::ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::Platform;
    use crate::input::FromText;

    #[test]
    fn parses_one_alias_and_no_other_word() {
        assert_eq!(Platform::from_text("marketing_cloud"), Ok(Platform::Sfmc));
        assert_eq!(Platform::from_text(" braze "), Ok(Platform::Braze));
        for word in ["", "Braze", "customer.io", "marketing cloud"] {
            let problem = Platform::from_text(word).expect_err(word);
            assert!(problem.as_str().starts_with("must be one of marketo, eloqua, "));
        }
    }
}
