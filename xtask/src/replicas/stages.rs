//! What happens to the replica.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::Method;
use serde_json::json;

use super::Drill;
use super::client::{NOTICED_WITHIN, PAUSE};
use crate::database::Stop;
use crate::{process, report};

/// How long clients write and read in a stage that nothing ends.
const STAGE: Duration = Duration::from_secs(3);

/// How many lists show that the replica is used.
const LISTS: usize = 20;

/// How many contacts are exported.
const EXPORTED: usize = 1000;

/// How often the sessions of the replica are ended, and the pause in between.
const ENDED: u32 = 20;
const BETWEEN_ENDS: Duration = Duration::from_millis(100);

/// Ends the statements and then the sessions of the instances, as a conflict with what is replayed does.
const END_SESSIONS: &str = "SELECT pg_cancel_backend(pid), pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

impl Drill<'_> {
    /// One after the other; the replica is promoted last.
    pub(super) fn all_stages(&self) -> Result<()> {
        self.expect_used("at the start")?;
        self.under_load("replica healthy", || {
            self.wait(STAGE);
            Ok(())
        })?;
        self.expect_used("after load")?;
        self.export()?;
        self.paused()?;
        self.under_load("sessions ended", || self.end_sessions())?;
        self.expect_used("after its sessions were ended")?;
        self.under_load("replica silent", || self.fall_silent())?;
        self.expect_used("after it was silent")?;
        self.under_load("replica killed", || self.kill())?;
        self.expect_used("after it was killed")?;
        self.under_load("replica promoted", || self.promote())
    }

    fn wait(&self, time: Duration) {
        self.runtime.block_on(async { tokio::time::sleep(time).await });
    }

    fn until_used(&self, is_used: bool) -> Result<()> {
        self.runtime.block_on(self.client.until_used(is_used))
    }

    /// Fails unless the replica answers a list within the time limit. Right after load it is behind for a moment.
    fn expect_used(&self, when: &str) -> Result<()> {
        self.until_used(true)?;
        self.runtime.block_on(async {
            let before = self.client.replica_reads().await?;
            let (began, mut lists) = (Instant::now(), 0);
            loop {
                for instance in 0..LISTS {
                    let _ = self.client.call(instance, Method::GET, "/contacts", None).await?;
                }
                lists += LISTS;
                let reads = self.client.replica_reads().await? - before;
                if reads > 0 {
                    report::line(&format!(
                        "{when}: {reads} of {lists} lists were read on the replica"
                    ));
                    return Ok(());
                }
                ensure!(
                    began.elapsed() < NOTICED_WITHIN,
                    "none of {lists} lists was read on the replica {when}"
                );
                tokio::time::sleep(PAUSE).await;
            }
        })
    }

    /// An export is read on the replica, and has every contact.
    fn export(&self) -> Result<()> {
        let people = (0..EXPORTED).map(|number| {
            json!({"email": format!("e{number}@example.com"), "first_name": "Ada", "last_name": "Old"})
        });
        let people = json!({"contacts": people.collect::<Vec<_>>()});
        self.runtime.block_on(async {
            let _ = self.client.call(0, Method::POST, "/contacts/bulk", Some(&people)).await?;
            let before = self.client.replica_reads().await?;
            let path = "/api/public/v1/contacts/export";
            let lines = self.client.text(1, Method::GET, path, None).await?.lines().count();
            ensure!(lines == EXPORTED, "{lines} contacts were exported");
            let reads = self.client.replica_reads().await? - before;
            ensure!(reads > 0, "no part of the export was read on the replica");
            Ok(())
        })
    }

    /// The replica is behind, and left out once it is too far behind.
    fn paused(&self) -> Result<()> {
        self.under_load("replay paused", || {
            self.standby.sql("postgres", "SELECT pg_wal_replay_pause()")?;
            self.until_used(false)
        })?;
        self.standby.sql("postgres", "SELECT pg_wal_replay_resume()")?;
        self.expect_used("after replay was resumed")
    }

    fn end_sessions(&self) -> Result<()> {
        for _ in 0..ENDED {
            self.standby.sql("postgres", END_SESSIONS)?;
            self.wait(BETWEEN_ENDS);
        }
        Ok(())
    }

    /// The processes of the replica are stopped, so that its connections stay open and nothing is answered.
    fn fall_silent(&self) -> Result<()> {
        let processes = self.standby.processes()?;
        process::signal(&processes, "STOP");
        let noticed = self.until_used(false);
        self.wait(STAGE);
        process::signal(&processes, "CONT");
        noticed
    }

    fn kill(&self) -> Result<()> {
        self.standby.stop(Stop::Immediate)?;
        self.until_used(false)?;
        self.standby.start_again()
    }

    /// A promoted replica continues to answer, with the data that it had.
    fn promote(&self) -> Result<()> {
        self.standby.sql("postgres", "SELECT pg_promote()")?;
        self.until_used(false)?;
        self.wait(STAGE);
        self.until_used(false)
    }
}
