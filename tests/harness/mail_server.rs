//! A mail server on this machine: as much of SMTP (RFC 5321) as receiving takes.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// An email that was transferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient of the envelope.
    pub to: String,
    /// The head and the body.
    pub text: String,
}

impl Mail {
    /// The text with whole lines: quoted-printable (RFC 2045) breaks long ones.
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
    /// The reply to the recipient: 250 accepts it.
    pub recipient: u16,
    /// How long the server waits before it confirms an email that it has.
    pub after: Duration,
}

impl Default for Treatment {
    fn default() -> Self {
        Self { recipient: 250, after: Duration::ZERO }
    }
}

/// Receives emails and keeps them.
pub struct MailServer {
    address: SocketAddr,
    mails: Arc<Mutex<Vec<Mail>>>,
    task: JoinHandle<()>,
}

impl MailServer {
    /// Accepts every email.
    pub async fn start() -> Self {
        Self::with(|_place| Treatment::default()).await
    }

    /// Treats each email by its number, from 0.
    pub async fn with(treat: impl Fn(usize) -> Treatment + Send + Sync + 'static) -> Self {
        Self::at(SocketAddr::from(([127, 0, 0, 1], 0)), treat).await
    }

    /// The same at an address, for example that of a server that has stopped.
    pub async fn at(
        address: SocketAddr,
        treat: impl Fn(usize) -> Treatment + Send + Sync + 'static,
    ) -> Self {
        let listener = bound(address).await;
        let address = listener.local_addr().expect("an address");
        let (mails, treat) = (Arc::<Mutex<Vec<Mail>>>::default(), Arc::new(treat));
        let kept = Arc::clone(&mails);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, treat) = (Arc::clone(&kept), Arc::clone(&treat));
                connections.spawn(async move { serve(stream, &kept, treat.as_ref()).await });
                while connections.try_join_next().is_some() {}
            }
        });
        Self { address, mails, task }
    }

    /// Its address, as a setting takes it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// The address of its socket.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The emails so far.
    #[must_use]
    pub fn mails(&self) -> Vec<Mail> {
        self.mails.lock().expect("the emails").clone()
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

/// Serves one connection until it ends.
async fn serve(
    stream: TcpStream,
    mails: &Mutex<Vec<Mail>>,
    treat: &(impl Fn(usize) -> Treatment + Send + Sync),
) -> Option<()> {
    let (input, mut output) = stream.into_split();
    let mut lines = BufReader::new(input).lines();
    output.write_all(b"220 mail.test\r\n").await.ok()?;
    let mut to = String::new();
    while let Some(line) = lines.next_line().await.ok()? {
        let place = mails.lock().expect("the emails").len();
        let treatment = treat(place);
        let upper = line.to_ascii_uppercase();
        let reply = match upper.split([' ', ':']).next().unwrap_or_default() {
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                format!("{} recipient", treatment.recipient)
            }
            "DATA" => {
                output.write_all(b"354 go on\r\n").await.ok()?;
                let mut text = String::new();
                while let Some(line) = lines.next_line().await.ok()?.filter(|line| line != ".") {
                    text.push_str(line.strip_prefix('.').unwrap_or(&line));
                    text.push_str("\r\n");
                }
                mails.lock().expect("the emails").push(Mail { to: to.clone(), text });
                tokio::time::sleep(treatment.after).await;
                "250 taken".to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "250 ok".to_owned(),
        };
        output.write_all(format!("{reply}\r\n").as_bytes()).await.ok()?;
    }
    Some(())
}
