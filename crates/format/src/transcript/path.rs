//! The name of a transcript file: `YYYY/MM/DD/HHMM-{session}-{slug}.md` (seed A2.1), times in UTC.
//!
//! Owns what may stand in such a name, so that it is safe on every file system, and the inverse. The session id
//! in the name holds no hyphen: the first one after it always starts the slug. The host's own id is kept in the
//! front matter. Must not know in which folder transcripts live.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

/// The longest session id in a file name, in bytes (all ASCII).
const MAX_SESSION: usize = 64;

/// So many characters of a session id tell it from the others of its minute: those that count up keep milliseconds in them.
const TELLING: usize = 13;
/// What stands in a [brief path](brief_path) for the rest of the file's name.
pub const REST: &str = "….md";

/// What a transcript's path says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptPath {
    /// When the session began, in UTC, to the minute.
    pub started: DateTime,
    /// The session id as file names carry it: [`file_session_id`] of the one in the front matter.
    pub session: String,
    /// The slug.
    pub slug: String,
}

/// The path of a transcript below the transcripts folder, with `/` between its parts. `slug` is passed through
/// [`slug()`], `session_id` through [`file_session_id`].
#[must_use]
pub fn file_path(started: Timestamp, session_id: &str, title: &str) -> String {
    let time = started.to_zoned(TimeZone::UTC);
    format!(
        "{:04}/{:02}/{:02}/{:02}{:02}-{}-{}.md",
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        file_session_id(session_id),
        slug(title)
    )
}

/// A transcript's path as a text for a model gives it: the name ends after as much of the session id as tells it from others,
/// since the rest takes more tokens than many a turn. `None` for any other path, and where nothing is gained.
///
/// `raw/conversations/2026/01/29/1920-23986425_d3a5_5e13-why-postgres.md` becomes `…/29/1920-23986425_d3a5….md`.
#[must_use]
pub fn brief_path(path: &str) -> Option<String> {
    let TranscriptPath { session, slug, .. } = parse_file_path(path)?;
    let before = path.len() - session.len() - 1 - slug.len() - ".md".len();
    let session = &path[before..before + session.len() + 1];
    let brief = format!("{}{}{REST}", &path[..before], &session[..session.len().min(TELLING)]);
    (brief.len() < path.len()).then_some(brief)
}

/// Reads a path made by [`file_path`], also when folders stand before it; `None` for any other path.
#[must_use]
pub fn parse_file_path(path: &str) -> Option<TranscriptPath> {
    let mut parts = path.rsplit('/');
    let name = parts.next()?.strip_suffix(".md")?;
    let mut number = |length: usize| digits(parts.next()?, length);
    let (day, month, year) = (number(2)?, number(2)?, number(4)?);
    let (time, rest) = name.split_once('-')?;
    let (session, slug) = rest.split_once('-')?;
    if session.is_empty() || slug.is_empty() || time.len() != 4 {
        return None;
    }
    let (hour, minute) = (digits(time.get(..2)?, 2)?, digits(time.get(2..)?, 2)?);
    let small = |number: i16| i8::try_from(number).ok();
    let date = Date::new(year, small(month)?, small(day)?).ok()?;
    let time = Time::new(small(hour)?, small(minute)?, 0, 0).ok()?;
    Some(TranscriptPath {
        started: date.to_datetime(time),
        session: session.to_owned(),
        slug: slug.to_owned(),
    })
}

fn digits(text: &str, length: usize) -> Option<i16> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// A session id as file names carry it: ASCII letters, digits, `_` and `.`, with `_` for a hyphen and for
/// anything else; at most 64 bytes, never empty, no dot in front. An id that had to lose more than its hyphens
/// ends in a short hash of the whole, so that two such ids stay apart. Idempotent.
#[must_use]
pub fn file_session_id(id: &str) -> String {
    let safe = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.');
    let lossless = !id.is_empty()
        && id.len() <= MAX_SESSION
        && !id.starts_with('.')
        && id.chars().all(|character| safe(character) || character == '-');
    let mut name: String = id.chars().map(|c| if safe(c) { c } else { '_' }).collect();
    if lossless {
        return name;
    }
    if name.starts_with('.') {
        name.replace_range(..1, "_");
    }
    name.truncate(MAX_SESSION - 9);
    format!("{name}_{:08x}", short_hash(id))
}

/// FNV-1a, folded to 32 bits: only keeps names apart, protects nothing.
fn short_hash(text: &str) -> u32 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // Both halves count; the cut is the fold.
    #[allow(clippy::cast_possible_truncation)]
    let folded = (hash ^ (hash >> 32)) as u32;
    folded
}

/// A few words of `text` as a file name, as [`crate::slug::slug`] makes it; `conversation` when nothing is left. Idempotent.
#[must_use]
pub fn slug(text: &str) -> String {
    crate::slug::slug(text).unwrap_or_else(|| "conversation".to_owned())
}
