//! An embedding provider on loopback: it speaks Ollama's and OpenAI's protocols and remembers what it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One request to a [`Provider`].
#[derive(Debug, Clone)]
pub struct Asked {
    /// The path of the address.
    pub path: String,
    /// What the header `authorization` says.
    pub authorization: Option<String>,
    /// The texts.
    pub texts: Vec<String>,
}

/// A provider. Its vectors tell texts apart by their words. Dropped, nobody listens any more.
#[derive(Debug)]
pub struct Provider {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_closed: Arc<AtomicBool>,
}

impl Default for Provider {
    fn default() -> Self {
        Self::new()
    }
}

impl Provider {
    /// A provider on a free port.
    #[must_use]
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, is_closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (seen, closed) = (asked.clone(), is_closed.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if closed.load(Ordering::SeqCst) {
                    return;
                }
                // A client that hangs up is no concern of the provider's.
                let _ = answer(stream, &seen);
            }
        });
        Self { port, asked, is_closed }
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Everything it was asked.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::SeqCst);
        // Wakes the thread, which then closes the port; gone when the port refuses.
        while TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
            std::thread::yield_now();
        }
    }
}

fn answer(stream: TcpStream, asked: &Mutex<Vec<Asked>>) -> std::io::Result<()> {
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
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap_or_default();
    let vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(text)).collect();
    let data: Vec<Value> = vectors.iter().map(|vector| json!({ "embedding": vector })).collect();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap().push(Asked { path, authorization, texts });
    let body = json!({ "embeddings": vectors, "data": data }).to_string();
    let mut stream = reader.into_inner();
    write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
    stream.flush()
}

/// Sixteen numbers, alike where texts share words.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01; 16];
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let number = word
            .to_lowercase()
            .bytes()
            .fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
        vector[number as usize % 16] += 1.0;
    }
    vector
}
