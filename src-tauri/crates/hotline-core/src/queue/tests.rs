//! The rules as sentences, and random interleavings of everything that can happen.

use std::collections::{BTreeMap, HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::wire::{AskUserRequest, Choice, MAX_TEXT};

fn at(ms: u64) -> Now {
    Now { boot: ms, wall: 1_000_000_000_000 + ms }
}

fn asks(kind: Kind) -> NewAsk {
    let choice = |id: &str| Choice { id: id.into(), label: id.into() };
    NewAsk {
        surface_id: "surface:1".into(),
        agent_id: None,
        kind,
        title: "Title".into(),
        body: None,
        choices: (kind == Kind::Choice).then(|| vec![choice("a"), choice("b")]),
        default: None,
        timeout_ms: None,
        is_unsafe: None,
    }
}

const ASKER: Process = Process { pid: 10, start: 1, session: 1 };
const CHILD: Process = Process { pid: 11, start: 2, session: 1 };
const OTHER: Process = Process { pid: 90, start: 9, session: 9 };

fn asker(ticket: u32) -> Asker {
    Asker { ticket: Ticket(ticket), others: 0, process: Some(ASKER) }
}

fn cli<'a>(line: &'a [Process]) -> Who<'a> {
    let lineage = Lineage::Processes { processes: line, in_agent_pane: false };
    Who { channel: Channel::Cli, person: "ada", view: "", lineage }
}

fn view() -> Who<'static> {
    Who { channel: Channel::Modal, person: "ada", view: "home", lineage: Lineage::View }
}

fn queue() -> Queue {
    Queue::new(Rules::default(), 1)
}

fn ask(queue: &mut Queue, new: &NewAsk, key: Option<&str>, ticket: u32, now: u64) -> u64 {
    match queue.ask(new, key, &asker(ticket), at(now)).unwrap() {
        Asked::New(number, _) | Asked::Joined(number) | Asked::Settled(number) => number,
    }
}

fn kind_of(result: Result<Option<Ended>, CallError>) -> ErrorKind {
    result.unwrap_err().kind
}

#[test]
fn the_first_answer_wins_and_the_rest_hear_nothing() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::YesNo), None, 7, 0);
    let ended = queue.answer("req:1", "yes".into(), &view(), at(5)).unwrap().unwrap();
    assert_eq!((&ended.tickets[..], ended.response.value.as_deref()), (&[Ticket(7)][..], Some("yes")));
    assert_eq!(queue.answer("req:1", "no".into(), &view(), at(6)), Ok(None));
    assert_eq!(queue.cancel("req:1", None, system("x"), at(6)), None);
}

#[test]
fn an_answer_that_does_not_fit_leaves_the_ask_waiting() {
    let cases = [
        (Kind::YesNo, &["maybe", "1", "yes ", "Yes", ""][..]),
        (Kind::Choice, &["-1", "99", "1.0", "A", "", "[0,1]"]),
        (Kind::Text, &[""]),
        (Kind::ConfirmCommand, &["yes", "", "RUN", "run "]),
    ];
    for (kind, values) in cases {
        let mut queue = queue();
        ask(&mut queue, &asks(kind), None, 1, 0);
        for value in values {
            assert_eq!(
                kind_of(queue.answer("req:1", (*value).into(), &view(), at(1))),
                ErrorKind::InvalidParams,
                "{kind:?} {value:?}"
            );
        }
        assert_eq!(queue.len(), 1);
    }
}

#[test]
fn a_command_runs_only_after_a_fresh_acknowledgement_by_the_same_person_at_the_same_door() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::ConfirmCommand), None, 1, 0);
    let run = |queue: &mut Queue, who: &Who<'_>, now| queue.answer("req:1", "run".into(), who, at(now));
    assert_eq!(kind_of(run(&mut queue, &view(), 0)), ErrorKind::AckRequired);
    assert_eq!(queue.ack("req:1", &view(), at(0)), Ok(true));
    assert_eq!(kind_of(run(&mut queue, &cli(&[OTHER]), 1)), ErrorKind::AckRequired);
    let eve = Who { person: "eve", ..view() };
    assert_eq!(kind_of(run(&mut queue, &eve, 1)), ErrorKind::AckRequired);
    let elsewhere = Who { view: "ask", ..view() };
    assert_eq!(kind_of(run(&mut queue, &elsewhere, 1)), ErrorKind::AckRequired);
    assert_eq!(kind_of(run(&mut queue, &view(), ACK_LASTS_MS + 1)), ErrorKind::AckRequired);
    assert_eq!(queue.ack("req:1", &view(), at(ACK_LASTS_MS + 2)), Ok(true));
    assert!(run(&mut queue, &view(), ACK_LASTS_MS + 3).unwrap().is_some());
}

#[test]
fn the_asker_and_its_children_cannot_approve_their_command() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::ConfirmCommand), None, 1, 0);
    for line in [&[ASKER][..], &[CHILD, ASKER], &[CHILD, ASKER, OTHER]] {
        assert_eq!(queue.ack("req:1", &cli(line), at(0)).unwrap_err().kind, ErrorKind::SelfAnswer);
        assert_eq!(kind_of(queue.answer("req:1", "run".into(), &cli(line), at(0))), ErrorKind::SelfAnswer);
    }
    let pane =
        Who { lineage: Lineage::Processes { processes: &[OTHER], in_agent_pane: true }, ..cli(&[OTHER]) };
    let unknown = Who { lineage: Lineage::Unknown, ..pane };
    for who in [pane, unknown] {
        assert_eq!(queue.ack("req:1", &who, at(0)).unwrap_err().kind, ErrorKind::SelfAnswer);
    }
    let same_pid_later = Process { start: 99, session: 5, ..ASKER };
    assert_eq!(queue.ack("req:1", &cli(&[same_pid_later]), at(0)), Ok(true));
    queue.set_rules(Rules { self_answer: true, ..Rules::default() });
    assert_eq!(queue.ack("req:1", &cli(&[CHILD, ASKER]), at(0)), Ok(true));
}

#[test]
fn a_sibling_in_the_askers_session_may_approve_and_the_history_says_so() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::ConfirmCommand), None, 1, 0);
    let sibling = Process { pid: 12, start: 3, session: ASKER.session };
    let line = [sibling];
    queue.ack("req:1", &cli(&line), at(0)).unwrap();
    let ended = queue.answer("req:1", "run".into(), &cli(&line), at(0)).unwrap().unwrap();
    assert_eq!(ended.by.who, "ada (in the asker's own terminal session)");
}

#[test]
fn a_timeout_answers_nothing_even_with_a_default() {
    let mut queue = queue();
    let new = NewAsk { timeout_ms: Some(100), default: Some("yes".into()), ..asks(Kind::YesNo) };
    ask(&mut queue, &new, None, 1, 0);
    assert_eq!(queue.expire(at(99)), []);
    let [ended] = &queue.expire(at(100))[..] else { panic!("one ends") };
    assert_eq!((ended.response.action, &ended.response.value), (AskedAction::Timeout, &None));
}

#[test]
fn a_deadline_beyond_the_clock_never_comes() {
    let mut queue = queue();
    let late = Now { boot: u64::MAX - 5, wall: 0 };
    queue.ask(&NewAsk { timeout_ms: Some(1 << 53), ..asks(Kind::Text) }, None, &asker(1), late).unwrap();
    assert_eq!(queue.expire(at(1 << 40)), []);
}

#[test]
fn without_a_key_an_ask_ends_with_its_asker() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::Text), None, 1, 0);
    let HungUp::Ended(ended) = queue.hang_up(1, Ticket(1), at(1)) else { panic!("it ends") };
    assert_eq!(queue.hang_up(1, Ticket(1), at(1)), HungUp::NotWaiting);
    assert_eq!(ended.response.reason.as_deref(), Some("asker disconnected"));
}

#[test]
fn with_a_key_an_ask_waits_a_minute_for_its_asker_and_two_askers_hear_one_answer() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::Text), Some("k"), 1, 0);
    assert_eq!(queue.hang_up(1, Ticket(1), at(10)), HungUp::Waits);
    assert_eq!(queue.expire(at(60_009)), []);
    assert_eq!(ask(&mut queue, &asks(Kind::Text), Some("k"), 2, 60_009), 1);
    assert_eq!(ask(&mut queue, &asks(Kind::Text), Some("k"), 3, 60_009), 1);
    assert_eq!(queue.expire(at(200_000)), []);
    queue.hang_up(1, Ticket(2), at(200_000));
    queue.hang_up(1, Ticket(3), at(200_000));
    let [ended] = &queue.expire(at(260_000))[..] else { panic!("one ends") };
    assert_eq!(ended.response.action, AskedAction::Cancel);
}

#[test]
fn a_key_joins_only_the_same_question() {
    let mut queue = queue();
    ask(&mut queue, &asks(Kind::Text), Some("k"), 1, 0);
    let other = NewAsk { title: "Other".into(), ..asks(Kind::Text) };
    let error = queue.ask(&other, Some("k"), &asker(2), at(1)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::IdempotencyConflict);
    queue.answer("req:1", "hello".into(), &view(), at(2)).unwrap();
    queue.commit();
    assert!(matches!(queue.ask(&other, Some("k"), &asker(2), at(3)), Ok(Asked::Settled(1))));
    queue.forget_old_keys(at(3 + KEY_LASTS_MS));
    assert_eq!(ask(&mut queue, &asks(Kind::Text), Some("k"), 2, 4 + KEY_LASTS_MS), 2);
}

#[test]
fn a_run_goes_out_once() {
    let new = asks(Kind::ConfirmCommand);
    let stored = new.clone().into_request(1, 0);
    let response = |action, value: Option<&str>| AskUserResponse {
        request_id: "req:1".into(),
        action,
        value: value.map(Into::into),
        reason: None,
    };
    let run = response(AskedAction::Ok, Some("run"));
    assert_eq!(replay(&new, &stored, &run, false), Ok(()));
    assert_eq!(replay(&new, &stored, &run, true).unwrap_err().kind, ErrorKind::IdempotencyConflict);
    let cancelled = response(AskedAction::Cancel, None);
    assert_eq!(replay(&new, &stored, &cancelled, true), Ok(()));
}

#[test]
fn after_a_restart_keyed_asks_wait_again_and_the_rest_are_cancelled() {
    let mut queue = Queue::new(Rules::default(), 1);
    let restored = |number, key: Option<&str>, timeout_ms| Restored {
        request: NewAsk { timeout_ms, ..asks(Kind::ConfirmCommand) }.into_request(number, at(0).wall),
        key: key.map(Into::into),
        askers: vec![ASKER, OTHER],
    };
    let asks = vec![restored(4, None, None), restored(5, Some("k"), None), restored(6, Some("l"), Some(500))];
    let ended = queue.restore(asks, at(1000));
    let ends: Vec<_> = ended.iter().map(|end| (end.number, end.response.action)).collect();
    assert_eq!(ends, [(4, AskedAction::Cancel), (6, AskedAction::Timeout)]);
    assert_eq!(ended[0].response.reason.as_deref(), Some("hub restarted"));
    for line in [&[CHILD, ASKER][..], &[OTHER]] {
        assert_eq!(queue.ack("req:5", &cli(line), at(1)).unwrap_err().kind, ErrorKind::SelfAnswer);
    }
    assert_eq!(ask(&mut queue, &self::asks(Kind::Text), None, 1, 1001), 7);
}

#[test]
fn limits_are_refused_with_a_word() {
    let mut queue = queue();
    let crowded = Asker { others: MAX_PENDING_PER_ASKER, ..asker(1) };
    assert_eq!(queue.ask(&asks(Kind::Text), None, &crowded, at(0)).unwrap_err().kind, ErrorKind::QueueFull);
    let heavy = NewAsk { body: Some("x".repeat(MAX_TEXT)), ..asks(Kind::Text) };
    let mut taken = 0;
    while queue.ask(&heavy, None, &asker(1), at(0)).is_ok() {
        taken += 1;
    }
    assert_eq!(taken, 255, "64 MiB of asks, each a little over 256 KiB");
}

/// Something that happens, to an ask picked by `pick` among those ever made.
#[derive(Clone, Debug)]
enum Happens {
    Asks { kind: u8, surface: u8, key: Option<u8>, timeout: Option<u16> },
    Acks { pick: u8, door: bool },
    Answers { pick: u8, door: bool, value: u8 },
    Cancels { pick: u8 },
    HangsUp { pick: u8 },
    TimePasses { ms: u32 },
    Commits,
    RollsBack,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => (0u8..4, 0u8..3, prop::option::of(0u8..4), prop::option::of(1u16..5000))
            .prop_map(|(kind, surface, key, timeout)| Happens::Asks { kind, surface, key, timeout }),
        3 => (any::<u8>(), any::<bool>()).prop_map(|(pick, door)| Happens::Acks { pick, door }),
        5 => (any::<u8>(), any::<bool>(), 0u8..6)
            .prop_map(|(pick, door, value)| Happens::Answers { pick, door, value }),
        1 => any::<u8>().prop_map(|pick| Happens::Cancels { pick }),
        2 => any::<u8>().prop_map(|pick| Happens::HangsUp { pick }),
        2 => (0u32..150_000).prop_map(|ms| Happens::TimePasses { ms }),
        3 => Just(Happens::Commits),
        1 => Just(Happens::RollsBack),
    ]
}

/// What must be true whatever happens; knows nothing of how the queue keeps its asks.
#[derive(Clone, Default)]
struct Witness {
    kinds: HashMap<u64, Kind>,
    surfaces: BTreeMap<u64, String>,
    waiting: HashMap<u64, HashSet<Ticket>>,
    acks: HashMap<(u64, bool), u64>,
    told: HashSet<Ticket>,
    ended: HashSet<u64>,
}

impl Witness {
    fn sees_end(&mut self, ended: &Ended) {
        let number = ended.number;
        assert!(self.ended.insert(number), "req:{number} ended twice");
        let tickets: HashSet<Ticket> = ended.tickets.iter().copied().collect();
        assert_eq!(tickets, self.waiting.remove(&number).unwrap(), "everybody who waits hears it");
        for ticket in tickets {
            assert!(self.told.insert(ticket), "{ticket:?} was told twice");
        }
        let value = ended.response.value.as_deref();
        let fits = match (ended.response.action, self.kinds[&number]) {
            (AskedAction::Cancel | AskedAction::Timeout, _) => value.is_none(),
            (AskedAction::Ok, Kind::YesNo) => matches!(value, Some("yes" | "no")),
            (AskedAction::Ok, Kind::Choice) => matches!(value, Some("a" | "b")),
            (AskedAction::Ok, Kind::Text) => value.is_some_and(|text| !text.is_empty()),
            (AskedAction::Ok, Kind::ConfirmCommand) => value == Some("run"),
        };
        assert!(fits, "req:{number} ended with {:?}", ended.response);
    }

    fn agrees_with(&self, queue: &Queue) {
        let numbers = |surface: Option<&str>| -> Vec<u64> {
            let number = |json: &Arc<[u8]>| {
                let request: AskUserRequest = serde_json::from_slice(json).unwrap();
                request_number(&request.request_id).unwrap()
            };
            match surface {
                Some(surface) => queue.pending_on(surface).map(number).collect(),
                None => queue.pending().map(number).collect(),
            }
        };
        let waits = |number: &u64| !self.ended.contains(number);
        let all: Vec<u64> = self.surfaces.keys().copied().filter(waits).collect();
        assert_eq!(numbers(None), all, "oldest first");
        for surface in ["s0", "s1", "s2"] {
            let of = |number: &u64| self.surfaces[number] == surface;
            assert_eq!(numbers(Some(surface)), all.iter().copied().filter(of).collect::<Vec<_>>());
        }
        assert_eq!(queue.bytes, queue.pending().map(|json| json.len()).sum::<usize>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]
    #[test]
    fn whatever_happens_nothing_is_lost_invented_or_approved_by_accident(
        events in prop::collection::vec(happens(), 1..80)
    ) {
        let mut queue = Queue::new(Rules::default(), 1);
        let mut seen = Witness::default();
        let mut committed = seen.clone();
        let mut now = 0u64;
        let mut tickets = 0u32;
        let mut made = 0u64;
        let terminal = [OTHER];
        let doors = |door: bool| if door { view() } else { cli(&terminal) };
        for event in events {
            queue.forget_old_keys(at(now));
            for ended in queue.expire(at(now)) {
                seen.sees_end(&ended);
            }
            let pick = |pick: u8| 1 + u64::from(pick) % made.max(1);
            match event {
                Happens::Asks { kind, surface, key, timeout } => {
                    let kinds = [Kind::YesNo, Kind::Choice, Kind::Text, Kind::ConfirmCommand];
                    let kind = kinds[kind as usize];
                    let surface_id = format!("s{surface}");
                    let new = NewAsk {
                        surface_id: surface_id.as_str().into(),
                        timeout_ms: timeout.map(u64::from),
                        ..asks(kind)
                    };
                    tickets += 1;
                    let key = key.map(|key| key.to_string());
                    match queue.ask(&new, key.as_deref(), &asker(tickets), at(now)) {
                        Ok(Asked::New(number, _)) => {
                            prop_assert!(number > made, "numbers count up");
                            made = number;
                            seen.kinds.insert(number, kind);
                            seen.surfaces.insert(number, surface_id);
                            seen.waiting.insert(number, [Ticket(tickets)].into());
                        }
                        Ok(Asked::Joined(number)) => {
                            prop_assert_eq!(seen.kinds[&number], kind);
                            seen.waiting.get_mut(&number).unwrap().insert(Ticket(tickets));
                        }
                        Ok(Asked::Settled(number)) => prop_assert!(seen.ended.contains(&number)),
                        Err(error) => prop_assert_eq!(error.kind, ErrorKind::IdempotencyConflict),
                    }
                }
                Happens::Acks { pick: at_random, door } => {
                    let number = pick(at_random);
                    if let Ok(true) = queue.ack(&request_id(number), &doors(door), at(now)) {
                        seen.acks.insert((number, door), now);
                    }
                }
                Happens::Answers { pick: at_random, door, value } => {
                    let number = pick(at_random);
                    let value = ["yes", "a", "run", "", "ack", "text"][value as usize];
                    if let Ok(Some(ended)) = queue.answer(&request_id(number), value.into(), &doors(door), at(now)) {
                        if seen.kinds[&number] == Kind::ConfirmCommand {
                            let acked = seen.acks.get(&(number, door)).copied();
                            prop_assert!(acked.is_some_and(|then| now - then <= ACK_LASTS_MS), "run without ack");
                        }
                        seen.sees_end(&ended);
                    }
                }
                Happens::Cancels { pick: at_random } => {
                    if let Some(ended) = queue.cancel(&request_id(pick(at_random)), None, system("x"), at(now)) {
                        seen.sees_end(&ended);
                    }
                }
                Happens::HangsUp { pick: at_random } => {
                    let number = pick(at_random);
                    let ticket = seen.waiting.get(&number).and_then(|tickets| tickets.iter().min().copied());
                    if let Some(ticket) = ticket {
                        seen.waiting.get_mut(&number).unwrap().remove(&ticket);
                        if let HungUp::Ended(ended) = queue.hang_up(number, ticket, at(now)) {
                            seen.sees_end(&ended);
                        }
                    }
                }
                Happens::TimePasses { ms } => now += u64::from(ms),
                Happens::Commits => {
                    queue.commit();
                    committed = seen.clone();
                }
                Happens::RollsBack => {
                    queue.rollback();
                    // Acknowledgements are not written down, so they are not undone either.
                    let acks = seen.acks.clone();
                    seen = Witness { acks, ..committed.clone() };
                }
            }
            seen.agrees_with(&queue);
        }
    }
}
