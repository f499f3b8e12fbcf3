//! Measures how long Chromium takes to draw a page, for `cargo xtask bench contacts`.

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub_tests::Chrome;
use serde_json::{Value, json};
use thirtyfour::extensions::query::ElementQueryable as _;
use thirtyfour::{By, WebDriver};

/// Open a page repeatedly, and print the medians.
#[derive(Parser)]
#[command(name = "drawn")]
struct Options {
    /// A one-time link to sign in with
    #[arg(long)]
    link: String,
    /// The page's address
    #[arg(long)]
    page: String,
    /// How often it is opened
    #[arg(long, default_value_t = 15)]
    times: usize,
}

/// Milliseconds from the start of the navigation to the first content and to the end of loading; bytes of the page;
/// milliseconds from the request to the first byte of its answer.
const FIGURES: &str = "
    const done = arguments[0];
    const look = () => {
        const [page] = performance.getEntriesByType('navigation');
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        if (page.loadEventEnd && paint) {
            done([paint.startTime, page.loadEventEnd, page.decodedBodySize, page.responseStart - page.requestStart]);
        }
        else requestAnimationFrame(look);
    };
    look();
";

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::parse();
    let chrome = Chrome::start().await;
    let driver = &chrome.driver;
    driver.goto(&options.link).await?;
    driver.find(By::Css("main form button")).await?.click().await?;
    // Until then another navigation could overtake the signing in.
    driver.query(By::Css("form[action='/sign-out']")).first().await?;
    // The first load also fetches the style sheet and the script, which the browser then caches.
    figures(driver, &options.page).await?;
    let (mut drawn, mut answered) = (Vec::new(), Vec::new());
    let mut bytes = 0.0;
    for _ in 0..options.times {
        let [paint, load, size, answer] = figures(driver, &options.page).await?;
        drawn.push(paint.max(load));
        answered.push(answer);
        bytes = size;
    }
    let figures = json!({
        "drawn_ms": median(drawn)?,
        "answered_ms": median(answered)?,
        "bytes": bytes,
    });
    print_line(&figures.to_string())
}

fn median(mut times: Vec<f64>) -> Result<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().context("a page has to be opened at least once")
}

async fn figures(driver: &WebDriver, page: &str) -> Result<[f64; 4]> {
    driver.goto(page).await?;
    let here = driver.current_url().await?;
    ensure!(here.as_str() == page, "the page leads to {here}");
    let figures = driver.execute_async(FIGURES, Vec::new()).await?.json().clone();
    let of = |place: usize| figures.get(place).and_then(Value::as_f64).context("no figure");
    Ok([of(0)?, of(1)?, of(2)?, of(3)?])
}
