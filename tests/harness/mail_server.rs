//! A mail server on this machine: the part of SMTP (RFC 5321) that receiving needs.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::mail_session::{MailLog, MailRules, MailSecurity, serve};

/// A free port of this machine.
const ANY: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));

/// An email that was transferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient of the envelope.
    pub to: String,
    /// The head and the body.
    pub text: String,
}

impl Mail {
    /// The text with unbroken lines: quoted-printable (RFC 2045) wraps long ones.
    #[must_use]
    pub fn unfolded(&self) -> String {
        self.text.replace("=\r\n", "")
    }

    /// The text of a header, empty when absent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let head = self.text.split_once("\r\n\r\n").map_or(self.text.as_str(), |(head, _)| head);
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value.trim())
    }
}

/// How the server treats an email.
#[derive(Clone, Copy, Debug)]
pub struct Treatment {
    /// The code of the reply to the recipient: 250 accepts it.
    pub recipient: &'static str,
    /// How long the server waits before it acknowledges a received email.
    pub after: Duration,
}

impl Default for Treatment {
    fn default() -> Self {
        Self { recipient: "250", after: Duration::ZERO }
    }
}

/// Receives emails and keeps them.
pub struct MailServer {
    address: SocketAddr,
    scheme: &'static str,
    log: Arc<MailLog>,
    task: JoinHandle<()>,
}

impl MailServer {
    /// Accepts every email.
    pub async fn start() -> Self {
        Self::with(|_place| Treatment::default()).await
    }

    /// Treats each email by its number, from 0.
    pub async fn with(treat: impl Fn(usize) -> Treatment + Send + Sync + 'static) -> Self {
        Self::at(ANY, treat).await
    }

    /// The same at a given address, for example that of a server that has stopped.
    pub async fn at(
        address: SocketAddr,
        treat: impl Fn(usize) -> Treatment + Send + Sync + 'static,
    ) -> Self {
        Self::launched(address, MailRules::default(), treat).await
    }

    /// Accepts every email, with these rules.
    pub async fn ruled(rules: MailRules) -> Self {
        Self::ruled_at(ANY, rules).await
    }

    /// The same at an address.
    pub async fn ruled_at(address: SocketAddr, rules: MailRules) -> Self {
        Self::launched(address, rules, |_place| Treatment::default()).await
    }

    async fn launched(
        address: SocketAddr,
        rules: MailRules,
        treat: impl Fn(usize) -> Treatment + Send + Sync + 'static,
    ) -> Self {
        let listener = bound(address).await;
        let address = listener.local_addr().expect("an address");
        let is_wrapped = matches!(rules.security, MailSecurity::Wrapped(_));
        let scheme = if is_wrapped { "smtps" } else { "smtp" };
        let (rules, treat, log) = (Arc::new(rules), Arc::new(treat), Arc::<MailLog>::default());
        let kept = Arc::clone(&log);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, treat) = (Arc::clone(&kept), Arc::clone(&treat));
                let rules = Arc::clone(&rules);
                connections
                    .spawn(async move { serve(stream, &rules, &kept, treat.as_ref()).await });
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, scheme, log, task }
    }

    /// Its address in the format of the setting.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// The same with this host, and with credentials that end with an `@`, or none.
    #[must_use]
    pub fn url_of(&self, login: &str, host: &str) -> String {
        format!("{}://{login}{host}:{}", self.scheme, self.address.port())
    }

    /// The address of its socket.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The emails received so far.
    #[must_use]
    pub fn mails(&self) -> Vec<Mail> {
        self.log.mails.lock().expect("the emails").clone()
    }

    /// The number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.log.connections.load(Ordering::SeqCst)
    }

    /// How many connections are waiting for a greeting that is never sent.
    #[must_use]
    pub fn ungreeted(&self) -> usize {
        self.log.ungreeted.load(Ordering::SeqCst)
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Listens at an address. A server that was dropped there may take a moment to close its socket.
async fn bound(address: SocketAddr) -> TcpListener {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return listener,
            Err(error) => assert!(Instant::now() < until, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
