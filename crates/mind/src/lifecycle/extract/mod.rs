//! Extractors: what a conversation holds that is worth keeping, taken out by rules and learned weights (L1; seed A8.3).
//!
//! `session` reads a transcript as sentences of people (`pasted` and `ours` take out what they only pasted, `handed` what they only want worked on, `fiction` what they invented, `request` finds what they ask
//! to remember), `wordings` and the router give each sentence its marks, `context` those that it has by what was said before, `subject`
//! says whom it is about, `revised` whether it takes back the one before and `outdated` all that was taken back. `decisions`, `lessons`, `people`, `procedures` and `facts`
//! each say in rows of marks what speaks for a sentence being theirs, `evidence` collects all that does and `weights` says what it
//! comes to; `listed` finds steps in a list; `journal` picks what is worth telling of the day, under a `title`. `clean` makes the note.
//! Pure: the same transcript gives the same extractions. Nothing is written, and no model is asked. What tools, the host, quoted
//! texts and this memory itself said is nobody's memory; of what the agent says only what the user accepted is.

mod asked;
mod behaviour;
mod clean;
mod context;
mod decisions;
mod evidence;
mod extractor;
mod facts;
mod fiction;
mod grounding;
mod handed;
mod journal;
mod lessons;
mod listed;
mod mark;
mod ours;
mod outdated;
mod pasted;
mod people;
mod preference;
mod preview;
mod procedures;
mod request;
mod revised;
mod session;
mod subject;
mod title;
mod weights;
mod wordings;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod training;

use std::ops::Range;

use rem_format::transcript::Transcript;
use serde::Serialize;

use crate::stores::router::{self, Kind};
use crate::wording::Plain;
use extractor::Extractor;
use mark::Mark;
use outdated::{is_outdated, previous};
use session::{Said, Session};

pub(crate) use asked::Extracted;
pub(crate) use behaviour::{behaviour, own_sentences};
pub(crate) use grounding::{adds_nothing, is_told_by, shares};
pub(crate) use journal::tellable;
pub use preview::ExtractionPreview;
pub(crate) use title::standing_title;

/// What an extraction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtractionKind {
    /// What was settled.
    Decision,
    /// What was learned and holds for next time.
    Lesson,
    /// Something lasting about a person.
    Person,
    /// How something is done.
    Procedure,
    /// Something lasting about the user's world.
    Fact,
    /// What is worth telling of the day.
    Journal,
}

impl ExtractionKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Decision, Self::Lesson, Self::Person, Self::Procedure, Self::Fact, Self::Journal];

    /// Its word in answers and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Lesson => "lesson",
            Self::Person => "person",
            Self::Procedure => "procedure",
            Self::Fact => "fact",
            Self::Journal => "journal",
        }
    }
}

/// Where in a transcript it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtractionSource {
    /// The turn's index, from 0.
    pub turn: usize,
    /// 1-based lines of the file, end exclusive.
    pub lines: Range<usize>,
}

/// Something taken out of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extraction {
    /// What it is.
    pub kind: ExtractionKind,
    /// The note, in the sender's language and mostly in their words.
    pub text: String,
    /// What it belongs to; of decisions only.
    pub project: Option<String>,
    /// Why, as it was said; of decisions only.
    pub reason: Option<String>,
    /// Whom it is about, `user` for the user; of persons only, and where a name is said.
    pub person: Option<String>,
    /// Up to five of its own words, folded.
    pub tags: Vec<String>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Where it was said, or where the first of its sentences was.
    pub source: ExtractionSource,
    /// Where its other sentences were said, if it has any.
    pub further: Vec<ExtractionSource>,
    /// The version of the extractor that took it; its name is the kind's.
    pub version: u32,
    /// Whether it was asked in so many words to be remembered.
    pub flagged: bool,
}

/// The extractors in the order in which a sentence is offered to them: what fits two kinds is of the first.
const ORDER: [&Extractor; 5] = [
    &lessons::EXTRACTOR,
    &procedures::EXTRACTOR,
    &decisions::EXTRACTOR,
    &people::EXTRACTOR,
    &facts::EXTRACTOR,
];
/// How sure it is of what was asked to be remembered, in hundredths.
const FLAGGED: u8 = 95;
/// How sure it is at least of how the user likes to be answered, in hundredths.
const MANNER: u8 = 85;
/// How sure it is at least of what is headed as a lesson, in hundredths.
const LABELLED: u8 = 85;
/// How sure it is of steps that a person listed, in hundredths.
const LISTED: u8 = 90;
/// How sure it is of what the agent said and the user accepted, in hundredths.
const ACCEPTED: u8 = 80;

/// What is written down of who read a transcript, where the rules did.
pub(crate) fn by_rules() -> String {
    format!("rules:{}", versions())
}

/// What is written down of who told of a transcript in the journal, where the rules did.
pub(crate) fn told_by_rules() -> String {
    format!("{}.{}", by_rules(), journal::VERSION)
}

/// The versions of the extractors, in the order of [`ORDER`]: `1.1.1.1.1`.
fn versions() -> String {
    ORDER.map(|extractor| extractor.version.to_string()).join(".")
}

impl Extraction {
    fn of(kind: ExtractionKind, version: u32, said: &Said, text: String, confidence: u8) -> Self {
        Self {
            kind,
            tags: router::tags(&text),
            text,
            project: None,
            reason: None,
            person: None,
            confidence: f64::from(confidence) / 100.0,
            source: ExtractionSource { turn: said.turn, lines: said.lines.clone() },
            further: Vec::new(),
            version,
            flagged: said.flagged,
        }
    }
}

/// Everything that the extractors take out of a transcript, in the order of the conversation, the journal last.
///
/// Each sentence becomes at most one memory, and may be told in the journal besides.
#[must_use]
pub fn extract(transcript: &Transcript) -> Vec<Extraction> {
    let mut session = Session::read(transcript);
    context::add_marks(&mut session);
    let mut taken = Vec::new();
    for (at, turn) in session.turns.iter().enumerate().filter(|(_, turn)| turn.is_user) {
        let mut last: Option<usize> = None;
        for (place, said) in turn.sentences.iter().enumerate() {
            let found = taken_from((at, place), &session)
                .filter(|each| !is_outdated(each.kind, said, (at, place), &session));
            let is_next = place.checked_sub(1) == last && last.is_some();
            match (found, taken.last_mut()) {
                // Steps and rules in a row are one procedure.
                (Some(found), Some(before)) if is_next && goes_on(before, &found) => {
                    before.join(&found);
                    last = Some(place);
                }
                (Some(mut found), _) => {
                    // What happened, told before what was learned from it.
                    let story = place.checked_sub(1).filter(|before| {
                        matches!(found.kind, ExtractionKind::Lesson | ExtractionKind::Procedure)
                            && last != Some(*before)
                    });
                    if let Some(story) =
                        story.map(|before| &turn.sentences[before]).filter(|said| is_story(said))
                    {
                        // A rule with the story of how it was learned is a lesson.
                        let lesson = &lessons::EXTRACTOR;
                        let mut told =
                            Extraction::of(lesson.kind, lesson.version, story, clean::note(story), 0);
                        told.join(&found);
                        found = told;
                    }
                    taken.push(found);
                    last = Some(place);
                }
                // What happened, told after what was learned from it.
                (None, Some(before))
                    if is_next && before.kind == ExtractionKind::Lesson && is_story(said) =>
                {
                    before.join(&Extraction::of(before.kind, before.version, said, clean::note(said), 0));
                }
                (None, _) => taken.extend(instead((at, place), &session)),
            }
        }
    }
    for (at, place) in decisions::accepted(&session) {
        let said = &session.turns[at].sentences[place];
        if !is_outdated(ExtractionKind::Decision, said, (at + 1, usize::MAX), &session) {
            let note = decisions::settled(&clean::note(said));
            taken.push(decision_in(note, said, ACCEPTED, &session));
        }
    }
    for (turn, lines, text) in &session.listed {
        let is_within =
            |each: &Extraction| each.source.turn == *turn && lines.contains(&each.source.lines.start);
        let is_said_within = |said: &Said| said.turn == *turn && lines.contains(&said.lines.start);
        let flagged = session.said().any(|said| is_said_within(said) && said.flagged);
        // What its sentences say by themselves is part of it.
        taken.retain(|each| !is_within(each));
        taken.push(Extraction {
            kind: ExtractionKind::Procedure,
            tags: router::tags(text),
            text: text.clone(),
            project: None,
            reason: None,
            person: None,
            confidence: f64::from(if flagged { FLAGGED } else { LISTED }) / 100.0,
            source: ExtractionSource { turn: *turn, lines: lines.clone() },
            further: Vec::new(),
            version: procedures::EXTRACTOR.version,
            flagged,
        });
    }
    taken.sort_by_key(|each| (each.source.turn, each.source.lines.start));
    drop_repetitions(&mut taken);
    let journal = journal::entries(&session, &taken);
    taken.extend(journal);
    taken
}

/// Whether a sentence only tells what happened.
fn is_story(said: &Said) -> bool {
    said.has(Mark::Incident)
        && said.has(Mark::Past)
        && !said.is_doubtful()
        && !said.has_any(lessons::EXTRACTOR.never)
}

/// Whether a procedure goes on with the next sentence, or the story of a lesson comes before it.
fn goes_on(before: &Extraction, next: &Extraction) -> bool {
    before.kind == next.kind && matches!(next.kind, ExtractionKind::Procedure | ExtractionKind::Lesson)
}

impl Extraction {
    /// Takes in another one, which was said after it.
    fn join(&mut self, other: &Self) {
        let is_ended = self.text.ends_with(['.', '!', ':', ',', ';', '。', '！', '：']);
        self.text.push_str(if is_ended { " " } else { ". " });
        self.text.push_str(&other.text);
        if !std::iter::once(&self.source).chain(&self.further).any(|source| *source == other.source) {
            self.further.push(other.source.clone());
        }
        self.further.extend(other.further.iter().cloned());
        self.tags = router::tags(&self.text);
        self.confidence = self.confidence.max(other.confidence);
        self.flagged |= other.flagged;
    }
}

/// What is decided in the place of what it takes back: "I changed my mind, we release on Thursdays".
fn instead(at: (usize, usize), session: &Session) -> Option<Extraction> {
    let said = &session.turns[at.0].sentences[at.1];
    let rest = said.after_revision()?;
    if !rest.has_any(&[Mark::We, Mark::Settles]) || rest.has_any(&[Mark::Asks, Mark::Hedges, Mark::Tiny]) {
        return None;
    }
    let own = session.turns.iter().enumerate().filter(|(_, turn)| turn.is_user);
    let mut before = own.flat_map(|(at, turn)| (0..turn.sentences.len()).map(move |place| (at, place)));
    let is_decided = |before: (usize, usize)| {
        let (earlier, is_next) =
            (&session.turns[before.0].sentences[before.1], before == previous(at, session));
        revised::takes_back(earlier, said, is_next)
            && taken_from(before, session).is_some_and(|each| each.kind == ExtractionKind::Decision)
    };
    before
        .by_ref()
        .take_while(|before| *before < at)
        .any(is_decided)
        .then(|| decision(&rest, ACCEPTED, session))
}

fn taken_from(at: (usize, usize), session: &Session) -> Option<Extraction> {
    let said = &session.turns[at.0].sentences[at.1];
    if said.is_doubtful() {
        return None;
    }
    if said.has(Mark::Muses) && !said.flagged {
        return None;
    }
    // Half a sentence; what it leads to is not the user's own, or none.
    if said.flagged && said.leads {
        return None;
    }
    // "It runs at 03:00": what does is not told, and what it puts right was not found.
    if said.corrects && !said.has(Mark::Resolved) && !subject::is_told(&said.plain, said.language) {
        return None;
    }
    let by_rows = || ORDER.iter().find_map(|extractor| Some((*extractor, extractor.takes(said)?)));
    let asked = || by_rows().or_else(|| Some((asked_for(said)?, FLAGGED)));
    let taken = weights::taken(session, at);
    let is_plain_taste =
        !said.has_any(people::EXTRACTOR.never) && preference::is_plain(&said.text, said.language);
    let taken = if is_plain_taste { Some((&people::EXTRACTOR, ACCEPTED)) } else { taken };
    let taken = match taken {
        Some((extractor, confidence))
            if extractor.kind == ExtractionKind::Decision && confidence >= ACCEPTED =>
        {
            taken
        }
        _ if decisions::is_plain(said) => Some((&decisions::EXTRACTOR, ACCEPTED)),
        _ => taken,
    };
    let (extractor, confidence) = if said.flagged { taken.or_else(asked) } else { taken }?;
    let (extractor, confidence) = made_plain(said, extractor, confidence);
    let confidence = if said.flagged { FLAGGED } else { confidence };
    if extractor.kind == ExtractionKind::Decision {
        return Some(decision(said, confidence, session));
    }
    let mut text = clean::note(said);
    let mut person = None;
    if extractor.kind == ExtractionKind::Person {
        let is_user = said.has_any(&[Mark::First, Mark::Own]) || !said.has_any(&[Mark::Kin, Mark::Pronoun]);
        let is_own = says_of_themselves(said);
        person = said.name.clone().filter(|_| !is_own).or_else(|| is_user.then(|| router::USER.to_owned()));
        if let Some(name) = said.name.as_ref().filter(|_| said.has(Mark::Resolved)) {
            text = format!("{name}: {text}");
        }
    }
    Some(Extraction { person, ..Extraction::of(extractor.kind, extractor.version, said, text, confidence) })
}

/// Whether the user is what a sentence is about, whoever else is named in it.
fn says_of_themselves(said: &Said) -> bool {
    let plain = Plain::of(&clean::note(said)).text;
    subject::begins_with_user(&plain, said.language) && !said.has_any(&[Mark::Kin, Mark::Pronoun])
}

/// What some wordings say so plainly that the weights, which saw few of them, need not be asked whose they are or how sure that is.
fn made_plain(said: &Said, extractor: &'static Extractor, confidence: u8) -> (&'static Extractor, u8) {
    let all = |marks: &[Mark]| marks.iter().all(|mark| said.has(*mark));
    if request::is_headed_lesson(&said.text) && !said.has_any(lessons::EXTRACTOR.never) {
        return (&lessons::EXTRACTOR, confidence.max(LABELLED));
    }
    // "Remember that I work nights" is no procedure.
    let is_rule =
        [Mark::Must, Mark::Rule, Mark::Always, Mark::Condition, Mark::Ordered, Mark::Learned, Mark::Past];
    if said.flagged
        && matches!(extractor.kind, ExtractionKind::Lesson | ExtractionKind::Procedure | ExtractionKind::Fact)
        && says_of_themselves(said)
        && !said.has_any(&is_rule)
    {
        return (&people::EXTRACTOR, confidence);
    }
    if extractor.kind != ExtractionKind::Person || said.has_any(&[Mark::Named, Mark::Kin]) {
        return (extractor, confidence);
    }
    // What to do in a case: "if it isn't up after five minutes, roll back and call me".
    if all(&[Mark::Condition, Mark::Addressed, Mark::Handlings]) && !said.has(Mark::Taste) {
        return (&procedures::EXTRACTOR, confidence);
    }
    // How the user likes to be answered: "I prefer short answers".
    let is_core = said
        .judgement
        .is_some_and(|judged| judged.store == Some(router::StoreKind::Core) && judged.likelihood >= 0.95);
    if is_core && all(&[Mark::Manner, Mark::Addressed, Mark::First, Mark::Taste]) {
        return (extractor, confidence.max(MANNER));
    }
    (extractor, confidence)
}

/// Whose a sentence is that no extractor takes, and that was asked to be remembered: by what the router makes of it.
fn asked_for(said: &Said) -> Option<&'static Extractor> {
    let is_never =
        said.has_any(&[Mark::Asks, Mark::Supposes, Mark::Reports, Mark::Tells, Mark::Secret, Mark::Tiny]);
    let judged = said.judgement.filter(|_| said.flagged && !is_never)?;
    judged.store?;
    Some(match judged.kind {
        Kind::Preference | Kind::Identity => &people::EXTRACTOR,
        // "We have not decided yet."
        Kind::Decision if said.has(Mark::Hedges) => return None,
        Kind::Decision => &decisions::EXTRACTOR,
        Kind::Rule | Kind::Howto => &procedures::EXTRACTOR,
        Kind::Event | Kind::Relation | Kind::Fact | Kind::Pin | Kind::Focus => &facts::EXTRACTOR,
    })
}

fn decision(said: &Said, confidence: u8, session: &Session) -> Extraction {
    decision_in(clean::note(said), said, confidence, session)
}

/// A decision in these words.
fn decision_in(text: String, said: &Said, confidence: u8, session: &Session) -> Extraction {
    let extractor = &decisions::EXTRACTOR;
    Extraction {
        project: session.project.clone(),
        reason: decisions::reason(said, &text),
        ..Extraction::of(extractor.kind, extractor.version, said, text, confidence)
    }
}

/// The share of words by which two notes of a kind say the same.
const SAME: f64 = 0.8;

/// Of notes that say the same, the last one stays.
fn drop_repetitions(taken: &mut Vec<Extraction>) {
    let words: Vec<_> = taken.iter().map(|each| session::words_of(&each.text)).collect();
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let is_within = |one: usize, other: usize| {
        let shared = words[one].intersection(&words[other]).count();
        shared > 0 && shared as f64 >= SAME * words[one].len() as f64
    };
    let repeated: Vec<bool> = (0..taken.len())
        .map(|one| {
            (one + 1..taken.len()).any(|other| taken[one].kind == taken[other].kind && is_within(one, other))
        })
        .collect();
    let mut repeated = repeated.into_iter();
    taken.retain(|_| !repeated.next().unwrap_or(false));
}

/// Of what several kinds say of the same place in the same words, one stays: each has exactly one primary tag.
fn drop_other_kinds(taken: &mut Vec<Extraction>) {
    let rank = |kind: ExtractionKind| ORDER.iter().position(|extractor| extractor.kind == kind);
    let words: Vec<_> = taken.iter().map(|each| session::words_of(&each.text)).collect();
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let says_same = |one: usize, other: usize| {
        let shared = words[one].intersection(&words[other]).count() as f64;
        shared > 0.0 && shared >= SAME * words[one].len().min(words[other].len()) as f64
    };
    let is_other = |at: usize| {
        (0..taken.len()).any(|other| {
            taken[other].source == taken[at].source
                && says_same(at, other)
                && rank(taken[other].kind) < rank(taken[at].kind)
        })
    };
    let mut gone: Vec<bool> = (0..taken.len()).map(is_other).collect();
    taken.retain(|_| !gone.remove(0));
}
