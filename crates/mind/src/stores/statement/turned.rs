//! What is not so any more, and what is so instead, in one sentence: "Mira no longer works at Siemens, she works at Bosch". Pure.

use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;

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
static NO_LONGER: LazyLock<Regex> = LazyLock::new(|| {
    constant(&format!(
        r"^(?P<who>\S.*?)\s+(?:(?P<be>is|are|am|was|has|have)\s+)?no longer\s+(?P<old>.+?){BREAK}(?P<new>.+)$"
    ))
});
/// "We don't deploy with Argo CD any more, we use Flux".
static ANY_MORE: LazyLock<Regex> = LazyLock::new(|| {
    constant(&format!(
        r"^(?P<who>\S.*?)\s+(?P<be>is|are|am|do|does)(?:n['’]t| not)\s+(?P<old>.+?)\s+any ?(?:more|longer){BREAK}(?P<new>.+)$"
    ))
});
/// "I stopped using Vim, now I use Zed".
static STOPPED: LazyLock<Regex> = LazyLock::new(|| {
    constant(&format!(
        r"^(?P<who>\S.*?)\s+(?:(?:have|has)\s+)?(?:stopped|quit|gave up|given up)\s+(?P<old>\p{{Ll}}+ing\b.*?){BREAK}(?P<new>.+)$"
    ))
});
/// "Wir testen nicht mehr mit Jest, sondern mit Vitest", "Mira arbeitet nicht mehr bei Siemens, sie arbeitet bei Bosch".
static NICHT_MEHR: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?P<who>\S.*?)\s+(?P<verb>\p{Ll}+)\s+(?:jetzt\s+)?nicht mehr\s+(?P<old>.+?)\s*[,;]\s*(?P<but>sondern|und|aber)?\s*(?:jetzt|nun|inzwischen)?\s*(?P<new>.+)$",
    )
});
/// "우리는 이제 Jira를 안 쓰고 Linear를 써".
static AN_KO: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?P<who>\S+[은는이가])\s+(?:이제는?\s+|더\s?이상\s+)*(?P<old>\S.*?)\s+(?:(?:더\s?이상\s+)?안\s+\S+고|\S+지\s?않고|말고)\s*,?\s*(?:이제\s+|지금은\s+)?(?P<new>\S.*)$",
    )
});
/// "我们不再用 Jenkins 部署了，改用 GitHub Actions".
static BU_ZAI: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^(?P<who>\S{1,12}?)(?:现在)?(?:已经)?不再(?P<old>\S.*?)了?\s*[，,；;]\s*(?:而是|现在|改为|改)?\s*(?P<new>\S.*)$",
    )
});
/// A pronoun, and what may be joined to it, that stands for who was named.
static THEY: LazyLock<Regex> =
    LazyLock::new(|| constant(r"^(?i:it|she|he|they|er|sie|es)(?P<joined>['’]s|['’]re)?\s+"));
/// A second half that says itself who.
static SELF: LazyLock<Regex> = LazyLock::new(|| {
    constant(r"^(?i:i|we|i['’]m|we['’]re|i['’]ve|we['’]ve|ich|wir|my|our|mein\w*|unser\w*)\b")
});

/// Both halves of a sentence that says what is not so any more and what is so instead.
pub(crate) fn turned(text: &str) -> Option<Turned> {
    let text = text.trim().trim_end_matches(['.', '!', '。', '！']);
    english(text).or_else(|| german(text)).or_else(|| korean(text)).or_else(|| chinese(text))
}

fn english(text: &str) -> Option<Turned> {
    let found = [&NO_LONGER, &ANY_MORE, &STOPPED].into_iter().find_map(|shape| shape.captures(text))?;
    let (who, old, new) = (&found["who"], &found["old"], &found["new"]);
    let be = found.name("be").map_or(String::new(), |be| match be.as_str() {
        "do" | "does" => String::new(),
        be => format!("{be} "),
    });
    Some(Turned { denied: format!("{who} {be}no longer {old}"), instead: said_of(who, new)? })
}

/// A second half as a sentence about who was named in the first.
fn said_of(who: &str, half: &str) -> Option<String> {
    if SELF.is_match(half) {
        return Some(half.to_owned());
    }
    if let Some(they) = THEY.captures(half) {
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
    let found = NICHT_MEHR.captures(text)?;
    let (who, verb, old, new) = (&found["who"], &found["verb"], &found["old"], &found["new"]);
    let instead = match found.name("but").map(|but| but.as_str()) {
        Some("sondern") => format!("{who} {verb} {new}"),
        _ if SELF.is_match(new) || THEY.is_match(new) => said_of(who, new)?,
        _ => return None,
    };
    Some(Turned { denied: format!("{who} {verb} nicht mehr {old}"), instead })
}

fn korean(text: &str) -> Option<Turned> {
    let found = AN_KO.captures(text)?;
    let (who, old, new) = (&found["who"], &found["old"], &found["new"]);
    let (_, verb) = new.rsplit_once(' ')?;
    Some(Turned { denied: format!("{who} {old} 안 {verb}"), instead: format!("{who} {new}") })
}

fn chinese(text: &str) -> Option<Turned> {
    let found = BU_ZAI.captures(text)?;
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
