//! A company can switch off sign-in by password: its users then sign in by its identity providers or with passkeys.
//!
//! This must not lock the company out. So only a user who signed in by a provider of the company or with a passkey can
//! switch it off, a provider of the company must have signed in a user before, and such a provider must remain while it
//! is off.

use super::{AccessError, SessionHolder, SignInMethod, SwitchPasswordSignInOutcome};
use crate::author::Author;
use crate::context::{AccessPorts, Context};
use crate::violations::{Problem, Violations};

/// The member that errors name.
const MEMBER: &str = "password_sign_in";

/// An identity provider of a company as a way in for its users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WayIn {
    /// Whether it has signed in a user under its current issuer, and so works.
    pub works: bool,
    /// Whether emails lead to it on the sign-in page.
    pub has_domains: bool,
}

/// Whether users can sign in without a password.
#[must_use]
pub fn has_way_in(providers: &[WayIn]) -> bool {
    providers.iter().any(|provider| provider.works)
}

/// Whether users who cannot sign in with a password still have a way in after a change of their company's providers. If
/// emails led to a provider before the change, they must still lead to one afterwards.
#[must_use]
pub fn keeps_way_in(before: &[WayIn], after: &[WayIn]) -> bool {
    let leads = |it: &[WayIn]| it.iter().any(|provider| provider.works && provider.has_domains);
    has_way_in(after) && (leads(after) || !leads(before))
}

/// Switches sign-in by password on or off for the caller's company.
pub async fn switch_password_sign_in(
    cx: &Context<'_, AccessPorts>,
    holder: &SessionHolder,
    is_on: bool,
) -> Result<(), AccessError> {
    let is_proven =
        matches!(holder.method, Some(SignInMethod::CompanyProvider | SignInMethod::Passkey));
    if !is_on && !is_proven {
        let sentence = "can be switched off only by somebody who signed in without a password. Sign out, and sign in by \
                        your identity provider or with a passkey";
        return Err(Violations::one(MEMBER, Problem::new(sentence)).into());
    }
    switch(cx.ports, cx.author(), is_on).await
}

/// Switches sign-in by password on for the author's company.
pub async fn allow_password_sign_in(ports: &AccessPorts, by: Author) -> Result<(), AccessError> {
    switch(ports, by, true).await
}

async fn switch(ports: &AccessPorts, by: Author, is_on: bool) -> Result<(), AccessError> {
    let now = ports.environment.clock.now();
    match ports.oidc.company_providers.switch_password_sign_in(by, is_on, now).await? {
        SwitchPasswordSignInOutcome::Switched => Ok(()),
        SwitchPasswordSignInOutcome::CompanyUnknown => Err(AccessError::CompanyNotFound),
        SwitchPasswordSignInOutcome::NoWayIn => {
            let sentence = "can be switched off only when an identity provider of your company works. Set one up, and \
                            sign in by it once";
            Err(Violations::one(MEMBER, Problem::new(sentence)).into())
        }
    }
}

/// The violation of a password that nobody could sign in with.
pub(super) fn password_sign_in_off(path: &'static str) -> Violations {
    let sentence = "cannot be set, since your company lets nobody sign in with a password";
    Violations::one(path, Problem::new(sentence))
}

#[cfg(test)]
mod tests {
    use super::{WayIn, has_way_in, keeps_way_in};

    const LEADS: WayIn = WayIn { works: true, has_domains: true };
    const WORKS: WayIn = WayIn { works: true, has_domains: false };
    const NEW: WayIn = WayIn { works: false, has_domains: true };

    #[test]
    fn only_a_working_provider_is_a_way_to_sign_in() {
        assert!(has_way_in(&[NEW, WORKS]) && has_way_in(&[LEADS]));
        assert!(!has_way_in(&[NEW]) && !has_way_in(&[]));
    }

    #[test]
    fn a_change_must_keep_a_working_provider_that_is_found_by_email() {
        for (before, after) in [
            (&[LEADS, WORKS][..], &[LEADS][..]),
            (&[WORKS], &[WORKS, NEW]),
            (&[WORKS], &[LEADS]),
            (&[NEW, WORKS], &[WORKS]),
        ] {
            assert!(keeps_way_in(before, after), "{before:?} {after:?}");
        }
        for (before, after) in [
            (&[LEADS][..], &[][..]),
            (&[LEADS], &[WORKS]),
            (&[LEADS, NEW], &[NEW]),
            (&[LEADS, WORKS], &[WORKS]),
        ] {
            assert!(!keeps_way_in(before, after), "{before:?} {after:?}");
        }
    }
}
