//! A client of WebKit's own driver, attached to the running app: just what the tests look at.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// A session with every window of the app.
pub(crate) struct Driver {
    port: u16,
    session: String,
}

impl Driver {
    /// Attaches through a driver that listens on `port`.
    pub(crate) fn attach(port: u16) -> Self {
        let made = request(port, "POST", "/session", Some(&json!({ "capabilities": {} })));
        let session = made["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {made}")).to_owned();
        Self { port, session }
    }

    /// Turns to the window whose page is `#name`; false where there is none.
    pub(crate) fn turn_to(&self, name: &str) -> bool {
        let handles = self.command("GET", "window/handles", None);
        handles.as_array().into_iter().flatten().any(|handle| {
            self.command("POST", "window", Some(&json!({ "handle": handle })));
            self.run("return location.hash") == json!(format!("#{name}"))
        })
    }

    /// Runs a script in the page and gives what it returns.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.command("POST", "execute/sync", Some(&json!({ "script": script, "args": [] })))
    }

    /// Runs a script that calls its last argument when it is done.
    pub(crate) fn run_async(&self, script: &str) -> Value {
        self.command("POST", "execute/async", Some(&json!({ "script": script, "args": [] })))
    }

    /// Calls one of the app's commands from the page: `ok` with what it gave, or `no` with why not.
    pub(crate) fn invoke(&self, command: &str, arguments: &Value) -> Value {
        self.run_async(&format!(
            "const done = arguments[arguments.length - 1]; window.__TAURI_INTERNALS__.invoke('{command}', {arguments})\
             .then((v) => done({{ ok: v }}), (e) => done({{ no: e }}))"
        ))
    }

    fn command(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        request(self.port, method, &format!("/session/{}/{path}", self.session), body)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.command("DELETE", "", None);
    }
}

/// One exchange; the `value` of the reply, which holds an `error` where it went wrong.
fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Value {
    let body = body.map(Value::to_string).unwrap_or_default();
    let exchange = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let path = path.trim_end_matches('/');
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        // The driver keeps the connection open whatever it is asked: the length says where the reply ends.
        let mut reply = Vec::new();
        let mut chunk = [0; 16384];
        loop {
            let text = String::from_utf8_lossy(&reply);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length:")
                        .and_then(|n| n.trim().parse().ok())
                });
                let bytes = reply.len() - head.len() - 4;
                if length.is_some_and(|length: usize| bytes >= length) {
                    return Ok::<_, std::io::Error>(body.to_owned());
                }
            }
            match stream.read(&mut chunk) {
                // The whole machine was stopped for a moment, as virtual ones are.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(0) => {
                    return Ok(text
                        .split_once("\r\n\r\n")
                        .map(|(_, body)| body.to_owned())
                        .unwrap_or_default());
                }
                Ok(length) => reply.extend_from_slice(&chunk[..length]),
            }
        }
    };
    match exchange() {
        Ok(body) => {
            serde_json::from_str::<Value>(&body).map_or(Value::Null, |mut reply| reply["value"].take())
        }
        Err(error) => json!({ "error": error.to_string() }),
    }
}
