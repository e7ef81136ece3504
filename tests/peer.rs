//! A bare peer on the socket, as this process or as a program of its own. `ht` is not used, so that its care
//! hides nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::ops::{Deref, DerefMut};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus};

use serde_json::{Value, json};

use crate::harness::{Desk, Wire, wait_for_some};

/// A connection, held by this process or by a child of it.
pub(crate) struct Peer {
    wire: Wire,
    child: Option<Child>,
}

/// What a call returned: its result, or the kind and the message of its error.
pub(crate) type Reply = Result<Value, (String, String)>;

impl Peer {
    /// This process, as a person at another terminal would be.
    #[track_caller]
    pub(crate) fn person(desk: &Desk) -> Self {
        Self { wire: desk.connect(), child: None }
    }

    /// A program of its own, `nc -U`: not this process, so that this process may approve its commands.
    #[track_caller]
    pub(crate) fn agent(desk: &Desk) -> Self {
        Self::nc(desk, &[])
    }

    /// `nc OPTIONS -U SOCKET`.
    #[track_caller]
    pub(crate) fn nc(desk: &Desk, options: &[&str]) -> Self {
        let mut nc = desk.command("nc");
        nc.args(options).arg("-U").arg(desk.socket());
        Self::child(nc)
    }

    /// A command that passes its standard input on to the socket, and what comes from there to its output.
    #[track_caller]
    pub(crate) fn child(mut command: Command) -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let theirs: OwnedFd = theirs.into();
        command.stdin(theirs.try_clone().unwrap()).stdout(theirs);
        let child = command.spawn().unwrap();
        Self { wire: Wire::new(ours), child: Some(child) }
    }

    /// Sends no more, and goes on reading.
    #[track_caller]
    pub(crate) fn half_close(&mut self) {
        self.wire.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// The child that holds the connection.
    #[track_caller]
    pub(crate) fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Waits for the child's end.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let child = self.child.as_mut().unwrap();
        wait_for_some("the peer's program ends", || child.try_wait().unwrap())
    }

    /// Closes the connection, or kills the program that holds it.
    pub(crate) fn hang_up(self) {}
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Deref for Peer {
    type Target = Wire;
    fn deref(&self) -> &Wire {
        &self.wire
    }
}

impl DerefMut for Peer {
    fn deref_mut(&mut self) -> &mut Wire {
        &mut self.wire
    }
}

/// What tests of the wire say and hear.
impl Wire {
    /// Sends bytes to a hub that may have closed by now.
    pub(crate) fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.stream.write_all(bytes.as_ref())
    }

    /// Sends `agent.ask_user` under an id, and waits for nothing.
    #[track_caller]
    pub(crate) fn ask(&mut self, id: &str, params: &Value) {
        self.send(format!("{}\n", json!({ "id": id, "method": "agent.ask_user", "params": params })));
    }

    /// The next line, which is an event.
    #[track_caller]
    pub(crate) fn event(&mut self) -> Value {
        let line = self.json();
        line.get("event").cloned().unwrap_or_else(|| panic!("no event: {line}"))
    }

    /// Calls a method; the very next line has to be the reply.
    #[track_caller]
    pub(crate) fn try_call(&mut self, method: &str, params: &Value) -> Reply {
        let id = self.request(method, params);
        let reply = self.json();
        assert_eq!(reply["id"], id, "{reply}");
        outcome(&reply)
    }

    /// [`Self::try_call`] where only a result will do.
    #[track_caller]
    pub(crate) fn get(&mut self, method: &str, params: &Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// [`Self::try_call`] where only an error will do; its kind.
    #[track_caller]
    pub(crate) fn refusal(&mut self, method: &str, params: &Value) -> String {
        kind(self.try_call(method, params))
    }

    /// Answers an ask; whether this was the answer that counted.
    #[track_caller]
    pub(crate) fn answers(&mut self, id: &str, value: &str) -> bool {
        self.get("agent.ask_answer", &json!({ "request_id": id, "value": value }))["resolved"] == true
    }

    /// Everything that waits.
    #[track_caller]
    pub(crate) fn pending(&mut self) -> Vec<Value> {
        let result = self.get("agent.ask_pending", &json!({}));
        result["pending"].as_array().unwrap_or_else(|| panic!("no list: {result}")).clone()
    }

    /// The ids of what waits, once exactly so many do.
    #[track_caller]
    pub(crate) fn waits_for(&mut self, count: usize) -> Vec<String> {
        let id = |ask: &Value| ask["request_id"].as_str().unwrap().to_owned();
        wait_for_some(&format!("{count} asks wait"), || {
            let pending = self.pending();
            (pending.len() == count).then(|| pending.iter().map(id).collect())
        })
    }

    /// The id of the one ask that waits.
    #[track_caller]
    pub(crate) fn waits_for_one(&mut self) -> String {
        self.waits_for(1).remove(0)
    }

    /// An ask as the history has it, where it stands exactly once.
    #[track_caller]
    pub(crate) fn record(&mut self, id: &str) -> Value {
        let history = self.get("agent.ask_history", &json!({ "limit": 500 }));
        let entries = history["entries"].as_array().unwrap();
        let mut of_it = entries.iter().filter(|entry| entry["request_id"] == id);
        let found = of_it.next().unwrap_or_else(|| panic!("{id} is not in {history}")).clone();
        assert!(of_it.next().is_none(), "{id} is twice in {history}");
        found
    }

    /// The id of the ask that came last.
    #[track_caller]
    pub(crate) fn newest(&mut self) -> String {
        let history = self.get("agent.ask_history", &json!({ "limit": 1 }));
        history["entries"][0]["request_id"].as_str().unwrap_or_default().to_owned()
    }

    /// Whether nothing waits to be read: the reply to a ping is the very next line.
    #[track_caller]
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.try_call("system.ping", &json!({})) == Ok(json!("PONG"))
    }

    /// Whether the hub closes without another byte.
    #[track_caller]
    pub(crate) fn is_over(&mut self) -> bool {
        match self.reader.read(&mut [0; 1]) {
            Ok(0) => true,
            Ok(_) => panic!("the connection was to end, and there is more"),
            // The hub closed before it read everything.
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// A plain reply's result, or the kind and the message of its error.
#[track_caller]
pub(crate) fn outcome(reply: &Value) -> Reply {
    match (reply.get("result"), &reply["error"], &reply["code"]) {
        (Some(result), Value::Null, Value::Null) => Ok(result.clone()),
        (None, Value::String(message), Value::String(code)) => Err((code.clone(), message.clone())),
        _ => panic!("no reply: {reply}"),
    }
}

/// The kind of an error.
#[track_caller]
pub(crate) fn kind(reply: Reply) -> String {
    match reply {
        Err((kind, _)) => kind,
        Ok(result) => panic!("an error was due: {result}"),
    }
}

/// The params of a plain question.
pub(crate) fn question(kind: &str) -> Value {
    let mut params = json!({ "surface_id": "surface:1", "kind": kind, "title": "Go on?" });
    if kind == "choice" {
        params["choices"] = json!([{ "id": "a", "label": "First" }, { "id": "b" }]);
    }
    params
}

/// `params` with one member more.
pub(crate) fn with(params: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut params = params.clone();
    params[name] = value.into();
    params
}
