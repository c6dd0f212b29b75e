//! Lines of JSON as hosts write them: half an emoji, where one cut a text, and bytes that are no text are mended before they are read,
//! for what cannot be read has no id that an answer could name.

use std::pin::Pin;
use std::task::{Context, Poll};

use rem_format::json_text::without_lone_surrogates;
use tokio::io::{AsyncRead, ReadBuf};

/// A line that is longer goes on as it is: the transport refuses it.
const LONGEST: usize = 17 << 20;
/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// What comes in, from line to line.
pub(super) struct Lines<R> {
    inner: R,
    /// Read, and of no whole line yet.
    begun: Vec<u8>,
    /// To be handed on, from `at`.
    whole: Vec<u8>,
    at: usize,
}

impl<R> Lines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, begun: Vec::new(), whole: Vec::new(), at: 0 }
    }

    /// Takes in what was read: nothing more, where that is nothing.
    fn take(&mut self, read: &[u8]) {
        let end = read.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        let end = if read.is_empty() || self.begun.len() > LONGEST { Some(read.len()) } else { end };
        let Some(end) = end else { return self.begun.extend_from_slice(read) };
        self.begun.extend_from_slice(&read[..end]);
        let text = String::from_utf8_lossy(&self.begun);
        self.whole = without_lone_surrogates(text.as_bytes()).into_owned();
        self.at = 0;
        self.begun = read[end..].to_vec();
    }
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

    #[test]
    fn whole_lines_are_mended_wherever_the_pieces_end() {
        let sent = b"{\"text\": \"half \\ud83d and \\ud83d\\ude00\"}\n\xff broken\nlast without an end";
        let expected =
            "{\"text\": \"half \\ufffd and \\ud83d\\ude00\"}\n\u{fffd} broken\nlast without an end";
        for size in 1..sent.len() {
            let mut lines = Lines::new(tokio::io::empty());
            let mut got = Vec::new();
            for piece in sent.chunks(size).chain([&[][..]]) {
                lines.take(piece);
                got.extend_from_slice(&lines.whole[lines.at..]);
                lines.at = lines.whole.len();
            }
            assert_eq!(String::from_utf8(got).unwrap(), expected, "pieces of {size}");
        }
    }
}
