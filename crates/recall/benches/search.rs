//! What a search costs at three sizes a factor ten apart: `cargo bench -p rem-recall --bench search [-- PASSAGES…]`.
//!
//! The text is made: words by Zipf's law over a vocabulary of 60,000, about 60 words a passage, ten passages a file. Questions
//! have three to eight of the same words, frequent ones among them. Prints the time to build, the median and the 95th
//! percentile of a search in an open index, of one in a process that just opened it, and the memory held. Times are processor
//! time of all threads together, unless they are said to be by the clock.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rem_recall::{Index, Label, Mode, Query, SourceFile, Sources};

const PASSAGE_TOKENS: usize = 400;
const VOCABULARY: f64 = 60_000.0;

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes };
    println!(
        "| passages | indexed, s | hybrid p50 / p95, ms | the same by the clock, ms | keywords p50 / p95, ms | first search, ms | one file changed, ms | resident, MB |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for size in sizes {
        measure(size);
    }
}

/// xorshift64*: the same texts every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A word by Zipf's law: the n-th is drawn about 1/n as often as the first.
    fn word(&mut self) -> String {
        let rank = VOCABULARY.powf(self.next()) as u32;
        let syllables = [
            "ba", "ri", "no", "tel", "ka", "mu", "sor", "vi", "den", "po", "la", "gri", "fe", "hum", "zo",
            "cha",
        ];
        let mut word = String::new();
        let mut rest = rank + 16;
        while rest > 0 {
            word.push_str(syllables[(rest % 16) as usize]);
            rest /= 16;
        }
        word
    }
}

fn corpus(folder: &Path, passages: usize) -> Vec<SourceFile> {
    let mut random = Random(42);
    (0..passages / 10)
        .filter_map(|number| {
            let path = format!("{}/note-{number}.md", number / 1_000);
            let absolute: PathBuf = folder.join(&path);
            std::fs::create_dir_all(absolute.parent()?).expect("a folder");
            let mut text = String::new();
            for section in 0..10 {
                text.push_str(&format!("## {} {section}\n\n", random.word()));
                for _ in 0..60 {
                    text.push_str(&random.word());
                    text.push(' ');
                }
                text.push_str("\n\n");
            }
            std::fs::write(&absolute, text).expect("a note");
            SourceFile::at(path, absolute)
        })
        .collect()
}

fn label(_: &str) -> Label {
    Label { category: "reference".to_owned(), ..Label::default() }
}

fn measure(size: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = corpus(folder.path(), size);
    let database = folder.path().join("memory.db");
    let observed_at = SystemTime::now() + Duration::from_secs(3_600);
    let every = |files: &[SourceFile], run: &mut dyn FnMut(&Sources<'_>)| {
        run(&Sources { files, label: &label, labels: 1, observed_at, checkpoint: None, moment: None });
    };
    let mut index = Index::open(&database, PASSAGE_TOKENS).expect("opens");
    let begun = Cpu::now();
    every(&files, &mut |sources| drop(index.refresh(sources, &mut |_| {}).expect("indexes")));
    let built = begun.elapsed();

    let mut random = Random(7);
    let questions: Vec<String> = (0..300)
        .map(|number| (0..3 + number % 6).map(|_| random.word()).collect::<Vec<_>>().join(" "))
        .collect();
    let search = |index: &Index, text: &str, mode: Mode| {
        let query = Query { text: text.to_owned(), mode, ..Query::default() };
        let (begun, clock) = (Cpu::now(), Instant::now());
        index.search(&query, None).expect("answers");
        (begun.elapsed(), clock.elapsed())
    };
    let spread = |mode: Mode| {
        search(&index, &questions[0], mode);
        let (mut cpu, mut clock): (Vec<Duration>, Vec<Duration>) =
            questions.iter().map(|text| search(&index, text, mode)).unzip();
        let of = |times: &mut Vec<Duration>| {
            times.sort_unstable();
            (milliseconds(times[times.len() / 2]), milliseconds(times[times.len() * 95 / 100]))
        };
        (of(&mut cpu), of(&mut clock))
    };
    let ((hybrid, clock), (keywords, _)) = (spread(Mode::Hybrid), spread(Mode::Keyword));
    let begun = Cpu::now();
    search(&Index::open(&database, PASSAGE_TOKENS).expect("opens"), &questions[1], Mode::Hybrid);
    let first = begun.elapsed();

    let mut changed = Vec::new();
    for round in 0..20 {
        std::fs::write(&files[0].absolute, format!("# changed {round}\n\nnow it says {round}\n"))
            .expect("a note");
        files[0] = SourceFile::at(files[0].path.clone(), files[0].absolute.clone()).expect("a file");
        let query = Query { text: format!("says {round}"), ..Query::default() };
        let begun = Cpu::now();
        every(&files, &mut |sources| {
            let (answer, _) = index.recall(sources, &query, None, &mut |_| {}).expect("answers");
            assert_eq!(answer.results[0].path, files[0].path);
        });
        changed.push(begun.elapsed());
    }
    changed.sort_unstable();
    println!(
        "| {size} | {:.1} | {:.2} / {:.2} | {:.2} / {:.2} | {:.2} / {:.2} | {:.1} | {:.1} | {} |",
        built.as_secs_f64(),
        hybrid.0,
        hybrid.1,
        clock.0,
        clock.1,
        keywords.0,
        keywords.1,
        milliseconds(first),
        milliseconds(changed[10]),
        resident()
    );
}

/// Processor time of this process, all threads together: what a shared machine cannot blur.
struct Cpu(Duration);

impl Cpu {
    fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Self(Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32))
    }

    fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Memory held by this process in megabytes, where the system tells.
fn resident() -> String {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
            Some(format!("{}", line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024))
        })
        .unwrap_or_else(|| "unknown".to_owned())
}
