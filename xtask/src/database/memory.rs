//! The file system in memory that Linux offers.

use std::path::PathBuf;

/// Where it is.
pub(super) const PLACE: &str = "/dev/shm";

/// How many bytes must be free, of the file system and of memory. The files of a server for tests take a tenth of it.
#[cfg(target_os = "linux")]
const ROOM: u64 = 4 << 30;

/// The file system in memory, when it has enough room. That of a container is often small.
#[cfg(target_os = "linux")]
pub(super) fn place_with_room() -> Option<PathBuf> {
    let system = rustix::fs::statvfs(PLACE).ok()?;
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    (free >= ROOM && available()? >= ROOM).then(|| PathBuf::from(PLACE))
}

#[cfg(not(target_os = "linux"))]
pub(super) const fn place_with_room() -> Option<PathBuf> {
    None
}

/// The bytes of memory that can be had without swapping.
#[cfg(target_os = "linux")]
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    kibibytes.checked_mul(1024)
}
