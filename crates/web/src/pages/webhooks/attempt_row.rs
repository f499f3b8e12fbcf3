//! An attempt as pages show it.

use contact_hub_domain::webhooks::{Answer, Attempt, Headers, Trigger};

use super::json_text::indented;
use super::outcome::{ShownOutcome, took};
use crate::pages::excerpt::excerpt;
use crate::pages::moment::Moment;

/// How many characters of an answer are shown among others.
const LONG_ANSWER: usize = 1000;

/// An attempt in the timeline of its delivery.
pub(super) struct AttemptRow {
    /// Its place.
    pub(super) number: u32,
    /// What triggered it.
    pub(super) trigger: &'static str,
    /// When it began.
    pub(super) started_at: Moment,
    /// How long it took.
    pub(super) took: String,
    /// The HTTP status, or why there was none.
    pub(super) outcome: ShownOutcome,
    /// For how many seconds the receiver asked to wait.
    pub(super) retry_after: Option<u64>,
    /// The answer, or its beginning.
    pub(super) answer: Option<String>,
    /// The headers of the request and of the answer, each with its title; of one attempt only.
    pub(super) headers: Vec<(&'static str, Vec<(String, String)>)>,
    /// Where all of it can be read.
    pub(super) whole: Option<String>,
}

impl AttemptRow {
    /// An attempt at the delivery of this path, with everything or shortened.
    pub(super) fn new(attempt: &Attempt, path: &str, is_whole: bool) -> Self {
        let result = &attempt.result;
        let answer = result.answer.as_ref().map(Answer::as_str);
        let shown = |answer: &str| match excerpt(answer, LONG_ANSWER).filter(|_| !is_whole) {
            Some(beginning) => beginning,
            None => indented(answer).into_owned(),
        };
        let headers = [
            ("Request headers", &result.request_headers),
            ("Answer headers", &result.answer_headers),
        ];
        let headers = headers.into_iter().filter(|(_, all)| is_whole && !all.is_empty());
        Self {
            number: attempt.number,
            trigger: in_words(attempt.trigger),
            started_at: result.started_at.into(),
            took: took(result.duration),
            outcome: result.outcome.into(),
            retry_after: result.retry_after.map(|time| time.as_secs()),
            answer: answer.map(shown),
            headers: headers.map(|(title, all)| (title, owned(all))).collect(),
            whole: (!is_whole).then(|| format!("{path}?attempt={}", attempt.number)),
        }
    }
}

fn owned(headers: &Headers) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

const fn in_words(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Scheduled => "by the schedule",
        Trigger::Resend => "sent again by hand",
        Trigger::Recover => "sent again by a recovery",
        Trigger::Test => "a test",
    }
}
