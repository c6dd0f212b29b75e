//! Scored knowledge (A6.3), for the preset of that seed: what is recalled loses by age and gains by use.

use std::ops::Range;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use rem_recall::SourceFile;

use super::compiled::{Candidate, Dropped};
use super::division;
use crate::memory::Memory;

impl Memory {
    /// Scores what was recalled by A6.3: `score · exp(−λ · days) · (1 + boost · references)`. Days since the file changed, or the day
    /// it is about; references are the uses of its memory beyond the first. What matches less than the least score goes, and is given back
    /// for the receipt: by its match, not by its age as in the seed, where nothing older than a month could stand however well it matches
    /// and however much room is left. Of each file stands no more than the settings say, in whole entries.
    pub(super) fn score_as_knowledge(
        &self,
        files: &[SourceFile],
        message: &str,
        recalled: &mut Vec<Candidate>,
    ) -> Vec<Dropped> {
        let settings = &self.config.context;
        let today = self.today();
        let index = self.present_index();
        let least = settings.knowledge_min_score;
        let too_low: Vec<Candidate> =
            recalled.extract_if(.., |hit| hit.score.is_none_or(|score| score <= least)).collect();
        for hit in recalled.iter_mut() {
            let day = hit.day.as_ref().and_then(|day| day.parse().ok()).or_else(|| {
                let at = files.binary_search_by(|file| file.path.cmp(&hit.path)).ok()?;
                let nanoseconds = u64::try_from(files[at].stamp.mtime_ns).ok()?;
                let changed = SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds);
                let changed = jiff::Timestamp::try_from(changed).ok()?;
                Some(changed.to_zoned(TimeZone::UTC).date())
            });
            let days = day.map_or(0, |day: jiff::civil::Date| (today - day).get_days().max(0));
            let known = hit.memory.as_ref().zip(index.as_ref());
            let known = known.and_then(|(id, index)| index.memory(id).ok().flatten());
            let references = known.map_or(0, |memory| memory.standing.accesses.saturating_sub(1));
            let score = knowledge_score(
                hit.score.unwrap_or_default(),
                days,
                references,
                (settings.knowledge_recency_lambda, settings.knowledge_reference_boost),
            );
            hit.score = Some(score);
            hit.why = format!("matches the message, {score:.2}");
            let most = usize::try_from(settings.knowledge_snippet_characters).unwrap_or(usize::MAX);
            if hit.text.chars().nth(most).is_some() {
                let lines: Vec<&str> = hit.text.lines().collect();
                let kept = part_about(message, &lines, most);
                hit.text = lines[kept.clone()].join("\n");
                (hit.start_line, hit.end_line) =
                    (hit.start_line + kept.start, hit.start_line + kept.end.saturating_sub(1));
            }
        }
        too_low
            .into_iter()
            .map(|hit| Dropped {
                tokens: rem_reason::count_tokens(&hit.text),
                path: hit.path,
                why: format!("score {:.2}, and the least is {least:.2}", hit.score.unwrap_or_default()),
            })
            .collect()
    }
}

/// The lines of whole entries, of at most so many characters, around the one that has most of a message's words, the rarer ones
/// counting more. An entry that is longer by itself stands whole: nothing is cut within one.
fn part_about(message: &str, lines: &[&str], most: usize) -> Range<usize> {
    let entries = division::entries(lines);
    let worths = division::relevance(message, lines, &entries);
    let places: Vec<Range<usize>> = entries.into_iter().map(|entry| entry.first..entry.last + 1).collect();
    // Of equal ones the first.
    let best = (0..places.len()).rev().max_by(|one, other| worths[*one].total_cmp(&worths[*other]));
    let Some(best) = best else { return 0..lines.len() };
    let length = |lines: &[&str]| lines.iter().map(|line| line.chars().count() + 1).sum::<usize>();
    let mut kept = places[best].clone();
    let (mut first, mut last) = (best, best);
    loop {
        if let Some(next) = places.get(last + 1)
            && length(&lines[kept.start..next.end]) <= most
        {
            (kept.end, last) = (next.end, last + 1);
        } else if first > 0 && length(&lines[places[first - 1].start..kept.end]) <= most {
            (kept.start, first) = (places[first - 1].start, first - 1);
        } else {
            return kept;
        }
    }
}

/// A6.3's formula; `weights` are its λ per day and its boost per reference.
fn knowledge_score(score: f64, days: i32, references: u32, weights: (f64, f64)) -> f64 {
    let (recency, boost) = weights;
    score * (-recency * f64::from(days)).exp() * (1.0 + boost * f64::from(references))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_a_long_passage_is_about_the_message() {
        let lines: Vec<String> = (0..20)
            .map(|number| format!("- the kestrel relay {number} listens on port {}", 9_000 + number))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let kept = part_about("which port does the kestrel relay 13 listen on", &lines, 100);
        assert_eq!(kept, 13..15);
        assert_eq!(part_about("relay 19", &lines, 100), 18..20);
        // Nothing of it in the words: the beginning; and an entry is never cut.
        assert_eq!(part_about("weather", &lines, 10), 0..1);
        assert_eq!(part_about("어느 포트", &["레이더 포트는 9001이다", "", "릴레이 포트는 9002다"], 8), 0..1);
        assert_eq!(part_about("x", &[], 8), 0..0);
    }

    #[test]
    fn the_seeds_formula_holds() {
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(close(knowledge_score(0.5, 0, 0, (0.1, 0.1)), 0.5));
        // The seed calls it a half-life of seven days: exp(-0.7) is 0.497.
        assert!((knowledge_score(1.0, 7, 0, (0.1, 0.1)) - 0.5).abs() < 0.01);
        assert!(close(knowledge_score(0.5, 0, 4, (0.1, 0.1)), 0.7));
        assert!(close(knowledge_score(0.5, 10, 0, (0.0, 0.1)), 0.5));
    }
}
