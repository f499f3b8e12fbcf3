//! The system under test: instances of the service on one database.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use tokio::runtime::Handle;

use super::disk::Disk;
use super::proxy::Proxy;
use crate::database::{Durability, ThrowawayPostgres};
use crate::instance::Instance;
use crate::service::write_key_file;
use crate::{cargo, process, report};

/// Failures are retried soon, and for longer than any fault lasts.
const RETRIES: usize = 90;

/// The directory of the database's files, below the directory of a run.
const DISK: &str = "disk";

/// The database under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// One process on one file.
    Sqlite,
    /// Several instances on one server.
    Postgres,
}

impl Kind {
    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The server and, for each instance, the proxy in front of it.
pub(super) struct Server {
    /// The server.
    pub(super) postgres: ThrowawayPostgres,
    /// One for each instance.
    pub(super) proxies: Vec<Proxy>,
}

/// The running instances and their database.
pub(super) struct Rig {
    /// The instances.
    pub(super) instances: Vec<Instance>,
    /// The server; none with SQLite.
    pub(super) server: Option<Server>,
    /// The addresses of the instances.
    pub(super) bases: Arc<RwLock<Vec<String>>>,
    /// The key that the first start printed.
    pub(super) key: String,
    /// The disk of the database's files, if there is one.
    pub(super) disk: Option<Disk>,
    /// Whether it can be filled, or the size of files limited instead.
    pub(super) can_fill_disk: bool,
    directory: TempDir,
    programs: PathBuf,
}

impl Rig {
    /// Starts a database and this many instances of `target/<profile>/contact-hub`.
    pub(super) fn start(kind: Kind, profile: &str, count: usize, runtime: &Handle) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("contact-hub-torture-").tempdir()?;
        let disk = own_disk(directory.path())?;
        let can_fill_disk = disk.is_some() || can_limit_files();
        write_key_file(directory.path())?;
        let server = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => {
                let postgres = ThrowawayPostgres::start(Durability::Durable)?;
                if disk.is_some() {
                    postgres.move_to(&directory.path().join(DISK))?;
                }
                let proxies = (0..count).map(|_| runtime.block_on(Proxy::start(postgres.port())));
                let proxies = proxies.collect::<Result<_>>()?;
                Some(Server { postgres, proxies })
            }
        };
        let programs = cargo::workspace_root().join("target").join(profile);
        let bases = Arc::default();
        let mut rig = Self {
            instances: Vec::new(),
            server,
            bases,
            key: String::new(),
            disk,
            can_fill_disk,
            directory,
            programs,
        };
        for place in 0..count {
            let instance = rig.launch(place, "contact-hub", &rig.flags(place))?;
            if place == 0 {
                rig.key = instance.line_after("API key")?;
            }
            rig.instances.push(instance);
        }
        rig.announce();
        Ok(rig)
    }

    /// The directory of logs, keys and SQLite's file.
    pub(super) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A program of the build under test.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// Keeps the files and the server for inspection.
    pub(super) fn keep(&mut self) {
        self.directory.disable_cleanup(true);
        if let Some(disk) = &self.disk {
            disk.save(&self.directory().join("saved"));
        }
        if let Some(server) = &mut self.server {
            server.postgres.keep();
        }
    }

    /// Restarts an instance that has ended.
    pub(super) fn restart(&mut self, place: usize) -> Result<()> {
        let instance = self.launch(place, "contact-hub", &self.flags(place))?;
        self.replace(place, instance)
    }

    /// Restarts an instance with a clock that is ahead by this many seconds.
    pub(super) fn restart_shifted(&mut self, place: usize, seconds: i64) -> Result<()> {
        let mut flags = self.flags(place);
        // The first argument is the command's name; the other program has no commands.
        flags.remove(0);
        flags.extend(["--seconds".to_owned(), seconds.to_string()]);
        let instance = self.launch(place, "shifted", &flags)?;
        self.replace(place, instance)
    }

    fn replace(&mut self, place: usize, instance: Instance) -> Result<()> {
        *self.instances.get_mut(place).context("no such instance")? = instance;
        self.announce();
        Ok(())
    }

    fn launch(&self, place: usize, program: &str, flags: &[String]) -> Result<Instance> {
        let log = self.directory().join(format!("instance-{place}.log"));
        Instance::start(&self.program(program), flags, &log)
    }

    fn announce(&self) {
        let bases = self.instances.iter().map(|instance| instance.base.clone()).collect();
        *self.bases.write().unwrap_or_else(PoisonError::into_inner) = bases;
    }

    fn flags(&self, place: usize) -> Vec<String> {
        let proxy = self.server.as_ref().and_then(|server| server.proxies.get(place));
        let database = match proxy {
            Some(proxy) => format!("postgres://postgres@127.0.0.1:{}/postgres", proxy.port()),
            None => format!("sqlite://{}", self.directory().join(DISK).join("hub.db").display()),
        };
        let retries = vec!["1s"; RETRIES].join(",");
        let key = self.directory().join("hub.key").display().to_string();
        let flags = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--database-url",
            &database,
            "--log",
            "warn",
            "--rate-limit-standard",
            "0",
            "--rate-limit-bulk",
            "0",
            "--secret-key-file",
            &key,
            "--webhook-allow-http",
            "--webhook-allow-network",
            "127.0.0.0/8",
            "--webhook-retry-schedule",
            &retries,
        ];
        flags.map(str::to_owned).to_vec()
    }
}

/// Mounts a disk for the database's files if that is permitted.
fn own_disk(directory: &Path) -> Result<Option<Disk>> {
    // The server runs under a separate account.
    std::fs::set_permissions(directory, Permissions::from_mode(0o711))?;
    let place = directory.join(DISK);
    std::fs::create_dir(&place)?;
    let disk = Disk::mount(&place);
    if disk.is_none() {
        report::line(
            "no file system may be mounted, so a full disk is a limit on the size of files",
        );
    }
    Ok(disk)
}

fn can_limit_files() -> bool {
    let can = process::succeeds(Command::new("prlimit").arg("--version"));
    if !can {
        report::line("prlimit is not available either, so the fault of a full disk is left out");
    }
    can
}
