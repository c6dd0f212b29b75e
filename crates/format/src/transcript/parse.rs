//! Reading the body of a transcript back into its turns.
//!
//! The inverse of `render_turn`, and nothing more clever: a line is structure exactly when it has the shape of
//! structure, wherever it stands. Must not reject a body.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use super::{LocatedTurn, Role, Turn, TurnKind, TurnPart, escape, line};

enum Mark {
    Date(Date),
    Turn(Time, Role, TurnKind),
    Part(TurnPart),
}

/// The title and the turns of a body whose first line is line `first_line` of the file.
pub(super) fn body(text: &str, first_line: usize, started: Date) -> (String, Vec<LocatedTurn>) {
    let mut reader =
        Reader { date: started, title: None, turns: Vec::new(), words: String::new(), after_part: false };
    let mut number = first_line;
    for raw in text.split_inclusive('\n') {
        let content = raw.strip_suffix('\n').unwrap_or(raw);
        match mark(content.strip_suffix('\r').unwrap_or(content)) {
            Some(mark) => reader.structure(mark, number),
            None => reader.words(raw),
        }
        number += 1;
    }
    reader.end_words(false, number);
    (reader.title.unwrap_or_default(), reader.turns)
}

struct Reader {
    date: Date,
    title: Option<String>,
    turns: Vec<LocatedTurn>,
    /// The raw lines since the last line of structure.
    words: String,
    /// Whether that line of structure was a part, after which a blank line separates.
    after_part: bool,
}

impl Reader {
    fn words(&mut self, raw: &str) {
        if self.turns.is_empty() {
            if let Some(title) = raw.strip_prefix("# ").filter(|_| self.title.is_none()) {
                self.title = Some(title.trim().to_owned());
            }
        } else {
            self.words.push_str(raw);
        }
    }

    fn structure(&mut self, mark: Mark, number: usize) {
        // A part line before any turn belongs to nothing.
        if self.turns.is_empty() && matches!(mark, Mark::Part(_)) {
            return;
        }
        self.end_words(true, number);
        self.after_part = false;
        match mark {
            Mark::Date(date) => self.date = date,
            Mark::Turn(time, role, kind) => {
                // A civil time in UTC always is an instant, but for the last hours that jiff can count.
                let time = self.date.to_datetime(time).to_zoned(TimeZone::UTC);
                let time = time.map_or(jiff::Timestamp::MAX, |time| time.timestamp());
                let turn = Turn { time, role, kind, body: Vec::new() };
                self.turns.push(LocatedTurn { turn, lines: number..number + 1 });
            }
            Mark::Part(part) => {
                if let Some(located) = self.turns.last_mut() {
                    located.turn.body.push(part);
                    located.lines.end = number + 1;
                }
                self.after_part = true;
            }
        }
    }

    /// Closes the words before a line of structure (or the end of the file) at line `number`.
    fn end_words(&mut self, structure_follows: bool, number: usize) {
        let words = std::mem::take(&mut self.words);
        let Some(located) = self.turns.last_mut() else { return };
        let mut text = words.as_str();
        if self.after_part {
            text = without_first_newline(text);
        }
        let separated = if structure_follows { without_last_newline(text) } else { text };
        let lines_between = usize::from(separated.len() != text.len());
        let text = without_last_newline(separated);
        // Nothing at all was written, or only the blank line that separates.
        if separated.is_empty() {
            return;
        }
        located.lines.end = number - lines_between;
        if !text.is_empty() {
            located.turn.body.push(TurnPart::Text(escape::unescaped(text)));
        }
    }
}

fn without_first_newline(text: &str) -> &str {
    text.strip_prefix('\n').or_else(|| text.strip_prefix("\r\n")).unwrap_or(text)
}

fn without_last_newline(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

fn mark(line: &str) -> Option<Mark> {
    match line.as_bytes().first()? {
        b'#' => turn_mark(line),
        b'<' => {
            let date = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
            // Only the form that is written: other comments are text.
            (date.len() == 10).then(|| date.parse().ok().map(Mark::Date))?
        }
        b'>' => line::parse(line).map(Mark::Part),
        _ => None,
    }
}

fn turn_mark(line: &str) -> Option<Mark> {
    let rest = line.strip_prefix("## ")?;
    let (time, who) = rest.split_once(" — ")?;
    let (hour, minute) = time.split_once(':')?;
    let number = |text: &str| {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<i8>().ok())?
    };
    let time = Time::new(number(hour)?, number(minute)?, 0, 0).ok()?;
    let (who, kind) = match who.strip_suffix(" [memory]") {
        Some(who) => (who, TurnKind::Memory),
        None => (who, TurnKind::Message),
    };
    let role = [Role::User, Role::Agent, Role::System].into_iter().find(|role| role.as_str() == who)?;
    Some(Mark::Turn(time, role, kind))
}
