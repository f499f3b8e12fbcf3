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

#[expect(clippy::unnecessary_wraps, reason = "it is what a batcher reads with")]
fn double(questions: &[u32], unanswered: &Unanswered<u32, u32>) -> Result<(), StoreError> {
    for question in questions {
        unanswered.answer(question, question * 2);
    }
    Ok(())
}

#[tokio::test]
async fn a_batch_that_panics_fails_and_the_next_is_answered() {
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::All, |_reader, questions, unanswered| {
            assert!(!questions.contains(&13), "a mistake in the program");
            double(questions, unanswered)
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
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::All, |_reader, asked, rest| double(asked, rest)));
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
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::All, |_reader, questions, unanswered| {
            if questions.contains(&13) {
                // As long as the database is silent.
                let held = HELD.lock().unwrap().take();
                held.map(|held| held.recv());
            }
            double(questions, unanswered)
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

/// A run that has begun and waits to read, with the questions that were asked meanwhile.
fn ask_together(
    batcher: &Arc<Numbers>,
    questions: &[u32],
) -> (Run<Reader, u32, u32>, Vec<Asked<u32>>) {
    let run = Mutex::new(None);
    let mut asked = Vec::new();
    for question in questions {
        asked.push(batcher.ask(*question, |started| *run.lock().unwrap() = Some(started)));
    }
    (run.into_inner().unwrap().expect("a run"), asked)
}

#[tokio::test]
async fn an_answer_is_passed_on_before_the_rest_of_its_batch_is_read() {
    static HELD: Mutex<Option<std::sync::mpsc::Receiver<()>>> = Mutex::new(None);
    let (release, held) = std::sync::mpsc::channel::<()>();
    *HELD.lock().unwrap() = Some(held);
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::All, |_reader, questions, unanswered| {
            let [first, rest @ ..] = questions else { return Ok(()) };
            double(&[*first], unanswered)?;
            let held = HELD.lock().unwrap().take();
            held.map(|held| held.recv());
            double(rest, unanswered)
        }));
    let (run, asked) = ask_together(&batcher, &[1, 2, 1]);
    let reading = std::thread::spawn(move || run.read_with(Ok(reader())));
    let [first, second, again] = <[_; 3]>::try_from(asked).ok().expect("three answers");
    for answer in [first, again] {
        let answer = within_a_minute(answer.answer).await.expect("an answer");
        assert_eq!(answer.ok(), Some(Some(2)));
    }
    release.send(()).unwrap();
    assert_eq!(second.answer.await.expect("an answer").ok(), Some(Some(4)));
    reading.join().unwrap();
}

#[tokio::test]
async fn after_a_failure_only_questions_without_an_answer_fail() {
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::All, |_reader, questions, unanswered| {
            for question in questions {
                match question {
                    13 => return Err(StoreError::Corrupt("13".into())),
                    14 => {}
                    _ => {
                        unanswered.answer(question, question * 2);
                        // As if the batch was read again on another connection.
                        unanswered.answer(question, 0);
                    }
                }
            }
            Ok(())
        }));
    let (run, asked) = ask_together(&batcher, &[1, 13, 14, 2]);
    run.read_with(Ok(reader()));
    let mut answers = Vec::new();
    for asked in asked {
        answers.push(asked.answer.await.expect("an answer"));
    }
    assert!(
        matches!(&*answers, [Ok(Some(2)), Err(StoreError::Corrupt(_)), Ok(None), Ok(Some(4))]),
        "{answers:?}"
    );
}

fn of_each_size(sizes: &[usize], portion: Portion) -> Vec<usize> {
    sizes.iter().map(|waiting| portion.of(*waiting)).collect()
}

#[test]
fn a_batch_takes_all_or_half_of_many_questions() {
    let sizes = [1, 8, 9, 16, 17, 64, 1000];
    assert_eq!(of_each_size(&sizes, Portion::All), [1, 8, 9, 16, 17, 64, MAX_BATCH]);
    assert_eq!(of_each_size(&sizes, Portion::Half), [1, 8, 8, 8, 9, 32, MAX_BATCH]);
}

#[tokio::test]
async fn questions_that_a_batch_leaves_are_answered_by_the_next_ones() {
    static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let batcher: Arc<Numbers> =
        Arc::new(ReadBatcher::new(Portion::Half, |_reader, questions, unanswered| {
            SIZES.lock().unwrap().push(questions.len());
            double(questions, unanswered)
        }));
    let questions: Vec<u32> = (0..30).collect();
    let (run, asked) = ask_together(&batcher, &questions);
    run.read_with(Ok(reader()));
    for (question, asked) in questions.iter().zip(asked) {
        let answer = asked.answer.await.expect("an answer");
        assert_eq!(answer.ok(), Some(Some(question * 2)));
    }
    assert_eq!(*SIZES.lock().unwrap(), [15, 8, 7]);
}
