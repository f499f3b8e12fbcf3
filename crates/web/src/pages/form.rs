//! What a form sent.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use url::form_urlencoded::parse;

use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;

use super::seen_values::{SEEN, SeenValues};
use crate::error::{ApiError, Code};
use crate::extract::Arrived;

/// The fields of a form in their order. The guard has read them, and found the token among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    pairs: Arc<Vec<(String, String)>>,
    seen: Arc<SeenValues>,
}

/// The maximum number of fields of a form; none of our pages has nearly as many.
const MAX_FIELDS: usize = 3000;

impl Form {
    /// Reads `application/x-www-form-urlencoded`. Line breaks, which browsers send as CR LF, become LF.
    pub(crate) fn of(body: &[u8]) -> Result<Self, ApiError> {
        let pairs =
            parse(body).map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n")));
        let pairs: Vec<(String, String)> = pairs.take(MAX_FIELDS + 1).collect();
        if pairs.len() > MAX_FIELDS {
            let sentence = format!("must have at most {MAX_FIELDS} fields");
            return Err(ApiError::unreadable_body(&sentence));
        }
        let mut form = Self { pairs: Arc::new(pairs), seen: Arc::default() };
        form.seen = Arc::new(SeenValues::parse(form.text(SEEN)));
        Ok(form)
    }

    /// The last value of a field, empty when there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        let found = self.pairs.iter().rev().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Every value of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a field has other values than the form showed when it was opened; true for a form that does not send what it
    /// showed.
    pub(crate) fn is_edited(&self, name: &str) -> bool {
        self.seen.differ(name, self.all(name))
    }

    /// The values that the form showed when it was opened.
    pub(crate) fn seen(&self) -> &SeenValues {
        &self.seen
    }

    /// What an edited field changes; nothing when it was not edited.
    pub(crate) fn edited<P: From<Input>>(&self, name: &str, change: impl FnOnce() -> P) -> P {
        if self.is_edited(name) { change() } else { Input::Absent.into() }
    }

    /// The change of a text that cannot be left unset; an empty one is invalid or clears it.
    pub(crate) fn edited_text<P: From<Input>>(&self, name: &str) -> P {
        self.edited(name, || self.clearing(name))
    }

    /// The change of a box.
    pub(crate) fn edited_box<P: From<Input>>(&self, name: &str) -> P {
        self.edited(name, || Input::Bool(self.is_ticked(name)).into())
    }

    /// Whether a box is ticked.
    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// The value of a field; an empty one was not given.
    pub(crate) fn input<P: From<Input>>(&self, name: &str) -> P {
        self.text_or(name, Input::Absent).into()
    }

    /// The value of a field that the form always has; an empty one clears what was there.
    pub(crate) fn clearing<P: From<Input>>(&self, name: &str) -> P {
        self.text_or(name, Input::Null).into()
    }

    fn text_or(&self, name: &str, nothing: Input) -> Input {
        match self.text(name) {
            "" => nothing,
            text => text.into(),
        }
    }

    /// The ticked ones of a group of boxes.
    pub(crate) fn list<P: From<Input>>(&self, name: &str) -> Property<Vec<P>> {
        self.all(name).map(|value| Input::from(value).into()).collect()
    }

    /// The same with the current values of the fields that were not edited.
    pub(crate) fn over(&self, current: &[(String, String)]) -> Self {
        let edited = self.pairs.iter().filter(|(name, _)| self.is_edited(name));
        let others = current.iter().filter(|(name, _)| !self.is_edited(name));
        let pairs = Arc::new(edited.chain(others).cloned().collect());
        Self { pairs, seen: Arc::clone(&self.seen) }
    }

    /// How many bytes validating it takes, roughly: twice the size of its fields.
    pub(crate) fn weight(&self) -> usize {
        self.pairs
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum::<usize>()
            .saturating_mul(2)
    }

    /// Every field.
    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }
}

impl FromRequest for Form {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let form = request.extensions().get::<Self>().cloned();
        ready(form.ok_or_else(|| Code::InternalError.into()))
    }
}

/// The body of a request that a script made, as the guard read it.
#[derive(Clone)]
pub(crate) struct ScriptBody(Arc<Arrived>);

impl ScriptBody {
    pub(super) fn of(arrived: Arrived) -> Self {
        Self(Arc::new(arrived))
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }
}

impl FromRequest for ScriptBody {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let body = request.extensions().get::<Self>().cloned();
        ready(body.ok_or_else(|| Code::InternalError.into()))
    }
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::input::Input;

    use super::Form;

    #[test]
    fn parses_what_browsers_send() {
        let form = Form::of(b"a=1%0D%0A2+3&b=&c=x&c=y").expect("a form");
        assert_eq!(form.text("a"), "1\n2 3");
        assert_eq!((form.input("b"), form.clearing("b")), (Input::Absent, Input::Null));
        assert_eq!(form.all("c").collect::<Vec<_>>(), ["x", "y"]);
        assert!(form.is_ticked("b") && !form.is_ticked("d"));
    }

    #[test]
    fn a_form_with_very_many_fields_is_rejected() {
        assert!(Form::of("a&".repeat(super::MAX_FIELDS).as_bytes()).is_ok());
        assert!(Form::of("a&".repeat(super::MAX_FIELDS + 1).as_bytes()).is_err());
    }
}
