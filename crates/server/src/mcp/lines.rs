//! Lines of JSON as hosts write them: half an emoji, where one cut a text, and bytes that are no text are mended before they are read.
//! A line that cannot be read all the same is handed to whoever answers it, and is not passed on: the SDK would be silent about it.

use std::pin::Pin;
use std::task::{Context, Poll};

use rem_format::json_text::without_lone_surrogates;
use rmcp::model::{ErrorData, RequestId};
use serde_json::Value;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc::UnboundedSender;

use crate::arguments::kind_of;

/// The most bytes of a line, which the SDK sets.
const LONGEST: usize = 16 << 20;
/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// A line that cannot be read: whose it is, where that can be told, and what is wrong with it.
pub(super) type Refused = (Option<RequestId>, ErrorData);

/// What comes in, from line to line.
pub(super) struct Lines<R> {
    inner: R,
    /// Read, and of no whole line yet.
    begun: Vec<u8>,
    /// Whether what is left of a line is passed over.
    is_too_long: bool,
    /// To be handed on, from `at`.
    whole: Vec<u8>,
    at: usize,
    refused: UnboundedSender<Refused>,
    /// Whether a line was refused since something was read: that is answered first.
    has_refused: bool,
}

impl<R> Lines<R> {
    pub(super) fn new(inner: R, refused: UnboundedSender<Refused>) -> Self {
        Self {
            inner,
            begun: Vec::new(),
            is_too_long: false,
            whole: Vec::new(),
            at: 0,
            refused,
            has_refused: false,
        }
    }

    /// Takes in what was read: nothing more, where that is nothing.
    fn take(&mut self, read: &[u8]) {
        (self.whole, self.at) = (Vec::new(), 0);
        for piece in read.split_inclusive(|byte| *byte == b'\n') {
            let is_end = piece.ends_with(b"\n");
            if self.is_too_long {
                self.is_too_long = !is_end;
                continue;
            }
            self.begun.extend_from_slice(piece);
            if self.begun.len() > LONGEST {
                let line = std::mem::take(&mut self.begun);
                self.refuse(&line, &format!("more than {LONGEST} bytes in one line"));
                self.is_too_long = !is_end;
            } else if is_end {
                self.end_line();
            }
        }
        if read.is_empty() && !self.begun.is_empty() {
            self.end_line();
        }
    }

    /// Hands the line on, mended, where it is JSON.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.begun);
        let text = String::from_utf8_lossy(&line);
        let mended = without_lone_surrogates(text.as_bytes());
        let json = mended.trim_ascii().strip_prefix("\u{feff}".as_bytes()).unwrap_or(mended.trim_ascii());
        let wrong = match serde_json::from_slice::<Value>(json) {
            Err(error) if !json.is_empty() => return self.refuse(&mended, &error.to_string()),
            Err(_) => None,
            Ok(message) => wrong_in(&message),
        };
        match wrong {
            Some(refused) => self.tell(refused),
            None => self.whole.extend_from_slice(&mended),
        }
    }

    fn refuse(&mut self, line: &[u8], why: &str) {
        let error = ErrorData::parse_error(format!("this is not JSON that can be read: {why}"), None);
        self.tell((id_in(line), error));
    }

    fn tell(&mut self, refused: Refused) {
        self.has_refused = true;
        // Nobody answers when the session is over.
        let _ = self.refused.send(refused);
    }
}

/// What is wrong with a request as such, which the SDK would answer without its id.
fn wrong_in(message: &Value) -> Option<Refused> {
    let object = message
        .as_object()
        .filter(|object| !["result", "error"].iter().any(|key| object.contains_key(*key)))?;
    let id: RequestId = serde_json::from_value(object.get("id")?.clone()).ok()?;
    let invalid = |what: &str| Some((Some(id.clone()), ErrorData::invalid_request(what.to_owned(), None)));
    match (object.get("jsonrpc"), object.get("method"), object.get("params")) {
        (Some(Value::String(version)), ..) if version != "2.0" => invalid("`jsonrpc` must be \"2.0\""),
        (None, ..) => invalid("`jsonrpc` is missing"),
        (_, Some(Value::String(_)), None | Some(Value::Null | Value::Object(_))) => None,
        (_, Some(Value::String(_)), Some(other)) => {
            let what = format!("`params` must be an object, not {}", kind_of(other));
            Some((Some(id), ErrorData::invalid_params(what, None)))
        }
        (_, None, _) => invalid("`method` is missing"),
        (_, Some(other), _) => invalid(&format!("`method` must be a text, not {}", kind_of(other))),
    }
}

/// The id of a message that cannot be read as a whole: of an object that begins so, as far as it goes.
fn id_in(line: &[u8]) -> Option<RequestId> {
    let (mut deep, mut at) = (0_usize, 0);
    while at < line.len() {
        match line[at] {
            b'{' | b'[' => deep += 1,
            b'}' | b']' => deep = deep.checked_sub(1)?,
            b'"' => {
                let end = at + 1 + end_of_text(&line[at + 1..])?;
                let after = line[end..].trim_ascii_start();
                if deep == 1
                    && &line[at..end] == b"\"id\""
                    && let Some(value) = after.strip_prefix(b":")
                {
                    let mut values = serde_json::Deserializer::from_slice(value).into_iter::<Value>();
                    let value = values.next()?.ok()?;
                    return serde_json::from_value(value).ok();
                }
                at = end;
                continue;
            }
            _ if deep == 0 && !line[at].is_ascii_whitespace() => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where a text in quotes ends, behind its quote.
fn end_of_text(rest: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let end = rest.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.map(|end| end + 1)
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = &mut *self;
        while this.at == this.whole.len() {
            let mut chunk = [0; CHUNK];
            let mut read = ReadBuf::new(&mut chunk);
            std::task::ready!(Pin::new(&mut this.inner).poll_read(context, &mut read))?;
            let is_end = read.filled().is_empty();
            this.take(read.filled());
            if std::mem::take(&mut this.has_refused) && !is_end {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if is_end && this.whole.len() == this.at {
                return Poll::Ready(Ok(()));
            }
        }
        let count = into.remaining().min(this.whole.len() - this.at);
        into.put_slice(&this.whole[this.at..this.at + count]);
        this.at += count;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is handed on, and what is refused, of what comes in pieces of a size.
    fn in_pieces(sent: &[u8], size: usize) -> (String, Vec<(Option<RequestId>, String)>) {
        let (refused, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut lines = Lines::new(tokio::io::empty(), refused);
        let mut got = Vec::new();
        for piece in sent.chunks(size).chain([&[][..]]) {
            lines.take(piece);
            got.extend_from_slice(&lines.whole);
        }
        let mut all = Vec::new();
        while let Ok((id, error)) = told.try_recv() {
            all.push((id, error.message.into_owned()));
        }
        (String::from_utf8(got).unwrap(), all)
    }

    #[test]
    fn whole_lines_are_mended_wherever_the_pieces_end() {
        let sent =
            b"{\"text\": \"half \\ud83d and \\ud83d\\ude00\"}\n\"\xff broken\"\r\n\n\"last without an end\"";
        let expected = "{\"text\": \"half \\ufffd and \\ud83d\\ude00\"}\n\"\u{fffd} broken\"\r\n\n\"last without an end\"";
        for size in 1..sent.len() {
            let (got, refused) = in_pieces(sent, size);
            assert_eq!(got, expected, "pieces of {size}");
            assert!(refused.is_empty());
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_is_refused_with_its_id_where_that_can_be_told() {
        let deep = format!("{{\"id\":\"a\",\"x\":{}1{}}}", "[".repeat(300), "]".repeat(300));
        for (line, id) in [
            ("garbage", None),
            ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call", Some(RequestId::Number(7))),
            ("{\"params\":{\"id\":3},\"id\" : \"x\\\"y\"", Some(RequestId::String("x\"y".into()))),
            ("{\"params\":{\"id\":3", None),
            ("[{\"id\":3}", None),
            (deep.as_str(), Some(RequestId::String("a".into()))),
            ("} {\"id\":3}", None),
        ] {
            let (got, refused) = in_pieces(format!("{line}\n{{}}\n").as_bytes(), 5);
            assert_eq!(got, "{}\n");
            assert_eq!(refused.len(), 1, "{line}");
            assert_eq!(refused[0].0, id, "{line}");
            assert!(refused[0].1.starts_with("this is not JSON that can be read: "), "{}", refused[0].1);
        }
    }

    #[test]
    fn a_request_that_is_none_is_refused_with_its_id() {
        for (line, what) in [
            (
                r#"{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}"#,
                "`params` must be an object, not a list",
            ),
            (r#"{"jsonrpc":"2.0","id":3}"#, "`method` is missing"),
            (r#"{"jsonrpc":"2.0","id":3,"method":7}"#, "`method` must be a text, not a number"),
            (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, "`jsonrpc` must be"),
            (r#"{"id":3,"method":"ping"}"#, "`jsonrpc` is missing"),
        ] {
            let (got, refused) = in_pieces(format!("{line}\n{{}}\n").as_bytes(), 64);
            assert_eq!(got, "{}\n");
            assert_eq!(refused[0].0, Some(RequestId::Number(3)), "{line}");
            assert!(refused[0].1.contains(what), "{line}: {}", refused[0].1);
        }
        for line in [
            r#"{"jsonrpc":"2.0","id":3,"method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "[1]",
        ] {
            assert!(in_pieces(format!("{line}\n").as_bytes(), 64).1.is_empty(), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_once_and_the_next_is_read() {
        let long = format!("{{\"id\":9,\"x\":\"{}\"}}\n{{}}\n", "y".repeat(2 * LONGEST));
        let (got, refused) = in_pieces(long.as_bytes(), CHUNK);
        assert_eq!(got, "{}\n");
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].0, Some(RequestId::Number(9)));
    }
}
