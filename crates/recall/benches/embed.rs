//! The built-in embedding model: `cargo bench -p rem-recall --bench embed`.

use rem_recall::Builtin;

const QUERY: &str = "What did we decide about the retention of the database backups last spring?";

fn main() {
    Builtin::get();
    divan::main();
}

/// A question, as a search embeds it.
#[divan::bench]
fn query(bencher: divan::Bencher) {
    let mut vector = Vec::new();
    bencher.bench_local(|| Builtin::get().embed(QUERY, &mut vector));
}

/// A passage of 300 words, as the index embeds them.
#[divan::bench]
fn passage(bencher: divan::Bencher) {
    let words: Vec<&str> = QUERY.split(' ').cycle().take(300).collect();
    let text = words.join(" ");
    let mut vector = Vec::new();
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench_local(|| Builtin::get().embed(&text, &mut vector));
}

/// A thousand texts of about 40 tokens.
#[divan::bench]
fn texts(bencher: divan::Bencher) {
    let words: Vec<&str> = QUERY.split(' ').cycle().take(37).collect();
    let text = words.join(" ");
    let mut vector = Vec::new();
    bencher.counter(divan::counter::ItemsCount::new(1_000_usize)).bench_local(|| {
        for _ in 0..1_000 {
            Builtin::get().embed(&text, &mut vector);
        }
    });
}

/// The words near a word.
#[divan::bench]
fn related() -> usize {
    Builtin::get().related(divan::black_box("restaurant"), 20, 0.4).len()
}
