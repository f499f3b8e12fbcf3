//! `GET /admin/integrations/platforms/all`: All Platforms, and how many connections there are to each.

use askama::Template;

use contact_hub_domain::sync::{self, Platform};

use super::platform_names::platform;
use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "sync/platforms.html")]
struct PlatformsPage {
    frame: Frame,
    tiles: Vec<Tile>,
}

struct Tile {
    word: &'static str,
    name: &'static str,
    connections: usize,
}

impl Tile {
    /// The first letter of the platform, as its mark.
    fn mark(&self) -> String {
        self.name.chars().take(1).collect()
    }
}

pub(crate) async fn handle(caller: PageCaller) -> Answer {
    let connections = sync::integration_choices(&caller.context()).await?;
    let tile = |it: Platform| Tile {
        word: it.as_str(),
        name: platform(it),
        connections: connections.iter().filter(|connection| connection.format == it).count(),
    };
    let frame = caller.frame(Section::Platforms, "All Platforms");
    respond::page(&PlatformsPage { frame, tiles: Platform::ALL.map(tile).into() })
}
