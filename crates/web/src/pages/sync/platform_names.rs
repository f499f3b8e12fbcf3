//! The names of platforms and types, as people know them.

use contact_hub_domain::sync::{AssetType, Platform};

/// A platform's own name.
pub(crate) const fn platform(platform: Platform) -> &'static str {
    match platform {
        Platform::Marketo => "Adobe Marketo Engage",
        Platform::Eloqua => "Oracle Eloqua",
        Platform::Hubspot => "HubSpot",
        Platform::Pardot => "Salesforce Account Engagement (Pardot)",
        Platform::Sfmc => "Salesforce Marketing Cloud",
        Platform::Mailchimp => "Mailchimp",
        Platform::Braze => "Braze",
        Platform::Klaviyo => "Klaviyo",
        Platform::Iterable => "Iterable",
        Platform::Responsys => "Oracle Responsys",
        Platform::AdobeCampaign => "Adobe Campaign",
        Platform::Customerio => "Customer.io",
        Platform::Activecampaign => "ActiveCampaign",
        Platform::Sendgrid => "Twilio SendGrid",
        Platform::AdobeJourneyOptimizer => "Adobe Journey Optimizer",
        Platform::Acoustic => "Acoustic Campaign",
        Platform::Liquid => "Liquid (any other platform)",
        Platform::Handlebars => "Handlebars (any other platform)",
    }
}

/// A type of assets.
pub(crate) const fn asset_type(kind: AssetType) -> &'static str {
    match kind {
        AssetType::Email => "Email",
        AssetType::LandingPage => "Landing Page",
    }
}
