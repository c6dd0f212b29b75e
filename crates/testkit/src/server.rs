//! A real HTTP server on loopback, in the place of a provider: it answers as it is told, well or badly, and remembers what it was asked.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The path of the address.
    pub path: String,
    /// What the header `authorization` says.
    pub authorization: Option<String>,
    /// All headers, their names in small letters.
    pub headers: Vec<(String, String)>,
    /// Who was meant, where the server was asked as a proxy: `host:port`.
    pub through: Option<String>,
    /// The body.
    pub body: Value,
}

impl Request {
    /// What a header says.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The texts that an embedding request is about.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let input = self.body["input"].as_array().cloned().unwrap_or_default();
        input.iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// One answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
    /// How long it takes to begin.
    pub after: Duration,
    /// How long each byte of the body takes.
    pub per_byte: Duration,
}

impl Reply {
    /// This body, at once.
    #[must_use]
    pub fn ok(body: &Value) -> Self {
        Self::status(200, &body.to_string())
    }

    /// This body with this status, at once.
    #[must_use]
    pub fn status(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.to_owned(),
            after: Duration::ZERO,
            per_byte: Duration::ZERO,
        }
    }

    /// What a model that speaks OpenAI's chat protocol says, without a word on what it took.
    #[must_use]
    pub fn said(text: &str) -> Self {
        let message = json!({ "role": "assistant", "content": text });
        Self::ok(&json!({ "object": "chat.completion", "choices": [{ "index": 0, "message": message }] }))
    }

    /// The same with the tokens that it took, there and back.
    #[must_use]
    pub fn said_for(text: &str, input: u64, output: u64) -> Self {
        let message = json!({ "role": "assistant", "content": text });
        let usage =
            json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        Self::ok(&json!({ "object": "chat.completion", "choices": [choice], "usage": usage }))
    }

    /// What a model that speaks Anthropic's messages says: these pieces, and why it stopped.
    #[must_use]
    pub fn message(content: &Value, stop_reason: &str) -> Self {
        Self::ok(&json!({
            "id": "msg_1", "type": "message", "role": "assistant", "content": content, "stop_reason": stop_reason,
            "usage": { "input_tokens": 120, "cache_read_input_tokens": 30, "output_tokens": 40 },
        }))
    }
}

/// The server. Dropped, nobody listens any more.
#[derive(Debug)]
pub struct Server {
    /// Its address.
    pub url: String,
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    is_closed: Arc<AtomicBool>,
}

/// What a connection is read from and written to.
pub trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

impl Server {
    /// Answers each request, which comes with its number from 0, as `reply` says. A reply of nothing hangs up.
    pub fn new(reply: impl Fn(usize, &Request) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::over("http", reply, |stream| Box::new(stream))
    }

    /// The same over another kind of connection.
    pub fn over(
        scheme: &str,
        reply: impl Fn(usize, &Request) -> Option<Reply> + Send + Sync + 'static,
        wrap: impl Fn(TcpStream) -> Box<dyn Stream> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (requests, is_closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (seen, closed) = (requests.clone(), is_closed.clone());
        let (reply, wrap) = (Arc::new(reply), Arc::new(wrap));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if closed.load(Ordering::SeqCst) {
                    return;
                }
                let (seen, reply, wrap) = (seen.clone(), reply.clone(), wrap.clone());
                // A client that hangs up is no concern of the server's, and one that waits holds nobody up.
                std::thread::spawn(move || drop(serve(wrap(stream), &seen, reply.as_ref())));
            }
        });
        Self { url: format!("{scheme}://127.0.0.1:{port}"), port, requests, is_closed }
    }

    /// A server of Ollama's and OpenAI's embedding protocols whose vectors are `width` wide and tell texts apart by their words.
    #[must_use]
    pub fn embedding(width: usize) -> Self {
        Self::new(move |_, request| {
            let vectors: Vec<Vec<f32>> =
                request.texts().iter().map(|text| embedding_of(text, width)).collect();
            let data: Vec<Value> = vectors.iter().map(|vector| json!({ "embedding": vector })).collect();
            Some(Reply::ok(&json!({ "embeddings": vectors, "data": data })))
        })
    }

    /// Everything it was asked.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Every text that was embedded since `from` requests ago began.
    #[must_use]
    pub fn texts(&self, from: usize) -> Vec<String> {
        self.requests()[from..].iter().flat_map(Request::texts).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::SeqCst);
        // Wakes the thread, which then closes the port; gone when the port refuses.
        while TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
            std::thread::yield_now();
        }
    }
}

/// The first line of a request, and its headers.
fn head(reader: &mut BufReader<Box<dyn Stream>>) -> std::io::Result<(String, Vec<(String, String)>)> {
    let (mut first, mut headers) = (String::new(), Vec::new());
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            return Ok((first, headers));
        }
        if let Some((name, value)) = line.trim().split_once(": ") {
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
    }
}

fn serve(
    stream: Box<dyn Stream>,
    seen: &Mutex<Vec<Request>>,
    reply: &dyn Fn(usize, &Request) -> Option<Reply>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut headers) = head(&mut reader)?;
    let mut through = None;
    if let Some(rest) = first.strip_prefix("CONNECT ") {
        through = rest.split(' ').next().map(str::to_owned);
        reader.get_mut().write_all(b"HTTP/1.1 200 X\r\n\r\n")?;
        (first, headers) = head(&mut reader)?;
    }
    let header = |name: &str| headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
    let length = header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let request = Request { path, authorization: header("authorization"), headers, through, body };
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(request.clone());
        seen.len() - 1
    };
    let Some(answer) = reply(number, &request) else { return Ok(()) };
    std::thread::sleep(answer.after);
    let mut stream = reader.into_inner();
    write!(
        stream,
        "HTTP/1.1 {} X\r\nconnection: close\r\ncontent-length: {}\r\n",
        answer.status,
        answer.body.len()
    )?;
    for (name, value) in &answer.headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    write!(stream, "\r\n")?;
    if answer.per_byte.is_zero() {
        stream.write_all(answer.body.as_bytes())?;
    } else {
        for byte in answer.body.bytes() {
            stream.write_all(&[byte])?;
            stream.flush()?;
            std::thread::sleep(answer.per_byte);
        }
    }
    stream.flush()
}

/// A vector that is like another when the texts share words.
#[must_use]
pub fn embedding_of(text: &str, width: usize) -> Vec<f32> {
    let mut vector = vec![0.01; width];
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let number = word
            .to_lowercase()
            .bytes()
            .fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
        vector[number as usize % width] += 1.0;
    }
    vector
}
