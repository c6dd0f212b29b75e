//! What a question asks for beside its words: who is named, which days, and what kind of memory answers it (M11.1).

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analyzer::{Language, QueryWord, Script, all_query_words, query_words, script};
use crate::describe::name_number;
use crate::light::names_nothing;
use crate::period::{self, Period, period};
use crate::rank;
use crate::segment::{NO_DAY, Slot, Terms, Traits};
use crate::strategy::Strategy;
use crate::write::days;

/// So many words of a question are looked at in pairs: no more than there are bits.
const MOST_PAIRED: usize = 64;

/// What a question wants in its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Time,
    Number,
    Name,
}

impl Wanted {
    fn of(folded: &str) -> Option<Self> {
        let has = |cues: &[&str]| cues.iter().any(|cue| folded.contains(cue));
        if has(&[
            " when ",
            " what date ",
            " what day ",
            " what month ",
            " what year ",
            " what time ",
            " how long ",
            " how old ",
            " which month ",
            " which year ",
            " which day ",
            " wann ",
            "언제",
            "什么时候",
            "何时",
            "いつ",
        ]) {
            Some(Self::Time)
        } else if has(&[
            " how many ",
            " how much ",
            " how often ",
            " number of ",
            " wie viele ",
            " wie oft ",
            "몇",
            "多少",
        ]) {
            Some(Self::Number)
        } else if has(&[
            " who ",
            " whose ",
            " where ",
            " what city ",
            " what country ",
            " what state ",
            " what place ",
            " which city ",
            " which country ",
            " which state ",
            " which place ",
            " wer ",
            " wo ",
            "누구",
            "누가",
            "어디",
            "谁",
            "哪里",
        ]) {
            Some(Self::Name)
        } else {
            None
        }
    }
}

/// About whom a question is, in a conversation between a person and an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Me,
    You,
    Others,
}

/// A question, understood as far as rules go.
pub(crate) struct Question {
    pub(crate) words: Vec<QueryWord>,
    /// Its text for the embedder: as it stands, without speakers' names. Of ideographs all pairs, so that a word of two is seen
    /// wherever the run before it is cut.
    pub(crate) meaning: String,
    /// All its words in their order.
    sequence: Vec<QueryWord>,
    /// The speakers it names.
    speakers: Vec<u32>,
    wanted: Option<Wanted>,
    about: About,
    /// How it was taken, where that changes the order.
    pub(crate) strategy: Option<Strategy>,
    /// The days it names, first and last.
    pub(crate) period: Option<Period>,
    /// Whether it asks for what was then, whatever it was.
    pub(crate) is_of_time_alone: bool,
    pairs: Pairs,
}

/// The pairs of neighbouring words of the question: a bit for each.
#[derive(Default)]
struct Pairs {
    /// By term: the pairs whose first word it finds, and those whose second.
    by_term: FxHashMap<u32, (u64, u64)>,
    /// What each counts.
    shares: Vec<f32>,
}

/// The days that a question names, and what is left of it.
struct Named {
    period: Period,
    place: std::ops::Range<usize>,
    rest: String,
    /// Whether what was written of these days may name them with the same words. "Last week" is another week in every note, and what names
    /// the day itself is not what is looked for "after" it.
    keeps_words: bool,
}

impl Named {
    fn of(text: &str, today: Date) -> Option<Self> {
        let period = period(text, today)?;
        // A place that is not found leaves the words as they are.
        let Some(place) = period::span(text, today, period) else {
            let rest = text.to_owned();
            return Some(Self { period, place: 0..text.len(), rest, keeps_words: true });
        };
        let keeps_words = period::is_of_calendar(&text[place.clone()], today, period);
        let rest = format!("{} {}", &text[..place.start], &text[place.end..]);
        Some(Self { period, place, rest, keeps_words })
    }
}

impl Question {
    /// Takes the days that are asked for besides (`since`, `until`) for what is asked, where the text names nothing to look for.
    pub(crate) fn ask_for_days(&mut self, text: &str, since: Option<Date>, until: Option<Date>) {
        if self.period.is_none() && (since.is_some() || until.is_some()) && names_nothing(text) {
            self.period = Some((since.unwrap_or(Date::MIN), until.unwrap_or(Date::MAX)));
            self.is_of_time_alone = true;
            self.words.clear();
            self.sequence.clear();
        }
    }

    /// What a passage gains by being about the days asked for, where nothing else is asked.
    #[allow(clippy::cast_possible_truncation, reason = "a share needs no more")]
    pub(crate) fn gain_by_day(&self, slot: &Slot) -> f32 {
        let Some((first, last)) = self.period.filter(|_| self.is_answered_by_day(slot)) else { return 0.0 };
        let (written, said, latest) = rank::OF_THE_DAYS;
        let span = f64::from(days(last)) - f64::from(days(first));
        let share = (f64::from(slot.day) - f64::from(days(first))) / span.max(1.0);
        let kind = if slot.traits.has(Traits::TURN) { said } else { written };
        (kind + latest * share) as f32
    }

    /// Whether the newest of what answers it is meant. Days that are named say themselves how late is meant.
    pub(crate) fn asks_for_latest(&self) -> bool {
        self.strategy == Some(Strategy::Latest) && self.period.is_none()
    }

    /// The days it names as answers say them, first and last; empty where there is no first or no last one.
    pub(crate) fn period_in_words(&self) -> Option<(String, String)> {
        let named = |day: Date, open: Date| if day == open { String::new() } else { day.to_string() };
        self.period.map(|(first, last)| (named(first, Date::MIN), named(last, Date::MAX)))
    }

    /// Whether a passage answers by its day alone: something happened then, and nothing else is asked.
    fn is_answered_by_day(&self, slot: &Slot) -> bool {
        let is_in =
            |(first, last): Period| slot.day != NO_DAY && (days(first)..=days(last)).contains(&slot.day);
        self.is_of_time_alone
            && slot.traits.has(Traits::EVENT)
            && !slot.traits.has(Traits::BARE)
            && self.period.is_some_and(is_in)
    }

    /// `today` is the day on which it is asked; without it no days are understood.
    pub(crate) fn new(text: &str, languages: &[Language], today: Option<Date>) -> Self {
        let named = today.and_then(|today| Named::of(text, today));
        let is_of_time_alone = named.as_ref().is_some_and(|named| names_nothing(&named.rest));
        let looked_for = named.as_ref().map_or(text, |named| match (named.keeps_words, is_of_time_alone) {
            (true, true) => &text[named.place.clone()],
            (true, false) => text,
            (false, true) => "",
            (false, false) => &named.rest,
        });
        let mut sequence = all_query_words(looked_for, languages);
        let mut words = query_words(looked_for, languages);
        let strategy = Strategy::of(text);
        let is_cue = |word: &QueryWord| Strategy::is_cue_of_latest(&word.folded);
        // "Latest" stands in what was the latest once.
        if strategy == Some(Strategy::Latest) && !words.iter().all(is_cue) {
            words.retain(|word| !is_cue(word));
            sequence.retain(|word| !is_cue(word));
        }
        let said: Vec<String> = all_query_words(text, &[]).into_iter().map(|word| word.folded).collect();
        let spaced = format!(" {} ", said.join(" "));
        let has = |cues: &[&str]| cues.iter().any(|cue| spaced.contains(cue));
        let about = if has(&[" you ", " your ", " yours "]) {
            About::You
        } else if has(&[
            " i ", " im ", " i'm ", " ive ", " i've ", " my ", " me ", " mine ", " we ", " our ", " us ",
            " ich ", " mein", " mir ", " mich ", " wir ", " unser",
        ]) {
            About::Me
        } else {
            About::Others
        };
        Self {
            meaning: match script(looked_for) {
                Script::Ideographs => {
                    words.iter().map(|word| word.written.as_str()).collect::<Vec<_>>().join(" ")
                }
                Script::Latin | Script::Other => looked_for.to_owned(),
            },
            speakers: Vec::new(),
            wanted: Wanted::of(&spaced),
            about,
            strategy,
            period: named.map(|named| named.period),
            is_of_time_alone,
            pairs: Pairs::default(),
            words,
            sequence,
        }
    }

    /// Takes the names of speakers out of the words: every turn has its speaker, so the name tells who is meant and not what
    /// about. A question of names alone keeps them.
    pub(crate) fn notice_speakers(&mut self, speakers: &FxHashSet<u32>) {
        let named = |written: &str| {
            let is_capital = written.starts_with(char::is_uppercase);
            let number = name_number(without_possessive(written));
            (is_capital && speakers.contains(&number)).then_some(number)
        };
        self.speakers = self.words.iter().filter_map(|word| named(&word.written)).collect();
        self.speakers.sort_unstable();
        self.speakers.dedup();
        if self.words.iter().any(|word| named(&word.written).is_none()) {
            self.words.retain(|word| named(&word.written).is_none());
            let bare = |word: &str| named(word.trim_matches(|each: char| !each.is_alphanumeric()));
            let kept = self.meaning.split_whitespace().filter(|word| bare(word).is_none());
            self.meaning = kept.collect::<Vec<_>>().join(" ");
        }
    }

    /// Finds the terms of neighbouring words; `rarity` is a term's inverse frequency.
    pub(crate) fn prepare_pairs(
        &mut self,
        mut terms: impl FnMut(&QueryWord) -> rusqlite::Result<(Vec<u32>, f32)>,
    ) -> rusqlite::Result<()> {
        let mut of = |word: &QueryWord| match self
            .speakers
            .contains(&name_number(without_possessive(&word.written)))
        {
            true => Ok((Vec::new(), 0.0)),
            false => terms(word),
        };
        let found = self.sequence.iter().take(MOST_PAIRED).map(&mut of).collect::<Result<Vec<_>, _>>()?;
        let total: f32 = found.windows(2).map(|pair| pair[0].1.min(pair[1].1)).sum();
        let pairs = found.windows(2).filter(|pair| !pair[0].0.is_empty() && !pair[1].0.is_empty());
        for (index, pair) in pairs.enumerate() {
            self.pairs.shares.push(pair[0].1.min(pair[1].1) / total.max(f32::EPSILON));
            pair[0].0.iter().for_each(|term| self.pairs.by_term.entry(*term).or_default().0 |= 1 << index);
            pair[1].0.iter().for_each(|term| self.pairs.by_term.entry(*term).or_default().1 |= 1 << index);
        }
        Ok(())
    }

    /// The share of the question's pairs of words that stand together in a passage with these terms.
    pub(crate) fn pairs_in(&self, terms: &Terms) -> f32 {
        if self.pairs.shares.is_empty() {
            return 0.0;
        }
        let mut found = 0;
        // Pairs whose first word is the word before, or is this one; and whose second is this one.
        let (mut begun, mut first, mut second) = (0, 0, 0);
        for (term, begins_word) in terms.iter() {
            if begins_word {
                found |= begun & second;
                (begun, first, second) = (first, 0, 0);
            }
            if let Some((as_first, as_second)) = self.pairs.by_term.get(&term) {
                first |= as_first;
                second |= as_second;
            }
        }
        found |= begun & second;
        let shares = self.pairs.shares.iter().enumerate();
        shares.filter(|(index, _)| found >> index & 1 == 1).map(|(_, share)| share).sum()
    }

    /// From which cosine on a passage counts that holds none of the words looked for: sooner where its conversation holds one
    /// elsewhere (`is_beside`), and where its speaker is named, which is a word of the question as well.
    pub(crate) fn least_cosine(&self, slot: &Slot, is_beside: bool) -> f32 {
        if is_beside || self.speakers.contains(&slot.speaker) {
            rank::LEAST_COSINE_BESIDE
        } else {
            rank::LEAST_COSINE
        }
    }

    /// What is added to a passage, by name: it holds the kind of thing that is asked for, or is about the days named.
    pub(crate) fn bonuses(&self, slot: &Slot) -> Vec<(String, f64)> {
        let mut bonuses = Vec::new();
        let (time, name, number) = rank::ASKED_FOR;
        let wanted = match self.wanted {
            Some(Wanted::Time) => Some((Traits::TIME, "a time, as asked", time)),
            Some(Wanted::Name) => Some((Traits::NAME, "a name, as asked", name)),
            Some(Wanted::Number) => Some((Traits::NUMBER, "a number, as asked", number)),
            None => None,
        };
        if let Some((traits, why, bonus)) = wanted
            && slot.traits.has(traits)
            && slot.traits.has(Traits::TURN)
        {
            bonuses.push((why.to_owned(), bonus));
        }
        let (asks, longest) = rank::ASKS;
        if slot.traits.has(Traits::QUESTION) && slot.traits.has(Traits::TURN) && slot.length <= longest {
            bonuses.push(("asks itself".to_owned(), asks));
        }
        if let Some((first, last)) = self.period
            && slot.day != NO_DAY
        {
            let (bonus, grace) = rank::IN_PERIOD;
            let after = slot.day.saturating_sub(days(last));
            if (days(first)..=days(last)).contains(&slot.day) {
                bonuses.push(("in the period".to_owned(), bonus));
            } else if first != Date::MIN && (1..=grace).contains(&after) {
                bonuses.push((
                    "soon after the period".to_owned(),
                    bonus * (1.0 - f64::from(after) / f64::from(grace + 1)),
                ));
            }
        }
        bonuses
    }

    /// The factors, by name, that the question brings to a passage.
    pub(crate) fn factors(&self, slot: &Slot) -> Vec<(String, f64)> {
        let mut factors = Vec::new();
        if let Some(strategy) = self.strategy
            && let Some((traits, factor)) = strategy.favours()
            && slot.traits.has(traits)
        {
            factors.push((format!("question:{}", strategy.as_str()), factor));
        }
        if let [speaker] = self.speakers[..]
            && slot.speaker == speaker
        {
            factors.push(("its speaker is named".to_owned(), rank::NAMED_SPEAKER));
        }
        // Where turns begin with names, roles say nothing.
        if slot.traits.has(Traits::USER) && slot.speaker == 0 && !self.is_of_time_alone {
            match self.about {
                About::Me => factors.push(("said by the person asked about".to_owned(), rank::USER.0)),
                About::Others => factors.push(("said by the person".to_owned(), rank::USER.1)),
                About::You => {}
            }
        }
        factors
    }
}

/// `Caroline` of `Caroline's`.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_gains_by_its_kind_and_its_day() {
        let day = |text: &str| text.parse::<Date>().expect("a date");
        let question = Question::new("When did we meet in March 2025?", &[], Some(day("2026-01-01")));
        let slot = |date: &str| Slot { day: days(day(date)), traits: Traits::EVENT, ..Slot::default() };
        let names = |slot: &Slot| question.bonuses(slot).into_iter().map(|bonus| bonus.0).collect::<Vec<_>>();
        assert_eq!(names(&slot("2025-03-31")), ["in the period"]);
        assert_eq!(names(&slot("2025-04-10")), ["soon after the period"]);
        assert!(
            names(&slot("2025-06-20")).is_empty()
                && names(&Slot { day: NO_DAY, ..Slot::default() }).is_empty()
        );
        assert_eq!(question.factors(&slot("2025-03-31")), [("question:when".to_owned(), 1.1)]);
        let turn = Slot { traits: Traits::TURN.with(Traits::TIME, true), ..Slot::default() };
        assert_eq!(question.bonuses(&Slot { day: NO_DAY, ..turn }), [("a time, as asked".to_owned(), 0.15)]);
    }

    #[test]
    fn the_speaker_who_is_named_is_no_word_to_look_for() {
        let mut question = Question::new("Where did Caroline's sister move?", &[], None);
        question.notice_speakers(&FxHashSet::from_iter([name_number("caroline"), name_number("mel")]));
        assert_eq!(question.meaning, "Where did sister move?");
        let turn = |name| Slot { speaker: name_number(name), ..Slot::default() };
        assert_eq!(question.factors(&turn("Caroline")), [("its speaker is named".to_owned(), 1.3)]);
        assert!(question.factors(&turn("Mel")).is_empty());
        let least = |name, is_beside| question.least_cosine(&turn(name), is_beside);
        assert_eq!(
            [least("Caroline", false), least("Mel", true), least("Mel", false)],
            [rank::LEAST_COSINE_BESIDE, rank::LEAST_COSINE_BESIDE, rank::LEAST_COSINE]
        );
        assert_eq!(Question::new("学校在哪", &[], None).meaning, "学校 校在 在哪");
        let mut alone = Question::new("Caroline", &[], None);
        alone.notice_speakers(&FxHashSet::from_iter([name_number("caroline")]));
        assert_eq!(alone.words.len(), 1);
    }

    #[test]
    fn words_that_stand_together_in_the_question_count_together() {
        let mut question = Question::new("support group meeting", &[], None);
        let mut next = 0;
        question
            .prepare_pairs(|_| {
                next += 1;
                Ok((vec![next], 1.0))
            })
            .expect("no database is asked");
        let terms = |words: &[u32]| {
            let mut terms = Terms::default();
            words.iter().for_each(|word| terms.push(*word, true));
            terms
        };
        assert!((question.pairs_in(&terms(&[9, 1, 2, 9, 3])) - 0.5).abs() < 1e-6);
        assert!((question.pairs_in(&terms(&[1, 2, 3])) - 1.0).abs() < 1e-6);
        assert!(question.pairs_in(&terms(&[2, 1])).abs() < 1e-6);
    }
}
