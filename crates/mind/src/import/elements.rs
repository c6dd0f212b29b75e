//! The elements of a JSON array in a file, one at a time.
//!
//! Owns how exports of any size are cut into conversations without reading them whole: brackets are counted outside
//! of strings. An element that is no JSON is the caller's to report; one that the file breaks off is given too.
//! Must not parse.

use std::fs::File;
use std::io::Read;

use rem_format::json_text::without_lone_surrogates;

use super::ImportError;
use super::assemble::Output;
use super::lines::EachRecord;

/// The longest conversation that is read, in bytes.
const LONGEST: usize = 1 << 30;
const CHUNK: usize = 1 << 20;

#[derive(Default)]
struct Scanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Reads on from `bytes[at..]`. Gives the end of an element (the separator after it) when there is one.
    fn element_end(&mut self, bytes: &[u8], at: &mut usize) -> Option<usize> {
        while let Some(byte) = bytes.get(*at) {
            if self.in_string {
                if self.escaped {
                    self.escaped = false;
                } else {
                    match memchr::memchr2(b'"', b'\\', &bytes[*at..]) {
                        Some(skip) => {
                            *at += skip;
                            if bytes[*at] == b'"' {
                                self.in_string = false;
                            } else {
                                self.escaped = true;
                            }
                        }
                        None => {
                            *at = bytes.len();
                            return None;
                        }
                    }
                }
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => {
                        self.depth = self.depth.saturating_sub(1);
                        if self.depth == 0 {
                            return Some(*at);
                        }
                    }
                    b',' if self.depth == 1 => return Some(*at),
                    _ => {}
                }
            }
            *at += 1;
        }
        None
    }
}

/// Calls `each` with every element of the array in the file at `output`'s path, and its number from 1.
pub(super) fn each_element(output: &mut Output<'_>, each: &mut EachRecord<'_>) -> Result<(), ImportError> {
    let path = output.path().to_owned();
    let failed = |source| ImportError::Read { path: path.clone(), source };
    let mut file = File::open(&path).map_err(failed)?;
    let mut buffer: Vec<u8> = Vec::new();
    let mut scanner = Scanner::default();
    let (mut at, mut start, mut number, mut opened) = (0, 0, 0, false);
    loop {
        let filled = buffer.len();
        buffer.resize(filled + CHUNK, 0);
        let count = loop {
            match file.read(&mut buffer[filled..]) {
                Ok(count) => break count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(source) => return Err(failed(source)),
            }
        };
        buffer.truncate(filled + count);
        if !opened {
            let Some(open) = memchr::memchr(b'[', &buffer) else {
                if count == 0 {
                    output.skip_at("start", "no JSON array: not an export of conversations");
                    return Ok(());
                }
                buffer.clear();
                continue;
            };
            opened = true;
            scanner.depth = 1;
            at = open + 1;
            start = at;
        }
        while let Some(end) = scanner.element_end(&buffer, &mut at) {
            let element = buffer[start..end].trim_ascii();
            if !element.is_empty() {
                number += 1;
                each(output, number, &without_lone_surrogates(element))?;
            }
            at = end + 1;
            start = at;
            if scanner.depth == 0 {
                return Ok(());
            }
        }
        if count == 0 {
            output.skip_at(
                &format!("conversation {}", number + 1),
                "the file ends in the middle: download it again",
            );
            return Ok(());
        }
        buffer.drain(..start);
        at -= start;
        start = 0;
        if buffer.len() > LONGEST {
            output.skip_at(
                &format!("conversation {}", number + 1),
                "longer than 1 GiB: the rest of the file is left",
            );
            return Ok(());
        }
        output.advance(2 * count as u64)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_brackets_in_strings_do_not_cut() {
        let bytes = br#"{"a":"],\"}"},[1,2], {"b":[{}]}]rest"#;
        let mut scanner = Scanner { depth: 1, ..Scanner::default() };
        let (mut at, mut start, mut found) = (0, 0, Vec::new());
        while let Some(end) = scanner.element_end(bytes, &mut at) {
            found.push(std::str::from_utf8(&bytes[start..end]).unwrap().trim());
            at = end + 1;
            start = at;
            if scanner.depth == 0 {
                break;
            }
        }
        assert_eq!(found, [r#"{"a":"],\"}"}"#, "[1,2]", r#"{"b":[{}]}"#]);
    }
}
