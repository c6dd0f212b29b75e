//! A conversation as sentences: who says them, where they stand, and what marks they show.
//!
//! Of a person only their own talk is here: no code, quotation, pasted text, and nothing that this memory gave out before. Of the
//! agent everything it said, for what it proposes; tool lines, attachments and the host's own turns are nobody's.

use std::collections::HashSet;
use std::ops::Range;

use rem_format::transcript::{Role, Transcript, TurnKind, TurnPart};
use rem_recall::content_words;

use super::listed::{self, Listed};
use super::mark::{self, Mark};
use super::{fiction, handed, ours, pasted, request, revised, wordings};
use crate::attention::topics::Side;
use crate::attention::triage::{CustomPatterns, Family, triage};
use crate::echo::{GivenOut, Shingles};
use crate::stores::router::{self, Judgement};
use crate::wording::{Language, Talk, contains};

/// Stands in the place of a secret.
const REDACTED: &str = "[redacted";
/// Characters inside quotation marks that are still a name.
const LONGEST_NAME: usize = 30;
/// So many replies of the agent are looked at for words that a person gives back.
const RECENT_REPLIES: usize = 8;
/// So many sentences at the end of a reply may be a proposal.
const PROPOSING: usize = 6;
/// Sentences with more characters than this are no chat.
const LONGEST: usize = 480;

/// A sentence.
#[derive(Debug)]
pub(super) struct Said {
    /// The turn's index in the transcript.
    pub(super) turn: usize,
    /// 1-based lines of the file, end exclusive.
    pub(super) lines: Range<usize>,
    /// As it was written.
    pub(super) text: String,
    pub(super) plain: String,
    pub(super) language: Language,
    pub(super) marks: Vec<Mark>,
    /// What the router makes of it; only for what a person says.
    pub(super) judgement: Option<Judgement>,
    /// Asked in so many words to be remembered.
    pub(super) flagged: bool,
    /// Ends in a colon: what it says comes after it.
    pub(super) leads: bool,
    /// Said after words that what was said before is wrong.
    pub(super) corrects: bool,
    /// The person whom it names.
    pub(super) name: Option<String>,
    pub(super) words: HashSet<String>,
}

/// Who speaks, and what they say without anybody else between.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) is_user: bool,
    pub(super) sentences: Vec<Said>,
}

/// A conversation.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) turns: Vec<Turn>,
    /// What it is worked on, where somebody says so.
    pub(super) project: Option<String>,
    /// The turn from which on a tale or a game is told, if one is.
    pub(super) tale_since: Option<usize>,
    /// Steps that a person listed, with the turn's index and their lines in the file.
    pub(super) listed: Vec<(usize, Range<usize>, String)>,
}

impl Said {
    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    pub(super) fn has_any(&self, marks: &[Mark]) -> bool {
        marks.iter().any(|mark| self.has(*mark))
    }

    /// Whether it is not so, or only somebody's claim, by what the user says of it.
    pub(super) fn is_doubtful(&self) -> bool {
        self.has_any(&[Mark::Denied, Mark::Denies, Mark::Claimed])
    }

    /// Whether both speak of something in the same word.
    pub(super) fn shares_a_word(&self, other: &Self) -> bool {
        !self.words.is_disjoint(&other.words)
    }

    /// How many words say what it is about.
    pub(super) fn size(&self) -> usize {
        self.words.len()
    }
}

/// Words that many sentences share by chance, and their stems.
const SMALL_WORDS: &str = " let let's lets then year week day today tomorrow time thing things one two get got make use used need want like also \
    just good yes now put take keep not never always only first last next new old jahr woche tag heute morgen zeit mal dann machen nehmen \
    immer nie nur erst neue alte gut ";

/// The words of a text that say what it is about, and their stems.
pub(super) fn words_of(text: &str) -> HashSet<String> {
    let words = content_words(text, &[]).into_iter().flat_map(|word| word.tokens);
    let says = |word: &String| match word.is_ascii() {
        true => {
            word.len() > 2 && !contains(SMALL_WORDS, word) || word.bytes().any(|byte| byte.is_ascii_digit())
        }
        false => word.chars().nth(1).is_some(),
    };
    words.filter(says).collect()
}

impl Session {
    pub(super) fn read(transcript: &Transcript) -> Self {
        let given: Vec<Shingles> = transcript
            .turns
            .iter()
            .map(|located| &located.turn)
            .filter(|turn| turn.role == Role::System)
            .map(|turn| Shingles::of(&turn.text()))
            .collect();
        let mut reader = Reader {
            given: given.iter().collect(),
            replies: Vec::new(),
            language: language_of(transcript),
            turns: Vec::new(),
            listed: Vec::new(),
            plays: false,
            project: transcript
                .header
                .topic
                .as_deref()
                .and_then(|topic| wordings::project(topic, Language::English))
                .map(str::to_owned),
        };
        for (index, located) in transcript.turns.iter().enumerate() {
            let is_user = match (located.turn.role, located.turn.kind) {
                (Role::User, TurnKind::Message) => true,
                (Role::Agent, TurnKind::Message) => false,
                _ => continue,
            };
            let mut line = located.lines.start + 1;
            let mut before: Option<&TurnPart> = None;
            for part in &located.turn.body {
                let is_text = matches!(part, TurnPart::Text(_));
                if before.is_some_and(|before| matches!(before, TurnPart::Text(_)) != is_text) {
                    line += 1;
                }
                before = Some(part);
                let TurnPart::Text(text) = part else {
                    line += 1;
                    continue;
                };
                reader.take(index, is_user, text, line..located.lines.end);
                line += 1 + text.matches('\n').count();
            }
        }
        let Reader { turns, project, listed, .. } = reader;
        let mut session = Self { turns, project, tale_since: None, listed };
        revised::put_right(&mut session);
        session.tale_since = super::evidence::tale_since(&session);
        session
    }

    /// What a person says, in order.
    pub(super) fn said(&self) -> impl Iterator<Item = &Said> {
        self.turns.iter().filter(|turn| turn.is_user).flat_map(|turn| &turn.sentences)
    }
}

/// The language that most of a conversation is in.
fn language_of(transcript: &Transcript) -> Language {
    let mut counts = [0_usize; 4];
    let users = transcript.turns.iter().filter(|located| located.turn.role == Role::User);
    for text in users.map(|located| located.turn.text()) {
        if let Some(language) = Language::told(&crate::wording::Plain::of(&text).text) {
            counts[language as usize] += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let languages = [Language::English, Language::German, Language::Korean, Language::Chinese];
    languages.into_iter().find(|language| counts[*language as usize] == most).unwrap_or(Language::English)
}

struct Reader {
    given: GivenOut,
    /// What the agent said, for what comes back of it.
    replies: Vec<Shingles>,
    language: Language,
    turns: Vec<Turn>,
    project: Option<String>,
    listed: Vec<(usize, Range<usize>, String)>,
    /// Whether a game of roles is played.
    plays: bool,
}

impl Reader {
    fn take(&mut self, turn: usize, is_user: bool, text: &str, lines: Range<usize>) {
        let text = match (is_user, self.given.without_echoes(text)) {
            // Lines move up by what is taken out, which happens where nothing of the rest is likely to be kept.
            (true, Some(rest)) => std::borrow::Cow::Owned(rest),
            _ => std::borrow::Cow::Borrowed(text),
        };
        let mut sentences = match is_user {
            true => self.own(turn, &text, lines),
            false => self.replied(turn, &text, lines),
        };
        match self.turns.last_mut() {
            Some(last) if last.is_user == is_user => last.sentences.append(&mut sentences),
            _ => self.turns.push(Turn { is_user, sentences }),
        }
    }

    /// What a person says of their own.
    fn own(&mut self, turn: usize, text: &str, lines: Range<usize>) -> Vec<Said> {
        let (plays, is_played) = fiction::plays(text, self.plays);
        self.plays = plays;
        if is_played {
            return Vec::new();
        }
        let own = &text[..fiction::tale_at(text).unwrap_or(text.len())];
        let own = ours::without(own);
        let own = pasted::own(&own);
        let own = handed::without(&own);
        let own = request::with_code(&own);
        if self.project.is_none() {
            self.project = wordings::project(&own, self.language).map(str::to_owned);
        }
        let replies: GivenOut = self.replies.iter().rev().take(RECENT_REPLIES).collect();
        for Listed { text, lines: within } in listed::listed(&own) {
            let is_echo = self.given.echoes(&text) || replies.echoes_at_length(&text);
            if !is_echo && !text.contains(REDACTED) {
                self.listed.push((turn, lines.start + within.start..lines.start + within.end, text));
            }
        }
        let found = triage(&own, Side::Input, &CustomPatterns::default());
        let asked: Vec<Range<usize>> = found
            .matches
            .into_iter()
            .filter(|found| found.family == Family::Memory)
            .map(|found| found.span)
            .collect();
        let mut said = self.sentences(turn, &own, &lines, usize::MAX);
        said.retain(|(_, said)| {
            let is_long = said.text.chars().count() > LONGEST;
            let is_echo = self.given.echoes(&said.text) || replies.echoes_at_length(&said.text);
            // A comment is markup, and would be one in the note.
            let is_markup = said.text.contains("<!--") || said.text.contains("-->");
            !is_markup
                && !is_long
                && !is_echo
                && !said.text.contains(REDACTED)
                && !quotes_at_length(&said.text)
        });
        let mut sentences: Vec<Said> = Vec::with_capacity(said.len());
        let mut is_complaint = false;
        for (place, mut said) in said {
            if request::points_back(&said.plain) {
                sentences.iter_mut().rev().take(1).for_each(|before| before.flagged = true);
                continue;
            }
            said.flagged = !request::is_promise(&said.plain)
                && asked.iter().any(|span| span.start < place.end && place.start < span.end);
            if let Some(inside) = request::unwrapped(&said.text, said.language) {
                said = Said { flagged: true, ..said.with_text(inside) };
            }
            if let Some(right) = request::corrected(&said.text) {
                said = Said { flagged: true, corrects: true, ..said.with_text(right) };
            } else if let Some(right) = request::right_figure(&said.text) {
                said = Said { flagged: true, ..said.with_text(right) };
            }
            said.leads = own[..place.end].ends_with([':', '：']) || own[place.end..].starts_with([':', '：']);
            if std::mem::replace(&mut is_complaint, request::is_complaint(&said.text)) {
                said = Said { flagged: true, corrects: true, ..said };
            }
            let rest = said.after_chore();
            sentences.push(said);
            sentences.extend(rest);
        }
        sentences.iter_mut().for_each(Said::judge);
        deny_what_came_before(&mut sentences);
        sentences
    }

    fn replied(&mut self, turn: usize, text: &str, lines: Range<usize>) -> Vec<Said> {
        self.replies.push(Shingles::of(text));
        let said = self.sentences(turn, text, &lines, PROPOSING).into_iter().map(|each| each.1);
        said.filter(|said| !said.text.contains(REDACTED)).collect()
    }

    /// The last sentences of a text and their bytes in it.
    fn sentences(
        &self,
        turn: usize,
        text: &str,
        lines: &Range<usize>,
        most: usize,
    ) -> Vec<(Range<usize>, Said)> {
        let talk = Talk::of(text);
        let told = Language::told(&talk.plain.text).unwrap_or(self.language);
        let sentence = |plain: &Range<usize>| {
            let mut place = talk.original(text, plain.clone())?;
            // What ends in a piece of code has the whole of it.
            if text[place.clone()].ends_with('`')
                && let Some(close) = text[place.end..]
                    .find(['`', '\n'])
                    .filter(|close| text[place.end + close..].starts_with('`'))
            {
                place.end += close + 1;
            }
            let mut plain = talk.plain.text[plain.clone()].to_owned();
            let bullet = bullet(&text[place.clone()]);
            if bullet > 0 {
                place.start += bullet;
                plain = crate::wording::Plain::of(&text[place.clone()]).text;
            }
            let line =
                |at: usize| (lines.start + text[..at].matches('\n').count()).min(lines.end.saturating_sub(1));
            let written = text[place.clone()].to_owned();
            let language = match told {
                Language::English | Language::German => Language::told(&plain).unwrap_or(told),
                _ => told,
            };
            let lines = line(place.start)..line(place.end) + 1;
            Some((place, Said::of(turn, lines, written, plain, language)))
        };
        let from = talk.sentences.len().saturating_sub(most);
        talk.sentences[from..].iter().filter_map(|each| sentence(&each.plain)).collect()
    }
}

/// "That's false" says of the sentence before that it is not so.
fn deny_what_came_before(sentences: &mut [Said]) {
    for at in 1..sentences.len() {
        if sentences[at].has(Mark::Denies) {
            sentences[at - 1].marks.push(Mark::Denied);
        }
    }
}

impl Said {
    pub(super) fn of(
        turn: usize,
        lines: Range<usize>,
        text: String,
        plain: String,
        language: Language,
    ) -> Self {
        Self {
            turn,
            lines,
            marks: wordings::marks(&plain, language),
            judgement: None,
            flagged: false,
            leads: false,
            corrects: false,
            name: wordings::name(&text, language).map(str::to_owned),
            words: words_of(&text),
            text,
            plain,
            language,
        }
    }

    /// The same said in other words.
    pub(super) fn with_text(&self, text: String) -> Self {
        let plain = crate::wording::Plain::of(&text).text;
        Self::of(self.turn, self.lines.clone(), text, plain, self.language)
    }

    /// What is said after words that take back what was said before, as a sentence of its own.
    pub(super) fn after_revision(&self) -> Option<Self> {
        let plain = crate::wording::Plain::of(&self.text);
        let after = plain.origin(revised::after(&plain.text)?)?;
        let rest = self.text[after..].trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let mut rest = self.with_text(rest.to_owned());
        rest.judge();
        Some(rest)
    }

    /// What is said after a thing to do, as a sentence of its own: "convert the ounces, I only cook in grams".
    fn after_chore(&self) -> Option<Self> {
        if !self.has(Mark::Chore) {
            return None;
        }
        let comma = self.text.find([',', '，', ';', '；'])?;
        let rest = self.text[comma..].trim_start_matches(|sign: char| !sign.is_alphanumeric());
        let plain = crate::wording::Plain::of(rest).text;
        let rest = Self::of(self.turn, self.lines.clone(), rest.to_owned(), plain, self.language);
        (!rest.has(Mark::Chore)).then_some(rest)
    }

    /// Adds what the router makes of it, and what signs alone tell.
    pub(super) fn judge(&mut self) {
        let judgement = router::judge(&self.text);
        self.marks.extend(mark::of_signals(judgement.signals));
        self.judgement = Some(judgement);
        if self.name.is_some() {
            self.marks.push(Mark::Named);
        }
        if self.text.split_whitespace().any(is_specific)
            || self.plain.split_ascii_whitespace().any(|word| contains(NUMBERS, word))
        {
            self.marks.push(Mark::Specific);
        }
        let is_short = match self.language {
            Language::English | Language::German => self.plain.split_ascii_whitespace().count() <= 6,
            Language::Korean | Language::Chinese => {
                self.plain.chars().filter(|each| each.is_alphanumeric()).count() <= 10
            }
        };
        if self.has(Mark::Thus) && is_short {
            self.marks.push(Mark::Bare);
        }
        // "Can you remember that I get seasick?" asks nothing, and is no piece of work.
        if wordings::after_request(&self.plain, self.language).is_some() {
            self.flagged = true;
            self.marks.retain(|mark| !matches!(mark, Mark::Asks | Mark::OneOff | Mark::Chore));
        }
    }
}

/// Numbers in words.
const NUMBERS: &str = " two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred zwei drei vier fünf sechs \
    sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert ";

/// How many bytes at the beginning of a sentence are the sign of a list.
fn bullet(text: &str) -> usize {
    let rest = text.strip_prefix(['-', '*', '+', '•', '·', '–']);
    rest.filter(|rest| rest.starts_with(char::is_whitespace))
        .map_or(0, |rest| text.len() - rest.trim_start().len())
}

/// Whether a word is a figure, a path, the name of a machine or a thing in quotation marks.
fn is_specific(word: &str) -> bool {
    let inner = word.trim_matches(|sign: char| sign.is_ascii_punctuation() && sign != '/');
    let has_inside = |sign: char| inner.chars().skip(1).any(|each| each == sign) && inner.len() > 4;
    inner.chars().any(|each| each.is_numeric())
        || word.starts_with('`')
        || inner.starts_with('/') && inner.len() > 2
        || has_inside('/')
        || has_inside('_')
        || has_inside('@')
        || inner
            .split('.')
            .filter(|part| {
                part.len() > 1 && part.chars().all(|each| each.is_ascii_alphanumeric() || each == '-')
            })
            .count()
            > 1
}

/// Whether a sentence holds a quotation that is more than a name.
fn quotes_at_length(text: &str) -> bool {
    let mut open: Option<(char, usize)> = None;
    for (count, sign) in text.chars().enumerate() {
        match (open, sign) {
            (Some((close, begin)), sign) if sign == close || close == '“' && sign == '”' => {
                if count - begin > LONGEST_NAME {
                    return true;
                }
                open = None;
            }
            (None, '"') => open = Some(('"', count)),
            (None, '“') => open = Some(('”', count)),
            (None, '„') => open = Some(('“', count)),
            (None, '「') => open = Some(('」', count)),
            (None, '«') => open = Some(('»', count)),
            _ => {}
        }
    }
    false
}
