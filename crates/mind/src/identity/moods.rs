//! Words by which a statement takes the place of nothing that is known: what is so as well, what was so, and what somebody wishes.
//!
//! "Petra speaks German too" leaves her French alone, and "I used to live in Bonn" leaves where I live now. Only what the known statement
//! does not say itself counts: who corrects "I also play chess" says "also" again. Pure.

use crate::stores::statement::{MONTHS, WEEKDAYS};

/// Words of their own that say that something is so as well.
const ALSO: &[&str] = &[
    "also",
    "additionally",
    "besides",
    "likewise",
    "auch",
    "ebenfalls",
    "außerdem",
    "zusätzlich",
    "또한",
    "역시",
    "게다가",
];
/// The same at the end of a clause alone: "too high" is something else.
const ALSO_LAST: &[&str] = &["too", "as well", "in addition"];
/// The same within a text whose words are not set apart.
const ALSO_WITHIN: &[&str] = &[
    "as well as",
    "in addition to",
    "也",
    "还有",
    "还在",
    "还会",
    "还喜欢",
    "还是用",
    "另外",
    "同时",
    "此外",
];
/// Korean nouns that end as the particle for "too" is written.
const KOREAN_NOUNS: &[&str] = &[
    "온도",
    "속도",
    "정도",
    "지도",
    "각도",
    "농도",
    "년도",
    "연도",
    "태도",
    "제도",
    "경기도",
    "제주도",
    "강도",
    "밀도",
    "습도",
    "빈도",
    "용도",
    "의도",
    "시도",
    "보도",
    "수도",
    "기도",
    "파도",
    "포도",
    "인도",
    "강원도",
    "충청도",
    "전라도",
    "경상도",
    "독도",
    "아직도",
    "구도",
    "한도",
    "고도",
    "위도",
    "경도",
    "난이도",
    "우선순위도",
    "완성도",
    "만족도",
    "신뢰도",
];

/// Words that say that something was so or will be, or that somebody wishes, plans or supposes it.
const NOT_NOW: &[&str] = &[
    "used to",
    "formerly",
    "in the past",
    "back then",
    "as a child",
    "want to",
    "wants to",
    "wanted to",
    "would like to",
    "would love to",
    "hope to",
    "hopes to",
    "plan to",
    "plans to",
    "planning to",
    "might",
    "from next",
    "starting next",
    "as of next",
    "from tomorrow",
    "ab nächster",
    "ab nächsten",
    "ab morgen",
    "다음 주부터",
    "다음 달부터",
    "내일부터",
    "下周起",
    "从下周",
    "下个月起",
    "从明天",
    "früher",
    "damals",
    "einst",
    "als kind",
    "möchte",
    "würde gern",
    "예전에",
    "전에는",
    "옛날에",
    "어릴 때",
    "고 싶",
    "以前",
    "曾",
    "之前",
    "小时候",
    "过去",
    "当时",
    "那时",
    "想",
    "希望",
    "打算",
    "计划",
    "准备",
    "考虑",
    "可能",
    "也许",
    "梦想",
];
/// Words that say that something will be so, and no longer or not yet is, unless a date is what is told.
const LATER: &[&str] = &[
    "will",
    "won't",
    "i'll",
    "we'll",
    "it'll",
    "they'll",
    "he'll",
    "she'll",
    "going to",
    "next year",
    "next month",
    "next week",
    "next quarter",
    "next summer",
    "tomorrow",
    "soon",
    "would be",
    "could be",
    "maybe",
    "perhaps",
    "hopefully",
    "i wish",
    "nächstes jahr",
    "nächsten monat",
    "nächste woche",
    "im nächsten jahr",
    "kommendes jahr",
    "morgen",
    "bald",
    "demnächst",
    "vielleicht",
    "hoffentlich",
    "wäre",
    "könnte",
    "내년",
    "다음 해",
    "다음 달",
    "다음달",
    "다음 주",
    "내일",
    "곧",
    "예정",
    "아마",
    "좋겠",
    "을 거야",
    "할 거야",
    "될 거야",
    "일 거야",
    "살 거야",
    "明年",
    "后年",
    "下个月",
    "下周",
    "下个星期",
    "下季度",
    "明天",
    "将会",
    "将是",
    "将要",
    "即将",
    "就好了",
    "但愿",
];
/// Words that say when something was so, unless a date is what is told.
const EARLIER: &[&str] = &[
    "last year",
    "last month",
    "last week",
    "last summer",
    "yesterday",
    "at the time",
    "in those days",
    "previously",
    "originally",
    "at first",
    "letztes jahr",
    "letzten monat",
    "letzte woche",
    "voriges jahr",
    "im letzten jahr",
    "gestern",
    "vorher",
    "ursprünglich",
    "anfangs",
    "옛날",
    "작년",
    "지난해",
    "지난달",
    "지난 달",
    "지난주",
    "지난 주",
    "어제",
    "처음에는",
    "원래는",
    "살았",
    "다녔",
    "去年",
    "前年",
    "上个月",
    "上周",
    "上个星期",
    "昨天",
    "原来",
    "原先",
    "从前",
    "起初",
];
/// Words of a change that goes on to hold, whenever it was.
const CHANGES: &[&str] = &[
    "moved",
    "changed",
    "switched",
    "started",
    "joined",
    "left",
    "quit",
    "married",
    "renamed",
    "became",
    "since",
    "extended",
    "postponed",
    "upgraded",
    "migrated",
    "replaced",
    "got",
    "umgezogen",
    "gezogen",
    "gewechselt",
    "geändert",
    "verschoben",
    "angefangen",
    "seit",
    "geworden",
    "이사",
    "바뀌",
    "바꿨",
    "옮겼",
    "변경",
    "됐",
    "되었",
    "搬",
    "换",
    "改",
    "起",
    "开始",
    "变成",
    "成为",
    "从去年",
    "自去年",
];
/// Words of a day or a time, besides the names of days and months.
const DATED: &[&str] = &[
    "today",
    "tomorrow",
    "yesterday",
    "heute",
    "morgen",
    "gestern",
    "week",
    "month",
    "year",
    "woche",
    "monat",
    "jahr",
    "uhr",
    "pm",
];

/// Words that a Chinese statement may have between whom it is about and what is said of them, without being of anybody or anything else.
const BETWEEN: &[&str] = &[
    "现在", "目前", "如今", "已经", "已", "其实", "真的", "确实", "一直", "是", "的", "就", "都", "，",
    "今年", "最近", "刚刚", "刚", "早就",
];

/// Whether a statement leaves another alone by one of these words.
pub(super) fn leaves_alone(right: &str, known: &str) -> bool {
    let (right, known) = (plain(right), plain(known));
    is_also(&right) && !is_also(&known)
        || NOT_NOW.iter().any(|words| holds(&right, words) && !holds(&known, words))
        || is_of_another_time(&right, &known)
        || is_of_somebody_else(&right, &known)
        || is_narrower(&right, &known)
}

/// Whether a statement tells what will be, may be or was, and the known one what is. Where the known one tells a date, another date takes its
/// place, however it is said.
fn is_of_another_time(right: &str, known: &str) -> bool {
    let only = |words: &str| holds(right, words) && !holds(known, words);
    let is_later =
        LATER.iter().any(|words| only(words)) || is_german_future(right) && !is_german_future(known);
    let changes = || CHANGES.iter().any(|words| holds(right, words));
    let is_earlier = || {
        let old_korean = holds(right, "있었") && !holds(known, "있었") && !holds(known, "였");
        (old_korean || EARLIER.iter().any(|words| only(words))) && !changes()
    };
    (is_later || is_earlier()) && !tells_date(right, known)
}

/// "Wird … sein", and not "wird repariert" or "wird 40".
fn is_german_future(text: &str) -> bool {
    const ENDS: &[&str] = &[
        "sein", "haben", "betragen", "kosten", "wohnen", "arbeiten", "heißen", "liegen", "laufen", "leben",
        "stehen", "bleiben",
    ];
    ["wird", "werden", "werde"].iter().any(|word| holds(text, word))
        && ENDS.iter().any(|end| text.split([',', ';', '.']).any(|clause| clause.trim_end().ends_with(end)))
}

/// Whether a known statement says when something is, and the other one does, too, in other words.
fn tells_date(right: &str, known: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|each: char| !each.is_alphanumeric() && each != ':');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (mine, theirs) = (words(right), words(known));
    let is_dated = |word: &String| {
        let number = |sign: char| word.split(sign).all(|part| part.chars().all(|each| each.is_ascii_digit()));
        let is_east_asian = |part: &str| {
            word.match_indices(part)
                .any(|(at, _)| word[..at].chars().next_back().is_some_and(char::is_numeric))
        };
        WEEKDAYS.contains(&word.as_str())
            || MONTHS.contains(&word.as_str())
            || DATED.contains(&word.as_str())
            || word.contains(':') && number(':')
            || word.contains("요일")
            || word.contains("星期")
            || word.contains("周")
            || ["월", "일", "시", "月", "日", "号", "点"].into_iter().any(is_east_asian)
    };
    let differing =
        |own: &[String], other: &[String]| own.iter().any(|word| !other.contains(word) && is_dated(word));
    const RELATIVE: &[&str] = &["다음", "내일", "내년", "明天", "明年", "下周", "下个", "어제", "昨天"];
    differing(&theirs, &mine)
        && (differing(&mine, &theirs) || RELATIVE.iter().any(|word| right.contains(word)))
}

/// Whether what a statement says instead holds of a part alone, which the known one does not speak of: "on Monday for the app of my
/// competitor", "Bob in the game", "misspelled in the list".
fn is_narrower(right: &str, known: &str) -> bool {
    const OF: &[&str] =
        &["for", "in", "of", "on", "from", "für", "im", "in", "von", "vom", "aus", "bei", "beim"];
    const WHICH: &[&str] = &[
        "the", "a", "an", "my", "our", "your", "his", "her", "their", "this", "that", "der", "die", "das",
        "den", "dem", "einer", "einem", "meine", "meinem", "meiner", "meinen", "unsere", "unserem",
        "unserer", "ihrem", "ihrer",
    ];
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|each: char| !each.is_alphanumeric() && each != '\'');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (right, known) = (words(right), words(known));
    let shared = right.iter().zip(&known).take_while(|(one, other)| one == other).count();
    let narrows = |rest: &[String]| {
        rest.windows(2).skip(1).any(|pair| {
            let [of, which] = pair else { return false };
            let of = of.as_str();
            OF.contains(&of) && WHICH.contains(&which.as_str()) || matches!(of, "im" | "vom" | "beim")
        })
    };
    narrows(&right[shared..]) && !narrows(&known[shared..])
}

fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    lower.trim_end_matches(['.', '!', '。', '！', ' ']).to_owned()
}

/// Whether words stand in a text: as words of their own where the script sets them apart.
fn holds(text: &str, words: &str) -> bool {
    let is_east_asian = |each: char| is_joined(each) || is_hangul(each);
    if !words.chars().any(char::is_alphabetic) || words.chars().any(is_east_asian) {
        return text.contains(words);
    }
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

fn is_also(text: &str) -> bool {
    let ends_clause = |words: &str| {
        text.match_indices(words).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + words.len()..].trim_start();
            before.is_some_and(|each| matches!(each, ' ' | ','))
                && (after.is_empty() || after.starts_with([',', ';', '.', ':', '!', '–', '—', '(']))
        })
    };
    let is_particle = |word: &str| {
        let word = word.trim_matches(|each: char| !each.is_alphanumeric());
        let stem = word.strip_suffix('도').unwrap_or_default();
        stem.chars().next_back().is_some_and(is_hangul)
            && !KOREAN_NOUNS.iter().any(|noun| word.ends_with(noun))
    };
    ALSO.iter().any(|words| holds(text, words))
        || ALSO_LAST.iter().any(|words| ends_clause(words))
        || ALSO_WITHIN.iter().any(|words| text.contains(words))
        || text.split_whitespace().any(is_particle)
}

fn is_hangul(each: char) -> bool {
    matches!(u32::from(each), 0xac00..=0xd7a3)
}

fn is_joined(each: char) -> bool {
    matches!(u32::from(each), 0x3400..=0x9fff)
}

/// Whether a Chinese statement tells something between the words that it begins with as another one does and those that go on as that one:
/// 我朋友住在 and 我住在.
fn is_of_somebody_else(right: &str, known: &str) -> bool {
    let (right, known): (Vec<char>, Vec<char>) = (right.chars().collect(), known.chars().collect());
    let begin = right.iter().zip(&known).take_while(|(one, other)| one == other).count();
    let rest = &known[begin..];
    let Some(next) = rest.first().filter(|each| is_joined(**each)) else { return false };
    if begin == 0 || !is_joined(known[begin - 1]) {
        return false;
    }
    // Where the other one goes on, this one goes on after something of its own.
    let goes_on = right[begin..].iter().position(|each| each == next).filter(|at| *at > 0);
    goes_on.is_some_and(|at| {
        let mut between: String = right[begin..begin + at].iter().collect();
        for word in BETWEEN {
            between = between.replace(word, "");
        }
        !between.trim().is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_so_as_well_was_so_or_is_wished_leaves_what_is_known() {
        for (right, known) in [
            ("Petra is allergic to cats too", "Petra is allergic to nuts"),
            ("Petra speaks German, too.", "Petra speaks French"),
            ("The team uses Redis as well", "The team uses Postgres"),
            ("Atlas also depends on Kafka", "Atlas depends on Redis"),
            ("Petra ist auch allergisch gegen Katzen", "Petra ist allergisch gegen Nüsse"),
            ("Mira works at Globex on weekends too", "Mira works at Acme"),
            ("미라는 고양이도 좋아해", "미라는 개를 좋아해"),
            ("她也会说德语", "她会说法语"),
            ("我朋友住在北京", "我住在上海"),
            ("我以前住在北京", "我住在上海"),
            ("我想住在北京", "我住在上海"),
            ("小李的妹妹住在北京", "小李住在上海"),
            ("我爸爸在百度工作", "我在谷歌工作"),
            ("I used to live in Bonn", "I live in Rome"),
            ("Ich habe früher in Bonn gewohnt", "Ich wohne in Rom"),
            ("my name is misspelled in the list", "My name is Anna Keller"),
            ("my name is Bob in the game", "My name is Anna Keller"),
            ("the release is on Monday for the iOS app of my competitor", "The release is on Friday"),
            ("Die Abgabe ist am Montag für meine Schwester", "Die Abgabe ist am Freitag"),
            ("예전에 부산에 살았어", "나는 서울에 살아"),
            ("the budget will be 6000 euros next year", "The budget is 5000 euros"),
            ("the budget is going to be 6000 euros", "The budget is 5000 euros"),
            ("das Budget wird 6000 Euro betragen", "Das Budget beträgt 5000 Euro"),
            ("the budget was 4000 euros last year", "The budget is 5000 euros"),
            ("예산은 내년에 6000유로야", "예산은 5000유로야"),
            ("예산이 6000유로가 될 거야", "예산은 5000유로야"),
            ("우리 옛날 사무실은 부산에 있었어", "우리 사무실은 서울에 있어"),
            ("去年的预算是4000欧元", "预算是5000欧元"),
            ("明年的预算是6000欧元", "预算是5000欧元"),
            ("I will live in Bonn", "I live in Bremen since May"),
            ("maybe the budget is 6000 euros", "The budget is 5000 euros"),
            (
                "The staging database runs on port 5440 from next week",
                "The staging database runs on port 5432",
            ),
        ] {
            assert!(leaves_alone(right, known), "{right} / {known}");
        }
    }

    #[test]
    fn what_is_said_instead_does_not() {
        for (right, known) in [
            ("Petra is allergic to cats", "Petra is allergic to nuts"),
            ("The price is too high", "The price is fine"),
            ("I also play chess on Fridays", "I also play chess on Mondays"),
            ("the launch will be in June", "The launch is in May"),
            ("the meeting is next week", "The meeting is on Friday"),
            ("the meeting is tomorrow at 10:00", "The meeting is on Friday at 10:00"),
            ("Mira moved to Lyon last year", "Mira lives in Bremen"),
            ("the budget will be 6000 euros", "The budget will be 5000 euros"),
            ("회의는 다음 주 화요일이야", "회의는 월요일이야"),
            ("우리 사무실은 부산으로 옮겼어", "우리 사무실은 서울에 있어"),
            ("예산은 작년부터 6000유로로 바뀌었어", "예산은 5000유로야"),
            ("das Haus wird repariert", "Das Haus wird verkauft"),
            ("The boat lies in the old harbor", "The boat lies in the new harbor"),
            ("I work at Globex in Berlin", "I work at Acme"),
            ("The key hangs in the kitchen", "The key hangs in the hall"),
            ("The meeting is on Monday at 10", "The meeting is on Friday"),
            ("我住在北京", "我住在上海"),
            ("我现在住在北京", "我住在上海"),
            ("我已经住在北京了", "我住在上海"),
            ("小李住在北京", "小李住在上海"),
            ("刘老师教的是化学", "刘老师教的是物理"),
            ("王小明在百度工作", "王小明在谷歌工作"),
            ("온도는 20도야", "온도는 18도야"),
            ("미라는 제주도에 살아", "미라는 서울에 살아"),
            ("Mira wohnt in Lyon", "Mira wohnt in Bremen"),
            ("The plane leaves at nine", "The plane leaves at eight"),
        ] {
            assert!(!leaves_alone(right, known), "{right} / {known}");
        }
    }
}
