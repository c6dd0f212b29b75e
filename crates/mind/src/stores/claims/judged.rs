//! What is no value in the place of one: a judgement ("hard to pronounce"), a state ("under discussion", "on the list"), how often
//! something is so, and a clause.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::patterns;
use crate::patterns::Patterns;
use crate::stores::statement::{MONTHS, WEEKDAYS};

/// What judges, begins a clause or says how much, in the place of a value.
const JUDGED: usize = 0;
/// What says how something is rather than what, written small: what it is hard to do, how often it is so, where it stands.
const STATE: usize = 1;
/// Stems of Korean words that tell how something is, or what is done with it; names hold them, too.
const STEMS_KO: usize = 2;
/// How a Korean clause begins or ends that is no name of anything.
const CLAUSE_KO: usize = 3;

pub(super) static JUDGEMENTS: LazyLock<Patterns> = LazyLock::new(|| {
    let judged = r"(?ix)^(?:too|very|really|quite|so|rather|pretty|extremely|way|still|always|never|not|just|only|also|already|hardly|almost|
        awesome|great|good|bad|nice|terrible|awful|amazing|wonderful|perfect|fantastic|horrible|important|high|low|expensive|cheap|fine|
        okay|unknown|unclear|wrong|right|correct|incorrect|tight|close|near|coming|approaching|well|famous|missing|lost|broken|
        due|
        (?:we|i|you|they|he|she|it|there|this|that|who|what|when|where|why|how|if|because|everyone|everybody|nobody|somebody)\b.*\s\S+|
        zu|sehr|ziemlich|wirklich|noch|nicht|immer|schon|toll|gut|schlecht|super|wichtig|hoch|niedrig|teuer|billig|unbekannt|falsch|programm|
        (?:wir|ich|du|er|sie|es|man|wer|was|wann|wo|wie|wenn|weil)\b.*\s\S+)(?:\s.*)?$";
    let state = r"(?x)^(?:(?:hard|easy|difficult|tricky|tough|impossible|simple|open|subject|up|yet|about|likely|bound|supposed|unlikely|ready|schwer|schwierig|leicht|einfach|
        unmöglich|kompliziert)(?:\ .*)?\ (?:to|for|zu|auszu\w+|aufzu\w+|\w+zu\w+)\b.*|
        (?:often|usually|sometimes|frequently|rarely|seldom|mostly|generally|commonly|constantly|regularly|occasionally|apparently|nearly|hardly|
        oft|öfter|häufig|meistens|meist|manchmal|selten|gelegentlich|ständig|dauernd|fast|kaum|wohl)\ .+|
        (?:on|under|in|up|out|at|over|below|above|between|within|beyond|behind|from|with|without|off|against|being|getting|going|to\ be|
        auf|unter|im|in|aus|über|zwischen|mit|ohne|bei|beim|am|zur|zum|in\ der)\ .+|
        negotiable|debatable|disputed|contested|pending|final|flexible|confidential|secret|tentative|preliminary|provisional|outdated|obsolete|
        (?:mis)?(?:spelled|spelt|pronounced|heard|written|printed|read)(?:\ .+)?|common|uncommon|rare|unusual|unique|ridiculous|absurd|fair|unfair|reasonable|outrageous|
        acceptable|beautiful|ugly|boring|strange|weird|odd|funny|silly|confusing|complicated|long|short|obvious|irrelevant|unchanged|taken|gone|
        embarrassing|memorable|forgettable|
        umstritten|verhandelbar|offen|vorläufig|geheim|vertraulich|häufig|selten|ungewöhnlich|seltsam|schön|hässlich|lang|kurz|lächerlich|fair|unfair|
        angemessen|vergeben|endgültig|(?:\S+\ )*(?:geschrieben|ausgesprochen|verhandelt|diskutiert|geprüft|besprochen|überarbeitet|gefunden))$";
    let stems_ko = r"(?:있|없|같|높|낮|좋|싫|많|적|비싸|알려|되|돼|됐|했|한다|하|해|않|몰라|모르|아름|예쁘|예뻐|중요)[가-힣]*$";
    let clause_ko = r"^(?:너무|아주|매우|정말|잘|아직|자주|가끔|보통|대개|종종|흔히) |(?:있|없|않)[가-힣]{1,3}$|습니다$|[립집힙닙됩합]니다$|[워려쉬와져]요?$|어요$|아요$|[는된긴린]다$|(?:렵|쉽|흔하)다$|(?: |^)(?:논의|검토|협의|조정|확인|변경|심사) ?중|미정$|(?:^| )비밀$";
    patterns("judgements", [judged, state, stems_ko, clause_ko].map(str::to_owned).into())
});
/// What things are called by whose names are of a people, in the place of a name.
const PEOPLES: &str = " irish welsh scottish english german french spanish polish korean chinese japanese turkish greek dutch swedish danish ";
const JUDGED_ZH: [&str; 27] = [
    "很",
    "太",
    "非常",
    "不",
    "挺",
    "最好",
    "有点",
    "还没",
    "我们",
    "众所周知",
    "保密",
    "未知",
    "难",
    "容易",
    "经常",
    "常常",
    "总是",
    "还在",
    "正在",
    "在讨论",
    "在考虑",
    "待定",
    "未定",
    "有争议",
    "可以",
    "被",
    "尚未",
];
/// What a Chinese value ends with that says how far something is.
const UNDER_WAY_ZH: [&str; 4] = ["讨论中", "审核中", "协商中", "评估中"];

/// Attributes whose value may be a state, or any word.
const STATES: [&str; 5] = ["status", "branch", "password", "titl", "title"];

/// Whether what is said of something is a value of it.
pub(super) fn is_value(about: &BTreeSet<String>, value: &str) -> bool {
    let matches = |index: usize| JUDGEMENTS.find(index, value).is_some();
    let lower = value.to_lowercase();
    let has_digit = value.contains(|each: char| each.is_ascii_digit());
    let is_timed = lower
        .split(|each: char| !each.is_alphanumeric())
        .any(|word| MONTHS.contains(&word) || WEEKDAYS.contains(&word));
    // A date is a value: `on March 9`, `in 2027`.
    let is_judged = matches(JUDGED) && (!has_digit || lower.starts_with("too "));
    let may_be_a_state = about.iter().any(|word| STATES.contains(&word.as_str()));
    let is_a_state = !may_be_a_state && !has_digit && !is_timed && matches(STATE);
    let is_judged_zh = JUDGED_ZH.iter().any(|start| value.starts_with(start))
        || UNDER_WAY_ZH.iter().any(|end| value.ends_with(end));
    let is_of_a_people = is_called(about) && crate::wording::contains(PEOPLES, &lower);
    let is_judged_ko = matches(CLAUSE_KO) || !is_called(about) && matches(STEMS_KO);
    let is_remark = is_judged || is_a_state || is_of_a_people || !has_digit && (is_judged_ko || is_judged_zh);
    !value.is_empty() && !is_remark
}

/// Whether a name is claimed.
pub(super) fn is_called(about: &BTreeSet<String>) -> bool {
    about.iter().any(|word| {
        matches!(word.as_str(), "name" | "nam" | "nicknam" | "nickname")
            || ["이름", "별명", "名字"].iter().any(|name| word.contains(name))
    })
}

#[cfg(test)]
mod tests {
    use super::super::claim_of;

    #[test]
    fn a_judgement_and_a_state_are_no_values() {
        let claimed = [
            "My name is hard to pronounce",
            "My name is often misspelled",
            "My name is misspelled by everyone",
            "My name is on the list",
            "My name is Irish",
            "My favorite color is hard to match",
            "My favourite dish is from Korea",
            "The price of the pro plan is under discussion",
            "The price of the pro plan is not final",
            "The price of the pro plan is negotiable",
            "The deadline is up for debate",
            "The deadline is to be decided",
            "Mein Name ist oft falsch geschrieben",
            "Mein Name ist schwer auszusprechen",
            "Mein Name ist auf der Liste",
            "Der Preis ist noch offen",
            "Der Preis ist umstritten",
            "Die Frist ist in Verhandlung",
            "제 이름은 발음하기 어렵습니다",
            "제 이름은 발음하기 어려워요",
            "제 이름은 자주 틀리게 적힙니다",
            "제 이름은 명단에 있습니다",
            "가격은 논의 중입니다",
            "마감은 미정이야",
            "我的名字是很难念的",
            "专业版的价格是待定",
            "截止日期是还在讨论中",
        ];
        let found: Vec<_> = claimed.iter().filter(|text| claim_of(text).is_some()).collect();
        assert_eq!(found, Vec::<&&str>::new());
    }

    #[test]
    fn a_value_is_one_whatever_it_sounds_like() {
        let valued = [
            "My name is Jon",
            "my name is jon",
            "My name is Short",
            "My name is Hardy Toll",
            "Mein Name ist Schön",
            "Mein Name ist Jan Oft",
            "제 이름은 김민수입니다",
            "제 이름은 하나예요",
            "제 이름은 다니야",
            "我的名字是李难",
            "My favorite color is dark green",
            "My favourite band is Under the Sea",
            "The price of the pro plan is 15 EUR",
            "The price is under 20 euros",
            "The status is under review",
            "Status: pending",
            "The branch is stable",
            "The deadline is at the end of May",
            "Die Frist ist am Freitag",
            "가격은 12유로야",
            "내 생일은 5월 3일이야",
        ];
        let missed: Vec<_> = valued.iter().filter(|text| claim_of(text).is_none()).collect();
        assert_eq!(missed, Vec::<&&str>::new());
    }
}
