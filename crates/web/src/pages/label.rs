//! What a person calls what a path names.

use contact_hub_domain::fields::Directory;

/// The words for a path, such as `First name` for `first_name`.
pub(crate) fn label(path: &str) -> String {
    match path {
        "avatar_url" => "Avatar URL".to_owned(),
        "url" => "Payload URL".to_owned(),
        "html" => "HTML".to_owned(),
        path => capitalised(&path.replace(['_', '.'], " ")),
    }
}

/// The same for a contact, whose values go by the names of their fields.
pub(crate) fn label_of_contact(path: &str, directory: &Directory) -> String {
    let field = path.strip_prefix("field_values.").and_then(|key| directory.find(key));
    field.map_or_else(|| label(path), |field| field.name.clone())
}

/// The same for a parameter of a list, such as `filter.field:size.gt`.
pub(crate) fn label_of_filter(path: &str, directory: &Directory) -> String {
    let Some(rest) = path.strip_prefix("filter.field:") else { return label(path) };
    let key = rest.split('.').next().unwrap_or_default();
    let name = directory.find(key).map_or(key, |field| field.name.as_str());
    format!("The filter on {name}")
}

/// What is wrong with something, as a sentence that names it.
pub(crate) fn labelled(label: &str, problem: &str) -> String {
    format!("{label} {}", ended(problem))
}

/// A refusal as a sentence of its own.
pub(crate) fn sentence(problem: &str) -> String {
    capitalised(&ended(problem))
}

/// The same beside the field that the path names: what to do about it, where that is clear.
pub(crate) fn sentence_of(path: &str, problem: &str) -> String {
    let advice = match (path, problem) {
        ("since", _) => "Choose a date and time.",
        ("asset_types", _) => "Choose the asset types.",
        ("email", REQUIRED) => "Enter an email address.",
        ("name", REQUIRED) => "Enter a name.",
        ("first_name", REQUIRED) => "Enter a first name.",
        ("last_name", REQUIRED) => "Enter a last name.",
        ("subject", REQUIRED) => "Enter a subject.",
        ("html", REQUIRED) => "Enter the HTML.",
        ("url", REQUIRED) => "Enter a payload URL.",
        ("events", REQUIRED) => "Choose the events.",
        ("type", REQUIRED) => "Choose a type.",
        ("merge_tag_format", REQUIRED) => "Choose a merge tag format.",
        ("integration_id", REQUIRED) => "Choose a connection.",
        ("password", REQUIRED) => "Enter a password.",
        ("current", REQUIRED) => "Enter your current password.",
        (_, REQUIRED) => "Enter a value.",
        _ => return sentence(problem),
    };
    advice.to_owned()
}

/// What the domain says of a property without a value.
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
