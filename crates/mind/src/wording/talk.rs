//! What of a message is its sender's own talk, cut into sentences.
//!
//! Left out: code between fences, between backticks and indented as a block, lines after `>`, text in quotation marks, lines that
//! a machine wrote. A piece left out inside a sentence leaves a quotation mark in its place. Looks at signs alone, at no language.

use std::ops::Range;

use super::{MACHINE, Plain, contains, is_hangul};

/// A sentence: where it stands in the plain form, and in which paragraph.
#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    /// Bytes of the plain form, from a space to a space, both included.
    pub(crate) plain: Range<usize>,
    /// How many blank lines or left-out blocks came before it.
    pub(crate) paragraph: usize,
}

/// A message's own talk.
#[derive(Debug)]
pub(crate) struct Talk {
    pub(crate) plain: Plain,
    pub(crate) sentences: Vec<Sentence>,
    /// The pieces of the message that are its sender's own, in order.
    own: Vec<Range<usize>>,
    /// Where the sentence begins that is being read.
    start: usize,
    paragraph: usize,
}

/// The sentences of a message that are its sender's own, as they were written.
pub(crate) fn sentences_of(text: &str) -> Vec<String> {
    let talk = Talk::of(text);
    let places = talk.sentences.iter().filter_map(|each| talk.original(text, each.plain.clone()));
    places.map(|place| text[place].to_owned()).collect()
}

/// Bytes of each end of a long message that are read.
const END: usize = 16 << 10;

impl Talk {
    /// Reads a message; of one longer than 32 KiB the first and the last 16 KiB, from line to line where lines are not too long.
    pub(crate) fn of(text: &str) -> Self {
        let mut talk = Self {
            plain: Plain::with_capacity(text.len().min(2 * END)),
            sentences: Vec::with_capacity(8),
            own: Vec::with_capacity(8),
            start: 0,
            paragraph: 0,
        };
        talk.plain.space(0);
        if text.len() <= 2 * END {
            talk.read(text, 0);
        } else {
            let (head, tail) = ends(text);
            talk.read(&text[..head], 0);
            talk.end_sentence();
            talk.paragraph += 1;
            talk.read(&text[tail..], tail);
        }
        talk
    }

    /// Whether a byte of the message is its sender's own talk.
    pub(crate) fn is_own(&self, at: usize) -> bool {
        let after = self.own.partition_point(|piece| piece.start <= at);
        after > 0 && at < self.own[after - 1].end
    }

    fn read(&mut self, text: &str, base: usize) {
        let has_machine = MACHINE.is_match(text);
        let mut block: Option<Block> = None;
        let mut after_block = true;
        let mut at = base;
        for line in text.split_inclusive('\n') {
            let begin = at;
            at += line.len();
            let trimmed = line.trim();
            let bare = line.trim_start();
            let is_out = match (block, Block::opened_by(bare)) {
                (Some(open), _) => {
                    block = Some(open).filter(|open| !open.is_ended_by(trimmed));
                    true
                }
                // What opens and closes on its line is code in a sentence.
                (None, Some(opened)) => {
                    block = Some(opened).filter(|opened| !opened.ends_on(trimmed));
                    true
                }
                (None, None) => {
                    bare.starts_with('>')
                        || after_block && (line.starts_with("    ") || line.starts_with('\t'))
                        || has_machine && MACHINE.is_match(trimmed)
                }
            };
            if trimmed.is_empty() || is_out {
                self.end_sentence();
                self.paragraph += usize::from(!after_block);
                after_block = true;
                continue;
            }
            after_block = false;
            self.line(line, begin);
            self.end_sentence();
        }
    }

    /// One line of talk: pieces between quotation marks out, cut after each sign that ends a sentence.
    fn line(&mut self, line: &str, base: usize) {
        let mut from = 0;
        let mut characters = line.char_indices().peekable();
        let mut previous = ' ';
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map_or(' ', |next| next.1);
            let after = at + character.len_utf8();
            if let Some(close) = closing(character, previous, next)
                && let Some(end) = end_of_quotation(&line[after..], character, close)
            {
                self.add(&line[from..at], base + from);
                self.plain.add("\"", base + at);
                from = after + end;
                while characters.next_if(|each| each.0 < from).is_some() {}
                previous = '"';
                continue;
            }
            let ends = match character {
                '。' | '！' | '？' => true,
                '.' => {
                    next.is_whitespace()
                        && !is_abbreviation(&line[from..at])
                        && !is_ordinal(&line[from..at], &line[after..])
                }
                '!' | '?' | '…' => next.is_whitespace(),
                _ => false,
            };
            if ends {
                self.add(&line[from..after], base + from);
                self.end_sentence();
                from = after;
            }
            previous = character;
        }
        self.add(&line[from..], base + from);
    }

    fn add(&mut self, piece: &str, base: usize) {
        self.own.push(base..base + piece.len());
        self.plain.add(piece, base);
    }

    /// Where a range of the plain form stands in the message, without spaces around it; `None` where there is nothing else.
    pub(crate) fn original(&self, text: &str, range: Range<usize>) -> Option<Range<usize>> {
        let plain = &self.plain.text[range.clone()];
        let start = range.start + (plain.len() - plain.trim_start().len());
        let last = range.start + plain.trim_end().char_indices().next_back()?.0;
        let (start, last) = (self.plain.origin(start)?, self.plain.origin(last)?);
        let end = last + text[last..].chars().next()?.len_utf8();
        (start < end).then_some(start..end)
    }

    fn end_sentence(&mut self) {
        self.plain.space(0);
        let end = self.plain.text.len();
        if end > self.start + 1 {
            // The space between two sentences belongs to both.
            self.sentences.push(Sentence { plain: self.start..end, paragraph: self.paragraph });
            self.start = end - 1;
        }
    }
}

/// What holds text that is not the sender's own talk.
#[derive(Clone, Copy)]
enum Block {
    /// Code after so many of these marks, until as many or more.
    Fence(char, usize),
    /// `<pre>`.
    Preformatted,
}

impl Block {
    /// What a line, without the space before it, opens.
    fn opened_by(line: &str) -> Option<Self> {
        if line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("<pre")) {
            return Some(Self::Preformatted);
        }
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = line.chars().take_while(|each| *each == mark).count();
        (length >= 3).then_some(Self::Fence(mark, length))
    }

    /// Whether the line that opens it closes it as well.
    fn ends_on(self, line: &str) -> bool {
        match self {
            Self::Fence(mark, length) => line[length..].contains(&String::from(mark).repeat(3)),
            Self::Preformatted => self.is_ended_by(line),
        }
    }

    /// Whether a later line ends it; for a fence one that holds nothing else (CommonMark 0.31, 4.5).
    fn is_ended_by(self, line: &str) -> bool {
        match self {
            Self::Fence(mark, length) => line.len() >= length && line.chars().all(|each| each == mark),
            Self::Preformatted => line.to_ascii_lowercase().contains("</pre>"),
        }
    }
}

/// Whether a point after this text shortens a word and ends no sentence.
fn is_abbreviation(text: &str) -> bool {
    let word = text
        .rsplit(|character: char| character.is_whitespace() || character == '(')
        .next()
        .unwrap_or_default();
    ABBREVIATIONS.contains(&word)
}

/// Whether a point between these texts makes an ordinal or numbers an item (`am 15. Mai`, `in this order: 1. stop it 2. …`) and
/// ends no sentence.
fn is_ordinal(before: &str, after: &str) -> bool {
    let number = before.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let digits = before.len() - number.len();
    if !(1..=2).contains(&digits)
        || number.ends_with(|sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '/' | ':'))
    {
        return false;
    }
    let after = after.trim_start();
    let word = after.split(|sign: char| !sign.is_alphabetic()).next().unwrap_or_default();
    let is_numbered = number.trim().is_empty() || number.trim_end().ends_with([',', ':', ';']);
    is_numbered || word.starts_with(char::is_lowercase) || contains(AFTER_ORDINALS, word)
}

/// What German counts with an ordinal.
const AFTER_ORDINALS: &str = " Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan Feb Apr \
    Jun Jul Aug Sep Sept Okt Nov Dez Stock Etage Geburtstag Klasse Jahrhundert Woche Tag Mal Platz Semester Quartal Hochzeitstag ";

const ABBREVIATIONS: [&str; 20] = [
    "Dr", "Mr", "Mrs", "Ms", "Prof", "St", "vs", "e.g", "i.e", "etc", "No", "Nr", "ca", "bzw", "z.B", "usw",
    "Hr", "Fr", "approx", "Inc",
];

/// Where the head of a long text ends, and where its tail begins.
fn ends(text: &str) -> (usize, usize) {
    let (mut head, mut tail) = (END, text.len() - END);
    head = text[..text.floor_char_boundary(head)]
        .rfind('\n')
        .map_or(text.floor_char_boundary(head), |at| at + 1);
    tail = text.ceil_char_boundary(tail);
    tail += text[tail..].find('\n').map_or(0, |at| at + 1);
    (head, tail)
}

/// What closes a quotation that this sign opens; `None` where it opens none.
fn closing(sign: char, previous: char, next: char) -> Option<char> {
    let opens = !previous.is_alphanumeric() && !next.is_whitespace();
    match sign {
        '`' => Some('`'),
        '"' if opens || !next.is_whitespace() && !previous.is_ascii_digit() => Some('"'),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '»' => Some('«'),
        '「' => Some('」'),
        '『' => Some('』'),
        '‘' if opens => Some('’'),
        '‚' => Some('‘'),
        '《' => Some('》'),
        '〈' => Some('〉'),
        '\'' if opens => Some('\''),
        _ => None,
    }
}

/// Where a quotation ends, after its closing sign; `None` where it does not end on this line, or not soon.
fn end_of_quotation(rest: &str, open: char, close: char) -> Option<usize> {
    let is_single = matches!(open, '\'' | '‘');
    let mut previous = ' ';
    let mut characters = rest.char_indices().take(LONGEST_QUOTATION).peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map_or(' ', |next| next.1);
        // „So“ and „so” are both written; an apostrophe inside a word closes nothing. Korean particles follow a quotation at once.
        let closes = character == close || open == '„' && character == '”';
        let is_in_word = next.is_alphanumeric() && !is_hangul(next);
        if closes && !(is_single && (is_in_word || previous.is_whitespace())) {
            return Some(at + character.len_utf8());
        }
        previous = character;
    }
    None
}

/// Characters that a quotation may have.
const LONGEST_QUOTATION: usize = 2_000;
