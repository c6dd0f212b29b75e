//! How the words of a message are written so that none of them can be taken for structure.
//!
//! Two exact bijections, one after the other. Characters: NUL and a carriage return that no line feed follows are
//! written as their pictures ␀ and ␍; backslashes directly before a picture are doubled, and a picture that was
//! in the message gets one more. Lines: a line that starts like a line of structure, after any backslashes, gets
//! one more backslash. Everything else, which is to say ordinary text, is written as it is. Must not look at
//! fences: an unclosed one in a message would otherwise change how the rest of the file reads.

const NUL_PICTURE: char = '\u{2400}';
const RETURN_PICTURE: char = '\u{240D}';

/// Appends `text` so that [`unescaped`] gives it back.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let needs_pictures = text.contains(['\0', '\r', NUL_PICTURE, RETURN_PICTURE]);
    let pictured = if needs_pictures { with_pictures(text) } else { text.to_owned() };
    let mut lines = pictured.split('\n');
    if let Some(first) = lines.next() {
        push_line(out, first);
    }
    for line in lines {
        out.push('\n');
        push_line(out, line);
    }
}

/// The text that was escaped; the inverse of [`push_escaped`].
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        match line.strip_prefix('\\') {
            Some(rest) if looks_structural(rest) => out.push_str(rest),
            _ => out.push_str(line),
        }
    }
    if out.contains([NUL_PICTURE, RETURN_PICTURE]) { without_pictures(&out) } else { out }
}

fn push_line(out: &mut String, line: &str) {
    if looks_structural(line) {
        out.push('\\');
    }
    out.push_str(line);
}

/// Whether a line, after any backslashes, starts like structure. Wider than what the reader accepts as
/// structure, never narrower.
fn looks_structural(line: &str) -> bool {
    let line = line.trim_start_matches('\\');
    match line.as_bytes().first() {
        Some(b'#') => is_turn_prefix(line),
        Some(b'<') => is_date_prefix(line),
        Some(b'>') => {
            ["> [tool:", "> [attachment:", "> [knowledge:"].iter().any(|mark| line.starts_with(mark))
        }
        _ => false,
    }
}

/// `## HH:MM — `
fn is_turn_prefix(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("## ") else { return false };
    let bytes = rest.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    digit(0)
        && digit(1)
        && bytes.get(2) == Some(&b':')
        && digit(3)
        && digit(4)
        && rest.get(5..).is_some_and(|rest| rest.starts_with(" — "))
}

/// `<!-- YYYY-MM-DD -->`
fn is_date_prefix(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("<!-- ") else { return false };
    let bytes = rest.as_bytes();
    bytes.len() >= 14
        && bytes[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
        && bytes[10..].starts_with(b" -->")
}

fn with_pictures(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut backslashes = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let lone_return = character == '\r' && characters.peek() != Some(&'\n');
        match character {
            '\\' => backslashes += 1,
            '\0' => push_picture(&mut out, &mut backslashes, NUL_PICTURE, 0),
            '\r' if lone_return => push_picture(&mut out, &mut backslashes, RETURN_PICTURE, 0),
            NUL_PICTURE | RETURN_PICTURE => push_picture(&mut out, &mut backslashes, character, 1),
            other => {
                push_backslashes(&mut out, &mut backslashes);
                out.push(other);
            }
        }
    }
    push_backslashes(&mut out, &mut backslashes);
    out
}

fn push_picture(out: &mut String, backslashes: &mut usize, picture: char, more: usize) {
    *backslashes = *backslashes * 2 + more;
    push_backslashes(out, backslashes);
    out.push(picture);
}

fn push_backslashes(out: &mut String, count: &mut usize) {
    out.extend(std::iter::repeat_n('\\', *count));
    *count = 0;
}

fn without_pictures(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut backslashes = 0;
    for character in text.chars() {
        match character {
            '\\' => backslashes += 1,
            NUL_PICTURE | RETURN_PICTURE => {
                let literal = backslashes % 2 == 1;
                backslashes /= 2;
                push_backslashes(&mut out, &mut backslashes);
                out.push(match character {
                    picture if literal => picture,
                    NUL_PICTURE => '\0',
                    _ => '\r',
                });
            }
            other => {
                push_backslashes(&mut out, &mut backslashes);
                out.push(other);
            }
        }
    }
    push_backslashes(&mut out, &mut backslashes);
    out
}
