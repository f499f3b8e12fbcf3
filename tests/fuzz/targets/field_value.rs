//! What is judged as a value of a type is shown as an equal value of that type.

#![no_main]

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::given::Given;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for given in [Given::Text(text.to_owned()), Given::Number(text.to_owned()), Given::from_json(text)] {
        for kind in FieldType::ALL {
            let Ok(value) = FieldValue::judge(kind, &given) else { continue };
            let shown = value.shown();
            assert_eq!(Given::from_json(&shown.to_json()), shown);
            let again = FieldValue::judge(kind, &shown).expect("a shown value is a value");
            assert_eq!(again, value);
            assert_eq!(again.sort_key(), value.sort_key());
        }
    }
});
