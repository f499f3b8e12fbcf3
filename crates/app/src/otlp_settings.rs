//! The settings of traces, each a flag and an environment variable.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use contact_hub_domain::ports::Ids;
use contact_hub_sender::operator_client;
use contact_hub_traces::Options;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;
use zeroize::Zeroizing;

use crate::files;

/// The fraction of the traces that is exported by default.
const SAMPLE: f64 = 0.1;

/// How long a connection to the collector may take.
const CONNECT: Duration = Duration::from_secs(2);

/// The maximum number of headers.
const MAX_HEADERS: usize = 20;

/// Traces.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Traces")]
pub struct OtlpSettings {
    /// A collector that takes traces by OTLP over HTTP, such as `http://127.0.0.1:4318` [default: nothing is traced]
    #[arg(long, env = "CONTACT_HUB_OTLP_ENDPOINT", hide_env_values = true, value_name = "URL")]
    // Not parsed here: the error of the command line would repeat it, with its password.
    pub otlp_endpoint: Option<String>,

    /// The part of the traces that is exported, from 0 to 1
    #[arg(long, env = "CONTACT_HUB_OTLP_SAMPLE", value_name = "RATIO", default_value_t = SAMPLE, value_parser = ratio)]
    pub otlp_sample: f64,

    /// A file with headers for the collector, such as a token: a line `name: value` for each
    #[arg(long, env = "CONTACT_HUB_OTLP_HEADERS_FILE", requires = "otlp_endpoint")]
    pub otlp_headers_file: Option<PathBuf>,

    /// Continue the traces of callers, who then decide what is exported. Only for callers that the operator controls
    #[arg(long, env = "CONTACT_HUB_OTLP_TRUST_PARENT")]
    pub otlp_trust_parent: bool,
}

impl Default for OtlpSettings {
    fn default() -> Self {
        Self {
            otlp_endpoint: None,
            otlp_sample: SAMPLE,
            otlp_headers_file: None,
            otlp_trust_parent: false,
        }
    }
}

impl OtlpSettings {
    /// How calls are traced; `None` when they are not. Settings that cannot work are an error.
    pub fn options(&self, ids: &dyn Ids) -> Result<Option<Options>> {
        let Some(endpoint) = &self.otlp_endpoint else { return Ok(None) };
        let headers = self.otlp_headers_file.as_deref().map(headers_in).transpose()?;
        Ok(Some(Options {
            client: operator_client(CONNECT).context("traces cannot be sent")?,
            address: address(endpoint)?,
            headers: headers.unwrap_or_default(),
            sample: self.otlp_sample,
            trusts_callers: self.otlp_trust_parent,
            version: env!("CARGO_PKG_VERSION"),
            instance: ids.next().to_string(),
        }))
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

/// The address for traces of a collector's address.
fn address(endpoint: &str) -> Result<Url> {
    let mut url = Url::parse(endpoint).context("--otlp-endpoint is not an address")?;
    ensure!(
        matches!(url.scheme(), "http" | "https") && url.query().is_none(),
        "--otlp-endpoint must be an http or https address without a query"
    );
    let path = format!("{}/v1/traces", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

/// The headers in a file. An error repeats none of it.
fn headers_in(file: &Path) -> Result<HeaderMap> {
    files::warn_unless_private(file);
    let text = fs::read_to_string(file).map(Zeroizing::new);
    let text = text.with_context(|| format!("the file {} cannot be read", file.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let headers: Option<HeaderMap> = lines.map(header).collect();
    let headers = headers.with_context(|| {
        format!("each line of the file {} must be a header, `name: value`", file.display())
    })?;
    ensure!(headers.len() <= MAX_HEADERS, "there may be at most {MAX_HEADERS} headers");
    Ok(headers)
}

fn header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
    let mut value = HeaderValue::from_str(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((name, value))
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::ports::Ids;
    use tempfile::TempDir;

    use super::{OtlpSettings, address, ratio};
    use crate::adapters::TimeOrderedIds;

    fn error_of(endpoint: &str, headers: &str) -> String {
        let place = TempDir::new().expect("a directory");
        let file = place.path().join("headers");
        std::fs::write(&file, headers).expect("written");
        let settings = OtlpSettings {
            otlp_endpoint: Some(endpoint.to_owned()),
            otlp_headers_file: Some(file),
            ..OtlpSettings::default()
        };
        let ids: &dyn Ids = &TimeOrderedIds;
        format!("{:#}", settings.options(ids).err().expect("an error"))
    }

    #[test]
    fn traces_have_a_separate_path() {
        for (endpoint, expected) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://collector.example/otlp/", "https://collector.example/otlp/v1/traces"),
        ] {
            assert_eq!(address(endpoint).expect("an address").as_str(), expected);
        }
    }

    #[test]
    fn invalid_settings_are_errors_that_repeat_no_secret() {
        for (endpoint, headers) in [
            ("u:secret@host", ""),
            ("ftp://u:secret@host", ""),
            ("http://u:secret@host/?a", ""),
            ("http://host", "authorization secret"),
            ("http://host", "bad name: secret"),
            ("http://host", "a: sec\u{1}ret"),
        ] {
            let error = error_of(endpoint, headers);
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_ratio_is_from_0_to_1() {
        assert_eq!((ratio("0"), ratio("0.25"), ratio("1")), (Ok(0.0), Ok(0.25), Ok(1.0)));
        for wrong in ["-0.1", "1.1", "NaN", "all", ""] {
            assert!(ratio(wrong).is_err(), "{wrong}");
        }
    }
}
