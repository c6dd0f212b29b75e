//! A conflict as a person settles it: of two memories, or of two wordings that a merge found in one file.
//!
//! What one memory says is put right by a correction, wherever it stands. Of what a merge found in any other file (an identity, CONFIG.md, a
//! note) the lines themselves are changed, through the door, so that what needs a signature asks for one; where they cannot be found nothing
//! is settled.

use std::ops::Range;

use rem_format::audit::Approval;
use rem_format::config::Config;
use rem_format::conflict::{self, Conflict, Kept, Rule, Side};
use rem_format::merge::merge;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{AS_IT_IS, ChangeSet, EditError, Provenance, Store};

use super::conflicts::{ConflictResolved, Resolution};
use super::corrections::{CorrectRequest, Correcting};
use super::standing::Standing;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::elsewhere::Place;

/// What follows a file in the place of the side that a merge kept.
pub(crate) const KEPT_BY_A_MERGE: &str = ", kept by the merge";

/// What the trigger of a correction begins with that comes of a settled conflict.
pub(super) const RESOLVING: &str = "rem conflicts resolve";

impl Memory {
    /// Settles a conflict as the operator says: what is wrong is superseded wherever it stands, and a correction says so for good. Of what a
    /// merge found in a file that holds no memories the file's lines are changed.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where no conflict of that id is open or its file does not say it any more, [`MemoryError::Refused`] for a named
    /// agent where a person is asked, or as [`rem_ledger::Ledger::apply`].
    pub fn resolve_conflict(
        &self,
        id: &str,
        resolution: &Resolution,
    ) -> Result<ConflictResolved, MemoryError> {
        let log = self.path(Store::Conflicts).clone();
        let bytes = self.ledger.read(&log)?.unwrap_or_default();
        let found = conflict::parse(&bytes).into_iter().find(|conflict| conflict.id == id);
        let hint = "`rem conflicts list` shows those that are open";
        let conflict =
            found.ok_or_else(|| MemoryError::usage(format!("there is no conflict {id:?}"), hint))?;
        if let Some((at, kept)) = conflict.resolved {
            return Err(MemoryError::usage(format!("{id} was settled on {at}: {kept}"), hint));
        }
        if conflict.rule == Rule::OperatorReview {
            self.only_a_person("saying which of two memories is right")?;
        }
        let (kept, right) = match resolution {
            Resolution::First => (Kept::First, conflict.first.text.clone()),
            Resolution::Second => (Kept::Second, conflict.second.text.clone()),
            Resolution::Both => (Kept::Both, String::new()),
            Resolution::Neither(right) if is_same_text(right, &conflict.first.text) => {
                (Kept::First, conflict.first.text.clone())
            }
            Resolution::Neither(right) if is_same_text(right, &conflict.second.text) => {
                (Kept::Second, conflict.second.text.clone())
            }
            Resolution::Neither(right) => (Kept::Neither, right.clone()),
        };
        let file = clashed_in(&conflict);
        if file.is_none()
            && let Some(stands) = self.settled_since(&conflict)?
        {
            let side = [&conflict.first.text, &conflict.second.text];
            let left = match stands {
                Kept::First => format!("“{}” alone holds", side[0]),
                Kept::Second => format!("“{}” alone holds", side[1]),
                Kept::Both | Kept::Neither => "neither side holds any more".to_owned(),
            };
            return Err(MemoryError::usage(
                format!("{id} was settled meanwhile: {left}"),
                "`rem conflicts scan` closes it; `rem corrections add` says what is right instead",
            ));
        }
        let place = match &file {
            Some(path) => self.place_of_memories(path, &conflict)?,
            None => None,
        };
        let corrections = match (&file, &place) {
            (Some(_), None) => Vec::new(),
            _ => self.corrections_of(&conflict, kept, &right, place)?,
        };
        let closed = corrections.iter().flat_map(Correcting::closed).collect::<Vec<_>>();
        if !closed.is_empty() {
            let reason = "the operator's signature is needed, and nobody can be asked here".to_owned();
            return Err(rem_ledger::LedgerError::Unsigned { paths: closed, reason }.into());
        }
        let incoming: Vec<_> = corrections.iter().map(|correction| correction.incoming(self)).collect();
        let (now, settled) = (self.now(), id.to_owned());
        let mut set = ChangeSet::new().edit(log, format!("{id} settled: {kept}"), move |bytes| {
            let bytes = bytes.unwrap_or_default();
            let is_open =
                conflict::parse(bytes).iter().any(|each| each.id == settled && each.resolved.is_none());
            match conflict::resolve(bytes, &settled, now, kept).filter(|_| is_open) {
                Some(after) => Ok(Some(after)),
                None => Err("somebody else has settled it".into()),
            }
        });
        if let Some(path) = file.filter(|_| corrections.is_empty()) {
            set = set.and(self.rewording(&path, &conflict, kept, &right)?);
        }
        for (correction, incoming) in corrections.iter().zip(&incoming) {
            set = set.and(correction.set(self, incoming)?);
        }
        let trigger = format!("conflict {id} settled: {kept}");
        let provenance = match self.named_agent() {
            Some(_) => self.asked_for(trigger),
            None => Provenance::new(self.agent_or("manual"), Approval::Approved, trigger),
        };
        let applied = self.change(set, &provenance)?;
        Ok(ConflictResolved { id: id.to_owned(), kept: kept.to_string(), change: applied.change })
    }

    /// The corrections that say what is right of two memories; `place` is a file to look in besides.
    fn corrections_of(
        &self,
        conflict: &Conflict,
        kept: Kept,
        right: &str,
        place: Option<Place>,
    ) -> Result<Vec<Correcting>, MemoryError> {
        let (first, second) = (&conflict.first.text, &conflict.second.text);
        let wrong = match kept {
            Kept::First => vec![second],
            Kept::Second => vec![first],
            Kept::Both => Vec::new(),
            Kept::Neither => vec![first, second],
        };
        let correcting = |wrong: &String| {
            let request = CorrectRequest {
                wrong: Some(wrong.clone()),
                right: right.to_owned(),
                trigger: Some(format!("{RESOLVING} {}", conflict.id)),
                ..CorrectRequest::default()
            };
            self.correcting(&request, self.corrector(), place.clone())
        };
        wrong.into_iter().filter(|wrong| !wrong.is_empty()).map(correcting).collect()
    }

    /// What became of a conflict that somebody settled otherwise, by a correction, by forgetting: nothing while both sides stand.
    fn settled_since(&self, conflict: &Conflict) -> Result<Option<Kept>, MemoryError> {
        let mut said = self.stored_about(&conflict.first.text)?;
        said.extend(self.stored_about(&conflict.second.text)?);
        if [&conflict.first, &conflict.second].iter().all(|side| said.contains(&side.text)) {
            return Ok(None);
        }
        // Not where it would be looked for first.
        let all = self.all_standing(None)?;
        Ok(settled_among(&all.statements, conflict, self.path(Store::Corrections).as_str()))
    }

    /// The file of a merge's clash as a place of memories, where one of its items says one of both sides.
    fn place_of_memories(
        &self,
        path: &MemoryPath,
        conflict: &Conflict,
    ) -> Result<Option<Place>, MemoryError> {
        let layout = self.ledger.layout();
        let place = match (self.entity_at(path), layout.store_of(path)) {
            (Some(id), _) => Place::Entity(path.clone(), id),
            (None, Some(Store::Core)) => Place::Page(path.clone(), "core"),
            (None, Some(Store::Vault)) => Place::Page(path.clone(), "vault"),
            (None, Some(Store::Reference)) => Place::Page(path.clone(), "fact"),
            _ => return Ok(None),
        };
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(None) };
        let sides = [&conflict.first.text, &conflict.second.text];
        let says = page.items().iter().any(|item| sides.iter().any(|side| item.plain() == side.as_str()));
        Ok(says.then_some(place))
    }

    /// The change of the lines of a file that a merge found two wordings of.
    fn rewording(
        &self,
        path: &MemoryPath,
        conflict: &Conflict,
        kept: Kept,
        right: &str,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        if conflict.second.text == format!("{path}{AS_IT_IS}") && matches!(kept, Kept::First | Kept::Both) {
            return self.taking_in(path, conflict, kept);
        }
        let (other, here) = (conflict.first.text.clone(), conflict.second.text.clone());
        // An entry holds its words on one line: how many lines they were, and how far in, the history knows.
        let there = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            run_of(&text, &other).map(|lines| text[lines].to_owned())
        };
        let there = self.ledger.first_in_history(path, there)?;
        let by_hand = || {
            MemoryError::usage(
                format!(
                    "{path} does not say any more what {} is about, and nothing was settled",
                    conflict.id
                ),
                format!(
                    "put into {path} what is right, then `rem conflicts resolve {} --keep second`",
                    conflict.id
                ),
            )
        };
        let right = right.to_owned();
        let reword = move |text: &str| reworded(text, [&other, &here], there.as_deref(), kept, &right);
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let after = reword(&String::from_utf8_lossy(&bytes)).ok_or_else(by_hand)?;
        self.may_be_config(path, &after)?;
        if after.as_bytes() == bytes {
            return Ok(ChangeSet::new());
        }
        Ok(ChangeSet::new().edit(path.clone(), "settled as the operator says", move |bytes| {
            let text = String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
            let after = reword(&text).ok_or_else(|| EditError::from("it changed meanwhile: try again"))?;
            Ok(Some(after.into_bytes()))
        }))
    }
}

impl Memory {
    /// The change that takes the other side's version of a file in after all, which a merge had left out as a whole.
    fn taking_in(
        &self,
        path: &MemoryPath,
        conflict: &Conflict,
        kept: Kept,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let told = &conflict.first.text;
        let told = told.rsplit_once(" (").map_or(told.as_str(), |(lines, _)| lines);
        let says = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            told.split("; ").all(|line| text.contains(line))
        };
        let gone = || {
            MemoryError::usage(
                format!("the history has no version of {path} any more that {} is about", conflict.id),
                format!(
                    "put into {path} what is right, then `rem conflicts resolve {} --keep second`",
                    conflict.id
                ),
            )
        };
        let found = self.ledger.first_version(path, |bytes| says(bytes).then(|| bytes.to_vec()))?;
        let (commit, there) = found.ok_or_else(gone)?;
        let before = match kept {
            Kept::First => self.ledger.contents_at(&format!("{commit}^"), path).ok().flatten(),
            _ => None,
        };
        let (shape, day) = (self.ledger.layout().shape_of(path), self.today());
        let reword = move |found: &[u8]| {
            let from = |base: Option<&[u8]>| merge(shape, base, &there, found, day).bytes;
            // What they changed last may not be all that they have.
            Some(from(before.as_deref()))
                .filter(|bytes| says_all(bytes, &there))
                .unwrap_or_else(|| from(None))
        };
        let after = reword(&self.ledger.read(path)?.unwrap_or_default());
        self.may_be_config(path, &String::from_utf8_lossy(&after))?;
        Ok(ChangeSet::new().edit(path.clone(), "settled as the operator says", move |found| {
            Ok(Some(reword(found.unwrap_or_default())))
        }))
    }

    /// Refuses a CONFIG.md that could not be read.
    fn may_be_config(&self, path: &MemoryPath, after: &str) -> Result<(), MemoryError> {
        let is_config = self.ledger.layout().store_of(path) == Some(Store::Config);
        match Config::parse(after) {
            Err(error) if is_config => Err(MemoryError::usage(
                format!("CONFIG.md could not be read with that: {error}"),
                "`rem config set` changes a setting; `rem conflicts resolve --keep second` leaves CONFIG.md as it is",
            )),
            _ => Ok(()),
        }
    }
}

/// Whether a text has all lines of another one.
fn says_all(text: &[u8], other: &[u8]) -> bool {
    let (text, other) = (String::from_utf8_lossy(text), String::from_utf8_lossy(other));
    let known: std::collections::HashSet<&str> = text.lines().map(str::trim).collect();
    other.lines().all(|line| known.contains(line.trim()))
}

/// What is left of a conflict among what holds: nothing where both sides do, or where it is no matter of memories that are everybody's.
pub(super) fn settled_among(all: &[Standing], conflict: &Conflict, corrections: &str) -> Option<Kept> {
    if conflict.resolved.is_some() || conflict.rule != Rule::OperatorReview || clashed_in(conflict).is_some()
    {
        return None;
    }
    let stands = |side: &Side| {
        // What waits to be put right is said by the correction.
        side.place.starts_with(corrections)
            || side.text.is_empty()
            || all.iter().any(|each| each.text == side.text || each.item == side.text)
    };
    match (stands(&conflict.first), stands(&conflict.second)) {
        (true, true) => None,
        (true, false) => Some(Kept::First),
        (false, true) => Some(Kept::Second),
        (false, false) => Some(Kept::Neither),
    }
}

/// Whether two say the same in the same words, whatever their case and their stop.
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let words = text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
        words.trim_end_matches(['.', '!', '。']).to_owned()
    };
    plain(one) == plain(other)
}

/// The file in which a merge found both sides; nothing for a conflict of two memories.
fn clashed_in(conflict: &Conflict) -> Option<MemoryPath> {
    MemoryPath::new(conflict.second.place.strip_suffix(KEPT_BY_A_MERGE)?).ok()
}

/// A file's text as it is settled; nothing where it does not hold what that needs. `there` are the other side's lines as they were.
fn reworded(
    text: &str,
    [other, here]: [&str; 2],
    there: Option<&str>,
    kept: Kept,
    right: &str,
) -> Option<String> {
    let (other, here) = (run_of(text, other), run_of(text, here));
    let with =
        |lines: &Range<usize>, new: &str| format!("{}{new}{}", &text[..lines.start], &text[lines.end..]);
    match (kept, other, here) {
        (Kept::First, Some(_), Some(here)) => Some(with(&here, "")),
        (Kept::First, None, Some(here)) => Some(with(&here, &ended(there?))),
        (Kept::First, Some(_), None) | (Kept::Both, Some(_), _) | (Kept::Second, _, None) => {
            Some(text.to_owned())
        }
        (Kept::Second, Some(other), Some(_)) => Some(with(&other, "")),
        (Kept::Second, None, _) => Some(text.to_owned()),
        (Kept::Both, None, Some(here)) => {
            let lines = format!("{}{}", ended(&text[here.clone()]), ended(there?));
            Some(with(&here, &lines))
        }
        (Kept::Neither, other, Some(here)) => {
            let line = format!("{}{right}\n", mark_of(&text[here.clone()], right));
            let after = with(&here, &line);
            match other.and_then(|other| run_of(&after, &text[other])) {
                Some(other) => Some(format!("{}{}", &after[..other.start], &after[other.end..])),
                None => Some(after),
            }
        }
        (Kept::First | Kept::Both | Kept::Neither, _, None) => None,
    }
}

fn ended(lines: &str) -> String {
    if lines.ends_with('\n') { lines.to_owned() } else { format!("{lines}\n") }
}

/// What stands before the words of a line, as far as others do not have it: how far in it is, and the mark of a list.
fn mark_of<'l>(line: &'l str, right: &str) -> &'l str {
    let inner = line.trim_start();
    let is_mark = |mark: &&&str| inner.starts_with(**mark) && !right.starts_with(**mark);
    let mark = ["- ", "* ", "+ ", "> "].iter().find(is_mark).map_or(0, |mark| mark.len());
    &line[..line.len() - inner.len() + mark]
}

/// The whole lines of a text that say these words and nothing else.
fn run_of(text: &str, wanted: &str) -> Option<Range<usize>> {
    let wanted: Vec<&str> = wanted.split_whitespace().collect();
    let mut lines = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        lines.push((begin, line));
        begin += line.len();
    }
    if wanted.is_empty() {
        return None;
    }
    (0..lines.len()).filter(|first| !lines[*first].1.trim().is_empty()).find_map(|first| {
        let mut left = wanted.as_slice();
        for (begin, line) in &lines[first..] {
            for word in line.split_whitespace() {
                left = left.split_first().filter(|(next, _)| **next == word)?.1;
            }
            if left.is_empty() {
                return Some(lines[first].0..begin + line.len());
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUL: &str = "# Soul\n\n- Be brief\n- Be kind,\n  and patient\n\nI listen.\n";

    #[test]
    fn whole_lines_are_found_by_their_words() {
        let found = |wanted: &str| run_of(SOUL, wanted).map(|lines| &SOUL[lines]);
        assert_eq!(found("- Be brief"), Some("- Be brief\n"));
        assert_eq!(found("- Be kind, and patient"), Some("- Be kind,\n  and patient\n"));
        assert_eq!(found("- Be"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn each_way_to_settle_leaves_what_it_says() {
        let settled = |kept, right: &str, there: Option<&str>| {
            reworded(SOUL, ["- Be short", "- Be brief"], there, kept, right).map(|text| text[8..].to_owned())
        };
        let rest = "- Be kind,\n  and patient\n\nI listen.\n";
        let there = Some("- Be short\n");
        assert_eq!(settled(Kept::First, "", there), Some(format!("- Be short\n{rest}")));
        assert_eq!(settled(Kept::Second, "", there), Some(format!("- Be brief\n{rest}")));
        assert_eq!(settled(Kept::Both, "", there), Some(format!("- Be brief\n- Be short\n{rest}")));
        assert_eq!(settled(Kept::Neither, "Be exact", None), Some(format!("- Be exact\n{rest}")));
        assert_eq!(settled(Kept::First, "", None), None, "nobody knows how it was written");
        let both = "- a\n- b\n";
        let of_both = |kept, right: &str| reworded(both, ["- b", "- a"], Some("- b\n"), kept, right);
        assert_eq!(of_both(Kept::First, "").as_deref(), Some("- b\n"));
        assert_eq!(of_both(Kept::Second, "").as_deref(), Some("- a\n"));
        assert_eq!(of_both(Kept::Neither, "c").as_deref(), Some("- c\n"));
        assert_eq!(reworded("- z\n", ["- b", "- a"], Some("- b\n"), Kept::Neither, "c"), None);
    }
}
