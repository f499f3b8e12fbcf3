//! Answers to questions that wait.

use std::cell::RefCell;
use std::sync::Arc;

use tokio::sync::oneshot;

use contact_hub_domain::ports::StoreError;
use contact_hub_traces::Asker;

use crate::shared_error::shared;

/// The answer to one question, if it has one.
pub(super) type Reply<A> = Result<Option<A>, StoreError>;

/// A question that waits. Dropped without an answer, it fails.
pub(super) struct Waiting<Q, A> {
    pub(super) question: Q,
    pub(super) reply: oneshot::Sender<Reply<A>>,
    pub(super) asker: Asker,
}

/// The questions of a batch that are not answered yet.
pub(crate) struct Unanswered<Q, A>(RefCell<Vec<Waiting<Q, A>>>);

impl<Q: Eq, A: Clone> Unanswered<Q, A> {
    pub(super) const fn new(batch: Vec<Waiting<Q, A>>) -> Self {
        Self(RefCell::new(batch))
    }

    /// Answers all callers that asked this question. Does nothing if it was not asked, or is already answered.
    pub(crate) fn answer(&self, question: &Q, answer: A) {
        let mut batch = self.0.borrow_mut();
        let mut askers = batch.extract_if(.., |waiting| waiting.question == *question);
        let Some(first) = askers.next() else { return };
        // A caller that gave up has dropped its receiver.
        for other in askers {
            other.reply.send(Ok(Some(answer.clone()))).ok();
        }
        first.reply.send(Ok(Some(answer))).ok();
    }

    /// The questions that were not answered.
    pub(super) fn into_rest(self) -> Vec<Waiting<Q, A>> {
        self.0.into_inner()
    }
}

/// Answers questions that have no answer, or all of which failed.
pub(super) fn end_all<Q, A>(rest: Vec<Waiting<Q, A>>, outcome: Result<(), StoreError>) {
    match outcome {
        Ok(()) => {
            for waiting in rest {
                waiting.reply.send(Ok(None)).ok();
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for waiting in rest {
                waiting.reply.send(Err(shared(&error))).ok();
            }
        }
    }
}
