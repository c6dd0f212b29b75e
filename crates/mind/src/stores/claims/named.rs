//! The names that claims give as a value: where somebody lives, and for whom somebody works.

use std::sync::LazyLock;

use super::{Value, patterns};
use crate::patterns::Patterns;
use crate::stores::router::is_program;

/// What may follow a name and leaves it the value.
pub(super) static AFTER_NAME: LazyLock<Patterns> = LazyLock::new(|| {
    let pattern = r"(?ix)^(?:now|again|currently|today|yesterday|recently|permanently|these\ days|at\ the\ moment|for\ good|for\ work|
        (?:since|seit)\ .+|anymore|any\ more|mehr|nicht\ mehr|last\ (?:week|month|year|\w+day|spring|summer|autumn|fall|winter)|this\ (?:week|month|year|morning)|
        (?:two|three|four|a\ few|\d+)\ (?:days|weeks|months)\ ago|a\ (?:week|month)\ ago|jetzt|wieder|gerade|
        as\ an?\ .+|als\ .+)$";
    patterns("names", vec![pattern.to_owned()])
});
/// Words that hold the words of a name together.
const JOINING: &str = " am an der de la le del di da do dos of on upon sur den bei im an & ";
/// With a capital, and the name of nothing that somebody lives in or works for.
const NO_NAMES: &str = " Angst Armut Frieden Freiheit Scheidung Trennung Sicherheit Miete Untermiete Wohngemeinschaft Partnerschaft Beziehung \
    Sorge Hoffnung Erwartung Gefahr Not Einsamkeit Nacht Tag Tageslicht Regen Kerzenlicht Geld Freunde Kinder Bedarf Hitze Kunden Zeit Monday \
    Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December \
    Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Marketing Sales Engineering Support Product Finance Legal HR Design Operations \
    Research Development Management Accounting Production Peace Fear Sin Harmony Christmas Easter Team I Ich ";
/// With an article, and all the same a name.
const WITH_ARTICLE: &str = " Schweiz Türkei Ukraine Slowakei Mongolei USA Niederlande Niederlanden Vereinigten Netherlands UK US Philippines Hague \
    Bronx Bahamas Emirates Alps Highlands Midlands Maldives Gambia Ruhrgebiet ";

/// The name that a value begins with, folded, and whether more is said of it; nothing where it is no name or what follows may make it another
/// thing.
pub(super) fn named(kind: Value, value: &str) -> Option<(String, bool)> {
    let first = value.chars().next()?;
    if matches!(u32::from(first), 0xac00..=0xd7a3) {
        let is_common = COMMON_KO.contains(&value) || value.ends_with('층') || value.ends_with('팀');
        let is_machine = kind == Value::Site && (is_program(value) || MACHINES.contains(&value));
        return (!is_common && !is_machine).then(|| (value.to_lowercase(), false));
    }
    if kind == Value::Site && (MACHINES.contains(&value) || is_machine(value)) {
        return None;
    }
    if matches!(u32::from(first), 0x3400..=0x9fff) {
        let value = value.trim_end_matches(['了', '。']);
        let is_common =
            COMMON_ZH.iter().any(|word| value == *word || word.chars().count() > 1 && value.ends_with(word))
                || value.contains(['的', '一', '两', '个', '间', '，', '和']) && !value.starts_with("一汽");
        return (!is_common && value.chars().count() > 1).then(|| (value.to_lowercase(), false));
    }
    let mut rest = value;
    for article in ["the ", "The ", "der ", "den ", "dem ", "die "] {
        if let Some(after) = value.strip_prefix(article) {
            let name = after.split([' ', ',']).next().unwrap_or_default();
            if kind != Value::Employer && !crate::wording::contains(WITH_ARTICLE, name) {
                return None;
            }
            rest = after;
        }
    }
    let (mut name, mut end, mut at) = (String::new(), 0, 0);
    let mut is_after_comma = false;
    for word in rest.split_inclusive(' ') {
        at += word.len();
        let bare = word.trim_end();
        let (bare, has_comma) = match bare.strip_suffix(',') {
            Some(bare) => (bare, true),
            None => (bare, false),
        };
        let is_joining =
            !name.is_empty() && !is_after_comma && !has_comma && crate::wording::contains(JOINING, bare);
        let is_capital = bare.chars().next().is_some_and(char::is_uppercase)
            || !name.is_empty()
                && !is_after_comma
                && bare.chars().next().is_some_and(|each| each.is_ascii_digit());
        if !is_capital && !is_joining {
            break;
        }
        if !name.is_empty() {
            name.push_str(if is_after_comma { ", " } else { " " });
        }
        name.push_str(bare);
        if is_capital {
            end = at;
        }
        is_after_comma = has_comma;
    }
    let tail = rest[end.min(rest.len())..].trim();
    // What joins a name to nothing belongs to what follows it.
    let joined = rest[..end.min(rest.len())].trim().trim_end_matches(',');
    let words: Vec<&str> = joined.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
    let first_word = words.first()?;
    let is_year =
        words.last().is_some_and(|word| word.chars().all(|each| each.is_ascii_digit()) && word.len() == 4);
    let is_no_place =
        matches!(kind, Value::Destination | Value::Site) && words.len() == 1 && is_program(first_word);
    if crate::wording::contains(NO_NAMES, first_word) || is_no_place || is_year {
        return None;
    }
    let is_plain = tail.is_empty() || AFTER_NAME.find(0, tail).is_some();
    is_plain.then(|| (joined.to_lowercase(), !tail.is_empty() && kind != Value::Destination))
}

/// What is written like a machine or a service: `S3`, `AWS`.
fn is_machine(value: &str) -> bool {
    let first = value.split(' ').next().unwrap_or_default();
    first.chars().any(|each| each.is_ascii_digit())
        || first.len() > 1 && first.chars().all(|each| each.is_ascii_uppercase())
}

/// What things are kept in that is no place.
const MACHINES: [&str; 22] = [
    "Dropbox",
    "Drive",
    "Google Drive",
    "Glacier",
    "Backblaze",
    "iCloud",
    "OneDrive",
    "SharePoint",
    "Box",
    "서버",
    "디스크",
    "폴더",
    "클라우드",
    "데이터베이스",
    "캐시",
    "服务器",
    "云端",
    "数据库",
    "硬盘",
    "缓存",
    "文件夹",
    "网盘",
];

/// What people live in and work at, in Korean and Chinese, that is no name.
const COMMON_KO: [&str; 43] = [
    "아파트",
    "집",
    "주택",
    "빌라",
    "원룸",
    "투룸",
    "오피스텔",
    "기숙사",
    "시골",
    "도시",
    "교외",
    "건물",
    "단독주택",
    "전원주택",
    "방",
    "고시원",
    "마을",
    "동네",
    "여기",
    "거기",
    "저기",
    "근처",
    "바닷가",
    "회사",
    "사무실",
    "카페",
    "도서관",
    "재택",
    "병원",
    "학교",
    "은행",
    "공장",
    "식당",
    "가게",
    "학원",
    "대학교",
    "연구소",
    "밤",
    "낮",
    "주말",
    "현장",
    "옆집",
    "본사",
];
const COMMON_ZH: [&str; 37] = [
    "公寓",
    "房子",
    "家",
    "家里",
    "宿舍",
    "楼",
    "楼上",
    "楼下",
    "郊区",
    "城市",
    "城里",
    "乡下",
    "农村",
    "这里",
    "那里",
    "附近",
    "酒店",
    "学校",
    "公司",
    "办公室",
    "晚上",
    "周末",
    "白天",
    "咖啡馆",
    "医院",
    "银行",
    "工厂",
    "线上",
    "远程",
    "隔壁",
    "新家",
    "别墅",
    "小区",
    "外面",
    "国外",
    "幸福里",
    "恐惧中",
];
