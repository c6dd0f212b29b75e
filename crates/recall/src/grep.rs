//! Searching the files themselves, for when there is no index (S4, A7.4, P2.6).
//!
//! The answer has the shape of the index's. A passage scores by how many different words of the question it
//! holds, so the order differs from the index's; what is found at all hardly does.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::time::Instant;

use grep_regex::RegexMatcherBuilder;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use jiff::civil::Date;

use crate::analyzer::{Highlighter, Language, QueryWord, document_tokens, fold};
use crate::answer::{Answer, Explanation, Freshness, Hit, LeftOut, Skipped};
use crate::copies::{self, Said, Terms};
use crate::correction::{Concern, Corrected, concern, corrected_by, is_struck};
use crate::decay::{Relevances, Visibility};
use crate::describe;
use crate::memories;
use crate::passage::{ArchivedDays, Passage, date_of_path, divided, seen_by, spoken};
use crate::query::{Filed, Filter, Query, QueryError};
use crate::question::Question;
use crate::rank;
use crate::search::section_of;
use crate::segment::{NO_DAY, Slot, Traits};
use crate::snippet::snippet_of;
use crate::source::{Holds, SourceFile, Sources};
use crate::strategy::Strategy;
use crate::write::{days, start_of};

/// What the words count of a question that names a time and nothing else, beside what a passage of these days gains.
const OF_TIME: f64 = 0.3;

/// Searches `files` without an index. Unreadable files are skipped and reported in the answer.
///
/// # Errors
/// [`QueryError`] when a path filter is no glob.
pub fn grep(sources: &Sources<'_>, query: &Query, passage_tokens: usize) -> Result<Answer, QueryError> {
    let started = Instant::now();
    let filter = Filter::new(query)?;
    let mut question = Question::new(&query.text, &[], query.today);
    question.ask_for_days(&query.text, query.since, query.until);
    let words = &question.words;
    let wanted: HashSet<String> = words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
    let mut freshness = Freshness::default();
    let mut found: Vec<(Hit, Vec<String>)> = Vec::new();
    // What happened on the days asked for need hold none of the words.
    let mut prefilter = Prefilter::new(if question.is_of_time_alone { &[] } else { words });
    let asks_nothing = words.is_empty() && !question.is_of_time_alone || query.limit == 0;
    let corrected = if asks_nothing { Vec::new() } else { corrected(sources, query, passage_tokens) };
    let asked = Asked { filter: &filter, question: &question, corrected: &corrected, passage_tokens };
    let highlighter = Highlighter::new(&wanted, &[]);
    for file in sources.files {
        if asks_nothing {
            break;
        }
        match search_file(file, sources, &asked, &mut prefilter) {
            Ok(passages) => found.extend(passages.into_iter().map(|mut passage| {
                let hit = &mut passage.0;
                hit.snippet = snippet_of(&hit.category, &highlighter, &hit.text, query.snippet_characters);
                passage
            })),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => freshness.skipped.push(Skipped { path: file.path.clone(), why: error.to_string() }),
        }
    }
    found.sort_by(|(one, _), (other, _)| {
        let place = |hit: &Hit| (hit.path.clone(), hit.start_line);
        let newest = || if question.asks_for_latest() { other.date.cmp(&one.date) } else { Ordering::Equal };
        other.score.total_cmp(&one.score).then_with(newest).then_with(|| place(one).cmp(&place(other)))
    });
    let mut results = Vec::new();
    let mut alike: Vec<Hit> = Vec::new();
    let mut above: Vec<Said<String>> = Vec::new();
    let mut left_out = LeftOut::default();
    for (hit, tokens) in found {
        if results.len() == query.limit || hit.score < query.min_score {
            break;
        }
        let said = Said::new(Terms::new(tokens), &hit.text);
        match copies::verdict(&said, &above) {
            copies::Verdict::Repeated => {
                left_out.repeated += 1;
                continue;
            }
            copies::Verdict::OneOfMany => alike.push(hit),
            copies::Verdict::Shown => results.push(hit),
        }
        above.push(said);
    }
    let last = results.last().map_or(0.0, |last: &Hit| last.score);
    results.extend(copies::after(last, alike, query.limit - results.len()));
    freshness.refreshed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Answer {
        mode: "grep",
        strategy: question.strategy.map(Strategy::as_str),
        period: question.period_in_words(),
        results,
        left_out,
        freshness,
    })
}

/// What is asked of every file.
struct Asked<'a> {
    filter: &'a Filter<'a>,
    question: &'a Question,
    corrected: &'a [Corrected<String>],
    passage_tokens: usize,
}

/// What the corrections correct that are for those who ask.
fn corrected(sources: &Sources<'_>, query: &Query, passage_tokens: usize) -> Vec<Corrected<String>> {
    let mut all = Vec::new();
    for file in sources.files {
        let label = (sources.label)(&file.path);
        // What cannot be read is reported where it is searched.
        let Some(content) = Some(&file.absolute)
            .filter(|_| label.category == "correction")
            .and_then(|path| std::fs::read(path).ok())
        else {
            continue;
        };
        let text = String::from_utf8_lossy(&content);
        let text = seen_by(&text, &query.asking);
        let entries = divided(&text, passage_tokens, matches!(label.holds, Holds::Entries(..)));
        all.extend(entries.iter().flat_map(|entry| corrected_by(&entry.text)));
    }
    all
}

/// The passages of a file that hold any of the words, with their tokens. Snippets are left to the caller.
fn search_file(
    file: &SourceFile,
    sources: &Sources<'_>,
    asked: &Asked<'_>,
    prefilter: &mut Prefilter,
) -> std::io::Result<Vec<(Hit, Vec<String>)>> {
    let Asked { filter, question, corrected, passage_tokens } = asked;
    let content = std::fs::read(&file.absolute)?;
    if !prefilter.may_match(&content) {
        return Ok(Vec::new());
    }
    let label = (sources.label)(&file.path);
    let date = date_of_path(&file.path).map(|date| date.to_string());
    let facets = describe::facets(&content, &label.facets);
    let filed = Filed { path: &file.path, category: &label.category, date: date.as_deref() };
    let is_archived = label.is_out_of_use || describe::is_archived(&content);
    let include = filter.query.include;
    let is_closed = label.is_for_operator && !filter.query.asking.is_operator();
    if is_closed || !filter.lets_place(&filed) || is_archived && !include.archived {
        return Ok(Vec::new());
    }
    let days_of_parts = match date {
        Some(_) => ArchivedDays::default(),
        None => ArchivedDays::of(&content, &label.category),
    };
    // What was used since is counted beside the index and is not known here.
    let memories = memories::found_in(&file.path, &content, &label);
    let relevances = filter.query.today.zip(filter.query.decay.as_ref());
    let relevances = relevances.map(|(today, settings)| Relevances::on(days(today), settings));
    // Groups stand in the index; without it the names count as they were given.
    let text = String::from_utf8_lossy(&content);
    let text = seen_by(&text, &filter.query.asking);
    let language = Language::told(start_of(&text, 4_096));
    let mut found = Vec::new();
    let passages: Vec<Passage> = divided(&text, *passage_tokens, matches!(label.holds, Holds::Entries(..)));
    let has_more = passages.len() > 1;
    for passage in passages {
        if label.category == "correction" && describe::is_taken_back(&passage.text) {
            continue;
        }
        let date = date.clone().or_else(|| Some(days_of_parts.of_passage(&passage)?.to_string()));
        let day: Option<Date> = date.as_deref().and_then(|date| date.parse().ok());
        if filter.has_period() && !filter.is_in_period(day) {
            continue;
        }
        if !filter.has_facets(&[&facets, &describe::passage_facets(&passage).join("\n")]) {
            continue;
        }
        let memory = memories.iter().find(|memory| memory.stands_in(&passage));
        let visibility = match (is_archived, memory, &relevances) {
            (true, ..) => Visibility::Archived,
            (false, Some(memory), Some(relevances)) => relevances.visibility(&memory.standing),
            _ => Visibility::Active,
        };
        if !include.shows(visibility) {
            continue;
        }
        let mut tokens: Vec<String> =
            document_tokens(&passage.text, Language::told_within(&passage.text, language));
        tokens.sort_unstable();
        tokens.dedup();
        let traits = describe::traits(&passage, &label.category, has_more);
        let slot = Slot { day: day.map_or(NO_DAY, days), traits, ..Slot::default() };
        let count = count_of(&question.words, &passage.text, &tokens);
        let by_day = question.gain_by_day(&slot);
        if traits.has(Traits::BLANK) || count == 0 && by_day <= 0.0 {
            continue;
        }
        let concern = match traits.has(Traits::CORRECTION) {
            true => None,
            false => concern(corrected, &tokens, &|_| true),
        };
        if concern == Some(Concern::Whole) {
            continue;
        }
        #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
        let (count, all) = (count as f64, question.words.len().max(1) as f64);
        let (start_line, text) = match spoken(&passage.text, false) {
            Some(words) => (passage.start_line + 1, words),
            None => (passage.start_line, passage.text),
        };
        let is_corrected = concern.is_some() || is_struck(&text);
        let share = match question.is_of_time_alone {
            true => OF_TIME * count / all + f64::from(by_day),
            false => count / all,
        };
        let id = || format!("passage:{}:{start_line}-{}", file.path, passage.end_line);
        let hit = Hit {
            id: memory.map(|memory| memory.id.clone()).or_else(|| label.id.clone()).unwrap_or_else(id),
            path: file.path.clone(),
            start_line,
            end_line: passage.end_line,
            category: label.category.clone(),
            date,
            score: share * if is_corrected { rank::CORRECTED } else { 1.0 },
            snippet: String::new(),
            status: if is_corrected { "corrected" } else { visibility.as_str() },
            tier: label.tier.clone(),
            section: section_of(&text, Some(&passage.heading)),
            explain: Explanation { bm25: count / all, bm25_raw: count, ..Explanation::default() },
            text,
        };
        found.push((hit, tokens));
    }
    Ok(found)
}

/// How many of the words a passage with these tokens holds.
fn count_of(words: &[QueryWord], text: &str, tokens: &[String]) -> usize {
    let folded = fold(text);
    // What is shorter stands inside of other words.
    let may_be_part = |word: &QueryWord| !word.folded.is_ascii() || word.folded.len() > 2;
    let holds = |word: &&QueryWord| {
        word.tokens.iter().any(|token| tokens.binary_search(token).is_ok())
            || may_be_part(word) && folded.contains(&word.folded)
    };
    words.iter().filter(holds).count()
}

/// A quick look at the bytes of a file before it is divided and analysed.
struct Prefilter {
    matcher: Option<grep_regex::RegexMatcher>,
    searcher: Searcher,
}

impl Prefilter {
    fn new(words: &[QueryWord]) -> Self {
        let forms = |word: &QueryWord| {
            let tokens = word.tokens.iter().filter(|token| token.is_ascii()).cloned();
            [word.written.clone(), word.folded.clone()].into_iter().chain(tokens).collect::<Vec<_>>()
        };
        let alternatives: Vec<String> = words.iter().flat_map(forms).map(|form| escape(&form)).collect();
        // Words with letters beyond ASCII may be written with other bytes in the file: then every file is read.
        let is_plain = words.iter().all(|word| word.folded.is_ascii() && word.written.is_ascii());
        let is_usable = is_plain && !alternatives.is_empty();
        let build = || RegexMatcherBuilder::new().case_insensitive(true).build(&alternatives.join("|")).ok();
        let matcher = is_usable.then(build).flatten();
        let searcher =
            SearcherBuilder::new().line_number(false).binary_detection(BinaryDetection::none()).build();
        Self { matcher, searcher }
    }

    fn may_match(&mut self, content: &[u8]) -> bool {
        // A word may hide in a file behind a diacritic, as `cafe` does in `café`.
        let Some(matcher) = self.matcher.as_ref().filter(|_| content.is_ascii()) else { return true };
        let mut first = FirstMatch(false);
        // In memory nothing can fail; if it did, the file would be looked at closely.
        self.searcher.search_slice(matcher, content, &mut first).is_err() || first.0
    }
}

struct FirstMatch(bool);

impl Sink for FirstMatch {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, _: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.0 = true;
        Ok(false)
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() && !character.is_ascii_alphanumeric() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
