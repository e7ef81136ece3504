//! How fast: small requests, cycles with one asker and with many, the server's share of the processor; and how little an idle hub takes.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::Effort;
use crate::cycle::{Lane, Replies, all_at_once};
use crate::peer::Chunk;
use crate::report::{Bar, Pairs, Report, percentile};
use crate::server::Server;

/// How many ask at once where many do.
const MANY: usize = 64;

pub(crate) fn measure(effort: &Effort, report: &mut Report) -> Result<()> {
    let hub = Server::hub()?;
    idle(&hub, effort, report)?;
    let floor = Server::floor()?;
    small_requests(&hub, &floor, effort, report)?;
    let mut chunk = Chunk::new();
    let replies = Lane::at_hub(&hub, 0)?.try_out(&mut chunk)?;
    one_asker(&hub, &floor, &replies, effort, report)?;
    many_askers(&hub, &floor, &replies, effort, report)
}

fn idle(hub: &Server, effort: &Effort, report: &mut Report) -> Result<()> {
    std::thread::sleep(Duration::from_secs(2));
    let (resident, shared_in_parts) = hub.memory()?;
    let mib = |bytes| bytes as f64 / f64::from(1 << 20);
    report.figure("idle memory, resident", "MiB", mib(resident), Bar::at_most(12.0).aims_at(8.0));
    report.figure("idle memory, shared pages in parts", "MiB", mib(shared_in_parts), Bar::NONE);
    let before = hub.sleeps()?;
    std::thread::sleep(Duration::from_secs(effort.idle));
    let woken = (hub.sleeps()? - before) as f64;
    report.figure("idle wake-ups per second", "1/s", woken / effort.idle as f64, Bar::NONE.aims_at(0.0));
    Ok(())
}

/// What one half of a pair showed.
struct Half {
    took: Vec<Duration>,
    all: Duration,
    cpu: Duration,
}

impl Half {
    fn of(server: &Server, run: impl FnOnce() -> Result<Vec<Duration>>) -> Result<Self> {
        let (began, cpu) = (Instant::now(), server.cpu()?);
        let mut took = run()?;
        let (all, cpu) = (began.elapsed(), server.cpu()? - cpu);
        took.sort_unstable();
        Ok(Self { took, all, cpu })
    }

    fn micros(&self, percent: usize) -> f64 {
        percentile(&self.took, percent).as_secs_f64() * 1e6
    }

    fn cpu_micros(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.took.len() as f64
    }
}

fn small_requests(hub: &Server, floor: &Server, effort: &Effort, report: &mut Report) -> Result<()> {
    let mut chunk = Chunk::new();
    let request = b"{\"id\":1,\"method\":\"system.ping\"}\n".to_vec();
    let (mut at_hub, mut at_floor) = (hub.connect()?, floor.connect()?);
    let reply = at_hub.round_trip(&request, &mut chunk)?.to_vec();
    let pairs = Pairs::measure(effort.pairs, |is_hub| {
        let (server, peer) = if is_hub { (hub, &mut at_hub) } else { (floor, &mut at_floor) };
        let line = if is_hub { &request } else { &reply };
        let mut trip = || {
            let began = Instant::now();
            peer.send(line)?;
            while !peer.read(&mut chunk)? {}
            let took = began.elapsed();
            anyhow::ensure!(peer.line() == reply, "the reply is another");
            Ok(took)
        };
        Half::of(server, || (0..effort.trips * 2).map(|_| trip()).collect())
    })?;
    report.pairs("small request, p50", "µs", &pairs, |half| half.micros(50), Bar::NONE.aims_at(1.3));
    let bar = Bar::NONE.aims_at(1.1);
    report.pairs("small request, processor time", "µs", &pairs, Half::cpu_micros, bar);
    Ok(())
}

fn one_asker(
    hub: &Server,
    floor: &Server,
    replies: &Replies,
    effort: &Effort,
    report: &mut Report,
) -> Result<()> {
    let mut chunk = Chunk::new();
    let (mut at_hub, mut at_floor) = (Lane::at_hub(hub, 0)?, Lane::at_floor(floor, replies)?);
    let pairs = Pairs::measure(effort.pairs, |is_hub| {
        let (server, lane) = if is_hub { (hub, &mut at_hub) } else { (floor, &mut at_floor) };
        Half::of(server, || (0..effort.trips).map(|_| lane.cycle(&mut chunk)).collect())
    })?;
    report.pairs("cycle, 1 asker, p50", "µs", &pairs, |half| half.micros(50), Bar::at_most(2.0));
    report.pairs("cycle, 1 asker, p99", "µs", &pairs, |half| half.micros(99), Bar::NONE);
    let bar = Bar::NONE.aims_at(2.25);
    report.pairs("cycle, 1 asker, processor time", "µs", &pairs, Half::cpu_micros, bar);
    Ok(())
}

fn many_askers(
    hub: &Server,
    floor: &Server,
    replies: &Replies,
    effort: &Effort,
    report: &mut Report,
) -> Result<()> {
    let mut chunk = Chunk::new();
    let mut at_hub: Vec<Lane> = (0..MANY).map(|lane| Lane::at_hub(hub, lane)).collect::<Result<_>>()?;
    let mut at_floor: Vec<Lane> = (0..MANY).map(|_| Lane::at_floor(floor, replies)).collect::<Result<_>>()?;
    let pairs = Pairs::measure(effort.pairs, |is_hub| {
        let (server, lanes) = if is_hub { (hub, &mut at_hub) } else { (floor, &mut at_floor) };
        Half::of(server, || all_at_once(lanes, effort.cycles, &mut chunk))
    })?;
    let rate = |half: &Half| half.took.len() as f64 / half.all.as_secs_f64();
    report.pairs("cycles per second, 64 askers", "1/s", &pairs, rate, Bar::at_least(0.6).aims_at(0.7));
    report.pairs("cycle, 64 askers, p50", "µs", &pairs, |half| half.micros(50), Bar::NONE);
    report.pairs("cycle, 64 askers, p99", "µs", &pairs, |half| half.micros(99), Bar::NONE.aims_at(3.0));
    let bar = Bar::NONE.aims_at(2.0);
    report.pairs("cycle, 64 askers, processor time", "µs", &pairs, Half::cpu_micros, bar);
    let worst = pairs.hub.iter().filter_map(|half| half.took.last()).max().copied().unwrap_or_default();
    report.figure("cycle, 64 askers, worst", "ms", worst.as_secs_f64() * 1e3, Bar::NONE.aims_at(100.0));
    Ok(())
}
