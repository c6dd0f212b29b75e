//! Finds what a sentence says of two names: one pattern for each wording in `ties`.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex};

use super::hedged::{is_no_end, is_open};
use super::leanings::{self, Leaning};
use super::ties::{self, KIN, Tie};
use super::{Kind, Statement, WORDS, is_kin, is_program};
use crate::patterns::{Patterns, ascii};
use crate::wording::{Language, contains};

/// The end of a relation that is the user.
pub(crate) const USER: &str = "user";
/// The relation of what somebody is to somebody, by the word for it.
const ROLE: &str = "{R}";
/// A sentence says no more than this of anything; a longer list is no sentence.
const MOST_STATEMENTS: usize = 12;

/// The captures that a first name may be in.
const FIRST: [&str; 5] = ["a", "a2", "a3", "a4", "a5"];

/// How a language writes names, for filling in `{A}` and so on.
struct Names {
    /// The first name of a statement, with a capture that `NAME` stands for.
    first: &'static str,
    second: &'static str,
    /// Further placeholders.
    others: &'static [(&'static str, &'static str)],
}

const LATIN_FIRST: &str = r"(?:(?:\b[Pp]roject |\b[Tt]he |\b[Oo]ur |\b[Dd]er |\b[Dd]ie |\b[Dd]as )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#._-]*(?: \p{Lu}[\p{L}\p{N}+#._-]*){0,2})|\b(?:[Tt]he|[Oo]ur) (?:whole |entire |new |old )?(?P<NAME2>\p{Ll}[\p{L}-]+(?: \p{Ll}[\p{L}-]+)??)|^(?P<NAME3>\p{Ll}[\p{L}-]+(?: \p{Ll}[\p{L}-]+)??)|\b[Mm]y (?P<NAME4>(?:OF_SEVERAL )?(?:PEOPLE)(?:-in-law)?)\b|\bmy (?P<NAME5>\p{Ll}+))";
const LATIN_SECOND: &str = r"(?:the |den |die |das |dem )?(?P<NAME>(?:\p{Ll}+ on )?\p{Lu}[\p{L}\p{N}+#_-]*(?:\.\p{L}+)?(?: (?:\p{Lu}[\p{L}\p{N}+#_-]*|\d+))*|\p{Ll}+-\p{Ll}+|\p{Ll}+(?: team)?\b)";
const ENGLISH: Names = Names {
    first: LATIN_FIRST,
    second: LATIN_SECOND,
    others: &[
        // A name that a sentence begins with; what somebody is to somebody.
        ("{F}", r"(?P<a>\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,2})"),
        ("{r}", ties::ROLES_EN),
        // A name with a capital; a food or another thing, maybe of two words (`tree nuts`); a thing of one word.
        ("{n}", r"(?:the |my )?(?P<b>\p{Lu}[\p{L}\p{N}+#_-]*(?: (?:\p{Lu}[\p{L}\p{N}+#_-]*|\d+))*)"),
        ("{C}", r"(?P<b>\p{L}{3,}(?: \p{Ll}{3,}s\b)?)"),
        ("{W}", r"(?P<b>\p{L}{3,})"),
        (
            "{x}",
            r"(?:the |a |an |my |any )?(?P<b>\p{L}{3,}(?:[ -]\p{L}{3,})?)(?:$|[,.;:!)]| (?:and|or|in|on|at|for|from|with|because|since|when|whenever|but|so|than|if|as|to|any|these|by|after|before|please)\b)",
        ),
    ],
};
const GERMAN: Names = Names {
    first: r"(?:\b(?:[Uu]nsere?|[Mm]eine?) \p{Lu}\p{Ll}+ )?(?:\b(?:[Dd]er|[Dd]ie|[Dd]as|[Pp]rojekt|[Dd]ienst) )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#_-]*(?: \p{Lu}[\p{L}\p{N}+#_-]*)?)",
    second: r"(?:das |den |die |dem |der )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#_-]*(?: \p{Lu}[\p{L}\p{N}+#_-]*)?)",
    others: &[
        ("{F}", r"(?P<a>\p{Lu}[\p{L}-]*(?: \p{Lu}[\p{L}-]*){0,2})"),
        ("{r}", ties::ROLES_DE),
        // Since when, how, how often.
        ("{v}", r"(?:(?:seit \S+|\p{Ll}+) ){0,2}"),
        ("{C}", r"(?P<b>\p{L}{3,})"),
        ("{x}", r"(?P<b>\p{Lu}[\p{L}\p{N}-]{2,}(?: \p{Lu}[\p{L}\p{N}-]+)?)"),
    ],
};
const KOREAN: Names = Names {
    first: r"(?:^|[ ,.])(?:우리 )?'?(?P<NAME>[가-힣A-Za-z0-9]+?|[가-힣]+ (?:서비스|모듈|서버|시스템|엔진|저장소|위키|프로젝트|팀|아빠|엄마|누나|형|언니|오빠|동생|이모|삼촌|할머니|할아버지))'?",
    second: r"'?(?P<NAME>[가-힣A-Za-z0-9]+?|[가-힣]+ (?:서비스|모듈|서버|시스템|엔진|저장소|위키))'?",
    others: &[
        ("{S}", r"(?:이는|이가|은|는|이|가)"),
        ("{r}", ties::ROLES_KO),
        ("{L}", r"(?P<b>[가-힣]+어)"),
        ("{x}", r"'?(?P<b>[가-힣A-Za-z0-9]{2,}?)'?"),
    ],
};
const CHINESE: Names = Names {
    first: r"[“「]?(?P<NAME>[\p{Han}A-Za-z0-9]{1,8}?)[”」]?",
    second: r"[“「]?(?P<NAME>[\p{Han}A-Za-z0-9 ]{1,10}?)[”」]?",
    others: &[
        ("{Q}", r"[“「](?P<a>[^”」]{1,12})[”」]"),
        ("{r}", ties::ROLES_ZH),
        ("{R}", r"[“「](?P<b>[^”」]{1,12})[”」]"),
        ("{x}", r"[“「]?(?P<b>[\p{Han}]{2,6}?|[A-Za-z][A-Za-z0-9.+#-]*(?: \d+)?)[”」]?"),
        ("{E}", r"(?:[，。、,.！]|$)"),
        ("{T}", r"(?P<b>[A-Za-z][A-Za-z0-9.+#-]*(?: \d+)?)"),
    ],
};

struct Wording {
    relation: &'static str,
    /// The kind of sentence that it holds in; in any where there is none.
    only: Option<Kind>,
    pattern: String,
    compiled: OnceLock<Regex>,
    /// For sentences that are all ASCII.
    ascii: OnceLock<Regex>,
}

impl Wording {
    /// The pattern for this sentence. Names make patterns large, so each is compiled when a sentence may hold it, and for one
    /// that is all ASCII in a form that is ten times smaller and matches the same in it.
    fn pattern(&self, sentence: &str) -> &Regex {
        let (compiled, is_ascii) = match sentence.is_ascii() {
            true => (&self.ascii, true),
            false => (&self.compiled, false),
        };
        #[expect(clippy::expect_used, reason = "constant patterns, compiled by a test")]
        compiled.get_or_init(|| {
            let pattern =
                if is_ascii { Cow::Owned(ascii(&self.pattern)) } else { Cow::Borrowed(&self.pattern[..]) };
            Regex::new(&pattern).expect("a constant pattern")
        })
    }
}

/// The wordings of a language.
struct Wordings {
    all: Vec<Wording>,
    /// The same with anything in place of the names: what does not match here does not match.
    frames: Patterns,
}

static WORDINGS: [LazyLock<Wordings>; 4] = [
    LazyLock::new(|| Wordings::new(ties::ENGLISH, leanings::ENGLISH, &ENGLISH, Language::English)),
    LazyLock::new(|| Wordings::new(ties::GERMAN, leanings::GERMAN, &GERMAN, Language::German)),
    LazyLock::new(|| Wordings::new(ties::KOREAN, leanings::KOREAN, &KOREAN, Language::Korean)),
    LazyLock::new(|| Wordings::new(ties::CHINESE, leanings::CHINESE, &CHINESE, Language::Chinese)),
];

impl Wordings {
    fn new(
        ties: &'static [Tie],
        leanings: &'static [Leaning],
        names: &'static Names,
        language: Language,
    ) -> Self {
        let kin = KIN.iter().map(|kin| kin.0).collect::<Vec<_>>().join("|");
        let premises = format!("(?P<a>(?i:{}))", ties::PREMISES.join("|"));
        let with_names = |wording: &str| {
            let first = names.first.replace("NAME", "a").replace("OF_SEVERAL", ties::OF_SEVERAL);
            let first = first.replace("PEOPLE", ties::PEOPLE);
            let mut pattern = wording
                .replace("{A}", &first)
                .replace("{B}", &names.second.replace("NAME", "b"))
                .replace("{K}", &format!("(?P<k>{kin})"))
                .replace("{P}", &premises);
            for (placeholder, written) in names.others {
                pattern = pattern.replace(placeholder, written);
            }
            pattern
        };
        let frame = move |wording: &str| {
            let placeholders =
                ["{A}", "{B}", "{K}", "{P}"].into_iter().chain(names.others.iter().map(|other| other.0));
            placeholders.fold(wording.to_owned(), |frame, placeholder| frame.replace(placeholder, "(?s:.*?)"))
        };
        let wordings: Vec<(Option<Kind>, &'static str, &'static str)> = ties
            .iter()
            .map(|(relation, wording)| (None, *relation, *wording))
            .chain(leanings.iter().map(|(kind, relation, wording)| (Some(*kind), *relation, *wording)))
            .collect();
        let all = wordings.iter().map(|(only, relation, wording)| Wording {
            relation,
            only: *only,
            pattern: with_names(wording),
            compiled: OnceLock::new(),
            ascii: OnceLock::new(),
        });
        let all = all.collect();
        let section = format!("{} frames", language.code());
        let frames = Patterns::new(wordings.len(), WORDS, &section, FRAMES_SIZE, move |index| {
            frame(wordings[index].2)
        });
        Self { all, frames }
    }
}

/// Bytes that a language's compiled frames, and the automaton built while matching, may take.
const FRAMES_SIZE: usize = 16 << 20;

/// The frames of all languages, for tests.
#[cfg(test)]
pub(super) fn patterns() -> Vec<(String, &'static Patterns)> {
    let wordings = WORDINGS.iter().zip(["en", "de", "ko", "zh"]);
    wordings.map(|(wordings, code)| (format!("{code} frames"), &wordings.frames)).collect()
}

/// Words that stand where a name could but are none.
const NO_NAMES: &str = " it this that which who he she they we i you there everything nothing everyone nobody one them him her me us \
    what the a an no more less all both some any each every using by with for from at in on to and or of then now home place half \
    es sie er das dies wer man wir ich mir nichts alles turn out up hours emails calls \
    much many lot lots things stuff anything something any it's everyone's being doing having 저는 나는 저 나 난 전 우리 저희 내가 제가 쌍둥이 진짜 정말 아예 절대 제일 가장 훨씬 이틀 시안 열기 my your our \
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december \
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember ";

/// What a sentence may begin with that is nobody's anything.
const NO_HOLDERS: &str = " Today Tomorrow Yesterday Here There Now Christmas Easter Heute Morgen Gestern Hier Dort Da Jetzt Weihnachten Ostern Nichts Alles ";

/// Ideographs that stand in clauses and hardly in names: what holds one is no name but half a sentence.
const NO_PART_OF_A_NAME: &[char] = &[
    '的', '是', '了', '知', '都', '也', '就', '还', '这', '那', '们', '不', '你', '他', '她', '要', '会',
    '给', '我', '比', '更', '先', '谁',
];

/// What the sentence states of two names, each once.
pub(super) fn statements(sentence: &str, language: Language, kind: Kind) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let wordings = &*WORDINGS[language as usize];
    for at in wordings.frames.matches(sentence) {
        let wording = &wordings.all[at];
        // The loose ones only where the stricter ones found nothing of the kind.
        let is_said = |each: &Statement| each.relation == wording.relation;
        if wording.only.is_some_and(|only| only != kind || found.iter().any(is_said)) {
            continue;
        }
        for captures in wording.pattern(sentence).captures_iter(sentence) {
            let named = |name: &str| captures.name(name).map(|each| bare(each.as_str()));
            let from = FIRST.iter().find_map(|name| named(name)).unwrap_or(USER);
            let to = named("b").unwrap_or(USER);
            let is_of_name = FIRST.iter().any(|name| captures.name(name).is_some());
            let place = captures.get(0).map_or(0..0, |whole| whole.range());
            let begin = FIRST.iter().find_map(|name| captures.name(name));
            let start = begin.map_or(place.start, |name| name.start());
            if is_of_name && is_open(sentence, start, place.end)
                || is_no_end(to)
                || is_replaced(wording.relation, &sentence[place.end..])
                || wording.relation == "uses" && is_street(to)
                || wording.relation == "located-in" && is_program(to)
                || wording.relation == "works-at"
                    && is_program(to)
                    && place.start == 0
                    && sentence.contains(" joined ")
                || wording.relation == ROLE && (is_program(from) || contains(NO_HOLDERS, from))
            {
                continue;
            }
            let relation = match relation_name(wording.relation, &captures) {
                Some(relation) if from != to && is_name(from) && is_name(to) => relation,
                _ => continue,
            };
            if wording.only.is_some() && found.iter().any(|each| each.relation == relation) {
                break;
            }
            let mut add = |to: &str| {
                let statement =
                    Statement { from: from.to_owned(), relation: relation.clone(), to: to.to_owned() };
                if !found.contains(&statement) && found.len() < MOST_STATEMENTS {
                    found.push(statement);
                }
            };
            add(to);
            if let (true, Some(end)) = (LISTED.contains(&relation.as_str()), captures.name("b")) {
                further(&sentence[end.end()..]).iter().for_each(|name| add(name));
            }
        }
    }
    found
}

/// Whether what is replaced is replaced with something that follows: then it is used no more, and nothing is its successor.
fn is_replaced(relation: &str, rest: &str) -> bool {
    relation == "supersedes" && [" with ", " by ", " durch "].iter().any(|with| rest.starts_with(with))
}

/// Whether a name is that of a street, or an address in one: what is on it does not use it.
fn is_street(name: &str) -> bool {
    let last = name.trim_end_matches(|each: char| each.is_ascii_digit() || each == ' ').rsplit(' ').next();
    last.is_some_and(|last| contains(" Street Road Lane Avenue Square Boulevard Drive Way Hill Quay ", last))
}

/// Relations whose second end is often a list.
const LISTED: [&str; 5] = ["uses", "depends-on", "avoids", "contains", "speaks"];

/// A name that goes on a list.
pub(super) static NEXT: LazyLock<Patterns> = LazyLock::new(|| {
    let next = r"^[”」]?(?:(?: for \p{Ll}+(?: \p{Ll}+)?)? (?:and|or|und|oder) (?P<latin>\p{Lu}[\p{L}\p{N}+#-]*)|[、和][“「]?(?P<han>[\p{Han}A-Za-z0-9]{1,8}?)[”」]?(?:$|[、和，。]))";
    Patterns::of(WORDS, "next", vec![next.to_owned()])
});

/// Names that go on a list: ` and X`, `、X`.
fn further(mut rest: &str) -> Vec<&str> {
    let mut names = Vec::new();
    while let Some(captures) =
        NEXT.find_map(rest, |_, found| Some(found)).filter(|_| names.len() < MOST_STATEMENTS)
    {
        let Some(name) = captures.name("latin").or_else(|| captures.name("han")) else { break };
        names.push(name.as_str());
        rest = &rest[name.end()..];
    }
    names
}

fn relation_name(relation: &str, captures: &Captures<'_>) -> Option<String> {
    if relation != "{K}" && relation != ROLE {
        return Some(relation.to_owned());
    }
    let word = captures.name("k")?.as_str();
    if relation == ROLE {
        let is_role = !is_kin(word) && !contains(ties::NO_ROLES, word);
        return is_role.then(|| word.to_lowercase());
    }
    KIN.iter().find(|kin| kin.0 == word).map(|kin| format!("{}-of", kin.1))
}

/// What may stand before a name and is no part of it.
const BEFORE_NAMES: &str = " Modul Dienst Projekt Project Service Grandpa Grandma Granny Aunt Auntie Uncle Cousin Dr Mr Mrs Ms Prof Oma Opa \
    Tante Onkel Herr Herrn Frau Doktor Kollege Kollegin ";

/// Words before a word of kinship that say whose, in German and Korean.
const OWN: &str = " Mein Meine Unser Unsere 내 제 우리 저희 ";

/// A name without what says only whose it is or what somebody is to somebody (`my sister`, `Cousine Swetlana`).
fn bare(name: &str) -> &str {
    let name = name.trim();
    let name = ["my ", "My "].iter().find_map(|whose| name.strip_prefix(whose)).unwrap_or(name);
    if let Some((_, kin)) = name.split_once(' ').filter(|(whose, kin)| contains(OWN, whose) && is_kin(kin)) {
        return kin;
    }
    // `我姐`, and not half a sentence that begins with `我`.
    let name = name.strip_prefix('我').filter(|rest| rest.chars().count() <= 2).unwrap_or(name);
    match name.split_once(' ') {
        Some((first, rest)) if contains(BEFORE_NAMES, first) || is_kin(first) => rest,
        _ => name,
    }
}

fn is_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_clause = !name.is_ascii() && (name.contains(NO_PART_OF_A_NAME) || name.ends_with('의'));
    name == USER
        || !name.is_empty() && !is_clause && !contains(NO_NAMES, lower.split(' ').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::Plain;

    #[test]
    fn every_wording_of_every_language_can_be_compiled() {
        for wordings in &WORDINGS {
            for wording in &wordings.all {
                assert!(wording.pattern("é").captures_len() > 1, "{}", wording.pattern);
                assert_eq!(wording.pattern("e").captures_len(), wording.pattern("é").captures_len());
            }
            assert!((0..wordings.all.len()).all(|index| wordings.frames.single(index).captures_len() > 0));
        }
    }

    /// English and German: no other language is all ASCII.
    #[test]
    fn the_small_form_of_a_pattern_finds_the_same_in_a_sentence_that_is_all_ascii() {
        let labelled = [
            include_str!("../../../tests/router/tune.jsonl"),
            include_str!("../../../tests/router/held-out.jsonl"),
            include_str!("../../../tests/router/dev.jsonl"),
        ];
        for line in labelled.iter().flat_map(|lines| lines.lines()) {
            let labelled: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = labelled["text"].as_str().unwrap();
            for wordings in WORDINGS[..2].iter().filter(|_| text.is_ascii()) {
                for index in wordings.frames.matches(text) {
                    let wording = &wordings.all[index];
                    let found = |pattern: &Regex| -> Vec<Vec<Option<std::ops::Range<usize>>>> {
                        let ranges = |captures: Captures<'_>| {
                            captures.iter().map(|group| group.map(|group| group.range())).collect()
                        };
                        pattern.captures_iter(text).map(ranges).collect()
                    };
                    assert_eq!(
                        found(wording.pattern(text)),
                        found(wording.pattern("é")),
                        "{text}: {}",
                        wording.pattern
                    );
                }
            }
        }
    }

    fn said(text: &str, kind: Kind) -> Vec<String> {
        let language = Language::of(&Plain::of(text).text);
        let statements = statements(text, language, kind);
        statements.iter().map(|each| format!("{} {} {}", each.from, each.relation, each.to)).collect()
    }

    #[test]
    fn plain_ties_are_found_in_four_languages() {
        let mut missed = Vec::new();
        for (text, expected) in [
            ("Osprey uses Redis for its sessions.", "Osprey uses Redis"),
            ("The invoice service runs on Kubernetes.", "invoice service uses Kubernetes"),
            ("Lindqvist works at Norden Bank.", "Lindqvist works-at Norden Bank"),
            ("Paula is Konrad's sister.", "Paula sister-of Konrad"),
            ("Theo is the nephew of Agnes.", "Theo nephew-of Agnes"),
            ("My brother Ivo lives in Ghent.", "Ivo lives-in Ghent"),
            ("My mother lives in Ulm.", "mother lives-in Ulm"),
            ("My older sister works at Siemens.", "older sister works-at Siemens"),
            ("Our office is on Main Street 5.", "office located-in Main Street 5"),
            ("Ivy reports to Graham.", "Ivy reports-to Graham"),
            ("Marta speaks Finnish and Estonian.", "Marta speaks Estonian"),
            ("Sparrow replaced the old Rook exporter.", "Sparrow supersedes Rook"),
            ("Selma doesn't eat pork.", "Selma avoids pork"),
            ("Reiher nutzt Redis für Sitzungen.", "Reiher uses Redis"),
            ("Der Rechnungsdienst läuft auf Kubernetes.", "Rechnungsdienst uses Kubernetes"),
            ("Frau Lindner arbeitet bei der Nordbank.", "Lindner works-at Nordbank"),
            ("Paula ist die Schwester von Konrad.", "Paula sister-of Konrad"),
            ("Paula ist Konrads Schwester.", "Paula sister-of Konrad"),
            ("Mein Bruder Ivo wohnt in Gent.", "Ivo lives-in Gent"),
            ("Meine Mutter wohnt in Ulm.", "Mutter lives-in Ulm"),
            ("Unser Büro ist in Karlsruhe.", "Büro located-in Karlsruhe"),
            ("Marta spricht Finnisch und Estnisch.", "Marta speaks Estnisch"),
            ("Theo arbeitet seit Mai bei Siemens.", "Theo works-at Siemens"),
            ("Selma isst kein Schweinefleisch.", "Selma avoids Schweinefleisch"),
            ("Ivo ist mit Agnes verheiratet.", "Ivo married-to Agnes"),
            ("결제 서비스는 레디스를 사용합니다.", "결제 서비스 uses 레디스"),
            ("하윤이는 한빛은행에서 일해요.", "하윤 works-at 한빛은행"),
            ("하윤이는 도현이의 누나야.", "하윤 sister-of 도현"),
            ("민지는 도현이 사촌이에요.", "민지 cousin-of 도현"),
            ("하윤이는 대구에 살아.", "하윤 lives-in 대구"),
            ("우리 어머니는 부산에 사세요.", "어머니 lives-in 부산"),
            ("우리 사무실은 판교에 있어.", "사무실 located-in 판교"),
            ("민지는 핀란드어를 잘해.", "민지 speaks 핀란드어"),
            ("검색 모듈은 색인 서버에 의존해.", "검색 모듈 depends-on 색인 서버"),
            ("이모는 돼지고기를 안 먹어.", "이모 avoids 돼지고기"),
            ("“白鹭”使用 Redis。", "白鹭 uses Redis"),
            ("支付服务用的是 Redis。", "支付服务 uses Redis"),
            ("林晓在华夏银行工作。", "林晓 works-at 华夏银行"),
            ("林晓是周航的姐姐。", "林晓 sister-of 周航"),
            ("林晓住在苏州。", "林晓 lives-in 苏州"),
            ("我妈妈住在杭州。", "妈妈 lives-in 杭州"),
            ("我们的办公室在北京。", "办公室 located-in 北京"),
            ("周航会说芬兰语。", "周航 speaks 芬兰语"),
            ("支付服务依赖用户服务。", "支付服务 depends-on 用户服务"),
            ("我舅舅不吃猪肉。", "舅舅 avoids 猪肉"),
            ("Ann is Bob's sponsor", "Ann sponsor Bob"),
            ("Ann is Bob's dentist.", "Ann dentist Bob"),
            ("Ann is Bob's landlady", "Ann landlady Bob"),
            ("Ann is Bob's trainer", "Ann trainer Bob"),
            ("Ann ist Bobs Zahnärztin", "Ann zahnärztin Bob"),
            ("지민은 민수의 치과의사입니다", "지민 치과의사 민수"),
            ("王芳是李雷的牙医", "王芳 牙医 李雷"),
            ("Rust is used by Atlas", "Atlas uses Rust"),
            ("Rust wird von Atlas verwendet", "Atlas uses Rust"),
            ("러스트는 아틀라스에서 사용된다", "아틀라스 uses 러스트"),
            ("阿特拉斯使用Postgres", "阿特拉斯 uses Postgres"),
            ("Ann joined Acme", "Ann works-at Acme"),
            ("지민은 삼성에서 일한다", "지민 works-at 삼성"),
            ("지민은 서울에 산다", "지민 lives-in 서울"),
        ] {
            let found = said(text, Kind::Relation);
            if !found.iter().any(|each| each == expected) {
                missed.push(format!("{text}: {found:?}"));
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn what_only_sounds_like_a_role_or_a_use_is_no_tie() {
        for text in [
            "Today is Ann's winner",
            "Helix is Mira's editor",
            "Zed is Bob's computer",
            "Heute ist Annas Termin",
            "Das ist Bobs Fehler",
            "The cat is Bob's problem",
            "Rust is used by many companies",
            "Ann joined Slack",
            "Ann joined Bob for lunch",
            "Ann joined the choir",
            "카카오는 김범수의 회사입니다",
            "这是李雷的书",
            "我们使用Postgres",
        ] {
            assert_eq!(said(text, Kind::Fact), Vec::<String>::new(), "{text}");
        }
        assert_eq!(said("Paula is Konrad's sister", Kind::Relation), ["Paula sister-of Konrad"]);
    }

    #[test]
    fn what_the_user_leans_to_is_read_in_a_sentence_of_that_kind_alone() {
        for (text, kind, expected) in [
            ("We're going with Valkey over Redis.", Kind::Decision, "user decided-on Valkey"),
            ("I can't stand liquorice.", Kind::Preference, "user avoids liquorice"),
            ("Wir haben die Tapete genommen.", Kind::Decision, "user decided-on Tapete"),
            ("Ohne Rosinen, bitte.", Kind::Preference, "user avoids Rosinen"),
            ("이번엔 통영으로 정했어.", Kind::Decision, "user decided-on 통영"),
            ("가지는 정말 싫어.", Kind::Preference, "user avoids 가지"),
            ("前端改用Svelte，不用Vue了。", Kind::Decision, "user decided-on Svelte"),
            ("我讨厌榴莲。", Kind::Preference, "user avoids 榴莲"),
        ] {
            assert!(said(text, kind).iter().any(|each| each == expected), "{text}: {:?}", said(text, kind));
        }
        assert_eq!(said("Ohne Rosinen, bitte.", Kind::Event), Vec::<String>::new());
        assert_eq!(said("가지는 정말 싫어.", Kind::Event), Vec::<String>::new());
    }
}
