//! What may stand in a context: identity, operator, corrections, core memory, recent days, what the message recalls.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::config::ContextPreset;
use rem_format::document::Document;
use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_recall::{Asking, Passage, Query, SourceFile, estimate_tokens, passages};

use super::budget::{Overrides, Plan, Source};
use super::compiled::{
    AskedIndex, Audience, Candidate, CompiledContext, ContextRequest, Dropped, IdentityTooLarge,
};
use super::context::compile;
use super::data::{is_data, without_data};
use super::reversals::{Superseded, bring_along, changes_of_mind, heed};
use super::window::{HistoryTurn, history_of, said_in, system_of, talk_of};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::search::{SearchedFiles, is_blank, is_for_operator};

/// Of a recent file the end is offered, so many bytes of it: what a slot holds is a small part.
const RECENT_BYTES: usize = 128 << 10;
/// What the message recalls is offered up to so many passages, however large the budget is.
const MAX_RECALLED: usize = 200;
/// The tokens that a short passage takes in a context, with its share of a label: a budget holds no more passages than it has of these.
const SHORT_PASSAGE: usize = 40;

/// So many of a session's newest turns are fresh in a model's mind. Older ones are recalled although they may stand before it, since hosts
/// condense long conversations, some without a word, and models overlook what stands far back.
const NEWEST: usize = 20;

/// What a context is compiled for.
#[derive(Debug, Clone, Default)]
pub struct ContextQuery<'a> {
    /// The message; an empty one recalls nothing and gives the rest.
    pub message: &'a str,
    /// The session it is said in: what is handed out is recorded, so that it is known when it comes back (T10) and when an answer
    /// uses it.
    pub session: Option<&'a str>,
    /// On whose behalf: what is for others alone is left out before anything is chosen.
    pub asking: Asking,
    /// Who listens.
    pub audience: Audience,
    /// What differs from CONFIG.md.
    pub overrides: Overrides,
    /// The names of active topics, most important first.
    pub topics: &'a [String],
    /// Earlier turns of the session, where the host gives them; else those of the open transcript count. None at all mean that the host
    /// keeps the conversation before the model itself: nothing recent of it stands in the context then.
    pub history: Option<&'a [HistoryTurn]>,
    /// Where a host keeps the conversation: how many turns of the session it has condensed by now. What is recalled of the newest after
    /// them would stand before the model twice, and is left out.
    pub condensed: usize,
    /// The longest text that the host passes on, in UTF-16 code units; nothing where it passes on all.
    pub most_units: Option<usize>,
}

impl ContextQuery<'_> {
    /// On whose behalf, once it is known who listens: what is for somebody alone is not for a group, whoever asks.
    fn resolved_asking(&self) -> Asking {
        match self.audience == Audience::Shared && self.asking.is_operator() {
            true => Asking::on_behalf_of(&[""]),
            false => self.asking.clone(),
        }
    }
}

impl Memory {
    /// The context for a message: what the agent should see before it answers (C10), after catching up with what happened to the
    /// workspace. `observed_at` is the machine's own time, which file times are compared with.
    ///
    /// # Errors
    /// [`MemoryError`] when files cannot be read or the identity is larger than the budget. A record of what was handed out that
    /// cannot be written is said on the log: the context is worth more.
    pub fn context(
        &self,
        query: &ContextQuery<'_>,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        let (asking, context) = self.context_unrecorded(query, observed_at)?;
        self.record_context(&asking, query.session, &context);
        Ok(context)
    }

    /// As [`Self::context`], without a record that it was handed out; and on whose behalf it is, as the index knows them.
    pub(super) fn context_unrecorded(
        &self,
        query: &ContextQuery<'_>,
        observed_at: SystemTime,
    ) -> Result<(Asking, CompiledContext), MemoryError> {
        let begun = Instant::now();
        let message = without_data(query.message);
        let mut timings: BTreeMap<String, u64> = BTreeMap::new();
        let mut lap = |name: &str, since: Instant| {
            timings.insert(name.to_owned(), u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX));
        };
        let files = self.caught_up_files()?;
        let resolved = self.resolved(&query.resolved_asking(), &files, observed_at);
        let asking = &resolved;
        let mut candidates: BTreeMap<Source, Vec<Candidate>> = BTreeMap::new();
        let mut left_out: Vec<(Source, Dropped)> = Vec::new();
        for (source, stores) in [
            (Source::Identity, &[Store::Soul, Store::IdentityCard][..]),
            (Source::Operator, &[Store::User]),
            (Source::Core, &[Store::Core]),
        ] {
            for store in stores {
                let found = self.whole_file(asking, self.path(*store), "always")?;
                candidates.entry(source).or_default().extend(found);
            }
        }
        let active = self.ledger.layout().file(Store::Projects, "_active.md")?;
        let active = self.whole_file(asking, &active, "active projects")?;
        candidates.entry(Source::Projects).or_default().extend(active);
        candidates.insert(Source::Corrections, self.correction_sections(asking)?);
        self.topic_candidates(asking, query.topics, &mut candidates, &mut left_out)?;
        self.strike_corrected(asking, &mut candidates)?;
        self.external_candidate(asking, &mut candidates, &mut left_out);
        let mut transcript = query.session.and_then(|session| self.open_turns(session));
        // The message itself may have been captured already: it is what is answered, not what is remembered.
        let asked = transcript.as_mut().and_then(|(path, turns)| {
            let is_it = |turn: &mut HistoryTurn| turn.is_user && said_in(turn).trim() == message.trim();
            turns.pop_if(is_it).map(|turn| (path.clone(), turn.lines.0))
        });
        let is_asked = |candidate: &Candidate| {
            asked
                .as_ref()
                .is_some_and(|(path, first)| candidate.path == *path && candidate.start_line >= *first)
        };
        // What a host gives was never captured, and stands in receipts in words.
        let given = query.history.map(|turns| self.without_secrets(turns)).transpose()?;
        candidates.insert(Source::System, system_of(given.as_deref().unwrap_or_default()));
        let history = match (&given, &transcript) {
            (Some(turns), _) => history_of("history", turns),
            (None, Some((path, turns))) => history_of(path, turns),
            (None, None) => Vec::new(),
        };
        lap("files", begun);

        let recalling = Instant::now();
        let plan = Plan::new(&self.config, query.overrides);
        let is_scored =
            query.overrides.preset.unwrap_or(self.config.context.preset) == ContextPreset::Compiler;
        // A6.3 asks with the keywords of active topics as well.
        let asked_for = match is_scored && !query.topics.is_empty() {
            true => Cow::Owned(format!("{message} {}", self.topic_keywords(query.topics)?)),
            false => Cow::Borrowed(&*message),
        };
        let (mut recalled, index) = self.recalled(&files, asking, &asked_for, plan.budget, observed_at)?;
        if is_scored {
            let too_low = self.score_as_knowledge(&files, &asked_for, &mut recalled);
            left_out.extend(too_low.into_iter().map(|dropped| (Source::Recall, dropped)));
        }
        recalled.retain(|hit| !is_asked(hit));
        let is_at_host = query.history.is_some_and(<[_]>::is_empty);
        if is_at_host
            && let Some((path, turns)) = &transcript
            && let Some(first) = turns.get(query.condensed.max(turns.len().saturating_sub(NEWEST)))
        {
            let line = first.lines.0;
            let is_kept = |hit: &mut Candidate| hit.path == *path && hit.start_line >= line;
            left_out.extend(recalled.extract_if(.., is_kept).map(|hit| {
                let tokens = rem_reason::count_tokens(&hit.text);
                let why = "the host keeps it before the model".to_owned();
                (Source::Recall, Dropped { path: hit.path, tokens, why })
            }));
        }
        let talk = talk_of(
            &message,
            query
                .history
                .filter(|turns| !turns.is_empty())
                .or(transcript.as_ref().map(|(_, turns)| turns.as_slice())),
        );
        let profiles = self.profiles(asking, &talk, &mut recalled)?;
        candidates.insert(Source::Profiles, profiles);
        self.crm_candidates(asking, &message, &talk, &mut candidates, &mut left_out);
        lap("recall", recalling);
        let mut recent = self.recent(&files, asking, plan.budget)?;
        recent.retain(|turn| !is_asked(turn));
        let best = recalled.len().min(self.query("").limit);
        let told = self.changes_told(asking, recalled[..best].iter().chain(&recent));
        let changes = changes_of_mind(recalled.iter().chain(&recent).chain(&told));
        let superseded = heed(&mut recalled, &changes, &message);
        bring_along(&mut recalled, &superseded, told, &recent);
        let of_recent = heed(&mut recent, &changes, &message);
        self.point_to_corrections(asking, recalled.iter_mut().chain(&mut recent))?;
        let superseded = superseded.into_iter().map(|one| (Source::Recall, one));
        for (source, one) in superseded.chain(of_recent.into_iter().map(|one| (Source::Recent, one))) {
            let Superseded { candidate, why } = one;
            let tokens = rem_reason::count_tokens(&candidate.text);
            left_out.push((source, Dropped { path: candidate.path, tokens, why }));
        }
        // What the question recalls need not stand there twice. The best of it is the surer of a place; of the rest nobody knows
        // before the slots are filled, and what then stands there twice goes.
        let best = &recalled[..recalled.len().min(self.query("").limit)];
        recent.retain(|turn| !best.iter().any(|hit| hit.path == turn.path && hit.end_line == turn.end_line));
        // Corrections stand in their own slot, as far as it goes: each by itself, so that those which stand there go here.
        let corrections = self.path(Store::Corrections).as_str();
        candidates.insert(Source::Recall, joined(recalled, plan.budget, corrections));
        candidates.insert(Source::Recent, joined(recent, usize::MAX, corrections));
        let keeps_window = plan.takes(Source::History);
        let is_given = query.history.is_some_and(|turns| !turns.is_empty());
        if is_at_host || is_given || keeps_window && !history.is_empty() {
            let own = transcript.as_ref().map(|(path, _)| path.as_str());
            if let Some(recent) = candidates.get_mut(&Source::Recent) {
                recent.retain(|turn| Some(turn.path.as_str()) != own);
            }
            candidates.insert(Source::History, history);
        }

        if query.audience == Audience::Shared {
            self.hold_back_private(&mut candidates, &mut left_out)?;
        }
        let compiling = Instant::now();
        let request = ContextRequest {
            message: message.into_owned(),
            overrides: query.overrides,
            audience: query.audience,
            candidates,
            left_out,
        };
        let mut context = self.compiled_within(request, query.most_units)?;
        lap("compile", compiling);
        lap("total", begun);
        context.timings_ms = timings;
        context.index = index;
        if let Some(turns) = query.history.filter(|turns| !turns.is_empty()) {
            self.keep_what_fell_out(query.session, &query.asking, turns, &mut context);
        }
        Ok((resolved, context))
    }

    /// The compiled context. For a host that passes on no more than `most` UTF-16 code units the budget is made smaller where the text
    /// would be longer, since what it cuts off was not given; and larger where the identity alone would be more, since at a hook nobody
    /// is there to be told.
    fn compiled_within(
        &self,
        mut request: ContextRequest,
        most: Option<usize>,
    ) -> Result<CompiledContext, MemoryError> {
        // Each time at least a hundredth less.
        const STEP: usize = 100;
        let budget = request.overrides.budget;
        let (mut has_grown, mut is_without_identity) = (most.is_none(), most.is_none());
        loop {
            let context = match compile(&self.config, &request, &rem_reason::count_tokens) {
                Err(IdentityTooLarge { needed, budget }) if !has_grown => {
                    has_grown = true;
                    request.overrides.budget = Some(needed + budget);
                    continue;
                }
                // It does not even fit alone: the rest is worth more than nothing, and says so.
                Err(IdentityTooLarge { needed, .. }) if !is_without_identity => {
                    is_without_identity = true;
                    request.overrides.budget = budget;
                    leave_identity_out(&mut request, needed);
                    continue;
                }
                compiled => compiled?,
            };
            let length = context.text.encode_utf16().count();
            let Some(most) = most.filter(|most| length > *most) else { return Ok(context) };
            let less = context.tokens.min(context.tokens * most / length).min(context.budget);
            request.overrides.budget = Some(less - less.div_ceil(STEP).min(less));
        }
    }

    /// One file as one candidate, unless it says nothing to those who ask.
    pub(super) fn whole_file(
        &self,
        asking: &Asking,
        path: &MemoryPath,
        why: &str,
    ) -> Result<Option<Candidate>, MemoryError> {
        let bytes = self.seen_by(asking, path.as_str())?;
        let document = Document::parse(&bytes);
        let text = document.body_text().into_owned();
        let start_line = document.body_line();
        let lines = (start_line, start_line + text.lines().count().saturating_sub(1));
        Ok((!is_blank(&text)).then(|| Candidate::new(path.as_str(), lines, text, why)))
    }

    /// Files about the memory itself, which answer no question.
    fn is_machinery(&self, path: &str) -> bool {
        let store = MemoryPath::new(path).ok().and_then(|path| self.ledger.layout().store_of(&path));
        // What an active topic brings stands in a slot of its own, and what a topic brings that is not active stands nowhere.
        matches!(store, Some(Store::GraphIndex | Store::Relations | Store::CompactionLog | Store::Topics))
    }

    /// The sections of CORRECTIONS.md with the moment of each, that of the one before it where it names none: new ones are added at
    /// the end.
    fn correction_sections(&self, asking: &Asking) -> Result<Vec<Candidate>, MemoryError> {
        let path = self.path(Store::Corrections).clone();
        let bytes = self.seen_by(asking, path.as_str())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // What was taken back corrects nothing.
        let is_taken_back = |text: &str| {
            let entries = rem_format::correction::parse(text.as_bytes());
            !entries.is_empty() && entries.iter().all(|placed| placed.correction.is_retracted)
        };
        let sections = passages(&text, usize::MAX)
            .into_iter()
            .filter(|passage| !is_blank(&passage.text) && !is_taken_back(&passage.text));
        let mut moment = String::new();
        Ok(sections
            .map(|passage| {
                let ours = rem_format::correction::parse(passage.text.as_bytes()).pop();
                let ours = ours.map(|ours| ours.correction);
                let heading = passage.text.lines().next().unwrap_or_default();
                match (&ours, rem_recall::date_of_path(heading)) {
                    (Some(ours), _) => moment = ours.logged.to_string(),
                    (None, Some(day)) => moment = day.to_string(),
                    (None, None) => {}
                }
                Candidate {
                    date: Some(format!("{moment} {:08}", passage.start_line)),
                    // How far ours are is in their dates.
                    is_urgent: match ours {
                        Some(ours) => self.now() < ours.cooldown_expires,
                        None => passage.text.contains("verified: false"),
                    },
                    // Before everything that was only found.
                    score: Some(1.0),
                    ..Candidate::new(
                        path.as_str(),
                        (passage.start_line, passage.end_line),
                        passage.text,
                        "correction",
                    )
                }
            })
            .collect())
    }

    /// Dated files and conversations of the last hours (`context.recent_hours`), newest first, as much as could fit into `budget`
    /// tokens: what a day costs does not grow with what was said on it.
    fn recent(
        &self,
        files: &[SourceFile],
        asking: &Asking,
        budget: usize,
    ) -> Result<Vec<Candidate>, MemoryError> {
        let hours = i64::try_from(self.config.context.recent_hours).unwrap_or(i64::MAX / 3600);
        let since = self.now().saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN);
        let first_day = since.to_zoned(self.time_zone().clone()).date();
        let today = self.today();
        let mut dated: Vec<(Date, &SourceFile)> = files
            .iter()
            .filter_map(|file| Some((rem_recall::date_of_path(&file.path)?, file)))
            .filter(|(date, _)| (first_day..=today).contains(date))
            .collect();
        dated.sort_by(|one, other| (other.0, &other.1.path).cmp(&(one.0, &one.1.path)));
        let mut recent = Vec::new();
        let mut tokens = 0;
        for (date, file) in dated {
            if tokens >= budget {
                break;
            }
            let path = MemoryPath::new(file.path.clone())?;
            let category = self.ledger.layout().category(&path);
            if category == "archive" || is_for_operator(self.ledger.layout(), &path) && !asking.is_operator()
            {
                continue;
            }
            let bytes = self.seen_by(asking, path.as_str())?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let limit = usize::try_from(self.config.search.passage_tokens).unwrap_or(usize::MAX);
            let corrected =
                self.present_index().as_ref().map(|index| index.corrected_lines(&file.path, asking));
            let corrected = corrected.transpose().unwrap_or_default().unwrap_or_default();
            let text = without_data(&text);
            let (before, end) = end_of(&text, RECENT_BYTES);
            let found = passages(end, limit).into_iter().rev().map(|passage| Passage {
                start_line: passage.start_line + before,
                end_line: passage.end_line + before,
                ..passage
            });
            let found = found.filter(|passage| {
                let is_said = !is_front_matter(passage.start_line, &passage.text) && !is_blank(&passage.text);
                is_said && !corrected.contains(&passage.start_line)
            });
            let found = found.take_while(|passage| {
                let has_room = tokens < budget;
                tokens += estimate_tokens(&passage.text);
                has_room
            });
            recent.extend(found.map(|passage| Candidate {
                // A later passage of a day is newer; compared as text.
                date: Some(format!("{date} {} {:08}", file.path, passage.start_line)),
                day: Some(date.to_string()),
                is_untrusted: true,
                ..Candidate::new(
                    file.path.as_str(),
                    (passage.start_line, passage.end_line),
                    passage.text,
                    format!("of the last {hours} hours"),
                )
            }));
        }
        Ok(recent)
    }

    /// What the message recalls, best first, and the index that was asked: as much as could fit into `budget`, which may be more
    /// than one search shows a person. Files that stand in the context anyway are left out.
    fn recalled(
        &self,
        files: &SearchedFiles,
        asking: &Asking,
        message: &str,
        budget: usize,
        observed_at: SystemTime,
    ) -> Result<(Vec<Candidate>, Option<AskedIndex>), MemoryError> {
        if message.trim().is_empty() {
            return Ok((Vec::new(), None));
        }
        let query = self.query(message);
        let limit = query.limit.max((budget / SHORT_PASSAGE).min(MAX_RECALLED));
        let query = Query { min_score: 0.0, limit, asking: asking.clone(), ..query };
        let answer = self.recall_among(files, &query, observed_at, &mut |_| {})?;
        let freshness = &answer.freshness;
        let index = freshness.embedder.clone();
        let index = index.map(|embedder| AskedIndex { generation: freshness.generation, embedder });
        let found = answer
            .results
            .into_iter()
            .filter(|hit| hit.status != "corrected")
            .filter(|hit| !matches!(hit.category.as_str(), "identity" | "memory" | "config" | "meta"))
            .filter(|hit| {
                let is_said = !is_front_matter(hit.start_line, &hit.text) && !is_blank(&hit.text);
                is_said && !is_data(&hit.text) && !self.is_machinery(&hit.path)
            })
            .map(|hit| Candidate {
                path: hit.path,
                start_line: hit.start_line,
                end_line: hit.end_line,
                text: without_data(&hit.text).into_owned(),
                why: format!("matches the message, {:.2}", hit.score),
                score: Some(hit.score),
                day: hit.date.clone(),
                memory: Some(hit.id),
                date: hit.date,
                // Whoever wrote it, what is recalled is data.
                is_untrusted: true,
                is_urgent: false,
                later: None,
                is_turn: hit.category == "conversation",
            })
            .collect();
        Ok((found, index))
    }
}

/// Leaves the identity out of a context for a host that passes on less than it takes, and says in its place where it is.
fn leave_identity_out(request: &mut ContextRequest, needed: usize) {
    for candidate in request.candidates.remove(&Source::Identity).unwrap_or_default() {
        let notice = format!(
            "{} takes {needed} tokens with what belongs to it, more than this host passes on: read the file.",
            candidate.path
        );
        let lines = (candidate.start_line, candidate.start_line);
        let path = candidate.path.clone();
        request.left_out.push((
            Source::Identity,
            Dropped {
                path: candidate.path.clone(),
                tokens: needed,
                why: "larger than what the host passes on".to_owned(),
            },
        ));
        let notice = Candidate::new(path, lines, notice, "in place of the identity");
        request.candidates.entry(Source::Identity).or_default().push(notice);
    }
}

/// Neighbours of one file become one candidate, as long as they stay short: one label and one fence for all of
/// them. The order is that of the best, or newest, of each. Only the first that fit into `budget` are joined: what is far
/// behind must not take the room of what is better for standing beside the best. Those of the file `apart` stay as they are.
fn joined(candidates: Vec<Candidate>, budget: usize, apart: &str) -> Vec<Candidate> {
    const LONGEST: usize = 1600;
    // What a label and a fence take, and what a further place under them does.
    const LABEL: usize = 45;
    const PLACE: usize = 8;
    let mut joined: Vec<Candidate> = Vec::new();
    let mut tokens: usize = 0;
    for candidate in candidates {
        if tokens > budget {
            joined.push(candidate);
            continue;
        }
        tokens = tokens.saturating_add(estimate_tokens(&candidate.text));
        let touching = joined.iter_mut().find(|other| {
            let gap = if other.end_line < candidate.start_line {
                candidate.start_line - other.end_line
            } else {
                other.start_line.saturating_sub(candidate.end_line)
            };
            // A blank line, perhaps a date line, and a heading that is left out stand between two turns.
            other.path == candidate.path
                && other.path != apart
                && (1..=4).contains(&gap)
                && other.text.len() + candidate.text.len() < LONGEST
        });
        let Some(other) = touching else {
            let is_beside = joined.iter().any(|other| other.path == candidate.path);
            tokens = tokens.saturating_add(if is_beside { PLACE } else { LABEL });
            joined.push(candidate);
            continue;
        };
        let comes_after = other.start_line < candidate.start_line;
        let (first, last) = if comes_after { (&*other, &candidate) } else { (&candidate, &*other) };
        // What is left out between them stays an empty line, so that the lines of the text are those of the file.
        let between = "\n".repeat(last.start_line - first.end_line);
        let text = format!("{}{between}{}", first.text.trim_end(), last.text.trim_end());
        let (start_line, end_line) = (first.start_line, last.end_line);
        other.score = match (other.score, candidate.score) {
            (Some(one), Some(another)) => Some(one.max(another)),
            (one, another) => one.or(another),
        };
        other.is_urgent |= candidate.is_urgent;
        other.later = other.later.take().or(candidate.later);
        (other.text, other.start_line, other.end_line) = (text, start_line, end_line);
    }
    joined
}

/// The end of a text, at most so many bytes, from a heading on where one is in it; and the lines before it.
fn end_of(text: &str, most: usize) -> (usize, &str) {
    let Some(from) = text.len().checked_sub(most) else { return (0, text) };
    let from = text.ceil_char_boundary(from);
    let line = text[from..].find("\n#").or_else(|| text[from..].find('\n')).map_or(from, |at| from + at + 1);
    (text[..line].matches('\n').count(), &text[line..])
}

/// Whether a passage is the front matter of its file: data about the text, not the text.
fn is_front_matter(start_line: usize, text: &str) -> bool {
    start_line == 1 && text.starts_with("---")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text_begins_at_a_heading_and_knows_its_line() {
        let text = "# Title\n\n## One\n\n한국어 한국어\n\n## Two\n\nlast\n";
        assert_eq!(end_of(text, 1_000), (0, text));
        assert_eq!(end_of(text, 40), (6, "## Two\n\nlast\n"));
        assert_eq!(end_of("one\ntwo\nthree", 7), (2, "three"));
        assert_eq!(end_of("onelongline", 4), (0, "line"));
    }

    #[test]
    fn neighbouring_turns_become_one_text_whose_lines_are_those_of_the_file() {
        let said = |start_line, end_line, text: &str| Candidate {
            path: "raw/conversations/2026/03/19/1845-s-x.md".to_owned(),
            start_line,
            end_line,
            text: text.to_owned(),
            why: "matches".to_owned(),
            score: Some(0.5),
            date: None,
            day: None,
            memory: None,
            is_untrusted: true,
            is_urgent: false,
            later: None,
            is_turn: true,
        };
        // The headings stand on lines 9 and 13, after a line with the new date; line 30 is elsewhere.
        let turns = vec![said(14, 14, "agent: c"), said(30, 30, "far"), said(10, 11, "user: a\nb")];
        let found = joined(turns.clone(), usize::MAX, "");
        assert_eq!(found.len(), 2);
        let first = &found[0];
        assert_eq!(
            (first.text.as_str(), first.start_line, first.end_line),
            ("user: a\nb\n\n\nagent: c", 10, 14)
        );
        let lines: Vec<&str> = first.text.lines().collect();
        assert_eq!(lines[first.end_line - first.start_line], "agent: c");
        // The third is beyond the budget: it does not grow the first, which would then not fit itself.
        assert_eq!(
            joined(turns, 55, ""),
            [said(14, 14, "agent: c"), said(30, 30, "far"), said(10, 11, "user: a\nb")]
        );
    }
}
