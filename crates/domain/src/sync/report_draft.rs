//! The input for a report, and its validation.

use super::result::{ErrorMessage, MapEntry, MapId, MapUrl, Report};
use crate::ids::SyncId;
use crate::input::{FromText, Input};
use crate::text;
use crate::violations::{Problem, Violations};

/// The sync that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// The open one.
    TheOpenOne,
    /// This one; `None` when the id is malformed.
    Named(Option<SyncId>),
}

/// The input for a report.
#[derive(Clone, Debug, Default)]
pub struct ReportDraft {
    /// Required: `completed` or `failed`.
    pub status: Input,
    /// Required when completed.
    pub map_id: Input,
    /// Required when completed.
    pub map_url: Input,
    /// Required when failed.
    pub error_message: Input,
    /// Optional.
    pub sync_id: Input,
}

/// The two results that can be reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Completed,
    Failed,
}

impl FromText for Outcome {
    fn from_text(text: &str) -> Result<Self, Problem> {
        match text::trimmed(text) {
            "completed" => Ok(Self::Completed),
            "failed" => Ok(Self::Failed),
            _ => Err(Problem::new("must be completed or failed")),
        }
    }
}

impl ReportDraft {
    /// Validates the input, and returns the report with its sync. All violations are returned at once. Members that the
    /// status does not need are validated if present, and then ignored.
    pub fn validate(&self) -> Result<(Report, Reported), Violations> {
        let mut violations = Violations::default();
        let outcome = violations.collect("status", self.status.required::<Outcome>());
        let completed = outcome == Some(Outcome::Completed);
        let failed = outcome == Some(Outcome::Failed);
        let map_id: Option<Option<MapId>> =
            violations.collect("map_id", of(&self.map_id, completed));
        let map_url: Option<Option<MapUrl>> =
            violations.collect("map_url", of(&self.map_url, completed));
        let message: Option<Option<ErrorMessage>> =
            violations.collect("error_message", of(&self.error_message, failed));
        let reported = violations.collect("sync_id", self.reported());
        violations.clone().into_result()?;
        let report = if failed {
            message.flatten().map(Report::Failed)
        } else {
            let map = map_id.flatten().zip(map_url.flatten());
            map.map(|(id, url)| Report::Completed(MapEntry { id, url }))
        };
        report.zip(reported).ok_or(violations)
    }

    fn reported(&self) -> Result<Reported, Problem> {
        Ok(match self.sync_id.optional::<Id>()? {
            None => Reported::TheOpenOne,
            Some(Id(id)) => Reported::Named(id),
        })
    }
}

/// An id. A malformed one counts as that of an unknown sync.
struct Id(Option<SyncId>);

impl FromText for Id {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Ok(Self(SyncId::parse(text::trimmed(text))))
    }
}

/// A required or optional property. A form sends an empty text for an absent value.
fn of<T: FromText>(input: &Input, is_required: bool) -> Result<Option<T>, Problem> {
    match input {
        input if is_required => input.required().map(Some),
        Input::Text(text) if text::trimmed(text).is_empty() => Ok(None),
        input => input.optional(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorMessage, MapEntry, MapId, MapUrl, ReportDraft, Reported};
    use crate::input::{FromText, Input};
    use crate::sync::Report;

    fn refused(draft: &ReportDraft) -> Vec<String> {
        let violations = draft.validate().expect_err("refused");
        violations.iter().map(|(path, _)| path.to_owned()).collect()
    }

    fn completed() -> ReportDraft {
        ReportDraft {
            status: "completed".into(),
            map_id: " 77 ".into(),
            map_url: " https://a.example/77 ".into(),
            ..ReportDraft::default()
        }
    }

    #[test]
    fn reads_both_results() {
        let map = MapEntry {
            id: MapId::from_text("77").expect("an id"),
            url: MapUrl::from_text("https://a.example/77").expect("a URL"),
        };
        let unneeded = ReportDraft { error_message: "x".into(), ..completed() };
        for draft in [completed(), unneeded] {
            let expected = (Report::Completed(map.clone()), Reported::TheOpenOne);
            assert_eq!(draft.validate().expect("valid"), expected);
        }
        let failed = ReportDraft {
            status: "failed".into(),
            map_id: "".into(),
            map_url: Input::Null,
            error_message: " no\nway ".into(),
            sync_id: "own".into(),
        };
        let message = ErrorMessage::from_text("no\nway").expect("a message");
        let expected = (Report::Failed(message), Reported::Named(None));
        assert_eq!(failed.validate().expect("valid"), expected);
    }

    #[test]
    fn tells_every_violation_at_once() {
        assert_eq!(refused(&ReportDraft::default()), ["status"]);
        let bare = |status: &str| ReportDraft { status: status.into(), ..ReportDraft::default() };
        assert_eq!(refused(&bare("completed")), ["map_id", "map_url"]);
        assert_eq!(refused(&bare("failed")), ["error_message"]);
        for status in ["sync_requested", "Completed", "done"] {
            assert_eq!(refused(&bare(status)), ["status"]);
        }
        let wrong = ReportDraft {
            status: Input::Bool(true),
            map_id: Input::Number("7".into()),
            map_url: "ftp://a.example".into(),
            error_message: "\0".into(),
            sync_id: Input::Composite,
        };
        let all = ["status", "map_id", "map_url", "error_message", "sync_id"];
        assert_eq!(refused(&wrong), all);
        for url in ["a.example", "//a.example", "javascript:x", "https://"] {
            assert_eq!(refused(&ReportDraft { map_url: url.into(), ..completed() }), ["map_url"]);
        }
    }
}
