//! Hubs as values in this process: two at once, and views of them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use hotline_core::wire::Channel;
use serde_json::{Value, json};

use super::*;

/// How long a hub may take to say anything. Only reached when something is broken.
const PATIENCE: Duration = Duration::from_secs(30);

struct Client(BufReader<UnixStream>);

impl Client {
    fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self(BufReader::new(stream))
    }

    fn send(&mut self, method: &str, params: &Value) {
        writeln!(self.0.get_mut(), "{}", json!({ "id": method, "method": method, "params": params }))
            .unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.send(method, params);
        self.hear()
    }

    /// Follows until an ask waits.
    fn sees_an_ask(mut self) {
        self.send("events.subscribe", &json!({ "channels": ["askUserEvent"] }));
        loop {
            let event = &self.hear()["event"];
            if event["kind"] == "shown" || event["pending"].get(0).is_some() {
                return;
            }
        }
    }
}

fn hub(folder: &Path) -> Hub {
    let config =
        Config { socket: folder.join("s.sock"), data_dir: folder.join("data"), rules: Rules::default() };
    Hub::start(&config).unwrap()
}

fn view(hub: &Hub, name: &str) -> Client {
    let view = View { channel: Channel::Modal, person: "ada".into(), name: name.into() };
    Client::new(hub.connect(view).unwrap())
}

#[test]
fn two_hubs_live_side_by_side_and_know_nothing_of_each_other() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [one, other] = folders.each_ref().map(|folder| hub(folder.path()));
    let mut asker = Client::new(UnixStream::connect(one.socket()).unwrap());
    asker.send("agent.ask_user", &json!({ "surface_id": "s", "kind": "text", "title": "T" }));
    assert_eq!(
        view(&other, "home").call("agent.ask_pending", &json!({}))["result"],
        json!({ "pending": [] })
    );
    let answer = json!({ "request_id": "req:1", "value": "hello" });
    let mut view = view(&one, "home");
    self::view(&one, "tray").sees_an_ask();
    assert_eq!(view.call("agent.ask_answer", &answer)["result"]["resolved"], true);
    assert_eq!(asker.hear()["result"]["value"], "hello");
    let entry = &view.call("agent.ask_history", &json!({}))["result"]["entries"][0];
    assert_eq!(entry["by"], json!({ "channel": "modal", "who": "ada" }));
    for hub in [one, other] {
        hub.stopper().stop();
        hub.wait().unwrap();
    }
}

#[test]
fn both_steps_are_taken_in_one_view() {
    let folder = tempfile::tempdir().unwrap();
    let hub = hub(folder.path());
    let [mut home, mut dialog] = ["home", "ask"].map(|name| view(&hub, name));
    let ask = json!({ "surface_id": "s", "kind": "confirm-command", "title": "ls" });
    home.send("agent.ask_user", &ask);
    let (id, run) = (json!({ "request_id": "req:1" }), json!({ "request_id": "req:1", "value": "run" }));
    view(&hub, "tray").sees_an_ask();
    assert_eq!(dialog.call("agent.ask_ack", &id)["result"]["acked"], true);
    assert_eq!(home.call("agent.ask_answer", &run)["code"], "ack_required");
    assert_eq!(dialog.call("agent.ask_answer", &run)["result"]["resolved"], true);
    assert_eq!(home.hear()["result"]["value"], "run");
    hub.stopper().stop();
    hub.wait().unwrap();
}
