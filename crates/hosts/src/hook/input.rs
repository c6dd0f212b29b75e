//! What a host writes to a hook, taken as soon as it is whole: not every host closes the pipe behind it.

use std::io::{self, Read};

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Reads one JSON value of at most `most` bytes, or, where what comes is none, all there is.
///
/// # Errors
/// As [`Read::read`].
pub fn read_input(mut input: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut brackets = Brackets::default();
    let mut chunk = vec![0; CHUNK];
    while bytes.len() < most {
        let wanted = CHUNK.min(most - bytes.len());
        let count = match input.read(&mut chunk[..wanted]) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = brackets.end_in(&chunk[..count]);
        bytes.extend_from_slice(&chunk[..end.unwrap_or(count)]);
        if end.is_some() {
            break;
        }
    }
    Ok(bytes)
}

/// How deep a reader of JSON is in brackets: with the last of them the value is whole.
#[derive(Default)]
struct Brackets {
    open: usize,
    is_in_text: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Where in these bytes, which go on from those before, the last bracket closes.
    fn end_in(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.is_in_text => self.is_escaped = true,
                b'"' => self.is_in_text = !self.is_in_text,
                _ if self.is_in_text => {}
                b'{' | b'[' => self.open += 1,
                b'}' | b']' if self.open > 0 => {
                    self.open -= 1;
                    if self.open == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at once, and fails where it is asked for more than there is.
    struct Open<'a>(&'a [u8], usize);

    impl Read for Open<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(into.len()).min(self.0.len());
            if count == 0 {
                return Err(io::Error::other("nobody closes this"));
            }
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn a_value_is_read_to_its_end_wherever_the_pieces_end() {
        for whole in [
            r#"{}"#,
            r#"{"prompt":"a } and a ] and \"{\" and \\","list":[{},[1]]}"#,
            r#" {"prompt":"Käse 🧀"}"#,
            "[]",
        ] {
            for size in 1..=whole.len() {
                let read = read_input(Open(whole.as_bytes(), size), 1 << 20).unwrap();
                assert_eq!(read, whole.as_bytes(), "{size}");
            }
            let more = format!("{whole}\n{{}}");
            assert_eq!(read_input(more.as_bytes(), 1 << 20).unwrap(), whole.as_bytes());
        }
    }

    #[test]
    fn what_is_not_whole_is_read_to_the_end_of_the_input_or_to_the_most() {
        for broken in ["", "null", "}", r#"{"prompt":"}"#, "} {"] {
            assert_eq!(read_input(broken.as_bytes(), 1 << 20).unwrap(), broken.as_bytes());
        }
        assert_eq!(read_input(io::repeat(b'['), 5).unwrap(), b"[[[[[");
        assert!(read_input(Open(b"{\"a\":", 2), 1 << 20).is_err());
    }
}
