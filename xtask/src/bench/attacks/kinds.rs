//! The attacks: the preparation and the clients of each.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use super::calls::{self, FORM, all_at_once, at_once, json_of};
use super::slow;
use super::target::{Session, Target, asset};
use crate::process;

/// The size of a large bulk, of a large form, and of the columns of a file.
const LARGE: usize = 15 << 20;
const WHOLE: usize = (16 << 20) - 1024;

/// The length of each of the three text values in a row of a large bulk.
const TEXT: usize = 4900;

/// Within this time a page must answer, with any status.
const PAGE_WITHIN: Duration = Duration::from_secs(1);

/// How many bulks a user may send in a minute.
const BULKS_A_MINUTE: u32 = 60;

/// One attack.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attack {
    /// Large bulks at once.
    Bulks,
    /// Bodies that never end.
    Stalled,
    /// Large answers that the client does not read.
    SlowReaders,
    /// A form with millions of fields.
    Form,
    /// A file with millions of columns.
    Columns,
    /// The page of an asset with many merge tags.
    MergeTags,
    /// Bodies that arrive one byte at a time.
    Dripping,
    /// Searches with many matches, whose clients disconnect.
    Searches,
    /// Attempts to sign in, each as another user.
    SignIns,
    /// Many keys of one user.
    Keys,
}

impl Attack {
    /// All attacks.
    pub(super) const ALL: [Self; 10] = [
        Self::Bulks,
        Self::Stalled,
        Self::SlowReaders,
        Self::Form,
        Self::Columns,
        Self::MergeTags,
        Self::Dripping,
        Self::Searches,
        Self::SignIns,
        Self::Keys,
    ];

    /// Its name in the table.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bulks => "60 different bulks of 15 MB at once",
            Self::Stalled => "120 stalled bulks and 600 stalled bodies of 1 MiB",
            Self::SlowReaders => "30 slow readers of 30 MB of converted content",
            Self::Form => "a form of 8 million fields",
            Self::Columns => "a CSV file of 16 million columns",
            Self::MergeTags => "the page of an asset with 130,000 different merge tags",
            Self::Dripping => "1,100 dripping forms",
            Self::Searches => "8 searches whose clients leave",
            Self::SignIns => "attempts to sign in",
            Self::Keys => "5 keys of one user",
        }
    }

    /// Flags of the service. Rate limits are off unless the attack is about them.
    pub(super) const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Keys | Self::SignIns => &[],
            Self::Dripping => &[
                "--rate-limit-standard",
                "0",
                "--rate-limit-bulk",
                "0",
                // What the service chooses if it starts with the limit of files that the attack sets.
                "--max-connections",
                "768",
            ],
            _ => &["--rate-limit-standard", "0", "--rate-limit-bulk", "0"],
        }
    }

    /// How many calls it makes, where that can be chosen.
    pub(super) const fn calls(self, sign_ins: u32) -> u32 {
        match self {
            Self::Bulks => 60,
            Self::SignIns => sign_ins,
            _ => 1,
        }
    }

    /// Creates what the attack needs; returns its id.
    pub(super) async fn prepare(self, target: &Arc<Target>, contacts: u32) -> Result<String> {
        match self {
            Self::Bulks => {
                for name in ["One", "Two", "Three"] {
                    let field = json!({"name": name, "type": "string"});
                    target.create("/api/public/v1/fields", &field).await?;
                }
            }
            Self::SlowReaders => {
                let mapping = json!({"email": "x".repeat(130)});
                let integration = json!({"name": "Attack", "asset_types": ["email"],
                    "merge_tag_format": "liquid", "merge_tag_mapping": mapping});
                target.create("/api/manage/v1/integrations", &integration).await?;
                let html = "{{email}}".repeat(230_000);
                return target.create("/api/manage/v1/assets", &asset(&html)).await;
            }
            Self::MergeTags => {
                let tags = (0..130_000).map(|number| format!("{{{{field:{number:x}}}}}"));
                let html = tags.collect::<String>();
                return target.create("/api/manage/v1/assets", &asset(&html)).await;
            }
            Self::Searches => calls::fill(target, contacts).await?,
            Self::Dripping => {
                // The default limit of a process.
                let limit = ["--pid", target.id(), "--nofile=1024:1024"];
                process::succeeds(Command::new("prlimit").args(limit));
            }
            _ => {}
        }
        Ok(String::new())
    }

    /// Runs the attack; returns further findings, and whether they are as required.
    pub(super) async fn run(
        self,
        target: &Arc<Target>,
        session: &Session,
        prepared: &str,
        count: u32,
        lasts: Duration,
    ) -> Result<(String, bool)> {
        match self {
            Self::Bulks => {
                let bulks = (0..count).map(|call| {
                    let request = target.request(Method::POST, "/api/public/v1/contacts/bulk");
                    Ok(json_of(request, serde_json::to_vec(&large_bulk(call))?))
                });
                all_at_once(bulks.collect::<Result<_>>()?, lasts).await;
            }
            Self::Stalled => stalled(target, lasts).await,
            Self::SlowReaders => slow_readers(target, prepared, lasts).await,
            Self::Dripping => {
                let form = head(target, "/sign-in", 10_000);
                slow::drip(target.address(), 1100, form.into(), lasts).await;
            }
            Self::Form => form_of_fields(target, session, lasts).await,
            Self::Columns => {
                let request = target.page(session, Method::POST, "/contacts/import/preview");
                let request = request.header("X-CSRF-Token", session.token());
                let request = request.header(CONTENT_TYPE, "text/csv").body(vec![b','; WHOLE]);
                at_once(&request, 1, lasts).await;
            }
            Self::MergeTags => {
                let asked = Instant::now();
                let request = target.page(session, Method::GET, &format!("/assets/{prepared}"));
                at_once(&request, 1, lasts).await;
                let took = asked.elapsed();
                let found = format!("the page took {} ms of at most 1000", took.as_millis());
                return Ok((found, took <= PAGE_WITHIN));
            }
            Self::Searches => calls::searches(target, lasts).await,
            Self::SignIns => calls::sign_ins(target, count, lasts).await,
            Self::Keys => {
                let allowed = calls::keys(target).await?;
                let found = format!("{allowed} bulks allowed of at most {BULKS_A_MINUTE}");
                return Ok((found, allowed <= BULKS_A_MINUTE));
            }
        }
        Ok((String::new(), true))
    }
}

async fn stalled(target: &Target, lasts: Duration) {
    let post = |path: &str, length: usize| head(target, path, length);
    let bulk = [post("/api/public/v1/contacts/bulk", WHOLE), vec![b' '; LARGE]];
    let one = [post("/api/public/v1/contacts", 1 << 20), vec![b' '; (1 << 20) - 1]];
    tokio::join!(
        slow::stall(target.address(), 120, bulk.concat().into(), lasts),
        slow::stall(target.address(), 600, one.concat().into(), lasts),
    );
}

async fn slow_readers(target: &Target, asset: &str, lasts: Duration) {
    let path = format!("/api/published/v1/assets/{asset}/content?platform=liquid");
    let key = &target.key;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n");
    slow::sip(target.address(), 30, request.into_bytes().into(), lasts).await;
}

async fn form_of_fields(target: &Target, session: &Session, lasts: Duration) {
    let token = format!("csrf_token={}&", session.token());
    let body = [token.into_bytes(), b"a&".repeat(WHOLE / 2)].concat();
    let request = target.page(session, Method::POST, "/fields");
    at_once(&request.header(CONTENT_TYPE, FORM).body(body), 1, lasts).await;
}

/// The head of a request with a body, as bytes.
fn head(target: &Target, path: &str, length: usize) -> Vec<u8> {
    let kind = if path == "/sign-in" { FORM } else { "application/json" };
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n",
        target.key
    )
    .into_bytes()
}

/// A thousand rows with three long values each, all different, and other rows for each call.
fn large_bulk(call: u32) -> Value {
    let row = |number: u32| {
        let text = |field: char| format!("{field}{call}.{number}.{:x<TEXT$}", "");
        json!({"email": format!("a{call}.{number}@bench.example"), "first_name": "A", "last_name": "B",
            "field_values": {"one": text('a'), "two": text('b'), "three": text('c')}})
    };
    json!({ "contacts": (0..1000).map(row).collect::<Vec<_>>() })
}
