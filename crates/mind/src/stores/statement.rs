//! Whether two statements say the same, or whether one takes the other's place.
//!
//! A wrong merge loses something and a wrong replacement hides it, so both ask for much: the same numbers and the same
//! negation for "the same"; for "replaces" the same subject and the same attribute, of a kind that has one value at a time.
//! Where neither is sure the statements stand side by side. Pure, and quick: some microseconds a pair.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rem_recall::{Builtin, Language, QueryWord, query_words};
use unicode_normalization::UnicodeNormalization as _;

use super::claims::{Agreement, Claim, claim_of};
use crate::patterns::Patterns;
use crate::wording::in_first_person;
pub(super) use dropped::dropped_in;
pub(crate) use kept::Statements;
use synonyms::in_common_words;
use turned::Turned;
pub(super) use turned::turned;
use whether::Whether;
use words::{AMOUNTS, DEGREES, FILLERS, NEGATING, NEGATIONS, USING, are_opposites};

pub(crate) use words::{MONTHS, WEEKDAYS};

/// From this cosine on two statements are near the same, where their words agree as well (P5.1).
const NEAR: f64 = 0.9;
/// The share of words two near statements have in common (Jaccard).
const SHARED_WHEN_NEAR: f32 = 0.6;
/// The share of words that is enough without vectors.
const SHARED: f32 = 0.8;

/// So many of its longest words are keys of a statement.
const KEY_WORDS: usize = 4;

/// How a new statement stands to a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// It says the same.
    Same,
    /// It says what is true instead.
    Replaces,
    /// Both may be true.
    Apart,
}

/// A statement, taken apart for comparison.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    /// All words in small letters.
    plain: Vec<String>,
    /// Those that carry meaning.
    words: Vec<QueryWord>,
    numbers: BTreeSet<String>,
    is_negated: bool,
    /// What it says something about, and what, where that has one value at a time.
    claim: Option<Claim>,
    /// What it says to be so or not so, where its language hides that in its verb.
    whether: Option<Whether>,
    /// The words before and after a word of comparison.
    preference: Option<(BTreeSet<String>, BTreeSet<String>)>,
    /// What gave something up, that, and what for alone, where it is said what took its place.
    dropped: Option<(BTreeSet<String>, BTreeSet<String>, BTreeSet<String>)>,
    /// What it says not to be so any more, and what instead, each as a statement of its own.
    turned: Option<Box<[Statement; 2]>>,
    vector: Vec<f32>,
}

/// The words that the patterns of statements need.
pub(super) const WORDS: &str = include_str!("statement/words.txt");

static COMPARED: LazyLock<Patterns> = LazyLock::new(|| {
    let compared = r"(?i)^(.*?)\s+(?:over|rather than|instead of|more than|better than|statt|lieber als|anstatt)\s+(.*)$|^(.*?\bprefers?\s+[\p{L}\p{N}-]+(?:\s+[\p{L}\p{N}-]+)?)\s+to\s+(\S.*)$|^(.*?)보다\s*(.*)$|^(.*?)(?:胜过|多过|而不是)(.*)$";
    Patterns::of(WORDS, "compared", vec![compared.to_owned()])
});

impl Statement {
    pub(crate) fn new(text: &str) -> Self {
        let text = composed(text);
        let text = in_first_person(&text);
        let text = &*in_common_words(&text);
        let mut words = query_words(text, &[Language::of(text)]);
        if words.iter().any(|word| !FILLERS.contains(&word.folded.as_str())) {
            words.retain(|word| !FILLERS.contains(&word.folded.as_str()));
        }
        let lower = text.to_lowercase();
        let plain = lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
        let plain: Vec<String> = plain.map(str::to_owned).collect();
        let mut vector = Vec::new();
        Builtin::get().embed(text, &mut vector);
        let numbers = numbers_of(text);
        let claim = claim_of(text);
        let preference = COMPARED.find_map(text, |_, found| {
            let mut sides = found.iter().skip(1).flatten().map(|side| side.as_str());
            let (more, less) = (sides.next()?, sides.next()?);
            // "Prefers going to Rome" compares nothing.
            let goes = more.rsplit(' ').next().is_some_and(|last| last.ends_with("ing") || last == "to");
            (!goes).then(|| (stems(more), stems(less)))
        });
        let dropped =
            dropped_in(text).map(|dropped| (stems(dropped.about), stems(dropped.old), stems(dropped.within)));
        let is_negated = words_of(text).iter().any(|word| NEGATIONS.contains(&word.as_str()))
            || NEGATING.iter().any(|part| text.contains(part));
        let whether = Whether::of(text);
        let turned = turned(text)
            .map(|Turned { denied, instead }| Box::new([Self::new(&denied), Self::new(&instead)]));
        Self { plain, words, numbers, is_negated, claim, whether, preference, dropped, turned, vector }
    }

    /// Words under which it is found among many: two statements of which one says the same as the other or takes its place have one in
    /// common, but for some whose words differ in form.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.claimed_keys().collect();
        let mut words: Vec<&String> =
            self.counted().filter_map(|word| word.tokens.iter().min_by_key(|token| token.len())).collect();
        words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
        words.dedup();
        keys.extend(words.into_iter().take(KEY_WORDS).map(|word| format!("{:?} {word}", self.numbers)));
        keys
    }

    /// All that it is found under among many statements, by those which it may say the same as or take the place of ([`Self::telling_keys`]).
    pub(crate) fn all_keys(&self) -> impl Iterator<Item = String> {
        let mut keys: Vec<String> = self.counted().flat_map(|word| word.tokens.iter().cloned()).collect();
        keys.extend(self.claimed_keys());
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter()
    }

    /// What to look under for the statements that this one may say the same as or take the place of: of its words as many of the rarest as
    /// must hold one that such a statement has as well (the prefix filter of set similarity joins). `uses` says under how many statements
    /// a key is found. Those that are [brief](Self::is_brief) have to be looked at besides, where it is brief itself.
    pub(crate) fn telling_keys(&self, uses: &dyn Fn(&str) -> usize) -> Vec<String> {
        let mut words: Vec<(usize, &QueryWord)> =
            self.counted().map(|word| (word.tokens.iter().map(|token| uses(token)).sum(), word)).collect();
        words.sort_by(|(one, word), (other, by)| (one, &word.folded).cmp(&(other, &by.folded)));
        // Of the words of both together so many are shared (SHARED_WHEN_NEAR), and the other has one at least; all but one, where one
        // word is turned into its opposite.
        let shared = (3 * (words.len() + 1)).div_ceil(8).max(1);
        let looked_at = (words.len() + 1).saturating_sub(shared).max(2);
        let mut keys: Vec<String> =
            words.iter().take(looked_at).flat_map(|(_, word)| word.tokens.iter().cloned()).collect();
        keys.extend(self.claimed_keys());
        keys.extend(
            self.turned.iter().flat_map(|halves| halves.iter()).flat_map(|half| half.telling_keys(&uses)),
        );
        keys
    }

    /// Whether it has so few words that what contradicts it may share none of them.
    pub(crate) fn is_brief(&self) -> bool {
        self.counted().nth(2).is_none() || self.turned.iter().any(|halves| halves.iter().any(Self::is_brief))
    }

    /// The words that carry meaning, those of negation left out.
    fn counted(&self) -> impl Iterator<Item = &QueryWord> {
        self.words.iter().filter(|word| !is_of_negation(&word.folded, self.is_negated))
    }

    /// What it is found under besides its words: what it says something about, and what it compares.
    fn claimed_keys(&self) -> impl Iterator<Item = String> {
        let claim = self.subject_keys();
        let compared = self.preference.iter().flat_map(|(more, less)| more.iter().chain(less));
        claim.chain(compared.map(|word| format!("compared {word}")))
    }

    /// How `self`, the newer one, stands to `known`.
    pub(crate) fn compared_to(&self, known: &Self) -> Comparison {
        self.compared_from(known, NEAR)
    }

    /// The same, with another cosine from which on two are near the same.
    pub(crate) fn compared_from(&self, known: &Self, near: f64) -> Comparison {
        let replaces = |half: &Self| half.compared_from(known, near) == Comparison::Replaces;
        if self.turned.as_ref().is_some_and(|halves| halves.iter().any(replaces)) {
            return Comparison::Replaces;
        }
        if let (Some(claim), Some(known_claim)) = (&self.claim, &known.claim)
            && claim.about == known_claim.about
            && self.is_negated == known.is_negated
        {
            match claim.agrees_with(known_claim) {
                // Two things that are not so may both be; so may two trades, unless one is said to be that of now.
                Agreement::Other if self.is_negated => return Comparison::Apart,
                Agreement::Other if claim.may_be_several() && !self.is_of_now() => return Comparison::Apart,
                Agreement::Other => return Comparison::Replaces,
                Agreement::Same => return Comparison::Same,
                Agreement::Unsure => {}
            }
        }
        if let (Some(claim), Some(known_claim)) = (&self.claim, &known.claim)
            && claim.about == known_claim.about
            && self.is_negated != known.is_negated
            && claim.is_plainly(known_claim)
        {
            return Comparison::Replaces;
        }
        if let Some((whether, known)) = self.whether_of(known) {
            return if whether.agrees_with(known) { Comparison::Same } else { Comparison::Replaces };
        }
        if self.is_moved_from(known) || self.drops(known) {
            return Comparison::Replaces;
        }
        if let (Some((more, less)), Some((known_more, known_less))) = (&self.preference, &known.preference)
            && self.is_negated == known.is_negated
            && overlap(more, known_less)
            && overlap(less, known_more)
        {
            // What is preferred at another time is another preference. Endings of other scripts differ with the sides.
            let (all, known_all): (BTreeSet<&String>, BTreeSet<&String>) =
                (more.union(less).collect(), known_more.union(known_less).collect());
            let is_of_same = !all.symmetric_difference(&known_all).any(|word| word.is_ascii());
            return if is_of_same { Comparison::Replaces } else { Comparison::Apart };
        }
        if self.prefers_over(known) {
            return Comparison::Replaces;
        }
        let shared = self.shared_with(known);
        // "Always" and "never": one word says no.
        if self.is_negated != known.is_negated && is_turned(&self.plain, &known.plain) {
            return Comparison::Replaces;
        }
        if self.is_negated != known.is_negated {
            return if shared >= SHARED && self.numbers == known.numbers && self.is_ordered_as(known) {
                Comparison::Replaces
            } else {
                Comparison::Apart
            };
        }
        if self.numbers != known.numbers {
            return Comparison::Apart;
        }
        if self.is_opposite_of(known) {
            return Comparison::Replaces;
        }
        let is_near = shared >= SHARED
            || shared >= SHARED_WHEN_NEAR && f64::from(cosine(&self.vector, &known.vector)) >= near;
        // A word in the place of another may be its opposite, and vectors do not tell: tea is near coffee.
        let is_other = self.has_more_than(known) && known.has_more_than(self)
            || self.preference.is_some() != known.preference.is_some()
            || AMOUNTS.iter().any(|word| self.says(word) != known.says(word));
        if is_near && !is_other && self.is_ordered_as(known) { Comparison::Same } else { Comparison::Apart }
    }

    /// What both say to be so or not so, where that is the same.
    fn whether_of<'a>(&'a self, known: &'a Self) -> Option<(&'a Whether, &'a Whether)> {
        self.whether.as_ref().zip(known.whether.as_ref()).filter(|(own, known)| own.is_of_same(known))
    }

    /// Whether both say something of the same, in whatever words: of what has one value at a time, or that it is so or not.
    pub(crate) fn is_of_same(&self, known: &Self) -> bool {
        self.subject().is_some() && self.subject() == known.subject() || self.whether_of(known).is_some()
    }

    /// Whether it may contradict the other, and nobody but a person knows: the same is on another day of the week.
    pub(crate) fn may_contradict(&self, known: &Self) -> bool {
        let claims = self.claim.as_ref().zip(known.claim.as_ref());
        self.is_negated == known.is_negated && claims.is_some_and(|(own, known)| own.is_on_another_day(known))
    }

    /// Whether who does what to whom is the same in both, as far as they have the same words.
    fn is_ordered_as(&self, known: &Self) -> bool {
        order::is_alike((&self.plain, &self.words), (&known.plain, &known.words))
    }

    /// Whether it prefers another thing to what the known one says is preferred.
    fn prefers_over(&self, known: &Self) -> bool {
        let Some((more, less)) = &self.preference else { return false };
        let known_terms = stems(&known.plain.join(" "));
        let mut others = known_terms.iter().filter(|term| !more.contains(*term)).peekable();
        known.preference.is_none()
            && self.is_negated == known.is_negated
            && known_terms.iter().any(|term| more.contains(term) && term.starts_with("prefer"))
            && others.peek().is_some()
            && others.all(|term| less.contains(term))
    }

    /// What it is found under by what it says something about, in whatever words.
    pub(crate) fn subject_keys(&self) -> impl Iterator<Item = String> {
        let claim = self.claim.iter().map(|claim| format!("claim {:?}", claim.about));
        claim.chain(self.whether.iter().flat_map(Whether::keys))
    }

    /// Whether it says what is so instead of something that is not so any more.
    pub(crate) fn says_instead(&self) -> bool {
        self.turned.is_some()
    }

    /// Whether it may take the place of what stands elsewhere: it says something of what has one value at a time, or that something is not so
    /// any more.
    pub(crate) fn may_end_another(&self) -> bool {
        self.claim.is_some() || self.turned.is_some()
    }

    /// What it says something about that has one value at a time; statements of the same may contradict each other in any words.
    pub(crate) fn subject(&self) -> Option<&BTreeSet<String>> {
        self.claim.as_ref().map(|claim| &claim.about)
    }

    /// Whether it says what the other says, and more exactly: a town with its country.
    pub(crate) fn is_fuller_than(&self, known: &Self) -> bool {
        let claims = self.claim.as_ref().zip(known.claim.as_ref());
        claims.is_some_and(|(claim, known)| claim.about == known.about && claim.is_fuller_than(known))
    }

    /// Whether what it claims is about the user.
    pub(crate) fn is_of_user(&self) -> bool {
        self.claim.as_ref().is_some_and(Claim::is_of_user)
    }

    /// Whether it says that what it says is so from now on.
    fn is_of_now(&self) -> bool {
        const NOW: [&str; 25] = [
            "now",
            "nowadays",
            "instead",
            "jetzt",
            "nun",
            "künftig",
            "이제",
            "이제는",
            "앞으로",
            "moved",
            "renamed",
            "upgraded",
            "updated",
            "rescheduled",
            "postponed",
            "changed",
            "pushed",
            "shifted",
            "slipped",
            "umbenannt",
            "verschoben",
            "verlegt",
            "geändert",
            "replaced",
            "ersetzt",
        ];
        const PARTS: [&str; 14] = [
            "现在", "以后", "바뀌", "바뀐", "바꼈", "바꿨", "변경", "옮겨", "옮겼", "미뤄", "연기", "改",
            "换", "推迟",
        ];
        self.plain
            .iter()
            .any(|word| NOW.contains(&word.as_str()) || PARTS.iter().any(|part| word.contains(part)))
    }

    /// Whether it says what is known with another day of the week, and that it is so now.
    fn is_moved_from(&self, known: &Self) -> bool {
        let (mine, theirs): (Vec<_>, Vec<_>) = (self.counted().collect(), known.counted().collect());
        let mut differing = mine.iter().zip(&theirs).filter(|(one, other)| !is_same_word(one, other));
        let is_day = |word: &QueryWord| WEEKDAYS.iter().any(|day| word.folded.starts_with(day));
        self.is_of_now()
            && mine.len() == theirs.len()
            && differing.next().is_some_and(|(one, other)| is_day(one) && is_day(other))
            && differing.next().is_none()
    }

    /// Whether it says that what the known one says is used was replaced by something else.
    fn drops(&self, known: &Self) -> bool {
        let Some((about, old, within)) = &self.dropped else { return false };
        let theirs = stems(&known.plain.join(" "));
        let is_used = theirs.iter().any(|word| USING.contains(&word.as_str()));
        let others =
            || theirs.iter().filter(|word| !USING.contains(&word.as_str()) && !about.contains(*word));
        is_used
            && !known.is_negated
            && known.dropped.is_none()
            && about.iter().chain(within).all(|word| theirs.contains(word) || known.says(word))
            && others().any(|word| old.contains(word))
            && others().all(|word| old.contains(word) || within.contains(word))
    }

    /// Whether it turns a word of the known one into its opposite.
    pub(crate) fn turns(&self, known: &Self) -> bool {
        self.is_opposite_of(known)
            || self.whether_of(known).is_some_and(|(whether, known)| !whether.agrees_with(known))
    }

    /// Whether it has this word.
    fn says(&self, word: &str) -> bool {
        self.plain.iter().any(|own| own == word)
    }

    /// The stems of its words that carry meaning; of those of negation none.
    pub(crate) fn terms(&self) -> BTreeSet<&str> {
        self.counted()
            .filter_map(|word| word.tokens.iter().min_by_key(|token| token.len()))
            .map(String::as_str)
            .collect()
    }

    /// How many of so many terms two statements may lack in each other and still contradict each other, when they are of different
    /// subjects: one is negated or turned into its opposite, and else they are worded alike.
    pub(crate) fn may_lack(terms: usize) -> usize {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (terms as f64 * (1.0 - f64::from(SHARED))).floor() as usize;
        share.max(1)
    }

    /// Whether one is negated and the other not, and it repeats most of what the other says: not with another value beside it, and not where
    /// what is denied is nothing that the other says.
    pub(crate) fn denies(&self, known: &Self) -> bool {
        let (terms, theirs) = (self.terms(), known.terms());
        let repeated = theirs.iter().filter(|term| terms.contains(*term)).count();
        let is_of_other = repeated < theirs.len() && repeated < terms.len();
        self.is_negated != known.is_negated
            && repeated > 1
            && 3 * repeated >= 2 * theirs.len()
            && !is_of_other
            && !self.denies_another_than(known)
            && self.is_ordered_as(known)
    }

    /// Whether the first word with a meaning after its word of negation is one that the other lacks: "blue, not red".
    fn denies_another_than(&self, known: &Self) -> bool {
        let Some(no) = self.plain.iter().rposition(|word| NEGATIONS.contains(&word.as_str())) else {
            return false;
        };
        let denied = self.plain[no + 1..].iter().find(|word| self.counted().any(|own| own.folded == **word));
        denied.is_some_and(|denied| {
            let own = self.counted().find(|own| own.folded == *denied);
            own.is_some_and(|own| !known.words.iter().any(|word| is_same_word(own, word)))
        })
    }

    /// Whether it says that something is not so.
    pub(crate) fn is_negated(&self) -> bool {
        self.is_negated
    }

    /// The cosine of the two, from -1 to 1.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        f64::from(cosine(&self.vector, &other.vector))
    }

    /// Whether it has a word that the other lacks.
    fn has_more_than(&self, other: &Self) -> bool {
        self.words.iter().any(|word| !other.words.iter().any(|theirs| is_same_word(word, theirs)))
    }

    /// Whether it says the other with one word turned into its opposite: by its words, or by those that carry meaning.
    fn is_opposite_of(&self, other: &Self) -> bool {
        let telling =
            |statement: &Self| statement.words.iter().map(|word| word.folded.clone()).collect::<Vec<_>>();
        is_turned(&self.plain, &other.plain) || is_turned(&telling(self), &telling(other))
    }

    /// Whether it says the same in nearly the same words: meaning alone takes opposites for one another.
    pub(crate) fn is_worded_as(&self, known: &Self) -> bool {
        self.compared_to(known) == Comparison::Same && self.shared_with(known) >= SHARED
    }

    /// Words in common, as a share of all (Jaccard); words of negation do not count.
    fn shared_with(&self, known: &Self) -> f32 {
        let (mine, theirs): (Vec<_>, Vec<_>) = (self.counted().collect(), known.counted().collect());
        let common = mine.iter().filter(|word| theirs.iter().any(|other| is_same_word(word, other))).count();
        let all = mine.len() + theirs.len() - common.min(mine.len() + theirs.len());
        #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
        let share = common as f32 / all.max(1) as f32;
        share
    }
}

/// What a text states something about, where that has one value at a time: without the cost of a whole [`Statement`].
pub(crate) fn subject_of(text: &str) -> Option<BTreeSet<String>> {
    claim_of(&composed(text)).map(|claim| claim.about)
}

/// The words of a text that carry meaning, those of negation left out, each by its shortest form: what two texts share of which one
/// says no to the other.
pub(crate) fn bare_words(text: &str) -> BTreeSet<String> {
    let words = stems(text);
    let is_negated = words.iter().any(|word| NEGATIONS.contains(&word.as_str()));
    words.into_iter().filter(|word| !is_of_negation(word, is_negated)).collect()
}

/// Whether a word says no, or belongs to one that does.
fn is_of_negation(word: &str, is_negated: bool) -> bool {
    NEGATIONS.contains(&word) || is_negated && DEGREES.contains(&word)
}

/// A text in one form: characters composed, apostrophes straight, "not" as a word of its own, without the stop at its end.
fn composed(text: &str) -> String {
    const CONTRACTED: [(&str, &str); 5] = [
        ("can't", "can not"),
        ("Can't", "Can not"),
        ("won't", "will not"),
        ("Won't", "Will not"),
        ("n't", " not"),
    ];
    let text: String = text.nfc().collect();
    let mut text = text.replace(['’', 'ʼ'], "'");
    for (no_one, nobody) in [("No one ", "Nobody "), (" no one ", " nobody ")] {
        text = text.replace(no_one, nobody);
    }
    if text.contains("n't") {
        for (contracted, words) in CONTRACTED {
            text = text.replace(contracted, words);
        }
    }
    text.trim().trim_end_matches(['.', '!', '。']).to_owned()
}

/// Whether two rows of words are the same but for one, which is the opposite.
fn is_turned(one: &[String], other: &[String]) -> bool {
    let mut differing = one.iter().zip(other).filter(|(one, other)| one != other);
    let (Some((mine, theirs)), None, true) = (differing.next(), differing.next(), one.len() == other.len())
    else {
        return false;
    };
    are_opposites(mine, theirs)
}

fn is_same_word(one: &QueryWord, other: &QueryWord) -> bool {
    one.tokens.iter().any(|token| other.tokens.contains(token))
}

fn words_of(text: &str) -> Vec<String> {
    rem_recall::document_tokens(text, Language::of(text))
}

/// The stems of a phrase, each word by its shortest form; small words left out.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let is_small = |word: &str| {
        matches!(
            word,
            "the"
                | "a"
                | "an"
                | "is"
                | "now"
                | "has"
                | "to"
                | "der"
                | "die"
                | "das"
                | "jetzt"
                | "for"
                | "of"
                | "new"
                | "has been"
        )
    };
    let shortest = |word: QueryWord| word.tokens.into_iter().min_by_key(String::len);
    let words = query_words(text, &[Language::of(text)]).into_iter().filter(|word| !is_small(&word.folded));
    // British and American spelling of the one word that matters here.
    words
        .filter_map(shortest)
        .map(|word| word.replace("favour", "favor").replace("colour", "color"))
        .collect()
}

fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    one.intersection(other).next().is_some()
}

fn numbers_of(text: &str) -> BTreeSet<String> {
    let parts = text.split(|each: char| !each.is_numeric() && !matches!(each, '.' | ':'));
    parts
        .map(|part| part.trim_matches(['.', ':']))
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product =
        |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>();
    let norm = (product(one, one) * product(other, other)).sqrt();
    if norm > f32::EPSILON { product(one, other) / norm } else { 0.0 }
}

mod dropped;
mod kept;
mod order;
mod synonyms;
#[cfg(test)]
mod tests;
mod turned;
mod whether;
mod words;
