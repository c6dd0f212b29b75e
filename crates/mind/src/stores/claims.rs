//! What a statement claims of something that has one value at a time: where somebody lives, a deadline, a favourite.
//!
//! A claim is what lets one statement take another's place, so a shape alone is not enough: somebody lives in what has a name, and not in
//! fear, and a price is a price, and not too high. What is not surely a value makes no claim. Pure.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::router::{PREMISES, is_kin};
use super::statement::stems;
use crate::patterns::Patterns;
use judged::{is_called, is_value};
use named::named;
use wording::{affirmed, bare_value, contacts, introduced, is_added, is_unsure, upgraded};

mod counts;
mod dates;
mod judged;
mod languages;
mod named;
mod roles;
mod wording;

/// What is claimed of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The words of what it is about, and the attribute.
    pub(crate) about: BTreeSet<String>,
    /// The value as it is compared; of a place what it lies in after a comma.
    value: String,
    /// Whether more is said of it than the value.
    has_more: bool,
    /// Whether another value may hold beside it, unless it is said to be that of now.
    is_loose: bool,
}

/// How two claims of the same stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// The values are the same, or one says the other more exactly.
    Same,
    /// The values differ.
    Other,
    /// The values are the same, and more is said of one.
    Unsure,
}

/// What somebody's trade is kept under.
const TRADE: &str = "(trade)";
/// The mark of what is about the user.
const USER: &str = "(user)";

impl Claim {
    /// How it stands to another claim of the same.
    pub(crate) fn agrees_with(&self, known: &Self) -> Agreement {
        if let Some(dates) = dates::compared(&self.value, &known.value) {
            return match dates {
                dates::Dates::Differ => Agreement::Other,
                dates::Dates::Agree(_) if self.has_more == known.has_more => Agreement::Same,
                dates::Dates::Agree(_) | dates::Dates::Unsure => Agreement::Unsure,
            };
        }
        match self.value == known.value || self.extends(known) || known.extends(self) {
            false => Agreement::Other,
            true if self.has_more || known.has_more => Agreement::Unsure,
            true => Agreement::Same,
        }
    }

    /// Whether it gives the same value more exactly.
    pub(crate) fn is_fuller_than(&self, known: &Self) -> bool {
        matches!(dates::compared(&self.value, &known.value), Some(dates::Dates::Agree(true)))
            || self.extends(known)
    }

    /// Whether it is about the user.
    pub(crate) fn is_of_user(&self) -> bool {
        self.about.contains(USER)
    }

    /// Whether both give the same value, and nothing more of it.
    pub(crate) fn is_plainly(&self, known: &Self) -> bool {
        self.value == known.value && !self.has_more
    }

    /// Whether there may be several values at a time.
    pub(crate) fn may_be_several(&self) -> bool {
        self.is_loose || self.about.contains(TRADE)
    }

    /// Whether another day of the week is claimed of the same: it may be on both days, or have been moved.
    pub(crate) fn is_on_another_day(&self, known: &Self) -> bool {
        self.about == known.about && self.is_loose && dates::are_other_weekdays(&self.value, &known.value)
    }

    fn extends(&self, other: &Self) -> bool {
        let rest = self.value.strip_prefix(other.value.as_str());
        rest.is_some_and(|rest| rest.starts_with(", ") || is_called(&self.about) && rest.starts_with(' '))
    }
}

/// What kind of value an attribute has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Whatever is no judgement and no clause.
    Any,
    /// A place that somebody lives in.
    Home,
    /// A place that somebody moved to.
    Destination,
    /// A place that something is kept in, and no program.
    Site,
    /// A company or another who employs.
    Employer,
    /// A number, or its word.
    Number,
    /// A name as it stands.
    Name,
    /// A number, a time or a date in digits, with the month.
    Amount,
}

/// Nouns that have one value at a time.
const SINGLE: &str = "name|nickname|email|e-mail|address|phone|mobile|phone number|birthday|deadline|due date|release date|launch date|(?:release|launch|delivery|pay|rubbish) day|version|port|password|\
    time ?zone|timezone|salary|budget|price|rent|database|status|capital|title|age|weight|height|\
    size|branch|editor|favou?rite [\\p{L}-]+|name|adresse|anschrift|e-mail-adresse|mailadresse|telefonnummer|handynummer|geburtstag|frist|abgabetermin|(?:release|launch|liefer|zahl|müll)-?tag|\
    version|zeitzone|gehalt|budget|preis|miete|lieblings\\p{L}+|status|이름|별명|이메일|메일|주소|전화번호|번호|생일|마감일?|출시일|(?:배포|출시|마감) ?요일|배포일|버전|포트|비밀번호|시간대|연봉|예산|가격|\
    월세|좋아하는 \\p{L}+|名字|邮箱|郵箱|地址|住址|电话|電話|手机号|电话号码|生日|截止日期|发布日期|发布日|版本|端口|密码|时区|工资|预算|价格|房租|最喜欢的\\p{L}+";

/// The words that the patterns of claims need.
const WORDS: &str = include_str!("claims/words.txt");

/// Patterns of claims, each compiled when a text holds its words.
fn patterns(section: &str, patterns: Vec<String>) -> Patterns {
    Patterns::of(WORDS, section, patterns)
}

/// Shapes in which something is claimed: the attribute where the shape says it itself and the kind of value, and the patterns with the groups
/// `about` and `value`.
struct Shapes {
    kinds: Vec<(Option<&'static str>, Value)>,
    patterns: Patterns,
}

/// Months in letters, with a space around where a number stands.
const MONTH: &str = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)[a-zä]*";

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    // The one number of a sentence, after its verb: another number there is another value, and one before it is another thing.
    let amount = format!(
        r"(?i)^(?P<about>(?:the|our|my|i|we|der|die|das|unsere?|meine?|ich|wir)\b[^\d,;]*?\b(?:is|are|runs|starts|begins|weighs?|costs|takes|lasts|uses?|closes|opens|ends|nutze|nutzen|verwende|verwenden|ist|liegt|kostet|wiegt|wiege|beträgt|beginnt|läuft|startet|endet|dauert)\b[^\d,;]*?)(?P<value>(?:{MONTH}\.? )?\d[\d:./-]*(?:\.? {MONTH}\b)?)(?P<rest>[^\d]*)$"
    );
    let single = format!(
        r"(?i)^(?P<about>.*?\b(?:{SINGLE})\b.*?)(?:\s+(?:is now|is|are|was moved to|moved to|(?:has |was |is being )?changed to|was updated to|will be|ist jetzt|ist|lautet jetzt|lautet)\s+|\s*[:=]\s*)(?P<value>.+)$"
    );
    let single_ko = format!(r"^(?P<about>.*(?:{SINGLE}))(?:은|는|이|가)\s*(?P<value>.+)$");
    let single_zh = format!(
        r"^(?P<about>.*(?:{SINGLE}))(?:现在)?(?:是|改成了?|改为|换成了?|變成了?|变成了?|变为|更新为|为)\s*(?P<value>.+)$"
    );
    let [premises, premises_de] = PREMISES;
    let premises = format!(
        r"(?i)^(?:the|our|my) (?P<about>(?:[\p{{L}}-]+ )?(?:{premises}|server|data cent(?:er|re)))\s+is\s+(?:now |currently )?(?:located |based )?in\s+(?P<value>.+)$"
    );
    let premises_de = format!(
        r"(?i)^(?:das|der|die|unser|unsere|mein|meine) (?P<about>(?:\p{{L}}+ )?(?:{premises_de}|server|rechenzentrum))\s+(?:ist|liegt|sitzt|befindet sich)\s+(?:jetzt |nun )?in\s+(?P<value>.+)$"
    );
    let url = r"(?P<value>(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?)";
    let found_at = format!(
        r"(?i)^(?:the|our|my) (?P<about>[\p{{L}}-]+(?: [\p{{L}}-]+){{0,2}}?) (?:is|lives|runs) (?:now )?(?:(?:hosted|available|reachable|found) )?(?:at|on|under) {url}(?: now)?$"
    );
    let found_at_de = format!(
        r"(?i)^(?:das|der|die|unser|unsere|mein|meine) (?P<about>[\p{{L}}-]+(?: [\p{{L}}-]+){{0,2}}?) (?:ist|liegt|läuft) (?:jetzt |nun )?(?:unter|auf) {url}(?: zu finden| erreichbar)?$"
    );
    let found_at_ko = format!(
        r"^(?:우리 )?(?P<about>[가-힣A-Za-z ]{{1,20}}?)(?:은|는|이|가) (?:이제 )?{url}에 (?:있다|있어|있어요|있습니다)$"
    );
    let found_at_zh =
        format!(r"^(?:我们的)?(?P<about>[\p{{Han}}A-Za-z]{{1,10}}?)(?:现在)?(?:在|位于) ?{url}(?:上)?$");
    let shapes: [(Option<&'static str>, Value, &str); 44] = [
        (
            Some("port"),
            Value::Number,
            r"(?i)^(?P<about>.*?)\s+(?:listens|is listening|runs) on port (?P<value>\d+)$",
        ),
        (
            Some("age"),
            Value::Number,
            r"(?i)^(?P<about>.*?)(?:'m|'s|'re| am| is| are)\s+(?:now )?(?P<value>\S+) years? old$",
        ),
        (
            Some("age"),
            Value::Number,
            r"(?i)^(?P<about>.*?)\s+(?:bin|ist|sind)\s+(?:jetzt )?(?P<value>\S+) Jahre alt$",
        ),
        (
            None,
            Value::Number,
            r"(?i)^(?P<about>.*?)\s+(?:has|have|hat|habe|haben)\s+(?P<value>\d+|one|two|three|four|five|six|seven|eight|nine|ten|eine?n?|zwei|drei|vier|fünf|sechs|sieben)\s+(?P<thing>children|child|kids?|sons?|daughters?|siblings?|brothers?|sisters?|kinder|kind|söhne|sohn|töchter|tochter|geschwister)$",
        ),
        (
            None,
            Value::Number,
            r"^(?P<about>.*?)\s+(?:runs|runs on|is on|is running|uses|now uses|is using|(?:was |has been |has |got )?(?:upgraded|updated|migrated) to|nutzt|verwendet)\s+(?:now |jetzt )?(?P<thing>\p{Lu}[\p{L}+#]*(?: \p{Lu}[\p{L}]*)?)\s+v?(?P<value>\d+(?:\.\d+)*)$",
        ),
        (
            None,
            Value::Amount,
            r"(?i)^(?P<about>version|release) v?(?P<value>\d+(?:\.\d+)*) is (?:now )?(?:the )?(?P<rest>current|latest|newest|live|stable)(?: version| release| one)?(?: now)?$",
        ),
        (None, Value::Any, &single),
        (None, Value::Any, &single_ko),
        (None, Value::Any, &single_zh),
        (
            Some("residence"),
            Value::Home,
            r"(?i)^(?P<about>.*?)(?:\s*\b(?:lives?)|(?:'m|'s|'re|\s+am|\s+is|\s+are)\s+(?:now |currently |still )?(?:living|based))\s+(?:now\s+)?in\s+(?P<value>.+)$",
        ),
        (
            Some("residence"),
            Value::Destination,
            r"(?i)^(?P<about>.*?)(?:'ve|'s|\s+have|\s+has)?(?:\s+(?:just|recently|finally|now))*\s*\b(?:moved|relocated)\s+(?:back |over )?to\s+(?P<value>.+)$",
        ),
        (
            Some("residence"),
            Value::Home,
            r"(?i)^(?P<about>.*?)\s*\b(?:wohnt|wohne|lebt|lebe)\s+(?:(?:jetzt|nun|wieder|seit \S+(?: \d{4})?)\s+)?in\s+(?P<value>.+)$",
        ),
        (
            Some("residence"),
            Value::Destination,
            r"(?i)^(?P<about>.*?)\s+(?:bin|ist)\s+(?:jetzt |gestern |kürzlich |gerade |letzte \S+ |letztes \S+ )?nach\s+(?P<value>.+?)\s+(?:um)?gezogen$",
        ),
        (
            Some("residence"),
            Value::Home,
            r"^(?P<about>.*?)(?:은|는|이|가)\s*(?P<value>\S+)에\s*(?:살|산다|사세|사신|사십|거주).*$",
        ),
        (
            Some("residence"),
            Value::Destination,
            r"^(?P<about>.*?)(?:은|는|이|가)\s*(?:지난\S* |최근에? )?(?P<value>\S+?)(?:으로|로)\s*이사(?:했|갔|를? 갔|왔|를? 왔).*$",
        ),
        (
            Some("residence"),
            Value::Destination,
            r"^(?P<value>[가-힣]+?)(?:으로|로)\s*이사(?:했|갔|왔)\S*(?P<about>)$",
        ),
        (Some("residence"), Value::Home, r"^(?P<about>.*?)(?:现在)?(?:住在)(?P<value>.+)$"),
        (
            Some("residence"),
            Value::Destination,
            r"^(?P<about>.*?)(?:最近|上个?月|上周|刚刚?|已经|现在)?搬到了?(?P<value>.+)$",
        ),
        (
            Some("employer"),
            Value::Employer,
            r"(?i)^(?P<about>.*?)(?:\s*\b(?:works?)|(?:'m|'s|'re|\s+am|\s+is|\s+are)\s+(?:now |currently )?working)\s+(?:now\s+)?(?:at|for)\s+(?P<value>.+)$",
        ),
        (
            Some("employer"),
            Value::Employer,
            r"(?i)^(?P<about>.*?)\s*\b(?:arbeitet|arbeite)\s+(?:(?:jetzt|nun|wieder|seit \S+(?: \d{4})?)\s+)?(?:bei|für)\s+(?P<value>.+)$",
        ),
        (
            Some("employer"),
            Value::Employer,
            r"^(?P<about>.*?)(?:은|는|이|가)\s*(?P<value>\S+)에서\s*(?:일하|일해|일한|일합|근무).*$",
        ),
        (
            Some("employer"),
            Value::Employer,
            r"^(?:(?P<about>.*?)(?:은|는|이|가)\s*)?(?P<value>[\p{L}\p{N}]+?)(?:으로|로)\s*이직(?:했|하).*$",
        ),
        (Some("employer"), Value::Employer, r"^(?P<about>.*?)(?:现在)?在(?P<value>.+?)(?:工作|上班)了?$"),
        (
            Some("employer"),
            Value::Employer,
            r"(?i)^(?P<about>.*?)(?:'ve|'s|\s+have|\s+has)?\s*\b(?:got|took|started|accepted)\s+(?:a|the)\s+(?:new\s+)?(?:job|position|role)\s+(?:at|with)\s+(?P<value>.+)$",
        ),
        (
            Some("called"),
            Value::Name,
            r"^(?:[Pp]lease |[Ff]rom now on,? )*(?:call|Call) me (?P<value>\p{Lu}[\p{L}'-]*)(?:,? (?:instead of|not|and not|rather than) \p{Lu}[\p{L}'-]*|,? (?:please|from now on|now))*$(?P<about>)",
        ),
        (
            Some("called"),
            Value::Name,
            r"^(?:[Bb]itte )?(?:nenn|Nenn|nenne|Nenne) mich (?:bitte |ab jetzt )*(?P<value>\p{Lu}[\p{L}'-]*)(?: statt \p{Lu}[\p{L}'-]*)?$(?P<about>)",
        ),
        (
            Some(TRADE),
            Value::Any,
            r"(?i)^(?P<about>i)(?:'m| am) (?:now |currently )?an? (?P<value>[\p{L} -]*(?:engineer|developer|programmer|manager|designer|teacher|nurse|doctor|lawyer|architect|analyst|scientist|consultant|writer|editor|director|lead|chef|cook|carpenter|electrician|accountant|researcher|professor|student))(?: now)?$",
        ),
        // Where what has one place is.
        (Some("residence"), Value::Home, &premises),
        (Some("residence"), Value::Home, &premises_de),
        (Some("(address)"), Value::Amount, &found_at),
        (Some("(address)"), Value::Amount, &found_at_de),
        (Some("(address)"), Value::Amount, &found_at_ko),
        (Some("(address)"), Value::Amount, &found_at_zh),
        // Where it is kept.
        (
            Some("(kept)"),
            Value::Site,
            r"(?i)^(?:the|our|my) (?P<about>[\p{L}-]+(?: [\p{L}-]+){0,2}?) is (?:now |currently )?(?:stored|kept|hosted|archived) in (?P<value>.+)$",
        ),
        (
            Some("(kept)"),
            Value::Site,
            r"(?i)^(?:das|der|die|unser|unsere|mein|meine) (?P<about>[\p{L}-]+(?: [\p{L}-]+){0,2}?) (?:ist|wird) (?:jetzt |nun )?in (?P<value>.+?) (?:gespeichert|gelagert|gehostet|aufbewahrt|archiviert)$",
        ),
        (
            Some("(kept)"),
            Value::Site,
            r"^(?:우리 )?(?P<about>[가-힣A-Za-z ]{1,20}?)(?:은|는|이|가) (?:이제 )?(?P<value>[가-힣]+)에 (?:저장|보관)(?:된다|됩니다|돼|돼요|되어 있다|되어 있습니다|되어 있어요|돼 있어|돼 있어요)$",
        ),
        (
            Some("(kept)"),
            Value::Site,
            r"^(?:我们的)?(?P<about>[\p{Han}A-Za-z]{1,10}?)(?:现在)?(?:存放|保存|存储|储存)在(?P<value>\p{Han}{2,6})$",
        ),
        // What something is called, from now on.
        (
            Some("(called)"),
            Value::Name,
            r"^(?i:the|our|my|der|die|das|unsere?|meine?) (?P<about>[\p{L}-]+(?: [\p{L}-]+){0,3}?) (?i:is now called|is called|is named|is now named|(?:was|has been|got) renamed(?: to| as)?|heißt jetzt|heißt nun|heißt|wurde in) (?P<value>(?:\p{Lu}|(?:\p{Ll}[\p{Ll}-]*)?\d)[\p{L}\p{N}'-]*(?: \p{Lu}[\p{L}\p{N}'-]*)*)(?: umbenannt| now| jetzt)?$",
        ),
        // A machine has a name in small letters.
        (
            Some("(called)"),
            Value::Name,
            r"^(?i:the|our|my|der|die|das|unsere?|meine?) (?P<about>(?:[\p{L}-]+ ){0,3}?(?i:servers?|host|machine|box|database|cluster|branch|bucket|network|repo|repository|service|queue|\p{L}*server|\p{L}*rechner|\p{L}*datenbank|\p{L}*netz)) (?i:is now called|is called|is named|is now named|(?:was|has been|got) renamed(?: to| as)?|heißt jetzt|heißt nun|heißt|wurde in) (?P<value>[\p{Ll}\p{N}][\p{Ll}\p{N}_-]*)(?: umbenannt| now| jetzt)?$",
        ),
        (
            Some("(called)"),
            Value::Name,
            r"^(?i:we(?:'ve| have)? (?:just )?renamed|wir haben) (?i:the|our|der|die|das|den|unsere?n?) (?P<about>[\p{L}-]+(?: [\p{L}-]+)?) (?i:to|as|in) (?P<value>\p{Lu}[\p{L}\p{N}'-]*(?: \p{Lu}[\p{L}\p{N}'-]*)*)(?: umbenannt)?$",
        ),
        (
            Some("(called)"),
            Value::Name,
            r"^(?:我们的|这个|我们)?(?P<about>[\p{Han}A-Za-z]{0,6}?(?:项目|公司|产品|团队|应用|服务器|数据库|主机|网络|分支|仓库|机器))(?:的名字)?(?:现在|已经)?(?:叫|改名为|改名叫|改名成|更名为)(?P<value>[\p{L}\p{N}]{1,12}?)了?$",
        ),
        (
            Some("(called)"),
            Value::Name,
            r"^(?:우리 |이 )?(?P<about>프로젝트|회사|제품|앱) ?(?:이름)?(?:은|는|이|가) (?:이제 )?(?P<value>[\p{L}\p{N}]{1,12}?)(?:으로|로) (?:바뀌|바꼈|변경|개명)[가-힣]+$",
        ),
        (None, Value::Amount, &amount),
        (
            Some("employer"),
            Value::Employer,
            r"(?i)^(?P<about>.*?)(?:'ve|'s|\s+have|\s+has)?(?:\s+(?:just|recently|now))*\s+(?:started|begun)\s+(?:working\s+)?at\s+(?P<value>.+)$",
        ),
    ];
    Shapes {
        kinds: shapes.iter().map(|(name, kind, _)| (*name, *kind)).collect(),
        patterns: patterns("shapes", shapes.iter().map(|(.., pattern)| (*pattern).to_owned()).collect()),
    }
});

/// What a text claims of something that has one value at a time.
pub(super) fn claim_of(text: &str) -> Option<Claim> {
    if is_unsure(text) || is_added(text) {
        return None;
    }
    let text = &*affirmed(text);
    let text = &*upgraded(text);
    let text = &*contacts(text);
    let text = &*introduced(text);
    let claimed = languages::claim(text)
        .or_else(|| roles::claim(text))
        .or_else(|| dates::claim(text))
        .or_else(|| counts::claim(text));
    claimed.or_else(|| {
        SHAPES.patterns.find_map(text, |index, found| {
            let (attribute, kind) = SHAPES.kinds[index];
            let mut about =
                about_of(found.name("about").map_or("", |about| about.as_str()), attribute.is_some())?;
            about.extend(attribute.map(str::to_owned));
            about.extend(found.name("thing").map(|thing| thing_of(thing.as_str())));
            about.extend(found.name("rest").into_iter().flat_map(|rest| stems(rest.as_str())));
            // "It is" and "there is" are about nothing.
            let (value, has_more) = value_of(kind, &about, found.name("value")?.as_str())?;
            // More than one may be called something.
            let is_loose = attribute == Some("(called)");
            (!about.is_empty()).then_some(Claim { about, value, has_more, is_loose })
        })
    })
}

/// Whether a text says on which day of the week something is every week.
pub(super) fn is_regular(text: &str) -> bool {
    dates::is_regular(text)
}

/// Words of what children and siblings are called, one for all forms.
fn thing_of(word: &str) -> String {
    let lower = word.to_lowercase();
    match lower.as_str() {
        "child" | "children" | "kid" | "kids" | "kind" | "kinder" => "children".to_owned(),
        other => other.trim_end_matches('s').to_owned(),
    }
}

/// Who is meant by these words is told by what was said before, which nobody knows any more.
const POINTING: [&str; 26] = [
    "he", "she", "they", "it", "this", "that", "there", "who", "which", "his", "her", "their", "its", "he's",
    "she's", "er", "sie", "es", "ihr", "ihre", "sein", "seine", "그", "그녀", "他", "她",
];

/// The words of what a claim is about; nothing where that cannot be told. `may_be_user` where an attribute of persons is claimed.
fn about_of(text: &str, may_be_user: bool) -> Option<BTreeSet<String>> {
    let mut rest = text.trim();
    'again: loop {
        for opening in [
            "now ",
            "currently ",
            "actually ",
            "these days ",
            "jetzt ",
            "mittlerweile ",
            "inzwischen ",
            "derzeit ",
        ] {
            if rest.get(..opening.len()).is_some_and(|start| start.eq_ignore_ascii_case(opening)) {
                rest = rest[opening.len()..].trim_start_matches([' ', ',']);
                continue 'again;
            }
        }
        break;
    }
    for ending in [" now", " currently", " jetzt", " nun", " just"] {
        rest = rest.strip_suffix(ending).unwrap_or(rest);
    }
    rest = ["Unser ", "Unsere ", "unser ", "unsere "]
        .iter()
        .find_map(|our| rest.strip_prefix(our))
        .unwrap_or(rest);
    rest = named_kin(rest);
    let lower = rest.to_lowercase();
    if lower.split([' ', ',']).any(|word| POINTING.contains(&word)) {
        return None;
    }
    if may_be_user && matches!(lower.as_str(), "" | "i" | "ich" | "나" | "저" | "내" | "제" | "我" | "我现在")
    {
        return Some(BTreeSet::from([USER.to_owned()]));
    }
    if may_be_user && matches!(lower.as_str(), "we" | "wir" | "우리" | "我们") {
        return Some(BTreeSet::from(["(we)".to_owned()]));
    }
    Some(stems(rest))
}

/// The name of whom somebody calls so: "my sister Anna" is Anna.
fn named_kin(text: &str) -> &str {
    let mut words = text.splitn(3, ' ');
    let (Some(whose), Some(kin), Some(name)) = (words.next(), words.next(), words.next()) else {
        return text;
    };
    let is_own =
        matches!(whose.to_lowercase().as_str(), "my" | "our" | "mein" | "meine" | "unser" | "unsere");
    let is_name = name.split(' ').all(|word| word.chars().next().is_some_and(char::is_uppercase));
    if is_own && is_name && is_kin(kin) { name } else { text }
}

/// The value as it is compared, and whether more is said of it; nothing where it is none.
fn value_of(kind: Value, about: &BTreeSet<String>, value: &str) -> Option<(String, bool)> {
    let value = value.trim().trim_end_matches(['.', '!', '。', ' ']);
    match kind {
        Value::Any => {
            let value = [" now", " jetzt"].iter().find_map(|now| value.strip_suffix(now)).unwrap_or(value);
            let value = bare_value(value);
            // April may be a name.
            let date = if is_called(about) { None } else { dates::date(value) };
            date.or_else(|| is_value(about, value).then(|| (value.to_lowercase(), false)))
        }
        Value::Name => Some((value.to_lowercase(), false)),
        Value::Amount => Some((value.trim_end_matches(['.', ':', '-', '/']).to_lowercase(), false)),
        Value::Number => number_of(value).map(|number| (number, false)),
        Value::Home | Value::Destination | Value::Site | Value::Employer => named(kind, value),
    }
}

/// A number as it is compared, whether in digits or as a word.
fn number_of(value: &str) -> Option<String> {
    const WORDS: [&[&str]; 11] = [
        &[],
        &["one", "a", "an", "ein", "eine", "einen"],
        &["two", "zwei"],
        &["three", "drei"],
        &["four", "vier"],
        &["five", "fünf"],
        &["six", "sechs"],
        &["seven", "sieben"],
        &["eight", "acht"],
        &["nine", "neun"],
        &["ten", "zehn"],
    ];
    let lower = value.to_lowercase();
    if !lower.is_empty() && lower.chars().all(|each| each.is_ascii_digit() || each == '.') {
        return Some(lower);
    }
    WORDS.iter().position(|words| words.contains(&lower.as_str())).map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::tests::Tables;

    fn tables() -> Tables<'static> {
        let tables: [(&str, &Patterns); 8] = [
            ("shapes", &SHAPES.patterns),
            ("roles", &roles::SHAPES),
            ("dates", &dates::SHAPES),
            ("languages", &languages::SHAPES),
            ("counts", &counts::SHAPES),
            ("wordings", &wording::WORDINGS),
            ("judgements", &judged::JUDGEMENTS),
            ("names", &named::AFTER_NAME),
        ];
        let sections = tables.map(|(name, patterns)| (name.to_owned(), patterns)).into();
        Tables { file: "stores/claims/words.txt", words: WORDS, sections }
    }

    #[test]
    fn the_words_of_the_patterns_are_in_their_file() {
        tables().assert_words_are_current();
    }

    #[test]
    fn what_a_pattern_matches_has_its_words() {
        (0..20).for_each(|seed| tables().assert_matches_have_their_words(seed));
    }

    #[test]
    fn a_sentence_that_claims_nothing_needs_hardly_a_pattern() {
        for text in [
            "Please fix the door",
            "Actually it is Tuesday",
            "Nein, das stimmt nicht",
            "아니, 화요일이야",
            "我想你错了",
        ] {
            let needed = |(name, patterns): &(String, &Patterns)| {
                patterns.candidates(text).map(|(index, _)| format!("{name} {index}")).collect::<Vec<_>>()
            };
            let tables = tables().sections.into_iter().filter(|(name, _)| name != "roles");
            let needed: Vec<String> = tables.flat_map(|table| needed(&table)).collect();
            assert!(needed.len() < 5, "{text}: {needed:?}");
        }
    }

    #[test]
    fn what_has_a_name_is_a_place_or_an_employer_and_nothing_else_is() {
        for (text, value) in [
            ("I live in Lyon", Some("lyon")),
            ("Mira moved to New York last week", Some("new york")),
            ("Mira lives in Lyon, France", Some("lyon, france")),
            ("Mira lives in the Netherlands", Some("netherlands")),
            ("Mira lives in Frankfurt am Main now", Some("frankfurt am main")),
            ("Mira wohnt jetzt in der Schweiz", Some("schweiz")),
            ("Ich bin nach Köln gezogen", Some("köln")),
            ("Mira works for the Harbor Office", Some("harbor office")),
            ("Mira works at Kestrel as a designer", Some("kestrel")),
            ("구글로 이직했어", Some("구글")),
            ("我搬到了深圳", Some("深圳")),
            ("I moved to a new keyboard", None),
            ("I live in constant fear", None),
            ("Mira works at night", None),
            ("Mira works for free on weekends", None),
            ("Anna works for 8 hours a day", None),
            ("Mira lives in a small house with two cats", None),
            ("Mira moved to Berlin in 2015", None),
            ("Mira moved to the second floor", None),
            ("Mira moved to the frontend team", None),
            ("The meeting moved to Friday", Some("when - - - 4 -")),
            ("I moved to Helix and Neovim", None),
            ("I moved to Neovim", None),
            ("Bo is living in fear of layoffs", None),
            ("Ich lebe in der Hoffnung, dass es klappt", None),
            ("Ich wohne in einer WG", None),
            ("Ich arbeite für mein Leben gern", None),
            ("He lives in Lyon", None),
            ("나는 아파트에 살아", None),
            ("나는 집에서 일해", None),
            ("내 이름은 잘 알려져 있어", None),
            ("我住在一个小公寓里", None),
            ("我在家工作", None),
            ("Mein Name ist Programm", None),
            ("The price of the ticket is too high", None),
            ("Status: we are waiting for legal", None),
            ("My favourite editor is awesome", None),
        ] {
            assert_eq!(claim_of(text).map(|claim| claim.value).as_deref(), value, "{text}");
        }
    }
}
