//! A session of the mail server: the part of SMTP (RFC 5321) that receiving needs, with TLS and authentication.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use crate::mail_server::{Mail, Treatment};

/// How sessions are encrypted.
#[derive(Default)]
pub enum MailSecurity {
    /// Not at all.
    #[default]
    Plain,
    /// By STARTTLS; before it, no email and no authentication is accepted.
    StartTls(TlsAcceptor),
    /// From the start of the connection.
    Wrapped(TlsAcceptor),
}

/// What the server requires of every session.
#[derive(Default)]
pub struct MailRules {
    /// How it is encrypted.
    pub security: MailSecurity,
    /// The required user and password.
    pub login: Option<(&'static str, &'static str)>,
    /// The mechanism of authentication, `PLAIN` or `LOGIN`; both if it is empty.
    pub mechanism: &'static str,
    /// How many connections, from the first, are never greeted.
    pub silent: usize,
}

/// What the server has received so far.
#[derive(Default)]
pub(crate) struct MailLog {
    /// The emails.
    pub(crate) mails: Mutex<Vec<Mail>>,
    /// The number of connections.
    pub(crate) connections: AtomicUsize,
    /// How many of the connections without a greeting are open.
    pub(crate) ungreeted: AtomicUsize,
}

impl MailLog {
    /// Keeps an email, and returns its number.
    fn keep(&self, mail: Mail) -> usize {
        let mut mails = self.mails.lock().expect("the emails");
        mails.push(mail);
        mails.len() - 1
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Serves one connection until it ends.
pub(crate) async fn serve(
    stream: TcpStream,
    rules: &MailRules,
    log: &MailLog,
    treat: &(impl Fn(usize) -> Treatment + Send + Sync),
) -> Option<()> {
    let number = log.connections.fetch_add(1, Ordering::SeqCst);
    let stream: Box<dyn Stream> = match &rules.security {
        MailSecurity::Wrapped(acceptor) => Box::new(acceptor.accept(stream).await.ok()?),
        MailSecurity::Plain | MailSecurity::StartTls(_) => Box::new(stream),
    };
    let is_encrypted = matches!(rules.security, MailSecurity::Wrapped(_));
    let stream = BufReader::new(stream);
    let to = String::new();
    let mut session = Session { rules, stream, is_encrypted, is_authenticated: false, to };
    if number < rules.silent {
        log.ungreeted.fetch_add(1, Ordering::SeqCst);
        session.line().await;
        log.ungreeted.fetch_sub(1, Ordering::SeqCst);
        return None;
    }
    session.reply("220 mail.test").await?;
    while let Some(line) = session.line().await {
        let upper = line.to_ascii_uppercase();
        let command = upper.split([' ', ':']).next().unwrap_or_default();
        if command == "STARTTLS" {
            session = session.encrypted().await?;
            continue;
        }
        let reply = session.answer(command, &line, log, treat).await?;
        session.reply(&reply).await?;
    }
    Some(())
}

struct Session<'a> {
    rules: &'a MailRules,
    stream: BufReader<Box<dyn Stream>>,
    is_encrypted: bool,
    is_authenticated: bool,
    to: String,
}

impl Session<'_> {
    /// The next line; `None` at the end.
    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    async fn reply(&mut self, reply: &str) -> Option<()> {
        self.stream.write_all(format!("{reply}\r\n").as_bytes()).await.ok()?;
        self.stream.flush().await.ok()
    }

    /// The reply to a command; `DATA` also reads the text of the email.
    async fn answer(
        &mut self,
        command: &str,
        line: &str,
        log: &MailLog,
        treat: &(impl Fn(usize) -> Treatment + Send + Sync),
    ) -> Option<String> {
        Some(match command {
            "EHLO" => self.hello(),
            "AUTH" => self.authenticate(line).await?,
            "MAIL" => self.sender(),
            "RCPT" => {
                line.split(['<', '>']).nth(1).unwrap_or_default().clone_into(&mut self.to);
                let place = log.mails.lock().expect("the emails").len();
                format!("{} {} is the recipient", treat(place).recipient, self.to)
            }
            "DATA" => {
                let text = self.text().await?;
                let place = log.keep(Mail { to: self.to.clone(), text });
                tokio::time::sleep(treat(place).after).await;
                "250 taken".to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "250 ok".to_owned(),
        })
    }

    fn is_open(&self) -> bool {
        self.is_encrypted || !matches!(self.rules.security, MailSecurity::StartTls(_))
    }

    fn hello(&self) -> String {
        let mut lines = vec!["mail.test".to_owned(), "8BITMIME".to_owned()];
        if !self.is_open() {
            lines.push("STARTTLS".to_owned());
        } else if self.rules.login.is_some() {
            let offered = self.rules.mechanism;
            let offered = if offered.is_empty() { "PLAIN LOGIN" } else { offered };
            lines.push(format!("AUTH {offered}"));
        }
        let last = lines.pop().expect("a line");
        format!("250-{}\r\n250 {last}", lines.join("\r\n250-"))
    }

    async fn encrypted(mut self) -> Option<Self> {
        let MailSecurity::StartTls(acceptor) = &self.rules.security else {
            self.reply("502 there is no TLS").await?;
            return Some(self);
        };
        self.reply("220 go on").await?;
        assert!(self.stream.buffer().is_empty(), "nothing is said before TLS");
        let stream = acceptor.accept(self.stream.into_inner()).await.ok()?;
        let stream: Box<dyn Stream> = Box::new(stream);
        Some(Self { stream: BufReader::new(stream), is_encrypted: true, ..self })
    }

    async fn authenticate(&mut self, line: &str) -> Option<String> {
        let mut words = line.split(' ').skip(1);
        let (mechanism, first) = (words.next().unwrap_or_default(), words.next());
        let login = match mechanism {
            "PLAIN" => {
                let text = decoded(first.unwrap_or_default());
                let mut parts = text.split('\0').skip(1).map(str::to_owned);
                (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
            }
            _ => (self.ask("Username:").await?, self.ask("Password:").await?),
        };
        let (user, password) = (login.0.as_str(), login.1.as_str());
        self.is_authenticated = self.is_open() && self.rules.login == Some((user, password));
        Some(if self.is_authenticated {
            "235 2.7.0 welcome".to_owned()
        } else {
            format!("535 5.7.8 {password} is not the password of {user}")
        })
    }

    /// Prompts for credentials as the LOGIN mechanism does.
    async fn ask(&mut self, question: &str) -> Option<String> {
        self.reply(&format!("334 {}", STANDARD.encode(question))).await?;
        Some(decoded(&self.line().await?))
    }

    fn sender(&self) -> String {
        if !self.is_open() {
            "530 5.7.0 STARTTLS first".to_owned()
        } else if self.rules.login.is_some() && !self.is_authenticated {
            "530 5.7.0 authenticate first".to_owned()
        } else {
            "250 ok".to_owned()
        }
    }

    async fn text(&mut self) -> Option<String> {
        self.reply("354 go on").await?;
        let mut text = String::new();
        while let Some(line) = self.line().await.filter(|line| line != ".") {
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
        Some(text)
    }
}

fn decoded(text: &str) -> String {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}
