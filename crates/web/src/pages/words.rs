//! Messages of the interface in the words of pages: without names of permissions, operators and headers, and with sizes in
//! KiB and MiB.

use crate::error::Code;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// The message as a page shows it.
pub(crate) fn in_page_words(message: &str) -> String {
    if message == Code::OwnAccess.message() {
        return "You cannot delete yourself or take the permission for users, keys and the company from yourself. Another \
                user who has it can."
            .to_owned();
    }
    if message == Code::PreconditionFailed.message() {
        return "It was changed by someone else since this page was opened. Open it again to see how it is now."
            .to_owned();
    }
    match comparison(message) {
        Some(words) => words,
        None => sized(message),
    }
}

/// What is wrong with a filter.
fn comparison(message: &str) -> Option<String> {
    let words = match message {
        "must be compared by one of the operators >, <, between" => {
            "can only be after, before or between two moments"
        }
        "must be a known operator" => "has an unknown comparison",
        _ if message.starts_with("is a field that is not filterable") => {
            "cannot be applied: allow filtering by the field first, on the page Fields"
        }
        _ if message.starts_with("is a field that is being made filterable") => {
            "cannot be applied yet: the field is being prepared for filters. Try again in a moment"
        }
        _ => {
            let kind = message.strip_prefix("must be an operator for a field of the type ")?;
            return Some(format!("has a comparison that fields of the type {kind} do not have"));
        }
    };
    Some(words.to_owned())
}

/// The text with sizes in larger units than bytes.
fn sized(text: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        let unit = words.peek().and_then(|next| next.strip_prefix("bytes"));
        if let (Ok(bytes @ KIB..), Some(rest)) = (word.parse(), unit) {
            parts.push(format!("{}{rest}", size(bytes)));
            words.next();
        } else {
            parts.push(word.to_owned());
        }
    }
    parts.join(" ")
}

/// A size with at most one decimal.
fn size(bytes: u64) -> String {
    let (unit, name) = if bytes >= MIB { (MIB, "MiB") } else { (KIB, "KiB") };
    match (bytes / unit, bytes % unit * 10 / unit) {
        (whole, 0) => format!("{whole} {name}"),
        (whole, tenths) => format!("{whole}.{tenths} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::in_page_words;

    #[test]
    fn messages_have_no_words_of_the_interface() {
        for (message, words) in [
            ("must be at most 2097152 bytes of UTF-8", "must be at most 2 MiB of UTF-8"),
            (
                "The body is larger than the 65536 bytes that this address takes.",
                "The body is larger than the 64 KiB that this address takes.",
            ),
            ("makes it longer than 1572864 bytes, sadly", "makes it longer than 1.5 MiB, sadly"),
            ("must have 3 letters, or 8 bytes", "must have 3 letters, or 8 bytes"),
            (
                "must be an operator for a field of the type boolean",
                "has a comparison that fields of the type boolean do not have",
            ),
        ] {
            assert_eq!(in_page_words(message), words);
        }
    }
}
