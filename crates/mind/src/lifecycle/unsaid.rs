//! Texts that are not to be told, and whether a sentence or a heading tells one of them, in words that may differ a little.

use crate::lifecycle::extract::shares;
use crate::stores::statement::{Comparison, Statement};

/// So many bytes of the beginning of a text tell it.
const BEGUN: usize = 8;

/// Texts that are not to be told.
#[derive(Default)]
pub(super) struct Unsaid(Vec<Text>);

struct Text {
    said: String,
    letters: String,
    statement: Statement,
}

impl Unsaid {
    pub(super) fn add(&mut self, text: &str) {
        let letters = letters_of(text);
        if !letters.is_empty() && !self.0.iter().any(|known| known.letters == letters) {
            self.0.push(Text { said: text.to_owned(), letters, statement: Statement::new(text) });
        }
    }

    /// Whether a sentence tells one: the same, or it with some words around it, or most of it.
    pub(super) fn is_told_by(&self, sentence: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (letters, statement) = (letters_of(sentence), Statement::new(sentence));
        self.0.iter().any(|text| {
            letters.contains(&text.letters)
                || !letters.is_empty()
                    && 2 * letters.len() >= text.letters.len()
                    && text.letters.contains(&letters)
                || statement.compared_to(&text.statement) == Comparison::Same
        })
    }

    /// Whether a heading, which may be a sentence cut short, tells of one.
    pub(super) fn is_headed_by(&self, heading: &str) -> bool {
        let whole = heading.trim_end_matches(['…', ' ']);
        let is_cut = whole.len() < heading.trim_end().len();
        let heading = whole;
        self.is_told_by(heading)
            || is_cut && self.is_begun_by(&letters_of(heading))
            || self.0.iter().any(|text| shares(&text.said, heading) || shares(heading, &text.said))
    }

    /// Whether what is cut short at its end begins with one.
    fn is_begun_by(&self, letters: &str) -> bool {
        let mut ends = letters.char_indices().map(|(at, _)| &letters[at..]).filter(|end| end.len() >= BEGUN);
        ends.any(|end| self.0.iter().any(|text| text.letters.starts_with(end)))
    }
}

/// The letters and figures of a text alone.
fn letters_of(text: &str) -> String {
    text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The sentences of a line that was condensed, each with the sign that ends it.
pub(super) fn sentences(line: &str) -> Vec<&str> {
    let (mut found, mut from) = (Vec::new(), 0);
    let mut signs = line.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let is_last = match sign {
            '.' | '!' | '?' => signs.peek().is_some_and(|(_, next)| next.is_whitespace()),
            _ => matches!(sign, '。' | '！' | '？'),
        };
        if is_last {
            let end = at + sign.len_utf8();
            found.push(&line[from..end]);
            from = end;
        }
    }
    found.push(&line[from..]);
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// A line without the sentences of which this is so; as it is where it is so of none, nothing where it is so of all.
pub(super) fn without(line: &str, is_gone: impl Fn(&str) -> bool) -> Option<String> {
    let all = sentences(line);
    let left: Vec<&str> = all.iter().copied().filter(|sentence| !is_gone(sentence.trim())).collect();
    match left.len() {
        0 => None,
        count if count == all.len() => Some(line.to_owned()),
        // The last one of a line has no sign at its end.
        _ => Some(left.concat().trim().trim_end_matches('.').to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_or_a_heading_tells_what_is_not_to_be_told() {
        let mut unsaid = Unsaid::default();
        for text in ["My salary is 90,000 euros", "내 연봉은 9천만 원이야", "我的工资是九万欧元"]
        {
            unsaid.add(text);
        }
        for told in [
            "Please remember that my salary is 90,000 euros!",
            "기억해 줘: 내 연봉은 9천만 원이야.",
            "请记住，我的工资是九万欧元。",
        ] {
            assert!(unsaid.is_told_by(told) && unsaid.is_headed_by(told), "{told}");
        }
        assert!(unsaid.is_headed_by("Please remember that my salary is …"));
        for other in
            ["The plumber comes on Monday", "보일러를 고쳤어", "我在地下室修好了锅炉", "Budget of the house"]
        {
            assert!(!unsaid.is_told_by(other) && !unsaid.is_headed_by(other), "{other}");
        }
        let line = "I met Bo. My salary is 90,000 euros. It rains";
        assert_eq!(without(line, |text| unsaid.is_told_by(text)).unwrap(), "I met Bo. It rains");
        assert_eq!(without("I met Bo", |text| unsaid.is_told_by(text)).unwrap(), "I met Bo");
        assert_eq!(without("I met Bo. It rains", |text| text == "It rains").unwrap(), "I met Bo");
        assert_eq!(
            sentences("보일러를 고쳤다. 밸브를 달았다。好了！ok 1.5 m"),
            ["보일러를 고쳤다.", " 밸브를 달았다。", "好了！", "ok 1.5 m"]
        );
        assert_eq!(without("My salary is 90,000 euros.", |text| unsaid.is_told_by(text)), None);
    }
}
