//! The running service that a command calls over its interface.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use contact_hub_client::{AnswerError, ContactHub, Error};
use zeroize::Zeroizing;

use crate::settings::public_url;

/// The variable with the API key.
const KEY: &str = "CONTACT_HUB_API_KEY";

/// No file with a key is longer, in bytes.
const LONGEST_KEY: u64 = 4096;

/// Where the service is, and with which key it is called.
#[derive(Args, Debug)]
pub struct RemoteSettings {
    /// The address of the running service, such as `https://hub.example`
    #[arg(long, env = "CONTACT_HUB_URL", value_parser = public_url)]
    url: String,
    /// A file with the API key; without it the key is read from the variable `CONTACT_HUB_API_KEY`
    #[arg(long, env = "CONTACT_HUB_API_KEY_FILE")]
    key_file: Option<PathBuf>,
}

impl RemoteSettings {
    /// A client of the service.
    pub(super) fn hub(&self) -> Result<ContactHub> {
        let key = self.key()?;
        ContactHub::new(&self.url, key.trim()).context("the service cannot be called")
    }

    /// There is no flag for the key, because other users of the machine can see the arguments of a process.
    fn key(&self) -> Result<Zeroizing<String>> {
        if let Some(file) = &self.key_file {
            return read(file)
                .with_context(|| format!("the file {} cannot be read", file.display()));
        }
        from_environment().with_context(|| {
            format!(
                "an API key is required: name a file with it by --key-file, or set {KEY}; \
                 `contact-hub api-key create` makes one"
            )
        })
    }

    /// An error of a call, with what to do about it.
    pub(super) fn failure(&self, error: Error) -> anyhow::Error {
        let url = &self.url;
        match error {
            Error::Unreachable(cause) => anyhow::Error::from(cause).context(format!(
                "the service at {url} cannot be reached: check --url, and that the service runs"
            )),
            Error::Timeout => {
                anyhow!(
                    "the service at {url} did not answer in time: check --url, or try again later"
                )
            }
            Error::Unreadable(cause) => anyhow::Error::from(cause)
                .context(format!("the answer of {url} is not that of a Contact Hub: check --url")),
            Error::Answer(answer) => rejected(&answer),
            other => other.into(),
        }
    }
}

/// An error that the service answered with. A validation error names every offending property.
fn rejected(answer: &AnswerError) -> anyhow::Error {
    match answer.status {
        401 => anyhow!("the service rejects the API key ({answer}): check --key-file or {KEY}"),
        403 => anyhow!(
            "the API key may not do this ({answer}): its user needs the permission contacts_api, and the company the \
             product access"
        ),
        422 if !answer.invalid.is_empty() => {
            let parts = answer.invalid.iter().map(|(path, it)| format!("{path} {}", it.join(", ")));
            anyhow!(parts.collect::<Vec<_>>().join("; "))
        }
        _ => anyhow!("{answer}"),
    }
}

fn read(file: &Path) -> std::io::Result<Zeroizing<String>> {
    let mut text = Zeroizing::new(String::new());
    File::open(file)?.take(LONGEST_KEY).read_to_string(&mut text)?;
    Ok(text)
}

#[expect(clippy::disallowed_methods, reason = "clap has no variable without a flag")]
fn from_environment() -> Option<Zeroizing<String>> {
    std::env::var(KEY).ok().map(Zeroizing::new).filter(|key| !key.trim().is_empty())
}
