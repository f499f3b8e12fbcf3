//! The authenticated caller, whom the route's guard has let through.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};

use contact_hub_domain::access::KeyHolder;
use contact_hub_domain::context::Context;

use crate::budget::Party;
use crate::error::{ApiError, Code};
use crate::state::WebState;

/// Who asks, and the ports.
#[derive(Clone)]
pub(crate) struct Caller {
    state: web::Data<WebState>,
    holder: Arc<KeyHolder>,
}

impl Caller {
    /// The first parameter of a use case.
    pub(crate) fn context(&self) -> Context<'_> {
        Context { ports: &self.state.ports, caller: &self.holder.caller }
    }

    /// Does heavy work that takes so many bytes, elsewhere and once there is memory for it.
    pub(crate) async fn work<T, F>(
        &self,
        bytes: usize,
        work: impl FnOnce(Self) -> F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ApiError>> + Send + 'static,
    {
        let party = Party::Company(self.holder.caller.company.id);
        self.state.work(party, bytes, work(self.clone())).await
    }

    /// An address of the management interface.
    pub(crate) fn manage_url(&self, path: &str) -> String {
        format!("{}{}{path}", self.state.public_url, crate::base_paths::MANAGE_BASE)
    }

    /// An address of the contacts interface.
    pub(crate) fn contacts_url(&self, path: &str) -> String {
        format!("{}{}{path}", self.state.public_url, crate::base_paths::CONTACTS_BASE)
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let holder = request.extensions().get::<Arc<KeyHolder>>().cloned();
        let caller = state.zip(holder).map(|(state, holder)| Self { state, holder });
        ready(caller.ok_or_else(|| Code::Unauthenticated.into()))
    }
}
