//! The input for a new asset or a change, and its validation.

use super::asset::{Asset, AssetBody, AssetForm, AssetName, AssetText, AssetType, Line};
use super::plain_text::plain_text;
use crate::ids::AssetId;
use crate::input::Input;
use crate::text;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The input for a new asset or a change.
#[derive(Clone, Debug, Default)]
pub struct AssetDraft {
    /// Required.
    pub name: Input,
    /// Required.
    pub r#type: Input,
    /// Required.
    pub html: Input,
    /// Optional; derived from the HTML when absent.
    pub text: Input,
    /// Required for an email, rejected for a landing page.
    pub subject: Input,
    /// Optional for an email, rejected for a landing page.
    pub preheader: Input,
}

/// A change to an asset. Absent members stay; null clears optional ones.
#[derive(Clone, Debug)]
pub struct AssetChange {
    draft: AssetDraft,
    /// The text of the new HTML, derived before anything is locked.
    made: Option<AssetText>,
}

impl AssetDraft {
    /// Validates a new asset. All violations are returned at once.
    pub fn validate(&self, id: AssetId, at: Timestamp) -> Result<Asset, Violations> {
        let mut violations = Violations::default();
        let name = violations.collect("name", self.name.required::<AssetName>());
        let kind = violations.collect("type", self.r#type.required::<AssetType>());
        let html = violations.collect("html", self.html.required::<AssetBody>());
        let text = violations.collect("text", given_text(&self.text));
        let form = self.form(kind, None, &mut violations);
        match (name, form, html, text) {
            (Some(name), Some(form), Some(html), Some(text)) if violations.is_empty() => {
                let text = text.unwrap_or_else(|| made_of(&html));
                Ok(Asset { id, name, form, html, text, created_at: at, updated_at: at })
            }
            _ => Err(violations),
        }
    }

    /// Subject and preheader, according to the type. If the type is invalid they are validated without it.
    fn form(
        &self,
        kind: Option<AssetType>,
        before: Option<&AssetForm>,
        violations: &mut Violations,
    ) -> Option<AssetForm> {
        match kind {
            Some(AssetType::Email) => {
                let subject = violations.collect("subject", self.subject_of(before));
                let preheader = violations.collect("preheader", self.preheader_of(before));
                Some(AssetForm::Email { subject: subject?, preheader: preheader? })
            }
            Some(AssetType::LandingPage) => {
                for (path, input) in [("subject", &self.subject), ("preheader", &self.preheader)] {
                    if !matches!(input, Input::Absent | Input::Null) {
                        violations.add(path, Problem::new("must not be given for a landing page"));
                    }
                }
                Some(AssetForm::LandingPage)
            }
            None => {
                let _judged = violations.collect("subject", given_line(&self.subject));
                let _judged = violations.collect("preheader", given_line(&self.preheader));
                None
            }
        }
    }

    fn subject_of(&self, before: Option<&AssetForm>) -> Result<Line, Problem> {
        match (&self.subject, before) {
            (Input::Absent, Some(AssetForm::Email { subject, .. })) => Ok(subject.clone()),
            (input, _) => input.required(),
        }
    }

    fn preheader_of(&self, before: Option<&AssetForm>) -> Result<Option<Line>, Problem> {
        match (&self.preheader, before) {
            (Input::Absent, Some(AssetForm::Email { preheader, .. })) => Ok(preheader.clone()),
            (input, _) => given_line(input),
        }
    }
}

impl AssetChange {
    /// Takes the input, and derives the text of a new HTML.
    #[must_use]
    pub fn new(draft: AssetDraft) -> Self {
        let html = draft.html.required::<AssetBody>().ok();
        let made = html.filter(|_| is_blank(&draft.text)).map(|html| made_of(&html));
        Self { draft, made }
    }

    /// The asset after the change. All violations are returned at once. A derived text changes with the HTML; a given
    /// text stays until another one, or null, is given. An email that becomes a landing page loses subject and
    /// preheader.
    pub fn apply(&self, before: &Asset, at: Timestamp) -> Result<Asset, Violations> {
        let draft = &self.draft;
        let mut violations = Violations::default();
        let kept = |input: &Input| *input == Input::Absent;
        let name = if kept(&draft.name) { Ok(before.name.clone()) } else { draft.name.required() };
        let kind =
            if kept(&draft.r#type) { Ok(before.form.kind()) } else { draft.r#type.required() };
        let html = if kept(&draft.html) { Ok(before.html.clone()) } else { draft.html.required() };
        let name = violations.collect("name", name);
        let kind = violations.collect("type", kind);
        let html = violations.collect("html", html);
        let text = violations.collect("text", given_text(&draft.text));
        let form = draft.form(kind, Some(&before.form), &mut violations);
        match (name, form, html, text) {
            (Some(name), Some(form), Some(html), Some(text)) if violations.is_empty() => {
                let text = text.unwrap_or_else(|| self.text_of(before, &html));
                let changed = Asset { name, form, html, text, ..before.clone() };
                Ok(moved(changed, before, at))
            }
            _ => Err(violations),
        }
    }

    /// The derived text.
    fn text_of(&self, before: &Asset, html: &AssetBody) -> AssetText {
        let stays = self.draft.text == Input::Absent
            && (!before.text.is_made || self.draft.html == Input::Absent);
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

/// Whether the input is absent. A form sends an empty text for an absent value.
fn is_blank(input: &Input) -> bool {
    match input {
        Input::Absent | Input::Null => true,
        Input::Text(input) => text::trimmed(input).is_empty(),
        Input::BrokenText | Input::Number(_) | Input::Bool(_) | Input::Composite => false,
    }
}

fn given_line(input: &Input) -> Result<Option<Line>, Problem> {
    if is_blank(input) { Ok(None) } else { input.optional() }
}

fn given_text(input: &Input) -> Result<Option<AssetText>, Problem> {
    if is_blank(input) {
        return Ok(None);
    }
    let body = input.optional::<AssetBody>()?;
    Ok(body.map(|body| AssetText { text: body.as_str().to_owned(), is_made: false }))
}

#[cfg(test)]
#[path = "asset_draft_tests.rs"]
mod tests;
