//! One cycle: an agent asks, a surface learns the ask's id, a person answers, the agent hears it.
//!
//! The surface learns the id through `agent.ask_pending` of the asker's surface: a round trip, which an echo
//! can do as well; an event would reach it unasked, for which an echo has nothing alike. So a cycle is three
//! requests and three replies on two connections. At the floor each line is as long as the hub's reply there.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

use crate::peer::{Chunk, Peer};
use crate::server::Server;

/// The lines of a cycle.
#[derive(Clone)]
struct Script {
    ask: Vec<u8>,
    learn: Vec<u8>,
    /// With the id between, where there are two.
    answer: Vec<Vec<u8>>,
}

/// How the hub's replies look, to know them and to send them to the floor.
pub(crate) struct Replies {
    asked: Vec<u8>,
    learned: Vec<u8>,
    answered: Vec<u8>,
}

impl Script {
    /// What is said to the hub on the surface of that number.
    fn of_hub(surface: usize) -> Self {
        let body = "All checks are green. The change log names four fixes and no new feature.";
        let ask = format!(
            r#"{{"id":1,"method":"agent.ask_user","params":{{"surface_id":"agent:{surface}","agent_id":"builder","kind":"yesno","title":"Release version 2.4?","body":"{body}"}}}}"#
        );
        let learn =
            format!(r#"{{"id":2,"method":"agent.ask_pending","params":{{"surface_id":"agent:{surface}"}}}}"#);
        let answer = r#"{"id":3,"method":"agent.ask_answer","params":{"request_id":"#;
        let answer = vec![answer.into(), b",\"value\":\"yes\"}}\n".to_vec()];
        Self { ask: (ask + "\n").into(), learn: (learn + "\n").into(), answer }
    }

    fn of_floor(replies: &Replies) -> Self {
        let Replies { asked, learned, answered } = replies;
        Self { ask: asked.clone(), learn: learned.clone(), answer: vec![answered.clone()] }
    }

    /// The answer to the ask that `line` lists; none where it lists none.
    fn answer(&self, line: &[u8], out: &mut Vec<u8>) -> Option<()> {
        const BEFORE: &[u8] = b"\"request_id\":";
        let start = line.windows(BEFORE.len()).position(|window| window == BEFORE)? + BEFORE.len();
        let length = line[start..].iter().position(|&byte| byte == b',')?;
        out.clear();
        out.extend_from_slice(&self.answer[0]);
        if let Some(after) = self.answer.get(1) {
            out.extend_from_slice(&line[start..start + length]);
            out.extend_from_slice(after);
        }
        Some(())
    }
}

/// One asker with its surface.
pub(crate) struct Lane {
    asker: Peer,
    surface: Peer,
    script: Script,
    answer: Vec<u8>,
    began: Instant,
    step: Step,
    /// How often the ask was not listed yet.
    lists: usize,
    asker_heard: bool,
}

/// How often a surface looks for an ask before it gives up.
const MOST_LISTS: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Learns,
    Answers,
    Done,
}

impl Lane {
    /// The lane of that number at the hub.
    pub(crate) fn at_hub(hub: &Server, number: usize) -> Result<Self> {
        Self::new(hub, Script::of_hub(number))
    }

    pub(crate) fn at_floor(floor: &Server, replies: &Replies) -> Result<Self> {
        Self::new(floor, Script::of_floor(replies))
    }

    fn new(server: &Server, script: Script) -> Result<Self> {
        let (asker, surface) = (server.connect()?, server.connect()?);
        let (answer, began, step) = (Vec::new(), Instant::now(), Step::Done);
        Ok(Self { asker, surface, script, answer, began, step, lists: 0, asker_heard: true })
    }

    /// Goes through one cycle, and returns how the replies looked.
    pub(crate) fn try_out(&mut self, chunk: &mut Chunk) -> Result<Replies> {
        self.begin()?;
        let learned = self.surface.receive(chunk)?.to_vec();
        self.script.answer(&learned, &mut self.answer).context("the ask is listed")?;
        let answered = self.surface.round_trip(&self.answer, chunk)?.to_vec();
        let asked = self.asker.receive(chunk)?.to_vec();
        (self.step, self.asker_heard) = (Step::Done, true);
        Ok(Replies { asked, learned, answered })
    }

    /// Goes through one cycle by itself; how long it took.
    pub(crate) fn cycle(&mut self, chunk: &mut Chunk) -> Result<Duration> {
        self.begin()?;
        while self.step != Step::Done {
            while !self.surface.read(chunk)? {}
            self.surface_heard()?;
        }
        while !self.asker.read(chunk)? {}
        self.asker_heard()?;
        Ok(self.began.elapsed())
    }

    fn begin(&mut self) -> Result<()> {
        self.began = Instant::now();
        (self.step, self.asker_heard) = (Step::Learns, false);
        self.asker.send(&self.script.ask)?;
        self.surface.send(&self.script.learn)
    }

    fn surface_heard(&mut self) -> Result<()> {
        let line = self.surface.line();
        match self.step {
            Step::Learns if self.script.answer(line, &mut self.answer).is_some() => {
                self.step = Step::Answers;
                self.surface.send(&self.answer)
            }
            // Two connections have no order between them, so the hub may have read this one first.
            Step::Learns => {
                self.lists += 1;
                ensure!(self.lists < MOST_LISTS, "an ask is not listed");
                self.surface.send(&self.script.learn)
            }
            Step::Answers => {
                ensure!(line.ends_with(b"{\"resolved\":true}}\n"), "an answer did not count");
                self.step = Step::Done;
                Ok(())
            }
            Step::Done => bail!("a reply to nothing"),
        }
    }

    fn asker_heard(&mut self) -> Result<()> {
        let right = self.asker.line().ends_with(b"\"action\":\"ok\",\"value\":\"yes\"}}\n");
        ensure!(right, "an asker heard something else");
        self.asker_heard = true;
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.step == Step::Done && self.asker_heard
    }
}

/// Goes through `cycles` cycles, on all lanes at once; how long each took.
pub(crate) fn all_at_once(lanes: &mut [Lane], cycles: usize, chunk: &mut Chunk) -> Result<Vec<Duration>> {
    let queue = epoll::create(CreateFlags::CLOEXEC)?;
    for (at, lane) in lanes.iter().enumerate() {
        let watch = |peer: &Peer, side| {
            epoll::add(&queue, peer, EventData::new_u64((at * 2 + side) as u64), EventFlags::IN)
        };
        watch(&lane.surface, 0)?;
        watch(&lane.asker, 1)?;
    }
    let mut took = Vec::with_capacity(cycles);
    let mut begun = lanes.len().min(cycles);
    for lane in &mut lanes[..begun] {
        lane.begin()?;
    }
    let mut events = Vec::with_capacity(lanes.len() * 2);
    while took.len() < cycles {
        events.clear();
        epoll::wait(&queue, rustix::buffer::spare_capacity(&mut events), None)?;
        for event in &events {
            let data = event.data.u64() as usize;
            let lane = &mut lanes[data / 2];
            let is_surface = data.is_multiple_of(2);
            let peer = if is_surface { &mut lane.surface } else { &mut lane.asker };
            if !peer.read(chunk)? {
                continue;
            }
            if is_surface {
                lane.surface_heard()?;
            } else {
                lane.asker_heard()?;
            }
            if lane.is_done() {
                took.push(lane.began.elapsed());
                if begun < cycles {
                    begun += 1;
                    lane.begin()?;
                }
            }
        }
    }
    Ok(took)
}
