//! Warnings for texts of an asset that look like merge tags but are not. The interface accepts them.

use contact_hub_domain::fields::Directory;
use contact_hub_domain::sync::{Asset, UnknownTags, unknown_tags};

/// The warnings of an asset.
#[derive(Default)]
pub(super) struct AssetWarnings {
    /// The first unknown tags.
    pub(super) tags: Vec<Warning>,
    /// How many more there are.
    pub(super) more: usize,
}

/// An unknown tag.
pub(super) struct Warning {
    /// The beginning of its name.
    pub(super) name: String,
    /// The name that was probably meant.
    pub(super) suggestion: Option<String>,
}

impl AssetWarnings {
    /// The warnings of a stored asset. A plain text that is made from the HTML has no tags of its own.
    pub(super) fn of(asset: &Asset, fields: &Directory) -> Self {
        let text = (!asset.text.is_made).then_some(asset.text.text.as_str());
        let (subject, preheader) = (asset.form.subject(), asset.form.preheader());
        let parts = [subject, preheader, Some(asset.html.as_str()), text];
        Self::of_parts(parts.into_iter().flatten(), fields)
    }

    /// The warnings of some texts.
    pub(super) fn of_parts<'a>(
        parts: impl IntoIterator<Item = &'a str>,
        fields: &Directory,
    ) -> Self {
        let UnknownTags { tags, more } = unknown_tags(parts, fields);
        let warning = |tag| {
            let contact_hub_domain::sync::UnknownTag { name, suggestion } = tag;
            Warning { name, suggestion }
        };
        Self { tags: tags.into_iter().map(warning).collect(), more }
    }
}
