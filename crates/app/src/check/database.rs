//! What the database reports about itself.

use contact_hub_domain::ports::{Clock as _, StoreError};
use contact_hub_storage::{
    DatabaseUrl, IndexedValues, Inspection, MigrationState, Queues, Recount,
};

use super::Finding;
use crate::adapters::SystemClock;
use crate::commands::deletion_command;
use crate::file_owner;

/// By how many seconds clocks may differ.
const CLOCK_TOLERANCE: u64 = 2;

const REPORT: &str =
    "run the check again; if it finds the same, restore a backup, or report it with this output";

const REINDEX: &str = "run the check again; if it finds the same, make these fields not filterable and then filterable \
     again, which indexes all of their values, and report it with this output";

/// Connects to the database and inspects it. Without a schema, that is the only finding.
pub(super) fn look(
    url: &DatabaseUrl,
    mut progress: impl FnMut(String),
) -> (Option<MigrationState>, Vec<Finding>) {
    if let DatabaseUrl::Sqlite(path) = url
        && let Ok(false) = std::path::Path::new(path).try_exists()
    {
        let advice = "give its address with --database-url, or start the service, which creates it";
        return (None, vec![Finding::error("database", format!("{url} does not exist"), advice)]);
    }
    let opened = Inspection::open(url).and_then(|mut it| it.schema().map(|state| (it, state)));
    let (mut inspection, state) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let found = format!("{url} cannot be read: {}", cause(error));
            let owner = file_owner::advice(url);
            let advice =
                owner.unwrap_or_else(|| "start the database, or correct --database-url".into());
            return (None, vec![Finding::error("database", found, advice)]);
        }
    };
    let mut findings = vec![Finding::ok("database", format!("{url} answers")), schema(&state)];
    if state == MigrationState::Current {
        let inspection = &mut inspection;
        progress("the clock and the queues are checked".to_owned());
        findings.push(clock(inspection));
        findings.extend(queues(inspection));
        findings.push(deletions(inspection, url));
        progress("the integrity is checked".to_owned());
        findings.push(integrity(inspection));
        findings.push(counts(inspection, &mut progress));
        findings.push(indexed_values(inspection, &mut progress));
    }
    (Some(state), findings)
}

fn schema(state: &MigrationState) -> Finding {
    let (found, advice) = match state {
        MigrationState::Current => return Finding::ok("schema", "all migrations are applied"),
        MigrationState::Pending(pending) => {
            let found = format!("{pending} migrations are pending");
            return Finding::warning("schema", found, "run `contact-hub migrate`, and check again");
        }
        MigrationState::Empty => {
            ("there is no schema".to_owned(), "run `contact-hub migrate`, or restore a backup")
        }
        MigrationState::TooNew(version) => {
            (format!("migration {version} is newer than this program"), "run the newer program")
        }
    };
    Finding::error("schema", found, advice)
}

fn clock(inspection: &mut Inspection) -> Finding {
    let here = SystemClock.now();
    match inspection.clock() {
        Err(error) => unknown("clock", error),
        Ok(None) => Finding::ok("clock", "the database uses the clock of this machine"),
        Ok(Some(there)) => {
            let seconds = here.micros().abs_diff(there.micros()) / 1_000_000;
            let found = format!("it differs from the database's by {seconds} s");
            if seconds <= CLOCK_TOLERANCE {
                return Finding::ok("clock", found);
            }
            Finding::warning("clock", found, "synchronise both machines with a time server")
        }
    }
}

fn queues(inspection: &mut Inspection) -> Vec<Finding> {
    let now = match inspection.clock() {
        Ok(now) => now.unwrap_or_else(|| SystemClock.now()),
        Err(error) => return vec![unknown("queues", error)],
    };
    let Queues { stuck_leases, late_deliveries, unsent_alerts } = match inspection.queues(now) {
        Ok(queues) => queues,
        Err(error) => return vec![unknown("queues", error)],
    };
    let mut findings = Vec::new();
    let mut look = |check, number: u64, what: &str, advice: &str| {
        let found = format!("{number} {what}");
        findings.push(if number == 0 {
            Finding::ok(check, found)
        } else {
            Finding::warning(check, found, advice)
        });
    };
    let serve = "start an instance of the service, or look at the log of those that run";
    look("leases", stuck_leases, "leases of deliveries ended minutes ago", serve);
    look("deliveries", late_deliveries, "deliveries were due 15 minutes ago or before", serve);
    let mail = "look for the reason in the log, and check --smtp-url";
    look("emails", unsent_alerts, "alerts wait for an email for two hours or longer", mail);
    findings
}

fn deletions(inspection: &mut Inspection, url: &DatabaseUrl) -> Finding {
    match inspection.unfinished_deletions() {
        Err(error) => unknown("deletions", error),
        Ok(companies) if companies.is_empty() => {
            Finding::ok("deletions", "no company is partly deleted")
        }
        Ok(companies) => {
            let names: Vec<String> = companies.iter().map(ToString::to_string).collect();
            let found = format!("companies are partly deleted: {}", names.join(", "));
            let continued = |company| deletion_command(company, url);
            let commands: Vec<String> = companies.into_iter().map(continued).collect();
            let advice = format!("unless the command is still running: {}", commands.join("; "));
            Finding::warning("deletions", found, advice)
        }
    }
}

fn integrity(inspection: &mut Inspection) -> Finding {
    match inspection.damage() {
        Err(error) => unknown("integrity", error),
        Ok(damage) if damage.is_empty() => Finding::ok("integrity", "no damage is found"),
        Ok(damage) => {
            let advice = "an index of PostgreSQL: REINDEX INDEX CONCURRENTLY; else stop the service and restore a backup";
            Finding::error("integrity", damage.join("; "), advice)
        }
    }
}

fn counts(inspection: &mut Inspection, progress: &mut impl FnMut(String)) -> Finding {
    let mut show =
        |so_far: &Recount| progress(format!("{} contacts are recounted", so_far.contacts));
    match inspection.recount(&mut show) {
        Err(error) => unknown("counts", error),
        Ok(Recount { companies, contacts, different: 0, .. }) => {
            let found = format!("all counts agree; companies: {companies}, contacts: {contacts}");
            Finding::ok("counts", found)
        }
        Ok(Recount { different, differences, .. }) => {
            let found = format!("{different} counts are wrong: {}", differences.join("; "));
            Finding::error("counts", found, REPORT)
        }
    }
}

fn indexed_values(inspection: &mut Inspection, progress: &mut impl FnMut(String)) -> Finding {
    let mut show = |so_far: &IndexedValues| {
        progress(format!("{} indexed values are compared", so_far.values));
    };
    match inspection.compare_indexed_values(&mut show) {
        Err(error) => unknown("values", error),
        Ok(IndexedValues { fields, values, different: 0, .. }) => {
            let found = format!(
                "all indexed values are right; filterable fields: {fields}, values: {values}"
            );
            Finding::ok("values", found)
        }
        Ok(IndexedValues { different, differences, .. }) => {
            let found =
                format!("{different} fields have wrong indexed values: {}", differences.join("; "));
            Finding::error("values", found, REINDEX)
        }
    }
}

fn unknown(check: &'static str, error: StoreError) -> Finding {
    let found = format!("it cannot be checked: {}", cause(error));
    Finding::error(check, found, "look at the database, and check again")
}

pub(super) fn cause(error: StoreError) -> String {
    format!("{:#}", anyhow::Error::from(error))
}
