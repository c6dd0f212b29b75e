//! What the graph costs at 50,000 entities and 200,000 edges: `cargo bench -p rem-recall --bench graph [-- ENTITIES]`.
//!
//! Prints the processor time of an exact name, of a misspelt one, of one hop and of two, at the median and the 95th percentile.
//! A tenth of the edges lead to one of a hundred entities, so some have hundreds of connections.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::{Duration, Instant, SystemTime};

use rem_recall::{Asking, Holds, Index, Label, SourceFile, Sources};

const EDGES: usize = 4;

fn main() {
    let entities = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(50_000_usize);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = |number: usize| {
        let syllables = ["ba", "ri", "no", "tel", "ka", "mu", "sor", "vi", "den", "po"];
        let mut rest = number * 7_919 % 1_000_003 + 1_000;
        let mut word = String::new();
        while rest > 0 {
            word.push_str(syllables[rest % 10]);
            rest /= 10;
        }
        format!("{word} {number}")
    };
    let id = |number: usize| format!("concept--{}", name(number).replace(' ', "-"));
    let files: Vec<SourceFile> = (0..entities)
        .map(|number| {
            let path = format!("{}.md", id(number));
            let mut text = format!(
                "# {}\n\n<!-- Type: concept | Label: {} -->\n\n## Relations\n",
                id(number),
                name(number)
            );
            for edge in 0..EDGES {
                let other = if edge == 0 && number % 5 < 2 {
                    number % 100
                } else {
                    (number * 31 + edge * 977) % entities
                };
                text.push_str(&format!(
                    "- uses: [[{}]] <!-- last-accessed:2026-01-{:02} -->\n",
                    id(other),
                    1 + number % 28
                ));
            }
            let absolute = folder.path().join(&path);
            std::fs::write(&absolute, text).expect("written");
            SourceFile::at(path, absolute).expect("a file")
        })
        .collect();
    let label = |path: &str| Label {
        id: path.rsplit('/').next().map(|name| format!("entity:{}", name.trim_end_matches(".md"))),
        holds: Holds::Entity,
        ..Label::default()
    };
    let sources = Sources {
        files: &files,
        label: &label,
        labels: 1,
        observed_at: SystemTime::now() + Duration::from_secs(3_600),
        checkpoint: None,
        moment: None,
    };
    let mut index = Index::open(&folder.path().join("memory.db"), 400).expect("opens");
    let begun = Instant::now();
    index.refresh(&sources, &mut |_| {}).expect("indexes");
    println!(
        "{entities} entities, {} edges, indexed in {:.1} s",
        entities * EDGES,
        begun.elapsed().as_secs_f64()
    );
    let begun = Instant::now();
    let page = index.graph_page(str::to_owned).expect("read");
    let read = begun.elapsed();
    let text = page.render();
    println!(
        "graph/index.md: {} entities and {} edges in {:.3} s, of which reading {:.3} s; {:.1} MB",
        page.entities.len(),
        page.edges.len(),
        begun.elapsed().as_secs_f64(),
        read.as_secs_f64(),
        f64::from(u32::try_from(text.len()).unwrap_or(0)) / 1e6
    );
    let measure = |what: &str, run: &dyn Fn(usize) -> usize| {
        let mut found = 0;
        let mut times: Vec<Duration> = (0..500)
            .map(|round| {
                let begun = Instant::now();
                found += run(round * 97 % entities);
                begun.elapsed()
            })
            .collect();
        times.sort_unstable();
        let at = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1_000.0;
        println!(
            "{what}: p50 {:.3} ms, p95 {:.3} ms, {:.1} found",
            at(50),
            at(95),
            f64::from(u32::try_from(found).unwrap_or(0)) / 500.0
        );
    };
    measure("a name", &|number| index.entities_named(&name(number), 5).expect("asked").len());
    measure("a name with a slip", &|number| {
        let right = name(number);
        let wrong: String =
            right.chars().enumerate().map(|(at, each)| if at == 3 { 'x' } else { each }).collect();
        index.entities_named(&wrong, 5).expect("asked").len()
    });
    measure("one hop", &|number| {
        index.connections(&id(number), 1, 50, None, &Asking::default()).expect("asked").0.len()
    });
    measure("two hops", &|number| {
        index.connections(&id(number), 2, 50, None, &Asking::default()).expect("asked").0.len()
    });
    measure("the way between two, of at most six steps", &|number| {
        let other = id((number * 7 + entities / 3) % entities);
        index
            .route(&id(number), &other, 6, 50, None, &Asking::default())
            .expect("asked")
            .map_or(0, |way| way.len())
    });
    measure("two hops from a hub", &|number| {
        index.connections(&id(number % 100), 2, 50, None, &Asking::default()).expect("asked").0.len()
    });
}
