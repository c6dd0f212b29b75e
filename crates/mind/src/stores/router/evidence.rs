//! What a sentence shows for certain of what a name is: who is somebody's colleague is a person, whatever else is called so.
//!
//! The other types that names get are guesses from their surroundings; what is shown here takes their place (`stores::retyping`).

use std::sync::LazyLock;

use super::entities::TOOLS;
use super::relations::USER;
use super::ties::{OF_SEVERAL, PEOPLE, is_premises};
use super::{EntityType, Mention, Statement, WORDS};
use crate::patterns::Patterns;
use crate::wording::contains;

/// Relations whose first end is a person, and not where the other end is a program: `lives in Vault`.
const OF_PERSONS: [&str; 7] =
    ["works-at", "works-in", "works-on", "lives-in", "reports-to", "married-to", "allergic-to"];
/// What somebody is to a person: both ends of the relation are persons.
const BLOOD: [&str; 24] = [
    "sister",
    "brother",
    "sibling",
    "wife",
    "husband",
    "son",
    "daughter",
    "mother",
    "father",
    "cousin",
    "uncle",
    "aunt",
    "niece",
    "nephew",
    "grandmother",
    "grandfather",
    "godfather",
    "godmother",
    "brother-in-law",
    "sister-in-law",
    "friend",
    "colleague",
    "roommate",
    "child",
];
/// What a person is to somebody or something.
const ROLES: [&str; 4] = ["boss", "manager", "landlord", "mentor"];
/// Programs that a person has before them: who uses one is a person.
const PERSONAL: &str = " Emacs Vim Neovim Zed Helix VSCode IntelliJ Obsidian Word Outlook Gmail iPhone Android Safari Firefox emacs vim ";

/// Wordings that show what a name is of; the capture is the name.
pub(super) struct Shown {
    kinds: Vec<EntityType>,
    pub(super) patterns: Patterns,
}

pub(super) static SHOWN: LazyLock<Shown> = LazyLock::new(|| {
    let name = r"(\p{Lu}[\p{Ll}'-]+(?: \p{Lu}[\p{Ll}'-]+){0,2})";
    let whole_name = r"(\p{Lu}[\p{Ll}'-]+(?: \p{Lu}[\p{Ll}'-]+){1,2})";
    let english = PEOPLE;
    let offices = "lead|maintainer|CEO|CTO|CFO|COO|director|president|product owner|scrum master";
    let relatives_de = "Frau|Mann|Tochter|Sohn|Schwester|Bruder|Mutter|Vater|Mama|Papa|Tante|Onkel|Cousine|Cousin|Nichte|Neffe|Oma|Opa|Großmutter|Großvater";
    let others_de = "Kollegin|Kollege|Kollegen|Freundin|Freund|Nachbarin|Nachbar|Mitbewohnerin|Mitbewohner|Chefin|Chef|Vermieterin|Vermieter|Ärztin|Arzt|Zahnärztin|Zahnarzt|Lehrerin|Lehrer|Anwältin|Anwalt|Entwicklerin|Entwickler|Designerin|Designer|Praktikantin|Praktikant|Teamleiterin|Teamleiter|Mentorin|Mentor";
    let german = format!("{relatives_de}|{others_de}");
    let offices_de = "Geschäftsführerin|Geschäftsführer|Leiterin|Leiter|Steuerberaterin|Steuerberater";
    let korean = "동료|친구|상사|팀장|매니저|동생|누나|언니|형|오빠|이모|고모|삼촌|사촌|아내|남편|엄마|아빠|어머니|아버지|할머니|할아버지|딸|아들|선생님|의사|이웃|룸메이트|선배|후배|멘토";
    let chinese = "同事|朋友|老板|老闆|经理|上司|邻居|室友|同学|姐姐|妹妹|哥哥|弟弟|妻子|老婆|丈夫|老公|妈妈|爸爸|母亲|父亲|奶奶|爷爷|女儿|儿子|阿姨|叔叔|表哥|表姐|老师|医生|导师|房东|组长";
    let whose = r"(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir)";
    let wessen = r"(?:[Mm]ein|[Mm]eine[mnr]?|[Uu]nser|[Uu]nsere[mnr]?)";
    let shapes = [
        (
            EntityType::Person,
            format!(
                r"^{name} is (?:now |also |still )?(?:my|our|his|her|their|an?|one of (?:my|our)|\p{{Lu}}\p{{Ll}}+'s) (?:[\p{{Ll}}-]+ ){{0,2}}(?:{english})s?(?:$|[ ,.;!])"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^{name} is (?:now |also |still )?(?:(?:the|our) )?(?:new )?(?:deputy )?head of \p{{L}}"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^{whole_name} is (?:now |also |still )?(?:the|our|my) (?:[\p{{Ll}}-]+ ){{0,2}}(?:{english}|{offices})(?:$|[,.;!]| (?:of|at|for|in|on|now|and)\b)"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^{whole_name} ist (?:jetzt |auch |noch )?(?:der|die|mein|meine|unser|unsere) (?:\p{{Ll}}+ )?(?:{german}|{offices_de})\b"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"\b{whose} (?:[\p{{Ll}}-]+ ){{0,2}}(?:{english})(?:,|'s name is| is called| is named| called| named)? {name}"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^{name} ist (?:jetzt |auch |noch )?(?:mein|meine|unser|unsere|sein|seine|ihr|ihre|eine?|eine[rs] (?:meiner|unserer)) (?:\p{{Ll}}+ ){{0,2}}(?:{german})(?:$|[ ,.;!])"
            ),
        ),
        (EntityType::Person, format!(r"\b{wessen} (?:\p{{Ll}}+ ){{0,2}}(?:{german})(?:,| heißt)? {name}")),
        (
            EntityType::Person,
            format!(
                r"^([가-힣]{{2,4}}?|[A-Z]\p{{Ll}}+)(?:이)?(?: 씨)?(?:은|는|이|가) (?:내|제|우리|저희) (?:[가-힣]+ )?(?:{korean})"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"(?:내|제|우리|저희) (?:{korean}) ([가-힣]{{2,4}}?)(?:이)?(?:은|는|이|가|를|을|의|와|과) "
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^([\p{{Han}}]{{2,3}}|[A-Z]\p{{Ll}}+)是(?:我们|我們|我|咱们)的?(?:新|老|大学|好)?(?:{chinese})"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"(?:我们|我們|我)的?(?:{chinese})(?:叫)?([\p{{Han}}--[在是住喜说也和对有不会很现的]]\p{{Han}}{{1,2}}?)(?:在|是|住|喜欢|说|也|和|对|，|。|$)"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:new )?(?:[\p{{Ll}}-]+ )?(?:{english}|{offices}) is (?:now |called |named )?{name}(?: now)?$"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^(?:Der|Die|Unser|Unsere|Mein|Meine) (?:neuer? )?(?:(?:{german}|{offices_de}) heißt|(?:{others_de}|{offices_de}) ist) (?:jetzt |nun )?{name}(?: jetzt)?$"
            ),
        ),
        (EntityType::Person, format!(r"^{name} (?:uses|likes|loves|prefers|has) .*\b(?:her|his)\b")),
        // Whoever a sentence begins with: what it says is said of them.
        (
            EntityType::Person,
            format!(
                r"^[Mm]y ((?:{OF_SEVERAL} )?(?:{english})(?:-in-law)?) (?:\p{{Ll}}+ly |now |always |never |still |also |often )?(?:(?:is|was) \p{{Ll}}|(?:\p{{Ll}}+[b-hj-z]s|has|had|can|will|can't|won't|doesn't|isn't)\b)"
            ),
        ),
        (
            EntityType::Person,
            format!(
                r"^(?:Mein|Meine) (?:\p{{Ll}}+ )?({german}) (?:ist \p{{Ll}}|(?:\p{{Ll}}+[a-rt-z]t|hat|mag|kann|will)\b)"
            ),
        ),
        (EntityType::Person, format!(r"^(?:Mein|Meine) (?:\p{{Ll}}+ )?({relatives_de}) ist \p{{Lu}}")),
        (EntityType::Person, format!(r"^(?:우리|내|제|저희) ({korean})(?:께서는|께서|은|는|이|가) ")),
        (
            EntityType::Person,
            format!(r"^(?:我们|我)的?({chinese})(?:现在)?(?:是|在|住|有|不|会|很|最?喜欢|对)"),
        ),
        (EntityType::Project, r"\b[Pp]roje[ck]t (\p{Lu}[\p{L}\p{N}-]+)".to_owned()),
        (
            EntityType::Project,
            r"\b(?:[Tt]he|[Oo]ur|[Dd]as|[Uu]nser) (\p{Lu}[\p{L}\p{N}-]+?)(?:[- ])(?:project|Projekt)\b"
                .to_owned(),
        ),
    ];
    let (kinds, patterns) = shapes.into_iter().unzip();
    Shown { kinds, patterns: Patterns::of(WORDS, "shown", patterns) }
});

/// The names that a sentence shows to be of a type.
pub(crate) fn evident(sentence: &str, relations: &[Statement]) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut add = |name: &str, r#type: EntityType| {
        let name = name.strip_suffix("'s").unwrap_or(name);
        if name != USER && !found.iter().any(|each| each.name == name) {
            found.push(Mention { name: name.to_owned(), r#type });
        }
    };
    for Statement { from, relation, to } in relations {
        let kin = relation.strip_suffix("-of").unwrap_or_default();
        let is_blood = BLOOD.contains(&kin) || relation == "married-to";
        let is_person = is_blood
            || ROLES.contains(&kin)
            || OF_PERSONS.contains(&relation.as_str()) && !contains(TOOLS, to) && !is_premises(from)
            || relation == "uses" && contains(PERSONAL, to) && !from.contains(' ');
        if is_person {
            add(from, EntityType::Person);
        }
        if is_blood {
            add(to, EntityType::Person);
        }
    }
    for (index, shape) in SHOWN.patterns.candidates(sentence) {
        let r#type = SHOWN.kinds[index];
        shape
            .captures_iter(sentence)
            .filter_map(|found| found.get(1))
            .filter(|name| r#type != EntityType::Person || !name.as_str().starts_with("Proje"))
            .for_each(|name| add(name.as_str(), r#type));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::route;
    use super::*;

    #[test]
    fn what_a_name_is_is_shown_by_what_is_said_of_it() {
        for (text, expected) in [
            ("Ann is my colleague", Some(("Ann", EntityType::Person))),
            ("Zed is my brother", Some(("Zed", EntityType::Person))),
            ("My new boss Ruby lives in Oslo", Some(("Ruby", EntityType::Person))),
            ("Mira ist unsere neue Kollegin", Some(("Mira", EntityType::Person))),
            ("Mein Freund Zed mag Jazz", Some(("Zed", EntityType::Person))),
            ("민수는 우리 팀장이야", Some(("민수", EntityType::Person))),
            ("李娜是我的同事", Some(("李娜", EntityType::Person))),
            ("Mira works at Kestrel", Some(("Mira", EntityType::Person))),
            ("Mira uses Neovim for her notes", Some(("Mira", EntityType::Person))),
            ("The Atlas project starts in May", Some(("Atlas", EntityType::Project))),
            ("The team lead is now Ada", Some(("Ada", EntityType::Person))),
            ("Unser Teamleiter ist jetzt Bob", Some(("Bob", EntityType::Person))),
            ("Mira Holt is the head of design", Some(("Mira Holt", EntityType::Person))),
            ("Mira Holt is the CEO of Acme", Some(("Mira Holt", EntityType::Person))),
            ("Peter Wagner ist unser Steuerberater", Some(("Peter Wagner", EntityType::Person))),
            ("My best friend is a nurse", Some(("best friend", EntityType::Person))),
            ("Meine Mutter ist Lehrerin", Some(("Mutter", EntityType::Person))),
            ("우리 어머니는 간호사예요", Some(("어머니", EntityType::Person))),
            ("我妈妈是护士", Some(("妈妈", EntityType::Person))),
            ("Mein Bruder arbeitet in Ulm", Some(("Bruder", EntityType::Person))),
            ("My dentist appointment is on Friday", None),
            ("My dentist is Dr. Klein", None),
            ("Project Atlas is our lead project", Some(("Atlas", EntityType::Project))),
            ("Our editor is Helix", None),
            ("The Kestrel config lives in Vault", None),
            ("Atlas uses Postgres", None),
            ("Zed is my favourite editor", None),
            ("Slack is our chat", None),
            ("Atlas reports to Grafana", None),
        ] {
            let relations = route(text).relations;
            let found = evident(text, &relations);
            let found = found.first().map(|mention| (mention.name.as_str(), mention.r#type));
            assert_eq!(found, expected, "{text}: {relations:?}");
        }
    }
}
