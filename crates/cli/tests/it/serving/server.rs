//! `rem serve` as a process, and a client that writes its requests by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Scene;

/// A server on a port of its own; killed when it is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of an error.
    pub(crate) fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }
}

impl Server {
    /// Started over a workspace, with a token of its own.
    pub(crate) fn over(scene: &Scene) -> Self {
        let token = scene.json(&["serve", "token", "new", "main"])["token"].as_str().unwrap().to_owned();
        let mut server = Self::started(scene.rem(&["--json", "serve", "--addr", "127.0.0.1:0"]));
        server.token = token;
        server
    }

    /// Started by this command. The token is the one it made, if it made one.
    pub(crate) fn started(mut command: Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut said = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        while serde_json::from_str::<Value>(&said).is_err() {
            assert!(output.read_line(&mut said).unwrap() > 0, "it ended: {said}");
        }
        let said: Value = serde_json::from_str(&said).unwrap();
        let address = said["address"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        let token = said["token"].as_str().unwrap_or_default().to_owned();
        Self { process, address, token }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// One request of any kind, on a connection of its own.
    pub(crate) fn request(&self, head: &str, body: &[u8]) -> Reply {
        self.try_request(head, body).unwrap()
    }

    pub(crate) fn try_request(&self, head: &str, body: &[u8]) -> std::io::Result<Reply> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let head = format!("{head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all(head.as_bytes())?;
        // Whoever refuses a body need not read it.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        if bytes.is_empty() {
            read?;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or(std::io::ErrorKind::InvalidData)?;
        Ok(Reply { status, head: head.to_owned(), text: body.to_owned() })
    }

    /// An operation with its arguments, asked with this token.
    pub(crate) fn call_as(&self, token: &str, path: &str, arguments: &Value) -> Reply {
        let head = format!(
            "POST /api/v1/{path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json",
            self.address
        );
        self.request(&head, arguments.to_string().as_bytes())
    }

    pub(crate) fn call(&self, path: &str, arguments: &Value) -> Reply {
        self.call_as(&self.token, path, arguments)
    }

    /// The answer of a call that must succeed.
    pub(crate) fn done(&self, path: &str, arguments: &Value) -> Value {
        let reply = self.call(path, arguments);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}", self.address, self.token);
        self.request(&head, b"")
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.pid().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// The exit code, once it has ended by itself.
    pub(crate) fn ended(mut self) -> Option<i32> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
