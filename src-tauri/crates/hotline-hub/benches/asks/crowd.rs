//! Many asks that wait: what each takes in memory, what listing them costs, and that every one gets its own answer.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::Effort;
use crate::peer::{Chunk, Peer};
use crate::report::{Bar, Pairs, Report, percentile};
use crate::server::{Server, most_connections};

/// On how many connections the shared ones wait.
const CONNECTIONS: usize = 500;
/// Asks of the surface that is listed among others.
const LISTED: usize = 10;
/// How many answers are sent before their replies are read.
const BATCH: usize = 200;
/// How long until what was sent must have arrived.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn measure(effort: &Effort, report: &mut Report) -> Result<()> {
    own_connections(effort, report)?;
    shared_connections(effort, report)
}

/// The ask of that number.
fn ask(number: usize, surface: &str) -> Vec<u8> {
    let body = "All checks are green. The change log names four fixes and no new feature.";
    let ask = format!(
        r#"{{"id":{number},"method":"agent.ask_user","params":{{"surface_id":"{surface}","agent_id":"builder","kind":"text","title":"Question {number}?","body":"{body}"}}}}"#
    );
    (ask + "\n").into()
}

fn list(surface: Option<&str>) -> Vec<u8> {
    let params = surface.map_or(String::new(), |surface| format!(r#""surface_id":"{surface}""#));
    let list = format!(r#"{{"id":0,"method":"agent.ask_pending","params":{{{params}}}}}"#);
    (list + "\n").into()
}

/// Waits until the last ask that was sent is listed: those before it are as well, or the count of all says so.
fn wait_until_listed(peer: &mut Peer, surface: &str, chunk: &mut Chunk) -> Result<()> {
    let began = Instant::now();
    while peer.round_trip(&list(Some(surface)), chunk)?.ends_with(b"[]}}\n") {
        ensure!(began.elapsed() < PATIENCE, "the asks did not arrive");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Long enough for what a tick leaves to the next one.
    std::thread::sleep(Duration::from_millis(200));
    Ok(())
}

fn listed(reply: &[u8]) -> Result<Vec<Value>> {
    let mut reply: Value = serde_json::from_slice(reply)?;
    match reply["result"]["pending"].take() {
        Value::Array(asks) => Ok(asks),
        _ => anyhow::bail!("this is no list of asks"),
    }
}

/// How much a server grows per item.
fn growth(server: &Server, before: u64, items: usize) -> Result<f64> {
    Ok((server.memory()?.0 as f64 - before as f64) / items as f64)
}

fn own_connections(effort: &Effort, report: &mut Report) -> Result<()> {
    let count = effort.own.min(most_connections());
    let mut chunk = Chunk::new();

    let floor = Server::floor()?;
    let mut observer_of_floor = floor.connect()?;
    observer_of_floor.round_trip(&ask(0, "agent:0"), &mut chunk)?;
    let before = floor.memory()?.0;
    let mut peers = Vec::with_capacity(count);
    for number in 0..count {
        let mut peer = floor.connect()?;
        peer.round_trip(&ask(number, &format!("agent:{number}")), &mut chunk)?;
        peers.push(peer);
    }
    let at_floor = growth(&floor, before, count)?;
    drop(peers);

    let hub = Server::hub()?;
    let mut observer = hub.connect()?;
    observer.round_trip(&list(None), &mut chunk)?;
    let before = hub.memory()?.0;
    let mut peers = Vec::with_capacity(count);
    for number in 0..count {
        let mut peer = hub.connect()?;
        peer.send(&ask(number, &format!("agent:{number}")))?;
        peers.push(peer);
    }
    wait_until_listed(&mut observer, &format!("agent:{}", count - 1), &mut chunk)?;
    let at_hub = growth(&hub, before, count)?;
    report.ratio("10,000 pending on own connections, each", "B", at_hub, at_floor, Bar::NONE.aims_at(1.6));

    let whole = observer.round_trip(&list(None), &mut chunk)?.to_vec();
    ensure!(listed(&whole)?.len() == count, "the list is not complete");
    let request = list(None);
    let pairs = Pairs::measure(effort.pairs.min(15), |is_hub| {
        let peer = if is_hub { &mut observer } else { &mut observer_of_floor };
        let line = if is_hub { &request } else { &whole };
        let began = Instant::now();
        let reply = peer.round_trip(line, &mut chunk)?;
        let took = began.elapsed();
        ensure!(reply == whole, "the list is another");
        Ok(took)
    })?;
    let millis = |took: &Duration| took.as_secs_f64() * 1e3;
    report.pairs("list of 10,000 pending, beside its echo", "ms", &pairs, millis, Bar::NONE.aims_at(2.5));
    Ok(())
}

fn shared_connections(effort: &Effort, report: &mut Report) -> Result<()> {
    let mut chunk = Chunk::new();
    let hub = Server::hub()?;
    let mut observer = hub.connect()?;
    observer.round_trip(&list(None), &mut chunk)?;
    let before = hub.memory()?.0;
    let mut peers = (0..CONNECTIONS).map(|_| hub.connect()).collect::<Result<Vec<Peer>>>()?;
    let per_peer = effort.shared / CONNECTIONS;
    // One surface's asks lie far apart among all others.
    let surface_of = |number: usize| match number.is_multiple_of(effort.shared / LISTED) {
        true => "listed".to_owned(),
        false => format!("agent:{}", number % 1000),
    };
    for (at, peer) in peers.iter_mut().enumerate() {
        let numbers = at * per_peer..(at + 1) * per_peer;
        let lines: Vec<u8> = numbers.flat_map(|number| ask(number, &surface_of(number))).collect();
        peer.send(&lines)?;
    }
    wait_until_listed(&mut observer, &surface_of(effort.shared - 1), &mut chunk)?;
    let each = growth(&hub, before, effort.shared)?;
    report.figure("50,000 pending on 500 connections, each", "B", each, Bar::NONE.aims_at(500.0));
    one_surface(&mut observer, effort, report)?;

    let mut lines = Vec::new();
    for (at, ask) in listed(observer.round_trip(&list(None), &mut chunk)?)?.iter().enumerate() {
        let title = ask["title"].as_str().context("an ask has a title")?;
        let number = title.trim_start_matches("Question ").trim_end_matches('?');
        let params = format!(r#"{{"request_id":{},"value":"answer {number}"}}"#, ask["request_id"]);
        lines.push(format!("{{\"id\":{at},\"method\":\"agent.ask_answer\",\"params\":{params}}}\n"));
    }
    ensure!(lines.len() == effort.shared, "the list is not complete");
    for batch in lines.chunks(BATCH) {
        observer.send(batch.concat().as_bytes())?;
        for _ in batch {
            ensure!(
                observer.receive(&mut chunk)?.ends_with(b"{\"resolved\":true}}\n"),
                "an answer did not count"
            );
        }
    }
    let mut right = 0;
    for peer in &mut peers {
        for _ in 0..per_peer {
            let reply: Value = serde_json::from_slice(peer.receive(&mut chunk)?)?;
            right += usize::from(reply["result"]["value"] == format!("answer {}", reply["id"]));
        }
    }
    let lost = (effort.shared - right) as f64;
    report.figure("50,000 pending, wrong or lost answers", "", lost, Bar::at_most(0.0));
    Ok(())
}

/// Lists one surface among few and among many others.
fn one_surface(among_many: &mut Peer, effort: &Effort, report: &mut Report) -> Result<()> {
    let mut chunk = Chunk::new();
    let few = Server::hub()?;
    let (mut asker, mut among_few) = (few.connect()?, few.connect()?);
    let surface_of = |number: usize| if number.is_multiple_of(11) { "listed" } else { "others" };
    let lines: Vec<u8> = (0..11 * LISTED).flat_map(|number| ask(number, surface_of(number))).collect();
    asker.send(&lines)?;
    wait_until_listed(&mut among_few, "others", &mut chunk)?;
    let request = list(Some("listed"));
    let pairs = Pairs::measure(effort.pairs, |is_many| {
        let peer = if is_many { &mut *among_many } else { &mut among_few };
        let mut took = Vec::with_capacity(effort.trips);
        for _ in 0..effort.trips {
            let began = Instant::now();
            let reply = peer.round_trip(&request, &mut chunk)?;
            took.push(began.elapsed());
            ensure!(reply.len() > LISTED * 100, "the list is not complete");
        }
        took.sort_unstable();
        Ok(percentile(&took, 50))
    })?;
    let micros = |took: &Duration| took.as_secs_f64() * 1e6;
    let shape = "list of one surface among 50,000, beside 100";
    report.pairs(shape, "µs", &pairs, micros, Bar::NONE.aims_at(1.2));
    Ok(())
}
