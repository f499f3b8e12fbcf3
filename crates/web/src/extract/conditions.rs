//! Conditional requests (RFC 9110, section 13): a version travels as a strong entity tag.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{EntityTag, HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpRequest};

use contact_hub_domain::contacts::ExpectedVersion;
use contact_hub_domain::time::Timestamp;

/// The tag of a version.
pub(crate) fn tag(version: Timestamp) -> EntityTag {
    EntityTag::new_strong(format!("{:x}", version.micros()))
}

/// What a request says of the version that it knows.
pub(crate) struct Conditions {
    none_match: Option<Tags>,
    matches: Option<Tags>,
}

enum Tags {
    Any,
    Of(Vec<EntityTag>),
}

impl Conditions {
    /// Whether the client already has what this tag names.
    pub(crate) fn has_seen(&self, current: &EntityTag) -> bool {
        match &self.none_match {
            None => false,
            Some(Tags::Any) => true,
            Some(Tags::Of(tags)) => tags.iter().any(|tag| tag.weak_eq(current)),
        }
    }

    /// The version at which the client expects what it changes. A weak or foreign tag matches none.
    pub(crate) fn expected(&self) -> ExpectedVersion {
        match &self.matches {
            None | Some(Tags::Any) => ExpectedVersion::Any,
            Some(Tags::Of(tags)) => {
                ExpectedVersion::OneOf(tags.iter().filter_map(version).collect())
            }
        }
    }
}

/// The version that has this tag; `None` when it is not spelled as [`tag`] spells one.
fn version(sent: &EntityTag) -> Option<Timestamp> {
    let micros = i64::from_str_radix(sent.tag(), 16).ok()?;
    Timestamp::from_micros(micros).filter(|version| tag(*version).strong_eq(sent))
}

impl FromRequest for Conditions {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let headers = request.headers();
        ready(Ok(Self {
            none_match: tags(headers, &IF_NONE_MATCH),
            matches: tags(headers, &IF_MATCH),
        }))
    }
}

/// The tags of all lines of a header; one that cannot be read is left out and so matches nothing.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Option<Tags> {
    let mut lines = headers.get_all(name).peekable();
    lines.peek()?;
    let texts: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    if texts.iter().any(|text| text.trim() == "*") {
        return Some(Tags::Any);
    }
    // Our own tags hold no comma, so one inside a foreign tag only splits what matches nothing anyway.
    let parts = texts.iter().flat_map(|text| text.split(','));
    Some(Tags::Of(parts.filter_map(|part| part.trim().parse().ok()).collect()))
}
