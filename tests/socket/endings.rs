//! How connections end: half-closed, hung up, stopped, killed; and what becomes of what they waited for.

use std::io::IoSlice;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv, sendmsg};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::harness::{Desk, let_time_pass, wait_for};
use crate::peer::{Peer, question, with};

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, signal).unwrap();
}

/// A program that connects, sends its arguments, and then does as told; it holds no reader.
fn perl(desk: &Desk, script: &str) -> Peer {
    let mut perl = desk.command("perl");
    let begin = "use strict; use IO::Socket::UNIX; $| = 1; \
                 sub hub { IO::Socket::UNIX->new(Peer => $ARGV[0]) or die $! } \
                 sub ask { my ($s, $t) = @_; syswrite $s, qq({\"id\":\"$t\",\"method\":\"agent.ask_user\",\"params\":\
                 {\"surface_id\":\"s\",\"kind\":\"yesno\",\"title\":\"$t\"}}\\n) } ";
    perl.arg("-e").arg(format!("{begin}{script}")).arg(desk.socket());
    Peer::child(perl)
}

/// Descriptors that the hub has open.
fn open_in_the_hub(desk: &Desk) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", desk.hub_pid())).unwrap().count()
}

#[test]
fn a_half_closed_peer_gets_every_reply_it_is_owed_and_then_the_end() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    peer.ask("ask", &question("yesno"));
    peer.send("{\"id\":1,\"method\":\"system.ping\"}\n{\"id\":2,\"method\":\"agent.ask_history\"}\n");
    peer.half_close();
    assert_eq!(peer.json()["id"], 1);
    assert_eq!(peer.json()["id"], 2);
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    assert!(person.answers(&id, "yes"));
    assert_eq!(peer.json()["result"]["value"], "yes");
    assert!(peer.is_over());
}

#[test]
fn a_peer_that_says_nothing_and_half_closes_is_seen_off() {
    let desk = Desk::new();
    for said in ["", "\n\n", "{\"id\""] {
        let mut peer = Peer::person(&desk);
        peer.send(said);
        peer.half_close();
        assert!(peer.is_over());
    }
}

#[test]
fn whoever_asks_and_leaves_at_once_leaves_nothing_behind() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    for round in 0..200 {
        let mut peer = Peer::person(&desk);
        peer.ask("1", &question("yesno"));
        if round % 2 == 0 {
            peer.half_close();
        }
        peer.hang_up();
    }
    person.waits_for(0);
    let history = person.get("agent.ask_history", &json!({ "limit": 500 }));
    let entries = history["entries"].as_array().unwrap();
    assert!(entries.iter().all(|entry| entry["response"]["reason"] == "asker disconnected"), "{history}");
}

#[test]
fn an_asker_that_dies_is_noticed_though_a_child_holds_its_connection() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let asker = perl(&desk, "my $s = hub(); ask($s, 'held'); fork; sleep 60;");
    person.waits_for(1);
    signal(asker.pid(), Signal::KILL);
    person.waits_for(0);
}

#[test]
fn each_connection_of_a_dead_process_is_noticed_though_it_closed_another_before() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let script =
        "my ($a, $b) = (hub(), hub()); ask($a, 'one'); ask($b, 'two'); <STDIN>; close $a; fork; sleep 60;";
    let mut asker = perl(&desk, script);
    person.waits_for(2);
    asker.send("\n");
    person.waits_for(1);
    assert_eq!(person.pending()[0]["title"], "two");
    signal(asker.pid(), Signal::KILL);
    person.waits_for(0);
}

#[test]
fn a_hub_whose_askers_were_killed_rests() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let askers: Vec<Peer> = (0..8).map(|_| Peer::agent(&desk)).collect();
    for mut asker in askers {
        asker.ask("1", &question("yesno"));
        person.waits_for(1);
        drop(asker);
        person.waits_for(0);
    }
    // Whatever is left to tidy is done soon, and then nothing turns: one tick of the kernel's count is noise.
    let rests = || {
        let before = super::cpu_ms(desk.hub_pid());
        let_time_pass("a hub that turns uses the processor all the while", Duration::from_millis(200));
        super::cpu_ms(desk.hub_pid()) - before <= 10
    };
    wait_for("the hub rests", rests);
}

#[test]
fn sock_21_an_answer_waits_for_a_stopped_asker_and_arrives_once() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let mut asker = Peer::agent(&desk);
    asker.ask("1", &question("text"));
    let id = person.waits_for_one();
    signal(asker.pid(), Signal::STOP);
    assert!(person.answers(&id, "later"));
    assert!(!person.answers(&id, "again"));
    signal(asker.pid(), Signal::CONT);
    assert_eq!(asker.json()["result"]["value"], "later");
    assert!(asker.is_quiet());
    wait_for("the delivery is written down", || person.record(&id)["delivered_at"].is_u64());
}

#[test]
fn sock_22_an_answer_that_its_asker_does_not_take_is_not_delivered() {
    let desk = Desk::new();
    let mut asker = Peer::person(&desk);
    asker.ask("1", &question("text"));
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    asker.stream.shutdown(std::net::Shutdown::Read).unwrap();
    assert!(person.answers(&id, "unheard"));
    let record = person.record(&id);
    assert_eq!(record["response"]["value"], "unheard");
    assert_eq!(record.get("delivered_at"), None);
    assert!(person.is_quiet());
}

#[test]
fn sock_27_descriptors_sent_along_are_dropped() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    assert!(peer.is_quiet());
    let before = open_in_the_hub(&desk);
    let file = std::fs::File::open("/dev/null").unwrap();
    let files = [file.as_fd(); 10];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(10))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    assert!(ancillary.push(SendAncillaryMessage::ScmRights(&files)));
    let line = IoSlice::new(b"{\"id\":9,\"method\":\"system.ping\"}\n");
    sendmsg(&peer.stream, &[line], &mut ancillary, SendFlags::empty()).unwrap();
    assert_eq!(peer.json(), json!({ "id": 9, "result": "PONG" }));
    assert_eq!(open_in_the_hub(&desk), before);
}

#[test]
fn q_20_many_that_come_and_go_leave_no_descriptor_and_no_ask_behind() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    // A reply, so that this connection counts as open already.
    person.send("{\"id\":0,\"method\":\"system.ping\"}\n");
    person.json();
    let before = open_in_the_hub(&desk);
    for round in 0..300 {
        let mut peer = Peer::person(&desk);
        peer.ask("1", &with(&question("yesno"), "idempotency_key", format!("key {}", round % 3)));
        peer.send("{\"id\":2,\"method\":\"events.subscribe\"}\n");
        if round % 2 == 0 {
            peer.json();
        }
        peer.hang_up();
    }
    assert_eq!(person.waits_for(3).len(), 3);
    wait_for("every descriptor is closed", || open_in_the_hub(&desk) == before);
}

/// What was not read makes the end a reset, which the hub sees before it has read what was sent last.
#[test]
fn whoever_leaves_a_reply_unread_and_subscribes_and_closes_leaves_no_descriptor_behind() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    assert!(person.is_quiet());
    let before = open_in_the_hub(&desk);
    for _ in 0..100 {
        let mut peer = Peer::person(&desk);
        peer.send("{\"id\":1,\"method\":\"system.ping\"}\n");
        recv(&peer.stream, &mut [0; 1], RecvFlags::PEEK).expect("the reply is there");
        peer.send("{\"id\":2,\"method\":\"events.subscribe\"}\n");
        peer.hang_up();
    }
    wait_for("every descriptor is closed", || open_in_the_hub(&desk) == before);
    assert!(person.is_quiet());
}
