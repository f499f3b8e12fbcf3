//! Measures how long Chromium takes to draw a page, for `cargo xtask bench contacts`.

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use contact_hub::output::print_line;
use contact_hub_tests::Chrome;
use serde_json::{Value, json};
use thirtyfour::{By, WebDriver};

/// Open a page repeatedly, and print the median.
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

/// Milliseconds from the start of the navigation to the first content and to the end of loading; bytes of the page.
const FIGURES: &str = "
    const done = arguments[0];
    const look = () => {
        const [page] = performance.getEntriesByType('navigation');
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        if (page.loadEventEnd && paint) done([paint.startTime, page.loadEventEnd, page.decodedBodySize]);
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
    // The first load also fetches the style sheet and the script, which the browser then caches.
    figures(driver, &options.page).await?;
    let mut drawn = Vec::new();
    let mut bytes = 0.0;
    for _ in 0..options.times {
        let [paint, load, size] = figures(driver, &options.page).await?;
        drawn.push(paint.max(load));
        bytes = size;
    }
    drawn.sort_by(f64::total_cmp);
    let median = drawn.get(drawn.len() / 2).context("a page has to be opened at least once")?;
    print_line(&json!({"median_ms": median, "bytes": bytes}).to_string())
}

async fn figures(driver: &WebDriver, page: &str) -> Result<[f64; 3]> {
    driver.goto(page).await?;
    let here = driver.current_url().await?;
    ensure!(here.as_str() == page, "the page leads to {here}");
    let figures = driver.execute_async(FIGURES, Vec::new()).await?.json().clone();
    let of = |place: usize| figures.get(place).and_then(Value::as_f64).context("no figure");
    Ok([of(0)?, of(1)?, of(2)?])
}
