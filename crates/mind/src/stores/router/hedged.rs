//! What a sentence does not state: what somebody thinks, doubts or asks, and what holds only if something else does.
//!
//! A tie between names is drawn from what is said to be so. Pure.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::WORDS;
use crate::patterns::Patterns;
use crate::stores::statement::WEEKDAYS;

/// What leaves open whether the rest is so, before it; in Korean after it.
const OPEN: usize = 0;
const OPEN_AFTER: usize = 1;
/// Words between a subject and its verb that say only that it is so now, or besides.
const TIME: usize = 2;
/// What somebody who is named prefers.
const OTHERS: usize = 3;

pub(super) static HEDGES: LazyLock<Patterns> = LazyLock::new(|| {
    let open = r"(?ix)\b(?:if|whether|unless|suppose|supposing|maybe|perhaps|possibly|apparently|supposedly|allegedly|thinks?|thought|believes?|believed|doubts?|doubted|
        suspects?|suspected|guess(?:es)?|guessed|assumes?|assumed|wonders?|wondered|claims?|claimed|hopes?|hoped|fears?|feared|wishes|imagines?|
        pretends?|unsure|unclear|not\ sure|(?:nobody|no\ one|not)\ knows?|asks?|asked|rumou?rs?|
        ob|falls|wenn|glaubt|glaube|glauben|denkt|denke|meint|vermutet|vermute|bezweifelt|zweifelt|hofft|hoffe|vielleicht|angeblich|niemand\ weiß|
        weiß\ nicht|unklar)\b|
        如果|要是|假如|觉得|认为|以为|怀疑|不知道|不确定|也许|可能|听说|据说|是否|恐怕|希望|만약|혹시|아마";
    let open_after = r"(?:다고|라고) (?:생각|믿|의심|추측|들었|해요|하더)|(?:는지|은지|을지|ㄹ지) (?:모르|몰라|모른|궁금|확실)|(?:것|거) 같|다면|라면|(?:쓰|하|되|살|일하)면 ";
    let time = r"(?P<before>[\p{L}\p{N}] )(?:(?:now|currently|actually|nowadays|also) (?P<en>works?|lives?|uses?|likes?|prefers?|reports|leads|manages|owns|drinks|speaks|runs|depends|relies|maintains|is )|(?:이제|지금|현재|요즘) (?P<ko>[가-힣A-Za-z]))";
    let others = r"^\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?(?:'s (?:all-time )?favou?rite \p{L}|(?: really)? (?:does not|doesn't|does) (?:really |actually )?(?:like|love|eat|drink|enjoy|want)\b)|^\p{Lu}[\p{L}-]+s Lieblings\p{Ll}+ |^\p{Lu}[\p{L}-]+ (?:mag|isst|trinkt) (?:kein|nicht)|^[가-힣]{2,4}(?:이가|이는|는|가|은|이|의) (?:가장|제일) 좋아하는|^[\p{Han}]{2,3}最喜欢的";
    Patterns::of(WORDS, "hedges", [open, open_after, time, others].map(str::to_owned).into())
});

/// Whether what stands in a sentence from `start` to `end` is left open by what is around it.
pub(super) fn is_open(sentence: &str, start: usize, end: usize) -> bool {
    // Another clause leaves nothing open but its own.
    let before = &sentence[..start];
    let before = &before[before.rfind(['.', ';', '!', '。']).map_or(0, |at| at + 1)..];
    let holds = |index: usize, text: &str| HEDGES.find(index, text).is_some();
    let begins = sentence[start..end].split(' ').next().unwrap_or_default();
    holds(OPEN, before)
        || matches!(
            begins,
            "If" | "Whether" | "Unless" | "Maybe" | "Perhaps" | "Wenn" | "Falls" | "Ob" | "Vielleicht"
        )
        || holds(OPEN_AFTER, &sentence[start..])
}

/// A sentence without the words between a subject and its verb that say only that it is so now, or besides.
pub(super) fn without_time(sentence: &str) -> Cow<'_, str> {
    match HEDGES.held(TIME, sentence) {
        Some(time) => time.replace_all(sentence, "${before}${en}${ko}"),
        None => Cow::Borrowed(sentence),
    }
}

/// What follows a verb of using, living or working and is no name: written small, it says when, how or how much.
const NO_ENDS: &str = " night nights noon midnight dawn dusk fear peace harmony poverty luxury hope doubt debt shifts weekends weekdays schedule least ease \
    random present speed about around roughly nearly almost approximately exactly over under port ports up only too very just its his her their our \
    least once twice lots several many few some fun free comfort style exile hiding secret secrecy isolation denial pain anger ";

/// Whether what stands in the place of a name says when, how or how much.
pub(super) fn is_no_end(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or_default();
    let lower = first.to_lowercase();
    let is_day = WEEKDAYS.contains(&lower.trim_end_matches('s'));
    is_day || first.starts_with(char::is_lowercase) && crate::wording::contains(NO_ENDS, first)
}

/// Whether a preference is that of somebody who is named: "Mira's favourite drink is tea", "Mira does not like tea".
pub(super) fn is_of_another(sentence: &str) -> bool {
    const NOBODY: &str = " It This That What Who He She They We You I My Our His Her Their Nobody Everyone Everybody Somebody Someone There Er Sie Es Man Wer \
        Ich Wir ";
    let first = sentence.split([' ', '\'']).next().unwrap_or_default();
    let is_own = sentence.starts_with('我')
        || ["나는", "내가", "저는", "제가", "나의", "저의"].iter().any(|own| sentence.starts_with(own));
    !is_own && !crate::wording::contains(NOBODY, first) && HEDGES.find(OTHERS, sentence).is_some()
}
