//! Conditional requests (RFC 9110, section 13): a version travels as a strong entity tag.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{EntityTag, Header, IfMatch, IfNoneMatch};
use actix_web::{FromRequest, HttpRequest};

use contact_hub_domain::contacts::{ContactDetail, ExpectedVersion};
use contact_hub_domain::time::Timestamp;

use crate::endpoint::{Taken, Takes};
use crate::error::Code;
use crate::openapi::parameters;

/// The tag of a contact with its values: its version and, after a hyphen, the digest of the names of its fields.
pub(crate) fn tag(detail: &ContactDetail) -> EntityTag {
    let version = written(detail.contact.updated_at);
    EntityTag::new_strong(match detail.names_digest() {
        Some(names) => format!("{version}-{names}"),
        None => version,
    })
}

/// A version as tags spell it.
fn written(version: Timestamp) -> String {
    format!("{:x}", version.micros())
}

/// The conditions of a request on the version.
pub(crate) struct Conditions {
    none_match: Option<IfNoneMatch>,
    matches: Option<IfMatch>,
}

impl Conditions {
    /// Whether the client already has the version with this tag.
    pub(crate) fn has_seen(&self, current: &EntityTag) -> bool {
        match &self.none_match {
            None => false,
            Some(IfNoneMatch::Any) => true,
            Some(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(current)),
        }
    }

    /// The version that the client expects to change. A weak or foreign tag matches none.
    pub(crate) fn expected(&self) -> ExpectedVersion {
        match &self.matches {
            None | Some(IfMatch::Any) => ExpectedVersion::Any,
            Some(IfMatch::Items(tags)) => {
                ExpectedVersion::OneOf(tags.iter().filter_map(version).collect())
            }
        }
    }
}

/// The version that has this tag; `None` when it is weak, or not spelled as [`tag`] spells one. A new name of a field
/// does not make the tag stale: no write is lost.
fn version(sent: &EntityTag) -> Option<Timestamp> {
    let (micros, names) = match sent.tag().split_once('-') {
        Some((micros, names)) => (micros, names),
        None => (sent.tag(), ""),
    };
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    if sent.weak || !names.chars().all(is_digit) {
        return None;
    }
    let version = Timestamp::from_micros(i64::from_str_radix(micros, 16).ok()?)?;
    Some(version).filter(|version| written(*version) == micros)
}

impl FromRequest for Conditions {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(Ok(Self {
            none_match: sent(request, IfNoneMatch::Items(Vec::new())),
            matches: sent(request, IfMatch::Items(Vec::new())),
        }))
    }
}

impl Takes for Conditions {
    fn describe(taken: &mut Taken) {
        if taken.only_reads {
            taken.parameters.push(parameters::if_none_match());
        } else {
            taken.parameters.push(parameters::if_match());
            taken.errors.push(Code::PreconditionFailed);
        }
    }
}

/// The header, if it was sent; one that cannot be read has no tags and so matches nothing.
///
/// Our own tags contain no comma, so a comma inside a foreign tag only splits a tag that matches nothing anyway.
fn sent<H: Header>(request: &HttpRequest, without_tags: H) -> Option<H> {
    let is_there = request.headers().contains_key(H::name());
    is_there.then(|| H::parse(request).unwrap_or(without_tags))
}

#[cfg(test)]
mod tests {
    use actix_web::FromRequest as _;
    use actix_web::dev::Payload;
    use actix_web::http::header::EntityTag;
    use actix_web::test::TestRequest;
    use contact_hub_domain::contacts::ExpectedVersion;
    use contact_hub_domain::time::Timestamp;

    use super::Conditions;

    fn sent(name: &'static str, lines: &[&[u8]]) -> Conditions {
        let mut request = TestRequest::default();
        for line in lines {
            request = request.append_header((name, *line));
        }
        let extracted =
            Conditions::from_request(&request.to_http_request(), &mut Payload::None).into_inner();
        extracted.unwrap_or_else(|never| match never {})
    }

    #[test]
    fn a_header_that_is_empty_or_unreadable_matches_nothing() {
        let version = Timestamp::from_micros(0xabc).expect("in range");
        let current = EntityTag::new_strong("abc".to_owned());
        let seen = |lines: &[&[u8]]| sent("if-none-match", lines).has_seen(&current);
        let expected = |lines: &[&[u8]]| sent("if-match", lines).expected();
        assert!(!seen(&[]) && seen(&[b"*"]) && seen(&[b"\"x\"", b"W/\"abc\""]));
        assert!(matches!(expected(&[]), ExpectedVersion::Any));
        assert!(matches!(expected(&[b" * "]), ExpectedVersion::Any));
        for lines in [&b""[..], b"abc", b"\"\xe9\"", b"\"*\"", b","] {
            assert!(!seen(&[lines]));
            let versions = expected(&[lines]);
            assert!(matches!(versions, ExpectedVersion::OneOf(of) if of.is_empty()));
        }
        let versions = expected(&[b"\"x\", \"abc\"", b"\"ABC\", W/\"abc\""]);
        assert!(matches!(versions, ExpectedVersion::OneOf(of) if of == [version]));
    }

    #[test]
    fn the_names_of_fields_do_not_count_for_a_change() {
        let version = Timestamp::from_micros(0xabc).expect("in range");
        let expected = |line: &str| sent("if-match", &[line.as_bytes()]).expected();
        for line in ["\"abc-0123456789abcdef\"", "\"abc-\"", "\"x\", \"abc-9\""] {
            let versions = expected(line);
            assert!(matches!(versions, ExpectedVersion::OneOf(of) if of == [version]), "{line}");
        }
        for line in
            ["W/\"abc-9\"", "\"abc-G\"", "\"abc-9-9\"", "\"0abc-9\"", "\"-9\"", "\"+abc-9\""]
        {
            let versions = expected(line);
            assert!(matches!(versions, ExpectedVersion::OneOf(of) if of.is_empty()), "{line}");
        }
    }
}
