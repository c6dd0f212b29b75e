//! How something is done, as it is told: taken apart into its steps, put where it belongs, known, renewed, or noted beside.
//!
//! It is known where all its steps stand there in the same order. Where it goes through what is known with other steps, these take
//! their place and the old ones stay in the notes with their dates. Whatever else is said of the same is a note.

use std::collections::BTreeSet;
use std::sync::Mutex;

use jiff::civil::DateTime;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::procedure::{self, NOTES, STEPS, TRIGGER};
use rem_format::slug;
use rem_ledger::{ChangeSet, Store};
use rem_recall::{Addressees, FOR};

use super::incoming::{Incoming, Written, note, short_id};
use super::places::Moved;
use super::remember::{Effect, RememberRequest};
use super::reviving::is_out_of_use;
use super::router::Routing;
use super::statement::stems;
use crate::error::MemoryError;
use crate::memory::Memory;

/// A name has so many words, and what goes on after them is told by a short hash.
const MOST_WORDS: usize = 8;
/// So many characters of a name that goes on are kept, so that the hash fits into a file's name.
const KEPT: usize = 40;

/// What a how-to says, taken apart.
struct HowTo {
    /// The names under which it may be kept, that which new ones get first.
    names: Vec<String>,
    trigger: String,
    steps: Vec<String>,
}

impl Memory {
    /// The file of the procedure that a statement tells, and the change that puts it there.
    pub(crate) fn procedure_set<'a>(
        &'a self,
        routing: &Routing,
        request: &RememberRequest,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let told = taken_apart(&routing.summary);
        let (name, path) = self.procedure_named(&told, incoming)?;
        let HowTo { trigger, steps, .. } = told;
        let learned = format!("{} — {}", incoming.today, incoming.source);
        let pin = request.pin;
        let set = ChangeSet::new().edit(path.clone(), incoming.summary(), move |found| {
            let id = format!("procedure:{name}");
            let Some(bytes) = found else {
                let mut page = Page::parse(
                    procedure::new_page(&name, &trigger, &steps, &learned, incoming.today).as_bytes(),
                )?;
                if pin {
                    page.set_header("Pinned", "yes");
                }
                if let Some(names) = incoming.annotation.get(FOR) {
                    page.set_header("For", names);
                }
                note(written, Written { id, effect: Effect::Added, replaced: None });
                return Ok(Some(page.into_bytes()));
            };
            if Addressees::of_file(&String::from_utf8_lossy(bytes)) != incoming.addressees {
                return Err(Box::new(Moved));
            }
            let mut page = Page::parse(bytes)?;
            let open = page.items_in(STEPS).filter(|(_, item)| item.ended().is_none());
            let known: Vec<String> = open.map(|(_, item)| item.plain().to_owned()).collect();
            let is_noted = page.items_in(NOTES).any(|(_, item)| item.plain() == incoming.text);
            let today = incoming.today;
            let is_older =
                incoming.looks_back && page.header().date("last used").is_some_and(|used| used > today);
            if is_noted || stand_in_order(&steps, &known) {
                if !is_older {
                    page.set_header("Last used", today.to_string());
                }
                note(written, Written { id, effect: Effect::Merged, replaced: None });
            } else if !is_older
                && incoming.may_renew(&page)
                && (goes_through(&steps, &known) || incoming.is_asked() && tells_all(&steps, &known))
            {
                procedure::renew(&mut page, &steps, &learned, today)?;
                note(written, Written { id, effect: Effect::Replaced, replaced: Some(known.join("; ")) });
            } else {
                procedure::refine(&mut page, incoming.text, &learned, today)?;
                note(written, Written { id, effect: Effect::Added, replaced: None });
            }
            Ok(Some(page.into_bytes()))
        });
        Ok((path, set))
    }

    /// The name and the file of a procedure: one that is for others has another, and one that was forgotten is begun anew under the next.
    fn procedure_named(
        &self,
        told: &HowTo,
        incoming: &Incoming<'_>,
    ) -> Result<(String, MemoryPath), MemoryError> {
        let file = |name: &str| self.ledger.layout().file(Store::Procedures, &format!("{name}.md"));
        let is_kept_as = |name: &String| -> Result<bool, MemoryError> {
            let bytes = self.ledger.read(&file(name)?)?.unwrap_or_default();
            Ok(Page::parse(&bytes)
                .is_ok_and(|page| page.section_text(TRIGGER) == Some(told.trigger.as_str())))
        };
        let mut name = told.names[0].clone();
        for other in &told.names[1..] {
            if is_kept_as(other)? {
                name.clone_from(other);
            }
        }
        if self.ledger.read(&file(&name)?)?.is_none()
            && let Some(known) = self.procedure_of(&told.trigger, incoming)?
        {
            name = known;
        }
        let mut wanted = name.clone();
        let mut number = 1;
        loop {
            let path = file(&wanted)?;
            let is_its = match self.ledger.read(&path)? {
                Some(bytes) => {
                    Addressees::of_file(&String::from_utf8_lossy(&bytes)) == incoming.addressees
                        && (!Page::parse(&bytes).is_ok_and(|page| is_out_of_use(&page))
                            || self.forgotten_file(&path, incoming)?.is_none())
                }
                None => true,
            };
            if is_its {
                return Ok((wanted, path));
            }
            number += 1;
            wanted = format!("{name}-{number}");
        }
    }
}

impl Memory {
    /// The one procedure in use that tells how to do the same, however its head is worded.
    fn procedure_of(&self, trigger: &str, incoming: &Incoming<'_>) -> Result<Option<String>, MemoryError> {
        let wanted = matter(trigger);
        if wanted.is_empty() {
            return Ok(None);
        }
        let mut same = Vec::new();
        for known in self.procedures()?.into_iter().filter(|known| !known.archived) {
            if matter(&known.trigger) != wanted {
                continue;
            }
            let bytes = self.ledger.read(&known.path)?.unwrap_or_default();
            if Addressees::of_file(&String::from_utf8_lossy(&bytes)) == incoming.addressees {
                same.push(known.path.file_name().trim_end_matches(".md").to_owned());
            }
        }
        let only = if same.len() == 1 { same.pop() } else { None };
        Ok(only)
    }
}

/// A step as it is compared: its words in small letters.
fn bare(step: &str) -> String {
    let lower = step.to_lowercase();
    let words = lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Whether all of these steps stand among the known ones, in their order.
fn stand_in_order(steps: &[String], known: &[String]) -> bool {
    let mut rest = known.iter().map(|step| bare(step));
    steps.iter().map(|step| bare(step)).all(|step| rest.any(|other| other == step))
}

/// Whether these steps tell what the known ones tell, in another way: at least half of those are there, as they are or with other numbers.
fn goes_through(steps: &[String], known: &[String]) -> bool {
    let without_numbers = |step: &String| {
        let bare = bare(step);
        let words: Vec<&str> = bare.split(' ').filter(|word| !word.contains(char::is_numeric)).collect();
        if words.len() < 2 { bare.clone() } else { words.join(" ") }
    };
    let told: Vec<String> = steps.iter().map(without_numbers).collect();
    let there = known.iter().filter(|step| told.contains(&without_numbers(step))).count();
    there > 0 && 2 * there >= known.len()
}

/// Whether these steps are enough to be told instead of the known ones: a list, and no shorter than half of them.
fn tells_all(steps: &[String], known: &[String]) -> bool {
    steps.len() > 1 && 2 * steps.len() >= known.len()
}

/// Words in the head of a how-to that say nothing of what is done.
const NO_MATTER: &str = " how to we i you our my do does steps step for of the a an procedure guide is are done this these so wie man ich wir macht machen \
    geht anleitung schritte ablauf zum zur das der die den von vom für now jetzt nun ab currently from on here here's that way process workflow \
    instructions vorgehen beim bei 방법 절차 순서 단계 이렇게 우리는 우리 하는 법 이제 步骤 方法 流程 ";

/// What is done by the head of a how-to, in whatever words it says that it tells how.
fn matter(head: &str) -> BTreeSet<String> {
    let stems = stems(&bare(head));
    stems.into_iter().filter(|word| !crate::wording::contains(NO_MATTER, word)).collect()
}

/// The head of a how-to without the words that say that it is so now.
fn timeless(head: &str) -> String {
    let mut text = head.to_owned();
    for now in ["现在", "現在", "目前", "如今"] {
        text = text.replace(now, "");
    }
    let is_now = |word: &&str| {
        let lower = word.to_lowercase();
        matches!(
            lower.trim_matches(|each: char| !each.is_alphanumeric()),
            "now" | "nowadays" | "jetzt" | "nun" | "이제" | "지금은" | "요즘은"
        )
    };
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_now(word)).collect();
    if words.is_empty() { head.to_owned() } else { words.join(" ") }
}

/// A how-to taken apart: what it is called, when it is used, its steps.
fn taken_apart(text: &str) -> HowTo {
    let (head, rest) = match text.split_once([':', '：']) {
        Some((head, rest)) if head.chars().count() <= 80 && !rest.trim().is_empty() => {
            (head.trim(), rest.trim())
        }
        _ => match text.split_once(", ") {
            Some((head, rest)) if head.chars().count() <= 60 => (head.trim(), rest.trim()),
            _ => (text.trim(), text.trim()),
        },
    };
    let mut steps = numbered(rest);
    for separator in [
        "\n",
        "; ",
        " → ",
        " -> ",
        ", then ",
        ", finally ",
        ", and finally ",
        ", zuletzt ",
        "，最后",
        "마지막으로 ",
        ", next ",
        ", danach ",
        ". Then ",
        " and then ",
        ", dann ",
        " und dann ",
        "，然后",
        "그 다음",
        "그다음",
    ] {
        steps = steps.iter().flat_map(|step| step.split(separator)).map(str::to_owned).collect();
    }
    // "First rule, second rule" numbers them, and tells no order.
    let counts = steps
        .iter()
        .any(|step| step.trim_start_matches(['-', '*', ' ']).to_lowercase().starts_with("second "));
    let tidy = |step: &String| {
        let step = step.trim().trim_start_matches(|each: char| {
            each.is_ascii_digit() || matches!(each, '.' | ')' | '-' | '*' | ' ' | '、' | '，')
        });
        let opening = ["first ", "First ", "first, ", "First, ", "zuerst ", "Zuerst ", "먼저 ", "首先", "先"];
        let step =
            opening.iter().find_map(|first| step.strip_prefix(first)).filter(|_| !counts).unwrap_or(step);
        step.trim_end_matches(['.', ',', ';']).trim().to_owned()
    };
    let steps: Vec<String> = steps.iter().map(tidy).filter(|step| !step.is_empty()).collect();
    let mut names = names_of(&timeless(head));
    names.extend(names_of(head).into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
    HowTo { names, trigger: format!("{head}."), steps }
}

/// The steps of a text in one line that numbers them from one on; else the text.
fn numbered(text: &str) -> Vec<String> {
    let mut places = Vec::new();
    for number in 1.. {
        let from = places.last().map_or(0, |at: &usize| at + 1);
        let marks = [
            format!("{number}. "),
            format!("{number}) "),
            format!("({number}) "),
            format!("{number}、"),
            format!("{number}."),
        ];
        let found = marks.iter().filter_map(|mark| {
            let stands = text[from..].match_indices(mark.as_str()).map(|(at, _)| from + at);
            stands.into_iter().find(|at| {
                let before = text[..*at].chars().next_back();
                let after = text[at + mark.len()..].chars().next();
                !before.is_some_and(|each| {
                    each.is_alphanumeric() && !matches!(u32::from(each), 0x3400..=0x9fff) || each == '.'
                }) && !after.is_some_and(|each| each.is_ascii_digit())
            })
        });
        match found.min().filter(|at| text.is_char_boundary(*at)) {
            Some(at) => places.push(at),
            None => break,
        }
    }
    if places.len() < 2 {
        return vec![text.to_owned()];
    }
    places.push(text.len());
    let head = text[..places[0]].trim();
    let steps = places
        .windows(2)
        .map(|place| text[place[0]..place[1]].trim_matches([' ', ',', ';', '，', '；']).to_owned());
    (!head.is_empty()).then(|| head.to_owned()).into_iter().chain(steps).collect()
}

/// The name of a procedure, and the one it would have had before names told apart what they cut off.
fn names_of(head: &str) -> Vec<String> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let hash = || short_id(&bare(head), DateTime::default());
    let short = words.iter().take(MOST_WORDS).copied().collect::<Vec<_>>().join(" ");
    let plain =
        slug::slug(&short).unwrap_or_else(|| format!("procedure-{}", short_id(&short, DateTime::default())));
    let letters = |text: &str| text.chars().filter(|each| each.is_alphanumeric()).count();
    if words.len() <= MOST_WORDS && letters(&plain) >= letters(head) {
        return vec![plain];
    }
    let mut kept = String::new();
    for word in plain.split('-') {
        if kept.chars().count() + word.chars().count() < KEPT {
            kept.push_str(word);
            kept.push('-');
        }
    }
    vec![format!("{kept}{}", hash()), plain]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_apart_what_differs() {
        assert_eq!(names_of("How to deploy"), ["how-to-deploy"]);
        let names =
            |city: &str| names_of(&format!("To deploy the website of the big harbor company in {city}"));
        let (bremen, hamburg) = (names("Bremen"), names("Hamburg"));
        assert_ne!(bremen[0], hamburg[0]);
        assert_eq!(bremen[1], hamburg[1]);
        assert!(bremen[0].starts_with("to-deploy-the-website-of-the-big-"), "{bremen:?}");
        assert!(bremen.iter().all(|name| slug::slug(name).as_ref() == Some(name)), "{bremen:?}");
        assert_eq!(names_of("🚀").len(), 1);
    }

    #[test]
    fn steps_in_one_line_are_steps() {
        for (text, steps) in [
            ("How to deploy Harbor: 1. run tests 2. tag 3. deploy", vec!["run tests", "tag", "deploy"]),
            (
                "So deployen wir: 1) Tests laufen lassen, 2) Tag setzen, 3) ausrollen",
                vec!["Tests laufen lassen", "Tag setzen", "ausrollen"],
            ),
            ("배포 방법: 1. 테스트 2. 태그 3. 배포", vec!["테스트", "태그", "배포"]),
            ("部署方法：1. 测试 2. 打标签 3. 部署", vec!["测试", "打标签", "部署"]),
            ("部署方法：1、测试，2、打标签，3、部署", vec!["测试", "打标签", "部署"]),
            ("How to deploy: first run tests, then tag, finally deploy", vec!["run tests", "tag", "deploy"]),
            ("Two rules hold:\n- first rule\n- second rule", vec!["first rule", "second rule"]),
            ("How to install: run pip install harbor==1.2.3", vec!["run pip install harbor==1.2.3"]),
            ("How to pay: send 1. class letters", vec!["send 1. class letters"]),
        ] {
            assert_eq!(taken_apart(text).steps, steps, "{text}");
        }
    }
}
