//! `GET /admin` and `GET /admin/integrations`: the pages below them that the person may open.

use askama::Template;

use super::caller::PageCaller;
use super::frame::{Entry, Frame, Section};
use super::respond;
use crate::error::{Answer, Code};

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage {
    frame: Frame,
    entries: Vec<Entry>,
    is_below: bool,
}

pub(crate) async fn admin(caller: PageCaller) -> Answer {
    draw(&caller, Section::Admin, "Admin")
}

pub(crate) async fn integrations(caller: PageCaller) -> Answer {
    draw(&caller, Section::Integrations, "Integrations")
}

fn draw(caller: &PageCaller, section: Section, title: &str) -> Answer {
    let frame = caller.frame(section, title);
    let entries = below(&frame.entries).ok_or(Code::AccessDenied)?.to_vec();
    respond::page(&AdminPage { is_below: section == Section::Integrations, frame, entries })
}

/// The entries below the current one.
fn below(entries: &[Entry]) -> Option<&[Entry]> {
    entries.iter().find_map(|entry| {
        if entry.is_current { Some(entry.below.as_slice()) } else { below(&entry.below) }
    })
}
