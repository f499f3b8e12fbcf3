//! What happened to a contact, in words.

use contact_hub_domain::changes::{ChangeEntry, ChangeType};
use contact_hub_domain::fields::Directory;
use contact_hub_domain::ids::UserId;

use crate::pages::excerpt::shortened;
use crate::pages::label::label;
use crate::pages::moment::Moment;

/// How many names an entry shows.
const SHOWN_NAMES: usize = 8;

/// How many characters of a name it shows.
const LONG_NAME: usize = 60;

/// An entry of the change feed, for a page.
pub(super) struct Event {
    pub(super) words: &'static str,
    /// The names of what was changed.
    pub(super) names: String,
    pub(super) by: &'static str,
    pub(super) at: Moment,
}

impl Event {
    pub(super) fn new(entry: &ChangeEntry, directory: &Directory, person: UserId) -> Self {
        let entry = &entry.entry;
        let by = match entry.actor {
            Some(actor) if actor == person => "you",
            Some(_) => "another user",
            None => "the service",
        };
        let shows_names =
            matches!(entry.kind, ChangeType::ContactUpdated | ChangeType::ContactRestored);
        let names = if shows_names { names(&entry.changed, directory) } else { String::new() };
        Self { words: words(entry.kind), names, by, at: entry.at.into() }
    }
}

const fn words(kind: ChangeType) -> &'static str {
    match kind {
        ChangeType::ContactCreated => "Created",
        ChangeType::ContactDeleted => "Deleted",
        ChangeType::ContactRestored => "Restored",
        ChangeType::ContactErased => "Erased",
        _ => "Changed",
    }
}

fn names(changed: &[String], directory: &Directory) -> String {
    let name = |path: &String| {
        let field = path.strip_prefix("field:").and_then(|key| directory.find(key));
        let name = field.map_or_else(|| label(path), |field| field.name.clone());
        shortened(&name, LONG_NAME)
    };
    let mut shown: Vec<String> = changed.iter().take(SHOWN_NAMES).map(name).collect();
    if changed.len() > SHOWN_NAMES {
        shown.push(format!("{} more", changed.len() - SHOWN_NAMES));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::fields::Directory;

    use super::names;

    #[test]
    fn many_names_are_counted() {
        let changed: Vec<String> = (0..10).map(|n| format!("name_{n}")).collect();
        let shown = names(&changed, &Directory::default());
        assert!(
            shown.starts_with("Name 0, Name 1, ") && shown.ends_with("Name 7, 2 more"),
            "{shown}"
        );
    }
}
