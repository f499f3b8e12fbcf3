//! The folder of a receiver: its inbox, and the entries that represent those of a platform.
//!
//! ```text
//! events/<event>.waiting.json      an event that was answered with 202 and is not done
//! events/<event>.done.json         an event that is done; the same again is ignored
//! <integration>/<asset>/content.*  what was synced last, as HTML, text and JSON
//! ```

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::event::{SyncRequested, is_id};

/// A folder on disk.
pub(crate) struct Folder {
    root: PathBuf,
    /// Serialises concurrent deliveries of the same event.
    keeping: Mutex<()>,
}

impl Folder {
    /// Opens the folder, and creates it if it does not exist.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root.join("events"))?;
        Ok(Self { root: root.to_owned(), keeping: Mutex::default() })
    }

    /// Stores an event before it is answered; returns false when it is already stored.
    pub(crate) fn keep(&self, event: &str, payload: &[u8]) -> io::Result<bool> {
        let _one_at_a_time = self.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = self.event(event, "waiting");
        if waiting.try_exists()? || self.event(event, "done").try_exists()? {
            return Ok(false);
        }
        write_whole(&waiting, payload)?;
        Ok(true)
    }

    /// Marks an event as done.
    pub(crate) fn done(&self, event: &str) -> io::Result<()> {
        fs::rename(self.event(event, "waiting"), self.event(event, "done"))
    }

    /// Every event that is not done, the oldest first, since ids are time-ordered.
    pub(crate) fn waiting(&self) -> io::Result<Vec<SyncRequested>> {
        let mut events = Vec::new();
        for file in fs::read_dir(self.root.join("events"))? {
            let path = file?.path();
            if path.to_string_lossy().ends_with(".waiting.json") {
                let payload: Value = serde_json::from_slice(&fs::read(&path)?)?;
                events.extend(SyncRequested::read(&payload));
            }
        }
        events.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(events)
    }

    /// Writes the content of an asset, and replaces the previous one.
    pub(crate) fn write(&self, event: &SyncRequested, content: &Value) -> io::Result<PathBuf> {
        let folder = self.root.join(&event.integration_id).join(&event.asset_id);
        fs::create_dir_all(&folder)?;
        let part = |name: &str| content.get(name).and_then(Value::as_str).unwrap_or_default();
        write_whole(&folder.join("content.html"), part("html").as_bytes())?;
        write_whole(&folder.join("content.txt"), part("text").as_bytes())?;
        write_whole(&folder.join("content.json"), format!("{content:#}\n").as_bytes())?;
        Ok(folder)
    }

    /// The HTML of the last sync.
    pub(crate) fn html(&self, integration: &str, asset: &str) -> Option<Vec<u8>> {
        if !is_id(integration) || !is_id(asset) {
            return None;
        }
        fs::read(self.root.join(integration).join(asset).join("content.html")).ok()
    }

    fn event(&self, id: &str, state: &str) -> PathBuf {
        self.root.join("events").join(format!("{id}.{state}.json"))
    }
}

/// Writes a file atomically.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("part");
    let mut file = File::create(&partial)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(partial, path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Folder;
    use crate::event::SyncRequested;

    #[test]
    fn an_event_is_stored_once_and_pending_until_it_is_done() {
        let directory = tempfile::tempdir().expect("a directory");
        let folder = Folder::open(directory.path()).expect("a folder");
        let id = "01931e3a-7c00-7000-8000-0000000000f1";
        let payload = json!({
            "id": id, "sync_id": id, "asset_id": id, "asset_name": "Spring", "integration_id": id, "platform": "braze",
            "content_link": "http://h/c", "sync_status_link": "http://h/s",
        });
        let bytes = payload.to_string().into_bytes();
        assert!(folder.keep(id, &bytes).expect("kept"));
        assert!(!folder.keep(id, &bytes).expect("known"));
        let event = SyncRequested::read(&payload).expect("an event");
        let again = Folder::open(directory.path()).expect("a folder");
        assert_eq!(again.waiting().expect("events"), std::slice::from_ref(&event));
        folder.done(id).expect("done");
        assert!(again.waiting().expect("events").is_empty());
        assert!(!again.keep(id, &bytes).expect("known"));
        again.write(&event, &json!({"html": "<p>é", "text": "é"})).expect("written");
        assert_eq!(again.html(id, id).as_deref(), Some("<p>é".as_bytes()));
        assert_eq!(again.html("..", id), None);
    }
}
