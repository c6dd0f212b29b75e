//! A client that writes its own lines, so that it can also write wrong ones.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Scene;

/// Far more than anything here takes, on however busy a machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A server that was started, and the pipes to it. Dropped, it is killed.
pub(super) struct Client {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
    /// Notifications that came in while something else was waited for.
    pub(super) notices: Vec<Value>,
}

impl Client {
    /// Starts `rem mcp` with these arguments, and says nothing yet.
    pub(super) fn start(scene: &Scene, arguments: &[&str]) -> Self {
        let mut command = scene.rem(&["mcp"]);
        command.args(arguments);
        Self::of(command)
    }

    pub(super) fn of(mut command: std::process::Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // Whatever stands on standard output is the protocol's.
                let message = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines, next: 0, notices: Vec::new() }
    }

    /// Starts a server and shakes hands with it.
    pub(super) fn connect(scene: &Scene, arguments: &[&str]) -> Self {
        let mut client = Self::start(scene, arguments);
        client.shake_hands("2025-11-25");
        client
    }

    /// The answer to `initialize`.
    pub(super) fn shake_hands(&mut self, version: &str) -> Value {
        let client_info = json!({"name": "test", "version": "1"});
        let result = self.result(
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client_info}),
        );
        self.notify("notifications/initialized", json!({}));
        result
    }

    /// Writes a line as it is.
    pub(super) fn write(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("open");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).unwrap();
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string().as_bytes());
    }

    /// Sends a request; gives its id.
    pub(super) fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.write(request.to_string().as_bytes());
        self.next
    }

    /// The next message, whatever it is; nothing when the server has closed its end.
    pub(super) fn message(&mut self, patience: Duration) -> Option<Value> {
        match self.lines.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no message came"),
        }
    }

    /// The response to a request.
    pub(super) fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.message(PATIENCE).expect("the server is there");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.notices.push(message);
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.response(id)
    }

    /// The result of a request that must succeed.
    pub(super) fn result(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.request(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    /// What a tool gives back, failed or not.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The structured answer of a tool that must succeed.
    pub(super) fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let said = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        let answer = result["structuredContent"].take();
        match tool {
            // Its text is what the model should read.
            "memory_context" => assert!(!said.is_empty()),
            _ => assert_eq!(serde_json::from_str::<Value>(&said).unwrap(), answer, "{tool}"),
        }
        answer
    }

    /// The results of a search, once every file is in the index: on a busy machine that may take longer than a search waits.
    pub(super) fn found(&mut self, arguments: &Value) -> Vec<Value> {
        let begun = Instant::now();
        loop {
            let answer = self.done("memory_search", arguments.clone());
            if answer["freshness"]["files_changed_since"] == 0 {
                return answer["results"].as_array().unwrap().clone();
            }
            assert!(begun.elapsed() < PATIENCE, "the index is never finished");
        }
    }

    /// What a tool says that must fail.
    pub(super) fn failed(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result.get("structuredContent").is_none(), "an error has no shape to keep to");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes the server's input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// How the server ended, which must be soon.
    pub(super) fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not end");
            std::thread::yield_now();
        }
    }

    /// Says goodbye as a well-behaved host does.
    pub(super) fn leave(mut self) {
        self.hang_up();
        assert!(self.ended().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
