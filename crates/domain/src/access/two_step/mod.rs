//! Two-step verification: in addition to the password, a code that an app computes from a secret and the time (RFC
//! 6238).
//!
//! A user sets it up on the account page, or is led there when the company requires it. Keys need no second step. Ten
//! recovery codes, each of which works once, replace an app that is lost.

mod code;
mod port;
mod proof;
mod recovery;
mod second_step;
mod turn_off;
mod turn_on;

pub use code::CodeSecret;
#[cfg(any(test, feature = "mocks"))]
pub use port::MockTwoStepStore;
pub use port::{Completion, NewTwoStep, Proof, TwoStepState, TwoStepStore};
pub(super) use proof::check_code;
pub use recovery::{RECOVERY_CODES, RecoveryCode};
pub use second_step::{SECOND_STEP_SECONDS, second_step};
pub use turn_off::{reset_two_step, turn_off_two_step};
pub use turn_on::{fresh_code_secret, renew_recovery_codes, turn_on_two_step, two_step_state};
