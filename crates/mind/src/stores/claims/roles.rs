//! Roles that one person holds at a time: "Bob is our team lead" and "the team lead is now Ada" claim the same.
//!
//! What several may be (a colleague, an engineer, a friend) is no role here, and neither is what somebody was, may be, or is for
//! somebody else than is said.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Claim, POINTING, USER, patterns};
use crate::patterns::Patterns;
use crate::stores::statement::stems;

/// Words for roles, those of one role in a row; the first names it.
const ROLES: &[&[&str]] = &[
    &[
        "team lead",
        "team leader",
        "lead",
        "teamlead",
        "teamleiter",
        "teamleiterin",
        "teamleitung",
        "팀장",
        "팀장님",
        "팀 리더",
        "组长",
        "組長",
        "团队负责人",
        "團隊負責人",
        "队长",
    ],
    &["tech lead", "technical lead", "technischer leiter", "technische leiterin", "테크 리드", "技术负责人"],
    &[
        "ceo",
        "chief executive",
        "geschäftsführer",
        "geschäftsführerin",
        "대표",
        "대표이사",
        "首席执行官",
        "总经理",
    ],
    &["cto", "chief technology officer", "최고기술책임자", "首席技术官"],
    &["cfo", "chief financial officer", "finanzchef", "finanzchefin", "재무이사", "财务总监", "首席财务官"],
    &["coo", "chief operating officer"],
    &[
        "manager",
        "boss",
        "supervisor",
        "line manager",
        "chef",
        "chefin",
        "vorgesetzter",
        "vorgesetzte",
        "상사",
        "매니저",
        "부장",
        "老板",
        "老闆",
        "经理",
        "經理",
        "上司",
    ],
    &[
        "project manager",
        "project lead",
        "projektleiter",
        "projektleiterin",
        "프로젝트 매니저",
        "项目经理",
        "项目负责人",
    ],
    &["product owner", "product manager", "프로덕트 오너", "产品经理", "产品负责人"],
    &["scrum master"],
    &["maintainer", "lead maintainer", "메인테이너", "维护者"],
    &["landlord", "landlady", "vermieter", "vermieterin", "집주인", "房东", "房東"],
    &["owner", "besitzer", "besitzerin", "inhaber", "inhaberin", "주인", "店主"],
    &["president", "präsident", "präsidentin", "회장", "总裁", "主席"],
    &["chair", "chairman", "chairwoman", "chairperson", "vorsitzender", "vorsitzende", "의장"],
    &["director", "direktor", "direktorin", "이사장", "主任", "院长"],
    &["principal", "headmaster", "schulleiter", "schulleiterin", "교장", "校长"],
    &["captain", "kapitän", "kapitänin", "주장"],
    &["treasurer", "kassenwart", "kassenwartin", "schatzmeister", "schatzmeisterin", "총무"],
    &["mayor", "bürgermeister", "bürgermeisterin", "시장", "市长"],
    &[
        "contact person",
        "point of contact",
        "ansprechpartner",
        "ansprechpartnerin",
        "담당자",
        "联系人",
        "负责人",
    ],
    &["gp", "family doctor", "hausarzt", "hausärztin", "주치의", "家庭医生"],
    &["dentist", "zahnarzt", "zahnärztin"],
    &["accountant", "tax adviser", "tax advisor", "steuerberater", "steuerberaterin", "세무사"],
    &["caretaker", "janitor", "hausmeister", "hausmeisterin"],
    &["mentor", "mentorin", "멘토", "导师"],
];

/// What a sentence may begin with in the place of a name.
const NO_NAMES: &str = " who what which maybe perhaps probably if when it he she they we you this that there everyone everybody nobody somebody \
    someone anyone today tomorrow now is was wer was wenn falls vielleicht er sie es wir ihr jemand niemand heute jetzt and but so the a an our my \
    der die das unser unsere mein meine one former ";
/// What is no name in the place of one, in Korean and Chinese.
const NO_NAMES_EAST: [&str; 22] = [
    "누구",
    "누가",
    "그",
    "그녀",
    "우리",
    "내",
    "제",
    "아무나",
    "천재",
    "사람",
    "谁",
    "誰",
    "他",
    "她",
    "我们",
    "我",
    "你",
    "他们",
    "这",
    "那",
    "人",
    "天才",
];

/// The last of the shapes, in Korean and Chinese; what two of them say may be so besides.
const LOOSE: [usize; 2] = [9, 11];

pub(super) static SHAPES: LazyLock<Patterns> = LazyLock::new(|| {
    let mut words: Vec<&str> = ROLES.iter().copied().flatten().copied().collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let role = format!("(?P<role>(?i:{}))", words.join("|"));
    let name = r"(?P<value>\p{Lu}[\p{L}\p{M}'.-]*(?: (?:(?:van|von|de|der|la|al|bin) )?\p{Lu}[\p{L}\p{M}'.-]*){0,3})";
    let holder = r"(?i:(?P<whose>the|our|my|unser|unsere|der|die|das|mein|meine)(?: new| neuer?| neues)?)";
    let part = r"(?P<part>(?:[\p{L}\p{N}-]+ ){0,2}?)";
    let of = r"(?: (?i:of|at|for|von|bei|des|der|vom) (?P<of>[^,;.]{2,40}?))?";
    let now = r"(?: (?i:now|jetzt|nun|mittlerweile|inzwischen|today|from now on))?";
    let is = r"(?i: is|'s| ist| has become| becomes| wird| heißt)";
    let latin = [
        format!("^{name}{is}{now} {holder} {part}{role}{of}{now}$"),
        format!(
            "^{name}{is}{now} (?P<owner>\\p{{Lu}}[\\p{{L}}\\p{{N}}-]*)(?:'s|s)(?: new| neuer?)? {part}{role}{now}$"
        ),
        format!("^{holder} {part}{role}{of}{is}{now}(?: called| named)? {name}{now}$"),
        format!(
            "^(?P<owner>\\p{{Lu}}[\\p{{L}}\\p{{N}}-]*)(?:'s|s)(?: new| neuer?)? {part}{role}{is}{now}(?: called| named)? {name}{now}$"
        ),
        format!(
            "^{name}{now} (?i:leads|heads|runs|leitet|führt){now} {holder} {part}(?P<team>(?i:team)){now}$"
        ),
        format!(
            "^{name} (?i:has |hat )?(?i:replaced|replaces|ersetzt) \\p{{Lu}}\\S+(?: \\p{{Lu}}\\S+)? (?i:as|als) (?:{holder} )?{part}{role}{of}{now}$"
        ),
        format!(
            "^{name}(?i: has taken over as| took over as| takes over as| hat übernommen als){now} (?:{holder} )?{part}{role}{of}{now}$"
        ),
        format!("^(?P<user>I|Ich)(?i:'m| am| bin){now} {holder} {part}{role}{of}{now}$"),
    ];
    let east_role = role.replace("(?i:", "(?:");
    let east = [
        format!(
            r"^(?:이제 |지금은? |현재 )?(?P<value>[\p{{Hangul}}A-Za-z]{{1,10}}?)(?:씨)?(?:이|가|은|는|님이) (?:이제 |지금은? |현재 )*(?P<whose>우리|저희|내|제)\s?(?:새 |새로운 )?(?P<part>\p{{Hangul}}{{1,6}} )?{east_role}(?:이야|야|이에요|예요|입니다|이다|다|임|[이가] 됐어|[이가] 되었[어다]|[을를] 맡[가-힣]+)$"
        ),
        format!(
            r"^(?P<whose>우리|저희|내|제)\s?(?:새 |새로운 )?(?P<part>\p{{Hangul}}{{1,6}} )?{east_role}[은는이가] (?:이제 |지금은? |현재 )*(?P<value>[\p{{Hangul}}A-Za-z]{{1,10}}?)(?:씨)?(?:이야|야|이에요|예요|입니다|으?로 바뀌[가-힣]+|으?로 바꼈[가-힣]+)$"
        ),
        format!(
            r"^(?P<value>[\p{{Han}}A-Za-z·]{{1,8}}?)(?:现在|如今|目前|現在)?(?:已经|已經)?(?:是|成了|成为了?|成為了?|当了|担任)(?P<whose>我们|我們|咱们|我)(?:的)?(?:新的|新)?(?P<part>\p{{Han}}{{0,6}}?){east_role}了?$"
        ),
        format!(
            r"^(?P<whose>我们|我們|咱们|我)(?:的)?(?:新的|新)?(?P<part>\p{{Han}}{{0,6}}?){east_role}(?:现在|如今|目前|現在)?(?:是|换成了?|改成了?|变成了?|換成了?)(?P<value>[\p{{Han}}A-Za-z·]{{1,8}}?)了?$"
        ),
    ];
    patterns("roles", latin.into_iter().chain(east).collect())
});

/// The words of all roles, and that of a team, which has a lead.
static NAMES: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(ROLES.iter().copied().flatten().chain(&["team"])).ok());

/// Who a text says holds a role that one person holds at a time.
pub(super) fn claim(text: &str) -> Option<Claim> {
    // So many words are more than the patterns are looked for by.
    if NAMES.as_ref().is_some_and(|names| !names.is_match(&text.to_lowercase())) {
        return None;
    }
    let (shape, found) = SHAPES.find_map(text, |shape, found| Some((shape, found)))?;
    let group =
        |name: &str| found.name(name).map(|each| each.as_str().trim()).filter(|each| !each.is_empty());
    let value = match (group("value"), group("user")) {
        (Some(value), _) if is_name(value) => value.to_lowercase(),
        (None, Some(_)) => USER.to_owned(),
        _ => return None,
    };
    let role = match (group("role"), group("team")) {
        (Some(role), _) => named(role)?,
        (None, Some(_)) => ROLES[0][0],
        _ => return None,
    };
    let mut about = BTreeSet::from([format!("(role) {role}")]);
    let is_mine = group("whose").is_some_and(|whose| {
        matches!(whose.to_lowercase().as_str(), "my" | "mein" | "meine" | "내" | "제" | "我")
    });
    about.extend(is_mine.then(|| "(my)".to_owned()));
    for more in [group("part"), group("of"), group("owner")].into_iter().flatten() {
        if more.to_lowercase().split(' ').any(|word| POINTING.contains(&word)) {
            return None;
        }
        // "The lead of our team" is our team lead.
        about.extend(stems(more).into_iter().filter(|word| word != "team" && word != "our"));
    }
    Some(Claim { about, value, has_more: false, is_loose: LOOSE.contains(&shape) })
}

/// What a role is called among ours.
fn named(role: &str) -> Option<&'static str> {
    let role = role.to_lowercase();
    ROLES.iter().find(|words| words.contains(&role.as_str())).map(|words| words[0])
}

fn is_name(value: &str) -> bool {
    let first = value.split(' ').next().unwrap_or_default().to_lowercase();
    !crate::wording::contains(NO_NAMES, &first) && !NO_NAMES_EAST.contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_of_two_roles() {
        let words: Vec<&str> = ROLES.iter().copied().flatten().copied().collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    }
}
