//! Several instances on one database, compared with one: their throughput together, with the same number of clients in
//! total.

use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::json;

use super::contacts::sample_of_ids;
use super::load::{self, Until, path, request};
use super::stage::Stage;
use super::table::Row;
use crate::database::ThrowawayPostgres;
use crate::report;

/// Options of the measurement of several instances.
#[derive(clap::Args)]
pub(crate) struct InstanceOptions {
    /// How many contacts the company has
    #[arg(long, default_value_t = 100_000)]
    contacts: u64,
    /// How many instances there are
    #[arg(long, default_value_t = 2)]
    instances: usize,
    /// How many clients call them
    #[arg(long, default_value_t = 64)]
    clients: usize,
    /// For how many seconds each kind of request is measured
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

/// How many contacts are created each time.
const CREATES: usize = 12_000;

/// Measures reads and creates of single contacts.
pub(crate) fn measure(postgres: &ThrowawayPostgres, options: &InstanceOptions) -> Result<Vec<Row>> {
    let stage = Stage::set(postgres, "large", options.contacts)?;
    let others = (1..options.instances).map(|_| stage.another_instance(&[]));
    let others = others.collect::<Result<Vec<_>>>()?;
    let one = [stage.service.base.as_str()];
    let all: Vec<&str> = one.into_iter().chain(others.iter().map(|it| it.base.as_str())).collect();
    let read = |id: &String| request("GET", &path(&format!("/contacts/{id}")), &stage.key, "");
    let reads: Vec<_> = sample_of_ids(postgres, &stage)?.iter().map(read).collect();
    let reading = |bases: &[&str], seconds: u64| {
        let until = Until::Elapsed(Duration::from_secs(seconds));
        together(bases, options.clients, until, |_instance| reads.clone())
    };
    let creating = |bases: &[&str], who: &str| {
        let calls = CREATES / bases.len();
        together(bases, options.clients, Until::Calls(calls), |instance| {
            (0..calls).map(|n| create(&stage.key, &format!("{who}.{instance}.{n}"))).collect()
        })
    };
    report::line("warming the instances up");
    reading(&all, 1)?;
    let row = |what: &str, measured, beside| Row {
        what: format!(
            "{what}, {} clients, {} instances beside one",
            options.clients, options.instances
        ),
        measured,
        beside,
        unit: "calls/s",
        mark: None,
    };
    report::line("reading one contact");
    let seconds = options.seconds;
    let reads = row("read one contact", reading(&all, seconds)?, reading(&one, seconds)?);
    report::line("creating single contacts");
    let creates = row("create one contact", creating(&all, "all")?, creating(&one, "one")?);
    Ok(vec![reads, creates])
}

/// The calls a second of all clients, each of which calls one of the instances.
fn together(
    bases: &[&str],
    clients: usize,
    until: Until,
    requests: impl Fn(usize) -> Vec<Vec<u8>>,
) -> Result<f64> {
    let each = clients / bases.len();
    let rates = thread::scope(|scope| {
        let requests = bases.iter().enumerate().map(|(place, base)| (*base, requests(place)));
        let begin = |(base, requests): (&str, Vec<Vec<u8>>)| {
            let base = base.to_owned();
            scope.spawn(move || load::drive(&base, each, until, requests))
        };
        let running: Vec<_> = requests.map(begin).collect();
        let ended = running.into_iter().map(|it| {
            it.join().map_err(|_panic| anyhow!("the clients of an instance panicked"))?
        });
        ended.map(|seen| Ok(seen?.per_second())).collect::<Result<Vec<f64>>>()
    })?;
    Ok(rates.into_iter().sum())
}

fn create(key: &str, who: &str) -> Vec<u8> {
    let body = json!({
        "email": format!("{who}@instances.example"),
        "first_name": "Bench",
        "last_name": format!("Row {who}"),
    });
    request("POST", &path("/contacts"), key, &body.to_string())
}
