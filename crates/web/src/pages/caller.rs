//! The person whom the guard has let through.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};

use contact_hub_domain::access::{Need, Permission, SessionHolder};
use contact_hub_domain::context::Context;
use contact_hub_domain::ids::CompanyId;

use crate::budget::Party;
use crate::error::{ApiError, Code};
use crate::state::WebState;

/// What the guard knows of a person.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// The session's holder.
    pub(crate) holder: SessionHolder,
    /// What the session's forms carry.
    pub(crate) csrf: String,
    /// What the page says first.
    pub(crate) notice: Option<&'static str>,
    /// Whether the browser takes secure cookies.
    pub(crate) is_secure: bool,
}

impl Person {
    /// The person's company.
    pub(crate) const fn company(&self) -> CompanyId {
        self.holder.caller.company.id
    }

    /// Whether the person manages users, keys and the company.
    pub(crate) fn manages_access(&self) -> bool {
        self.holder.caller.meet(Need::Account(Permission::ManageAccess)).is_ok()
    }
}

/// Who asks, and the ports.
#[derive(Clone)]
pub(crate) struct PageCaller {
    state: web::Data<WebState>,
    person: Person,
}

impl PageCaller {
    pub(crate) const fn new(state: web::Data<WebState>, person: Person) -> Self {
        Self { state, person }
    }

    /// The first parameter of a use case.
    pub(crate) fn context(&self) -> Context<'_> {
        Context { ports: &self.state.ports, caller: &self.person.holder.caller }
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
        let party = Party::Company(self.person.company());
        self.state.work(party, bytes, work(self.clone())).await
    }

    /// What the server shares.
    pub(crate) fn state(&self) -> &WebState {
        &self.state
    }

    /// The session's holder.
    pub(crate) const fn holder(&self) -> &SessionHolder {
        &self.person.holder
    }

    /// What the session's forms carry.
    pub(crate) fn csrf(&self) -> &str {
        &self.person.csrf
    }

    /// What the page says first.
    pub(crate) const fn notice(&self) -> Option<&'static str> {
        self.person.notice
    }

    /// Whether the browser takes secure cookies.
    pub(crate) const fn is_secure(&self) -> bool {
        self.person.is_secure
    }

    /// Whether the person may do what needs this permission.
    pub(crate) fn may(&self, permission: Permission) -> bool {
        self.person.holder.caller.require(permission).is_ok()
    }

    /// Whether the person has one of these permissions.
    pub(crate) fn may_any(&self, permissions: &[Permission]) -> bool {
        permissions.iter().any(|permission| self.may(*permission))
    }

    /// Whether the person manages users, keys and the company, with which the product access has nothing to do.
    pub(crate) fn manages_access(&self) -> bool {
        self.person.manages_access()
    }
}

impl FromRequest for PageCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<WebState>>().cloned();
        let person = request.extensions().get::<Person>().cloned();
        let caller = state.zip(person).map(|(state, person)| Self { state, person });
        ready(caller.ok_or_else(|| Code::Unauthenticated.into()))
    }
}
