//! Tier 1 (A4.2): which triggers match a message, and where.
//!
//! Everything is prepared when topics are loaded. A message is read once for all words of all topics together (`required.rs` says
//! which words a pattern needs) and once for each signal that some topic asks for; nothing is looked at, and nothing is allocated,
//! for a topic of which no word is there. Patterns are run by an engine whose time is linear, and have a size limit. Of a very
//! long message the beginning and the end are read.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::{RegexSet, RegexSetBuilder};
use rem_format::topic::{Issue, Mood, NaturalLanguage, Scope, Topic, Trigger, When};
use serde::Serialize;

use super::folded::{Folded, folded};
use super::pattern::{self, Pattern};
use super::{Side, TopicMessage, code, links, manner, required};

/// How much is read of the beginning and of the end of a message, in bytes.
const HEAD: usize = 24 << 10;
const TAIL: usize = 8 << 10;

/// One trigger that matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matched {
    /// The kind of trigger: `pattern`, `keywords`, `glob`, …
    pub trigger: &'static str,
    /// The line of the topic's file on which it stands.
    pub line: usize,
    /// What matched: text of the message, a path of a tool call, or a word for what was noticed.
    pub text: String,
    /// The bytes of the message that matched; `None` for a path of a tool call, or for the message as a whole.
    pub span: Option<Range<usize>>,
    /// What the agent is told on its next turn, where it said this itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction_hint: Option<String>,
}

/// A trigger that watches messages, by number.
type Number = u32;

struct Watched {
    topic: u32,
    trigger: u32,
    scope: Scope,
    /// The pattern, where it is one.
    pattern: Option<Pattern>,
}

/// What finding a word means.
#[derive(Clone, Copy)]
enum Use {
    /// The trigger matches, where the word stands by itself.
    Word(Number),
    /// The trigger's pattern may match.
    Needed(Number),
}

/// Every trigger of every topic, prepared.
#[derive(Default)]
pub(super) struct Matchers {
    watched: Vec<Watched>,
    words: Option<AhoCorasick>,
    uses: Vec<Vec<Use>>,
    /// Patterns that need no word, and the set of them.
    loose: Vec<Number>,
    loose_set: Option<RegexSet>,
    paths: GlobSet,
    paths_of: Vec<Number>,
    link_globs: GlobSet,
    link_globs_of: Vec<Number>,
    hosts: Vec<(String, Number)>,
    code: Vec<(Number, Vec<String>)>,
    languages: Vec<(Number, Vec<NaturalLanguage>)>,
    anybody: Vec<Number>,
    urgency: Vec<Number>,
    moods: Vec<(Number, Mood)>,
}

/// What is prepared, while it grows.
struct Growing {
    matchers: Matchers,
    words: HashMap<String, Vec<Use>>,
    paths: GlobSetBuilder,
    link_globs: GlobSetBuilder,
}

/// What a trigger matched: its number, the text, and where it stands.
pub(super) struct Found {
    pub(super) topic: u32,
    pub(super) trigger: u32,
    text: String,
    span: Option<Range<usize>>,
}

impl Found {
    pub(super) fn told(self, trigger: &Trigger, side: Side) -> Matched {
        let hint = trigger.correction_hint.clone().filter(|_| side == Side::Output);
        Matched {
            trigger: trigger.when.kind(),
            line: trigger.line,
            text: self.text,
            span: self.span,
            correction_hint: hint,
        }
    }
}

impl Matchers {
    /// Prepares the triggers of these topics. A topic of which one cannot be prepared is named in the second part, by its place.
    pub(super) fn of<'a>(topics: impl Iterator<Item = &'a Topic>) -> (Self, Vec<(usize, Issue)>) {
        let mut growing = Growing {
            matchers: Self::default(),
            words: HashMap::new(),
            paths: GlobSetBuilder::new(),
            link_globs: GlobSetBuilder::new(),
        };
        let mut issues = Vec::new();
        for (at, topic) in topics.enumerate() {
            for (index, trigger) in topic.triggers.iter().enumerate() {
                if let Err(what) = growing.add(at as u32, index as u32, trigger) {
                    issues.push((at, Issue { line: trigger.line, what }));
                }
            }
        }
        (growing.finish(), issues)
    }

    /// Compiles every pattern. Those that cannot be compiled are named by the place of their topic and of their trigger in it.
    pub(super) fn check(&self) -> Vec<(usize, usize, String)> {
        let patterns = self.watched.iter().filter_map(|watched| Some((watched, watched.pattern.as_ref()?)));
        patterns
            .filter_map(|(watched, pattern)| {
                pattern.check().err().map(|what| (watched.topic as usize, watched.trigger as usize, what))
            })
            .collect()
    }

    /// Every trigger that matches, once, in the order of topics and triggers.
    pub(super) fn matches(&self, message: &TopicMessage<'_>) -> Vec<Found> {
        let mut found = Finding {
            matchers: self,
            side: message.side,
            done: vec![false; self.watched.len()],
            found: Vec::new(),
        };
        for (base, window) in windows(message.text) {
            self.look(window, base, message, &mut found);
        }
        if !self.paths.is_empty() {
            for path in message.tool_paths {
                for glob in self.paths.matches(path.trim_start_matches("./")) {
                    found.add(self.paths_of[glob], path, None);
                }
            }
        }
        let mut found = found.found;
        found.sort_by_key(|each| (each.topic, each.trigger));
        found
    }

    fn look(&self, text: &str, base: usize, message: &TopicMessage<'_>, found: &mut Finding<'_>) {
        let folded = Folded::of(text);
        if let Some(words) = &self.words {
            for hit in words.find_overlapping_iter(&folded.text) {
                for each in &self.uses[hit.pattern().as_usize()] {
                    let (Use::Word(number) | Use::Needed(number)) = *each;
                    if !found.is_open(number) {
                        continue;
                    }
                    match each {
                        Use::Word(_) if folded.is_word(&hit.range()) => {
                            found.add_span(number, text, folded.origin(hit.range()), base);
                        }
                        Use::Word(_) => {}
                        Use::Needed(_) => found.run(number, text, base),
                    }
                }
            }
        }
        match &self.loose_set {
            Some(set) => set.matches(text).iter().for_each(|at| found.run(self.loose[at], text, base)),
            None => self.loose.iter().for_each(|number| found.run(*number, text, base)),
        }
        if !self.hosts.is_empty() || !self.link_globs.is_empty() {
            self.look_at_links(text, base, found);
        }
        if !self.anybody.is_empty()
            && let Some(span) = mentioned(text, &folded, message.people)
        {
            self.anybody.iter().for_each(|number| found.add_span(*number, text, span.clone(), base));
        }
        self.look_at_manner(text, base, found);
    }

    fn look_at_links(&self, text: &str, base: usize, found: &mut Finding<'_>) {
        for link in links::links(text) {
            let host = link.host.to_ascii_lowercase();
            for (wanted, number) in &self.hosts {
                let is_it = host
                    .strip_suffix(wanted.as_str())
                    .is_some_and(|sub| sub.is_empty() || sub.ends_with('.'));
                if is_it {
                    found.add_span(*number, text, link.span.clone(), base);
                }
            }
            if !self.link_globs.is_empty() {
                let whole = format!("{}{}", host.trim_start_matches("www."), link.rest);
                for glob in self.link_globs.matches(&whole) {
                    found.add_span(self.link_globs_of[glob], text, link.span.clone(), base);
                }
            }
        }
    }

    /// The signals that need the text without its code.
    fn look_at_manner(&self, text: &str, base: usize, found: &mut Finding<'_>) {
        let wants_prose = !(self.languages.is_empty() && self.urgency.is_empty() && self.moods.is_empty());
        if self.code.is_empty() && !wants_prose {
            return;
        }
        let pieces = code::pieces(text);
        for (number, languages) in &self.code {
            let piece =
                pieces.iter().find(|piece| languages.is_empty() || languages.contains(&piece.language));
            if let Some(piece) = piece {
                let name = if piece.language.is_empty() { "code" } else { &piece.language };
                found.add(*number, name, Some(base + piece.span.start..base + piece.span.end));
            }
        }
        if !wants_prose {
            return;
        }
        let prose = manner::prose(text, &pieces);
        if !self.languages.is_empty()
            && let Some(language) = manner::language(&prose)
        {
            for (number, wanted) in &self.languages {
                if wanted.contains(&language) {
                    found.add(*number, language.name(), None);
                }
            }
        }
        if self.urgency.is_empty() && self.moods.is_empty() {
            return;
        }
        let folded = Folded::of(&prose);
        if !self.urgency.is_empty()
            && let Some(span) = manner::urgency(&prose, &folded)
        {
            // Where code was left out the place is another one; the words say enough.
            let place = (prose.len() == text.len()).then_some(base + span.start..base + span.end);
            self.urgency.iter().for_each(|number| found.add(*number, &prose[span.clone()], place.clone()));
        }
        if !self.moods.is_empty() {
            let sentiment = manner::Sentiment::of(&prose, &folded);
            for (number, mood) in &self.moods {
                if sentiment.is(*mood) {
                    found.add(*number, mood.name(), None);
                }
            }
        }
    }
}

impl Growing {
    fn add(&mut self, topic: u32, index: u32, trigger: &Trigger) -> Result<(), String> {
        if !trigger.when.watches_messages() {
            return Ok(());
        }
        let number = self.matchers.watched.len() as Number;
        let mut watched = Watched { topic, trigger: index, scope: trigger.scope, pattern: None };
        match &trigger.when {
            When::Pattern(pattern) => {
                watched.pattern = Some(Pattern::new(pattern)?);
                match required::required(pattern) {
                    Some(words) => words.into_iter().for_each(|word| self.word(word, Use::Needed(number))),
                    None => self.matchers.loose.push(number),
                }
            }
            When::Keywords(words) => words.iter().for_each(|word| self.word(folded(word), Use::Word(number))),
            When::Mention(names) if names.is_empty() => self.matchers.anybody.push(number),
            When::Mention(names) => names.iter().for_each(|name| self.word(folded(name), Use::Word(number))),
            When::Glob(globs) => {
                for glob in globs {
                    let rooted = glob.starts_with('/') || glob.starts_with("**");
                    let glob =
                        if rooted { glob.clone() } else { format!("**/{}", glob.trim_start_matches("./")) };
                    self.paths.add(
                        GlobBuilder::new(&glob)
                            .literal_separator(true)
                            .build()
                            .map_err(|error| error.to_string())?,
                    );
                    self.matchers.paths_of.push(number);
                }
            }
            When::Url(places) => {
                for place in places {
                    let place = place.split_once("://").map_or(place.as_str(), |(_, after)| after);
                    let place = place.trim_start_matches("www.");
                    if place.contains(['*', '?', '/', '[', '{']) {
                        let at = place.find('/').unwrap_or(place.len());
                        let place = format!("{}{}", place[..at].to_ascii_lowercase(), &place[at..]);
                        self.link_globs
                            .add(GlobBuilder::new(&place).build().map_err(|error| error.to_string())?);
                        self.matchers.link_globs_of.push(number);
                    } else {
                        self.matchers.hosts.push((place.to_ascii_lowercase(), number));
                    }
                }
            }
            When::Code(languages) => {
                let languages = languages.iter().map(|name| code::normal(name)).collect();
                self.matchers.code.push((number, languages));
            }
            When::Language(languages) => self.matchers.languages.push((number, languages.clone())),
            When::Urgency => self.matchers.urgency.push(number),
            When::Sentiment(mood) => self.matchers.moods.push((number, *mood)),
            When::Webhook { .. } | When::Cron(_) => {}
        }
        self.matchers.watched.push(watched);
        Ok(())
    }

    fn word(&mut self, word: String, means: Use) {
        self.words.entry(word).or_default().push(means);
    }

    fn finish(mut self) -> Matchers {
        let mut words: Vec<(String, Vec<Use>)> = std::mem::take(&mut self.words).into_iter().collect();
        words.sort_by(|one, other| one.0.cmp(&other.0));
        let mut matchers = self.matchers;
        if !words.is_empty() {
            // Fails only where there are more words than a machine has memory for; then no word is found.
            matchers.words = AhoCorasick::new(words.iter().map(|(word, _)| word))
                .inspect_err(|error| tracing::warn!("the words of topics are not looked for: {error}"))
                .ok();
            matchers.uses = words.into_iter().map(|(_, uses)| uses).collect();
        }
        let loose =
            matchers.loose.iter().filter_map(|number| matchers.watched[*number as usize].pattern.as_ref());
        matchers.loose_set = RegexSetBuilder::new(loose.map(Pattern::as_str))
            .case_insensitive(true)
            .size_limit(8 * pattern::LIMIT)
            .build()
            .ok();
        let build = |builder: GlobSetBuilder| {
            builder
                .build()
                .inspect_err(|error| tracing::warn!("the globs of topics are not looked for: {error}"))
        };
        matchers.paths = build(self.paths).unwrap_or_default();
        matchers.link_globs = build(self.link_globs).unwrap_or_default();
        matchers
    }
}

/// What was found so far in one message.
struct Finding<'a> {
    matchers: &'a Matchers,
    side: Side,
    /// The triggers that matched.
    done: Vec<bool>,
    found: Vec<Found>,
}

impl Finding<'_> {
    /// Whether a trigger watches this side and has not matched yet.
    fn is_open(&self, number: Number) -> bool {
        let watches = match self.matchers.watched[number as usize].scope {
            Scope::Both => true,
            Scope::Input => self.side == Side::Input,
            Scope::Output => self.side == Side::Output,
        };
        watches && !self.done[number as usize]
    }

    /// Runs the pattern of a trigger.
    fn run(&mut self, number: Number, text: &str, base: usize) {
        let matchers = self.matchers;
        if self.is_open(number)
            && let Some(found) = matchers.watched[number as usize]
                .pattern
                .as_ref()
                .and_then(Pattern::regex)
                .and_then(|regex| regex.find(text))
        {
            self.add_span(number, text, found.range(), base);
        }
    }

    fn add_span(&mut self, number: Number, text: &str, span: Range<usize>, base: usize) {
        self.add(number, &text[span.clone()], Some(base + span.start..base + span.end));
    }

    fn add(&mut self, number: Number, text: &str, span: Option<Range<usize>>) {
        if self.is_open(number) {
            self.done[number as usize] = true;
            let Watched { topic, trigger, .. } = self.matchers.watched[number as usize];
            self.found.push(Found { topic, trigger, text: shortened(text), span });
        }
    }
}

/// As much of a matched text as an explanation shows.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The parts of a message that are read, each with its place: all of it, or the beginning and the end.
pub(super) fn windows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (first, second) = match text.len() <= HEAD + TAIL {
        true => (text, ""),
        false => {
            (&text[..text.floor_char_boundary(HEAD)], &text[text.ceil_char_boundary(text.len() - TAIL)..])
        }
    };
    [(0, first), (text.len() - second.len(), second)]
        .into_iter()
        .filter(|(at, part)| *at == 0 || !part.is_empty())
}

/// Where somebody is mentioned: `@name`, or one of these people.
fn mentioned(text: &str, folded: &Folded, people: &[String]) -> Option<Range<usize>> {
    let handle = text.match_indices('@').find_map(|(at, _)| {
        let is_start = !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '@');
        let name = text[at + 1..]
            .find(|each: char| !each.is_alphanumeric() && !matches!(each, '_' | '-'))
            .unwrap_or(text.len() - at - 1);
        (is_start && name > 0).then_some(at..at + 1 + name)
    });
    handle.or_else(|| {
        people.iter().map(|name| super::folded::folded(name.trim())).filter(|name| !name.is_empty()).find_map(
            |name| {
                let places = folded.text.match_indices(name.as_str()).map(|(at, found)| at..at + found.len());
                places.into_iter().find(|span| folded.is_word(span)).map(|span| folded.origin(span))
            },
        )
    })
}
