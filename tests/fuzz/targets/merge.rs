//! A bulk has the same result as its rows one by one.

#![no_main]

use contact_hub_domain::contacts::{ContactDraft, Existing, NewContact, merge};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::ContactId;
use contact_hub_domain::property::Property;
use contact_hub_domain::time::Timestamp;
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

fn row(number: usize, byte: u8) -> NewContact {
    let draft = ContactDraft {
        email: format!("{}@x.example", if byte & 1 == 0 { "a" } else { "A" }.repeat(usize::from(byte >> 1 & 3) + 1)).as_str().into(),
        first_name: format!("F{}", byte >> 3 & 1).as_str().into(),
        last_name: "L".into(),
        avatar_url: match byte >> 4 & 3 {
            0 => Property::Absent,
            1 => Property::Null,
            n => format!("https://a.example/{n}").as_str().into(),
        },
        ..ContactDraft::default()
    };
    let input = draft.validate(&Directory::default()).expect("a valid row");
    let id = ContactId::new(Uuid::from_u128(u128::try_from(number).expect("a number") + 1));
    NewContact { id, input, at: Timestamp::from_micros(1_000_000).expect("a moment") }
}

/// The contacts after a bulk, by identity.
fn apply(existing: &mut Vec<Existing>, rows: &[NewContact]) -> (u64, u64) {
    let merged = merge(existing.clone(), rows);
    for change in merged.changes {
        let after = change.after().clone();
        existing.retain(|known| known.contact.email.identity() != after.email.identity());
        existing.push(Existing { contact: after, is_deleted: false });
    }
    existing.sort_by_key(|known| known.contact.id);
    (merged.created, merged.updated)
}

fuzz_target!(|bytes: &[u8]| {
    let rows: Vec<NewContact> = bytes.iter().take(40).enumerate().map(|(n, byte)| row(n, *byte)).collect();
    let deleted = Existing { contact: row(1000, 0).created(), is_deleted: true };
    let (mut at_once, mut one_by_one) = (vec![deleted.clone()], vec![deleted]);
    let counted = apply(&mut at_once, &rows);
    let mut sum = (0, 0);
    for row in rows.chunks(1) {
        let (created, updated) = apply(&mut one_by_one, row);
        sum = (sum.0 + created, sum.1 + updated);
    }
    assert_eq!(counted, sum);
    assert_eq!(at_once, one_by_one);
});
