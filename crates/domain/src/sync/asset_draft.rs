//! The input for a new asset or a change, and its validation.

use super::asset::{Asset, AssetBody, AssetForm, AssetName, AssetText, AssetType, Line};
use super::plain_text::plain_text;
use crate::ids::AssetId;
use crate::property::Property;
use crate::rules::{Purpose, broken, needed, unless_blank, valid};
use crate::time::Timestamp;
use crate::violations::Violations;

/// The input for a new asset or a change.
#[derive(Clone, Debug, Default, garde::Validate)]
#[garde(context(Before as before))]
pub struct AssetDraft {
    /// Required.
    #[garde(custom(needed(before.purpose())))]
    pub name: Property<AssetName>,
    /// Required.
    #[garde(custom(needed(before.purpose())))]
    pub r#type: Property<AssetType>,
    /// Required.
    #[garde(custom(needed(before.purpose())))]
    pub html: Property<AssetBody>,
    /// Optional; derived from the HTML when absent.
    #[garde(custom(unless_blank))]
    pub text: Property<AssetBody>,
    /// Required for an email, rejected for a landing page.
    #[garde(
        if(cond = self.kind(before) == Some(AssetType::Email), custom(needed(before.purpose_of_subject()))),
        if(cond = self.kind(before) == Some(AssetType::LandingPage), custom(not_given)),
        if(cond = self.kind(before).is_none(), custom(unless_blank))
    )]
    pub subject: Property<Line>,
    /// Optional for an email, rejected for a landing page.
    #[garde(
        if(cond = self.kind(before) == Some(AssetType::LandingPage), custom(not_given)),
        if(cond = self.kind(before) != Some(AssetType::LandingPage), custom(unless_blank))
    )]
    pub preheader: Property<Line>,
}

/// The asset before a change; `None` before it is created.
pub struct Before(Option<AssetForm>);

impl Before {
    const fn purpose(&self) -> Purpose {
        if self.0.is_some() { Purpose::Change } else { Purpose::New }
    }

    /// Only an email has a subject that a change can keep.
    const fn purpose_of_subject(&self) -> Purpose {
        match self.0 {
            Some(AssetForm::Email { .. }) => Purpose::Change,
            Some(AssetForm::LandingPage) | None => Purpose::New,
        }
    }
}

fn not_given<C>(line: &Property<Line>, _context: &C) -> garde::Result {
    match line {
        Property::Absent | Property::Null => Ok(()),
        _ => broken("must not be given for a landing page"),
    }
}

/// A change to an asset. Absent members are left unchanged; null clears optional ones.
#[derive(Clone, Debug)]
pub struct AssetChange {
    draft: AssetDraft,
    /// The text of the new HTML, derived before anything is locked.
    made: Option<AssetText>,
}

impl AssetDraft {
    /// Validates a new asset. All violations are returned at once.
    pub fn validate(&self, id: AssetId, at: Timestamp) -> Result<Asset, Violations> {
        valid(self, Before(None), |before| {
            let html = self.html.value()?;
            let text = self.given_text().unwrap_or_else(|| made_of(&html));
            let (name, form) = (self.name.value()?, self.form(&before)?);
            Some(Asset { id, name, form, html, text, created_at: at, updated_at: at })
        })
    }

    /// The type after the change; `None` when it is invalid.
    fn kind(&self, before: &Before) -> Option<AssetType> {
        match &before.0 {
            Some(before) if self.r#type.is_absent() => Some(before.kind()),
            _ => self.r#type.value(),
        }
    }

    /// Subject and preheader, according to the type.
    fn form(&self, before: &Before) -> Option<AssetForm> {
        if self.kind(before)? == AssetType::LandingPage {
            return Some(AssetForm::LandingPage);
        }
        let (subject, preheader) = match &before.0 {
            Some(AssetForm::Email { subject, preheader }) => (Some(subject), preheader.clone()),
            _ => (None, None),
        };
        Some(AssetForm::Email {
            subject: self.subject.value().or_else(|| subject.cloned())?,
            preheader: if self.preheader.is_absent() { preheader } else { self.preheader.filled() },
        })
    }

    fn given_text(&self) -> Option<AssetText> {
        let text = self.text.filled()?;
        Some(AssetText { text: text.as_str().to_owned(), is_made: false })
    }
}

impl AssetChange {
    /// Takes the input, and derives the text of a new HTML.
    #[must_use]
    pub fn new(draft: AssetDraft) -> Self {
        let html = draft.html.filled().filter(|_html| !matches!(draft.text, Property::Given(_)));
        let made = html.map(|html| made_of(&html));
        Self { draft, made }
    }

    /// The asset after the change. All violations are returned at once. A derived text changes with the HTML; a given
    /// text stays until another one, or null, is given. An email that becomes a landing page loses subject and
    /// preheader.
    pub fn apply(&self, before: &Asset, at: Timestamp) -> Result<Asset, Violations> {
        let draft = &self.draft;
        valid(draft, Before(Some(before.form.clone())), |form| {
            let html = draft.html.or(&before.html);
            let text = draft.given_text().unwrap_or_else(|| self.text_of(before, &html));
            let (name, form) = (draft.name.or(&before.name), draft.form(&form)?);
            let changed = Asset { name, form, html, text, ..before.clone() };
            Some(moved(changed, before, at))
        })
    }

    /// The derived text.
    fn text_of(&self, before: &Asset, html: &AssetBody) -> AssetText {
        let stays =
            self.draft.text.is_absent() && (!before.text.is_made || self.draft.html.is_absent());
        if stays {
            return before.text.clone();
        }
        self.made.clone().unwrap_or_else(|| made_of(html))
    }
}

fn moved(mut changed: Asset, before: &Asset, at: Timestamp) -> Asset {
    if changed != *before {
        changed.updated_at = at.after(before.updated_at);
    }
    changed
}

fn made_of(html: &AssetBody) -> AssetText {
    AssetText { text: plain_text(html.as_str()), is_made: true }
}

#[cfg(test)]
#[path = "asset_draft_tests.rs"]
mod tests;
