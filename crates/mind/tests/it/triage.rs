//! How often the triage of messages is right on labelled ones.
//!
//! `tune` was looked at while patterns were written, so what is measured on it only shows what got worse; `held-out` was not. With
//! `--nocapture` the counts are printed, never a text.

use std::collections::BTreeMap;
use std::fmt::Write;

use rem_mind::attention::triage::{CustomPatterns, Family, Side, triage};
use serde_json::Value;

const TUNE: &str = include_str!("../triage/tune.jsonl");

/// True positives, false positives, false negatives.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Counts {
    fn count(&mut self, found: bool, wanted: bool) {
        self.right += usize::from(found && wanted);
        self.wrong += usize::from(found && !wanted);
        self.missed += usize::from(!found && wanted);
    }

    fn precision(self) -> f64 {
        share(self.right, self.right + self.wrong)
    }

    fn recall(self) -> f64 {
        share(self.right, self.right + self.missed)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(whole).unwrap()) }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { right, wrong, missed } = self;
        write!(
            formatter,
            "tp {right:>3}  fp {wrong:>3}  fn {missed:>3}  precision {:.2}  recall {:.2}",
            self.precision(),
            self.recall()
        )
    }
}

/// By family, and by language and family; and how many messages without a label fired.
#[derive(Debug, Default)]
struct Measured {
    families: BTreeMap<&'static str, Counts>,
    languages: BTreeMap<(String, &'static str), Counts>,
    plain_talk: (usize, usize),
    messages: usize,
}

fn measure(lines: &str) -> Measured {
    let custom = CustomPatterns::default();
    let mut measured = Measured::default();
    for line in lines.lines() {
        let labelled: Value = serde_json::from_str(line).unwrap();
        let labels: Vec<&str> =
            labelled["labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect();
        let language = labelled["lang"].as_str().unwrap();
        let found = triage(labelled["text"].as_str().unwrap(), Side::Input, &custom);
        for family in Family::ALL.into_iter().filter(|family| *family != Family::Custom) {
            let (is_found, is_wanted) = (found.has(family), labels.contains(&family.as_str()));
            measured.families.entry(family.as_str()).or_default().count(is_found, is_wanted);
            let key = (language.to_owned(), family.as_str());
            measured.languages.entry(key).or_default().count(is_found, is_wanted);
            #[cfg(all())]
            if is_found != is_wanted { println!("{} {} {} {:?} {:?}", if is_found {"FP"} else {"FN"}, family.as_str(), labelled["id"], found.matches.iter().filter(|m| m.family==family).map(|m| (&m.pattern,&m.text)).collect::<Vec<_>>(), labelled["text"].as_str().unwrap()); }
        }
        if labels.is_empty() {
            measured.plain_talk.0 += usize::from(!found.is_empty());
            measured.plain_talk.1 += 1;
        }
        measured.messages += 1;
    }
    measured
}

fn report(title: &str, measured: &Measured) -> String {
    let (fired, of) = measured.plain_talk;
    let mut report = format!("\n{title}: {} messages; of {of} without a label {fired} fired\n", measured.messages);
    for (family, counts) in &measured.families {
        writeln!(report, "  {family:<16}   {counts}").unwrap();
    }
    for ((language, family), counts) in &measured.languages {
        writeln!(report, "  {language} {family:<16}{counts}").unwrap();
    }
    report
}

#[test]
#[allow(clippy::print_stdout, reason = "the counts are for whoever runs this test with --nocapture")]
fn triage_is_right_about_most_messages() {
    let tune = measure(TUNE);
    println!("{}", report("tune", &tune));
    assert_eq!(tune.messages, 300);
}
