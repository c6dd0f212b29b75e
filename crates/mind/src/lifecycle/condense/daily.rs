//! The day's page of the journal: what was settled, learned and talked about, grouped by what the conversations were about.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::audit::{Action, Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Transcript, parse_file_path};
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_reason::spending::Urgency;
use serde::Serialize;

use super::asked::DAY;
use super::hushed::Hushed;
use super::{CondenseOutcome, CondenseRequest, linked, unlinked};
use crate::error::MemoryError;
use crate::lifecycle::done::{Done, is_done};
use crate::lifecycle::extract::{Extraction, ExtractionKind, standing_title, tellable, told_by_rules};
use crate::lifecycle::forgotten::Forgotten;
use crate::lifecycle::mine::NotMined;
use crate::lifecycle::reading::{Read, Readers};
use crate::memory::Memory;
use crate::reasoning::{Missed, RuledInstead};
use crate::stores::statement::{Comparison, Statement};

/// The heading of conversations that say nowhere what they are about.
pub(in crate::lifecycle) const TALK: &str = "Talk";
/// A heading has no more words.
const HEADING_WORDS: usize = 8;

/// A day and what its page got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CondensedDay {
    /// The day, in the operator's time zone.
    pub date: Date,
    /// Its page.
    pub path: MemoryPath,
    /// The conversations that it tells of now.
    pub transcripts: Vec<MemoryPath>,
    /// The lines, without their links. Some may not be on the page: what it says already is not said twice.
    pub lines: Vec<String>,
    /// The change's id; empty in a preview.
    pub change: String,
}

/// A line on its way to the page.
struct Line {
    heading: String,
    text: String,
    /// With the link.
    written: String,
    lines: String,
    /// How much it is worth telling, in hundredths.
    worth: u32,
    tokens: u64,
}

/// Days whose conversations are read, one conversation after the other.
pub(in crate::lifecycle) struct Condensing<'m> {
    memory: &'m Memory,
    /// The conversations that the journal does not tell of, sorted: the oldest first.
    pub(in crate::lifecycle) waiting: Vec<MemoryPath>,
    since: Date,
    until: Date,
    by_day: BTreeMap<Date, Vec<(MemoryPath, Told)>>,
    forgotten: Forgotten,
    outcome: CondenseOutcome,
    failed_change: Option<MemoryError>,
}

/// What the page of a day may say of a conversation.
#[derive(Default)]
struct Told {
    lines: Vec<Line>,
    /// Who told it: the rules with their versions, or a model.
    by: String,
    /// Why the rules told it although a model is named.
    missed: Option<Missed>,
}

impl Condensing<'_> {
    /// Takes in a conversation. They come in their order; what was read by the rules counts.
    pub(in crate::lifecycle) fn take(&mut self, path: &MemoryPath, read: Result<Read, MemoryError>) {
        let lines = read.and_then(|read| {
            let day = read.transcript.header.started.to_zoned(self.memory.time_zone().clone()).date();
            Ok((day, self.memory.lines_of(path, &read, &self.forgotten, !self.outcome.applied)?))
        });
        match lines {
            Ok((day, lines)) if (self.since..=self.until).contains(&day) => {
                if let Some(Missed { cause, why }) = &lines.missed {
                    RuledInstead::count_in(&mut self.outcome.by_rules, *cause, why);
                }
                self.by_day.entry(day).or_default().push((path.clone(), lines));
            }
            Ok(_) => {}
            Err(error) => {
                self.outcome.failed.push(NotMined::of(path, &error));
            }
        }
        // Transcripts come in the order of their days, a time zone's width apart at most.
        while self.by_day.len() > 3 {
            self.close_first();
        }
    }

    fn close_first(&mut self) {
        let Some((day, told)) = self.by_day.pop_first() else { return };
        match self.memory.condense_day(day, told, !self.outcome.applied) {
            Ok(condensed) => self.outcome.days.extend(condensed),
            Err(error) => self.failed_change = self.failed_change.take().or(Some(error)),
        }
    }

    /// Writes the pages that are left.
    ///
    /// # Errors
    /// The first change that failed; the others were made.
    pub(in crate::lifecycle) fn finish(mut self) -> Result<CondenseOutcome, MemoryError> {
        while !self.by_day.is_empty() {
            self.close_first();
        }
        self.failed_change.map_or(Ok(self.outcome), Err)
    }
}

impl Memory {
    /// Writes the journal's pages of days with conversations that it does not tell of yet. `progress` is told how many conversations
    /// of how many are read.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] for a sub-agent, where files cannot be listed, and as [`rem_ledger::Ledger::apply`].
    pub fn condense_days(
        &self,
        request: &CondenseRequest,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<CondenseOutcome, MemoryError> {
        let mut condensing = self.condensing(request)?;
        let waiting = condensing.waiting.clone();
        let mut done = 0;
        self.read_each(&waiting, Readers::Rules, |path, read| {
            progress(done, waiting.len());
            done += 1;
            condensing.take(path, read);
        })?;
        progress(waiting.len(), waiting.len());
        condensing.finish()
    }

    /// Days on their way to their pages, with the conversations that the journal does not tell of yet.
    pub(in crate::lifecycle) fn condensing(
        &self,
        request: &CondenseRequest,
    ) -> Result<Condensing<'_>, MemoryError> {
        if !request.preview {
            self.ledger.may_change()?;
        }
        let since = request.since.unwrap_or(Date::MIN);
        let until = request.until.unwrap_or_else(|| self.today());
        Ok(Condensing {
            memory: self,
            waiting: self.not_condensed(since, until)?,
            since,
            until,
            by_day: BTreeMap::new(),
            forgotten: self.forgotten()?,
            outcome: CondenseOutcome {
                applied: !request.preview,
                days: Vec::new(),
                failed: Vec::new(),
                by_rules: Vec::new(),
                would_ask: self.would_condense(request.preview),
            },
            failed_change: None,
        })
    }

    /// The closed transcripts of these days and their neighbours that the journal does not tell of, oldest first.
    fn not_condensed(&self, since: Date, until: Date) -> Result<Vec<MemoryPath>, MemoryError> {
        let (open, condensed) = (self.ledger.survey()?.open, self.transcripts_done(Done::Condensed)?);
        let near = since.saturating_sub(1.day())..=until.saturating_add(1.day());
        let mut paths = self.ledger.transcripts()?;
        paths.retain(|path| {
            let day = parse_file_path(path.as_str()).map(|name| name.started.date());
            day.is_none_or(|day| near.contains(&day))
                && !open.contains(path)
                && !condensed.contains(path.as_str())
        });
        paths.sort();
        Ok(paths)
    }

    /// Adds to the page of a day what these conversations tell; nothing where another process did.
    fn condense_day(
        &self,
        date: Date,
        told: Vec<(MemoryPath, Told)>,
        preview: bool,
    ) -> Result<Option<CondensedDay>, MemoryError> {
        let path = self.ledger.layout().file(Store::Journal, &format!("{date}.md"))?;
        let transcripts: Vec<MemoryPath> = told.iter().map(|(path, _)| path.clone()).collect();
        let by: Vec<String> = told.iter().map(|(_, told)| told.by.clone()).collect();
        let lines = told.into_iter().flat_map(|(_, told)| told.lines).collect();
        let lines = fitting(lines, self.config.lifecycle.summary_max_tokens);
        let mut condensed = CondensedDay {
            date,
            path: path.clone(),
            transcripts: transcripts.clone(),
            lines: lines.iter().map(|line| line.text.clone()).collect(),
            change: String::new(),
        };
        if preview {
            return Ok(Some(condensed));
        }
        let mut set = ChangeSet::new();
        for (transcript, by) in transcripts.iter().zip(&by) {
            set = set.and(self.noted_as(Done::Condensed, transcript, by)?);
        }
        if !lines.is_empty() {
            set = set
                .edit(path.clone(), format!("the day of {date}"), |found| with_lines(found, date, &lines))
                .action(&path, Action::Append);
        }
        let provenance = Provenance::new(
            Actor::System("condenser".to_owned()),
            Approval::Auto,
            format!("condensed {date}"),
        )
        .kind(CommitType::Memory);
        match self.change(set, &provenance) {
            Ok(applied) => condensed.change = applied.change,
            Err(error) if is_done(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        Ok(Some(condensed))
    }

    /// What a conversation is told by: a model where one is named and this is no preview, else the rules.
    fn lines_of(
        &self,
        path: &MemoryPath,
        read: &Read,
        forgotten: &Forgotten,
        preview: bool,
    ) -> Result<Told, MemoryError> {
        let redactor = self.redactor()?;
        let said = read.transcript.header.started.to_zoned(self.time_zone().clone()).date();
        let redacted = |text: &str| redactor.redact(text).0.into_owned();
        let unsaid = Hushed::of(path, read, said, forgotten, redacted);
        let heading = heading_of(&read.transcript, &read.extractions, &unsaid);
        let line = |each: &Extraction, heading: &str| {
            let text = spaced(&redactor.redact(&each.text).0);
            let located = read.transcript.turns.get(each.source.turn);
            let time = located.map_or(read.transcript.header.started, |located| located.turn.time);
            let shown = time.to_zoned(self.time_zone().clone()).strftime("%H:%M").to_string();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share")]
            let worth = (each.confidence * 100.0) as u32 + if each.flagged { 100 } else { 0 };
            Line {
                heading: heading.to_owned(),
                written: format!("{text} {}", linked(path, &shown)),
                lines: cited(each),
                tokens: u64::try_from(rem_reason::count_tokens(&text)).unwrap_or(u64::MAX),
                text,
                worth,
            }
        };
        let mut missed = None;
        if self.may_condense() && !preview {
            let said = tellable(&read.transcript, &read.extractions);
            let said: Vec<Extraction> = said.iter().filter_map(|each| unsaid.left_of(each)).collect();
            let sources: Vec<String> = said.iter().map(|each| spaced(&each.text)).collect();
            match self.told_by_model(&DAY, "sentences", &sources, Urgency::Background)? {
                Ok(told) => {
                    let lines = told.value.into_iter().filter_map(|told| {
                        let first = said.get(*told.from.first()?)?;
                        let others = told.from.iter().skip(1).filter_map(|at| said.get(*at));
                        let further = first.further.iter().cloned();
                        let further = further.chain(others.map(|other| other.source.clone())).collect();
                        let is_own = told.heading.is_empty() || unsaid.heads(&told.heading);
                        let heading = if is_own { &heading } else { &told.heading };
                        let text = told.text.replace("[[", "[");
                        Some(line(&Extraction { text, further, ..first.clone() }, heading))
                    });
                    return Ok(Told { lines: lines.collect(), by: told.by, missed });
                }
                Err(why) => missed = Some(why),
            }
        }
        let told = read.extractions.iter().filter(|each| each.kind == ExtractionKind::Journal);
        let lines = told.filter_map(|each| unsaid.left_of(each)).map(|each| line(&each, &heading));
        Ok(Told { lines: lines.collect(), by: told_by_rules(), missed })
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All lines that something is from: `16, 39-41`.
fn cited(each: &Extraction) -> String {
    let places = std::iter::once(&each.source).chain(&each.further);
    let mut spans: Vec<(usize, usize)> = places
        .map(|source| (source.lines.start, source.lines.end.saturating_sub(1).max(source.lines.start)))
        .collect();
    spans.sort_unstable();
    spans.dedup();
    let shown = spans.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// What a conversation is about: what its host calls it, its project, or its first message; what was forgotten is none.
fn heading_of(transcript: &Transcript, extractions: &[Extraction], unsaid: &Hushed<'_>) -> String {
    let project = extractions.iter().find_map(|each| each.project.as_deref());
    let topic = transcript.header.topic.as_deref().filter(|topic| !topic.trim().is_empty());
    let own_title = standing_title(transcript);
    let mut titles = [topic, project, Some(own_title.as_str())].into_iter().flatten();
    let title = titles.find(|title| !unsaid.heads(title)).unwrap_or_default();
    let plain: String = title.chars().map(|each| if each.is_control() { ' ' } else { each }).collect();
    let mut words: Vec<&str> =
        plain.trim_start_matches(['#', ' ']).split_whitespace().take(HEADING_WORDS + 1).collect();
    let is_longer = words.len() > HEADING_WORDS;
    words.truncate(HEADING_WORDS);
    match words.join(" ") {
        heading if heading.is_empty() || heading == "conversation" => TALK.to_owned(),
        heading if is_longer => format!("{heading} …"),
        heading => heading,
    }
}

/// The lines that are worth most, as many as the budget of tokens holds and one at least, in their order.
fn fitting(lines: Vec<Line>, budget: u64) -> Vec<Line> {
    let mut by_worth: Vec<usize> = (0..lines.len()).collect();
    by_worth.sort_by_key(|at| std::cmp::Reverse(lines[*at].worth));
    let mut left = budget;
    let mut stays = vec![false; lines.len()];
    for (rank, at) in by_worth.into_iter().enumerate() {
        if rank == 0 || lines[at].tokens <= left {
            left = left.saturating_sub(lines[at].tokens);
            stays[at] = true;
        }
    }
    lines.into_iter().zip(stays).filter(|(_, stays)| *stays).map(|(line, _)| line).collect()
}

/// The page with these lines; what it says already is not said again.
fn with_lines(
    found: Option<&[u8]>,
    date: Date,
    lines: &[Line],
) -> Result<Option<Vec<u8>>, Box<dyn std::error::Error + Send + Sync>> {
    let new = format!("---\ntype: journal\ndate: {date}\n---\n\n# {date}\n");
    let mut page = Page::parse(found.unwrap_or(new.as_bytes()))?;
    let mut known: Vec<Statement> =
        page.items().iter().map(|item| Statement::new(unlinked(item.plain()))).collect();
    for line in lines {
        let statement = Statement::new(&line.text);
        if !known.iter().any(|known| statement.compared_to(known) == Comparison::Same) {
            page.add(&line.heading, &line.written, &Annotation::new().with("lines", &line.lines))?;
            known.push(statement);
        }
    }
    Ok(Some(page.into_bytes()))
}
