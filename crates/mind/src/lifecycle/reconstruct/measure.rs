//! How well two states of the memory are found by the same questions, with the figures of `docs/evaluation.md`.
//!
//! The questions and what should be found by them are the operator's own. Each state is asked as a user asks it, over its own index. Both have the same
//! conversations, so what knowledge alone gives is told apart.

use std::collections::HashSet;
use std::time::SystemTime;

use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_recall::metrics::{Retrieved, Scores};
use rem_recall::{Hit, Query};
use serde::{Deserialize, Serialize};

use crate::error::MemoryError;
use crate::memory::Memory;

/// At most so many results are asked for.
const MOST: usize = 200;

/// A question, and what should be found by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedQuestion {
    /// The question.
    #[serde(alias = "text")]
    pub question: String,
    /// What should be found: words that stand in a memory, or `PATH`, `PATH:LINE` or `PATH:FIRST-LAST` of a conversation or a page. A memory that
    /// has these lines as its source counts for them.
    pub evidence: Vec<String>,
}

/// How well questions find their evidence on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// How many questions there are.
    pub questions: usize,
    /// The memory in use.
    pub here: MeasuredSide,
    /// The branch.
    pub there: MeasuredSide,
    /// The questions of whose evidence the branch's knowledge has more among its first ten results.
    pub better: Vec<String>,
    /// Those of whose evidence it has less.
    pub worse: Vec<String>,
}

/// The means of one side.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct MeasuredSide {
    /// Among knowledge alone.
    pub knowledge: Scores,
    /// Among knowledge and conversations.
    pub all: Scores,
}

/// A place that evidence names.
struct Place<'a> {
    path: &'a str,
    first: usize,
    last: usize,
}

impl AskedQuestion {
    /// Reads questions, a JSON object a line: `{"question": "…", "evidence": ["…"]}`. Blank lines and unknown keys are passed over.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] with the first line that is none.
    pub fn read_all(text: &str) -> Result<Vec<Self>, MemoryError> {
        let mut questions = Vec::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let read: Result<Self, _> = serde_json::from_str(line);
            let why = match read {
                Ok(asked) if asked.question.trim().is_empty() => "the question is empty".to_owned(),
                Ok(asked) if asked.evidence.iter().all(|each| each.trim().is_empty()) => {
                    "it names no evidence".to_owned()
                }
                Ok(asked) => {
                    questions.push(asked);
                    continue;
                }
                Err(error) => error.to_string(),
            };
            return Err(MemoryError::usage(
                format!("line {number} is no question: {why}"),
                r#"a line is {"question": "Where does Ann live?", "evidence": ["Ann lives in Oslo"]}"#,
            ));
        }
        match questions.is_empty() {
            true => Err(MemoryError::usage(
                "there is no question in it",
                "one JSON object a line, see docs/evaluation.md",
            )),
            false => Ok(questions),
        }
    }
}

impl Memory {
    /// Asks both sides these questions.
    ///
    /// # Errors
    /// As [`Memory::recall`].
    pub(super) fn measured(
        &self,
        there: &Self,
        questions: &[AskedQuestion],
        observed_at: SystemTime,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Measured, MemoryError> {
        let (mut here, mut branch) = (Vec::new(), Vec::new());
        let (mut better, mut worse) = (Vec::new(), Vec::new());
        for (at, asked) in questions.iter().enumerate() {
            progress(at, questions.len());
            let (one, other) = (self.asked(asked, observed_at)?, there.asked(asked, observed_at)?);
            // The third cut is the first ten.
            match other.knowledge.recall[2].total_cmp(&one.knowledge.recall[2]) {
                std::cmp::Ordering::Greater => better.push(asked.question.clone()),
                std::cmp::Ordering::Less => worse.push(asked.question.clone()),
                std::cmp::Ordering::Equal => {}
            }
            here.push(one);
            branch.push(other);
        }
        progress(questions.len(), questions.len());
        let mean = |sides: &[MeasuredSide]| MeasuredSide {
            knowledge: Scores::mean(sides.iter().map(|side| &side.knowledge)),
            all: Scores::mean(sides.iter().map(|side| &side.all)),
        };
        Ok(Measured { questions: questions.len(), here: mean(&here), there: mean(&branch), better, worse })
    }

    fn asked(&self, asked: &AskedQuestion, observed_at: SystemTime) -> Result<MeasuredSide, MemoryError> {
        let query = self.query(&asked.question);
        let query = Query { today: Some(self.today()), limit: MOST, min_score: 0.0, ..query };
        let answer = self.recall(&query, observed_at, &mut |_| {})?;
        let (mut all, mut knowledge) = (Vec::new(), Vec::new());
        for hit in &answer.results {
            let path = MemoryPath::new(hit.path.as_str())?;
            let said = self.lines_of_hit(&path, hit)?;
            let units = (0..asked.evidence.len()).filter(|at| is_evidence(&asked.evidence[*at], hit, &said));
            let retrieved = Retrieved { units: units.collect(), tokens: rem_reason::count_tokens(&hit.text) };
            if self.ledger.layout().store_of(&path) != Some(Store::Transcripts) {
                knowledge.push(retrieved.clone());
            }
            all.push(retrieved);
        }
        let gold: HashSet<usize> = (0..asked.evidence.len()).collect();
        Ok(MeasuredSide { knowledge: Scores::of(&knowledge, &gold), all: Scores::of(&all, &gold) })
    }

    /// The lines of the file that a result is, with their comments.
    fn lines_of_hit(&self, path: &MemoryPath, hit: &Hit) -> Result<String, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().skip(hit.start_line.saturating_sub(1));
        let count = (hit.end_line + 1).saturating_sub(hit.start_line);
        Ok(lines.take(count).collect::<Vec<_>>().join("\n"))
    }
}

/// Whether a result is a piece of evidence, or is from it.
fn is_evidence(evidence: &str, hit: &Hit, said: &str) -> bool {
    let evidence = evidence.trim();
    match place(evidence) {
        Some(place) => {
            let is_there =
                hit.path == place.path && hit.start_line <= place.last && place.first <= hit.end_line;
            is_there || cites(said, &place)
        }
        None => folded(said).contains(&folded(evidence)),
    }
}

fn place(evidence: &str) -> Option<Place<'_>> {
    let (path, lines) = match evidence.rsplit_once(".md:") {
        Some((_, lines)) => (&evidence[..evidence.len() - lines.len() - 1], Some(lines)),
        None => (evidence, None),
    };
    if !path.ends_with(".md") || path.contains(char::is_whitespace) {
        return None;
    }
    let (first, last) = match lines {
        None => (0, usize::MAX),
        Some(lines) => {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            (first.parse().ok()?, last.parse().ok()?)
        }
    };
    Some(Place { path, first, last })
}

/// Whether something is from a place: its source says so.
fn cites(said: &str, wanted: &Place<'_>) -> bool {
    let words = said.split(|sign: char| sign.is_whitespace() || sign == ',' || sign == '|');
    words.filter_map(|word| place(word.trim_start_matches("source:").trim_start_matches("from:"))).any(
        |cited| {
            cited.path == wanted.path
                && cited.last != usize::MAX
                && cited.first <= wanted.last
                && wanted.first <= cited.last
        },
    )
}

/// The words of a text, one blank between two.
fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_words_or_a_place() {
        let places =
            ["raw/a.md", "raw/a.md:4", "raw/a.md:4-9", "words in a.md file", "Ann lives in Oslo", "a.md:x"];
        let found: Vec<Option<(usize, usize)>> =
            places.map(|text| place(text).map(|place| (place.first, place.last))).into();
        assert_eq!(found, [Some((0, usize::MAX)), Some((4, 4)), Some((4, 9)), None, None, None]);
        let said = "- Ann lives in Oslo <!-- id:a | source:raw/a.md:4-5, raw/b.md:7 -->";
        let cites = |text: &str| cites(said, &place(text).unwrap());
        assert!(cites("raw/a.md:5") && cites("raw/b.md:1-9") && cites("raw/a.md"));
        assert!(!cites("raw/a.md:6") && !cites("raw/c.md:4"));
        assert!(
            folded(said).contains(&folded("ann LIVES in oslo!"))
                && !folded(said).contains(&folded("Ann lives in Os"))
        );
    }

    #[test]
    fn a_file_of_questions_is_read_or_its_line_is_named() {
        let read = AskedQuestion::read_all(
            "{\"question\": \"Where?\", \"evidence\": [\"x\"], \"more\": 1}\n\n{\"text\": \"Who?\", \"evidence\": [\"y\"]}\n",
        );
        assert_eq!(read.unwrap().len(), 2);
        for wrong in [
            "",
            "{}",
            "{\"question\": \"Where?\", \"evidence\": []}",
            "\n{\"question\": \"\", \"evidence\": [\"x\"]}",
            "x",
        ] {
            assert!(AskedQuestion::read_all(wrong).is_err(), "{wrong}");
        }
    }
}
