//! What the user chose, likes, avoids or works on: wordings that are looser than those in `ties`.
//!
//! They hold only in a sentence that is of the kind they name, so `no X` is an aversion in a preference and nothing in an event.
//! `{n}` is a name, `{x}` a thing, ended by a sign or a small word; the user is the other end.

use super::Kind::{self, Decision, Focus, Preference};

/// The kind of sentence, the relation, a wording that states it there.
pub(super) type Leaning = (Kind, &'static str, &'static str);

/// English.
pub(super) const ENGLISH: &[Leaning] = &[
    (
        Decision,
        "decided-on",
        r"\b(?:picked|pick|chose|chosen|settled on|going with|went with|go with|goes with|decided on|decided for|landed on|opted for|voted for|sticking with|stick with|staying with|stay with|moving to|move to|switching to|switch to|agreed on|goes to|went to|signed with|accepted|hired|booked|it's|it is|it'll be|it will be|we'll take|taking|keeping|called|naming (?:\p{Ll}+ )+) {n}",
    ),
    (
        Decision,
        "decided-on",
        r"\b{n} (?:it is|won|wins|got the|gets the|is the (?:one|name|winner)|it'll be)\b",
    ),
    (Decision, "decided-on", r"\b{n}(?: over |, not | instead of | rather than )"),
    (
        Preference,
        "avoids",
        r"\b(?:can't stand|cannot stand|don't (?:eat|drink|touch|like|do|wear|use|want)|do not (?:eat|drink|touch|like|use)|never (?:eat|drink|touch|order|use|wear|again)|won't (?:eat|drink|touch|use|wear)|stay away from|steer clear of|away from|hate|loathe|detest|dislike|avoid|skip|no more|done with|gave up|given up|quit|swore off|sworn off) {x}",
    ),
    (Preference, "avoids", r"(?:^|[,.;:] ){x}(?: just)? (?:isn't|aren't|is not|are not) (?:for me|my thing)"),
    (
        Preference,
        "prefers",
        r"\b(?:prefer|love|adore|favou?r|enjoy|swear by|stick to|stick with|go for|rather have|rather take|rather use|always (?:order|take|use|get|buy|choose)|only (?:drink|use|eat|wear|read|buy|fly)|switched (?:back )?to|back (?:on|to)) {x}",
    ),
    (
        Preference,
        "prefers",
        r"(?:^|[,;:] ){x} (?:over \p{L}+|any day|beats? \p{L}+|every time|suits? me|works? best|rather than)",
    ),
    (Preference, "prefers", r"\bfavou?rite \p{Ll}+ is {x}"),
    (
        Focus,
        "works-on",
        r"\b(?:working on|work on|focus(?:ed|ing)? on|down on|goes into|going into|go into|around|launch of|launching|shipping|finishing|getting|get|rewrite of|migration of|rollout of|release of) (?:the )?{n}",
    ),
    (
        Focus,
        "works-on",
        r"(?:^|[,:] )(?:the )?{n} (?:launch|release|migration|rollout|rewrite|audit|beta|project)\b",
    ),
];

/// German.
pub(super) const GERMAN: &[Leaning] = &[
    (
        Decision,
        "decided-on",
        r"\b(?:[Nn]ehmen|nimmt|wählen|gewählt|kaufen|behalten|bleiben bei|bleibt bei|bleibt es bei|setzen auf|wechseln (?:auf|zu)|umgestiegen auf|um auf|gehen (?:jetzt )?(?:mit|zu)|geht an|gehen an|wird's|wird es|[Ee]s wird|[Ww]ahl fiel auf|fiel auf|entschieden für|geeinigt auf|heißt) (?:wir |jetzt |nun |künftig |doch |die |der |den |das |dem )*{x}",
    ),
    (
        Decision,
        "decided-on",
        r"\b(?:[Hh]aben wir|[Ww]ir haben|[Hh]ab(?:e)? ich|[Ii]ch hab(?:e)?) (?:\p{Ll}+ )*{x} (?:genommen|gekauft|gewählt|bestellt|gebucht|behalten|ausgesucht)",
    ),
    (Decision, "decided-on", r"\bfür (?:die |den |das )?{x} (?:entschieden|gestimmt|votiert)"),
    (Decision, "decided-on", r"\bauf (?:die |den |das )?{x} (?:gefallen|geeinigt|verständigt|umgestellt)"),
    (
        Decision,
        "decided-on",
        r"\b{x} (?:statt|und nicht|ist es geworden|hat gewonnen|bekommt den|kriegt den)",
    ),
    (
        Preference,
        "avoids",
        r"\b(?:[Kk]eine?n?|[Nn]ie wieder|[Oo]hne|verzichte auf|hasse|meide|verabscheue|allergisch auf) {x}",
    ),
    (
        Preference,
        "avoids",
        r"\b{x} (?:mag|esse?|trinke?|vertrage?|kaufe?|nutze?|mache?|höre?|schaue?) ich (?:\p{Ll}+ )*(?:nicht|nie)",
    ),
    (Preference, "avoids", r"\b{x} (?:(?:ist|sind) nichts für mich|nein danke|schmeck(?:t|en) mir nicht)"),
    (Preference, "avoids", r"\b[Mm]it {x} kannst du mich jagen"),
    (
        Preference,
        "prefers",
        r"\b(?:[Ll]iebe|mag|bevorzuge|lieber|am liebsten|schwöre auf|stehe auf|zurück (?:bei|zu)|wieder bei) (?:ich |den |die |das )*{x}",
    ),
    (Preference, "prefers", r"(?:^|[,:] ){x} (?:statt|(?:ist|sind) mir (?:am )?lieb|über alles)"),
    (Focus, "works-on", r"\b[Pp]rojekt {x}"),
];

/// Korean.
pub(super) const KOREAN: &[Leaning] = &[
    (
        Decision,
        "decided-on",
        r"(?:^|[ ,]){x}(?:로|으로) (?:\S+ ){0,2}(?:정했|정함|정해|결정|확정|결론|가기로|하기로|바꾸기로|합의|통일|골랐|간다|갑니다|함)",
    ),
    (Decision, "decided-on", r"(?:^|[ ,]){x}(?:를|을) (?:\S+ )?(?:쓰기로|고르기로|골랐|선택|채택|사기로|뽑)"),
    (
        Decision,
        "decided-on",
        r"(?:말고|대신) {x}(?:를|을|로|으로)? (?:\S+ )?(?:계약|예약|주문|구매|샀|정|가|쓰|하)",
    ),
    (
        Preference,
        "avoids",
        r"(?:^|[ ,]){x}(?:은|는|을|를|이|가|도)? (?:진짜 |정말 |아예 |절대 |전혀 |잘 )?(?:싫|질색|못 먹|안 먹|못 마|안 마|못 참|별로|입에 안|입에도 안|안 좋아)",
    ),
    (
        Preference,
        "prefers",
        r"(?:^|[ ,]){x}(?:이|가|을|를|만|로만) (?:더 |제일 |훨씬 |가장 |정말 |진짜 )?(?:좋아|좋|편해|편하|선호|낫|최고|고집|마셔|마신|찾)",
    ),
    (Preference, "prefers", r"(?:말고|보다는?) (?:\S+한 |\S+은 )?{x}(?:$|[.,]|(?:이|가|를|을|로) )"),
    (Focus, "works-on", r"(?:^|[ ,]){x} (?:프로젝트|출시|베타|이전|개편|론칭|오픈)"),
];

/// Chinese.
pub(super) const CHINESE: &[Leaning] = &[
    (
        Decision,
        "decided-on",
        r"(?:选|选了|选的|选定|定|定了|定的|决定用|改用|用|换成|换到|签了|订了|就去|改去|买了|采用|拍板用|交给) ?{x}(?:{E}|做|来做)",
    ),
    (
        Preference,
        "avoids",
        r"(?:不吃|不喝|不碰|不用|不坐|不看|不买|不沾|不爱吃|不爱喝|不喜欢|讨厌|受不了|戒了|吃不了|喝不了|吃不惯|喝不惯){x}(?:{E}|和|也|的)",
    ),
    (
        Preference,
        "avoids",
        r"(?:^|，){x}(?:的)?(?:我)?(?:一口|从来|一直|一点|一概|坚决|绝对|过敏|实在)?(?:都|也|就)?不(?:吃|喝|碰|沾|坐|看)",
    ),
    (
        Preference,
        "prefers",
        r"(?:只喝|只吃|只用|只坐|只看|只穿|只听|只买|爱吃|爱喝|爱用|爱看|更喜欢|最喜欢|喜欢|偏爱|习惯用|宁愿吃|宁愿坐|更愿意|认准|改喝|改用|换回){x}{E}",
    ),
    (Preference, "prefers", r"{x}(?:更|最)(?:顺手|舒服|合我|好用|对我)"),
    (Focus, "works-on", r"(?:都在|忙着|扑在|围着|盯着|压在){x}(?:项目|平台|系统|的)"),
    (Focus, "works-on", r"{R}(?:上线|项目|发布|改版|迁移|验收|系统)"),
];
