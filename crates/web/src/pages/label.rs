//! The words on pages for the paths of errors.

use contact_hub_domain::fields::Directory;

use super::words::in_page_words;

/// The words for a path, such as `First name` for `first_name`.
pub(crate) fn label(path: &str) -> String {
    match path {
        "avatar_url" => "Avatar URL".to_owned(),
        "url" => "Payload URL".to_owned(),
        "integration_id" => "Connection".to_owned(),
        "html" => "HTML".to_owned(),
        path => capitalised(&path.replace(['_', '.'], " ")),
    }
}

/// The same for a contact, whose values go by the names of their fields.
pub(crate) fn label_of_contact(path: &str, directory: &Directory) -> String {
    let field = path.strip_prefix("field_values.").and_then(|key| directory.find(key));
    field.map_or_else(|| label(path), |field| field.name.clone())
}

/// The same for a parameter of a list, such as `filter.field:size.gt` or `sort.0`.
pub(crate) fn label_of_filter(path: &str, directory: &Directory) -> String {
    if path.starts_with("sort.") {
        return "The order".to_owned();
    }
    let Some(rest) = path.strip_prefix("filter.") else { return label(path) };
    let name = rest.split('.').next().unwrap_or_default();
    let subject = match name.strip_prefix("field:") {
        Some(key) => directory.find(key).map_or(key, |field| field.name.as_str()).to_owned(),
        None => label(name),
    };
    format!("The filter on {subject}")
}

/// What is wrong with something, as a sentence that names it.
pub(crate) fn labelled(label: &str, problem: &str) -> String {
    format!("{label} {}", ended(&in_page_words(problem)))
}

/// An error as a sentence of its own.
pub(crate) fn sentence(problem: &str) -> String {
    capitalised(&ended(&in_page_words(problem)))
}

/// The same beside the field that the path names: what to do about it, where that is clear.
pub(crate) fn sentence_of(path: &str, problem: &str) -> String {
    let advice = match problem {
        REQUIRED => Some(missing(path)),
        _ => correction(path, problem),
    };
    advice.map_or_else(|| sentence(problem), str::to_owned)
}

/// What to do about a field without a value.
fn missing(path: &str) -> &'static str {
    match path {
        "since" => "Choose a date and time.",
        "asset_types" => "Choose the asset types.",
        "email" => "Enter an email address.",
        "name" => "Enter a name.",
        "first_name" => "Enter a first name.",
        "last_name" => "Enter a last name.",
        "subject" => "Enter a subject.",
        "html" => "Enter the HTML.",
        "url" => "Enter a payload URL.",
        "events" => "Choose the events.",
        "role" => "Choose a role.",
        "type" => "Choose a type.",
        "merge_tag_format" => "Choose a merge tag format.",
        "integration_id" => "Choose a connection.",
        "password" => "Enter a password.",
        "current" => "Enter your current password.",
        _ => "Enter a value.",
    }
}

/// What to do about a wrong value, where the domain's words are those of the interface.
fn correction(path: &str, problem: &str) -> Option<&'static str> {
    let advice = match (path, problem) {
        ("since", _) => "Choose a date and time.",
        ("expires_at", _) => "Enter a whole number of days, such as 90, or leave it empty.",
        ("asset_types", _) => "Choose the asset types.",
        ("events", problem) if problem.starts_with("must have ") => "Choose the events.",
        (_, "must be a valid email address") => {
            "Enter a valid email address, such as ann@example.com."
        }
        (_, "must be a number") => "Enter a number.",
        (_, "must be true or false") => "Choose Yes or No.",
        (
            _,
            "must be a date as a string YYYY-MM-DD" | "must be a real calendar day, YYYY-MM-DD",
        ) => "Enter a date, such as 2026-11-20.",
        (
            _,
            "must be an RFC 3339 date and time as a string"
            | "must be an RFC 3339 date and time with an offset",
        ) => "Enter a date and time, such as 2026-11-20T09:30:00Z.",
        (_, "must be an https URL") => "Enter an address that begins with https://.",
        (_, "must be an absolute http or https URL") => {
            "Enter a whole address, such as https://example.com/path."
        }
        ("current", "is not your present password") => "This is not your current password.",
        ("code" | "current", problem) if problem.starts_with("is wrong, expired") => {
            "This code is wrong, expired or already used. Enter the code that your app shows now."
        }
        _ => return None,
    };
    Some(advice)
}

/// The domain's text for a property without a value.
const REQUIRED: &str = "is required";

fn ended(problem: &str) -> String {
    let end = if problem.ends_with('.') { "" } else { "." };
    format!("{problem}{end}")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::{label, labelled, sentence, sentence_of};

    #[test]
    fn a_path_becomes_words() {
        for (path, words) in [
            ("first_name", "First name"),
            ("avatar_url", "Avatar URL"),
            ("filter.email.between", "Filter email between"),
            ("page.size", "Page size"),
        ] {
            assert_eq!(label(path), words);
        }
        assert_eq!(labelled("iPhone", "must be a number"), "iPhone must be a number.");
        assert_eq!(sentence("is odd"), "Is odd.");
        assert_eq!(sentence_of("email", "is required"), "Enter an email address.");
        assert_eq!(sentence_of("email", "is odd"), "Is odd.");
    }
}
