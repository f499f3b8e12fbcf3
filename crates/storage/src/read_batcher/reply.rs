//! Answers to questions that wait.

use std::collections::HashMap;
use std::hash::Hash;
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

pub(super) fn answer_all<Q: Copy + Eq + Hash, A: Clone>(
    batch: Vec<Waiting<Q, A>>,
    answers: Result<HashMap<Q, A>, StoreError>,
) {
    // A caller that gave up has dropped its receiver.
    match answers {
        // Each answer is for one caller, so it need not be copied.
        Ok(mut answers) if answers.len() == batch.len() => {
            for waiting in batch {
                waiting.reply.send(Ok(answers.remove(&waiting.question))).ok();
            }
        }
        Ok(answers) => {
            for waiting in batch {
                waiting.reply.send(Ok(answers.get(&waiting.question).cloned())).ok();
            }
        }
        Err(error) => {
            let error = Arc::new(error);
            for waiting in batch {
                waiting.reply.send(Err(shared(&error))).ok();
            }
        }
    }
}
