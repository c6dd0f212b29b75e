//! Finds what a sentence says of two names: one pattern for each wording in `ties`.

use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex, RegexSet};

use super::Statement;
use super::language::Language;
use super::ties::{self, KIN, Tie};

/// The end of a relation that is the user.
pub(super) const USER: &str = "user";
/// A sentence says no more than this of anything; a longer list is no sentence.
const MOST_STATEMENTS: usize = 12;

/// How a language writes names, for filling in `{A}` and so on.
struct Names {
    /// The first name of a statement, with a capture that `NAME` stands for.
    first: &'static str,
    second: &'static str,
    /// Further placeholders.
    others: &'static [(&'static str, &'static str)],
}

const LATIN_FIRST: &str = r"(?:(?:\b[Pp]roject |\b[Tt]he |\b[Oo]ur |\b[Dd]er |\b[Dd]ie |\b[Dd]as )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#._-]*(?: \p{Lu}[\p{L}\p{N}+#._-]*){0,2})|\b(?:[Tt]he|[Oo]ur) (?P<NAME2>\p{Ll}[\p{L}-]+(?: \p{Ll}[\p{L}-]+)??)|^(?P<NAME3>\p{Ll}[\p{L}-]+(?: \p{Ll}[\p{L}-]+)??)|\bmy (?P<NAME4>\p{Ll}+))";
const LATIN_SECOND: &str = r"(?:the |den |die |das |dem )?(?P<NAME>(?:\p{Ll}+ on )?\p{Lu}[\p{L}\p{N}+#_-]*(?:\.\p{L}+)?(?: (?:\p{Lu}[\p{L}\p{N}+#_-]*|\d+))*|\p{Ll}+-\p{Ll}+|\p{Ll}+(?: team)?\b)";
const ENGLISH: Names = Names { first: LATIN_FIRST, second: LATIN_SECOND, others: &[] };
const GERMAN: Names = Names {
    first: r"(?:\b(?:[Dd]er|[Dd]ie|[Dd]as|[Pp]rojekt|[Dd]ienst) )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#_-]*(?: \p{Lu}[\p{L}\p{N}+#_-]*)?)",
    second: r"(?:das |den |die |dem )?(?P<NAME>\p{Lu}[\p{L}\p{N}+#_-]*(?: \p{Lu}[\p{L}\p{N}+#_-]*)?)",
    others: &[("{C}", r"(?P<b>\p{L}{3,})")],
};
const KOREAN: Names = Names {
    first: r"(?:^|[ ,.])(?:우리 )?'?(?P<NAME>[가-힣A-Za-z0-9]+?|[가-힣]+ [가-힣]+?)'?",
    second: r"'?(?P<NAME>[가-힣A-Za-z0-9]+?)'?",
    others: &[("{S}", r"(?:이는|이가|은|는|이|가)"), ("{L}", r"(?P<b>[가-힣]+어)")],
};
const CHINESE: Names = Names {
    first: r"[“「]?(?P<NAME>[\p{Han}A-Za-z0-9]{1,8}?)[”」]?",
    second: r"[“「]?(?P<NAME>[\p{Han}A-Za-z0-9 ]{1,10}?)[”」]?",
    others: &[
        ("{Q}", r"[“「](?P<a>[^”」]{1,12})[”」]"),
        ("{R}", r"[“「](?P<b>[^”」]{1,12})[”」]"),
        ("{T}", r"(?P<b>[A-Za-z][A-Za-z0-9.+#-]*(?: \d+)?)"),
    ],
};

struct Wording {
    relation: &'static str,
    pattern: String,
    compiled: OnceLock<Regex>,
}

impl Wording {
    /// Names make patterns large, so each is compiled when a sentence may hold it.
    fn pattern(&self) -> &Regex {
        #[expect(clippy::expect_used, reason = "constant patterns, compiled by a test")]
        self.compiled.get_or_init(|| Regex::new(&self.pattern).expect("a constant pattern"))
    }
}

/// The wordings of a language.
struct Wordings {
    all: Vec<Wording>,
    /// The same with anything in place of the names: what does not match here does not match.
    frames: RegexSet,
}

static WORDINGS: [LazyLock<Wordings>; 4] = [
    LazyLock::new(|| Wordings::new(ties::ENGLISH, &ENGLISH)),
    LazyLock::new(|| Wordings::new(ties::GERMAN, &GERMAN)),
    LazyLock::new(|| Wordings::new(ties::KOREAN, &KOREAN)),
    LazyLock::new(|| Wordings::new(ties::CHINESE, &CHINESE)),
];

impl Wordings {
    fn new(ties: &[Tie], names: &Names) -> Self {
        let kin = KIN.iter().map(|kin| kin.0).collect::<Vec<_>>().join("|");
        let with_names = |wording: &str| {
            let mut pattern = wording.replace("{A}", &names.first.replace("NAME", "a"));
            pattern = pattern
                .replace("{B}", &names.second.replace("NAME", "b"))
                .replace("{K}", &format!("(?P<k>{kin})"));
            for (placeholder, written) in names.others {
                pattern = pattern.replace(placeholder, written);
            }
            pattern
        };
        let frame = |wording: &str| {
            let placeholders =
                ["{A}", "{B}", "{K}"].into_iter().chain(names.others.iter().map(|other| other.0));
            placeholders.fold(wording.to_owned(), |frame, placeholder| frame.replace(placeholder, "(?s:.*?)"))
        };
        let all = ties.iter().map(|(relation, wording)| Wording {
            relation,
            pattern: with_names(wording),
            compiled: OnceLock::new(),
        });
        #[expect(clippy::expect_used, reason = "constant patterns, compiled by every test")]
        let frames =
            RegexSet::new(ties.iter().map(|(_, wording)| frame(wording))).expect("constant patterns");
        Self { all: all.collect(), frames }
    }
}

/// Words that stand where a name could but are none.
const NO_NAMES: &str = " it this that which who he she they we i you there everything nothing everyone nobody one them him her me us \
    what the a an no more less all both some any each every using by with for from at in on to and or of then now home place half \
    es sie er das dies wer man wir ich mir nichts alles turn out up hours emails calls ";

/// What the sentence states of two names, each once.
pub(super) fn statements(sentence: &str, language: Language) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let wordings = &*WORDINGS[language as usize];
    for at in wordings.frames.matches(sentence) {
        let wording = &wordings.all[at];
        for captures in wording.pattern().captures_iter(sentence) {
            let named = |name: &str| captures.name(name).map(|each| bare(each.as_str()));
            let from = ["a", "a2", "a3", "a4"].iter().find_map(|name| named(name)).unwrap_or(USER);
            let to = named("b").unwrap_or(USER);
            let relation = match relation_name(wording.relation, &captures) {
                Some(relation) if from != to && is_name(from) && is_name(to) => relation,
                _ => continue,
            };
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

/// Relations whose second end is often a list.
const LISTED: [&str; 5] = ["uses", "depends-on", "avoids", "contains", "speaks"];

/// Names that go on a list: ` and X`, `、X`.
fn further(mut rest: &str) -> Vec<&str> {
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
    static NEXT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[”」]?(?:(?: for \p{Ll}+(?: \p{Ll}+)?)? (?:and|or|und|oder) (?P<latin>\p{Lu}[\p{L}\p{N}+#-]*)|[、和][“「]?(?P<han>[\p{Han}A-Za-z0-9]{1,8}?)[”」]?(?:$|[、和，。]))")
            .expect("a constant pattern")
    });
    let mut names = Vec::new();
    while let Some(captures) = NEXT.captures(rest).filter(|_| names.len() < MOST_STATEMENTS) {
        let Some(name) = captures.name("latin").or_else(|| captures.name("han")) else { break };
        names.push(name.as_str());
        rest = &rest[name.end()..];
    }
    names
}

fn relation_name(relation: &str, captures: &Captures<'_>) -> Option<String> {
    if relation != "{K}" {
        return Some(relation.to_owned());
    }
    let word = captures.name("k")?.as_str();
    KIN.iter().find(|kin| kin.0 == word).map(|kin| format!("{}-of", kin.1))
}

/// A name without what says only whose it is or what somebody is to somebody (`my sister`, `Cousine Swetlana`).
fn bare(name: &str) -> &str {
    let name = name.trim();
    let name = ["my ", "My ", "我"].iter().find_map(|whose| name.strip_prefix(whose)).unwrap_or(name);
    match name.split_once(' ') {
        Some((kin, rest)) if KIN.iter().any(|each| each.0 == kin) => rest,
        _ => name,
    }
}

fn is_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    name == USER || !name.is_empty() && !NO_NAMES.split_ascii_whitespace().any(|word| word == lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wording_of_every_language_can_be_compiled() {
        for wordings in &WORDINGS {
            assert!(wordings.all.iter().all(|wording| wording.pattern().captures_len() > 1));
            assert_eq!(wordings.frames.len(), wordings.all.len());
        }
    }
}
