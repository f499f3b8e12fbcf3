//! Execute a call once, and keep its answer.

use std::sync::Arc;

use zeroize::Zeroizing;

use super::{
    Attempt, Fingerprint, IdempotencyError, IdempotencyKey, KEPT_FOR, KeptAnswer, KeptCall,
    KeyedCall, LookUp, Start,
};
use crate::access::Caller;
use crate::context::{IdempotencyPorts, Ports};
use crate::ids::WebhookSecretId;
use crate::webhooks::{Secret, VaultError};

/// A call with a key: an answer to repeat, or a call to execute.
pub enum Begun {
    /// The answer that an earlier call got.
    Repeated(Vec<u8>),
    /// The call is to be executed now, with the ports of this value.
    Running(Box<Running>),
}

/// A call in progress. When it is dropped, or its answer is not kept, its writes are rolled back.
pub struct Running {
    ports: IdempotencyPorts,
    call: KeyedCall,
    attempt: Box<dyn Attempt>,
}

/// Begins a call with a key.
pub async fn begin(
    ports: &IdempotencyPorts,
    caller: &Caller,
    key: IdempotencyKey,
    fingerprint: Fingerprint,
    look_up: LookUp,
) -> Result<Begun, IdempotencyError> {
    let at = ports.environment.clock.now();
    let call = KeyedCall {
        company: caller.company.id,
        user: caller.user_id,
        key,
        fingerprint,
        at,
        expired: at.minus(KEPT_FOR),
    };
    match ports.calls.start(call.clone(), look_up).await? {
        Start::New(attempt) => {
            Ok(Begun::Running(Box::new(Running { ports: ports.clone(), call, attempt })))
        }
        Start::Kept(kept) => Ok(Begun::Repeated(answer_of(ports, &call, kept)?)),
        Start::InUse => Err(IdempotencyError::KeyInUse),
    }
}

impl Running {
    /// The ports for the use case of the call.
    #[must_use]
    pub fn ports(&self, ports: &Ports) -> Arc<Ports> {
        Arc::new(self.attempt.bind(ports))
    }

    /// Whether the use case failed because another call with this key was answered or is in progress; see
    /// [`Self::earlier`].
    #[must_use]
    pub fn is_overtaken(&self) -> bool {
        self.attempt.is_overtaken()
    }

    /// The answer of another call with this key.
    pub async fn earlier(&self) -> Result<Vec<u8>, IdempotencyError> {
        let kept = self.ports.calls.find(&self.call).await?;
        answer_of(&self.ports, &self.call, kept.ok_or(IdempotencyError::KeyInUse)?)
    }

    /// Keeps the answer and commits what the call wrote. One with a secret is sealed. Returns the answer of another call
    /// with this key if that was faster; then this call has no effect.
    pub async fn keep(
        self,
        answer: Vec<u8>,
        has_secret: bool,
    ) -> Result<Option<Vec<u8>>, IdempotencyError> {
        let stored =
            if has_secret { seal(&self.ports, answer)? } else { KeptAnswer::Plain(answer) };
        if self.attempt.keep(stored).await? {
            return Ok(None);
        }
        self.earlier().await.map(Some)
    }
}

fn answer_of(
    ports: &IdempotencyPorts,
    call: &KeyedCall,
    kept: KeptCall,
) -> Result<Vec<u8>, IdempotencyError> {
    if kept.fingerprint != call.fingerprint {
        return Err(IdempotencyError::KeyReused);
    }
    match kept.answer {
        KeptAnswer::Plain(answer) => Ok(answer),
        KeptAnswer::Sealed(id, sealed) => {
            Ok(ports.vault.open(id, &sealed)?.reveal().as_bytes().to_vec())
        }
    }
}

fn seal(ports: &IdempotencyPorts, answer: Vec<u8>) -> Result<KeptAnswer, IdempotencyError> {
    let text = String::from_utf8(answer).map_err(|_not_text| VaultError::Failed)?;
    let id = WebhookSecretId::new(ports.environment.ids.next());
    let sealed = ports.vault.seal(id, &Secret::from_stored(Zeroizing::new(text)))?;
    Ok(KeptAnswer::Sealed(id, sealed))
}
