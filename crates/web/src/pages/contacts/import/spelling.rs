//! The spellings of values in files, and what they mean under a reading.

use contact_hub_domain::fields::{FieldType, FieldValue};
use contact_hub_domain::input::Input;
use contact_hub_domain::time::Timestamp;

use super::reading::Reading;

/// Yes or no.
pub(super) fn boolean(word: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    if is(&["yes", "y", "true", "t", "1", "on"]) {
        Some(true)
    } else if is(&["no", "n", "false", "f", "0", "off"]) {
        Some(false)
    } else {
        None
    }
}

/// A number in JSON's spelling.
pub(super) fn number(word: &str, reading: Reading) -> Option<String> {
    let (decimal, thousands) = match reading {
        Reading::Comma => (',', Some('.')),
        Reading::Point => ('.', Some(',')),
        Reading::Plain | Reading::DayFirst | Reading::MonthFirst => ('.', None),
    };
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    let (rest, exponent) = match rest.find(['e', 'E']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let (whole, fraction) =
        rest.split_once(decimal).map_or((rest, None), |(whole, it)| (whole, Some(it)));
    let mut groups = whole.split(|c| thousands == Some(c));
    let first = groups.next()?;
    let others: Vec<&str> = groups.collect();
    let is_grouped = others.is_empty() || first.len() <= 3;
    if !is_grouped || first.is_empty() || others.iter().any(|group| group.len() != 3) {
        return None;
    }
    let fraction = fraction.map_or_else(String::new, |it| format!(".{it}"));
    let spelled = format!("{sign}{first}{}{fraction}{exponent}", others.concat());
    // Only what JSON spells may be passed on as a number.
    FieldValue::validate(FieldType::Number, &Input::Number(spelled.clone()))
        .is_ok()
        .then_some(spelled)
}

/// A day as `YYYY-MM-DD`, which may not be in the calendar.
pub(super) fn date(word: &str, reading: Reading) -> Option<String> {
    let separator = word.chars().find(|c| !c.is_ascii_digit())?;
    let parts: Vec<&str> = word.split(separator).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    let (year, month, day) = match (first.len(), third.len(), reading) {
        (4, 1 | 2, _) => (first, second, third),
        (1 | 2, 4, Reading::DayFirst) => (third, second, first),
        (1 | 2, 4, Reading::MonthFirst) => (third, first, second),
        _ => return None,
    };
    let is_number = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_known = matches!(separator, '-' | '/' | '.') && matches!(second.len(), 1 | 2);
    (is_number && is_known).then(|| format!("{year}-{month:0>2}-{day:0>2}"))
}

/// A moment as in RFC 3339. One without a zone is in UTC, and one without a time is at midnight.
pub(super) fn moment(word: &str, reading: Reading) -> Option<String> {
    if Timestamp::parse(word).is_ok() {
        return Some(word.to_owned());
    }
    let (day, rest) = word.split_once([' ', 'T', 't']).unwrap_or((word, ""));
    let (time, zone) = time_of(rest.trim())?;
    Some(format!("{}T{time}{zone}", date(day.trim_end_matches(','), reading)?))
}

/// The time of a day as `HH:MM:SS` with any fraction, and its zone.
fn time_of(text: &str) -> Option<(String, String)> {
    if text.is_empty() {
        return Some(("00:00:00".to_owned(), "Z".to_owned()));
    }
    let (text, zone) = zone_of(text);
    let lower = text.to_ascii_lowercase();
    let (text, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(text), _) => (text.trim_end(), Some(0)),
        (_, Some(text)) => (text.trim_end(), Some(12)),
        _ => (lower.as_str(), None),
    };
    let mut parts = text.splitn(3, ':');
    let (hour, minute) = (two_digits(parts.next()?)?, two_digits(parts.next()?)?);
    let seconds = parts.next().unwrap_or("00");
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(half) => hour % 12 + half,
        None => hour,
    };
    Some((format!("{hour:02}:{minute:02}:{seconds:0>2}"), zone))
}

fn zone_of(text: &str) -> (&str, String) {
    if let Some(text) = text.strip_suffix("UTC").or_else(|| text.strip_suffix(['Z', 'z'])) {
        return (text.trim_end(), "Z".to_owned());
    }
    match text.rfind(['+', '-']) {
        Some(at) => {
            let (text, zone) = text.split_at(at);
            (text.trim_end(), zone.to_owned())
        }
        None => (text, "Z".to_owned()),
    }
}

fn two_digits(text: &str) -> Option<u32> {
    let is_number = matches!(text.len(), 1 | 2) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}
