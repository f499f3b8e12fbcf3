//! The steps of a new company to its first sync.

/// The steps that are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a step")]
pub struct SetupSteps {
    /// There is a field or a contact.
    pub has_contacts: bool,
    /// There is an asset.
    pub has_asset: bool,
    /// There is a webhook.
    pub has_webhook: bool,
    /// A platform is connected.
    pub has_integration: bool,
}
