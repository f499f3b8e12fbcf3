//! A key has no dot or space, and a separator around the name changes nothing.

#![no_main]

use contact_hub_domain::fields::FieldKey;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|name: &str| {
    let key = FieldKey::derive(name).ok();
    if let Some(key) = &key {
        assert!(!key.as_str().is_empty() && !key.as_str().contains(['.', ' ', '\'']));
    }
    // A combining mark joins what is before it, so only other names can be padded.
    if name.chars().next().is_some_and(|first| first.is_ascii()) {
        assert_eq!(FieldKey::derive(&format!("- {name} !")).ok(), key);
    }
});
