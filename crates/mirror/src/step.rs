//! The steps: each reads from the hub, and then changes the copy in one transaction.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};

use serde::Deserialize;
use serde_json::json;

use crate::contact::Contact;
use crate::copy::{Copy, Place};
use crate::hub::{Failure, Hub};
use crate::report;

/// How many entries of the feed are read at once: as many as the hub gives, and contacts it looks up.
const PAGE: usize = 1000;

/// How many contacts of an export are stored at once.
const TOGETHER: usize = 1000;

/// Entries of the feed.
#[derive(Deserialize)]
struct Changes {
    data: Vec<Entry>,
    meta: Next,
}

#[derive(Deserialize)]
struct Entry {
    r#type: String,
    object_id: String,
}

#[derive(Deserialize)]
struct Next {
    next: String,
}

/// The answer of a look-up.
#[derive(Default, Deserialize)]
struct Found {
    data: Vec<Contact>,
    meta: Missing,
}

#[derive(Default, Deserialize)]
struct Missing {
    missing: Vec<String>,
}

/// Takes the next step.
pub(crate) fn next(hub: &Hub, copy: &mut Copy) -> Result<(), Failure> {
    match copy.place()? {
        Place::Begin => begin(hub, copy),
        Place::Export(after) => export(hub, copy, &after),
        Place::Follow(cursor) => follow(hub, copy, &cursor),
    }
}

/// Remembers the end of the feed. The changes before it are in the export.
fn begin(hub: &Hub, copy: &Copy) -> Result<(), Failure> {
    let changes: Changes = hub.get("/api/manage/v1/changes?after=latest")?;
    copy.begin_export(&changes.meta.next)?;
    Ok(())
}

/// Exports the contacts. An answer that breaks off lacks the end of its encoding, which is an error here; the next
/// attempt continues after the last line that was stored.
fn export(hub: &Hub, copy: &mut Copy, after: &str) -> Result<(), Failure> {
    let answer = hub.open(&format!("/api/public/v1/contacts/export?page[after]={after}"))?;
    let (mut contacts, mut count) = (Vec::new(), 0);
    for line in BufReader::new(answer).lines() {
        let line = line.map_err(Failure::broken)?;
        contacts.push(serde_json::from_str(&line).map_err(Failure::broken)?);
        if contacts.len() == TOGETHER {
            count += store(copy, &mut contacts)?;
            report(&format!("exported {count} contacts"));
        }
    }
    count += store(copy, &mut contacts)?;
    copy.end_export()?;
    report(&format!("exported {count} contacts; following the feed"));
    Ok(())
}

fn store(copy: &mut Copy, contacts: &mut Vec<Contact>) -> Result<usize, Failure> {
    copy.exported(contacts)?;
    let count = contacts.len();
    contacts.clear();
    Ok(count)
}

/// Reads the contacts that changed as they are now, once each. Those that are missing were deleted or erased.
fn follow(hub: &Hub, copy: &mut Copy, cursor: &str) -> Result<(), Failure> {
    let path = format!("/api/manage/v1/changes?after={cursor}&page[size]={PAGE}&wait=25");
    let Changes { data, meta } = hub.get(&path)?;
    let entries = data.iter().filter(|entry| entry.r#type.starts_with("contact."));
    let ids: BTreeSet<&str> = entries.map(|entry| entry.object_id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let found = if ids.is_empty() { Found::default() } else { look_up(hub, &ids)? };
    copy.apply(&found.data, &found.meta.missing, &meta.next)?;
    if !ids.is_empty() {
        report(&format!("{} contacts changed", ids.len()));
    }
    Ok(())
}

/// If the contacts have too many values for one answer, each half is looked up.
fn look_up(hub: &Hub, ids: &[&str]) -> Result<Found, Failure> {
    let (mut found, mut parts) = (Found::default(), vec![ids]);
    while let Some(ids) = parts.pop() {
        let part = hub.post("/api/public/v1/contacts/lookup", &json!({ "ids": ids }));
        if ids.len() > 1 && matches!(part, Err(Failure::Invalid(_))) {
            let (first, second) = ids.split_at(ids.len() / 2);
            parts.extend([first, second]);
        } else {
            let Found { data, meta } = part?;
            found.data.extend(data);
            found.meta.missing.extend(meta.missing);
        }
    }
    Ok(found)
}
