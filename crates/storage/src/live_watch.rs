//! The pages that wait for a change.

use contact_hub_domain::live::Mark;

use crate::waiting::Waiting;

/// The calls that wait for a change, with the mark that each of them knows.
pub(crate) type LiveWatch = Waiting<Option<Mark>, Mark>;
