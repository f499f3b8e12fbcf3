//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The numbers of a scale: `2,500,000` as `2.5M`, if all of them are as round, and otherwise in full.
pub(super) fn of_scale(numbers: [u128; 3]) -> [String; 3] {
    let short = numbers.map(short);
    if let [Some(top), Some(middle), Some(foot)] = short {
        return [top, middle, foot];
    }
    numbers.map(|number| grouped(u64::try_from(number).unwrap_or(u64::MAX)))
}

/// A number below a thousand, or a round one with the letter of its unit.
fn short(number: u128) -> Option<String> {
    const UNITS: [(u128, &str); 7] = [
        (1, ""),
        (1_000, "K"),
        (1_000_000, "M"),
        (1_000_000_000, "G"),
        (1_000_000_000_000, "T"),
        (1_000_000_000_000_000, "P"),
        (1_000_000_000_000_000_000, "E"),
    ];
    let (unit, letter) = UNITS.iter().find(|(unit, _)| number < unit * 1_000)?;
    let tenths = number * 10 / unit;
    if tenths * unit != number * 10 {
        return None;
    }
    Some(match tenths % 10 {
        0 => format!("{}{letter}", tenths / 10),
        tenth => format!("{}.{tenth}{letter}", tenths / 10),
    })
}
