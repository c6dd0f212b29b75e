//! What is not so any more, and what is so instead, in one sentence: "Mira no longer works at Siemens, she works at Bosch". Pure.

use std::sync::LazyLock;

use regex::Captures;

use super::WORDS;
use crate::patterns::Patterns;

/// Both halves of such a sentence, each as a sentence of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turned {
    /// What is not so any more.
    pub(crate) denied: String,
    /// What is so instead.
    pub(crate) instead: String,
}

/// Where the second half begins.
const BREAK: &str = r"(?:\s*[,;–—]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but)\s+|\.\s+)(?:(?:now|nowadays|instead|today|currently),?\s+)?";
/// "Mira no longer works at Siemens, she works at Bosch".
const NO_LONGER: usize = 0;
/// "We don't deploy with Argo CD any more, we use Flux".
const ANY_MORE: usize = 1;
/// "I stopped using Vim, now I use Zed".
const STOPPED: usize = 2;
/// "Wir testen nicht mehr mit Jest, sondern mit Vitest", "Mira arbeitet nicht mehr bei Siemens, sie arbeitet bei Bosch".
const NICHT_MEHR: usize = 3;
/// "우리는 이제 Jira를 안 쓰고 Linear를 써".
const AN_KO: usize = 4;
/// "我们不再用 Jenkins 部署了，改用 GitHub Actions".
const BU_ZAI: usize = 5;
/// A pronoun, and what may be joined to it, that stands for who was named.
const THEY: usize = 6;
/// A second half that says itself who.
const SELF: usize = 7;

pub(super) static TURNED: LazyLock<Patterns> = LazyLock::new(|| {
    let no_longer = format!(
        r"^(?P<who>\S.*?)\s+(?:(?P<be>is|are|am|was|has|have)\s+)?no longer\s+(?P<old>.+?){BREAK}(?P<new>.+)$"
    );
    let any_more = format!(
        r"^(?P<who>\S.*?)\s+(?P<be>is|are|am|do|does)(?:n['’]t| not)\s+(?P<old>.+?)\s+any ?(?:more|longer){BREAK}(?P<new>.+)$"
    );
    let stopped = format!(
        r"^(?P<who>\S.*?)\s+(?:(?:have|has)\s+)?(?:stopped|quit|gave up|given up)\s+(?P<old>\p{{Ll}}+ing\b.*?){BREAK}(?P<new>.+)$"
    );
    let nicht_mehr = r"^(?P<who>\S.*?)\s+(?P<verb>\p{Ll}+)\s+(?:jetzt\s+)?nicht mehr\s+(?P<old>.+?)\s*[,;]\s*(?P<but>sondern|und|aber)?\s*(?:jetzt|nun|inzwischen)?\s*(?P<new>.+)$";
    let an_ko = r"^(?P<who>\S+[은는이가])\s+(?:이제는?\s+|더\s?이상\s+)*(?P<old>\S.*?)\s+(?:(?:더\s?이상\s+)?안\s+\S+고|\S+지\s?않고|말고)\s*,?\s*(?:이제\s+|지금은\s+)?(?P<new>\S.*)$";
    let bu_zai = r"^(?P<who>\S{1,12}?)(?:现在)?(?:已经)?不再(?P<old>\S.*?)了?\s*[，,；;]\s*(?:而是|现在|改为|改)?\s*(?P<new>\S.*)$";
    let they = r"^(?i:it|she|he|they|er|sie|es)(?P<joined>['’]s|['’]re)?\s+";
    let itself = r"^(?i:i|we|i['’]m|we['’]re|i['’]ve|we['’]ve|ich|wir|my|our|mein\w*|unser\w*)\b";
    let all = [&*no_longer, &any_more, &stopped, nicht_mehr, an_ko, bu_zai, they, itself];
    Patterns::of(WORDS, "turned", all.map(str::to_owned).into())
});

/// Both halves of a sentence that says what is not so any more and what is so instead.
pub(crate) fn turned(text: &str) -> Option<Turned> {
    let text = text.trim().trim_end_matches(['.', '!', '。', '！']);
    english(text).or_else(|| german(text)).or_else(|| korean(text)).or_else(|| chinese(text))
}

fn captured(index: usize, text: &str) -> Option<Captures<'_>> {
    TURNED.held(index, text)?.captures(text)
}

fn english(text: &str) -> Option<Turned> {
    let found = [NO_LONGER, ANY_MORE, STOPPED].into_iter().find_map(|index| captured(index, text))?;
    let (who, old, new) = (&found["who"], &found["old"], &found["new"]);
    let be = found.name("be").map_or(String::new(), |be| match be.as_str() {
        "do" | "does" => String::new(),
        be => format!("{be} "),
    });
    Some(Turned { denied: format!("{who} {be}no longer {old}"), instead: said_of(who, new)? })
}

/// A second half as a sentence about who was named in the first.
fn said_of(who: &str, half: &str) -> Option<String> {
    if TURNED.find(SELF, half).is_some() {
        return Some(half.to_owned());
    }
    if let Some(they) = captured(THEY, half) {
        let be = if they.name("joined").is_some() { " is" } else { "" };
        return Some(format!("{who}{be} {}", &half[they[0].len()..]));
    }
    // "… but uses Flux", and not "… because of the licence".
    let verb = half.split_whitespace().next()?;
    let is_verb = verb.len() > 2
        && verb.chars().all(char::is_lowercase)
        && verb.ends_with('s')
        && !verb.ends_with("ss");
    is_verb.then(|| format!("{who} {half}"))
}

fn german(text: &str) -> Option<Turned> {
    let found = captured(NICHT_MEHR, text)?;
    let (who, verb, old, new) = (&found["who"], &found["verb"], &found["old"], &found["new"]);
    let instead = match found.name("but").map(|but| but.as_str()) {
        Some("sondern") => format!("{who} {verb} {new}"),
        _ if TURNED.find(SELF, new).is_some() || TURNED.find(THEY, new).is_some() => said_of(who, new)?,
        _ => return None,
    };
    Some(Turned { denied: format!("{who} {verb} nicht mehr {old}"), instead })
}

fn korean(text: &str) -> Option<Turned> {
    let found = captured(AN_KO, text)?;
    let (who, old, new) = (&found["who"], &found["old"], &found["new"]);
    let (_, verb) = new.rsplit_once(' ')?;
    Some(Turned { denied: format!("{who} {old} 안 {verb}"), instead: format!("{who} {new}") })
}

fn chinese(text: &str) -> Option<Turned> {
    let found = captured(BU_ZAI, text)?;
    let (who, old, new) = (&found["who"], &found["old"], &found["new"]);
    let rest = new.trim_start_matches(['他', '她', '它']);
    let instead = if new.starts_with(['我', '咱']) { new.to_owned() } else { format!("{who}{rest}") };
    Some(Turned { denied: format!("{who}不再{old}"), instead })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_turns_is_two() {
        for (text, denied, instead) in [
            (
                "Mira no longer works at Siemens, she works at Bosch.",
                "Mira no longer works at Siemens",
                "Mira works at Bosch",
            ),
            (
                "The API no longer runs on Kubernetes, it runs on Nomad now",
                "The API no longer runs on Kubernetes",
                "The API runs on Nomad now",
            ),
            (
                "We no longer deploy with Argo CD, we use Flux",
                "We no longer deploy with Argo CD",
                "we use Flux",
            ),
            (
                "We don't deploy with Argo CD any more, now we use Flux",
                "We no longer deploy with Argo CD",
                "we use Flux",
            ),
            ("I stopped using Vim, now I use Zed", "I no longer using Vim", "I use Zed"),
            ("Bo no longer drinks tea but drinks coffee", "Bo no longer drinks tea", "Bo drinks coffee"),
            (
                "Wir testen nicht mehr mit Jest, sondern mit Vitest",
                "Wir testen nicht mehr mit Jest",
                "Wir testen mit Vitest",
            ),
            (
                "Mira arbeitet nicht mehr bei Siemens, sie arbeitet bei Bosch",
                "Mira arbeitet nicht mehr bei Siemens",
                "Mira arbeitet bei Bosch",
            ),
            ("우리는 이제 Jira를 안 쓰고 Linear를 써", "우리는 Jira를 안 써", "우리는 Linear를 써"),
            (
                "我们不再用 Jenkins 部署了，改用 GitHub Actions",
                "我们不再用 Jenkins 部署",
                "我们用 GitHub Actions",
            ),
        ] {
            let expected = Turned { denied: denied.to_owned(), instead: instead.to_owned() };
            assert_eq!(turned(text), Some(expected), "{text}");
        }
        for text in [
            "Mira no longer works at Siemens",
            "We no longer use Kafka, because of the licence",
            "I no longer like tea, coffee or milk",
            "Wir testen nicht mehr mit Jest, weil es langsam ist",
            "We use Flux, not Argo CD",
            "우리는 Jira를 안 써",
            "我们不再用 Jenkins",
        ] {
            assert_eq!(turned(text), None, "{text}");
        }
    }
}
