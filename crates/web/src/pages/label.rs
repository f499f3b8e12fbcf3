//! What a person calls what a path names.

use contact_hub_domain::fields::Directory;

/// The words for a path, such as `First name` for `first_name`.
pub(crate) fn label(path: &str) -> String {
    match path {
        "avatar_url" => "Picture address".to_owned(),
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

/// What is wrong with something, as a sentence that names it.
pub(crate) fn labelled(label: &str, problem: &str) -> String {
    format!("{label} {}", ended(problem))
}

/// A refusal as a sentence of its own.
pub(crate) fn sentence(problem: &str) -> String {
    capitalised(&ended(problem))
}

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
    use super::{label, labelled, sentence};

    #[test]
    fn a_path_becomes_words() {
        for (path, words) in [
            ("first_name", "First name"),
            ("avatar_url", "Picture address"),
            ("filter.email.between", "Filter email between"),
            ("page.size", "Page size"),
        ] {
            assert_eq!(label(path), words);
        }
        assert_eq!(labelled("iPhone", "must be a number"), "iPhone must be a number.");
        assert_eq!(sentence("is required"), "Is required.");
    }
}
