//! The authenticated caller, from the route's guard.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};

use contact_hub_domain::access::{self, KeyHolder};
use contact_hub_domain::author::Call;
use contact_hub_domain::context::{Context, Ports};
use contact_hub_domain::ids::ApiKeyId;
use contact_hub_domain::time::Timestamp;

use crate::budget::Party;
use crate::endpoint::{Taken, Takes};
use crate::error::{ApiError, Code};
use crate::origin::Origin;
use crate::request_id::request_id;
use crate::state::WebState;

/// What a guard stores in a request: the holder of a key or of a session.
pub(crate) trait Holder: Clone + 'static {
    /// The caller of the key or session.
    fn caller(&self) -> &access::Caller;

    /// The key; `None` for a session.
    fn key(&self) -> Option<ApiKeyId> {
        None
    }
}

impl Holder for Arc<KeyHolder> {
    fn caller(&self) -> &access::Caller {
        &self.as_ref().caller
    }

    fn key(&self) -> Option<ApiKeyId> {
        Some(self.key_id)
    }
}

/// The ports for the use case of a call with an idempotency key, which the middleware stores in the request.
#[derive(Clone)]
pub(crate) struct CallPorts(pub(crate) Arc<Ports>);

/// The holder of a credential, and the ports.
#[derive(Clone)]
pub(crate) struct CallerOf<H> {
    state: web::Data<WebState>,
    ports: Option<CallPorts>,
    call: Call,
    /// What the guard stored in the request.
    pub(crate) who: H,
}

/// A caller with a key.
pub(crate) type Caller = CallerOf<Arc<KeyHolder>>;

impl<H: Holder> CallerOf<H> {
    /// The first parameter of a use case, with the ports of its capability.
    pub(crate) fn context<P>(&self) -> Context<'_, P>
    where
        Ports: AsRef<P>,
    {
        let ports = self.ports.as_ref().map_or(&self.state.ports, |CallPorts(ports)| ports);
        Context { ports: ports.as_ref(), caller: self.who.caller(), call: &self.call }
    }

    /// The time of the service's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.state.ports.environment.clock.now()
    }

    /// The state that the server shares among its threads.
    pub(crate) fn state(&self) -> &WebState {
        &self.state
    }

    /// Runs heavy work that needs this many bytes on its own threads, once the budget has memory for it.
    pub(crate) async fn work<T, F>(
        &self,
        bytes: usize,
        work: impl FnOnce(Self) -> F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ApiError>> + Send + 'static,
    {
        let party = Party::Company(self.who.caller().company.id);
        self.state.work(party, bytes, work(self.clone())).await
    }
}

impl Caller {
    /// An address of the management interface.
    pub(crate) fn manage_url(&self, path: &str) -> String {
        format!("{}{}{path}", self.state().public_url, crate::endpoint::MANAGE_BASE)
    }

    /// An address of the contacts interface.
    pub(crate) fn contacts_url(&self, path: &str) -> String {
        format!("{}{}{path}", self.state().public_url, crate::endpoint::CONTACTS_BASE)
    }
}

impl Takes for Caller {
    fn describe(_taken: &mut Taken) {}
}

/// The call of a request without a key.
pub(crate) fn call_of(request: &HttpRequest) -> Call {
    let address = Some(Origin::of(request).address);
    Call { address, request_id: request_id(request), ..Call::default() }
}

impl<H: Holder> FromRequest for CallerOf<H> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let who = request.extensions().get::<H>().cloned();
        let ports = request.extensions().get::<CallPorts>().cloned();
        let caller = state.zip(who).map(|(state, who)| {
            let call = Call { key: who.key(), ..call_of(request) };
            Self { state, ports, call, who }
        });
        ready(caller.ok_or_else(|| Code::Unauthenticated.into()))
    }
}
