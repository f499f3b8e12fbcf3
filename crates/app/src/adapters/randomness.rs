//! Randomness from the operating system.

use contact_hub_domain::ports::Randomness;

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    /// # Panics
    ///
    /// If the operating system has no randomness; a guessable secret would be worse.
    #[expect(clippy::expect_used, reason = "a guessable secret would be worse than no answer")]
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
}
