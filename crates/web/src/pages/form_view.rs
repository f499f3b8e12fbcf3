//! A form as a page shows it: with the values that were typed, and each error beside its field.

use actix_web::http::StatusCode;

use contact_hub_domain::violations::{Problem, Violations};

use super::excerpt::shortened;
use super::form::Form;
use super::label::{label, labelled, sentence, sentence_of};
use super::seen_values::{self, SEEN, digests};
use super::words::in_page_words;
use crate::error::{ApiError, Code};

/// Values and errors by the name of the field.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormView {
    values: Vec<(String, String)>,
    errors: Violations,
    /// What the error of a field leads to: the field, a text and an address.
    link: Option<(&'static str, String, String)>,
    status: StatusCode,
    /// The digests of the values that the form showed when it was opened.
    seen: String,
}

impl FormView {
    /// A form with these values and no error.
    pub(crate) fn of(values: Vec<(String, String)>) -> Self {
        Self { seen: digests(&values), values, ..Self::default() }
    }

    /// A form with these values and no error.
    pub(crate) fn filled<const N: usize>(values: [(&str, &str); N]) -> Self {
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self::of(values.map(owned).into())
    }

    /// The form as it was sent, with its errors. An error that no form can show is returned.
    pub(crate) fn refused(form: &Form, error: impl Into<ApiError>) -> Result<Self, ApiError> {
        let error = error.into();
        let status = error.status();
        let errors = match error {
            ApiError::Validation(violations) => violations,
            ApiError::Application { code, message, .. } if is_shown_in_the_form(status) => {
                Violations::one(field_of(code), Problem::new(in_page_words(&message)))
            }
            other => return Err(other),
        };
        let seen = form.text(SEEN).to_owned();
        Ok(Self { values: form.pairs().to_vec(), errors, link: None, status, seen })
    }

    /// The form with an error at each field that somebody else has changed since it was opened; `None` if there is none that
    /// it changes too. It has the current values of all other fields, and is opened anew, so it can be sent again.
    pub(crate) fn conflicting(form: &Form, current: Self) -> Option<Self> {
        let is_conflict = |name: &str| {
            form.is_edited(name)
                && form.seen().are_outdated(name, current.all(name))
                && form.text(name) != current.text(name).replace("\r\n", "\n")
        };
        let names = current.values.iter().map(|(name, _)| name.as_str());
        let mut errors = Violations::default();
        for name in names.filter(|name| is_conflict(name)) {
            errors.add(name, Problem::new(CONFLICT));
        }
        if errors.is_empty() {
            return None;
        }
        let (values, status) = (form.over(current.pairs()).pairs().to_vec(), StatusCode::CONFLICT);
        Some(Self { values, errors, link: None, status, seen: current.seen })
    }

    /// What the hidden field [`SEEN`] contains.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    /// The same for a page that shows only some of the fields.
    #[must_use]
    pub(crate) fn showing(mut self, is_shown: impl Fn(&str) -> bool) -> Self {
        self.seen = seen_values::of_fields(&self.seen, is_shown);
        self
    }

    /// The same as a form that was opened with the values of this one.
    #[must_use]
    pub(crate) fn opened_with(mut self, shown: &Self) -> Self {
        self.seen.clone_from(&shown.seen);
        self
    }

    /// The same with a link beside the error of a field.
    #[must_use]
    pub(crate) fn linked(mut self, name: &'static str, text: String, href: String) -> Self {
        self.link = Some((name, text, href));
        self
    }

    /// The link beside the errors of a field: its text and its address.
    pub(crate) fn link(&self, name: &str) -> Option<(&str, &str)> {
        let found = self.link.as_ref().filter(|(field, ..)| *field == name);
        found.map(|(_, text, href)| (text.as_str(), href.as_str()))
    }

    /// The form without what was typed into a field, such as a secret.
    #[must_use]
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.values.retain(|(known, _)| known != name);
        self
    }

    /// The form without the secret that was typed into a field, which is on no page. If one was, the field asks for it with
    /// these words, so that the form is not sent again without it unnoticed.
    #[must_use]
    pub(crate) fn without_secret(mut self, name: &str, again: &'static str) -> Self {
        if !self.text(name).is_empty() && self.errors(name).is_empty() {
            self.errors.add(name, Problem::new(again));
        }
        self.without(name)
    }

    /// The same with another value of a field.
    #[must_use]
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let mut changed = self.without(name);
        changed.values.push((name.to_owned(), value.to_owned()));
        changed
    }

    /// The status of the page that shows it.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Every value, with the name of its field.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.values
    }

    /// The last value of a field.
    pub(crate) fn text(&self, name: &str) -> &str {
        let found = self.values.iter().rev().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Every value of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.values.iter().filter(move |(known, _)| known == name).map(|(_, it)| it.as_str())
    }

    /// Whether a field has this value among its values.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.values.iter().any(|(known, it)| known == name && it == value)
    }

    /// What is wrong with a field, or with a member of it, as sentences.
    pub(crate) fn errors(&self, name: &str) -> Vec<String> {
        let below = format!("{name}.");
        let own = self.errors.iter().filter(|(path, _)| *path == name || path.starts_with(&below));
        let said = own.flat_map(|(path, it)| {
            let line = path.strip_prefix(&below).and_then(|place| self.line(name, place));
            it.iter().map(move |it| match line {
                Some(line) => {
                    format!("“{}”: {}", shortened(line, LONG_LINE), sentence_of(path, it))
                }
                None => sentence_of(path, it),
            })
        });
        let mut found: Vec<String> = said.collect();
        found.dedup();
        let more = found.len().saturating_sub(MOST_ERRORS);
        if more > 0 {
            found.truncate(MOST_ERRORS);
            found.push(format!("More errors: {more}."));
        }
        found
    }

    /// The entry at this place of a field with several, one on each line.
    fn line(&self, name: &str, place: &str) -> Option<&str> {
        let lines = self.text(name).lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.collect();
        lines.get(place.parse::<usize>().ok()?).filter(|_line| lines.len() > 1).copied()
    }

    /// Whether anything is wrong.
    pub(crate) fn is_refused(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The errors of fields that the page does not show.
    pub(crate) fn others(&self, shown: &[&str]) -> Vec<String> {
        let is_shown = |path: &str| {
            shown.iter().any(|name| {
                path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        let others = self.errors.iter().filter(|(path, _)| !is_shown(path));
        others
            .flat_map(|(path, messages)| {
                messages.iter().map(move |it| match path {
                    FORM => sentence(it),
                    _ => labelled(&label(path), it),
                })
            })
            .collect()
    }
}

/// Whether a form shows an application error with this status.
const fn is_shown_in_the_form(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::CONFLICT | StatusCode::BAD_REQUEST | StatusCode::PRECONDITION_FAILED
    )
}

/// The error of a field that somebody else has changed.
const CONFLICT: &str =
    "was changed by somebody else in the meantime. Save again to replace it with what you entered";

/// How many errors of one field are shown.
const MOST_ERRORS: usize = 5;

/// How many characters of a line with an error are shown.
const LONG_LINE: usize = 60;

/// The path of errors of the form as a whole.
const FORM: &str = "form";

/// The field beside which an error with this code is shown.
const fn field_of(code: Code) -> &'static str {
    match code {
        Code::ContactAlreadyExists | Code::EmailDomainNotAllowed | Code::UserAlreadyExists => {
            "email"
        }
        Code::FieldAlreadyExists => "name",
        Code::AssetTypeNotSupported | Code::WebhookNotConfigured => "integration_id",
        _ => FORM,
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::violations::{Problem, Violations};

    use super::{Form, FormView, SEEN};
    use crate::error::{ApiError, Code};

    #[test]
    fn an_error_is_beside_its_field() {
        let mut violations = Violations::one("email", Problem::new("is required"));
        violations.add("events.0", Problem::new("must be a string"));
        violations.add("text.x", Problem::new("is odd"));
        let form = Form::of(b"email=&name=Ann").expect("a form");
        let view = FormView::refused(&form, ApiError::Validation(violations)).expect("shown");
        assert_eq!(view.errors("email"), ["Enter an email address."]);
        assert_eq!(view.errors("events"), ["Must be a string."]);
        assert_eq!(view.others(&["email", "events"]), ["Text x is odd."]);
        assert_eq!((view.text("name"), view.status().as_u16()), ("Ann", 422));
    }

    #[test]
    fn a_conflict_is_shown_in_the_form_and_a_missing_object_is_not() {
        let form = Form::default();
        let view = FormView::refused(&form, Code::UserAlreadyExists).expect("shown");
        assert_eq!(view.errors("email").len(), 1);
        assert!(FormView::refused(&form, Code::ContactNotFound).is_err());
    }

    #[test]
    fn fields_that_were_not_edited_get_their_current_values() {
        let shown = FormView::filled([("name", "A"), ("trusts", "on"), ("scopes", "x")]);
        let now = FormView::filled([("name", "B"), ("scopes", "x y"), ("creates", "on")]);
        let sent = [("name", "A"), ("trusts", "on"), ("scopes", "z"), (SEEN, shown.seen())];
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(sent).finish();
        let form = Form::of(body.as_bytes()).expect("a form").over(now.pairs());
        assert_eq!((form.text("name"), form.text("scopes")), ("B", "z"));
        assert!(!form.is_ticked("trusts") && form.is_ticked("creates"));
    }
}
