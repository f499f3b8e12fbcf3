//! The port of calls with keys.

use std::sync::Arc;

use async_trait::async_trait;

use contact_hub_domain::context::Ports;
use contact_hub_domain::idempotency::{
    Attempt, CallStore, KeptAnswer, KeptCall, KeyedCall, LookUp, Start,
};
use contact_hub_domain::ports::StoreError;

use super::in_progress::Place;
use super::running::RunningCall;
use super::{bind, rows};
use crate::Storage;
use crate::failure::Failure;
use crate::room::hold_company;
use crate::units::{Reading, Writing};

#[async_trait]
impl CallStore for Storage {
    async fn start(&self, call: KeyedCall, look_up: LookUp) -> Result<Start, StoreError> {
        let Some(place) = self.calls_in_progress().enter(&call) else { return Ok(Start::InUse) };
        if look_up == LookUp::First
            && let Some(kept) = CallStore::find(self, &call).await?
        {
            return Ok(Start::Kept(kept));
        }
        let place = Arc::new(place);
        let running = RunningCall::new(call.clone(), &place);
        Ok(Start::New(Box::new(Call {
            storage: self.clone(),
            request: call,
            running,
            _place: place,
        })))
    }

    async fn find(&self, call: &KeyedCall) -> Result<Option<KeptCall>, StoreError> {
        let call = call.clone();
        self.read(Reading::For(call.company), move |connection| rows::find(connection, &call)).await
    }
}

/// A call in progress, whose end the caller decides.
struct Call {
    storage: Storage,
    request: KeyedCall,
    running: Arc<RunningCall>,
    _place: Arc<Place>,
}

#[async_trait]
impl Attempt for Call {
    fn bind(&self, ports: &Ports) -> Ports {
        bind::bind(&self.storage, &self.running, ports)
    }

    fn is_overtaken(&self) -> bool {
        self.running.is_overtaken()
    }

    async fn keep(&self, answer: KeptAnswer) -> Result<bool, StoreError> {
        if let Some(open) = self.running.close()? {
            return self.running.end(open, answer).await;
        }
        let call = self.request.clone();
        let unit = move |connection: &mut _| {
            if !hold_company(connection, call.company)? {
                return Err(Failure::Overtaken);
            }
            rows::insert(connection, &[(&call, answer.clone())])
        };
        self.storage.write_unrecorded(Writing::For(self.request.company), unit).await
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.running.close().ok();
    }
}
