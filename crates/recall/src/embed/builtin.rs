//! The embedding model that is compiled in: meaning without a download, a model server or a network.
//!
//! Every token, and the frequent words of other languages, has one vector, learned from larger models by
//! `model/build.py`; the vector of a text is their weighted sum, brought to length one. That knows which words belong
//! together and nothing of their order. The same text gives the same bits on every machine, and nothing fails.

use std::sync::OnceLock;

use super::table::Table;
use super::wordpiece;
use crate::vectors;

/// How many rows are added at a time.
const BATCH: usize = 128;

/// The model.
pub struct Builtin {
    table: Table,
}

/// A word that is near another in meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Related<'a> {
    /// The word, in lower case and without accents.
    pub word: &'a str,
    /// The cosine of the two words' vectors.
    pub similarity: f32,
}

impl Builtin {
    /// Which model it is. Vectors under another name are not comparable with its own.
    pub const NAME: &str = "builtin-static-128-3";

    /// The one instance.
    pub fn get() -> &'static Self {
        static MODEL: OnceLock<Builtin> = OnceLock::new();
        MODEL.get_or_init(|| Self { table: Table::compiled_in() })
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.table.dimensions
    }

    /// Puts the vector of the text into `out`: of length one, or all zeros if no word of the text is known.
    pub fn embed(&self, text: &str, out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.table.dimensions, 0.0);
        let arch = pulp::Arch::new();
        let mut batch = [0; BATCH];
        let mut filled = 0;
        wordpiece::rows(&self.table, text, |row| {
            batch[filled] = row;
            filled += 1;
            if filled == BATCH {
                arch.dispatch(Sum { table: &self.table, rows: &batch, out: out.as_mut_slice() });
                filled = 0;
            }
        });
        arch.dispatch(Sum { table: &self.table, rows: &batch[..filled], out: out.as_mut_slice() });
        let length = out.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            out.iter_mut().for_each(|value| *value /= length);
        }
    }

    /// Whether the word, of whatever language, has a vector of its own.
    #[must_use]
    pub fn knows(&self, word: &str) -> bool {
        self.row_of(word).is_some()
    }

    /// How much a word says, whatever it is about, from 0 to 1: frequent words say little. Nothing for a word that the model has no
    /// vector of its own for, which is a rare one.
    #[must_use]
    pub fn weight(&self, word: &str) -> Option<f32> {
        let row = self.row_of(word)?;
        // The length of what the word adds to a text's vector, before that is brought to length one.
        Some(self.table.factors[row] * 127.0 / self.table.inverse_norms[row])
    }

    fn row_of(&self, word: &str) -> Option<usize> {
        let table = &self.table;
        wordpiece::whole_word(table, word).filter(|row| *row < table.words || *row >= table.english)
    }

    /// The English words nearest to this one, of whatever language, nearest first: at most `limit`, none with a cosine
    /// below `least`, not the word itself. Empty for a word that the model has no vector of its own for.
    #[must_use]
    pub fn related(&self, word: &str, limit: usize, least: f32) -> Vec<Related<'_>> {
        let table = &self.table;
        let Some(own) = self.row_of(word) else { return Vec::new() };
        let mut cosines = vec![0.0; table.words];
        vectors::cosines(table.row(own), &table.rows[..table.words * table.dimensions], &mut cosines);
        let mut found: Vec<Related<'_>> = Vec::new();
        let own_norm = table.inverse_norms[own];
        for (row, (product, norm)) in cosines.iter().zip(&table.inverse_norms).enumerate() {
            let similarity = product * norm * own_norm;
            if similarity >= least && row != own {
                found.push(Related { word: table.name(row), similarity });
            }
        }
        found.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
        found.truncate(limit);
        found
    }
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Builtin").field("name", &Self::NAME).finish_non_exhaustive()
    }
}

/// Adds rows, each times its factor.
struct Sum<'a> {
    table: &'a Table,
    rows: &'a [usize],
    out: &'a mut [f32],
}

impl pulp::WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        for row in self.rows {
            let factor = self.table.factors[*row];
            let (values, _) = self.table.row(*row).as_chunks::<16>();
            let (sums, _) = self.out.as_chunks_mut::<16>();
            for (sums, values) in sums.iter_mut().zip(values) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += f32::from(*value) * factor;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(text: &str) -> Vec<f32> {
        let mut out = vec![9.0; 3];
        Builtin::get().embed(text, &mut out);
        out
    }

    fn cosine(left: &str, right: &str) -> f32 {
        vector(left).iter().zip(&vector(right)).map(|(l, r)| l * r).sum()
    }

    fn length(vector: &[f32]) -> f32 {
        vector.iter().map(|value| value * value).sum::<f32>().sqrt()
    }

    #[test]
    fn a_paraphrase_is_nearer_than_anything_unrelated() {
        let pairs = [
            ("The doctor told her to rest for a week.", "A physician ordered seven days of relaxation."),
            ("We postponed the product launch until spring.", "The release was delayed to April."),
            ("He is allergic to peanuts.", "Nuts make him ill, so keep them out of his food."),
            ("Our database backups run every night.", "Each evening the server stores a copy of its data."),
            ("She bought a used car for her commute.", "A second-hand vehicle takes her to the office."),
            ("My daughter plays the violin.", "The girl practises a string instrument."),
        ];
        for (at, (text, paraphrase)) in pairs.iter().enumerate() {
            let near = cosine(text, paraphrase);
            for (other_at, (other, other_paraphrase)) in pairs.iter().enumerate() {
                if other_at != at {
                    assert!(near > cosine(text, other), "{text} / {other}");
                    assert!(near > cosine(text, other_paraphrase), "{text} / {other_paraphrase}");
                }
            }
        }
    }

    #[test]
    fn a_question_finds_its_note_in_another_language() {
        let notes = [
            (
                "Who is the doctor?",
                "医生叫李伟，在市医院工作。",
                "Der Arzt heißt Li Wei und arbeitet im Krankenhaus.",
            ),
            ("Where is the school?", "学校在河边。", "Die Schule liegt am Fluss."),
            ("What music does she like?", "她喜欢古典音乐。", "Sie mag klassische Musik."),
            ("When did we buy the car?", "我们在三月买了汽车。", "Wir haben das Auto im März gekauft."),
        ];
        for (at, (question, chinese, german)) in notes.iter().enumerate() {
            for (other_at, (_, other_chinese, other_german)) in notes.iter().enumerate() {
                if other_at != at {
                    assert!(
                        cosine(question, chinese) > cosine(question, other_chinese),
                        "{question} {other_chinese}"
                    );
                    assert!(
                        cosine(question, german) > cosine(question, other_german),
                        "{question} {other_german}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_vector_has_length_one_and_is_always_the_same() {
        let text = "We agreed to keep the backups for ninety days.";
        assert_eq!(vector(text).len(), Builtin::get().dimensions());
        assert!((length(&vector(text)) - 1.0).abs() < 1e-5);
        assert_eq!(vector(text), vector(text));
        assert_eq!(vector(text), vector("WE AGREED  to keep\nthe báckups for ninety days."));
    }

    #[test]
    fn text_without_a_known_word_is_zeros() {
        for text in ["", "   \n", "🦀🦀", "ᚠᚢᚦ ꙮ", "\u{200b}\u{feff}", &"x".repeat(5_000)] {
            assert_eq!(vector(text), vec![0.0; 128], "{text}");
        }
    }

    #[test]
    fn known_words_count_among_unknown_ones() {
        assert_eq!(vector("🦀 backup ᚠᚢᚦ"), vector("backup"));
    }

    #[test]
    fn a_megabyte_of_noise_does_no_harm() {
        let mut state = 7_u32;
        let noise: String = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(state >> 12).unwrap_or(' ')
        })
        .take(400_000)
        .collect();
        assert!(noise.len() > 1_000_000);
        let length = length(&vector(&noise));
        assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
    }

    #[test]
    fn related_words_are_related() {
        for (word, expected) in [
            ("car", "vehicle"),
            ("doctor", "physician"),
            ("Happy", "delighted"),
            ("buy", "purchase"),
            ("汽车", "car"),
            ("학교", "school"),
        ] {
            let found = Builtin::get().related(word, 10, 0.3);
            assert!(found.iter().any(|related| related.word == expected), "{word}: {found:?}");
        }
    }

    #[test]
    fn frequent_words_say_less_than_rare_ones() {
        let weight = |word: &str| Builtin::get().weight(word).unwrap();
        for words in [
            ["the", "make"],
            ["this", "review"],
            ["please", "deploy"],
            ["make", "harbour"],
            ["machen", "Rechnung"],
        ] {
            assert!(weight(words[0]) < weight(words[1]), "{words:?}");
        }
        assert_eq!(Builtin::get().weight("xqzzkw"), None);
    }

    #[test]
    fn related_words_come_nearest_first_within_the_limits() {
        let found = Builtin::get().related("river", 5, 0.3);
        assert_eq!(found.len(), 5);
        assert!(found.is_sorted_by(|a, b| a.similarity >= b.similarity));
        assert!(
            found.iter().all(|related| related.word != "river" && (0.3..=1.0).contains(&related.similarity))
        );
        assert!(Builtin::get().related("river", 5, 1.1).is_empty());
    }

    #[test]
    fn a_word_without_a_vector_of_its_own_has_no_related_words() {
        for word in ["", "xqzzkw", "ᚠᚢᚦ", "two words", "#"] {
            assert!(
                Builtin::get().related(word, 5, -1.0).is_empty() && !Builtin::get().knows(word),
                "{word}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_a_finite_vector_of_length_one_or_zero(text in any::<String>()) {
            let vector = vector(&text);
            prop_assert_eq!(vector.len(), 128);
            let length = length(&vector);
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4);
            let _ = Builtin::get().related(&text, 3, 0.0);
        }
    }
}
