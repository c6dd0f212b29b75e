//! One question put to the index: exact scores for every passage, then a closer look at the best of them.
//!
//! First every passage gets its match by words (BM25, where a word of like meaning counts as part of the word), its match by
//! meaning (cosine), and what its neighbours and its conversation add; that costs a few nanoseconds a posting and needs no
//! text. Then the few hundred best are looked at with all that is known of their files. Filters narrow what is open before
//! any of it, so a small folder in a large store is searched as if it stood alone (S17).

use std::cmp::Ordering;
use std::collections::HashSet;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::{Arc, PoisonError};

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use crate::access::Accesses;
use crate::analyzer::{Highlighter, Language, script};
use crate::answer::{Explanation, Hit, LeftOut};
use crate::best::best;
use crate::copies::{self, Said, Terms};
use crate::correction::{self, Concern};
use crate::embed::builtin::Builtin;
use crate::feedback::{self, Compared};
use crate::index::Index;
use crate::latest;
use crate::lexical::Words;
use crate::meaning::Meaning;
use crate::passage::spoken;
use crate::query::{Filter, Mode, Query};
use crate::question::Question;
use crate::rank;
use crate::scores::Scores;
use crate::segment::{NO_DAY, Slot, Traits};
use crate::snippet::snippet_of;
use crate::terms::TermsOf;
use crate::vectors;
use crate::view::View;
use crate::visibility::Visibilities;
use crate::window;

/// Passages that are looked at closely, at least.
const CANDIDATES: usize = 300;
/// Of so many the pairs of words and the windows are looked at, which takes reading their terms.
const LOOKED_AT: usize = 120;
/// How often at most others are looked at that have come up among the best meanwhile.
const ROUNDS: usize = 3;
/// What it takes to see whether a passage is open and how near its meaning is, in postings to score.
const POSTINGS_A_PASSAGE: usize = 3;

/// What a search found, and how it took the question.
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    pub(crate) left_out: LeftOut,
    pub(crate) question: Question,
}

struct Candidate {
    at: usize,
    slot: Slot,
    score: f64,
    status: &'static str,
    explanation: Explanation,
}

impl Candidate {
    /// The better one first. Sorts by it are stable, so that equal ones stay as they are.
    fn by_score(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score)
    }
}

impl Index {
    /// Asks the index as it is; `recall` refreshes it first. `meaning` takes the place of the built-in model's.
    pub(crate) fn ask(
        &self,
        query: &Query,
        filter: &Filter<'_>,
        meaning: Option<&Meaning>,
    ) -> rusqlite::Result<Found> {
        let languages = self.languages()?;
        let mut question = Question::new(&query.text, &languages, query.today);
        question.ask_for_days(&query.text, query.since, query.until);
        // One moment for everything that is read: another process may be writing.
        let transaction = self.connection.unchecked_transaction()?;
        let (hits, left_out) = if question.words.is_empty() && !question.is_of_time_alone || query.limit == 0
        {
            (Vec::new(), LeftOut::default())
        } else {
            self.hits(&transaction, query, filter, &languages, &mut question, meaning)?
        };
        Ok(Found { hits, left_out, question })
    }

    /// The view of the present generation, made now if another was seen before. `connection` is in a transaction.
    pub(crate) fn view(&self, connection: &Connection) -> rusqlite::Result<Arc<View>> {
        let generation = self.read_generation()?;
        let width = Builtin::get().dimensions();
        let mut kept = self.kept.view.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = kept.as_ref().filter(|view| view.generation == generation) {
            return Ok(view.clone());
        }
        // Whoever asks beside this one may have seen more already: that view stays.
        if kept.as_ref().is_some_and(|view| view.generation > generation) {
            return Ok(Arc::new(View::load(connection, generation, width, None)?));
        }
        let before = kept.take();
        let before =
            before.map(|before| Arc::try_unwrap(before).unwrap_or_else(|before| before.to_take_over()));
        let view = Arc::new(View::load(connection, generation, width, before)?);
        *kept = Some(view.clone());
        Ok(view)
    }

    fn hits(
        &self,
        connection: &Connection,
        query: &Query,
        filter: &Filter<'_>,
        languages: &[Language],
        question: &mut Question,
        provider: Option<&Meaning>,
    ) -> rusqlite::Result<(Vec<Hit>, LeftOut)> {
        let view = self.view(connection)?;
        if query.ranking.context {
            question.notice_speakers(&view.speakers);
        }
        question.prepare_pairs(|word| {
            let (mut terms, mut frequency) = (Vec::new(), 0);
            for token in &word.tokens {
                if let Some(term) = view.term(connection, token)? {
                    frequency = frequency.max(view.frequency(connection, term)?);
                    terms.push(term);
                }
            }
            Ok((terms, rank::inverse_frequency(frequency, view.count)))
        })?;
        let visibilities = Visibilities::new(query, self.accesses(view.generation)?);
        let addressed = self.seen(&query.asking)?;
        let is_seen = |addressees: u32| addressed.as_ref().is_none_or(|seen| seen.contains(&addressees));
        let seen: Option<Vec<bool>> =
            addressed.is_some().then(|| view.slots.iter().map(|slot| is_seen(slot.addressees)).collect());
        let is_asked = |slot: &Slot| is_seen(slot.addressees) && filter.is_in_period(date_of(slot.day));
        let let_through: Option<Vec<bool>> =
            filter.has_period().then(|| view.slots.iter().map(is_asked).collect());
        let through = filter.through(connection)?;
        let openness = || {
            let let_through = let_through.as_deref().or(seen.as_deref());
            view.open(let_through, through.as_ref(), |slot| visibilities.shows(slot))
        };
        let size = view.slots.len();
        let words = match query.mode {
            Mode::Vector => Words::none(),
            Mode::Hybrid | Mode::Keyword => Words::read(connection, &view, question, query.ranking.context)?,
        };
        let asked = question.meaning.as_str();
        let by_meaning = || match (query.mode, provider) {
            (Mode::Keyword, _) => vec![0.0; size],
            _ if question.is_of_time_alone => vec![0.0; size],
            (_, Some(provider)) => provider.cosines(&view.slots),
            (_, None) => {
                let (mut vector, mut cosines) = (Vec::new(), Vec::new());
                Builtin::get().embed(asked, &mut vector);
                view.cosines(&vectors::pack(&vector), &mut cosines);
                cosines
            }
        };
        // In a large store there is work for two cores.
        let (spread, other, ((open, hidden), cosines)) = match vectors::is_worth_a_thread(size) {
            true => std::thread::scope(|threads| {
                let (first, second) = words.halves(size * POSTINGS_A_PASSAGE);
                let (view, words, seen) = (&view, &words, seen.as_deref());
                let beside =
                    threads.spawn(move || (words.scores(view, &second, seen), (openness(), by_meaning())));
                let spread = words.scores(view, &first, seen);
                let (other, rest) = beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                (spread, Some(other), rest)
            }),
            false => (words.scores(&view, &words.all(), seen.as_deref()), None, (openness(), by_meaning())),
        };
        let matches = words.matches(spread?, other.transpose()?);
        let mut scores = Scores::new(query, &view.traits, &open, matches, cosines);
        let left_out = scores.left_out(query, &view.slots, &hidden, &visibilities);
        let count = CANDIDATES.max(query.limit.saturating_mul(3));
        let mut total = scores.with_session(&view, &open);
        let terms = TermsOf::new(connection);
        if query.ranking.context && query.mode != Mode::Vector {
            look_closely(&terms, &view, question, &open, &mut scores, &mut total)?;
        }
        let reached = self.reached(query, question)?;
        let reached_by = |slot: &Slot| match slot.traits.has(Traits::BARE) {
            true => None,
            false => reached.get(&slot.file).copied(),
        };
        if !reached.is_empty() {
            for ((total, slot), open) in total.iter_mut().zip(&view.slots).zip(&open) {
                *total += gain_of(reached_by(slot).filter(|_| *open));
            }
        }
        if question.is_of_time_alone {
            for ((total, slot), _) in total.iter_mut().zip(&view.slots).zip(&open).filter(|(_, open)| **open)
            {
                *total += question.gain_by_day(slot);
            }
        }
        let mut candidates = Vec::new();
        let chosen = best(&total, count);
        let talked_about = scores.conversations_with_words(&view.slots, &chosen);
        for at in chosen {
            let slot = view.slots[at];
            // What says nothing answers nothing, and sets no measure for what does.
            if slot.traits.has(Traits::BLANK) {
                continue;
            }
            let mut least = question.least_cosine(&slot, talked_about.contains(&slot.file));
            if slot.traits.has(Traits::BARE) || !scores.matches.is_meant && provider.is_none() {
                least = least.max(rank::LEAST_COSINE_OF_NOTHING);
            }
            let is_near = scores.cosines[at] >= least || query.mode == Mode::Vector;
            let through_graph = reached_by(&slot);
            let by_day = question.gain_by_day(&slot);
            if !is_near && scores.matches.spread[at] <= 0.0 && through_graph.is_none() && by_day <= 0.0 {
                let may_be_meant =
                    scores.matches.is_foreign() && scores.cosines[at] >= rank::LEAST_COSINE_ABROAD;
                if !may_be_meant || script(&text_of(connection, slot.passage)?) == script(&query.text) {
                    continue;
                }
            }
            let status = match concern(&terms, &view, &slot, &is_seen)? {
                Some(Concern::Whole) => continue,
                Some(Concern::Part) => "corrected",
                None if slot.traits.has(Traits::STRUCK) => "corrected",
                None => visibilities.of(&slot).as_str(),
            };
            let mut bonuses = if query.ranking.context { question.bonuses(&slot) } else { Vec::new() };
            let (date_weight, mut boosts) = factors(query, question, &slot);
            if status == "corrected" {
                boosts.push(("corrected".to_owned(), rank::CORRECTED));
            }
            let sum = f64::from(total[at]) + bonuses.iter().map(|bonus| bonus.1).sum::<f64>();
            bonuses.extend(through_graph.map(|(gain, why)| (why.to_owned(), gain)));
            if by_day > 0.0 {
                bonuses.push(("of the days asked for".to_owned(), f64::from(by_day)));
            }
            let parts = scores.parts(&slot, at);
            bonuses.extend(parts.bonuses);
            let explanation = Explanation {
                weights: parts.weights,
                bm25: parts.words,
                bm25_raw: f64::from(scores.matches.spread[at]),
                vector: (query.mode != Mode::Keyword).then_some(parts.meaning),
                context: f64::from(total[at] - scores.own[at] - gain_of(through_graph) - by_day).max(0.0),
                bonuses,
                date_weight,
                relevance: visibilities.factor(&slot),
                boosts,
            };
            let score = sum.max(0.0) * factor(&explanation);
            candidates.push(Candidate { at, slot, score, status, explanation });
        }
        candidates.sort_by(Candidate::by_score);
        in_order_of_places(connection, &mut candidates)?;
        if scores.in_context
            && scores.by_words > 0.0
            && !question.is_of_time_alone
            && query.limit > feedback::FIRST
        {
            let is_asked =
                |term| scores.matches.worths.binary_search_by_key(&term, |worth| worth.term).is_ok();
            compare_with_first(&terms, &view, is_asked, &mut candidates)?;
            lift_close_to_first(&mut candidates);
        }
        if question.asks_for_latest() {
            put_newest_first(&mut candidates);
        }
        let (hits, repeated) = shown(&terms, &view, query, question, languages, candidates)?;
        Ok((hits, LeftOut { repeated, ..left_out }))
    }

    /// The uses of the memories of this generation, as of now.
    fn accesses(&self, generation: u64) -> rusqlite::Result<Arc<Accesses>> {
        let number = (generation, self.access_number()?);
        let mut kept = self.kept.accesses.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, accesses)) if *known == number => Ok(accesses.clone()),
            _ => {
                let accesses = Arc::new(self.read_accesses()?);
                *kept = Some((number, accesses.clone()));
                Ok(accesses)
            }
        }
    }
}

/// What the graph adds to a score.
#[allow(clippy::cast_possible_truncation, reason = "a share needs no more")]
fn gain_of(reached: Option<(f64, &'static str)>) -> f32 {
    reached.map_or(0.0, |(gain, _)| gain as f32)
}

/// Looks at the terms of the best passages in their order: the question's words that stand together count more, and of long
/// turns the best window counts. What falls lets others come up, so they are looked at as well.
fn look_closely(
    terms: &TermsOf<'_>,
    view: &View,
    question: &Question,
    open: &[bool],
    scores: &mut Scores,
    total: &mut [f32],
) -> rusqlite::Result<()> {
    let mut seen: HashSet<usize> = HashSet::new();
    for _ in 0..ROUNDS {
        let mut new = best(total, LOOKED_AT);
        new.retain(|at| seen.insert(*at));
        let mut has_fallen = false;
        for &at in &new {
            let (slot, norm) = (&view.slots[at], view.norms[at]);
            let terms = terms.passage(slot.passage)?;
            scores.own[at] += rank::PAIRS * question.pairs_in(&terms);
            let excess = window::excess(slot, &terms, &scores.matches.worths, question.words.len(), norm);
            if excess > 0.0 {
                scores.lower(at, excess);
                has_fallen = true;
            }
        }
        scores.renew(view, open, &new, total);
        if !has_fallen {
            break;
        }
    }
    Ok(())
}

/// What a score is multiplied by.
fn factor(explanation: &Explanation) -> f64 {
    let Explanation { date_weight, relevance, boosts, .. } = explanation;
    date_weight * relevance * boosts.iter().map(|boost| boost.1).product::<f64>()
}

/// Lets the candidates after the first gain by what they have in common with those. None comes before the first.
fn compare_with_first(
    terms: &TermsOf<'_>,
    view: &View,
    is_asked: impl Fn(u32) -> bool,
    candidates: &mut [Candidate],
) -> rusqlite::Result<()> {
    let compared = candidates.len().min(feedback::COMPARED);
    let of_one = |one: &Candidate| {
        let terms = terms.passage(one.slot.passage)?.counts();
        Ok(Compared { terms, norm: view.norms[one.at], score: one.score })
    };
    let gains = candidates[..compared].iter().map(of_one).collect::<rusqlite::Result<Vec<Compared>>>();
    let gains = feedback::gains(&gains?, is_asked);
    let best = candidates.first().map_or(0.0, |one| one.score);
    for (one, gain) in candidates.iter_mut().zip(gains).filter(|(_, gain)| *gain > 0.0) {
        one.explanation.bonuses.push(("like the first results".to_owned(), gain * best));
        one.score += gain * best * factor(&one.explanation);
    }
    let reach = compared.min(feedback::REACH);
    let (first, after) = candidates[..reach].split_at_mut(reach.min(feedback::FIRST));
    after.sort_by(Candidate::by_score);
    let least = first.last().map_or(0.0, |one| one.score);
    for one in after.iter_mut().filter(|one| one.score > least) {
        one.explanation.boosts.push(("behind the first results".to_owned(), least / one.score));
        one.score = least;
    }
    Ok(())
}

/// Lets turns that stand close to the first results into the places there are for them. None comes before those.
fn lift_close_to_first(candidates: &mut [Candidate]) {
    let Range { start, end } = feedback::CLOSE_PLACES;
    if candidates.len() <= start {
        return;
    }
    let (before, after) = candidates.split_at_mut(start);
    let is_turn = |one: &&Candidate| one.slot.traits.has(Traits::TURN);
    let first = before.iter().take(feedback::HAVE_CLOSE).filter(is_turn);
    let first: Vec<(u32, usize, f64)> = first.map(|one| (one.slot.file, one.at, one.score)).collect();
    let least = before.last().map_or(0.0, |one| one.score);
    let closeness = |one: &Candidate| match is_turn(&one) {
        true => feedback::closeness(&first, one.slot.file, one.at),
        false => 0.0,
    };
    let lifted = |one: &Candidate| (one.score + closeness(one)).min(least);
    after.sort_by(|one, other| lifted(other).total_cmp(&lifted(one)).then_with(|| one.by_score(other)));
    let (close, rest) = after.split_at_mut(after.len().min(end - start));
    for one in close {
        let gain = lifted(one) - one.score;
        if gain > 0.0 {
            one.explanation
                .boosts
                .push(("close to a first result".to_owned(), (one.score + gain) / one.score));
            one.score += gain;
        }
    }
    rest.sort_by(Candidate::by_score);
}

/// Puts what matches about as well as the best in the order of its days, the newest first.
fn put_newest_first(candidates: &mut [Candidate]) {
    // How late each of them is, is no part of how well it matches.
    let of_one =
        |one: &Candidate| (one.score / one.explanation.date_weight.max(f64::MIN_POSITIVE), one.slot.day);
    let found: Vec<(f64, i32)> = candidates.iter().map(of_one).collect();
    for (at, score) in latest::newest_first(&found) {
        let one = &mut candidates[at];
        one.explanation.boosts.push(("newest first".to_owned(), score / one.score));
        one.score = score;
    }
    candidates.sort_by(Candidate::by_score);
}

/// What the age of its file leaves of a passage, and the further factors by name.
fn factors(query: &Query, question: &Question, slot: &Slot) -> (f64, Vec<(String, f64)>) {
    let ranking = &query.ranking;
    let date_weight = match (ranking.half_life_days, query.today) {
        (Some(half_life), Some(today)) if slot.day != NO_DAY => {
            let age = f64::from(crate::write::days(today) - slot.day);
            let strength = match question.asks_for_latest() {
                true => ranking.decay_strength.max(rank::LATEST_STRENGTH),
                false => ranking.decay_strength,
            };
            rank::faded(rank::decay_weight(age, half_life), strength)
        }
        _ => 1.0,
    };
    let mut boosts = Vec::new();
    if slot.traits.has(Traits::CORRECTION) {
        boosts.push(("correction".to_owned(), ranking.correction_boost));
    }
    if ranking.context {
        boosts.extend(question.factors(slot));
    }
    (date_weight, boosts)
}

/// The day that a slot gives.
fn date_of(day: i32) -> Option<jiff::civil::Date> {
    let after = jiff::Span::new().try_days(i64::from(day)).ok().filter(|_| day != NO_DAY)?;
    jiff::civil::date(1970, 1, 1).checked_add(after).ok()
}

/// Brings candidates of the very same score into the order of their files and lines, which an index built anew has as well.
fn in_order_of_places(connection: &Connection, candidates: &mut [Candidate]) -> rusqlite::Result<()> {
    let mut path = connection.prepare_cached("SELECT path FROM files WHERE id = ?1")?;
    let mut line = connection.prepare_cached("SELECT start_line FROM passages WHERE id = ?1")?;
    let mut paths: FxHashMap<u32, String> = FxHashMap::default();
    for ties in candidates.chunk_by_mut(|one, other| one.score.total_cmp(&other.score).is_eq()) {
        if ties.len() == 1 {
            continue;
        }
        for tie in ties.iter() {
            if let Entry::Vacant(unknown) = paths.entry(tie.slot.file) {
                unknown.insert(path.query_row([tie.slot.file], |row| row.get(0))?);
            }
        }
        ties.sort_by(|one, other| paths[&one.slot.file].cmp(&paths[&other.slot.file]));
        for of_file in ties.chunk_by_mut(|one, other| one.slot.file == other.slot.file) {
            if of_file.len() == 1 {
                continue;
            }
            let mut lines: FxHashMap<u32, u32> = FxHashMap::default();
            for one in of_file.iter() {
                lines.insert(one.slot.passage, line.query_row([one.slot.passage], |row| row.get(0))?);
            }
            of_file.sort_by_key(|one| lines[&one.slot.passage]);
        }
    }
    Ok(())
}

/// What is shown of the candidates, best first: without repetitions, above the least score, not more than asked for; and how many
/// were repetitions. What is one of many that are alike comes after what is not.
fn shown(
    terms: &TermsOf<'_>,
    view: &View,
    query: &Query,
    question: &Question,
    languages: &[Language],
    candidates: Vec<Candidate>,
) -> rusqlite::Result<(Vec<Hit>, usize)> {
    let best = candidates.first().map_or(0.0, |candidate| candidate.score);
    let wanted: HashSet<String> =
        question.words.iter().flat_map(|word| word.tokens.iter().cloned()).collect();
    let mut passage = terms.connection().prepare_cached(
        "SELECT p.start_line, p.end_line, p.text, f.path, f.category, f.tier, coalesce(m.id, f.label_id), f.date, p.heading
         FROM passages p JOIN files f ON f.id = p.file LEFT JOIN memories m ON m.number = ?2 WHERE p.id = ?1",
    )?;
    let highlighter = Highlighter::new(&wanted, languages);
    let scaled = |score: f64| if best > 0.0 { (score / best).clamp(0.0, 1.0) } else { 0.0 };
    let mut read = |candidate: Candidate, score: f64| {
        passage.query_row([candidate.slot.passage, candidate.slot.fading.memory], |row| {
            let (mut start_line, end_line): (u32, u32) = (row.get(0)?, row.get(1)?);
            let (mut text, path): (String, String) = (row.get(2)?, row.get(3)?);
            let is_named = view.speakers.contains(&candidate.slot.speaker);
            if let Some(words) = spoken(&text, is_named) {
                (start_line, text) = (start_line + 1, words);
            }
            let (id, category): (Option<String>, String) = (row.get(6)?, row.get(4)?);
            Ok(Hit {
                id: id.unwrap_or_else(|| format!("passage:{path}:{start_line}-{end_line}")),
                snippet: snippet_of(&category, &highlighter, &text, query.snippet_characters),
                path,
                start_line: start_line as usize,
                end_line: end_line as usize,
                category,
                date: row
                    .get::<_, Option<String>>(7)?
                    .or_else(|| Some(date_of(candidate.slot.day)?.to_string())),
                score,
                status: candidate.status,
                tier: row.get(5)?,
                explain: candidate.explanation,
                section: section_of(&text, row.get::<_, Option<String>>(8)?.as_deref()),
                text,
            })
        })
    };
    let (mut hits, mut alike): (Vec<Hit>, Vec<Hit>) = (Vec::new(), Vec::new());
    let mut above: Vec<Said<u32>> = Vec::new();
    let mut repeated = 0;
    for candidate in candidates {
        let score = scaled(candidate.score);
        if hits.len() == query.limit || score < query.min_score {
            break;
        }
        let terms = Terms::new(terms.distinct(candidate.slot.passage)?);
        // Reading costs far more than comparing terms.
        if alike.len() == copies::MOST_KEPT && copies::is_one_of_many(&terms, &above) {
            repeated += 1;
            continue;
        }
        let hit = read(candidate, score)?;
        let said = Said::new(terms, &hit.text);
        match copies::verdict(&said, &above) {
            copies::Verdict::Repeated => {
                repeated += 1;
                continue;
            }
            copies::Verdict::OneOfMany => alike.push(hit),
            copies::Verdict::Shown => hits.push(hit),
        }
        above.push(said);
    }
    let last = hits.last().map_or(0.0, |last| last.score);
    hits.extend(copies::after(last, alike, query.limit - hits.len()));
    Ok((hits, repeated))
}

/// The last of the headings that a text begins with, or else of those it stands under.
pub(crate) fn section_of(text: &str, heading: Option<&str>) -> Option<String> {
    let start = text.lines().take_while(|line| line.trim().is_empty() || line.starts_with('#'));
    let own = start.filter(|line| !line.trim().is_empty()).last();
    let name = match own {
        Some(line) => Some(line.trim_start_matches('#')),
        None => heading.and_then(|trail| trail.rsplit(" › ").next()),
    };
    name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Whether a correction that is for those who ask concerns a passage; corrections themselves are what corrects.
fn concern(
    terms: &TermsOf<'_>,
    view: &View,
    slot: &Slot,
    is_seen: &dyn Fn(u32) -> bool,
) -> rusqlite::Result<Option<Concern>> {
    if view.corrected.is_empty() || slot.traits.has(Traits::CORRECTION) {
        return Ok(None);
    }
    Ok(correction::concern(&view.corrected, &terms.distinct(slot.passage)?, is_seen))
}

fn text_of(connection: &Connection, passage: u32) -> rusqlite::Result<String> {
    let mut statement = connection.prepare_cached("SELECT text FROM passages WHERE id = ?1")?;
    statement.query_row([passage], |row| row.get(0))
}
