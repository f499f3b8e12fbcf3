//! The settings of the mail server that sends alerts, each a flag and an environment variable.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use contact_hub_domain::alerts::Mailer;
use contact_hub_sender::{AlertOptions, SmtpMailer, SmtpOptions};
use url::Url;

use crate::files;
use crate::webhook_settings::delay;

const COLLECT: Duration = Duration::from_mins(5);
const EVERY: Duration = Duration::from_mins(30);

/// How alerts are sent.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Alerts")]
pub struct MailSettings {
    /// The mail server that sends alerts: `smtps://<user>:<password>@<host>`, or `smtp://…` with STARTTLS
    #[arg(long, env = "CONTACT_HUB_SMTP_URL", hide_env_values = true)]
    // Not parsed here: the error of the command line would repeat it, with its password.
    pub smtp_url: Option<String>,

    /// A file with the password for the mail server, in place of the one in --smtp-url
    #[arg(long, env = "CONTACT_HUB_SMTP_PASSWORD_FILE", requires = "smtp_url")]
    pub smtp_password_file: Option<PathBuf>,

    /// A file with the certificates, in PEM, of the authorities that sign the mail server's, in place of the system's
    #[arg(long, env = "CONTACT_HUB_SMTP_CA_FILE", requires = "smtp_url")]
    pub smtp_ca_file: Option<PathBuf>,

    /// The sender of alerts, such as `Contact Hub <hub@example.com>`
    #[arg(long, env = "CONTACT_HUB_MAIL_FROM")]
    pub mail_from: Option<String>,

    /// How long the alerts of a user are collected before they are sent in one email, such as `5m`
    #[arg(long, env = "CONTACT_HUB_ALERT_COLLECT", value_name = "TIME", default_value = "5m", value_parser = delay)]
    pub alert_collect: Duration,

    /// The shortest time between two emails to a user, such as `30m`
    #[arg(long, env = "CONTACT_HUB_ALERT_EVERY", value_name = "TIME", default_value = "30m", value_parser = delay)]
    pub alert_every: Duration,
}

impl Default for MailSettings {
    fn default() -> Self {
        Self {
            smtp_url: None,
            smtp_password_file: None,
            smtp_ca_file: None,
            mail_from: None,
            alert_collect: COLLECT,
            alert_every: EVERY,
        }
    }
}

impl MailSettings {
    /// The mail server; `None` when none is set. Settings that cannot work are an error.
    pub fn mailer(&self, public_url: &str) -> Result<Option<Arc<dyn Mailer>>> {
        let Some(url) = &self.smtp_url else { return Ok(None) };
        let url = Url::parse(url).context("--smtp-url is not an address")?;
        let Some(from) = self.mail_from.clone() else {
            bail!("--mail-from is required with --smtp-url: the sender of alerts");
        };
        let password = self.smtp_password_file.as_deref().map(password_in).transpose()?;
        if password.is_some() && url.username().is_empty() {
            bail!("--smtp-password-file needs a user in --smtp-url: smtps://<user>@<host>");
        }
        let trusted = self.smtp_ca_file.as_deref().map(bytes_of).transpose()?;
        let public_url = public_url.to_owned();
        let options = SmtpOptions { url, password, trusted, from, public_url };
        let mailer = SmtpMailer::new(&options).context("the settings of alerts are wrong")?;
        Ok(Some(Arc::new(mailer)))
    }

    /// How alerts are collected.
    pub(crate) const fn options(&self) -> AlertOptions {
        AlertOptions { collect: self.alert_collect, every: self.alert_every }
    }
}

/// The password in a file, without the line break at its end.
fn password_in(file: &Path) -> Result<String> {
    files::warn_unless_private(file);
    let text = String::from_utf8(bytes_of(file)?);
    let text = text.with_context(|| format!("the file {} is not UTF-8", file.display()))?;
    let password = text.trim_end_matches(['\r', '\n']);
    anyhow::ensure!(!password.is_empty(), "the file {} has no password", file.display());
    Ok(password.to_owned())
}

fn bytes_of(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("the file {} cannot be read", file.display()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::MailSettings;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        mail: MailSettings,
    }

    #[test]
    fn a_malformed_address_is_rejected_and_not_repeated() {
        for url in ["u:secret@host", "smtp://u:secret@:99999", "http://u:secret@host"] {
            let given = ["hub", "--smtp-url", url, "--mail-from", "hub@hub.example"];
            let given = Arguments::try_parse_from(given).expect("arguments");
            let error = given.mail.mailer("https://hub.example").err().expect("an error");
            assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        }
    }
}
