//! Crashes at random times: everything accepted is delivered, and only deliveries in progress may be sent twice.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contact_hub_tests::{Receiver, Reply, TestDatabase};
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::desk::{Desk, Line};
use super::outcomes::assert_counted_once;
use crate::support::{is_long, until};

const CLIENTS: usize = 4;

/// The same for every run.
const SEED: u64 = 20_261_121;

/// `SplitMix64`: the number at a position of a series.
fn randomness(place: usize) -> u64 {
    let place = u64::try_from(place).expect("few");
    let mut z = (place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(SEED);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A third of the requests fail, and some end without an answer.
fn flaky(place: usize) -> Reply {
    let number = randomness(place);
    match number % 12 {
        0..=2 => Reply::from(500),
        3 => Reply { is_cut: true, ..Reply::from(503) },
        _ => Reply { after: Duration::from_millis(number >> 32 & 15), ..Reply::from(202) },
    }
}

fn takes(place: usize) -> bool {
    matches!(flaky(place), Reply { status: 202, is_cut: false, .. })
}

/// Assets that wait for their request, and the syncs that were accepted.
struct Requests {
    assets: Mutex<VecDeque<String>>,
    accepted: Mutex<BTreeSet<String>>,
}

impl Requests {
    /// Requests of the syncs of new assets.
    async fn new(desk: &Desk, count: usize) -> Self {
        let mut assets = VecDeque::new();
        for _ in 0..count {
            assets.push_back(desk.asset().await);
        }
        Self { assets: Mutex::new(assets), accepted: Mutex::default() }
    }

    fn accepted(&self) -> BTreeSet<String> {
        self.accepted.lock().expect("syncs").clone()
    }

    /// Clients that request one sync after the other, until the service no longer answers.
    fn send(self: &Arc<Self>, line: &Line, platform: &str) -> JoinSet<()> {
        let clients = (0..CLIENTS).map(|_| {
            let (requests, line, platform) = (Arc::clone(self), line.clone(), platform.to_owned());
            async move {
                while let Some(asset) = requests.next() {
                    let Some(sync) = line.request_sync(&asset, &platform).await else { break };
                    requests.accepted.lock().expect("syncs").insert(sync);
                }
            }
        });
        clients.collect()
    }

    fn next(&self) -> Option<String> {
        self.assets.lock().expect("assets").pop_front()
    }
}

#[derive(QueryableByName)]
struct Event {
    #[diesel(sql_type = Text)]
    id: String,
}

/// The events that were being sent when the service crashed, as ids without dashes.
fn on_their_way(database: &TestDatabase) -> BTreeSet<String> {
    events(database, "JOIN delivery_leases ON delivery_id = deliveries.id")
}

/// The events that are not delivered yet, read at one time. A delivery whose state changes between two calls of the
/// interface might be in neither.
fn open(database: &TestDatabase) -> BTreeSet<String> {
    events(database, "WHERE due_at IS NOT NULL")
}

fn events(database: &TestDatabase, which: &str) -> BTreeSet<String> {
    let url = database.url_text();
    let rows: Vec<Event> = if database.is_postgres() {
        let text = format!("SELECT event_id::text AS id FROM deliveries {which}");
        let mut connection = PgConnection::establish(url).expect("PostgreSQL");
        diesel::sql_query(text).load(&mut connection).expect("events")
    } else {
        let text = format!("SELECT hex(event_id) AS id FROM deliveries {which}");
        let path = url.trim_start_matches("sqlite://");
        let mut connection = SqliteConnection::establish(path).expect("SQLite");
        diesel::sql_query(text).load(&mut connection).expect("events")
    };
    rows.into_iter().map(|event| plain(&event.id)).collect()
}

fn plain(id: &str) -> String {
    id.replace('-', "").to_lowercase()
}

/// How often each event was accepted by the receiver, and the syncs with an event.
fn taken(receiver: &Receiver) -> (BTreeMap<String, u32>, BTreeSet<String>) {
    let (mut events, mut syncs) = (BTreeMap::new(), BTreeSet::new());
    for (place, request) in receiver.requests().iter().enumerate() {
        if takes(place) {
            *events.entry(plain(request.header("webhook-id"))).or_default() += 1;
            let payload: Value = serde_json::from_str(&request.body).expect("JSON");
            syncs.insert(payload["sync_id"].as_str().expect("an id").to_owned());
        }
    }
    (events, syncs)
}

/// Crashes and restarts the service; returns the events that were being sent.
async fn crash(
    desk: &mut Desk,
    requests: &Arc<Requests>,
    after: usize,
    n: usize,
) -> BTreeSet<String> {
    let (line, platform) = desk.line();
    let mut clients = requests.send(&line, &platform);
    until(Duration::from_mins(1), async || {
        sleep(Duration::from_millis(1)).await;
        requests.accepted().len() >= after
    })
    .await;
    sleep(Duration::from_micros(randomness(n) % 40_000)).await;
    desk.crash();
    while let Some(client) = clients.join_next().await {
        client.expect("a client ends well");
    }
    let on_their_way = on_their_way(&desk.database);
    // In the long form some leases, including the last ones, expire by themselves.
    if !is_long() || !n.is_multiple_of(4) {
        desk.end_leases();
    }
    desk.restart();
    on_their_way
}

/// Waits until no delivery is open.
async fn all_closed(desk: &Desk) {
    until(Duration::from_secs(90), async || {
        sleep(Duration::from_millis(100)).await;
        open(&desk.database).is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_events_arrive_however_often_the_service_crashes() {
    let (count, crashes) = if is_long() { (1000, 20) } else { (100, 3) };
    let receiver = Receiver::scripted(flaky).await;
    let schedule = vec!["100ms"; 40].join(",");
    let mut desk = Desk::new(&receiver, &schedule).await;
    // With each crash, every client may lose one answer.
    let requests = Arc::new(Requests::new(&desk, count + crashes * CLIENTS).await);
    let mut interrupted = BTreeSet::new();
    for n in 1..=crashes {
        let share = count * n / (crashes + 1);
        interrupted.extend(crash(&mut desk, &requests, share, n).await);
    }
    let (line, platform) = desk.line();
    requests.send(&line, &platform).join_all().await;
    let accepted = requests.accepted();
    assert!(accepted.len() >= count, "{} of {count}", accepted.len());
    all_closed(&desk).await;
    let (events, syncs) = taken(&receiver);
    let lost: Vec<&String> = accepted.difference(&syncs).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let twice: BTreeSet<&String> =
        events.iter().filter(|(_, n)| **n > 1).map(|(id, _)| id).collect();
    let shown = format!(
        "{} accepted, {} taken, {} requests, {crashes} crashes, {} on their way at one, {} taken twice",
        accepted.len(),
        events.len(),
        receiver.count(),
        interrupted.len(),
        twice.len()
    );
    assert!(twice.iter().all(|id| interrupted.contains(*id)), "{shown}");
    // A delivery whose state changed between two calls may have been in neither.
    let all = u64::try_from(events.len()).expect("few");
    until(Duration::from_secs(20), async || desk.count("succeeded").await == all).await;
    assert_counted_once(&desk.database);
    eprintln!("{shown}");
    desk.service.stop();
}
