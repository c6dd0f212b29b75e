//! Finds the names in a sentence and what kind of thing each is.
//!
//! The ends of relations are names for certain. Beyond them only what looks like one counts: known programs, names after
//! a title or a preposition of place, words with a capital inside an English sentence, quoted Korean and Chinese names.

use std::sync::LazyLock;

use super::evidence::evident;
use super::relations::USER;
use super::ties::is_premises;
use super::{EntityType, Mention, Statement, WORDS};
use crate::patterns::Patterns;
use crate::wording::{Language, contains};
use EntityType::{Concept, Person, Place, Project, Tool};

/// More names than this are a list, not a sentence.
const MOST_MENTIONS: usize = 16;

/// What the ends of a relation are.
const ENDS: &[(&str, EntityType, EntityType)] = &[
    ("uses", Project, Tool),
    ("depends-on", Project, Tool),
    ("works-at", Person, Place),
    ("works-in", Person, Place),
    ("works-on", Person, Project),
    ("lives-in", Person, Place),
    ("reports-to", Person, Person),
    ("speaks", Person, Concept),
    ("part-of", Project, Project),
    ("contains", Project, Project),
    ("located-in", Place, Place),
    ("supersedes", Project, Project),
    ("married-to", Person, Person),
    ("owns", Person, Place),
    ("maintains", Person, Project),
    ("leads", Person, Person),
    ("manages", Person, Person),
    ("develops", Person, Project),
    ("founded", Person, Place),
    ("prefers", Person, Tool),
    ("fork-of", Project, Project),
    ("decided-on", Person, Tool),
    ("allergic-to", Person, Concept),
    ("avoids", Person, Concept),
];

/// Programs, languages and services that are tools wherever they are named.
pub(super) const TOOLS: &str = " Postgres PostgreSQL MySQL MariaDB SQLite Redis Valkey Mongo MongoDB Kafka RabbitMQ NATS Kubernetes Docker Podman \
    Terraform Ansible Jenkins GitLab GitHub Buildkite Grafana Prometheus Loki Elastic Elasticsearch OpenSearch Kibana Sentry Vault \
    Keycloak Nginx Caddy Traefik HAProxy Emacs Vim Neovim Zed VSCode IntelliJ Slack Teams Zoom Jira Confluence Notion Obsidian Figma \
    Metabase Tableau Excel Word Outlook Gmail Python Rust Go Java Kotlin Swift TypeScript JavaScript Ruby Elixir Erlang Haskell Scala \
    Elm Vue React Svelte Angular Django Rails Flask Spring Flutter Hetzner AWS Azure Cloudflare Vercel Netlify Heroku ClickHouse \
    Snowflake BigQuery Spark Airflow dbt Dragonfly Linux Windows macOS Ubuntu Debian Fedora iPhone Android Chrome Firefox Safari \
    systemd kubernetes docker terraform kafka redis postgres flutter vim emacs rust python git bash fish zsh nginx \
    카프카 레디스 도커 쿠버네티스 슬랙 노션 피그마 지라 깃허브 깃랩 홈택스 파이썬 자바 윈도우 리눅스 젠킨스 엑셀 펄사 몽고디비 ";

/// Wording that shows what a name is; the capture is the name.
const CUES: [&[(EntityType, &str)]; 4] = [
    &[
        (
            Concept,
            r"\b(?:dog|cat|horse|hamster|rabbit|parrot|bird|puppy|kitten|boat|ship|car|server|company|band|book|film|song|street|pub|restaurant|bar|cafe|hotel)(?:'s name)? is (?:called |named )?(\p{Lu}\p{L}+)",
        ),
        (
            Person,
            r"\b(?:wife|husband|daughter|son|sister|brother|mother|father|mum|mom|dad|girlfriend|boyfriend|partner|friend|boss|colleague|neighbou?r|uncle|aunt|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa|roommate|flatmate|teacher|dentist|landlord|landlady|lawyer|accountant|assistant|baby)(?:'s name)?(?: is| was)?(?: called| named)? (\p{Lu}\p{Ll}+)",
        ),
        (Person, r"\b(?:CEO|CTO|CFO|COO) (\p{Lu}\p{Ll}+)"),
        (Person, r"\b(?:Dr|Mrs|Mr|Ms|Prof)\.? (\p{Lu}\p{Ll}+)"),
        (
            Person,
            r"\b(\p{Lu}\p{Ll}+)'s (?:\p{Ll}+ )?(?:approval|face|wrist|birthday|wife|husband|adoption|plan|room|turn|desk|idea|car|dog|school)",
        ),
        (
            Person,
            r"\b(\p{Lu}\p{Ll}+) (?:signed|said|told|broke|called|showed|brought|has|had|got|passed|lost|won|fell|moved|joined|left|gave|went|came|found|fixed|wants|likes|loves|hates|turned|started|approved|wrote|phoned|is (?:doing|lactose|allergic|vegan|moving|coming|on leave|pregnant|afraid)|collects|plays|lives|works)\b",
        ),
        (Person, r"\b(?:to|with|by|and|after|from) (\p{Lu}\p{Ll}+) (?:showed|before|said|and|who|on)\b"),
        (Project, r"\b[Pp]roject (\p{Lu}\p{L}+)"),
        (Tool, r"\b((?:\p{Lu}\p{L}+|[a-z]+) (?:API|box|cluster))\b"),
        (
            Place,
            r"\b(?:in|at|near|to|from|around|outside) (\p{Lu}\p{Ll}+(?: (?:Lane|Street|Road|High|Square|Park))?)",
        ),
        (Concept, r"[\p{Ll},;:] (\p{Lu}[\p{L}\p{N}-]+)"),
    ],
    &[
        (
            Person,
            r"\b(?:Frau|Herrn?|Dr\.|Prof\.|Tante|Onkel|Notar|Notarin) (?:Dr\. )?(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)",
        ),
        (
            Person,
            r"^(\p{Lu}\p{Ll}+) (?:ist am|ist gestern|ist heute|hat (?:gestern|heute|ihr|sein|sich)|spricht|arbeitet|wohnt|hasst|mag|isst)\b",
        ),
        (Person, r"\b(\p{Lu}\p{Ll}+) und ich\b"),
        (Person, r"\bvon (\p{Lu}\p{Ll}+) in der\b"),
        (
            Concept,
            r"\b(?:Hund|Hündin|Katze|Kater|Pferd|Hamster|Kaninchen|Papagei|Vogel|Boot|Schiff|Auto|Server|Rechner|Firma|Band|Buch|Film|Lied|Straße|Kneipe|Restaurant|Hotel) (?:heißt|hieß) (\p{Lu}\p{L}+)",
        ),
        (Person, r"\bheiß[et]+ (\p{L}+(?: \p{Lu}\p{Ll}+)?)"),
        (Place, r"\b(?:in|nach|aus) (\p{Lu}\p{Ll}{3,})\b"),
        (Place, r"\bIn (\p{Lu}\p{Ll}{4,}) "),
    ],
    &[
        (Project, r"'([가-힣A-Za-z0-9]{2,8})' (?:서비스|프로젝트|베타|저장소|앱|서버|출시)"),
        (Person, r"([가-힣]{2,3}) 씨"),
        (Person, r"(?:^|[ ,])([가-힣]{2})이(?:가|는|랑) "),
        (Person, r"(?:^|[ ,])([가-힣] (?:원장|선생|대리|과장|팀장|부장|차장))님"),
        (Place, r"(?:^|[ ,])([가-힣]{2,4})(?:에서 태어|에 살|에 사는|에서 자랐)"),
    ],
    &[
        (Project, r"[“「]([\p{Han}A-Za-z0-9]{2,8})[”」]"),
        (Person, r"(?:^|[，。、：:和叫让给跟])([小阿][\p{Han}])(?:和|替|说|也|的|在|[，。])"),
        (Person, r"我叫([\p{Han}]{2,4})[，。]"),
        (Person, r"我和([\p{Han}]{2})"),
        (Tool, r"(?:^|[^A-Za-z])([A-Z][a-z]+[A-Za-z]*)"),
        (Place, r"(?:去|回|在)([\p{Han}]{2})(?:的|潜水|出差|旅游|开会|，)"),
    ],
];

/// Words with a capital, or in the place of a name, that name nothing.
const NO_NAMES: &str = " I I'm I've I'd I'll Ich Wir Du Er Sie Es Ihr Man Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mondays Tuesdays Wednesdays Thursdays \
    Fridays Saturdays Sundays January February March April May June July August September October November December Jan Feb Mar Apr Jun \
    Jul Aug Sep Sept Oct Nov Dec Christmas Easter The This That It We He She They You My Our Dad Mum Mom Grandpa Grandma God OK PDF DNS \
    VACUUM FULL NOT NULL CI VM VMs PR PRs Mr Mrs Dr TV QA UTC AM PM USB HDMI VPN GPU CPU RAM AB Just Don Keep Never Please And But So If When Also Not URL HTTP Retro Ticket Type Port Bus \
    Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März Mai Juni Juli Oktober Dezember Rente Hause Urlaub \
    Einkauf Vertrieb Buchhaltung Verkauf Rechtsabteilung Geschäftsführung Personalabteilung Entwicklung Ordnung Ruhe Zucker Zukunft Mails Kürze Version Release Papier Stichpunkten Euro Prozent Form Reihenfolge Handarbeit Planung Arbeit Sicht \
    남편 동생 부모 누나 선생 고양 어린 아이 강아지 신입 우리 这 那 这个 这边 那边 现在 以后 前台 家里 小区 小时 小心 小孩 小程 上海市 ";

static PATTERNS: [LazyLock<Patterns>; 4] = [
    LazyLock::new(|| patterns_of(Language::English)),
    LazyLock::new(|| patterns_of(Language::German)),
    LazyLock::new(|| patterns_of(Language::Korean)),
    LazyLock::new(|| patterns_of(Language::Chinese)),
];
/// Bytes that a compiled cue may take.
const PATTERN_SIZE: usize = 16 << 20;

fn patterns_of(language: Language) -> Patterns {
    let cues = CUES[language as usize];
    let section = format!("{} names", language.code());
    Patterns::new(cues.len(), WORDS, &section, PATTERN_SIZE, move |index| cues[index].1.to_owned())
}

/// The cues of all languages, for tests.
#[cfg(test)]
pub(super) fn patterns() -> Vec<(String, &'static Patterns)> {
    let patterns = PATTERNS.iter().zip(["en", "de", "ko", "zh"]);
    patterns.map(|(patterns, code)| (format!("{code} names"), &**patterns)).collect()
}

/// What a name of a company or a place may end with.
const LAST_PARTS: &str = " Labs Lab Bank Group Inc Ltd GmbH AG Studio Studios Systems Software Office Institute University Hospital Museum Library Station \
    Airport Foundation Energy Robotics Analytics Technologies Partners Ventures Capital ";

/// What stands before a name with a capital and is no part of it: titles, and what begins sentences.
const NO_FIRST_NAMES: &str = " Remember Remind Note Ask Tell Call Email Write Meet Invite Thank Yesterday Today Tomorrow Then When While Because Since \
    After Before Although Though Maybe Perhaps Here There What Who Where Why How Which Whose Colleague Friend Boss Manager Director Captain Doctor \
    Professor President Chancellor Minister Judge Sister Brother Mother Father Wife Husband Son Daughter Partner Neighbour Neighbor His Her Their \
    Its Your A An Both Either Neither Only Even Now Sometimes Usually Did Does Do Is Are Was Were Has Have Had Can Could Should Would Will Let Not \
    In On At For From With Without To By Of As Like Than Per Via And Or Nor Yes No Hi Hello Hey Dear Sorry Team ";

/// Whether a word before a name may be the first part of it.
pub(crate) fn may_be_first_name(word: &str) -> bool {
    is_part_of_name(word) && !contains(NO_FIRST_NAMES, word)
}

fn is_part_of_name(word: &str) -> bool {
    let has_small =
        word.chars().any(char::is_lowercase) && word.chars().next().is_some_and(char::is_uppercase);
    let whole = word.chars().all(|each| each.is_alphabetic() || matches!(each, '-' | '\''));
    has_small && whole && !contains(NO_NAMES, word) && !contains(TOOLS, word)
}

/// The name with its other parts, where a person's name stands between words with small letters: `Jean-Luc Picard` for `Luc`.
fn full_name(sentence: &str, range: std::ops::Range<usize>) -> &str {
    let (mut start, mut end) = (range.start, range.end);
    let is_word = |each: char| each.is_alphabetic() || each == '-';
    // The rest of a double name.
    start -=
        sentence[..start].chars().rev().take_while(|each| is_word(*each)).map(char::len_utf8).sum::<usize>();
    end += sentence[end..].chars().take_while(|each| is_word(*each)).map(char::len_utf8).sum::<usize>();
    for _ in 0..2 {
        let Some(rest) = sentence[end..].strip_prefix(' ') else { break };
        let word = &rest[..rest.find(|each: char| !is_word(each)).unwrap_or(rest.len())];
        if !is_part_of_name(word) {
            break;
        }
        end += 1 + word.len();
    }
    for _ in 0..2 {
        let Some(before) = sentence[..start].strip_suffix(' ') else { break };
        let word = &before[before
            .rfind(|each: char| !is_word(each))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
        if !may_be_first_name(word) {
            break;
        }
        start -= 1 + word.len();
    }
    sentence[start..end].trim_end_matches('-')
}

/// Small words that are no name of a machine: `the box`, `called box`.
const NO_MACHINES: &str = " the a an of called named this that these those our my your his her their its new old each every one in on to for with from \
    and or same other another whole big small main first last next post letter mail lunch tool black any some which what by at ";

/// A name with the parts after it that belong to it: `Harbor Labs`.
fn whole_name(sentence: &str, range: std::ops::Range<usize>) -> &str {
    let mut end = range.end;
    while let Some(rest) = sentence[end..].strip_prefix(' ') {
        let word = &rest[..rest.find(|each: char| !each.is_alphanumeric()).unwrap_or(rest.len())];
        if word.is_empty() || !contains(LAST_PARTS, word) {
            break;
        }
        end += 1 + word.len();
    }
    &sentence[range.start..end]
}

/// What a sentence says itself that a name is of: "the Atlas project".
fn said_kind(sentence: &str, name: &str) -> Option<EntityType> {
    let is_before = |word: &str| sentence.contains(&format!("{word} {name}"));
    let is_after = |word: &str| sentence.contains(&format!("{name} {word}"));
    let is_project = ["project", "Project", "Projekt"].iter().any(|word| is_before(word))
        || ["project", "Projekt", "프로젝트", "项目"].iter().any(|word| is_after(word))
        || sentence.contains(&format!("{name}项目"))
        || sentence.contains(&format!("{name}-Projekt"));
    is_project.then_some(Project)
}

/// Whether all words of a name in Latin letters are written as common nouns are in English.
fn is_common(name: &str) -> bool {
    name.chars().any(char::is_alphabetic)
        && name.chars().all(|each| each.is_ascii() && !each.is_ascii_uppercase())
}

/// The names in a sentence, those of its relations first.
pub(super) fn mentions(sentence: &str, language: Language, relations: &[Statement]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let shown = evident(sentence, relations);
    let mut add = |name: &str, r#type: EntityType| {
        let part = |each: &Mention| each.name.split(' ').any(|word| word == name) || each.name == name;
        // What is said of a name counts for more than that a program is called so, and a word of kinship names whoever it is said of.
        let said = shown.iter().find(|each| each.name == name).map(|each| each.r#type);
        let is_name = name != USER && (said.is_some() || !contains(NO_NAMES, name));
        if is_name && !found.iter().any(part) && found.len() < MOST_MENTIONS {
            let r#type = said.unwrap_or(if contains(TOOLS, name) { Tool } else { r#type });
            found.push(Mention { name: name.to_owned(), r#type });
        }
    };
    for Statement { from, relation, to } in relations {
        let ends =
            ENDS.iter().find(|ends| ends.0 == relation).map_or((Person, Person), |ends| (ends.1, ends.2));
        let kind = if is_premises(from) { Place } else { ends.0 };
        // "Carol leads the migration": what has no name is nobody.
        let led = if ends.1 == Person && is_common(to) { Project } else { ends.1 };
        add(from, said_kind(sentence, from).unwrap_or(kind));
        add(to, said_kind(sentence, to).unwrap_or(led));
    }
    shown.iter().for_each(|each| add(&each.name, each.r#type));
    let patterns = &PATTERNS[language as usize];
    for (index, (r#type, _)) in CUES[language as usize].iter().enumerate() {
        let Some(pattern) = patterns.held(index, sentence) else { continue };
        for captures in pattern.captures_iter(sentence) {
            for name in captures.iter().skip(1).flatten() {
                let first = name.as_str().split(' ').next().unwrap_or_default();
                match r#type {
                    Person | Concept if language == Language::English => {
                        add(full_name(sentence, name.range()), *r#type);
                    }
                    Tool if contains(NO_MACHINES, first) => {}
                    r#type => add(whole_name(sentence, name.range()), *r#type),
                }
            }
        }
    }
    let is_name_sign = |sign: char| sign.is_alphanumeric() || matches!(sign, '+' | '#' | '-');
    sentence
        .split(|sign| !is_name_sign(sign))
        .filter(|word| contains(TOOLS, word))
        .for_each(|word| add(word, Tool));
    found
}
