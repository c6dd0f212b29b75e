//! When something is: dates with months in letters, quarters, seasons, years, days of the week and times of the day, and the sentences
//! that say of something when it is, or that it was moved.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::judged::is_called;
use super::{Claim, about_of, patterns};
use crate::patterns::Patterns;

/// What stands before a date of which every part may be unknown, in a claim's value.
const MARK: &str = "when";

/// Months by how they are written, first those of English and German; seasons after them, then quarters.
const MONTHS: [&[&str]; 20] = [
    &["january", "jan", "januar", "jänner"],
    &["february", "feb", "februar"],
    &["march", "mar", "märz", "mär"],
    &["april", "apr"],
    &["may", "mai"],
    &["june", "jun", "juni"],
    &["july", "jul", "juli"],
    &["august", "aug"],
    &["september", "sept", "sep"],
    &["october", "oct", "oktober", "okt"],
    &["november", "nov"],
    &["december", "dec", "dezember", "dez"],
    &["spring", "frühjahr", "frühling", "봄", "春天", "春季"],
    &["summer", "sommer", "여름", "夏天", "夏季"],
    &["autumn", "fall", "herbst", "가을", "秋天", "秋季"],
    &["winter", "겨울", "冬天", "冬季"],
    &["q1"],
    &["q2"],
    &["q3"],
    &["q4"],
];
/// So many of them are months.
const TRUE_MONTHS: usize = 12;

const DAYS: [&[&str]; 7] = [
    &["monday", "montag", "월요일", "周一", "星期一", "礼拜一", "週一"],
    &["tuesday", "dienstag", "화요일", "周二", "星期二", "礼拜二", "週二"],
    &["wednesday", "mittwoch", "수요일", "周三", "星期三", "礼拜三", "週三"],
    &["thursday", "donnerstag", "목요일", "周四", "星期四", "礼拜四", "週四"],
    &["friday", "freitag", "금요일", "周五", "星期五", "礼拜五", "週五"],
    &["saturday", "samstag", "sonnabend", "토요일", "周六", "星期六", "礼拜六", "週六"],
    &["sunday", "sonntag", "일요일", "周日", "星期日", "星期天", "礼拜天", "週日"],
];

/// A date in pieces of a pattern, without names of groups.
const EAST_DATE: &str = r"(?:\d{4}[년年] ?)?\d{1,2}[월月](?: ?\d{1,2}[일日号號])?";
const EAST_TIME: &str =
    r"(?:오전|오후|上午|下午|早上|晚上|中午)? ?\d{1,2}(?:시|点|點)(?: ?\d{1,2}[분分]| ?반|半)?";

fn words(rows: &[&[&str]]) -> String {
    let mut words: Vec<&str> = rows.iter().copied().flatten().copied().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.join("|")
}

/// A date or a time, as a sentence has it.
static WHEN: LazyLock<String> = LazyLock::new(|| {
    let (months, days) = (words(&MONTHS), words(&DAYS));
    format!(
        r"(?:(?:early|late|mid|the (?:beginning|end|middle) of|anfang|ende|mitte)[ -])?(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? )?(?:{months})\.?(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? \d{{4}})?|{EAST_DATE}|\d{{4}}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.(?:\d{{4}})?|(?:19|20)\d\d(?:年|년)?|(?:{days})|{EAST_TIME}|\d{{1,2}}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)|\d{{1,2}}:\d\d(?: uhr)?|\d{{1,2}} uhr(?: \d\d)?|noon|midnight"
    )
});

/// What a date says; what it leaves open is nothing.
#[derive(Debug, Default, PartialEq, Eq)]
struct When {
    year: Option<usize>,
    month: Option<usize>,
    day: Option<usize>,
    weekday: Option<usize>,
    minute: Option<usize>,
}

impl When {
    fn parts(&self) -> [Option<usize>; 5] {
        [self.year, self.month, self.day, self.weekday, self.minute]
    }
}

impl std::fmt::Display for When {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(MARK)?;
        for part in self.parts() {
            match part {
                Some(part) => write!(formatter, " {part}")?,
                None => formatter.write_str(" -")?,
            }
        }
        Ok(())
    }
}

/// The parts of a value that is a date.
fn parts_of(value: &str) -> Option<Vec<Option<usize>>> {
    let rest = value.strip_prefix(MARK)?.strip_prefix(' ')?;
    Some(rest.split(' ').map(|part| part.parse().ok()).collect())
}

/// How two values that are dates stand to each other: whether one of them says more, or that they cannot both be. Nothing where one is
/// no date, or where it cannot be told: a month and a season, one year and another.
pub(super) enum Dates {
    /// All that both say is the same; whether the first says more.
    Agree(bool),
    /// They say different things.
    Differ,
    /// One may be within the other, or it may be another time.
    Unsure,
}

/// Whether two values are days of the week, and not the same.
pub(super) fn are_other_weekdays(one: &str, other: &str) -> bool {
    let weekday = |value: &str| parts_of(value).and_then(|parts| parts[3]);
    weekday(one).zip(weekday(other)).is_some_and(|(one, other)| one != other)
}

pub(super) fn compared(one: &str, other: &str) -> Option<Dates> {
    let (one, other) = (parts_of(one)?, parts_of(other)?);
    let pairs = || one.iter().zip(&other);
    let is_season = |month: Option<usize>| month.is_some_and(|month| month > TRUE_MONTHS);
    let differs = pairs().any(|(one, other)| one.is_some() && other.is_some() && one != other);
    let shares = pairs().any(|(one, other)| one.is_some() && one == other);
    if is_season(one[1]) != is_season(other[1]) && one[1].is_some() && other[1].is_some()
        || differs && one[0].is_some() && other[0].is_some() && one[0] != other[0]
    {
        return Some(Dates::Unsure);
    }
    if differs {
        return Some(Dates::Differ);
    }
    let says_more = pairs().any(|(one, other)| one.is_some() && other.is_none());
    Some(if shares { Dates::Agree(says_more) } else { Dates::Unsure })
}

/// A text that is a date and nothing else, as it is compared, and whether it says when in it (`early May`).
pub(super) fn date(text: &str) -> Option<(String, bool)> {
    static ALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(
            r"(?i)^(?:(?:on|in|at|by|for|to|until|am|im|um|zum|den|auf|ab) )*(?P<when>{})(?:에|로|으로)?$",
            *WHEN
        ))
        .ok()
    });
    let found = ALL.as_ref()?.captures(text.trim())?;
    let text = found["when"].to_lowercase();
    let when = read(&text)?;
    let is_vague =
        ["early", "late", "mid", "anfang", "ende", "mitte", "the "].iter().any(|word| text.starts_with(word))
            && when.day.is_none();
    Some((when.to_string(), is_vague))
}

/// Reads a date in small letters.
fn read(text: &str) -> Option<When> {
    static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\d+").ok());
    let numbers: Vec<usize> =
        NUMBERS.as_ref()?.find_iter(text).filter_map(|found| found.as_str().parse().ok()).collect();
    let mut when = When::default();
    let mut words = text.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
    if text.contains(['월', '月']) {
        let mut rest = numbers.into_iter();
        when.year = if text.contains(['년', '年']) { rest.next() } else { None };
        (when.month, when.day) = (rest.next(), rest.next());
    } else if let Some(minute) = minute(text, &numbers) {
        when.minute = Some(minute);
    } else if let Some(day) = DAYS.iter().position(|names| names.contains(&text)) {
        when.weekday = Some(day);
    } else if let Some(month) = words.find_map(|word| MONTHS.iter().position(|names| names.contains(&word))) {
        when.month = Some(month + 1);
        // The number of a quarter is no day.
        let rest = numbers.into_iter().skip(usize::from(month >= 16));
        for number in rest {
            match number {
                1..=31 if when.day.is_none() => when.day = Some(number),
                1000.. => when.year = Some(number),
                _ => return None,
            }
        }
    } else {
        match numbers[..] {
            [year, month, day] if text.contains('-') => {
                (when.year, when.month, when.day) = (Some(year), Some(month), Some(day));
            }
            [day, month] => (when.month, when.day) = (Some(month), Some(day)),
            [day, month, year] => (when.year, when.month, when.day) = (Some(year), Some(month), Some(day)),
            [year] if year >= 1000 => when.year = Some(year),
            _ => return None,
        }
    }
    let is_real = when.month.is_none_or(|month| (1..=MONTHS.len()).contains(&month))
        && when.day.is_none_or(|day| (1..=31).contains(&day));
    (is_real && when != When::default()).then_some(when)
}

/// The minute of the day that a time is.
fn minute(text: &str, numbers: &[usize]) -> Option<usize> {
    let is_time =
        ["am", "pm", "a.m.", "p.m.", "uhr"].iter().any(|end| text.contains(end) && !numbers.is_empty())
            || text.contains([':', '시', '点', '點']);
    if matches!(text, "noon" | "midnight") {
        return Some(if text == "noon" { 12 * 60 } else { 0 });
    }
    if !is_time
        || text.chars().any(|each| each.is_alphabetic())
            && MONTHS
                .iter()
                .flat_map(|names| names.iter())
                .any(|name| text.split(' ').any(|word| word == *name))
    {
        return None;
    }
    let is_half = text.contains(['반', '半']);
    let hour = *numbers.first()?;
    let minutes = numbers.get(1).copied().unwrap_or(if is_half { 30 } else { 0 });
    let is_later = ["pm", "p.m.", "오후", "下午", "晚上"].iter().any(|word| text.contains(word)) && hour < 12;
    (hour < 25 && minutes < 60).then_some((hour + if is_later { 12 } else { 0 }) * 60 + minutes)
}

/// What there is more than one of in a year, however it is called.
const RECURRING: [&str; 38] = [
    "vacation",
    "holiday",
    "trip",
    "flight",
    "appointment",
    "meeting",
    "visit",
    "exam",
    "class",
    "concert",
    "course",
    "call",
    "interview",
    "sprint",
    "urlaub",
    "termin",
    "reise",
    "flug",
    "besuch",
    "prüfung",
    "kurs",
    "treffen",
    "meeting",
    "konzert",
    "휴가",
    "여행",
    "회의",
    "약속",
    "시험",
    "수업",
    "면접",
    "假期",
    "旅行",
    "会议",
    "航班",
    "考试",
    "约会",
    "面试",
];

/// What there is one of, so that another day is another value.
const ONCE: [&str; 18] = [
    "deadline",
    "due date",
    "launch",
    "release",
    "go-live",
    "birthday",
    "wedding",
    "frist",
    "abgabe",
    "abgabetermin",
    "launch-termin",
    "hochzeit",
    "마감",
    "마감일",
    "출시",
    "截止日期",
    "发布",
    "婚礼",
];

/// What ends the name of a day that something has: the release day, der Liefertag, 배포 요일, 发布日.
const DAYS_OF: [&str; 11] =
    [" day", " date", " weekday", "tag", "wochentag", "datum", "요일", "날", "일", "日", "日期"];
/// What ends so and may be on several days.
const DAYS_OFF: [&str; 8] =
    ["holiday", "day off", "feiertag", "urlaubstag", "ruhetag", "휴일", "휴무일", "休息日"];

/// Whether it is called the day of something, which is one: "the release day".
fn is_day_of(about: &str) -> bool {
    DAYS_OF.iter().any(|end| about.ends_with(end)) && !DAYS_OFF.iter().any(|end| about.ends_with(end))
}

/// What is every week, or nearly.
const ROUTINES: [&str; 20] = [
    "stand-up",
    "standup",
    "daily",
    "weekly",
    "retro",
    "retrospective",
    "all-hands",
    "one-on-one",
    "1:1",
    "jour fixe",
    "teamrunde",
    "스탠드업",
    "데일리",
    "정기 회의",
    "정기회의",
    "주간 회의",
    "주간회의",
    "站会",
    "例会",
    "周会",
];

/// Whether a text says on which day of the week something is that is there every week: it holds, and did not happen.
pub(super) fn is_regular(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '.', '!', '。', '！']);
    let Some(found) = SHAPES.find_map(text, |_, found| Some(found)) else { return false };
    let is_weekday =
        date(&found["when"]).and_then(|(value, _)| parts_of(&value)).is_some_and(|parts| parts[3].is_some());
    let about = found["about"].to_lowercase();
    is_weekday && (is_day_of(&about) || ROUTINES.iter().any(|word| about.ends_with(word)))
}

/// What a sentence says that is when something is, begins or ends.
pub(super) static SHAPES: LazyLock<Patterns> = LazyLock::new(|| {
    let when = format!("(?P<when>{})", *WHEN);
    let moved =
        "moved|pushed|pushed back|pushed out|postponed|delayed|rescheduled|brought forward|shifted|changed";
    let to = "(?:back |forward |out )?(?:to|until|till|for|into) ";
    let at = "(?:(?:on|in|at|by|for) )?";
    let east_now = r"(?:이제 |지금은? |현재 )?";
    let east_end = r"(?:에|로|으로)?\s?(?:이야|야|이에요|예요|입니다|이다|다|있어요?|있습니다|있다|해요?|합니다|열려요?|열립니다|바뀌[가-힣]+|바꼈[가-힣]+|변경[가-힣]+|미뤄[가-힣]+|미뤘[가-힣]+|연기[가-힣]+|옮겨[가-힣]+|옮겼[가-힣]+|당겨[가-힣]+|앞당[가-힣]+|(?P<start>시작[가-힣]+)|(?P<end>끝나[가-힣]*|끝난[가-힣]*|마감[가-힣]*))?$";
    let shapes = [
        format!(
            r"(?i)^(?:the|our|my) (?P<about>[^,;]{{2,50}}?)(?: (?:is|will be|takes place|happens|is scheduled|is planned|is set|is due|(?P<start>starts|begins|opens|will start|will begin|will open)|(?P<end>ends|closes|finishes|expires|runs out|will end))| is now| has now been moved to)(?: now)? {at}{when}(?: now| instead)?$"
        ),
        format!(
            r"(?i)^(?:the|our|my) (?P<about>[^,;]{{2,50}}?) (?:(?:was|got|is|has been|is being|is now|was just|has just been) (?:{moved})|has moved|moved|has slipped|slipped|has changed|changed|is moving|has shifted|shifted) (?:from [^,;]{{2,20}} )?{to}{when}(?: now| instead)?$"
        ),
        format!(
            r"(?i)^we(?:'ve| have)? (?:just )?(?:{moved}) (?:the|our) (?P<about>[^,;]{{2,50}}?) (?:from [^,;]{{2,20}} )?{to}{when}(?: now| instead)?$"
        ),
        format!(
            r"(?i)^(?:we|wir) (?:will |now )?(?P<about>launch|ship|release|relocate|go live|marry|publish)(?: now)? {at}{when}(?: now| instead)?$"
        ),
        format!(
            r"(?i)^(?:der|die|das|unsere?|meine?) (?P<about>[^,;]{{2,50}}?) (?:ist|wird|wurde|findet|liegt|verschiebt sich|(?P<start>beginnt|startet|öffnet)|(?P<end>endet|schließt|läuft))(?: jetzt| nun)? (?:(?:am|im|um|auf|in|für|ab|bis zum|zum|bis) )?(?:den )?{when}(?: statt| verschoben| verlegt| vorverlegt| vorgezogen| geplant| fällig| aus)?(?: jetzt)?$"
        ),
        format!(
            r"^(?:우리 |저희 )?(?P<about>[^,]{{2,40}}?)(?:은|는|이|가) {east_now}(?P<when>{EAST_DATE}|{EAST_TIME}|[월화수목금토일]요일|봄|여름|가을|겨울){east_end}"
        ),
        format!(
            r"^(?:我们的|我们|我們的)?(?P<about>[^,，\d]{{2,30}}?)(?:现在|現在)?(?:是|在|定在|定于|安排在|改到了?|改在|改为|改成了?|推迟到了?|推遲到了?|提前到了?|挪到了?|移到了?|延到了?|延期到了?)(?P<when>{EAST_DATE}|{EAST_TIME}|(?:周|星期|礼拜|週)[一二三四五六日天]|\d{{4}}年)(?:举行|进行|召开|(?P<start>开始)|(?P<end>结束|截止))?了?$"
        ),
    ];
    patterns("dates", shapes.into())
});

/// When a text says that something is.
pub(super) fn claim(text: &str) -> Option<Claim> {
    let found: Captures<'_> = SHAPES.find_map(text, |_, found| Some(found))?;
    let (value, has_more) = date(&found["when"])?;
    let parts = parts_of(&value)?;
    let mut about = about_of(&found["about"], false)?;
    // April may be a name.
    if about.is_empty() || is_called(&about) {
        return None;
    }
    for (group, mark) in [("start", "(start)"), ("end", "(end)")] {
        about.extend(found.name(group).map(|_| mark.to_owned()));
    }
    let (is_weekday, is_time) = (parts[3].is_some(), parts[4].is_some());
    about.extend(is_time.then(|| "(time)".to_owned()));
    // What is on Mondays may be on Fridays as well, and there may be another trip.
    let lower = found["about"].to_lowercase();
    let is_recurring = !is_time && RECURRING.iter().any(|word| lower.ends_with(word));
    let is_once = ONCE.iter().any(|word| lower.ends_with(word)) || is_day_of(&lower);
    Some(Claim { about, value, has_more, is_loose: is_weekday && !is_once || is_recurring })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_four_languages() {
        for (text, value) in [
            ("in May", "when - 5 - - -"),
            ("May 3", "when - 5 3 - -"),
            ("the 3rd of May", "when - 5 3 - -"),
            ("am 3. Mai", "when - 5 3 - -"),
            ("3. Mai 2027", "when 2027 5 3 - -"),
            ("May 3, 2027", "when 2027 5 3 - -"),
            ("2027-05-03", "when 2027 5 3 - -"),
            ("3.5.2027", "when 2027 5 3 - -"),
            ("5월 3일", "when - 5 3 - -"),
            ("5月3日", "when - 5 3 - -"),
            ("2027년 5월", "when 2027 5 - - -"),
            ("Q3", "when - 19 - - -"),
            ("Q3 2027", "when 2027 19 - - -"),
            ("2027", "when 2027 - - - -"),
            ("on Friday", "when - - - 4 -"),
            ("금요일", "when - - - 4 -"),
            ("周五", "when - - - 4 -"),
            ("9:30", "when - - - - 570"),
            ("2 pm", "when - - - - 840"),
            ("um 14 Uhr", "when - - - - 840"),
            ("오후 2시 반", "when - - - - 870"),
            ("下午两点", ""),
            ("下午2点", "when - - - - 840"),
            ("next week", ""),
            ("tomorrow", ""),
            ("Berlin", ""),
            ("Mayor", ""),
        ] {
            assert_eq!(date(text).map(|found| found.0).unwrap_or_default(), value, "{text}");
        }
    }
}
