//! Reads the claims of a token and of the profile.

use contact_hub_domain::access::OidcClaims;
use contact_hub_domain::time::Timestamp;
use serde_json::{Map, Value};

use super::kinds::{Profile, TokenClaims};

/// The longest identifier of a person at a provider (`OpenID` Connect Core, section 2).
const MAX_SUBJECT: usize = 255;

/// The maximum number of groups of a person that are looked at.
const MAX_READ: usize = 1000;

/// The authentication method reference (`amr`) for several factors (RFC 8176).
const MANY_FACTORS: &str = "mfa";

/// The claims of the token; `None` when the identifier of the person is not valid.
pub(super) fn of_token(claims: &TokenClaims, group_claim: Option<&str>) -> Option<OidcClaims> {
    let subject = claims.subject().as_str();
    let is_name = !subject.is_empty()
        && subject.len() <= MAX_SUBJECT
        && !subject.chars().any(char::is_control);
    let methods = claims.auth_method_refs().map(Vec::as_slice).unwrap_or_default();
    is_name.then(|| OidcClaims {
        subject: subject.to_owned(),
        email: claims.email().map(|email| email.as_str().to_owned()),
        email_verified: claims.email_verified(),
        groups: groups(&claims.additional_claims().all, group_claim),
        used_many_factors: methods.iter().any(|method| method.as_str() == MANY_FACTORS),
        authenticated_at: claims
            .auth_time()
            .and_then(|moment| Timestamp::from_micros(moment.timestamp_micros())),
    })
}

/// Whether claims are missing that the profile may have.
pub(super) fn is_short(claims: &OidcClaims, group_claim: Option<&str>) -> bool {
    claims.email.is_none() || (group_claim.is_some() && claims.groups.is_empty())
}

/// Adds the claims that only the profile has. The email and whether it is verified come from the same source.
pub(super) fn add_profile(claims: &mut OidcClaims, profile: &Profile, group_claim: Option<&str>) {
    let standard = profile.standard_claims();
    if claims.email.is_none() {
        claims.email = standard.email().map(|email| email.as_str().to_owned());
        claims.email_verified = standard.email_verified();
    }
    if claims.groups.is_empty() {
        claims.groups = groups(&profile.additional_claims().all, group_claim);
    }
}

/// The groups of a claim, which is a text or several.
fn groups(claims: &Map<String, Value>, name: Option<&str>) -> Vec<String> {
    match name.and_then(|name| claims.get(name)) {
        Some(Value::String(group)) => vec![group.clone()],
        Some(Value::Array(groups)) => {
            let groups = groups.iter().filter_map(Value::as_str).take(MAX_READ);
            groups.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::groups;

    #[test]
    fn groups_are_a_string_or_an_array() {
        let claims = json!({"one": "a", "many": ["a", 1, "b"], "odd": {"a": 1}});
        let claims = claims.as_object().expect("an object");
        assert_eq!(groups(claims, Some("one")), ["a"]);
        assert_eq!(groups(claims, Some("many")), ["a", "b"]);
        for nothing in [Some("odd"), Some("x"), None] {
            assert!(groups(claims, nothing).is_empty());
        }
    }
}
