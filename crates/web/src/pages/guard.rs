//! Wraps every page: authenticates the person, checks the permission and the origin, and sets the headers of the answer.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};

use contact_hub_domain::access::{
    AccessError, Authenticated, Bucket, Caller, Permission, Presence, authenticate_page_request,
    authenticate_session,
};

use super::caller::{Person, manages_access, may_any};
use super::form::{Form, ScriptBody};
use super::frame::Frame;
use super::resend::{Stale, has_secret, may_succeed_later};
use super::step_up::{self, Proof};
use super::{cookies, csrf, failure, headers, respond, session};
use crate::budget::Party;
use crate::constant_time::is_equal;
use crate::error::{ApiError, Code};
use crate::extract::{Arrival, Arrived};
use crate::middleware::count_refusal;
use crate::origin::Origin;
use crate::state::WebState;

/// The type of streams, which browsers also ask for.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// Who may open a page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// Anyone; the session is not read.
    File,
    /// Anyone.
    Open,
    /// People who are signed in, also those who still have to set up two-step verification.
    SetUp,
    /// People who are signed in.
    SignedIn,
    /// People who are signed in and manage access.
    Manager,
    /// People who are signed in and have one of these permissions, in a company with the product access.
    Any(&'static [Permission]),
}

/// Who may open the pages of assets, and those that show changes by themselves.
pub(super) const LOOK: Access = Access::Any(&[Permission::ManageIntegrations, Permission::Publish]);

/// The largest form of a person who is not signed in, in bytes.
const SMALL_FORM: usize = 16 << 10;

/// A form of at most this size is decoded on the thread that received it, in bytes.
const QUICK_FORM: usize = 64 << 10;

/// Decoding a form takes at most this many times its size in addition to the form itself.
const FORM_WEIGHT: usize = 2;

/// The header of a request that a page makes by itself, which does not keep the session alive.
const RENEWAL: HeaderName = HeaderName::from_static("x-renewal");

/// What a page requires.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Who may open it.
    pub(super) access: Access,
    /// The largest form, in bytes.
    pub(super) form_limit: usize,
    /// When the form needs a proof of who the person is.
    pub(super) proof: Proof,
    /// Whether one of our pages shows it in a frame.
    pub(super) is_framed: bool,
}

/// Wraps one page.
pub(super) async fn guard(
    Rule { access, form_limit, proof, is_framed }: Rule,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(state) = request.app_data::<web::Data<WebState>>().cloned() else {
        return Err(ApiError::from(Code::InternalError).into());
    };
    let mut person = match person(access, is_framed, &state, &request).await {
        Ok(person) => person,
        Err(error) => {
            keep_form(form_limit, error.status(), &mut request, &state).await;
            return Ok(failed(request, &error, Frame::default(), &state));
        }
    };
    let frame = person.as_ref().map_or_else(Frame::default, |person| Frame::of(person, None, ""));
    if let Err(refused) = check(access, form_limit, person.as_ref(), &mut request, &state).await {
        return Ok(match refused {
            Refused::ElseTo(location) => ended(request, respond::see(&location), &state),
            Refused::With(error) => failed(request, &error, frame, &state),
        });
    }
    if let Some(person) = person.as_mut().filter(|_| request.method() == Method::POST) {
        match step_up::ask(proof, person, request.request(), &state).await {
            Ok(None) => {}
            Ok(Some(page)) => return Ok(ended(request, page, &state)),
            Err(error) => return Ok(failed(request, &error, frame, &state)),
        }
    }
    if let Some(person) = person {
        contact_hub_traces::note_company(person.company().uuid());
        request.extensions_mut().insert(person);
    }
    let answer = next.call(request).await?.map_into_boxed_body();
    let error = answer.response().error();
    let own = error.map(|error| failure::failure(error, frame, answer.request()));
    let answer = match own {
        Some(own) => answer.into_response(own),
        None => answer,
    };
    Ok(finished(answer, &state))
}

/// The person of the browser's session, on a route without the guard.
pub(crate) async fn visitor(state: &WebState, request: &HttpRequest) -> Option<Person> {
    person_of(Access::Open, state, request).await.ok().flatten()
}

/// A page that shows changes by itself opens a stream, and reads itself again.
fn presence(request: &HttpRequest) -> Presence {
    let asked = request.headers().get(ACCEPT);
    let is_stream = asked.is_some_and(|asked| asked == EVENT_STREAM);
    if is_stream || request.headers().contains_key(&RENEWAL) {
        Presence::Script
    } else {
        Presence::Person
    }
}

enum Refused {
    /// Something else has to be done first.
    ElseTo(String),
    With(ApiError),
}

impl<E: Into<ApiError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::With(error.into())
    }
}

/// The person of the browser's session. On open pages, a session that is not looked up because too many from that address
/// were invalid counts as none: so people can still sign in.
async fn person(
    access: Access,
    is_framed: bool,
    state: &WebState,
    request: &ServiceRequest,
) -> Result<Option<Person>, ApiError> {
    if matches!(access, Access::File) {
        return Ok(None);
    }
    if request.method().is_safe() && !csrf::is_wanted(request.request(), is_framed) {
        return Err(embedded());
    }
    person_of(access, state, request.request()).await
}

async fn person_of(
    access: Access,
    state: &WebState,
    request: &HttpRequest,
) -> Result<Option<Person>, ApiError> {
    let Some(token) = cookies::session(state, request) else { return Ok(None) };
    let address = Origin::of(request).address;
    let Authenticated { holder, .. } =
        authenticate_page_request(&state.ports.access, &token, address, presence(request)).await;
    match holder {
        Ok(holder) => Ok(Some(Person {
            holder,
            csrf: csrf::token(&token),
            notice: session::notice(state, request),
            is_secure: cookies::is_secure(state, request),
        })),
        Err(AccessError::Unauthenticated) => Ok(None),
        Err(AccessError::TooManyCalls(_)) if matches!(access, Access::Open) => Ok(None),
        Err(error) => {
            if matches!(error, AccessError::TooManyCalls(_)) {
                count_refusal(Bucket::Pages);
            }
            Err(error.into())
        }
    }
}

/// Checks in this order: the origin, the session, the permission, and the form token of a POST.
async fn check(
    access: Access,
    form_limit: usize,
    person: Option<&Person>,
    request: &mut ServiceRequest,
    state: &WebState,
) -> Result<(), Refused> {
    let changes = request.method() == Method::POST;
    if changes && !csrf::is_from_here(request.request(), state) {
        return Err(foreign().into());
    }
    match (access, person) {
        (Access::File | Access::Open, _) | (Access::SetUp, Some(_)) => {}
        (_, Some(person)) if person.holder.must_set_up() => {
            return Err(Refused::ElseTo("/account/two-step".to_owned()));
        }
        (_, Some(person)) if admits(access, &person.holder.caller) => {}
        (_, Some(_)) => return Err(Code::AccessDenied.into()),
        (Access::SetUp | Access::SignedIn | Access::Manager | Access::Any(_), None) => {
            return Err(Refused::ElseTo(session::sign_in_location(request.request())));
        }
    }
    if changes {
        read_form(access, form_limit, person, request, state).await?;
    }
    Ok(())
}

/// Whether these permissions open a page.
fn admits(access: Access, caller: &Caller) -> bool {
    match access {
        Access::File | Access::Open | Access::SetUp | Access::SignedIn => true,
        Access::Manager => manages_access(caller),
        Access::Any(permissions) => may_any(caller, permissions),
    }
}

/// Whether a session may still see a page that it opened. The check does not prolong the session.
pub(super) async fn still_admits(access: Access, state: &WebState, token: &str) -> bool {
    let holder = authenticate_session(&state.ports.access, token, Presence::Script).await;
    holder.is_ok_and(|it| !it.must_set_up() && admits(access, &it.caller))
}

/// Stores the form in the request, if its token is that of the session.
async fn read_form(
    access: Access,
    form_limit: usize,
    person: Option<&Person>,
    request: &mut ServiceRequest,
    state: &WebState,
) -> Result<(), ApiError> {
    let of_script = csrf::of_script(request.request()).map(str::to_owned);
    let network = || Party::Network(Origin::of(request.request()).address.into());
    let (party, limit) = match person {
        Some(person) => (Party::Company(person.company()), form_limit),
        None => (network(), SMALL_FORM),
    };
    let arrival = Arrival::of(request.request(), party)?;
    let body = arrival.read(request.take_payload(), limit).await?;
    let (form, body) = match of_script {
        Some(_) => (Form::default(), body),
        None => (read(body, party, state).await?, Arrived::default()),
    };
    let sent = of_script.as_deref().unwrap_or_else(|| form.text(csrf::FIELD));
    let is_own = person.is_some_and(|person| is_equal(sent, &person.csrf));
    if !is_own && !matches!(access, Access::Open) {
        return Err(stale(form, person, request, state));
    }
    request.extensions_mut().insert(form);
    request.extensions_mut().insert(ScriptBody::of(body));
    Ok(())
}

/// Stores the form of a person who could not be identified at that moment, so that the page of the error has it. It is sent
/// back to the browser that sent it, and nothing else is done with it.
async fn keep_form(
    form_limit: usize,
    status: StatusCode,
    request: &mut ServiceRequest,
    state: &WebState,
) {
    let is_own = csrf::is_from_here(request.request(), state)
        && csrf::of_script(request.request()).is_none();
    if request.method() != Method::POST || !may_succeed_later(status) || !is_own {
        return;
    }
    let party = Party::Network(Origin::of(request.request()).address.into());
    let Ok(arrival) = Arrival::of(request.request(), party) else { return };
    let Ok(body) = arrival.read(request.take_payload(), form_limit).await else { return };
    if let Ok(form) = read(body, party, state).await {
        request.extensions_mut().insert(form);
    }
}

/// The fields of a form; a large one is decoded on the threads for heavy work.
async fn read(body: Arrived, party: Party, state: &WebState) -> Result<Form, ApiError> {
    if body.bytes.len() <= QUICK_FORM {
        return Form::of(&body.bytes);
    }
    let weight = body.bytes.len().saturating_mul(FORM_WEIGHT);
    state.work(party, weight, async move { Form::of(&body.bytes) }).await
}

fn foreign() -> ApiError {
    let message = "Your session has changed since this page was opened. Open the page again and send the form from there.";
    ApiError::new(Code::AccessDenied, message)
}

/// The error of a form without the session's token. If it is from a page that was opened in another session of the same
/// browser, it is kept for the page of the error.
fn stale(
    form: Form,
    person: Option<&Person>,
    request: &ServiceRequest,
    state: &WebState,
) -> ApiError {
    let is_ours = csrf::is_said_to_be_from_here(request.request(), state);
    let has_token = !form.text(csrf::FIELD).is_empty();
    let Some(person) = person.filter(|_person| is_ours && has_token) else { return foreign() };
    request.extensions_mut().insert(Stale(person.csrf.clone()));
    if has_secret(&form) {
        return foreign();
    }
    request.extensions_mut().insert(form);
    ApiError::new(Code::AccessDenied, "You have signed in again since this page was opened.")
}

fn embedded() -> ApiError {
    ApiError::new(Code::AccessDenied, "This page can be opened, but not be a part of another page.")
}

/// The page of an error.
fn failed(
    request: ServiceRequest,
    error: &ApiError,
    frame: Frame,
    state: &WebState,
) -> ServiceResponse {
    let page = failure::drawn(error, frame, request.request());
    ended(request, page, state)
}

fn ended(request: ServiceRequest, response: HttpResponse, state: &WebState) -> ServiceResponse {
    finished(request.into_response(response), state)
}

/// The answer with its headers. A notice that was shown is not shown again.
fn finished(mut answer: ServiceResponse, state: &WebState) -> ServiceResponse {
    headers::protect(answer.headers_mut());
    let is_page = answer.status().is_success() && answer.request().method() == Method::GET;
    let had_notice = cookies::notice(state, answer.request()).is_some();
    if is_page && had_notice && !answer.request().path().starts_with("/static/") {
        let is_secure = cookies::is_secure(state, answer.request());
        answer.response_mut().add_cookie(&cookies::drop_notice(is_secure)).ok();
    }
    answer
}
