//! The faults: their beginning, duration and end.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::proxy::Proxy;
use super::receiver::{HOSTILE, Manner, Receiver};
use super::rig::{Kind, Rig, Server};
use crate::database::Stop;
use crate::instance::Instance;
use crate::process;

/// The limit for an orderly shutdown.
const STOP_WITHIN: Duration = Duration::from_secs(35);

/// The error of a wrong clock, in seconds.
const SHIFT: i64 = 300;

/// The maximum size of files while the disk is full, in bytes.
const FULL_AT: &str = "65536";

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// An instance is killed.
    InstanceKilled,
    /// All instances are killed.
    AllKilled,
    /// An instance is shut down.
    InstanceStopped,
    /// An instance is paused.
    InstancePaused,
    /// An instance starts with a clock that is ahead.
    ClockAhead,
    /// An instance starts with a clock that is behind.
    ClockBehind,
    /// The receiver misbehaves.
    ReceiverHostile,
    /// The disk is full.
    DiskFull,
    /// The server is killed.
    ServerKilled,
    /// The server is shut down.
    ServerStopped,
    /// The server is paused.
    ServerPaused,
    /// The network between the instances and the server is silent.
    Silence,
    /// The network between one instance and the server is silent.
    SilenceOfOne,
    /// Every connection to the server is closed.
    ConnectionsCut,
    /// Every connection to the server is silent permanently; new ones work.
    ConnectionsForgotten,
}

impl Fault {
    /// The faults of a database.
    pub(super) fn all(kind: Kind) -> Vec<Self> {
        use Fault as F;
        let mut all = vec![
            F::InstanceKilled,
            F::InstanceStopped,
            F::InstancePaused,
            F::ClockAhead,
            F::ClockBehind,
            F::ReceiverHostile,
            F::DiskFull,
        ];
        if kind == Kind::Postgres {
            all.extend([
                F::AllKilled,
                F::ServerKilled,
                F::ServerStopped,
                F::ServerPaused,
                F::Silence,
                F::SilenceOfOne,
                F::ConnectionsCut,
                F::ConnectionsForgotten,
            ]);
        }
        all
    }

    /// Applies it to the instance with this index, or to all of them.
    pub(super) fn begin(self, rig: &mut Rig, receiver: &Receiver, place: usize) -> Result<()> {
        match self {
            Self::InstanceKilled => kill(rig, place),
            Self::AllKilled => rig.instances.iter_mut().for_each(Instance::kill),
            Self::InstanceStopped => at(rig, place)?.terminate(STOP_WITHIN)?,
            Self::InstancePaused => at(rig, place)?.signal("STOP"),
            Self::ClockAhead | Self::ClockBehind => {
                kill(rig, place);
                let seconds = if self == Self::ClockAhead { SHIFT } else { -SHIFT };
                rig.restart_shifted(place, seconds)?;
            }
            Self::ReceiverHostile => {
                receiver
                    .behave(HOSTILE.get(place % HOSTILE.len()).copied().unwrap_or(Manner::Failing));
            }
            Self::DiskFull => match &mut rig.disk {
                Some(disk) => disk.fill()?,
                None => limit_files(&writers(rig)?, FULL_AT),
            },
            Self::ServerKilled => server(rig)?.postgres.stop(Stop::Immediate)?,
            Self::ServerStopped => server(rig)?.postgres.stop(Stop::Fast)?,
            Self::ServerPaused => process::signal(&server(rig)?.postgres.processes()?, "STOP"),
            Self::Silence => server(rig)?.proxies.iter().for_each(|it| it.set_silent(true)),
            Self::SilenceOfOne => {
                server(rig)?.proxies.get(place).context("no proxy")?.set_silent(true);
            }
            Self::ConnectionsCut => server(rig)?.proxies.iter().for_each(Proxy::cut),
            Self::ConnectionsForgotten => {
                server(rig)?.proxies.iter().for_each(Proxy::forget);
            }
        }
        Ok(())
    }

    /// Ends it; returns the moment from which the service has to recover.
    pub(super) fn end(self, rig: &mut Rig, receiver: &Receiver, place: usize) -> Result<Instant> {
        let begun = Instant::now();
        match self {
            Self::InstanceKilled | Self::InstanceStopped => rig.restart(place)?,
            Self::ClockAhead | Self::ClockBehind => {
                kill(rig, place);
                rig.restart(place)?;
            }
            Self::AllKilled => {
                for place in 0..rig.instances.len() {
                    rig.restart(place)?;
                }
            }
            Self::InstancePaused => at(rig, place)?.signal("CONT"),
            Self::ReceiverHostile => receiver.behave(Manner::Healthy),
            Self::DiskFull => return end_of_full_disk(rig),
            Self::ServerKilled | Self::ServerStopped => {
                server(rig)?.postgres.start_again()?;
                // The service can recover once the server answers.
                return Ok(Instant::now());
            }
            Self::ServerPaused => process::signal(&server(rig)?.postgres.processes()?, "CONT"),
            Self::Silence | Self::SilenceOfOne => {
                server(rig)?.proxies.iter().for_each(|it| it.set_silent(false));
            }
            Self::ConnectionsCut | Self::ConnectionsForgotten => {}
        }
        Ok(begun)
    }
}

fn at(rig: &mut Rig, place: usize) -> Result<&mut Instance> {
    rig.instances.get_mut(place).context("no such instance")
}

fn kill(rig: &mut Rig, place: usize) {
    if let Some(instance) = rig.instances.get_mut(place) {
        instance.kill();
    }
}

fn server(rig: &Rig) -> Result<&Server> {
    rig.server.as_ref().context("there is no server")
}

/// The processes that write files.
fn writers(rig: &Rig) -> Result<Vec<String>> {
    match &rig.server {
        Some(server) => server.postgres.processes(),
        None => Ok(rig.instances.iter().map(Instance::id).collect()),
    }
}

/// Limits the size of the files of processes, in bytes.
fn limit_files(ids: &[String], bytes: &str) {
    for id in ids {
        let limit = format!("--fsize={bytes}:");
        // A process may have ended.
        process::succeeds(Command::new("prlimit").args(["--pid", id, &limit]));
    }
}

/// A server that could not write its log has ended, and is started again.
fn end_of_full_disk(rig: &mut Rig) -> Result<Instant> {
    if let Some(server) = &rig.server {
        // Its log needs a new file, for which there is no space.
        server.postgres.sql("template1", "SELECT pg_switch_wal()").ok();
    }
    match &mut rig.disk {
        Some(disk) => disk.free()?,
        None => limit_files(&writers(rig).unwrap_or_default(), "unlimited"),
    }
    if let Some(server) = &rig.server
        && !server.postgres.answers()
    {
        server.postgres.stop(Stop::Immediate)?;
        server.postgres.start_again()?;
    }
    Ok(Instant::now())
}
