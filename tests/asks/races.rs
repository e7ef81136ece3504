//! Many answer at once: one is first, the others are told so, and the asker hears one line.

use std::sync::Barrier;

use serde_json::json;

use crate::harness::Desk;
use crate::peer::{Peer, question};

#[test]
fn q_01_of_four_connections_that_answer_at_once_exactly_one_is_first_in_200_rounds() {
    const RACERS: usize = 4;
    const ROUNDS: usize = 200;
    let desk = Desk::new();
    let mut asker = Peer::agent(&desk);
    let (start, done) = (Barrier::new(RACERS + 1), Barrier::new(RACERS + 1));
    std::thread::scope(|scope| {
        let racers: Vec<_> = (0..RACERS)
            .map(|racer| {
                let (start, done, mut person) = (&start, &done, Peer::person(&desk));
                scope.spawn(move || {
                    let mut wins = Vec::new();
                    for round in 1..=ROUNDS {
                        start.wait();
                        let id = format!("req:{round}");
                        let won = match (round + racer) % 4 {
                            0 => {
                                person.get("agent.ask_cancel", &json!({ "request_id": id }))["resolved"]
                                    == true
                            }
                            1 => person.answers(&id, "yes"),
                            _ => person.answers(&id, "no"),
                        };
                        wins.push(won);
                        done.wait();
                    }
                    wins
                })
            })
            .collect();
        let mut watcher = Peer::person(&desk);
        for round in 1..=ROUNDS {
            asker.ask(&round.to_string(), &question("yesno"));
            assert_eq!(watcher.waits_for_one(), format!("req:{round}"));
            start.wait();
            let heard = asker.json();
            assert_eq!(
                (&heard["id"], &heard["result"]["request_id"]),
                (&json!(round.to_string()), &json!(format!("req:{round}")))
            );
            done.wait();
            let record = watcher.record(&format!("req:{round}"));
            assert_eq!(record["response"], heard["result"]);
        }
        let wins: Vec<Vec<bool>> = racers.into_iter().map(|racer| racer.join().unwrap()).collect();
        for round in 0..ROUNDS {
            let winners = wins.iter().filter(|wins| wins[round]).count();
            assert_eq!(winners, 1, "round {}", round + 1);
        }
    });
    // One line each: the next thing that the asker hears is about something else.
    assert!(asker.is_quiet());
}

#[test]
fn q_02_a_second_answer_is_false_and_changes_nothing() {
    let desk = Desk::new();
    let (mut asker, mut person) = (Peer::agent(&desk), Peer::person(&desk));
    asker.ask("1", &question("yesno"));
    let id = person.waits_for_one();
    let answer = |id: u32, value: &str| {
        format!(
            "{}\n",
            json!({ "id": id, "method": "agent.ask_answer", "params": { "request_id": "req:1", "value": value } })
        )
    };
    // In one packet, so in one tick.
    person.send(answer(91, "yes") + &answer(92, "no") + &answer(93, "yes"));
    for (call, resolved) in [(91, true), (92, false), (93, false)] {
        assert_eq!(person.json(), json!({ "id": call, "result": { "resolved": resolved } }));
    }
    assert_eq!(asker.json()["result"]["value"], "yes");
    assert_eq!(person.record(&id)["response"]["value"], "yes");
    assert!(asker.is_quiet());
}

#[test]
fn q_03_whoever_races_a_timeout_or_a_hang_up_is_told_the_truth() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    for round in 0..60_u64 {
        let mut asker = Peer::agent(&desk);
        let mut params = question("yesno");
        params["timeout_ms"] = json!(if round % 2 == 0 { 1 + round % 7 } else { 0 });
        asker.ask("1", &params);
        let id = format!("req:{}", round + 1);
        // Answered as soon as it can be, while its time runs out or its asker goes.
        while person.newest() != id {}
        if round % 2 == 1 {
            drop(asker);
        }
        let won = person.answers(&id, "yes");
        let record = person.record(&id);
        match record["response"]["action"].as_str() {
            Some("ok") => assert!(won, "{record}"),
            Some("timeout" | "cancel") => assert!(!won, "{record}"),
            _ => panic!("it ended: {record}"),
        }
    }
    person.waits_for(0);
}
