//! What may stand in a context: identity, operator, corrections, core memory, recent days, what the message recalls.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::document::Document;
use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_recall::{Asking, Query, SourceFile, passages};

use super::budget::{Overrides, Source};
use super::context::{Audience, Candidate, CompiledContext, ContextRequest, Dropped, compile};
use super::superseded::{Superseded, take_out};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::search::{is_blank, is_for_operator};

/// Recent turns offered to the compiler at most; the slot holds far fewer.
const MAX_RECENT: usize = 200;

impl Memory {
    /// The context for a message: what the agent should see before it answers (the first form of C10). An empty message recalls
    /// nothing and gives the rest. `observed_at` is the machine's own time, which file times are compared with.
    ///
    /// # Errors
    /// [`MemoryError`] when files cannot be read.
    pub fn context(
        &self,
        message: &str,
        overrides: Overrides,
        audience: Audience,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        let asking = &Asking::default();
        self.context_among(Self::searchable_files, asking, message, overrides, audience, observed_at)
    }

    /// As [`Self::context`], after catching up with what happened to the workspace; both look at every file, and look once.
    ///
    /// # Errors
    /// The same.
    pub fn catch_up_and_context(
        &self,
        message: &str,
        overrides: Overrides,
        audience: Audience,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        let asking = &Asking::default();
        self.context_among(Self::caught_up_files, asking, message, overrides, audience, observed_at)
    }

    /// As [`Self::catch_up_and_context`], for a session: what is handed out is recorded, so that it is known when it comes back (T10)
    /// and when an answer uses it.
    ///
    /// # Errors
    /// The same. A record that cannot be written is said on the log: the context is worth more.
    pub fn context_in_session(
        &self,
        session: &str,
        message: &str,
        overrides: Overrides,
        audience: Audience,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        self.context_for(&Asking::default(), Some(session), message, overrides, audience, observed_at)
    }

    /// As [`Self::context_in_session`], on behalf of somebody: what is for others alone is left out before anything is chosen.
    ///
    /// # Errors
    /// The same.
    pub fn context_for(
        &self,
        asking: &Asking,
        session: Option<&str>,
        message: &str,
        overrides: Overrides,
        audience: Audience,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        let context =
            self.context_among(Self::caught_up_files, asking, message, overrides, audience, observed_at)?;
        if let Some(session) = session
            && let Err(error) = self.hand_out_to(asking, session, &context)
        {
            tracing::warn!("what was handed out to session {session} is not recorded: {error}");
        }
        Ok(context)
    }

    fn context_among(
        &self,
        list: fn(&Self) -> Result<Vec<SourceFile>, MemoryError>,
        asking: &Asking,
        message: &str,
        overrides: Overrides,
        audience: Audience,
        observed_at: SystemTime,
    ) -> Result<CompiledContext, MemoryError> {
        let begun = Instant::now();
        let mut timings: BTreeMap<String, u64> = BTreeMap::new();
        let mut lap = |name: &str, since: Instant| {
            timings.insert(name.to_owned(), u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX));
        };
        let files = list(self)?;
        let asking = &self.resolved(asking, &files, observed_at);
        let mut candidates: BTreeMap<Source, Vec<Candidate>> = BTreeMap::new();
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
        candidates.insert(Source::Corrections, self.corrections(asking)?);
        lap("files", begun);

        let recalling = Instant::now();
        let mut recalled = self.recalled(&files, asking, message, observed_at)?;
        lap("recall", recalling);
        let mut recent = self.recent(&files, asking)?;
        let evidence: Vec<Candidate> = recalled.iter().chain(&recent).cloned().collect();
        let mut superseded = take_out(&mut recalled, &evidence);
        superseded.extend(take_out(&mut recent, &evidence));
        // What the question recalls need not stand there twice; it is the surer of a place.
        recent.retain(|turn| {
            !recalled.iter().any(|hit| hit.path == turn.path && hit.end_line == turn.end_line)
        });
        candidates.insert(Source::Recall, joined(recalled));
        candidates.insert(Source::Recent, joined(recent));

        let compiling = Instant::now();
        let request = ContextRequest { overrides, audience, candidates };
        let mut context = compile(&self.config, &request, &rem_reason::count_tokens)?;
        lap("compile", compiling);
        lap("total", begun);
        context.timings_ms = timings;
        note_superseded(&mut context, superseded);
        Ok(context)
    }

    /// One file as one candidate, unless it says nothing to those who ask.
    fn whole_file(
        &self,
        asking: &Asking,
        path: &MemoryPath,
        why: &str,
    ) -> Result<Option<Candidate>, MemoryError> {
        let bytes = self.seen_by(asking, path.as_str())?;
        let document = Document::parse(&bytes);
        let text = document.body_text().into_owned();
        let start_line = document.body_line();
        Ok((!is_blank(&text)).then(|| Candidate {
            path: path.to_string(),
            start_line,
            end_line: start_line + text.lines().count().saturating_sub(1),
            text,
            why: why.to_owned(),
            score: None,
            date: None,
            day: None,
            is_untrusted: false,
            is_urgent: false,
        }))
    }

    /// Files about the memory itself, which answer no question.
    fn is_machinery(&self, path: &str) -> bool {
        let store = MemoryPath::new(path).ok().and_then(|path| self.ledger.layout().store_of(&path));
        matches!(store, Some(Store::GraphIndex | Store::Relations | Store::CompactionLog))
    }

    /// The sections of CORRECTIONS.md, newest last as the file has them.
    fn corrections(&self, asking: &Asking) -> Result<Vec<Candidate>, MemoryError> {
        let path = self.path(Store::Corrections).clone();
        let bytes = self.seen_by(asking, path.as_str())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(passages(&text, usize::MAX)
            .into_iter()
            .filter(|passage| !is_blank(&passage.text))
            .map(|passage| Candidate {
                path: path.to_string(),
                start_line: passage.start_line,
                end_line: passage.end_line,
                is_urgent: passage.text.contains("verified: false"),
                text: passage.text,
                why: "correction".to_owned(),
                score: None,
                date: None,
                day: None,
                is_untrusted: false,
            })
            .collect())
    }

    /// Dated files and conversations of the last hours (`context.recent_hours`), newest first.
    fn recent(&self, files: &[SourceFile], asking: &Asking) -> Result<Vec<Candidate>, MemoryError> {
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
        for (date, file) in dated {
            if recent.len() >= MAX_RECENT {
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
            let found = passages(&text, limit).into_iter().rev().filter(|passage| {
                !is_front_matter(passage.start_line, &passage.text) && !is_blank(&passage.text)
            });
            recent.extend(found.map(|passage| Candidate {
                path: file.path.clone(),
                start_line: passage.start_line,
                end_line: passage.end_line,
                // A later passage of a day is newer; compared as text.
                date: Some(format!("{date} {} {:08}", file.path, passage.start_line)),
                day: Some(date.to_string()),
                text: passage.text,
                why: format!("of the last {hours} hours"),
                score: None,
                is_untrusted: true,
                is_urgent: false,
            }));
        }
        Ok(recent)
    }

    /// What the message recalls, best first. Files that stand in the context anyway are left out.
    fn recalled(
        &self,
        files: &[SourceFile],
        asking: &Asking,
        message: &str,
        observed_at: SystemTime,
    ) -> Result<Vec<Candidate>, MemoryError> {
        if message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let query = Query { min_score: 0.0, asking: asking.clone(), ..self.query(message) };
        let answer = self.recall_among(files, &query, observed_at, &mut |_| {})?;
        Ok(answer
            .results
            .into_iter()
            .filter(|hit| hit.status != "corrected")
            .filter(|hit| !matches!(hit.category.as_str(), "identity" | "memory" | "config" | "meta"))
            .filter(|hit| {
                let is_said = !is_front_matter(hit.start_line, &hit.text) && !is_blank(&hit.text);
                is_said && !self.is_machinery(&hit.path)
            })
            .map(|hit| Candidate {
                path: hit.path,
                start_line: hit.start_line,
                end_line: hit.end_line,
                text: hit.text,
                why: format!("matches the message, {:.2}", hit.score),
                score: Some(hit.score),
                day: hit.date.clone(),
                date: hit.date,
                // Whoever wrote it, what is recalled is data.
                is_untrusted: true,
                is_urgent: false,
            })
            .collect())
    }
}

/// Neighbours of one file become one candidate, as long as they stay short: one label and one fence for all of
/// them. The order is that of the best, or newest, of each.
fn joined(candidates: Vec<Candidate>) -> Vec<Candidate> {
    const LONGEST: usize = 1600;
    let mut joined: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let touching = joined.iter_mut().find(|other| {
            let gap = if other.end_line < candidate.start_line {
                candidate.start_line - other.end_line
            } else {
                other.start_line.saturating_sub(candidate.end_line)
            };
            // A blank line, perhaps a date line, and a heading that is left out stand between two turns.
            other.path == candidate.path
                && (1..=4).contains(&gap)
                && other.text.len() + candidate.text.len() < LONGEST
        });
        let Some(other) = touching else {
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
        (other.text, other.start_line, other.end_line) = (text, start_line, end_line);
    }
    joined
}

/// Whether a passage is the front matter of its file: data about the text, not the text.
fn is_front_matter(start_line: usize, text: &str) -> bool {
    start_line == 1 && text.starts_with("---")
}

/// Puts what was superseded on the receipt of the slot it would have stood in.
fn note_superseded(context: &mut CompiledContext, superseded: Vec<Superseded>) {
    for Superseded { candidate, why } in superseded {
        let recent = candidate.why.starts_with("of the last");
        let slot = context
            .slots
            .iter_mut()
            .find(|slot| slot.name.contains(if recent { "recent" } else { "recall" }));
        if let Some(slot) = slot {
            slot.dropped.push(Dropped {
                path: candidate.path,
                tokens: rem_reason::count_tokens(&candidate.text),
                why,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            is_untrusted: true,
            is_urgent: false,
        };
        // The headings stand on lines 9 and 13, after a line with the new date; line 30 is elsewhere.
        let turns = vec![said(14, 14, "agent: c"), said(30, 30, "far"), said(10, 11, "user: a\nb")];
        let found = joined(turns);
        assert_eq!(found.len(), 2);
        let first = &found[0];
        assert_eq!(
            (first.text.as_str(), first.start_line, first.end_line),
            ("user: a\nb\n\n\nagent: c", 10, 14)
        );
        let lines: Vec<&str> = first.text.lines().collect();
        assert_eq!(lines[first.end_line - first.start_line], "agent: c");
    }
}
