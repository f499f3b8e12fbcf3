//! A drill: the service's PostgreSQL is stopped under load and started again.
//!
//! During the outage every call is answered with 503 and `Retry-After` in time; afterwards the same process answers
//! as before. The tests of one database cannot do this, since they share a server.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use crate::database::{Durability, Stop, ThrowawayPostgres};
use crate::service::{self, Service, built};
use crate::steps::{Done, Steps};

/// The limit for a call in any state of the database. It is longer than the wait for a connection plus the time for
/// opening one.
const IN_TIME: Duration = Duration::from_secs(12);

/// How soon the service must answer as before.
const RECOVERY: Duration = Duration::from_secs(30);

/// How many calls run at once.
const CALLERS: usize = 12;

/// Runs the task.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    add_step(&mut steps);
    steps.finish()
}

/// Adds the drill to a list of steps.
pub(crate) fn add_step(steps: &mut Steps) {
    steps.run("PostgreSQL stopped and started", || {
        service::build()?;
        drill()?;
        Ok(Done::Passed)
    });
}

fn drill() -> Result<()> {
    // Acknowledged writes must survive the power cut.
    let postgres = ThrowawayPostgres::start(Durability::Durable)?;
    let directory = tempfile::tempdir()?;
    let (service, key) =
        Service::on_empty(&built("debug"), directory.path(), &postgres.url(), &[])?;
    ensure!(calls(&service.base, &key)?.iter().all(|answer| answer.status == 200), "it runs");
    postgres.stop(Stop::Immediate)?;
    for answer in calls(&service.base, &key)? {
        ensure!(answer.status == 503, "while the database is away: {}", answer.status);
        ensure!(answer.has_retry_after, "503 without Retry-After");
        ensure!(answer.took < IN_TIME, "a call took {:?}", answer.took);
    }
    postgres.start_again()?;
    let back = Instant::now();
    loop {
        let status = call(&service.base, &key)?.status;
        if status == 200 {
            break;
        }
        ensure!(back.elapsed() < RECOVERY, "the service does not recover: {status}");
    }
    ensure!(
        calls(&service.base, &key)?.iter().all(|answer| answer.status == 200),
        "the service answers again"
    );
    Ok(())
}

struct Answer {
    status: u16,
    has_retry_after: bool,
    took: Duration,
}

/// Makes several calls at once.
fn calls(base: &str, key: &str) -> Result<Vec<Answer>> {
    std::thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS).map(|_| scope.spawn(|| call(base, key))).collect();
        let joined = callers.into_iter().map(ScopedJoinHandle::join);
        joined
            .map(|answer| answer.map_err(|_panic| anyhow::anyhow!("a caller panicked"))?)
            .collect()
    })
}

fn call(base: &str, key: &str) -> Result<Answer> {
    let began = Instant::now();
    let mut stream = TcpStream::connect(base.trim_start_matches("http://"))?;
    stream.set_read_timeout(Some(IN_TIME * 2))?;
    write!(
        stream,
        "GET /api/public/v1/fields HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Connection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).context("a call hangs")?;
    let mut headers = [httparse::EMPTY_HEADER; 40];
    let mut head = httparse::Response::new(&mut headers);
    head.parse(&bytes)?;
    Ok(Answer {
        status: head.code.context("no status")?,
        has_retry_after: head.headers.iter().any(|it| it.name.eq_ignore_ascii_case("retry-after")),
        took: began.elapsed(),
    })
}
