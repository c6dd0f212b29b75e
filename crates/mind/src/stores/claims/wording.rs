//! Texts brought into the form in which claims are read: what is unsure left out, what is said of now or denied as what is so, one word for
//! all ways of calling a number.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::patterns;
use crate::patterns::Patterns;
use crate::wording::Language;

/// What says that something may be so.
const UNSURE: usize = 0;
/// What says that something is so besides.
const ADDED: usize = 1;
/// What is used in another version.
const UPGRADED: usize = 2;
/// What somebody is called.
const INTRODUCED: usize = 3;
/// Ways of calling a number or an address.
const CALLED: usize = 4;
/// What says that something is not so, not any more, or so now.
const TURNS: usize = 5;
/// What a Korean or Chinese sentence has around a value.
const AROUND: usize = 6;

pub(super) static WORDINGS: LazyLock<Patterns> = LazyLock::new(|| {
    const NAME: &str = r"\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*){0,2}";
    const SURNAMES: &str = "李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文小阿";
    let unsure = r"(?ix)^(?:if|unless|suppose|supposing|imagine|assuming|whether|when|wenn|falls|angenommen|sollte)\b|
            \b(?:maybe|perhaps|possibly|probably|might|could\ be|may\ be|would|i\ think|i\ guess|not\ sure|vielleicht|möglicherweise|wahrscheinlich|könnte|
            wäre|würde|glaube\ ich|ich\ glaube)\b|^(?:만약|만일)|아마|일지도|것\ 같|인가\s*$|也许|可能|大概|说不定|如果|要是|假如|假设";
    let added = r"(?i)\balso\b|(?P<sure>\b(?:additionally|in addition|besides|auch|außerdem|zusätzlich|ebenfalls)\b|\bas well(?: as\b.*)?$|\btoo$)";
    let upgraded = r"^(?P<who>We|we|I)(?:'ve| have)? (?:just |now )?(?:upgraded|updated|migrated) (?:from \S+(?: \S+)? )?to (?P<what>\p{Lu}\S* v?\d[\d.]*)$|^(?P<wer>Wir|wir|Ich|ich) (?:haben|habe|sind|bin) (?:jetzt |nun )?auf (?P<was>\p{Lu}\S* v?\d[\d.]*) (?:aktualisiert|umgestellt|gewechselt|umgestiegen)$";
    let introduced = format!(
        r"^(?:(?:Ich|ich) heiße (?:jetzt )?(?P<de>{NAME})|(?P<whose>[Mm]y (?:wife|husband|mother|father|mum|mom|dad|boss)) is (?:now )?(?:called|named) (?P<en>{NAME})|(?P<wessen>[Mm]eine? (?:Frau|Mann|Mutter|Vater)) heißt (?:jetzt )?(?P<kin>{NAME})|我(?:的名字)?(?:现在)?叫(?P<zh>[{SURNAMES}]\p{{Han}}{{1,2}})|我(?:的)?(?P<kin_zh>妻子|老婆|丈夫|老公|妈妈|爸爸|母亲|父亲)叫(?P<zh_kin>[{SURNAMES}]\p{{Han}}{{1,2}}))$"
    );
    let called = r"(?i)\b(?P<mobile>mobile (?:phone )?number|cell (?:phone )?number|cell ?phone|mobile phone|handynummer)\b|\b(?P<phone>(?:tele)?phone number|telephone)\b|(?P<new>\b(?:my|our) new) number\b|\b(?P<email>e-?mail address|e-mail)\b|(?P<ko>^(?:내|제|우리) (?:새 )?)번호|(?P<zh>电话号码|手机号码?)";
    let turns = r"(?ix)\b(?:does|do|did)\ not\ (?:still\ )?|\b(?:no\ longer|currently|meanwhile|nowadays)\ |\ (?:anymore|any\ more|any\ longer|nicht\ mehr|nicht)$|
            \b(?:nicht\ mehr|nicht|inzwischen|mittlerweile|derzeit)\ |\b(?:is|are|am|'m|'s)\ (?P<not>not\ (?:working|living|based))|더\ 이상\ |(?:이제|지금|현재|요즘)\ |
            (?P<zh>(?:已经)?(?:不再|不|没)在)";
    let around = r"^(?:이제 |지금은? |现在(?:是)?)?(?P<value>.*?\S)(?:(?:으로|로)\s?(?:바뀌|바꼈|바꿨|변경|옮)[가-힣]*|이에요|예요|이야|입니다|이다|了)$";
    let all = [unsure, added, upgraded, &introduced, called, turns, around];
    patterns("wordings", all.map(str::to_owned).into())
});

/// Whether a text asks, or says that something may be so.
pub(super) fn is_unsure(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？']) || WORDINGS.find(UNSURE, text).is_some()
}

/// Whether a text says that what it says is so besides: "Mira also works at Globex" ends nothing. Korean and Chinese say it within what is
/// claimed, which no shape takes. In German "also" says what follows from something.
pub(super) fn is_added(text: &str) -> bool {
    let Some(added) = WORDINGS.held(ADDED, text) else { return false };
    let mut found = added.captures_iter(text).peekable();
    found.peek().is_some()
        && (found.any(|each| each.name("sure").is_some())
            || Language::of(&text.to_lowercase()) != Language::German)
}

/// "We upgraded to Postgres 16" as what is so since: "We use Postgres 16".
pub(super) fn upgraded(text: &str) -> Cow<'_, str> {
    let Some(upgraded) = WORDINGS.held(UPGRADED, text) else {
        return Cow::Borrowed(text);
    };
    upgraded.replace(text, |found: &regex::Captures<'_>| match (found.name("who"), found.name("what")) {
        (Some(who), Some(what)) => format!("{} use {}", who.as_str(), what.as_str()),
        _ if found["wer"].eq_ignore_ascii_case("ich") => format!("Ich nutze {}", &found["was"]),
        _ => format!("Wir nutzen {}", &found["was"]),
    })
}

/// What the user, or whom they have one of, is called, told as what the name is: "Ich heiße Jan" is "Mein Name ist Jan".
pub(super) fn introduced(text: &str) -> Cow<'_, str> {
    let Some(found) = WORDINGS.held(INTRODUCED, text).and_then(|called| called.captures(text)) else {
        return Cow::Borrowed(text);
    };
    let group = |name: &str| found.name(name).map(|group| group.as_str());
    let zh = |name: &str| group(name).filter(|name| !name.ends_with(['来', '去']));
    let told = match (group("de"), group("whose").zip(group("en")), group("wessen").zip(group("kin"))) {
        (Some(name), ..) => format!("Mein Name ist {name}"),
        (_, Some((whose, name)), _) => format!("{whose}'s name is {name}"),
        (.., Some((whose, name))) => format!("{whose} Name ist {name}"),
        _ => match (zh("zh"), group("kin_zh").zip(zh("zh_kin"))) {
            (Some(name), _) => format!("我的名字是{name}"),
            (_, Some((kin, name))) => format!("我{kin}的名字是{name}"),
            _ => return Cow::Borrowed(text),
        },
    };
    Cow::Owned(told)
}

/// A text in which every way of calling a number or an address that somebody is reached at is one.
pub(super) fn contacts(text: &str) -> Cow<'_, str> {
    let Some(called) = WORDINGS.held(CALLED, text) else {
        return Cow::Borrowed(text);
    };
    called.replace_all(text, |found: &regex::Captures<'_>| {
        let is = |name: &str| found.name(name).is_some();
        if is("mobile") {
            "mobile".to_owned()
        } else if is("phone") {
            "phone".to_owned()
        } else if let Some(new) = found.name("new") {
            format!("{} phone", new.as_str())
        } else if is("email") {
            "email".to_owned()
        } else if let Some(whose) = found.name("ko") {
            format!("{}전화번호", whose.as_str())
        } else {
            "电话".to_owned()
        }
    })
}

/// A text without what says that it is not so, or not any more, or so now: what it says no to, or says of now.
pub(super) fn affirmed(text: &str) -> Cow<'_, str> {
    let Some(turns) = WORDINGS.held(TURNS, text) else { return Cow::Borrowed(text) };
    turns.replace_all(text, |found: &regex::Captures<'_>| match (found.name("not"), found.name("zh")) {
        (Some(_), _) => found[0].replacen("not ", "", 1),
        (_, Some(_)) => "在".to_owned(),
        _ => String::new(),
    })
}

/// A value without what a Korean or Chinese sentence ends with, or says of now.
pub(super) fn bare_value(value: &str) -> &str {
    let is_east = value.chars().any(|each| matches!(u32::from(each), 0xac00..=0xd7a3 | 0x3400..=0x9fff));
    let around = if is_east { WORDINGS.held(AROUND, value) } else { None };
    let found = around.and_then(|around| around.captures(value));
    found.and_then(|found| found.name("value")).map_or(value, |value| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_besides_is_told_from_what_follows() {
        for (text, expected) in [
            ("Mira also works at Globex", true),
            ("Mira works at Globex too", true),
            ("Mira works at Globex as well", true),
            ("Mira works at Acme as well as Globex", true),
            ("Mira arbeitet auch bei Globex", true),
            ("Mira wohnt außerdem in Bonn", true),
            ("Der Preis ist also 15 Euro", false),
            ("The price is too high", false),
            ("Mira works well at Globex", false),
        ] {
            assert_eq!(is_added(text), expected, "{text}");
        }
    }
}
