//! One operation of an interface: its route, who may call it, and its description in the OpenAPI document.
//!
//! Each handler's file has a function `endpoint` that returns it; `routes` lists them all. The inputs of the handler
//! are not repeated there: its extractors describe them ([`Takes`]).

pub(crate) mod deprecation;
pub(crate) mod prelude;
#[cfg(test)]
pub(crate) mod sample;
mod section;
mod takes;

use actix_web::dev::Handler;
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Responder, Route};
use utoipa::openapi::path::HttpMethod;

use contact_hub_domain::access::{Bucket, Need, Permission};
use contact_hub_domain::idempotency::LookUp;

use crate::error::Code;
use crate::extract::STANDARD_BODY;
use crate::handler::to;
use crate::middleware::{self, Once};
use crate::openapi::shape::Shape;
use crate::openapi::success::Success;
use crate::resource::Served;
pub(crate) use deprecation::{DEPRECATION, Deprecation, SUNSET};
pub(crate) use section::{CONTACTS_BASE, MANAGE_BASE, SECTIONS, Section};
pub(crate) use takes::{Taken, Takes};

/// A method, as the server and as the document name it.
type Verb = (Method, HttpMethod);

pub(crate) const GET: Verb = (Method::GET, HttpMethod::Get);
pub(crate) const POST: Verb = (Method::POST, HttpMethod::Post);
pub(crate) const PUT: Verb = (Method::PUT, HttpMethod::Put);
pub(crate) const PATCH: Verb = (Method::PATCH, HttpMethod::Patch);
pub(crate) const DELETE: Verb = (Method::DELETE, HttpMethod::Delete);

/// One method of one path, and who may call it.
pub(crate) struct Place {
    pub(crate) section: Section,
    pub(crate) verb: Verb,
    pub(crate) path: &'static str,
    need: Need,
    bucket: Bucket,
    route: Route,
    pub(crate) takes: fn(&mut Taken),
}

impl Section {
    /// A path of this section, below its base; its callers need what the section needs.
    pub(crate) fn on<F, Args>(self, verb: Verb, path: &'static str, handle: F) -> Place
    where
        F: Handler<Args>,
        F::Output: Responder + 'static,
        Args: FromRequest + Takes + 'static,
    {
        let (section, need, route, takes) = (self, self.need, to(handle), Args::describe);
        Place { section, verb, path, need, bucket: Bucket::Standard, route, takes }
    }
}

impl Place {
    /// Callers need another permission than those of the section.
    pub(crate) const fn needs(mut self, permission: Permission) -> Self {
        self.need = Need::Product(permission);
        self
    }

    /// Calls are counted in another bucket than the standard one.
    pub(crate) const fn counts_in(mut self, bucket: Bucket) -> Self {
        self.bucket = bucket;
        self
    }

    /// The operation of this place.
    pub(crate) const fn operation(
        self,
        id: &'static str,
        summary: &'static str,
        success: Success,
    ) -> Endpoint {
        let (description, body, deprecation) = (None, None, None);
        let (errors, has_secret, look_up) = (&[], false, LookUp::First);
        Endpoint {
            place: self,
            id,
            summary,
            description,
            body,
            success,
            errors,
            has_secret,
            look_up,
            holds: false,
            deprecation,
        }
    }
}

/// An operation of an interface.
pub(crate) struct Endpoint {
    pub(crate) place: Place,
    pub(crate) id: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) body: Option<Shape>,
    pub(crate) success: Success,
    pub(crate) errors: &'static [Code],
    has_secret: bool,
    look_up: LookUp,
    holds: bool,
    pub(crate) deprecation: Option<Deprecation>,
}

impl Endpoint {
    /// The details that the summary leaves out.
    pub(crate) const fn details(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The schema of the request's body.
    pub(crate) const fn reads(mut self, body: Shape) -> Self {
        self.body = Some(body);
        self
    }

    /// The errors that no extractor adds.
    pub(crate) const fn fails(mut self, errors: &'static [Code]) -> Self {
        self.errors = errors;
        self
    }

    /// The answer contains a token or secret, and is kept only sealed.
    pub(crate) const fn answers_secret(mut self) -> Self {
        self.has_secret = true;
        self
    }

    /// Repeated calls are recognized when they write, because calls are frequent and have no effect except their write.
    pub(crate) const fn recognized_by_write(mut self) -> Self {
        self.look_up = LookUp::WithWrite;
        self
    }

    /// A call may wait for a long time, and its caller is checked again before the answer.
    pub(crate) const fn holds_calls(mut self) -> Self {
        self.holds = true;
        self
    }

    /// The operation is deprecated: its answers, the document and the metrics say so.
    #[cfg_attr(not(test), expect(dead_code, reason = "no operation is deprecated at present"))]
    pub(crate) const fn deprecated(mut self, deprecation: Deprecation) -> Self {
        self.deprecation = Some(deprecation);
        self
    }

    /// Whether a call may have an idempotency key.
    pub(crate) fn takes_key(&self) -> bool {
        let writes = [Method::POST, Method::PATCH].contains(&self.place.verb.0);
        writes && [CONTACTS_BASE, MANAGE_BASE].contains(&self.place.section.base)
    }

    /// The whole path.
    pub(crate) fn path(&self) -> String {
        format!("{}{}", self.place.section.base, self.place.path)
    }

    /// The route, behind its guard. A deprecation is announced in every answer, so the code that announces it wraps the
    /// guard.
    pub(crate) fn served(self) -> Served {
        let (path, takes_key) = (self.path(), self.takes_key());
        let (id, deprecation) = (self.id, self.deprecation);
        let Place { verb: (method, _), need, bucket, mut route, takes, .. } = self.place;
        if takes_key {
            let mut taken = Taken::default();
            takes(&mut taken);
            let body = taken.body.unwrap_or(STANDARD_BODY);
            let once = Once { body, has_secret: self.has_secret, look_up: self.look_up };
            route = route.wrap(from_fn(move |request, next| once.serve(request, next)));
        }
        if self.holds {
            route = route.wrap(from_fn(move |request, next| middleware::held(need, request, next)));
        }
        let guard = from_fn(move |request, next| middleware::guard(need, bucket, request, next));
        let mut route = route.wrap(guard);
        if let Some(deprecation) = deprecation {
            route = route.wrap(from_fn(move |request, next| {
                middleware::deprecated(id, deprecation, request, next)
            }));
        }
        Served { method, path, route }
    }
}
