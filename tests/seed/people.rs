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

/// Names of one or two characters.
const SHORT_NAMES: [&str; 24] = [
    "王", "李", "张", "刘", "陈", "杨", "徐", "吴", "김", "이", "박", "최", "정", "강", "조", "윤",
    "伟", "芳", "娜", "敏", "静", "민준", "서연", "欧阳",
];

/// The syllables of rarer names.
const SYLLABLES: [&str; 40] = [
    "al", "an", "ar", "bel", "bra", "chi", "da", "del", "dor", "el", "en", "fa", "fre", "gor",
    "ha", "hol", "in", "ja", "ka", "ko", "la", "lin", "lu", "ma", "mar", "mi", "na", "ni", "no",
    "or", "pa", "ra", "ri", "ro", "sa", "sta", "ta", "to", "va", "wen",
];

const DOMAINS: [&str; 4] = ["example.com", "example.org", "mail.example", "staff.example.net"];

/// 2024-01-01T00:00:00Z, when the first person was created.
const START: i64 = 1_704_067_200_000_000;

/// The person with this number, with a value for every field.
pub(crate) fn person(number: u64, directory: &Directory) -> Result<ContactInput, Violations> {
    let (first, last) = (name(&FIRST_NAMES, number, 1), name(&LAST_NAMES, number, 2));
    let ascii = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let parts = [ascii(&first), ascii(&last), number.to_string()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let local = parts.join(".");
    let domain = pick(&DOMAINS, number, 3);
    let values = directory.fields().iter().enumerate();
    let values = values.filter(|(place, _)| has_value(number, *place)).map(|(place, field)| {
        (field.key.as_str().to_owned(), value(field, mixed(number, 10 + place)))
    });
    let draft = ContactDraft {
        email: format!("{}@{domain}", local.to_lowercase()).as_str().into(),
        first_name: first.as_str().into(),
        last_name: last.as_str().into(),
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

/// When this person was last changed: within a year of the creation.
pub(crate) fn changed(number: u64, created: Timestamp) -> Timestamp {
    let seconds = mixed(number, 4) % (365 * 86_400);
    created.plus_seconds(i64::try_from(seconds).unwrap_or_default())
}

/// Whether a person has a value of the field at this place: everyone of the first five, half of all of the sixth, nearly
/// all of the seventh, few of the eighth, and everyone of further ones.
fn has_value(number: u64, place: usize) -> bool {
    let of_ten_thousand = match place {
        5 => 5_000,
        6 => 9_999,
        7 => 10,
        _ => 10_000,
    };
    mixed(number, 1_000 + place) % 10_000 < of_ten_thousand
}

/// Few values for text, booleans and dates; ten thousand for numbers; one per person for timestamps.
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

/// About 70 % of the people have a common name, most often one of the first in the list, 3 % a name of one or two
/// characters, and the others one of a hundred thousand rare names.
fn name(common: &[&'static str], number: u64, salt: usize) -> String {
    let kind = mixed(number, salt + 100) % 100;
    if kind < 70 {
        let count = u64::try_from(common.len()).unwrap_or(1);
        let within = 1 + mixed(number, salt + 200) % count;
        let at = usize::try_from(mixed(number, salt) % within).unwrap_or_default();
        return common.get(at).copied().unwrap_or_default().to_owned();
    }
    if kind < 73 {
        return pick(&SHORT_NAMES, number, salt).to_owned();
    }
    let rare = mixed(number, salt) % 100_000;
    let parts = 2 + usize::try_from(rare % 3).unwrap_or_default();
    let syllables = (0..parts).map(|part| pick(&SYLLABLES, rare, salt + 300 + part));
    let mut letters = syllables.flat_map(str::chars);
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
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
