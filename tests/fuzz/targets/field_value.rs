//! A valid value of a type is shown as an equal value of that type.

#![no_main]

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::input::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for input in [Input::Text(text.to_owned()), Input::Number(text.to_owned()), Input::from_json(text)] {
        for kind in FieldType::ALL {
            let Ok(value) = FieldValue::validate(kind, &input) else { continue };
            let shown = value.shown();
            assert_eq!(Input::from_json(&shown.to_json()), shown);
            let again = FieldValue::validate(kind, &shown).expect("a shown value is a value");
            assert_eq!(again, value);
            assert_eq!(again.sort_key(), value.sort_key());
        }
    }
});
