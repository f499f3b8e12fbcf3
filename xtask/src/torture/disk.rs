//! A small separate disk for the database, which can be filled.
//!
//! It is a file system in memory, so that the kernel rejects writes to it as on any full disk. A task may not always
//! mount one; then the faults limit the size of files instead.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::{namespace, process};

/// The size of the disk, except while it is full: more than a run of hours writes. Only used space takes memory.
const SIZE: u64 = 8 << 30;

/// How much space is free before the disk is filled. It is less than the size of the disk, because all of it takes
/// memory.
const LEFT_TO_FILL: u64 = 16 << 20;

/// The size of one write.
const CHUNK: [u8; 4096] = [0; 4096];

/// The interval at which freed space is filled again.
const REFILL_EVERY: Duration = Duration::from_millis(5);

/// A mounted file system.
pub(super) struct Disk {
    place: PathBuf,
    filler: Option<Filler>,
}

/// Fills free space until it is stopped.
struct Filler {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Disk {
    /// Mounts one on this directory; `None` if that is not permitted.
    pub(super) fn mount(place: &Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        let size = format!("size={SIZE}");
        mount.args(["-t", "tmpfs", "-o", &size, "contact-hub-torture"]).arg(place);
        let is_mounted = namespace::is_entered() && process::succeeds(&mut mount);
        is_mounted.then(|| Self { place: place.to_path_buf(), filler: None })
    }

    /// Fills it, and keeps it full.
    pub(super) fn fill(&mut self) -> Result<()> {
        self.resize(self.used()?.saturating_add(LEFT_TO_FILL))?;
        let mut file = File::create(self.filling())?;
        take_all(&mut file).context("the disk is not filled")?;
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(REFILL_EVERY) == Err(RecvTimeoutError::Timeout)
                && take_all(&mut file).is_ok()
            {}
        });
        self.filler = Some(Filler { stop, thread });
        Ok(())
    }

    /// Frees the space.
    pub(super) fn free(&mut self) -> Result<()> {
        if let Some(filler) = self.filler.take() {
            drop(filler.stop);
            filler.thread.join().ok();
        }
        std::fs::remove_file(self.filling()).context("the disk is not freed")?;
        self.resize(SIZE)
    }

    fn resize(&self, size: u64) -> Result<()> {
        let mut remount = Command::new("mount");
        process::capture(remount.args(["-o", &format!("remount,size={size}")]).arg(&self.place))
            .map(drop)
    }

    /// How many bytes of it are used.
    fn used(&self) -> Result<u64> {
        let mut df = Command::new("df");
        let table =
            process::capture(df.args(["--block-size=1", "--output=used"]).arg(&self.place))?;
        let used = table.lines().nth(1).context("df prints no figure")?;
        Ok(used.trim().parse()?)
    }

    /// Copies its files to another place, where they outlive the task.
    pub(super) fn save(&self, to: &Path) {
        process::succeeds(Command::new("cp").arg("-a").arg(self.place.join(".")).arg(to));
    }

    fn filling(&self) -> PathBuf {
        self.place.join("filling")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.free().ok();
        process::succeeds(Command::new("umount").arg("--lazy").arg(&self.place));
    }
}

/// Writes until the disk is full.
fn take_all(file: &mut File) -> std::io::Result<()> {
    loop {
        match file.write_all(&CHUNK) {
            Err(error) if error.kind() == ErrorKind::StorageFull => return Ok(()),
            outcome => outcome?,
        }
    }
}
