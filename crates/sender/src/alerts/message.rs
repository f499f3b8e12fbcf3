//! The email with the alerts of a user.

use askama::Template;
use contact_hub_domain::alerts::{Alert, AlertKind, DueMail};
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

/// An alert as the email shows it.
struct Line {
    title: String,
    detail: String,
    link: String,
}

#[derive(Template)]
#[template(path = "alerts.txt")]
struct TextPart<'a> {
    company: &'a str,
    lines: &'a [Line],
    choices: &'a str,
}

#[derive(Template)]
#[template(path = "alerts.html")]
struct HtmlPart<'a> {
    company: &'a str,
    lines: &'a [Line],
    choices: &'a str,
}

/// The email cannot be written, for example because the address is one that the library does not accept.
#[derive(Debug, thiserror::Error)]
#[error("the email cannot be written")]
pub(super) struct UnwritableMail;

/// The email. Attempts of one batch have the same id and the same alerts.
pub(super) fn message(
    mail: &DueMail,
    from: &Mailbox,
    public_url: &str,
) -> Result<Message, UnwritableMail> {
    let to = mail.to.as_str().parse().map_err(|_address| UnwritableMail)?;
    let lines: Vec<Line> = mail.alerts.iter().map(|alert| line(alert, public_url)).collect();
    let company = mail.company.as_str();
    let choices = format!("{public_url}/account/alerts");
    let text = TextPart { company, lines: &lines, choices: &choices }.render();
    let html = HtmlPart { company, lines: &lines, choices: &choices }.render();
    let (text, html) = (text.map_err(unwritable)?, html.map_err(unwritable)?);
    let subject = match lines.as_slice() {
        [line] => format!("{} ({company})", line.title),
        lines => format!("{} alerts ({company})", lines.len()),
    };
    let id = format!("<{}@{}>", mail.held.batch, from.email.domain());
    // Automatic replies to it would reach nobody.
    let automatic = HeaderValue::new(
        HeaderName::new_from_ascii_str("Auto-Submitted"),
        "auto-generated".to_owned(),
    );
    Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(plain(&subject))
        .message_id(Some(id))
        .raw_header(automatic)
        .multipart(MultiPart::alternative_plain_html(text, html))
        .map_err(|_library| UnwritableMail)
}

fn unwritable(_template: askama::Error) -> UnwritableMail {
    UnwritableMail
}

fn line(alert: &Alert, public_url: &str) -> Line {
    let times = if alert.times > 1 { format!(" ({} times)", alert.times) } else { String::new() };
    let name = plain(&alert.name);
    let title = match (alert.kind, alert.object) {
        (AlertKind::WebhookFailing, Some(_)) => format!("The webhook \"{name}\" keeps failing"),
        (AlertKind::WebhookWarned, Some(_)) => {
            format!("The webhook \"{name}\" will be switched off soon")
        }
        (AlertKind::WebhookOff, Some(_)) => format!("The webhook \"{name}\" was switched off"),
        (AlertKind::ImportEnded, Some(_)) => format!("The import of \"{name}\" has ended"),
        (AlertKind::KeyExpires, Some(_)) => format!("The API key \"{name}\" expires soon"),
        (AlertKind::WebhookFailing, None) => "Further webhooks keep failing".to_owned(),
        (AlertKind::WebhookWarned, None) => "Further webhooks will be switched off soon".to_owned(),
        (AlertKind::WebhookOff, None) => "Further webhooks were switched off".to_owned(),
        (AlertKind::ImportEnded, None) => "Further imports have ended".to_owned(),
        (AlertKind::KeyExpires, None) => "Further API keys expire soon".to_owned(),
    };
    let path = match (alert.kind, alert.object) {
        (
            AlertKind::WebhookFailing | AlertKind::WebhookWarned | AlertKind::WebhookOff,
            Some(webhook),
        ) => format!("/admin/integrations/webhooks/{webhook}"),
        (AlertKind::WebhookFailing | AlertKind::WebhookWarned | AlertKind::WebhookOff, None) => {
            "/admin/integrations/webhooks".to_owned()
        }
        (AlertKind::ImportEnded, _) => "/contacts".to_owned(),
        (AlertKind::KeyExpires, _) => "/account/api-access".to_owned(),
    };
    let detail = alert.object.map_or_else(String::new, |_| alert.detail.clone());
    Line { title: format!("{title}{times}"), detail, link: format!("{public_url}{path}") }
}

/// The text in one line.
fn plain(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use contact_hub_domain::access::CompanyName;
    use contact_hub_domain::alerts::{Alert, AlertKind, DueMail, HeldMail};
    use contact_hub_domain::email::Email;
    use contact_hub_domain::ids::{CompanyId, LeaseId, UserId};
    use contact_hub_domain::time::Timestamp;
    use uuid::Uuid;

    use super::message;

    fn alert(name: &str, times: u32) -> Alert {
        let at = Timestamp::from_micros(0).expect("in range");
        Alert {
            kind: AlertKind::WebhookOff,
            object: Some(Uuid::from_u128(7)),
            name: name.to_owned(),
            detail: "Its receiver answered 410 Gone.".to_owned(),
            times,
            first_at: at,
            last_at: at,
        }
    }

    fn written(alerts: Vec<Alert>) -> String {
        let held = HeldMail {
            company: CompanyId::new(Uuid::nil()),
            user: UserId::new(Uuid::nil()),
            batch: Uuid::from_u128(1),
            lease: LeaseId::new(Uuid::nil()),
        };
        let mail = DueMail {
            held,
            to: Email::from_stored("ann@acme.example".to_owned()),
            company: CompanyName::from_stored("Acme".to_owned()),
            alerts,
            attempt: 1,
            first_attempt_at: Timestamp::from_micros(0).expect("in range"),
        };
        let from = "Contact Hub <hub@hub.example>".parse().expect("a mailbox");
        let message = message(&mail, &from, "https://hub.example").expect("a message");
        String::from_utf8(message.formatted()).expect("ASCII")
    }

    #[test]
    fn a_name_cannot_add_headers_or_markup() {
        let mail = written(vec![alert("x\r\nBcc: eve@evil.example\r\n\r\n<script>", 1)]);
        let (head, body) = mail.split_once("\r\n\r\n").expect("a head");
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(head.contains("Message-ID: <00000000-0000-0000-0000-000000000001@hub.example>"));
        let html = body.split("text/html").nth(1).expect("a part");
        assert!(!html.contains("<script>") && html.contains("&#60;script&#62;"), "{html}");
    }

    #[test]
    fn several_alerts_are_counted_in_the_subject() {
        let mail = written(vec![alert("CRM", 1), alert("Mail", 3)]);
        assert!(mail.contains("Subject: 2 alerts (Acme)"), "{mail}");
        assert!(mail.contains("(3 times)"), "{mail}");
    }
}
