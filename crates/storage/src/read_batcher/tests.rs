//! Runs that fail, are abandoned, or never start.

use std::time::Duration;

use super::*;
use crate::permits::{Permits, Share};
use crate::task::{Abandoned, Ending};

struct Reader {
    task: Arc<Task>,
    _ending: Ending,
}

impl AnswersBatches for Reader {
    fn task(&self) -> &Arc<Task> {
        &self.task
    }
}

fn reader() -> Reader {
    let permit = Permits::new("test", 1, 1).take_at_once(Share::COMMON).expect("a permit");
    let task = Task::new(permit, &Abandoned::at_most(1, "test"));
    Reader { _ending: task.ending(), task }
}

type Numbers = ReadBatcher<Reader, u32, u32>;

fn ask(batcher: &Arc<Numbers>, question: u32) -> Asked<u32> {
    batcher.ask(question, |run| {
        std::thread::spawn(move || run.read_with(Ok(reader())));
    })
}

fn doubled(questions: &[u32]) -> HashMap<u32, u32> {
    questions.iter().map(|question| (*question, question * 2)).collect()
}

#[tokio::test]
async fn a_batch_that_panics_fails_and_the_next_is_answered() {
    let batcher: Arc<Numbers> = Arc::new(ReadBatcher::new(|_reader, questions| {
        assert!(!questions.contains(&13), "a mistake in the program");
        Ok(doubled(questions))
    }));
    for _again in 0..2 * MAX_RUNNING {
        let refused = ask(&batcher, 13).answer.await.expect("an answer");
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    let answer = ask(&batcher, 4).answer.await.expect("an answer");
    assert_eq!(answer.ok(), Some(Some(8)));
}

/// Without the guard the batcher would wait for lost runs for ever.
async fn within_a_minute<F: IntoFuture>(answer: F) -> F::Output {
    tokio::time::timeout(Duration::from_mins(1), answer).await.expect("a run starts")
}

#[tokio::test]
async fn a_run_that_ends_before_it_reads_fails_its_calls_and_the_next_is_answered() {
    let batcher: Arc<Numbers> = Arc::new(ReadBatcher::new(|_reader, asked| Ok(doubled(asked))));
    let never_begins = batcher.ask(1, drop);
    assert!(within_a_minute(never_begins.answer).await.is_err());
    let panics = batcher.ask(2, |run| {
        std::thread::spawn(move || {
            let _run = run;
            panic!("before the first batch");
        });
    });
    assert!(within_a_minute(panics.answer).await.is_err());
    let answer = within_a_minute(ask(&batcher, 4).answer).await.expect("an answer");
    assert_eq!(answer.ok(), Some(Some(8)));
}

#[tokio::test]
async fn abandoned_runs_do_not_block_other_calls() {
    static HELD: Mutex<Option<std::sync::mpsc::Receiver<()>>> = Mutex::new(None);
    let (release, held) = std::sync::mpsc::channel::<()>();
    *HELD.lock().unwrap() = Some(held);
    let batcher: Arc<Numbers> = Arc::new(ReadBatcher::new(|_reader, questions| {
        if questions.contains(&13) {
            // As long as the database is silent.
            let held = HELD.lock().unwrap().take();
            held.map(|held| held.recv());
        }
        Ok(doubled(questions))
    }));
    let stuck = ask(&batcher, 13);
    while HELD.lock().unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    let waits = ask(&batcher, 4);
    batcher.give_up(stuck.epoch, DispatchError::Silent);
    let waits = waits.answer.await.expect("an answer");
    assert!(matches!(waits, Err(StoreError::Unavailable(_))), "{waits:?}");
    let answer = ask(&batcher, 4).answer.await.expect("an answer");
    assert_eq!(answer.ok(), Some(Some(8)));
    release.send(()).ok();
    assert_eq!(stuck.answer.await.expect("an answer").ok(), Some(Some(26)));
    while batcher.state().running > 0 {
        tokio::task::yield_now().await;
    }
    assert!(batcher.state().tasks.is_empty());
}
