//! Much at once: whole replies for slow readers, bounds on what piles up, and nobody else waits.

use std::io::Read;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fixtures;
use crate::harness::{Desk, assert_quick, wait_for};
use crate::peer::{Peer, kind, outcome, question, with};

/// Reads one line in small bites, with a round trip of another connection between them.
fn sips_a_line(reader: &mut Peer, other: &mut Peer, bite: usize) -> String {
    let mut line = Vec::new();
    let mut chunk = vec![0; bite];
    while line.last() != Some(&b'\n') {
        let count = reader.stream.read(&mut chunk).unwrap();
        assert!(count > 0, "the line was cut after {} bytes", line.len());
        line.extend_from_slice(&chunk[..count]);
        assert!(other.is_quiet());
    }
    String::from_utf8(line).unwrap()
}

/// The most memory that the hub ever held, in MiB.
fn peak_mib(desk: &Desk) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", desk.hub_pid())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[test]
fn ten_thousand_waiting_asks_arrive_whole_at_a_slow_reader_and_one_more_is_too_many() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let ask = |at: usize| {
        let params = with(&question("yesno"), "title", format!("Question {at}"));
        format!("{}\n", json!({ "id": at, "method": "agent.ask_user", "params": params }))
    };
    let all: String = (1..=10_000).map(ask).collect();
    asker.send(all);
    let mut person = Peer::person(&desk);
    wait_for("10,000 asks wait", || person.newest() == "req:10000");
    let mut reader = Peer::person(&desk);
    reader.send("{\"id\":\"all\",\"method\":\"agent.ask_pending\"}\n");
    let line: Value = serde_json::from_str(&sips_a_line(&mut reader, &mut person, 8 << 10)).unwrap();
    let pending = line["result"]["pending"].as_array().unwrap();
    assert_eq!(pending.len(), 10_000);
    for (at, waiting) in pending.iter().enumerate() {
        assert_eq!(waiting["title"], format!("Question {}", at + 1));
        assert_eq!(waiting["request_id"], format!("req:{}", at + 1));
    }

    // Nothing was replied to the asker so far: this is the first line, and it is about the one too many.
    asker.send(ask(10_001));
    let refused = asker.json();
    fixtures::assert_is_example(&refused, "queue_full");
    assert!(person.answers("req:5000", "yes"));
    assert_eq!(asker.json()["id"], 5000);
    asker.ask("again", &question("yesno"));
    wait_for("there is room again", || person.newest() == "req:10001");
    asker.hang_up();
    person.waits_for(0);
}

#[test]
fn a_body_of_256_kib_arrives_whole_at_a_slow_reader() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let body: String = "é\n\t\u{202e}x".chars().cycle().take(200_000).collect();
    let body = &body[..body.floor_char_boundary(256 << 10)];
    asker.ask("1", &with(&question("text"), "body", body));
    let mut person = Peer::person(&desk);
    person.waits_for(1);
    let mut reader = Peer::person(&desk);
    for (method, list) in [("agent.ask_pending", "pending"), ("agent.ask_history", "entries")] {
        let id = reader.request(method, &json!({}));
        let line: Value = serde_json::from_str(&sips_a_line(&mut reader, &mut person, 4 << 10)).unwrap();
        assert_eq!(line["id"], id);
        assert_eq!(line["result"][list][0]["body"], *body);
    }
    // One byte more is an error that names the limit.
    let long = "x".repeat((256 << 10) + 1);
    let (kind, message) =
        person.try_call("agent.ask_user", &with(&question("text"), "body", long)).unwrap_err();
    assert_eq!(kind, "too_large");
    assert!(message.contains("262144"), "{message}");
}

#[test]
fn a_text_answer_of_256_kib_reaches_its_asker_whole() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("text"));
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    let answer = "é".repeat(128 << 10);
    let too_long = json!({ "request_id": id, "value": format!("{answer}x") });
    assert_eq!(person.refusal("agent.ask_answer", &too_long), "too_large");
    assert!(person.answers(&id, &answer));
    assert_eq!(asker.json()["result"]["value"], answer);
}

#[test]
fn sock_16_a_flood_of_asks_from_one_keeps_nobody_else_waiting() {
    let desk = Desk::new();
    let mut flood = Peer::agent(&desk);
    let ask = format!("{}\n", json!({ "id": 1, "method": "agent.ask_user", "params": question("yesno") }));
    let mut other = Peer::person(&desk);
    assert!(other.is_quiet());
    let sending = std::thread::spawn(move || {
        flood.send(ask.repeat(10_000));
        flood
    });
    let mut waits = Vec::new();
    while !sending.is_finished() || waits.len() < 20 {
        let began = Instant::now();
        assert!(other.is_quiet());
        waits.push(began.elapsed());
    }
    waits.sort_unstable();
    // A debug build now and then loses the processor for longer; behind a blocked hub most would wait.
    assert_quick("a ping beside a flood", waits[waits.len() / 2], Duration::from_millis(100));
    drop(sending.join());
    other.waits_for(0);
}

#[test]
fn one_that_leaves_8_mib_unread_is_closed_and_logged_and_harms_nobody() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &with(&question("text"), "body", "x".repeat(256 << 10)));
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    let mut greedy = Peer::person(&desk);
    // In one packet: what it takes to answer them all is far beyond the limit.
    greedy.send("{\"id\":1,\"method\":\"agent.ask_pending\"}\n".repeat(200));
    wait_for("it is logged", || desk.log().contains("left over 8 MiB unread"));
    let mut rest = Vec::new();
    let _ = greedy.reader.read_to_end(&mut rest);
    assert!(rest.len() < 12 << 20, "{}", rest.len());
    assert!(person.answers(&id, "still here"));
    assert_eq!(asker.json()["result"]["value"], "still here");
}

#[test]
fn one_that_does_not_read_is_not_read_from_either() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &with(&question("text"), "body", "x".repeat(200 << 10)));
    let mut person = Peer::person(&desk);
    person.waits_for(1);
    let mut slow = Peer::person(&desk);
    slow.stream.set_nonblocking(true).unwrap();
    // Pings behind a list that is not taken: the kernel's buffers fill up, and then it takes no more.
    let list = "{\"id\":0,\"method\":\"agent.ask_pending\"}\n";
    let ping = "{\"id\":1,\"method\":\"system.ping\"}\n".repeat(1000);
    let mut sent = 0;
    for _ in 0..4 {
        if slow.try_send(list).is_ok() {
            sent += 1;
        }
    }
    assert_eq!(sent, 4);
    let mut pings = 0;
    wait_for("the kernel takes no more", || {
        let full = slow.try_send(&ping).is_err();
        pings += usize::from(!full);
        full
    });
    assert!(pings < 2000, "{pings}");
    assert!(person.is_quiet());
    let peak = peak_mib(&desk);
    assert!(peak < 64, "{peak} MiB");
}

#[test]
fn a_refused_line_among_many_is_refused_by_itself() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    peer.send("{\"id\":1,\"method\":\"system.ping\"}\nnonsense\n".repeat(500));
    for _ in 0..500 {
        assert_eq!(outcome(&peer.json()), Ok(json!("PONG")));
        assert_eq!(kind(outcome(&peer.json())), "parse_error");
    }
}

#[test]
fn long_lists_asked_for_all_at_once_and_not_read_are_not_held_all_at_once() {
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let mut person = Peer::person(&desk);
    for at in 1..=20 {
        asker.ask("1", &with(&question("text"), "body", "x".repeat(250 << 10)));
        wait_for("it waits", || person.newest() == format!("req:{at}"));
    }
    let mut greedy = Peer::person(&desk);
    // Two gigabytes of lists, in one packet.
    greedy.send("{\"id\":1,\"method\":\"agent.ask_pending\"}\n".repeat(400));
    wait_for("it is closed", || desk.log().contains("left over 8 MiB unread"));
    assert!(person.answers("req:1", "still here"));
    assert_eq!(asker.json()["result"]["value"], "still here");
    let peak = peak_mib(&desk);
    assert!(peak < 150, "{peak} MiB");
}

#[test]
fn a_line_of_a_hundred_thousand_members_is_refused_and_keeps_nobody_waiting() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let members: String = (0..100_000).map(|at| format!("\"{at}\":1,")).collect();
    for line in [
        format!("{{{members}\"id\":1,\"method\":\"system.ping\"}}\n"),
        format!("{{\"id\":1,\"method\":\"agent.ask_user\",\"params\":{{{members}\"kind\":\"text\"}}}}\n"),
    ] {
        assert!(line.len() < 1 << 20, "a line that is too long is another error");
        let mut peer = Peer::person(&desk);
        let began = Instant::now();
        peer.send(&line);
        assert!(person.is_quiet());
        assert_quick("a ping beside a line of many members", began.elapsed(), Duration::from_millis(500));
        assert!(kind(outcome(&peer.json())).starts_with("invalid_"));
        assert_quick("the refusal", began.elapsed(), Duration::from_secs(1));
    }
}
