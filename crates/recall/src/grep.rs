//! Searching the files themselves, for when there is no index (S4, A7.4, P2.6).
//!
//! The answer has the shape of the index's. A passage scores by how many different words of the question it
//! holds, so the order differs from the index's; what is found at all hardly does.

use std::collections::HashSet;
use std::time::Instant;

use grep_regex::RegexMatcherBuilder;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};

use crate::analyzer::{Highlighter, Language, QueryWord, document_tokens, fold, query_words};
use crate::answer::{Answer, Explanation, Freshness, Hit, LeftOut, Skipped};
use crate::copies::{self, Said};
use crate::correction::is_struck;
use crate::decay::{Relevances, Visibility};
use crate::describe;
use crate::memories;
use crate::passage::{ArchivedDays, date_of_path, divided, seen_by, spoken};
use crate::query::{Filed, Filter, Query, QueryError};
use crate::rank;
use crate::search::section_of;
use crate::snippet::snippet_of;
use crate::source::{Holds, SourceFile, Sources};
use crate::write::{days, start_of};

/// Searches `files` without an index. Unreadable files are skipped and reported in the answer.
///
/// # Errors
/// [`QueryError`] when a path filter is no glob.
pub fn grep(sources: &Sources<'_>, query: &Query, passage_tokens: usize) -> Result<Answer, QueryError> {
    let started = Instant::now();
    let filter = Filter::new(query)?;
    let words = query_words(&query.text, &[]);
    let wanted: HashSet<String> = words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
    let mut freshness = Freshness::default();
    let mut found: Vec<(Hit, Vec<String>)> = Vec::new();
    let mut prefilter = Prefilter::new(&words);
    let highlighter = Highlighter::new(&wanted, &[]);
    for file in sources.files {
        if words.is_empty() || query.limit == 0 {
            break;
        }
        match search_file(file, sources, &filter, &words, &mut prefilter, passage_tokens) {
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
        other.score.total_cmp(&one.score).then_with(|| place(one).cmp(&place(other)))
    });
    let mut results = Vec::new();
    let mut alike: Vec<Hit> = Vec::new();
    let mut above: Vec<Said<String>> = Vec::new();
    let mut left_out = LeftOut::default();
    for (hit, tokens) in found {
        if results.len() == query.limit || hit.score < query.min_score {
            break;
        }
        let said = Said::new(tokens, &hit.text);
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
    Ok(Answer { mode: "grep", strategy: None, period: None, results, left_out, freshness })
}

/// The passages of a file that hold any of the words, with their tokens. Snippets are left to the caller.
fn search_file(
    file: &SourceFile,
    sources: &Sources<'_>,
    filter: &Filter<'_>,
    words: &[QueryWord],
    prefilter: &mut Prefilter,
    passage_tokens: usize,
) -> std::io::Result<Vec<(Hit, Vec<String>)>> {
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
    for passage in divided(&text, passage_tokens, matches!(label.holds, Holds::Entries(..))) {
        if label.category == "correction" && describe::is_taken_back(&passage.text) {
            continue;
        }
        let date = date.clone().or_else(|| Some(days_of_parts.of_passage(&passage)?.to_string()));
        if filter.has_period() && !filter.is_in_period(date.as_deref().and_then(|date| date.parse().ok())) {
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
        let folded = fold(&passage.text);
        let holds = |word: &&QueryWord| {
            word.tokens.iter().any(|token| tokens.binary_search(token).is_ok())
                || folded.contains(&word.folded)
        };
        let count = words.iter().filter(holds).count();
        if count == 0 {
            continue;
        }
        #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
        let (count, all) = (count as f64, words.len() as f64);
        let (start_line, text) = match spoken(&passage.text, false) {
            Some(words) => (passage.start_line + 1, words),
            None => (passage.start_line, passage.text),
        };
        let id = || format!("passage:{}:{start_line}-{}", file.path, passage.end_line);
        let hit = Hit {
            id: memory.map(|memory| memory.id.clone()).or_else(|| label.id.clone()).unwrap_or_else(id),
            path: file.path.clone(),
            start_line,
            end_line: passage.end_line,
            category: label.category.clone(),
            date,
            score: count / all * if is_struck(&text) { rank::CORRECTED } else { 1.0 },
            snippet: String::new(),
            status: if is_struck(&text) { "corrected" } else { visibility.as_str() },
            tier: label.tier.clone(),
            section: section_of(&text, Some(&passage.heading)),
            explain: Explanation { bm25: count / all, bm25_raw: count, ..Explanation::default() },
            text,
        };
        found.push((hit, tokens));
    }
    Ok(found)
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
