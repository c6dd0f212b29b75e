//! Sentences about the user in the words agents use of them, "The user lives in Hamburg", as the user would say them. Pure.
//!
//! What is known of first persons (where it belongs, what it contradicts) then holds for both. Software has users too: only what is
//! said of people is taken so, "the user is redirected" is not.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Verbs of people, with their first persons.
const ENGLISH: [(&str, &str); 33] = [
    ("lives", "live"),
    ("works", "work"),
    ("prefers", "prefer"),
    ("likes", "like"),
    ("loves", "love"),
    ("hates", "hate"),
    ("dislikes", "dislike"),
    ("enjoys", "enjoy"),
    ("wants", "want"),
    ("wishes", "wish"),
    ("drinks", "drink"),
    ("eats", "eat"),
    ("owns", "own"),
    ("speaks", "speak"),
    ("plays", "play"),
    ("studies", "study"),
    ("drives", "drive"),
    ("collects", "collect"),
    ("teaches", "teach"),
    ("avoids", "avoid"),
    ("plans", "plan"),
    ("knows", "know"),
    ("thinks", "think"),
    ("uses", "use"),
    ("goes by", "go by"),
    ("moved", "moved"),
    ("decided", "decided"),
    ("grew", "grew"),
    ("studied", "studied"),
    ("married", "married"),
    ("doesn't", "don't"),
    ("does not", "do not"),
    ("no longer", "no longer"),
];
const GERMAN: [(&str, &str); 24] = [
    ("wohnt", "wohne"),
    ("lebt", "lebe"),
    ("arbeitet", "arbeite"),
    ("heißt", "heiße"),
    ("bevorzugt", "bevorzuge"),
    ("mag", "mag"),
    ("möchte", "möchte"),
    ("will", "will"),
    ("liebt", "liebe"),
    ("hasst", "hasse"),
    ("trinkt", "trinke"),
    ("isst", "esse"),
    ("spricht", "spreche"),
    ("spielt", "spiele"),
    ("studiert", "studiere"),
    ("fährt", "fahre"),
    ("sammelt", "sammle"),
    ("benutzt", "benutze"),
    ("nutzt", "nutze"),
    ("verwendet", "verwende"),
    ("plant", "plane"),
    ("zog", "zog"),
    ("kennt", "kenne"),
    ("vermeidet", "vermeide"),
];

/// Verbs that are said of programs' users as well: only before these.
const ENGLISH_STATES: &str = r"(?:not\s+)?(?:an?\s+(?:\S+\s+)?(?:vegetarian|vegan|doctor|teacher|engineer|developer|designer|student|nurse|lawyer|writer|scientist|researcher|parent|father|mother|beginner|runner|fan)|allergic|vegetarian|vegan|from|born|married|single|divorced|pregnant|left-handed|colou?r-?blind|afraid|learning|working|living|studying|planning|called|named|based|retired|interested|\d+\s+years)\b";
const ENGLISH_HAVINGS: &str = r"(?:(?:an?|one|two|three|four|no|\d+)\s+)?(?:\S+\s+)?(?:daughters?|sons?|child|children|kids?|wife|husband|partner|sisters?|brothers?|dogs?|cats?|pets?|birds?|allergy|allergies|birthday|degree|diabetes|asthma|boat|bike|garden|house|flat|apartment|moved|decided|switched)\b";
const GERMAN_STATES: &str = r"(?:nicht\s+)?(?:allergisch|vegetarier|vegetarierin|veganer|veganerin|aus|verheiratet|ledig|schwanger|linkshänder|farbenblind|\d+\s+jahre|nach\s+\S+\s+(?:um)?gezogen|umgezogen|arzt|ärztin|lehrer|lehrerin|entwickler|entwicklerin|student|studentin)\b";
const GERMAN_HAVINGS: &str = r"(?:(?:eine?n?|keine?n?|zwei|drei|vier|\d+)\s+)?(?:\S+\s+)?(?:tochter|töchter|söhne|sohn|kind|kinder|frau|mann|hund|hunde|katze|katzen|allergie|geburtstag|boot|garten|haus|wohnung)\b";

static PATTERNS: LazyLock<Option<[Regex; 4]>> = LazyLock::new(|| {
    let of =
        |verbs: &[(&str, &str)]| verbs.iter().map(|verb| regex::escape(verb.0)).collect::<Vec<_>>().join("|");
    let english = format!(
        r"(?i)^(?P<start>.{{0,40}}?\b)??(?P<who>the user|user)\s+(?P<adverb>(?:(?:now|also|always|never|usually|often|really|still|currently|recently|\w+ly)\s+){{0,2}})(?:(?P<verb>{})\b|(?P<is>is|was)\s+(?P<state>{ENGLISH_STATES})|(?P<has>has|had)\s+(?P<having>{ENGLISH_HAVINGS}))",
        of(&ENGLISH)
    );
    let german = format!(
        r"(?i)^(?P<start>.{{0,40}}?\b)??(?P<who>(?:der|die)\s+(?:be)?nutzer(?:in)?|der\s+user)\s+(?:(?P<verb>{})\b|(?P<is>ist|war)\s+(?P<state>{GERMAN_STATES})|(?P<has>hat|hatte)\s+(?P<having>{GERMAN_HAVINGS}))",
        of(&GERMAN)
    );
    let owned = r"(?i)^(?P<start>.{0,40}?\b)??(?P<who>the user's|user's)\s+(?P<thing>(?:\w+\s+){0,3}?(?:is|are|was|lives?|works?|likes?)\b)";
    let named = r"(?i)^(?P<start>.{0,40}?\b)??der\s+name\s+(?:des|der)\s+(?:be)?nutzer(?:s|in)\s+ist\b";
    let compiled: Option<Vec<Regex>> =
        [&*english, &*german, owned, named].iter().map(|pattern| Regex::new(pattern).ok()).collect();
    compiled?.try_into().ok()
});

/// Whether a word is a verb of people in the third person.
pub(crate) fn is_verb_of_people(word: &str) -> bool {
    ENGLISH.iter().chain(&GERMAN).any(|(third, _)| *third == word)
}

/// Words before the sentence that belong to a request: "Remember that the user …".
fn is_request(start: &str) -> bool {
    let start = start.trim().to_lowercase();
    start.is_empty()
        || ["that", "dass", ":", "note"].iter().any(|end| start.ends_with(end))
        || start.chars().all(|each| !each.is_alphanumeric())
}

/// The sentence as the user would say it; as it is, where it is not about the user.
pub(crate) fn in_first_person(text: &str) -> Cow<'_, str> {
    // Most sentences have nothing of this.
    let begins = &text[..text.floor_char_boundary(80)];
    let lower = begins.to_lowercase();
    if !lower.contains("user") && !lower.contains("nutzer") {
        return Cow::Borrowed(text);
    }
    let Some([english, german, owned, named]) = &*PATTERNS else { return Cow::Borrowed(text) };
    let start_of = |found: &Captures<'_>| found.name("start").map_or("", |start| start.as_str()).to_owned();
    let fits = |found: &Captures<'_>| is_request(&start_of(found));
    let with_rest = |found: &Captures<'_>, said: String| {
        let end = found.get(0).map_or(0, |whole| whole.end());
        Cow::Owned(format!("{}{said}{}", start_of(found), &text[end..]))
    };
    let first_of = |verbs: &[(&'static str, &'static str)], verb: &str| {
        let lower = verb.to_lowercase();
        verbs
            .iter()
            .find(|(third, _)| *third == lower)
            .map_or_else(|| verb.to_owned(), |(_, first)| (*first).to_owned())
    };
    for (pattern, i, verbs, be, have) in [
        (english, "I", &ENGLISH[..], [("is", "am"), ("was", "was")], [("has", "have"), ("had", "had")]),
        (german, "Ich", &GERMAN[..], [("ist", "bin"), ("war", "war")], [("hat", "habe"), ("hatte", "hatte")]),
    ] {
        let Some(found) = pattern.captures(text).filter(fits) else { continue };
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        // Without an article it is somebody who writes notes, and begins with a capital.
        if part("who") == "user" && part("start").is_empty() && !text.starts_with('U') {
            continue;
        }
        let adverb = if i == "I" { part("adverb") } else { "" };
        let said = match (found.name("verb"), found.name("is"), found.name("has")) {
            (Some(verb), ..) => first_of(verbs, verb.as_str()),
            (_, Some(is), _) => format!("{} {}", first_of(&be, is.as_str()), part("state")),
            (.., Some(has)) => format!("{} {}", first_of(&have, has.as_str()), part("having")),
            _ => continue,
        };
        return with_rest(&found, format!("{i} {adverb}{said}"));
    }
    if let Some(found) = owned.captures(text).filter(fits) {
        return with_rest(&found, format!("My {}", &found["thing"]));
    }
    if let Some(found) = named.captures(text).filter(fits) {
        return with_rest(&found, "Mein Name ist".to_owned());
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_say_of_the_user_is_what_the_user_says() {
        for (said, first) in [
            ("The user lives in Hamburg.", "I live in Hamburg."),
            ("User prefers dark mode", "I prefer dark mode"),
            ("The user now works at Bosch", "I now work at Bosch"),
            ("The user moved to Bremen.", "I moved to Bremen."),
            ("The user is allergic to nuts.", "I am allergic to nuts."),
            ("The user is a vegetarian", "I am a vegetarian"),
            ("The user has two daughters", "I have two daughters"),
            ("The user doesn't like olives", "I don't like olives"),
            ("The user's name is Tom.", "My name is Tom."),
            (
                "Remember that the user's favorite editor is Helix",
                "Remember that My favorite editor is Helix",
            ),
            ("Der Nutzer wohnt in Köln", "Ich wohne in Köln"),
            ("Die Nutzerin ist allergisch gegen Nüsse", "Ich bin allergisch gegen Nüsse"),
            ("Der Benutzer hat zwei Kinder", "Ich habe zwei Kinder"),
            ("Der Name des Nutzers ist Tom", "Mein Name ist Tom"),
        ] {
            assert_eq!(in_first_person(said), first, "{said}");
        }
    }

    #[test]
    fn what_is_said_of_a_program_s_users_stays() {
        for said in [
            "The user is redirected to /login",
            "The user table has three columns",
            "The user interface is blue",
            "The user clicks the button twice",
            "The user has no permission to write",
            "Der Nutzer wird abgemeldet",
            "Die Nutzerin hat keine Rechte",
            "Mira says the user lives in Hamburg",
            "user lives in a container",
            "I live in Hamburg",
            "",
        ] {
            assert_eq!(in_first_person(said), said);
        }
    }
}
