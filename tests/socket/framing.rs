//! Bytes to lines: what is skipped, what is refused, and that one bad line harms no other.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Desk, assert_quick, let_time_pass, rows};
use crate::peer::{Peer, kind, outcome};

const PING: &str = "{\"id\":\"ping\",\"method\":\"system.ping\"}\n";
const MIB: usize = 1 << 20;

fn is_pong(peer: &mut Peer) -> bool {
    peer.json() == json!({ "id": "ping", "result": "PONG" })
}

#[test]
fn sock_01_blank_lines_and_carriage_returns_are_skipped() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    peer.send(format!("\n\r\n   \n\t\r\n{}\r\n", PING.trim_end()));
    assert!(is_pong(&mut peer));
    peer.send("\n".repeat(1_000_000));
    peer.send(PING);
    assert!(is_pong(&mut peer));
    let spent = Duration::from_millis(crate::socket::cpu_ms(desk.hub_pid()));
    assert_quick("the flood, in processor time,", spent, Duration::from_secs(1));
}

#[test]
fn a_line_may_come_in_any_pieces() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let ask = json!({ "id": "é", "method": "agent.ask_user",
        "params": { "surface_id": "s", "kind": "text", "title": "Où ça ? 🙂" } });
    for byte in format!("{ask}\n").bytes() {
        peer.send([byte]);
    }
    let mut person = Peer::person(&desk);
    let id = person.waits_for_one();
    assert_eq!(person.pending()[0]["title"], "Où ça ? 🙂");
    assert!(person.answers(&id, "là"));
    assert_eq!(
        peer.json(),
        json!({ "id": "é", "result": { "request_id": id, "action": "ok", "value": "là" } })
    );
}

#[test]
fn sock_03_a_line_over_the_limit_is_one_error_and_the_end_and_loses_nothing_before_it() {
    let desk = Desk::new();
    for newline in ["", "\n"] {
        let mut peer = Peer::person(&desk);
        peer.send(
            "{\"id\":1,\"method\":\"agent.ask_history\"}\n{\"id\":2,\"method\":\"agent.ask_pending\"}\n",
        );
        // The hub may close before it has all of this.
        let _ = peer.try_send(format!("{}{newline}", "x".repeat(MIB + 2)));
        let mut ids = vec![peer.json()["id"].clone(), peer.json()["id"].clone()];
        ids.sort_by_key(Value::to_string);
        assert_eq!(ids, [1, 2]);
        let refused = peer.json();
        assert_eq!((&refused["id"], kind(outcome(&refused)).as_str()), (&Value::Null, "too_large"));
        assert!(peer.is_over());
    }
}

#[test]
fn a_line_of_exactly_the_limit_is_taken() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let (before, after) = ("{\"id\":1,\"method\":\"system.ping\"", "}\r\n");
    peer.send(format!("{before}{}{after}", " ".repeat(MIB - before.len() - 1)));
    assert_eq!(peer.json(), json!({ "id": 1, "result": "PONG" }));
}

/// Lines that are not JSON; each is refused by itself, and the connection goes on.
#[test]
fn sock_04_05_11_12_14_what_is_not_json_is_a_parse_error_and_the_next_line_works() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let asks = |title: &str| {
        format!(
            "{{\"id\":1,\"method\":\"agent.ask_user\",\"params\":{{\"surface_id\":\"s\",\"kind\":\"text\",\"title\":{title}}}}}"
        )
    };
    let ask = asks("\"t\"");
    let lines: Vec<Vec<u8>> = vec![
        b"{\"id\":1,\"method\":\"\xff\"}".to_vec(),
        b"{\"id\":1,\"method\":\"\xc0\xaf\"}".to_vec(),
        b"{\"id\":1,\"method\":\"\xed\xa0\x80\"}".to_vec(),
        format!("\u{feff}{ask}").into_bytes(),
        format!("{ask} {ask}").into_bytes(),
        format!("{ask}\0\0").into_bytes(),
        asks(r#""\ud800""#).into_bytes(),
        asks(r#""\udc00""#).into_bytes(),
        asks(r#""\ud83d""#).into_bytes(),
        asks("\"a\0b\"").into_bytes(),
        asks("\"a\tb\"").into_bytes(),
        asks("\"a\u{1b}b\"").into_bytes(),
        asks("NaN").into_bytes(),
        asks("'t'").into_bytes(),
        b"hello".to_vec(),
        b"{\"id\":1,\"method\":\"system.ping\"".to_vec(),
    ];
    for line in lines {
        let shown = String::from_utf8_lossy(&line).into_owned();
        peer.send([&line[..], b"\n", PING.as_bytes()].concat());
        let refused = peer.json();
        assert_eq!(kind(outcome(&refused)), "parse_error", "{shown}");
        assert!(is_pong(&mut peer), "{shown}");
    }
    assert!(peer.waits_for(0).is_empty());
    // A pair of surrogates is one character.
    peer.send(format!("{}\n", asks(r#""\ud83d\ude00""#)));
    let mut person = Peer::person(&desk);
    person.waits_for(1);
    assert_eq!(person.pending()[0]["title"], "😀");
}

#[test]
fn sock_11_batches_and_arrays_are_refused_and_nothing_in_them_is_asked() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    for array in [
        r#"[{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"t"}}]"#,
        r#"[1,"agent.ask_user",{"surface_id":"s","kind":"yesno","title":"t"}]"#,
        "[]",
    ] {
        peer.send(format!("{array}\n"));
        let refused = peer.json();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32600)), "{array}");
    }
    for no_object in ["\"system.ping\"", "5", "null", "true"] {
        peer.send(format!("{no_object}\n"));
        assert_eq!(kind(outcome(&peer.json())), "invalid_request", "{no_object}");
    }
    assert!(peer.pending().is_empty());
}

#[test]
fn sock_07_a_member_given_twice_is_refused_wherever_it_stands() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let ask = |members: &str| {
        format!(
            "{{\"id\":7,\"method\":\"agent.ask_user\",\"params\":{{\"surface_id\":\"s\",\"kind\":\"choice\",{members}}}}}\n"
        )
    };
    for (line, expected) in [
        ("{\"id\":1,\"id\":2,\"method\":\"system.ping\"}\n".to_owned(), "invalid_request"),
        (
            "{\"id\":1,\"method\":\"system.ping\",\"m\\u0065thod\":\"system.version\"}\n".to_owned(),
            "invalid_request",
        ),
        (ask(r#""choices":[{"id":"a"}],"title":"safe","title":"evil""#), "invalid_params"),
        (ask(r#""choices":[{"id":"a"}],"title":"safe","t\u0069tle":"evil""#), "invalid_params"),
        (ask(r#""choices":[{"id":"a","id":"b"}],"title":"t""#), "invalid_params"),
    ] {
        peer.send(&line);
        let refused = peer.json();
        assert_eq!(kind(outcome(&refused)), expected, "{line}");
    }
    assert!(peer.pending().is_empty());
}

#[test]
fn sock_23_what_no_newline_ends_is_never_executed() {
    let desk = Desk::new();
    let mut person = Peer::person(&desk);
    let notify = "{\"id\":1,\"method\":\"notification.create\",\"params\":{\"title\":\"t\"}}";
    for cut in ["{\"id\":1,\"met", notify] {
        for half_closed in [false, true] {
            let mut peer = Peer::person(&desk);
            peer.send(cut);
            if half_closed {
                peer.half_close();
                assert!(peer.is_over());
            }
            peer.hang_up();
        }
    }
    // Notifications are numbered: this is the first that was ever made.
    let made = person.get("notification.create", &json!({ "title": "t" }));
    assert_eq!(made["id"], "notification:1");
}

#[test]
fn sock_09_limits_of_numbers_and_depth_are_kept() {
    let desk = Desk::new();
    let mut peer = Peer::person(&desk);
    let ask = |members: &str| {
        format!(
            "{{\"id\":7,\"method\":\"agent.ask_user\",\"params\":{{\"surface_id\":\"s\",\"kind\":\"text\",\"title\":\"t\",{members}}}}}\n"
        )
    };
    for timeout in
        ["-1", "1.0", "1e3", "9007199254740993", "18446744073709551616", "\"5\"", "true", "[]", "-0"]
    {
        peer.send(ask(&format!("\"timeout_ms\":{timeout}")));
        assert_eq!(kind(outcome(&peer.json())), "invalid_params", "{timeout}");
    }
    let deep = format!("\"choices\":{}{}", "[".repeat(100_000), "]".repeat(100_000));
    peer.send(ask(&deep));
    assert_eq!(kind(outcome(&peer.json())), "parse_error");
    peer.send(ask(&format!("\"no_such\":{}{}", "[".repeat(100_000), "]".repeat(100_000))));
    assert_eq!(kind(outcome(&peer.json())), "invalid_params");
    assert!(peer.is_quiet());
    // The longest wait that can be asked for does not overflow into none.
    peer.send(ask("\"timeout_ms\":9007199254740992"));
    let mut person = Peer::person(&desk);
    person.waits_for(1);
    assert_eq!(person.pending()[0]["timeout_ms"], json!(9_007_199_254_740_992_u64));
}

#[test]
fn sock_03_patience_is_tried_in_the_long_part_or_counted_as_not_run() {
    let row = "SOCK-03 a line that is never finished is given up, and a stream of whole ones is not";
    rows("HOTLINE_LONG=1", crate::is_long(), &[(row, sock_03_a_line_that_is_never_finished_is_given_up)]);
}

/// Takes half a minute of the hub's own patience.
fn sock_03_a_line_that_is_never_finished_is_given_up() {
    let desk = Desk::new();
    let (mut trickle, mut stream) = (Peer::person(&desk), Peer::person(&desk));
    trickle.stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    trickle.send("{\"id\":1,\"method\":\"system.ping\"}\n{\"id\":2,");
    assert_eq!(trickle.json()["id"], 1);
    // Each packet ends in the middle of a line, for longer than any one line may take.
    let (first, rest) = PING.split_at(9);
    let began = Instant::now();
    stream.send(first);
    while began.elapsed().as_secs() < 40 {
        stream.send(format!("{rest}{first}"));
        assert!(is_pong(&mut stream));
        let_time_pass("the next packet's turn", Duration::from_millis(200));
    }
    let refused = trickle.json();
    assert_eq!(kind(outcome(&refused)), "too_large");
    assert!(trickle.is_over());
}
