//! Which of the words that patterns need a text holds.
//!
//! Words are compared without regard to the case of ASCII letters. A file of words has sections, `[name]`, with a line for each
//! pattern: clauses between tabs, of each of which every match holds one word; words between `|`, which none of them holds.

use memchr::memmem;

/// The lines of a section.
pub(super) fn section<'w>(words: &'w str, name: &str) -> impl Iterator<Item = &'w str> {
    let lines = words.lines().skip_while(move |line| !is_heading(line, name)).skip(1);
    lines.take_while(|line| !line.starts_with('['))
}

fn is_heading(line: &str, name: &str) -> bool {
    line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) == Some(name)
}

/// A text in which words are looked for.
pub(super) struct Held {
    text: Vec<u8>,
    /// A bit for each two bytes that stand side by side in the text: most words are told from it not to be there.
    pairs: Box<[u64; 1024]>,
}

impl Held {
    /// By a text.
    pub(super) fn by(text: &str) -> Self {
        let text = text.to_ascii_lowercase().into_bytes();
        let mut pairs = Box::new([0; 1024]);
        for pair in text.windows(2) {
            let (place, bit) = place(pair);
            pairs[place] |= bit;
        }
        Self { text, pairs }
    }

    /// Whether the text holds a word of each clause of a line.
    pub(super) fn all_of(&self, line: &str) -> bool {
        line.is_empty() || line.split('\t').all(|clause| self.one_of(clause))
    }

    fn one_of(&self, clause: &str) -> bool {
        clause.split('|').any(|word| !word.is_empty() && self.holds(word.as_bytes()))
    }

    fn holds(&self, word: &[u8]) -> bool {
        let could = word.windows(2).all(|pair| {
            let (place, bit) = place(pair);
            self.pairs[place] & bit != 0
        });
        could && memmem::find(&self.text, word).is_some()
    }
}

/// The place of two bytes in the map.
fn place(pair: &[u8]) -> (usize, u64) {
    match pair {
        [first, second] => (usize::from(*first) << 2 | usize::from(second >> 6), 1 << (second & 63)),
        _ => (0, 0),
    }
}
