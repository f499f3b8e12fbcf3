//! Made-up people: everything about a person is derived from their number.

use anyhow::{Context as _, Result};
use contact_hub_domain::contacts::{ContactDraft, ContactInput};
use contact_hub_domain::fields::{Directory, Field, FieldType};
use contact_hub_domain::input::Input;
use contact_hub_domain::property::Property;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::violations::Violations;

const FIRST_NAMES: [&str; 40] = [
    "Ada", "Amir", "Ana", "Åsa", "Bao", "Carla", "Chidi", "Dmitri", "Elif", "Emma", "Fatima",
    "Finn", "Grace", "Hana", "Hugo", "Ines", "Ivan", "Jonas", "Kaito", "Kofi", "Lea", "Liam",
    "Lucía", "Maja", "Mei", "Mohamed", "Nia", "Noah", "Olga", "Omar", "Paul", "Priya", "Rosa",
    "Sara", "Sven", "Tariq", "Tom", "Uma", "Yara", "Zoë",
];

const LAST_NAMES: [&str; 50] = [
    "Adams",
    "Ahmed",
    "Andersson",
    "Baker",
    "Bianchi",
    "Chen",
    "Costa",
    "Dubois",
    "Eriksen",
    "Fischer",
    "García",
    "Green",
    "Gupta",
    "Haddad",
    "Hansen",
    "Hernández",
    "Ito",
    "Ivanova",
    "Jansen",
    "Jensen",
    "Kaya",
    "Khan",
    "Kim",
    "Kowalski",
    "Kumar",
    "Lee",
    "Lopez",
    "Martin",
    "Meyer",
    "Müller",
    "Nagy",
    "Nguyen",
    "Novak",
    "O'Brien",
    "Okafor",
    "Park",
    "Patel",
    "Petrov",
    "Rossi",
    "Santos",
    "Sato",
    "Schmidt",
    "Silva",
    "Singh",
    "Smith",
    "Sørensen",
    "Tanaka",
    "Virtanen",
    "Weber",
    "Yılmaz",
];

const DOMAINS: [&str; 4] = ["example.com", "example.org", "mail.example", "staff.example.net"];

/// 2024-01-01T00:00:00Z, when the first person was created.
const START: i64 = 1_704_067_200_000_000;

/// The person with this number, with a value for every field.
pub(crate) fn person(number: u64, directory: &Directory) -> Result<ContactInput, Violations> {
    let (first, last) = (pick(&FIRST_NAMES, number, 1), pick(&LAST_NAMES, number, 2));
    let local: String = format!("{first}.{last}.{number}")
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let domain = pick(&DOMAINS, number, 3);
    let values = directory.fields().iter().enumerate();
    let values = values.map(|(place, field)| {
        (field.key.as_str().to_owned(), value(field, mixed(number, 10 + place)))
    });
    let draft = ContactDraft {
        email: format!("{}@{domain}", local.to_lowercase()).as_str().into(),
        first_name: first.into(),
        last_name: last.into(),
        avatar_url: Property::Absent,
        field_values: values.collect(),
    };
    draft.validate(directory)
}

/// When the person with this number was created: one every twenty seconds.
pub(crate) fn moment(number: u64) -> Result<Timestamp> {
    let micros = i64::try_from(number)?.saturating_mul(20_000_000).saturating_add(START);
    Timestamp::from_micros(micros).context("too many people for the years up to 9999")
}

/// Few values for text, booleans and dates; ten thousand for numbers; as many as there are people for moments.
fn value(field: &Field, randomness: u64) -> Input {
    match field.kind {
        FieldType::String => Input::Text(format!("Team {}", randomness % 200)),
        FieldType::Number => {
            Input::Number(format!("{}.{:02}", randomness % 10_000, randomness % 97))
        }
        FieldType::Boolean => Input::Bool(randomness.is_multiple_of(3)),
        FieldType::Date => {
            let (year, month, day) =
                (1950 + randomness % 60, 1 + randomness % 12, 1 + randomness % 28);
            Input::Text(format!("{year}-{month:02}-{day:02}"))
        }
        FieldType::DateTime => {
            let (day, hour, minute) = (1 + randomness % 28, randomness % 24, randomness / 24 % 60);
            let second = randomness / 1440 % 60;
            Input::Text(format!("2025-03-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
        }
    }
}

fn pick(from: &[&'static str], number: u64, salt: usize) -> &'static str {
    let count = u64::try_from(from.len()).unwrap_or(1);
    let at = usize::try_from(mixed(number, salt) % count).unwrap_or_default();
    from.get(at).copied().unwrap_or_default()
}

/// A pseudo-random number (the finisher of `SplitMix64`, by Sebastiano Vigna).
fn mixed(number: u64, salt: usize) -> u64 {
    let salt = u64::try_from(salt).unwrap_or_default();
    let mut z = number.wrapping_add(salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
