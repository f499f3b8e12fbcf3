//! `contact-hub demo` shows a sync from beginning to end.

use contact_hub_tests::TestDatabase;
use serde_json::Value;

use crate::process::bare;

#[test]
fn the_demo_prints_every_step_in_order() {
    let database = TestDatabase::empty();
    let output = bare(&database, &["demo", "--once"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}{}", String::from_utf8_lossy(&output.stderr));
    assert_printed(&shown);
    let hex = shown.lines().find_map(|line| line.trim().strip_prefix("service-signature: "));
    assert_eq!(hex.map(str::len), Some(64));
    let payload = shown.lines().skip_while(|line| *line != "     {");
    let payload = payload.take_while(|line| *line != "     }").collect::<String>() + "}";
    let payload: Value = serde_json::from_str(&payload).unwrap();
    assert_eq!((&payload["platform"], &payload["sync_type"]), (&"braze".into(), &"sync".into()));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    // It leaves no files in the directory where it was started.
    let left = std::fs::read_dir(database.directory()).unwrap().flatten();
    assert_eq!(left.filter(|file| file.file_name() != "hub.key").count(), 0);
}

/// The steps of the demo, in order.
fn assert_printed(shown: &str) {
    let mut rest = shown;
    for words in [
        "1. Who takes part",
        "{{first_name|there}}",
        "2. A user requests a sync",
        "answered 202, status sync_requested",
        "3. The service sends the webhook",
        "service-signature: ",
        "webhook-id: ",
        "webhook-timestamp: ",
        "webhook-signature: v1,",
        "\"event\": \"syncRequested\"",
        "answers 202",
        "4. The receiver fetches content_link",
        "{{${first_name} | default: 'there'}}",
        "{{custom_attribute.${job_title}}}",
        "5. The receiver reports",
        "completed: http://127.0.0.1:",
        "6. The service shows the result",
        "completed, map_id ",
        "succeeded after 1 attempt",
    ] {
        let (_, after) =
            rest.split_once(words).unwrap_or_else(|| panic!("{words} is missing: {shown}"));
        rest = after;
    }
}
