//! A provider for tests: a real HTTP server on loopback that answers as it is told and remembers what it was asked.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn texts(&self) -> Vec<String> {
        let input = self.body["input"].as_array().cloned().unwrap_or_default();
        input.iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// One answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
    pub(crate) after: Duration,
}

impl Reply {
    pub(crate) fn ok(body: &Value) -> Self {
        Self::status(200, &body.to_string())
    }

    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self { status, headers: Vec::new(), body: body.to_owned(), after: Duration::ZERO }
    }
}

/// The server. It ends with the process.
pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers each request, which comes with its number from 0, as `reply` says. A reply of nothing hangs up.
    pub(crate) fn new(reply: impl Fn(usize, &Request) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::over("http", reply, |stream| Ok(Box::new(stream)))
    }

    /// The same over TLS.
    pub(crate) fn encrypted(
        config: rustls::ServerConfig,
        reply: impl Fn(usize, &Request) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        let config = Arc::new(config);
        Self::over("https", reply, move |stream| {
            let connection = rustls::ServerConnection::new(config.clone()).expect("a good configuration");
            Ok(Box::new(rustls::StreamOwned::new(connection, stream)))
        })
    }

    /// A server of Ollama's protocol whose vectors are `width` wide and tell texts apart by their words.
    pub(crate) fn ollama(width: usize) -> Self {
        Self::new(move |_, request| {
            let vectors: Vec<Vec<f32>> = request.texts().iter().map(|text| vector(text, width)).collect();
            Some(Reply::ok(&json!({ "embeddings": vectors })))
        })
    }

    fn over(
        scheme: &str,
        reply: impl Fn(usize, &Request) -> Option<Reply> + Send + Sync + 'static,
        wrap: impl Fn(TcpStream) -> std::io::Result<Box<dyn Stream>> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("{scheme}://127.0.0.1:{}", listener.local_addr().expect("bound").port());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up is no concern of the server's.
                if let Ok(stream) = wrap(stream) {
                    let _ = serve(stream, &seen, &reply);
                }
            }
        });
        Self { url, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("whole").clone()
    }

    /// Every text that was embedded as a passage or a question since `from` requests ago began.
    pub(crate) fn texts(&self, from: usize) -> Vec<String> {
        self.requests()[from..].iter().flat_map(Request::texts).collect()
    }
}

pub(crate) trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

fn serve(
    stream: Box<dyn Stream>,
    seen: &Mutex<Vec<Request>>,
    reply: &dyn Fn(usize, &Request) -> Option<Reply>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        match line.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap_or(0);
            }
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                authorization = Some(value.to_owned());
            }
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let request = Request { path, authorization, body: serde_json::from_slice(&body).unwrap_or_default() };
    let number = {
        let mut seen = seen.lock().expect("whole");
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
    write!(stream, "\r\n{}", answer.body)?;
    stream.flush()
}

/// A vector that is like another when the texts share words.
pub(crate) fn vector(text: &str, width: usize) -> Vec<f32> {
    let mut vector = vec![0.01; width];
    for word in text.split_whitespace() {
        let number = blake3::hash(word.to_lowercase().as_bytes()).as_bytes()[0];
        vector[usize::from(number) % width] += 1.0;
    }
    vector
}
