//! Records one after another, as often as asked.
//!
//! Owns how a file is cut into lines in constant memory, and the trait that lets one reader serve files and
//! databases. A line longer than [`LONGEST`] is passed over. Must not parse.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rem_format::json_text::without_lone_surrogates;

use super::assemble::Output;
use super::{Format, ImportError};

/// The longest record that is read, in bytes. Longer ones hold binary data, not conversation.
const LONGEST: usize = 256 << 20;
const CHUNK: usize = 1 << 20;

/// What is done with a record, given its number.
pub(super) type EachRecord<'a> = dyn FnMut(&mut Output<'_>, usize, &[u8]) -> Result<(), ImportError> + 'a;

/// Where records come from. Reading twice must give the same records under the same numbers (a file that grows
/// meanwhile gives more of them).
pub(super) trait Records {
    /// Calls `each` with every record and its number, counted from 1 without gaps. What can't be read at all is
    /// reported to `output` on the first pass, and given as an empty record.
    fn pass(
        &mut self,
        output: &mut Output<'_>,
        first: bool,
        each: &mut EachRecord<'_>,
    ) -> Result<(), ImportError>;

    /// The format that turns are reported under.
    fn format(&self) -> Format;
}

/// The lines of a file.
pub(super) struct Lines {
    path: PathBuf,
    format: Format,
    /// The length at the first pass: what is appended later is for the next import.
    length: Option<u64>,
}

impl Lines {
    pub(super) fn of(path: &Path, format: Format) -> Self {
        Lines { path: path.to_owned(), format, length: None }
    }
}

impl Records for Lines {
    fn format(&self) -> Format {
        self.format
    }

    fn pass(
        &mut self,
        output: &mut Output<'_>,
        first: bool,
        each: &mut EachRecord<'_>,
    ) -> Result<(), ImportError> {
        let failed = |source| ImportError::Read { path: self.path.clone(), source };
        let mut file = File::open(&self.path).map_err(failed)?;
        let length = match self.length {
            Some(length) => length,
            None => file.metadata().map_err(failed)?.len(),
        };
        self.length = Some(length);
        let mut file = file.by_ref().take(length);
        let mut buffer = vec![0_u8; CHUNK];
        let (mut filled, mut number, mut overlong) = (0, 0, false);
        loop {
            if filled == buffer.len() {
                if filled >= LONGEST {
                    overlong = true;
                    filled = 0;
                } else {
                    buffer.resize(filled * 2, 0);
                }
            }
            let count = match file.read(&mut buffer[filled..]) {
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(failed(source)),
            };
            if count == 0 {
                break;
            }
            let mut searched = filled;
            filled += count;
            let mut start = 0;
            while let Some(at) = memchr::memchr(b'\n', &buffer[searched..filled]) {
                let end = searched + at;
                number += 1;
                let line = if overlong { &[] } else { &buffer[start..end] };
                if overlong && first {
                    output.skip(number, "the line is longer than 256 MiB");
                }
                overlong = false;
                each(output, number, &without_lone_surrogates(line))?;
                start = end + 1;
                searched = start;
            }
            buffer.copy_within(start..filled, 0);
            filled -= start;
            output.advance(count as u64)?;
        }
        if filled > 0 {
            let line = if overlong { &[] } else { &buffer[..filled] };
            each(output, number + 1, &without_lone_surrogates(line))?;
        }
        Ok(())
    }
}

/// A record as text. `None` for an empty line and, reported on the first pass, for one that is not UTF-8.
pub(super) fn text_of<'a>(
    output: &mut Output<'_>,
    first: bool,
    number: usize,
    record: &'a [u8],
) -> Option<&'a str> {
    match std::str::from_utf8(record) {
        Ok(text) => {
            let text = text.trim_start_matches('\u{FEFF}').trim_ascii();
            (!text.is_empty()).then_some(text)
        }
        Err(_) => {
            if first {
                output.skip(number, "not UTF-8");
            }
            None
        }
    }
}
