//! Lists of commands: a table for people on a terminal, one JSON object for programs.

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use contact_hub_domain::page::{MAX_PAGE_SIZE, Page, PageRequest};
use contact_hub_domain::ports::StoreError;
use serde_json::{Map, Value, json};

use crate::output::print_line;
use crate::whole_number::whole_number;

/// How a list is printed.
#[derive(Args, Debug)]
pub struct ListSettings {
    /// How many rows are printed at most
    #[arg(long, default_value_t = 100, value_parser = whole_number::<u32>(1..=10_000))]
    pub limit: u32,
    /// Print JSON on a terminal too
    #[arg(long)]
    pub json: bool,
}

/// The rows of a list, and whether there are more than the limit.
pub(super) struct Rows {
    rows: Vec<Map<String, Value>>,
    has_more: bool,
}

impl Rows {
    /// The first of these rows, of which one more than the limit was asked for.
    pub(super) fn of(mut rows: Vec<Map<String, Value>>, settings: &ListSettings) -> Self {
        let limit = usize::try_from(settings.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        Self { rows, has_more }
    }

    /// Prints them under this name.
    pub(super) fn print(self, name: &str, settings: &ListSettings) -> Result<()> {
        if settings.json || !io::stdout().is_terminal() {
            let object = json!({name: self.rows, "has_more": self.has_more});
            return print_line(&object.to_string());
        }
        print_line(&table(&self.rows, name))?;
        if self.has_more { print_line("There are more; see --limit.") } else { Ok(()) }
    }
}

/// Prints the properties of an object: a line each for people on a terminal, else its JSON.
pub(super) fn print_properties(
    properties: &Map<String, Value>,
    text: &str,
    is_json: bool,
) -> Result<()> {
    if is_json || !io::stdout().is_terminal() {
        return print_line(text);
    }
    print_line(&lines(properties))
}

fn lines(properties: &Map<String, Value>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    for (name, value) in properties {
        table.add_row([name.clone(), cell(value)]);
    }
    table.trim_fmt()
}

/// The rows of the pages of a list, one more than the limit if there are that many.
pub(super) async fn paged<T>(
    settings: &ListSettings,
    list: impl AsyncFn(PageRequest) -> Result<Page<T>, StoreError>,
    row: impl Fn(&T) -> Map<String, Value>,
) -> Result<Vec<Map<String, Value>>, StoreError> {
    let wanted = usize::try_from(settings.limit).unwrap_or(usize::MAX).saturating_add(1);
    let mut rows = Vec::new();
    for number in 1.. {
        let page = list(PageRequest::new(number, MAX_PAGE_SIZE).unwrap_or_default()).await?;
        rows.extend(page.items.iter().map(&row));
        let is_last = page.items.is_empty() || page.meta.to >= page.meta.total;
        if is_last || rows.len() >= wanted {
            break;
        }
    }
    Ok(rows)
}

/// The members of an object.
pub(super) fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn table(rows: &[Map<String, Value>], name: &str) -> String {
    let Some(first) = rows.first() else { return format!("No {name}.") };
    let mut table = Table::new();
    let heads = first.keys().map(|key| key.replace('_', " ").to_uppercase());
    table.load_style(NOTHING).set_header(heads.collect::<Vec<_>>());
    for row in rows {
        table.add_row(row.values().map(cell).collect::<Vec<_>>());
    }
    table.trim_fmt()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => printable(text),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A text without characters that a terminal would interpret as commands: field values may contain any character.
fn printable(text: &str) -> String {
    let is_command = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    text.replace(is_command, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{lines, members, table};

    #[test]
    fn control_characters_in_values_do_not_reach_the_terminal() {
        let shown = lines(&members(json!({"field:note": "a\u{1b}[2Jb\u{9b}c\rd\te"})));
        assert!(shown.contains("a\u{fffd}[2Jb\u{fffd}c\u{fffd}d"), "{shown:?}");
    }

    #[test]
    fn a_table_has_a_header_and_aligned_columns() {
        let row = |name: &str, permissions: &[&str]| {
            members(json!({"name": name, "permissions": permissions, "expires_at": null}))
        };
        let rows = [row("Ann", &["publish", "contacts_api"]), row("Zoë Müller", &[])];
        let shown = table(&rows, "users");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 3, "{shown}");
        assert!(lines[0].contains("NAME") && lines[0].contains("EXPIRES AT"), "{shown}");
        let column = |line: &str, text: &str| {
            line.split_once(text).map(|(before, _)| before.chars().count())
        };
        assert_eq!(column(lines[0], "EXPIRES"), column(lines[2], "–"), "{shown}");
        assert!(lines[1].contains("publish, contacts_api"), "{shown}");
        assert_eq!(table(&[], "users"), "No users.");
    }

    #[test]
    fn each_property_of_an_object_has_a_line() {
        let shown = lines(&members(json!({"email": "ann@example.com", "avatar_url": null})));
        let words = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let expected = [["email", "ann@example.com"], ["avatar_url", "–"]];
        assert_eq!(words.collect::<Vec<_>>(), expected, "{shown}");
    }
}
