//! The event `syncRequested`.

use serde_json::Value;

/// The parts of the webhook `syncRequested` that a receiver needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncRequested {
    /// The event's id, the same however often it is delivered.
    pub id: String,
    /// The sync.
    pub sync_id: String,
    /// The asset.
    pub asset_id: String,
    /// Its name.
    pub asset_name: String,
    /// The integration.
    pub integration_id: String,
    /// Its merge tag format.
    pub platform: String,
    /// Where the content is.
    pub content_link: String,
    /// Where the result is reported.
    pub sync_status_link: String,
    /// The entry that a previous sync of the asset reported.
    pub map_id: Option<String>,
}

impl SyncRequested {
    /// Reads a payload; `None` when a required member is missing. Unknown members are ignored.
    #[must_use]
    pub fn read(payload: &Value) -> Option<Self> {
        let text = |name: &str| payload.get(name)?.as_str().map(str::to_owned);
        // The ids become names of files.
        let id = |name: &str| text(name).filter(|id| is_id(id));
        Some(Self {
            id: id("id")?,
            sync_id: id("sync_id")?,
            asset_id: id("asset_id")?,
            asset_name: text("asset_name")?,
            integration_id: id("integration_id")?,
            platform: text("platform")?,
            content_link: text("content_link")?,
            sync_status_link: text("sync_status_link")?,
            map_id: text("map_id"),
        })
    }
}

/// Whether a text is a UUID in its usual form.
pub(crate) fn is_id(text: &str) -> bool {
    let digits_or_hyphens = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    text.len() == 36 && digits_or_hyphens
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::SyncRequested;

    #[test]
    fn an_invalid_id_is_not_used_as_a_file_name() {
        let id = "01931e3a-7c00-7000-8000-0000000000f1";
        let mut payload = json!({
            "id": id, "sync_id": id, "asset_id": id, "asset_name": "Spring", "integration_id": id, "platform": "braze",
            "content_link": "http://h/c", "sync_status_link": "http://h/s", "map_id": null, "more": 1,
        });
        let read = SyncRequested::read(&payload).expect("an event");
        assert_eq!((read.asset_name.as_str(), read.map_id), ("Spring", None));
        for wrong in
            ["", "../../../../../../../../../etc/passwd", "01931e3a-7c00-7000-8000-0000000000f"]
        {
            payload["asset_id"] = wrong.into();
            assert_eq!(SyncRequested::read(&payload), None, "{wrong}");
        }
    }
}
