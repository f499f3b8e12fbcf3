//! The supported platforms.

use std::fmt;

use super::merge_tag::MergeTag;
use super::platforms;
use crate::input::FromText;
use crate::text;
use crate::violations::Problem;

/// A merge tag format: a platform, or a template language on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Every platform.
    pub const ALL: [Self; 18] = [
        Self::Marketo,
        Self::Eloqua,
        Self::Hubspot,
        Self::Pardot,
        Self::Sfmc,
        Self::Mailchimp,
        Self::Braze,
        Self::Klaviyo,
        Self::Iterable,
        Self::Responsys,
        Self::AdobeCampaign,
        Self::Customerio,
        Self::Activecampaign,
        Self::Sendgrid,
        Self::AdobeJourneyOptimizer,
        Self::Acoustic,
        Self::Liquid,
        Self::Handlebars,
    ];

    /// The name in the interface.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Marketo => "marketo",
            Self::Eloqua => "eloqua",
            Self::Hubspot => "hubspot",
            Self::Pardot => "pardot",
            Self::Sfmc => "sfmc",
            Self::Mailchimp => "mailchimp",
            Self::Braze => "braze",
            Self::Klaviyo => "klaviyo",
            Self::Iterable => "iterable",
            Self::Responsys => "responsys",
            Self::AdobeCampaign => "adobe_campaign",
            Self::Customerio => "customerio",
            Self::Activecampaign => "activecampaign",
            Self::Sendgrid => "sendgrid",
            Self::AdobeJourneyOptimizer => "adobe_journey_optimizer",
            Self::Acoustic => "acoustic",
            Self::Liquid => "liquid",
            Self::Handlebars => "handlebars",
        }
    }

    /// Parses the name in the interface; `marketing_cloud` is an alias of `sfmc`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        if word == "marketing_cloud" {
            return Some(Self::Sfmc);
        }
        Self::ALL.into_iter().find(|known| known.as_str() == word)
    }

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

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromText for Platform {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Self::parse(text::trimmed(text)).ok_or_else(|| {
            let words: Vec<&str> = Self::ALL.into_iter().map(Self::as_str).collect();
            Problem::new(format!("must be one of {}", words.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Platform;
    use crate::input::FromText;

    #[test]
    fn every_word_is_read_back() {
        for platform in Platform::ALL {
            assert_eq!(Platform::parse(platform.as_str()), Some(platform));
        }
    }

    #[test]
    fn reads_one_alias_and_no_other_word() {
        assert_eq!(Platform::parse("marketing_cloud"), Some(Platform::Sfmc));
        assert_eq!(Platform::from_text(" braze "), Ok(Platform::Braze));
        for word in ["", "Braze", "customer.io", "marketing cloud"] {
            let problem = Platform::from_text(word).expect_err(word);
            assert!(problem.as_str().starts_with("must be one of marketo, eloqua, "));
        }
    }
}
