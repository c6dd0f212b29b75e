//! Echoes (T10): text that this memory gave out and that comes back as if somebody had said it.
//!
//! A text is taken as shingles: overlapping runs of five words, or of eight characters in scripts that set no words apart, without
//! case, punctuation, markup and comments. What comes back is compared line by line with the shingles of what was given out, so
//! that part of it, joined or wrapped anew, is still known. The invariant is that news wins: a line with a word that was not given
//! out is no echo unless the word is a filler, and neither is one that leaves a word out or only shares a phrase. An echo is not
//! kept, so a correction must never be taken for one.
//! Pure; must not know what was given out to whom (`handed_out.rs` does).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use unicode_normalization::UnicodeNormalization as _;

/// What a shingle weighs: five words of 8, eight characters of 5.
const SHINGLE: usize = 40;
const WORD: usize = 8;
const CHARACTER: usize = 5;
/// The share of a line's shingles that must be known.
const CONTAINED: f64 = 0.6;
/// A line of fewer units must be known wholly; a longer one may have a filler changed.
const LONG_LINE: usize = 12;
/// Words in a line that says nothing by itself, between echoes.
const FRAMING: usize = 3;
/// So many words in a clause of their own are somebody's, beside an echo in one line.
const LEAST_OWN: usize = 3;
/// Echoes are taken out of a message when they are at least so many lines together, or so many words' weight.
const FEWEST_LINES: usize = 2;
const LEAST_WEIGHT: usize = 15 * WORD;

/// Words that deny what stands beside them, or want something done with it. Who says them around an echo has something to say. In
/// scripts that set no words apart every character tells.
static NEGATIONS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| NEGATING.split_ascii_whitespace().collect());
const NEGATING: &str = "not no never without don't doesn't didn't isn't aren't wasn't weren't can't cannot won't nor neither \
    false wrong incorrect untrue mistaken outdated obsolete cancel forget delete remove erase stop change replace update undo \
    correct fix nicht kein keine keinen keiner nie niemals ohne nichts falsch unwahr veraltet lösche lösch entferne vergiss streiche \
    streich ändere ändern korrigiere stimmt absagen";

/// The shingles of a text, as hashes: what it said cannot be read from them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shingles(Vec<u32>);

impl Shingles {
    /// The shingles of a text; of each line that is too short for one, the line itself.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lines = lines_of(text);
        let units: Vec<&Unit> = lines.iter().flat_map(|line| &line.units).collect();
        let mut hashes: Vec<u32> = windows(&units).map(|(_, hash)| hash).collect();
        hashes.extend(lines.iter().filter_map(Line::short));
        hashes.extend(lines.iter().filter_map(Line::tail).map(|(_, hash)| hash));
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }

    /// The hashes, sorted, each once.
    #[must_use]
    pub fn hashes(&self) -> &[u32] {
        &self.0
    }

    /// As [`Self::hashes`] gave them.
    #[must_use]
    pub fn from_hashes(mut hashes: Vec<u32>) -> Self {
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes)
    }

    /// Which share of these shingles the other text has too, from 0 to 1; 0 where there are none.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "a text has few shingles")]
    pub fn contained_in(&self, other: &Self) -> f64 {
        let shared = self.0.iter().filter(|hash| other.0.binary_search(hash).is_ok()).count();
        if self.0.is_empty() { 0.0 } else { shared as f64 / self.0.len() as f64 }
    }
}

/// What was given out, ready to be compared with.
#[derive(Debug, Clone, Default)]
pub struct GivenOut(FxHashSet<u32>);

impl<'a> FromIterator<&'a Shingles> for GivenOut {
    fn from_iter<T: IntoIterator<Item = &'a Shingles>>(texts: T) -> Self {
        texts.into_iter().flat_map(|shingles| &shingles.0).copied().collect()
    }
}

/// From the hashes of shingles.
impl FromIterator<u32> for GivenOut {
    fn from_iter<T: IntoIterator<Item = u32>>(hashes: T) -> Self {
        Self(hashes.into_iter().collect())
    }
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It was given out.
    Echo,
    /// It says nothing by itself.
    Framing,
    /// Somebody says it.
    News,
}

impl GivenOut {
    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text is nothing but an echo.
    #[must_use]
    pub fn echoes(&self, text: &str) -> bool {
        let verdicts = self.verdicts(&lines_of(text));
        verdicts.contains(&Verdict::Echo) && !verdicts.contains(&Verdict::News)
    }

    /// Whether a text of some length is nothing but an echo: one that nobody says in the same words by chance.
    #[must_use]
    pub fn echoes_at_length(&self, text: &str) -> bool {
        lines_of(text).iter().map(Line::weight).sum::<usize>() >= LEAST_WEIGHT && self.echoes(text)
    }

    /// The text without the longer echoes in it; nothing where there are none. What somebody wrote around them stays as it is.
    #[must_use]
    pub fn without_echoes(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let lines = lines_of(text);
        let verdicts = self.verdicts(&lines);
        let mut gone = vec![false; lines.len()];
        let mut at = 0;
        while at < lines.len() {
            if verdicts[at] != Verdict::Echo {
                at += 1;
                continue;
            }
            // On to the last echo before somebody speaks.
            let (mut end, mut last) = (at, at);
            while end < lines.len() && verdicts[end] != Verdict::News {
                if verdicts[end] == Verdict::Echo {
                    last = end;
                }
                end += 1;
            }
            let echoes = (at..=last).filter(|line| verdicts[*line] == Verdict::Echo);
            let (count, weight) =
                echoes.fold((0, 0), |(count, weight), line| (count + 1, weight + lines[line].weight()));
            if count >= FEWEST_LINES || weight >= LEAST_WEIGHT {
                // Headings and labels that lead up to it belong to it; what follows may be somebody's.
                let mut first = at;
                while first > 0 && verdicts[first - 1] == Verdict::Framing && lines[first - 1].leads() {
                    first -= 1;
                }
                let mut end = last;
                while end + 1 < lines.len() && lines[end + 1].closes() {
                    end += 1;
                }
                gone[first..=end].fill(true);
            }
            at = last + 1;
        }
        if !gone.contains(&true) {
            return None;
        }
        let kept = text.split_inclusive('\n').zip(&gone).filter(|(_, gone)| !**gone).map(|(line, _)| line);
        Some(kept.collect::<String>().trim().to_owned())
    }

    fn verdicts(&self, lines: &[Line<'_>]) -> Vec<Verdict> {
        let units: Vec<&Unit> = lines.iter().flat_map(|line| &line.units).collect();
        let mut is_covered = vec![false; units.len()];
        let mut known_starts = vec![false; units.len()];
        // Units that are known together with the one before them.
        let mut is_joined = vec![false; units.len()];
        for (start, (length, hash)) in windows(&units).enumerate() {
            if self.0.contains(&hash) {
                known_starts[start] = true;
                is_covered[start..start + length].fill(true);
                is_joined[start + 1..start + length].fill(true);
            }
        }
        let mut first = 0;
        let mut verdicts = Vec::with_capacity(lines.len());
        for line in lines {
            let place = first..first + line.units.len();
            first = place.end;
            if let Some((start, hash)) = line.tail()
                && self.0.contains(&hash)
            {
                is_covered[place.start + start..place.end].fill(true);
                is_joined[place.start + start + 1..place.end].fill(true);
            }
            // Known words that meet and did not stand together: one between them is left out, which may be a "not".
            let leaves_out = (1..line.units.len()).any(|at| {
                let unit = place.start + at;
                let is_known = is_covered[unit - 1] && is_covered[unit];
                is_known && !is_joined[unit] && !line.units[at].begins_clause
            });
            verdicts.push(match leaves_out {
                true => Verdict::News,
                false => self.verdict(line, &is_covered[place.clone()], &known_starts[place]),
            });
        }
        verdicts
    }

    #[allow(clippy::cast_precision_loss, reason = "a line has few shingles")]
    fn verdict(&self, line: &Line<'_>, is_covered: &[bool], known_starts: &[bool]) -> Verdict {
        let units: Vec<&Unit> = line.units.iter().collect();
        // Runs that go on into the next line tell nothing about this one.
        let inner = windows(&units).count();
        let known = known_starts.iter().take(inner).filter(|known| **known).count();
        let is_whole = is_covered.iter().all(|covered| *covered);
        let is_known_short = line.short().is_some_and(|hash| self.0.contains(&hash));
        let is_contained = inner == 0 || known as f64 >= CONTAINED * inner as f64;
        let tells_news = units.iter().zip(is_covered).any(|(unit, covered)| !covered && !unit.is_filler);
        let is_echo = match units.len() {
            0 => false,
            length if length >= LONG_LINE => inner > 0 && is_contained && !tells_news,
            _ => is_known_short || is_whole && is_contained,
        };
        match is_echo {
            true if inner > 0 && line.asks_or_adds(is_covered) => Verdict::News,
            true => Verdict::Echo,
            false if units.is_empty() => Verdict::Framing,
            false if units.iter().any(|unit| unit.denies) => Verdict::News,
            false
                if line.text.trim_end().ends_with([':', '：']) || line.text.trim_start().starts_with('#') =>
            {
                if units.len() < LONG_LINE {
                    Verdict::Framing
                } else {
                    Verdict::News
                }
            }
            false if units.len() <= FRAMING && units.iter().all(|unit| !unit.tells) => Verdict::Framing,
            false => Verdict::News,
        }
    }
}

/// A word, or a character of a script that sets no words apart.
#[derive(Debug, Clone, Copy)]
struct Unit {
    hash: u64,
    weight: usize,
    /// Whether it may be what a text is about: a number, a name, a negation, a character.
    tells: bool,
    /// Whether it denies what stands beside it, or wants something done with it.
    denies: bool,
    /// Whether another of its kind would say the same.
    is_filler: bool,
    /// Whether it is the first of a line or follows punctuation: what stood elsewhere may have been joined there.
    begins_clause: bool,
}

/// A line of a text, as it stands and as units.
struct Line<'a> {
    text: &'a str,
    units: Vec<Unit>,
}

impl Line<'_> {
    fn weight(&self) -> usize {
        self.units.iter().map(|unit| unit.weight).sum()
    }

    /// The line as one, where it is too short for a shingle.
    fn short(&self) -> Option<u32> {
        (!self.units.is_empty() && self.weight() < SHINGLE).then(|| hash_of(self.units.iter()))
    }

    /// The last units that weigh enough for a shingle: where they begin in the line, and their hash. Words and characters weigh
    /// differently, so that the runs from the front may leave the last unit out.
    fn tail(&self) -> Option<(usize, u32)> {
        let mut weight = 0;
        let back = self.units.iter().rev().position(|unit| {
            weight += unit.weight;
            weight >= SHINGLE
        })?;
        let start = self.units.len() - 1 - back;
        Some((start, hash_of(self.units[start..].iter())))
    }

    /// Whether a clause before or after what was given out is somebody's own: "Where did you get this from: …".
    fn asks_or_adds(&self, is_covered: &[bool]) -> bool {
        const ENDS: [char; 9] = ['.', '?', '!', ':', ',', ';', '"', '“', '–'];
        let text = self.text.trim_end().trim_end_matches(ENDS);
        let units = is_covered.len();
        let is_own = |place: Range<usize>| {
            place.len() >= LEAST_OWN && place.len() < units && !is_covered[place].contains(&true)
        };
        let before = text.find(ENDS).map(|at| units_of(&text[..at]).len().min(units));
        let after = text.rfind(ENDS).map(|at| units_of(&text[at..]).len().min(units));
        before.is_some_and(|count| is_own(0..count))
            || after.is_some_and(|count| is_own(units - count..units))
    }

    /// Whether it can be what stands above an echo: a label, a heading, the opening of a fence.
    fn leads(&self) -> bool {
        let text = self.text.trim();
        text.is_empty() || text.starts_with(['#', '<', '`', '~']) || text.ends_with([':', '：'])
    }

    /// Whether it can be what stands below an echo: the end of a fence.
    fn closes(&self) -> bool {
        let text = self.text.trim();
        text.starts_with("```") || text.starts_with("~~~") || text.starts_with("</")
    }
}

/// The runs of units that weigh enough for a shingle: their lengths and hashes, one for each unit that begins one.
fn windows<'u>(units: &'u [&'u Unit]) -> impl Iterator<Item = (usize, u32)> + 'u {
    (0..units.len()).map_while(|start| {
        let mut weight = 0;
        let length = 1 + units[start..].iter().position(|unit| {
            weight += unit.weight;
            weight >= SHINGLE
        })?;
        Some((length, hash_of(units[start..start + length].iter().copied())))
    })
}

fn hash_of<'u>(units: impl Iterator<Item = &'u Unit>) -> u32 {
    let mixed = units.fold(0xcbf2_9ce4_8422_2325_u64, |hash, unit| {
        (hash.rotate_left(5) ^ unit.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    // The upper half is the better mixed one.
    u32::try_from(mixed >> 32).unwrap_or(u32::MAX)
}

/// The lines of a text with their units. Comments say nothing, and neither does what marks a line as quoted or as an item.
fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut in_comment = false;
    text.split_inclusive('\n')
        .map(|line| {
            let mut said = String::new();
            let mut rest = line;
            loop {
                let mark = if in_comment { "-->" } else { "<!--" };
                let (before, after) = match rest.split_once(mark) {
                    Some((before, after)) => (before, Some(after)),
                    None => (rest, None),
                };
                if !in_comment {
                    said.push_str(before);
                    said.push(' ');
                }
                let Some(after) = after else { break };
                in_comment = !in_comment;
                rest = after;
            }
            Line { text: line, units: units_of(&said) }
        })
        .collect()
}

fn units_of(text: &str) -> Vec<Unit> {
    let text = match text.is_ascii() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfkc().collect()),
    };
    let mut units = Vec::new();
    let mut word = String::new();
    let (mut begins, mut begins_clause) = (true, true);
    let finish = |word: &mut String, begins: &mut bool, begins_clause: &mut bool, units: &mut Vec<Unit>| {
        let said = word.trim_matches('\'');
        if !said.is_empty() {
            let folded = said.to_lowercase();
            let is_name = !*begins && said.starts_with(char::is_uppercase);
            let denies = NEGATIONS.contains(folded.as_str());
            let tells = is_name || denies || folded.contains(char::is_numeric);
            let is_filler = rem_recall::is_filler(&folded);
            let hash = hash_bytes(folded.as_bytes());
            units.push(Unit { hash, weight: WORD, tells, denies, is_filler, begins_clause: *begins_clause });
            (*begins, *begins_clause) = (false, false);
        }
        word.clear();
    };
    for each in text.chars() {
        let each = if each == '’' { '\'' } else { each };
        if sets_no_words_apart(each) {
            finish(&mut word, &mut begins, &mut begins_clause, &mut units);
            let mut bytes = [0; 4];
            let hash = hash_bytes(each.encode_utf8(&mut bytes).as_bytes());
            let (tells, denies, is_filler) = (true, false, false);
            units.push(Unit { hash, weight: CHARACTER, tells, denies, is_filler, begins_clause });
            (begins, begins_clause) = (false, false);
        } else if each.is_alphanumeric() || each == '\'' {
            word.push(each);
        } else {
            finish(&mut word, &mut begins, &mut begins_clause, &mut units);
            begins |= matches!(each, '.' | '!' | '?' | ':');
            begins_clause |= !each.is_whitespace() && !matches!(each, '*' | '_' | '~' | '`' | '-' | '/');
        }
    }
    finish(&mut word, &mut begins, &mut begins_clause, &mut units);
    units
}

/// Chinese, Japanese, Korean (whose words change with their endings), and the scripts of South-East Asia.
fn sets_no_words_apart(each: char) -> bool {
    each.is_alphanumeric()
        && matches!(u32::from(each),
            0x0e00..=0x0eff | 0x1000..=0x109f | 0x1100..=0x11ff | 0x1780..=0x17ff | 0x3005..=0x30ff | 0x3130..=0x318f
            | 0x31f0..=0x31ff | 0x3400..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
