//! A sentence in the form that patterns are written for.
//!
//! Lower case, one space between words, signs set apart, a space at both ends: ` i 'm ` never occurs, ` i'm , so ` does. So
//! a space in a pattern is the edge of a word, and patterns need no Unicode word boundaries, which cost the `regex` crate
//! its fast engine. Signs inside a word or number stay (`don't`, `16:20`, `2.9.1`, `zlib-ng`).

/// A sentence in plain form, with where each byte of it comes from.
#[derive(Debug, Default)]
pub(crate) struct Plain {
    pub(crate) text: String,
    /// For each byte of `text`, the byte of the original it was made from.
    origins: Vec<usize>,
}

impl Plain {
    /// `text` in the form that patterns match.
    pub(crate) fn of(text: &str) -> Self {
        let mut plain = Self::default();
        plain.space(0);
        plain.add(text, 0);
        plain.space(text.len());
        plain
    }

    /// With room for the plain form of so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let bytes = bytes + bytes / 4;
        Self { text: String::with_capacity(bytes), origins: Vec::with_capacity(bytes) }
    }

    /// Appends a piece that begins at `base` of the original. What was appended before ends a word: there is a space between.
    pub(crate) fn add(&mut self, text: &str, base: usize) {
        let plain = self;
        plain.space(base);
        let mut previous = ' ';
        let mut rest = text.char_indices().map(|(at, each)| (base + at, unified(each))).peekable();
        while let Some((at, character)) = rest.next() {
            let next = rest.peek().map_or(' ', |next| next.1);
            if character.is_alphanumeric() || is_inside(previous, character, next) {
                match character.is_ascii() {
                    true => plain.push(character.to_ascii_lowercase(), at),
                    false => character.to_lowercase().for_each(|lower| plain.push(lower, at)),
                }
            } else {
                plain.space(at);
                if !character.is_whitespace() && !character.is_control() {
                    plain.push(character, at);
                    plain.push(' ', at);
                }
            }
            previous = character;
        }
    }

    /// The byte of the original that the byte `at` of the plain text was made from; `None` past the end.
    pub(crate) fn origin(&self, at: usize) -> Option<usize> {
        self.origins.get(at).copied()
    }

    fn push(&mut self, character: char, origin: usize) {
        self.text.push(character);
        self.origins.resize(self.text.len(), origin);
    }

    /// Ends the word, unless it has ended.
    pub(crate) fn space(&mut self, origin: usize) {
        if !self.text.ends_with(' ') {
            self.push(' ', origin);
        }
    }
}

/// Whether a sign belongs to the word or number it stands in.
fn is_inside(previous: char, sign: char, next: char) -> bool {
    let joined = |character: char| character.is_alphanumeric() && !is_east_asian(character);
    match sign {
        '\'' | '-' | '_' => joined(previous) && joined(next),
        '.' | ':' | ',' | '/' => previous.is_ascii_digit() && next.is_ascii_digit(),
        _ => false,
    }
}

/// Whether a letter is of a script written without spaces between words, or with particles attached.
pub(crate) fn is_east_asian(character: char) -> bool {
    matches!(u32::from(character), 0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Whether a character is one of Chinese.
pub(crate) fn is_han(character: char) -> bool {
    matches!(u32::from(character), 0x3400..=0x9fff)
}

/// Whether a character is a syllable of Korean.
pub(crate) fn is_hangul(character: char) -> bool {
    matches!(character, '가'..='힣')
}

/// One sign for those that mean the same.
fn unified(character: char) -> char {
    match character {
        '‘' | '’' | '`' | '´' => '\'',
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' => '"',
        '，' | '、' => ',',
        '。' => '.',
        '：' => ':',
        '；' => ';',
        '？' => '?',
        '！' => '!',
        '（' => '(',
        '）' => ')',
        '–' | '—' => '-',
        other => other,
    }
}
