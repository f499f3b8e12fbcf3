//! The input for a report, and its validation.

use super::result::{ErrorMessage, MapEntry, MapId, MapUrl, Report};
use crate::ids::SyncId;
use crate::input::FromText;
use crate::property::Property;
use crate::rules::{optional, required, required_if, valid};
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
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct ReportDraft {
    /// Required: `completed` or `failed`.
    #[garde(custom(required))]
    pub status: Property<Outcome>,
    /// Required when completed.
    #[garde(custom(required_if(self.is(Outcome::Completed))))]
    pub map_id: Property<MapId>,
    /// Required when completed.
    #[garde(custom(required_if(self.is(Outcome::Completed))))]
    pub map_url: Property<MapUrl>,
    /// Required when failed.
    #[garde(custom(required_if(self.is(Outcome::Failed))))]
    pub error_message: Property<ErrorMessage>,
    /// Optional.
    #[garde(custom(optional))]
    pub sync_id: Property<Reported>,
}

/// The two results that can be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The platform has the asset.
    Completed,
    /// The platform could not take it.
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
        valid(self, (), |()| {
            let report = match self.status.value()? {
                Outcome::Completed => Report::Completed(MapEntry {
                    id: self.map_id.value()?,
                    url: self.map_url.value()?,
                }),
                Outcome::Failed => Report::Failed(self.error_message.value()?),
            };
            Some((report, self.sync_id.or(&Reported::TheOpenOne)))
        })
    }

    fn is(&self, outcome: Outcome) -> bool {
        self.status.value() == Some(outcome)
    }
}

/// An id. A malformed one counts as that of an unknown sync.
impl FromText for Reported {
    fn from_text(text: &str) -> Result<Self, Problem> {
        Ok(Self::Named(SyncId::parse(text::without_nul(text::trimmed(text))?)))
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorMessage, MapEntry, MapId, MapUrl, ReportDraft, Reported};
    use crate::input::{FromText, Input};
    use crate::property::Property;
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
    fn parses_both_results() {
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
            map_url: Property::Null,
            error_message: " no\nway ".into(),
            sync_id: "own".into(),
        };
        let message = ErrorMessage::from_text("no\nway").expect("a message");
        let expected = (Report::Failed(message), Reported::Named(None));
        assert_eq!(failed.validate().expect("valid"), expected);
    }

    #[test]
    fn reports_all_violations_at_once() {
        assert_eq!(refused(&ReportDraft::default()), ["status"]);
        let bare = |status: &str| ReportDraft { status: status.into(), ..ReportDraft::default() };
        assert_eq!(refused(&bare("completed")), ["map_id", "map_url"]);
        assert_eq!(refused(&bare("failed")), ["error_message"]);
        for status in ["sync_requested", "Completed", "done"] {
            assert_eq!(refused(&bare(status)), ["status"]);
        }
        let wrong = ReportDraft {
            status: Input::Bool(true).into(),
            map_id: Input::Number("7".into()).into(),
            map_url: "ftp://a.example".into(),
            error_message: "\0".into(),
            sync_id: Input::Composite.into(),
        };
        let all = ["error_message", "map_id", "map_url", "status", "sync_id"];
        assert_eq!(refused(&wrong), all);
        for url in ["a.example", "//a.example", "javascript:x", "https://"] {
            assert_eq!(refused(&ReportDraft { map_url: url.into(), ..completed() }), ["map_url"]);
        }
    }
}
