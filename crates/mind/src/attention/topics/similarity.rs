//! Tier 2 (A4.2): how near a message is to what a topic is about, as one number from 0 to 1.
//!
//! A topic's profile is made once, when it is loaded: its *head* (name, title, description, and the words of its triggers) and its
//! instructions. Five measures compare a message with it: TF-IDF cosine, BM25, Jaccard, character n-grams, and the built-in
//! embedding model. `WEIGHTS` and `SCALE` make one score of them; both were fitted on `tests/topics/tune.tsv`, and
//! docs/topics.md has the figures on messages that nothing was fitted on. Words are found through postings, so a message costs by
//! the words it shares with topics.

use std::collections::{HashMap, HashSet};

use rem_format::topic::{Topic, When};
use rem_recall::{Builtin, Language, content_words};
use serde::Serialize;

use super::grams::Grams;
use super::matching::windows;
use super::required::required;

/// Of a message no more than this is compared, from its beginning and its end, in bytes each.
const COMPARED: usize = 3 << 10;
/// Of a topic's instructions no more than this is part of the profile, in bytes.
const PROFILED: usize = 16 << 10;
/// What a word of the head counts, where one of the instructions counts 1.
const HEAD_COUNTS: f32 = 3.0;
/// BM25's usual constants.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// What each measure counts, in the order of [`Similarity`], and what is added to their sum: the logarithm of the odds that a
/// message is about a topic, by logistic regression over all pairs of the tuning set, rounded.
const WEIGHTS: [f32; 6] = [6.5, 5.0, 1.5, 3.0, 3.5, 4.0];
const BIAS: f32 = -5.5;
/// From the sum to the score: points between which it is straight. They give the thresholds of the seed its meaning: of the tuning
/// set's pairs a tenth reaches 0.15 (A4.1: "90 % filtered out"), a twentieth 0.2, and of those that reach 0.3 five of six are right.
const SCALE: [(f32, f32); 6] = [(-6.5, 0.0), (-3.6, 0.15), (-3.0, 0.2), (-0.8, 0.3), (1.5, 0.6), (6.0, 1.0)];

/// The measures of one message and one topic, each from 0 to 1. All are lower for a message that says less than one rare word does.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Similarity {
    /// The score that all of them make.
    pub score: f64,
    /// The cosine of the two texts' TF-IDF vectors, over words that some topic has.
    pub tfidf: f32,
    /// BM25 as a share of what the message's words are worth, words of no topic included.
    pub bm25: f32,
    /// The share of words in common, among those of the message and of the topic's head.
    pub jaccard: f32,
    /// The share of the shorter text's runs of three characters that the topic's head and the message have in common.
    pub ngrams: f32,
    /// The cosine of the meanings of the message and of the topic's head.
    pub meaning: f32,
    /// The same with the whole topic.
    pub meaning_of_all: f32,
}

impl Similarity {
    fn scored(mut self) -> Self {
        let measures = [self.tfidf, self.bm25, self.jaccard, self.ngrams, self.meaning, self.meaning_of_all];
        let sum: f32 =
            BIAS + measures.iter().zip(WEIGHTS).map(|(measure, weight)| measure * weight).sum::<f32>();
        self.score = f64::from((scaled(sum) * 1_000.0).round()) / 1_000.0;
        self
    }
}

fn scaled(sum: f32) -> f32 {
    let after = SCALE.iter().position(|(at, _)| sum < *at).unwrap_or(SCALE.len());
    match (after.checked_sub(1).map(|at| SCALE[at]), SCALE.get(after)) {
        (None, _) => 0.0,
        (_, None) => 1.0,
        (Some((from, low)), Some((to, high))) => low + (high - low) * (sum - from) / (to - from),
    }
}

/// A word in one topic.
struct Posting {
    topic: u32,
    /// Its part of the topic's TF-IDF vector, which has length one.
    tfidf: f32,
    /// Its BM25 saturation.
    bm25: f32,
    is_in_head: bool,
}

/// The words of one topic: what each counts and whether it is in the head; and what all count together.
type Counted = (HashMap<String, (f32, bool)>, f32);

struct Term {
    idf: f32,
    /// Whether it is among the words that TF-IDF looks at.
    is_feature: bool,
    postings: Vec<Posting>,
}

struct Profile {
    head_terms: f32,
    grams: Option<Grams>,
    head_meaning: Vec<f32>,
    meaning: Vec<f32>,
}

/// The profiles of all topics.
#[derive(Default)]
pub(super) struct Profiles {
    terms: HashMap<String, Term>,
    profiles: Vec<Profile>,
    languages: Vec<Language>,
    /// What a word is worth that no topic has.
    unknown: f32,
}

impl Profiles {
    /// The profiles of these topics; TF-IDF looks at the `features` most frequent words.
    pub(super) fn of<'a>(topics: impl Iterator<Item = &'a Topic>, features: usize) -> Self {
        let texts: Vec<(String, &str)> = topics
            .map(|topic| {
                let end = topic.instructions.floor_char_boundary(PROFILED);
                (head(topic), &topic.instructions[..end])
            })
            .collect();
        let languages: HashSet<Language> = texts.iter().map(|(_, body)| Language::of(body)).collect();
        let mut profiles = Self { languages: languages.into_iter().collect(), ..Self::default() };
        profiles.languages.sort_unstable();
        let mut counted: Vec<Counted> = Vec::with_capacity(texts.len());
        for (head, body) in &texts {
            let (mut counts, mut length) = (HashMap::new(), 0.0);
            for (text, weight, is_head) in [(head.as_str(), HEAD_COUNTS, true), (body, 1.0, false)] {
                for word in content_words(text, &profiles.languages) {
                    length += weight;
                    for token in word.tokens {
                        let count: &mut (f32, bool) = counts.entry(token).or_default();
                        count.0 += weight;
                        count.1 |= is_head;
                    }
                }
            }
            counted.push((counts, length));
        }
        profiles.weigh(&counted, features);
        for ((head, body), (counts, _)) in texts.iter().zip(&counted) {
            let (mut head_meaning, mut meaning) = (Vec::new(), Vec::new());
            Builtin::get().embed(head, &mut head_meaning);
            Builtin::get().embed(&format!("{head}\n{body}"), &mut meaning);
            profiles.profiles.push(Profile {
                head_terms: counts.values().filter(|(_, is_in_head)| *is_in_head).count() as f32,
                grams: Grams::of(head),
                head_meaning,
                meaning,
            });
        }
        profiles
    }

    /// Fills the postings.
    fn weigh(&mut self, counted: &[Counted], features: usize) {
        let size = counted.len() as f32;
        let average = (counted.iter().map(|(_, length)| length).sum::<f32>() / size.max(1.0)).max(1.0);
        let rarity = |frequency: f32| (1.0 + (size + 1.0) / (frequency + 0.5)).ln();
        self.unknown = rarity(0.0);
        let mut frequencies: HashMap<&str, (f32, f32)> = HashMap::new();
        for (token, (count, _)) in counted.iter().flat_map(|(counts, _)| counts) {
            let seen = frequencies.entry(token).or_default();
            *seen = (seen.0 + 1.0, seen.1 + count);
        }
        let mut ranked: Vec<(&str, (f32, f32))> = frequencies.into_iter().collect();
        ranked.sort_by(|one, other| other.1.1.total_cmp(&one.1.1).then_with(|| one.0.cmp(other.0)));
        for (rank, (token, (frequency, _))) in ranked.into_iter().enumerate() {
            let term = Term {
                idf: rarity(frequency) * telling(token),
                is_feature: rank < features,
                postings: Vec::new(),
            };
            self.terms.insert(token.to_owned(), term);
        }
        for (topic, (counts, length)) in counted.iter().enumerate() {
            let worth = |token: &str, count: f32, terms: &HashMap<String, Term>| {
                terms
                    .get(token)
                    .filter(|term| term.is_feature)
                    .map_or(0.0, |term| (1.0 + count.ln()) * term.idf)
            };
            // In the order of words, so that the same topics give the same bits.
            let mut counts: Vec<(&String, &(f32, bool))> = counts.iter().collect();
            counts.sort_unstable_by_key(|(token, _)| token.as_str());
            let norm = counts
                .iter()
                .map(|(token, (count, _))| worth(token, *count, &self.terms).powi(2))
                .sum::<f32>()
                .sqrt();
            for (token, (count, is_in_head)) in counts {
                let tfidf = worth(token, *count, &self.terms) / norm.max(f32::EPSILON);
                let bm25 = count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / average)) / (K1 + 1.0);
                if let Some(term) = self.terms.get_mut(token) {
                    term.postings.push(Posting { topic: topic as u32, tfidf, bm25, is_in_head: *is_in_head });
                }
            }
        }
    }

    /// How near a message is to every topic, in their order.
    pub(super) fn compare(&self, text: &str) -> Vec<Similarity> {
        let mut found = vec![Similarity::default(); self.profiles.len()];
        if found.is_empty() {
            return found;
        }
        let text: String = excerpt(text);
        let mut message: HashMap<String, f32> = HashMap::new();
        let mut worth = 0.0;
        let mut words = HashSet::new();
        for word in content_words(&text, &self.languages) {
            let is_new = words.insert(word.folded);
            let rarest = |token: &String| {
                self.terms.get(token).map_or_else(|| self.unknown * telling(token), |term| term.idf)
            };
            // A word counts once, by its commonest form: the stem that other words have too.
            if is_new {
                worth += word.tokens.iter().map(rarest).fold(f32::MAX, f32::min);
            }
            for token in word.tokens {
                *message.entry(token).or_default() += 1.0;
            }
        }
        let mut message: Vec<(String, f32)> = message.into_iter().collect();
        message.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        let mut norm = 0.0;
        for (token, count) in &message {
            let Some(term) = self.terms.get(token) else { continue };
            let weight = if term.is_feature { (1.0 + count.ln()) * term.idf } else { 0.0 };
            norm += weight * weight;
            for posting in &term.postings {
                let similarity = &mut found[posting.topic as usize];
                similarity.tfidf += weight * posting.tfidf;
                similarity.bm25 += term.idf * posting.bm25;
                similarity.jaccard += f32::from(u8::from(posting.is_in_head));
            }
        }
        // A message of one common word says next to nothing, however well a topic fits it.
        let norm = norm.sqrt().max(self.unknown);
        let evidence = (worth / self.unknown).min(1.0);
        let worth = worth.max(self.unknown);
        let (mut meaning, grams) = (Vec::new(), Grams::of(&text));
        Builtin::get().embed(&text, &mut meaning);
        for (similarity, profile) in found.iter_mut().zip(&self.profiles) {
            similarity.tfidf = (similarity.tfidf / norm).min(1.0);
            similarity.bm25 = (similarity.bm25 / worth).min(1.0);
            let all = message.len() as f32 + profile.head_terms - similarity.jaccard;
            similarity.jaccard /= all.max(1.0);
            similarity.ngrams = match (&grams, &profile.grams) {
                (Some(one), Some(other)) => evidence * one.shared(other),
                _ => 0.0,
            };
            similarity.meaning = evidence * cosine(&meaning, &profile.head_meaning);
            similarity.meaning_of_all = evidence * cosine(&meaning, &profile.meaning);
            *similarity = similarity.scored();
        }
        found
    }
}

/// How much a word says in any text, from 0 to 1: few topics are too few to tell which words are common.
fn telling(word: &str) -> f32 {
    Builtin::get().weight(word).map_or(1.0, |weight| (weight * weight).min(1.0))
}

/// What is compared of a message: all of it, or its beginning and its end.
fn excerpt(text: &str) -> String {
    let mut read = String::new();
    for (_, window) in windows(text) {
        let (start, end) = (
            window.floor_char_boundary(COMPARED),
            window.ceil_char_boundary(window.len().saturating_sub(COMPARED)),
        );
        read.push_str(&window[..start]);
        read.push('\n');
        read.push_str(&window[end.max(start)..]);
        read.push('\n');
    }
    read
}

/// The cosine of two vectors of length one, nothing below 0.
fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>().clamp(0.0, 1.0)
}

/// What says in a few words what a topic is about: name, title, description, and the words of its triggers.
fn head(topic: &Topic) -> String {
    let mut head =
        format!("{}\n{}\n{}\n", topic.name.replace(['-', '_'], " "), topic.title, topic.description);
    let mut words: Vec<String> = Vec::new();
    for trigger in &topic.triggers {
        match &trigger.when {
            When::Keywords(keywords) => words.extend(keywords.iter().cloned()),
            When::Pattern(pattern) => words.extend(required(pattern).unwrap_or_default()),
            _ => {}
        }
    }
    words.dedup();
    head.push_str(&words.join("\n"));
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(name: &str, text: &str) -> Topic {
        Topic::parse(name, text.as_bytes()).unwrap().topic
    }

    #[test]
    fn every_measure_is_highest_for_the_topic_that_is_meant() {
        let topics = [
            topic("invoices", "# Invoices\n\nHow invoices are written, sent and paid.\n"),
            topic("deploy", "# Deploying\n\nHow the web site is deployed to production.\n"),
            topic("garden", "# Garden\n\nWhen the plants are watered and the lawn is cut.\n"),
        ];
        let profiles = Profiles::of(topics.iter(), 5_000);
        let found = profiles.compare("Can you deploy the site to production?");
        let best = |measure: fn(&Similarity) -> f64| {
            (0..3).max_by(|one, other| measure(&found[*one]).total_cmp(&measure(&found[*other])))
        };
        let measures: [fn(&Similarity) -> f64; 6] = [
            |each| each.score,
            |each| each.tfidf.into(),
            |each| each.bm25.into(),
            |each| each.jaccard.into(),
            |each| each.ngrams.into(),
            |each| each.meaning.into(),
        ];
        for (at, measure) in measures.into_iter().enumerate() {
            assert_eq!(best(measure), Some(1), "{at}: {found:#?}");
        }
        assert!(profiles.compare("").iter().all(|each| each.score < 0.15));
    }

    #[test]
    fn the_scale_rises_from_nothing_to_one() {
        assert!(SCALE.is_sorted_by(|one, other| one.0 < other.0 && one.1 < other.1));
        assert_eq!((scaled(-9.0), scaled(99.0)), (0.0, 1.0));
        assert!((scaled(SCALE[1].0) - SCALE[1].1).abs() < 1e-6);
    }
}
