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

/// The same for the lines of a scale, where round thousands are short: `2,500,000` as `2.5M`. Every other number is
/// written in full.
pub(super) fn short(number: u128) -> String {
    const UNITS: [(u128, &str); 6] = [
        (1_000_000_000_000_000_000, "E"),
        (1_000_000_000_000_000, "P"),
        (1_000_000_000_000, "T"),
        (1_000_000_000, "G"),
        (1_000_000, "M"),
        (1_000, "K"),
    ];
    let fits =
        |unit: u128| (unit..unit * 1_000).contains(&number) && number.is_multiple_of(unit / 10);
    match UNITS.iter().find(|(unit, _)| fits(*unit)) {
        Some((unit, letter)) => match number % unit * 10 / unit {
            0 => format!("{}{letter}", number / unit),
            tenth => format!("{}.{tenth}{letter}", number / unit),
        },
        None => grouped(u64::try_from(number).unwrap_or(u64::MAX)),
    }
}
