//! The formats of an export, and the choice between them (RFC 9110, section 12.5.1).

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{Accept, Header as _, Quality};
use actix_web::{FromRequest, HttpRequest};

use crate::endpoint::{Taken, Takes};
use crate::error::{ApiError, Code};

/// How contacts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// One JSON object on each line.
    Ndjson,
    /// A head with the names of the columns, and a record for each contact.
    Csv,
}

impl Format {
    /// The content type of the answer.
    pub(super) const fn content_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }

    /// How much a client wants this format: the most specific range that it is in counts.
    fn quality(self, accept: &Accept) -> Quality {
        let (kind, subtype) = match self {
            Self::Ndjson => ("application", "x-ndjson"),
            Self::Csv => ("text", "csv"),
        };
        let of = |kind: &str, subtype: &str| {
            let mut ranges = accept.iter();
            let range = ranges.find(|it| it.item.type_() == kind && it.item.subtype() == subtype);
            range.map(|range| range.quality)
        };
        let range = of(kind, subtype).or_else(|| of(kind, "*")).or_else(|| of("*", "*"));
        range.unwrap_or(Quality::ZERO)
    }

    /// The format that a client wants most: JSON when it has no preference, and none when it wants neither.
    fn preferred(accept: &Accept) -> Option<Self> {
        let (json, csv) = (Self::Ndjson.quality(accept), Self::Csv.quality(accept));
        let best = if csv > json { Self::Csv } else { Self::Ndjson };
        (json.max(csv) > Quality::ZERO || accept.is_empty()).then_some(best)
    }
}

impl FromRequest for Format {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let accept = Accept::parse(request).unwrap_or_else(|_unreadable| Accept(Vec::new()));
        ready(Self::preferred(&accept).ok_or_else(|| Code::NotAcceptable.into()))
    }
}

impl Takes for Format {
    fn describe(taken: &mut Taken) {
        taken.errors.push(Code::NotAcceptable);
    }
}

#[cfg(test)]
mod tests {
    use actix_web::FromRequest as _;
    use actix_web::dev::Payload;
    use actix_web::test::TestRequest;

    use super::Format;

    #[test]
    fn the_client_chooses_the_format_and_json_is_the_default() {
        let chosen = |accept: &str| {
            let request = TestRequest::default().insert_header(("accept", accept));
            let format = Format::from_request(&request.to_http_request(), &mut Payload::None);
            format.into_inner().ok()
        };
        for (accept, format) in [
            ("", Some(Format::Ndjson)),
            ("*/*", Some(Format::Ndjson)),
            ("application/x-ndjson", Some(Format::Ndjson)),
            ("application/*, text/csv;q=0.9", Some(Format::Ndjson)),
            ("TEXT/CSV", Some(Format::Csv)),
            ("text/csv; charset=utf-8, */*;q=0.1", Some(Format::Csv)),
            ("text/*", Some(Format::Csv)),
            ("*/*, application/x-ndjson;q=0", Some(Format::Csv)),
            ("text/csv;q=0.2, application/x-ndjson;q=0.3", Some(Format::Ndjson)),
            ("application/json", None),
            ("text/html", None),
            ("text/csv;q=0", None),
        ] {
            assert_eq!(chosen(accept), format, "{accept}");
        }
    }
}
