//! One item that both sides have: its text, and what is known of it.

use jiff::civil::Date;

use super::blocks::{Block, Kind};
use super::{Clash, annotations};
use crate::annotation::Annotation;
use crate::page::Page;

/// What an item says, and what is known of it.
struct Said<'a> {
    text: &'a str,
    annotation: &'a Annotation,
}

fn said<'a>(block: &'a Block<'_>) -> Option<Said<'a>> {
    match &block.kind {
        Kind::Item { text, annotation } => Some(Said { text, annotation }),
        _ => None,
    }
}

/// Without the strokes of what no longer holds.
pub(super) fn plain(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("~~").and_then(|text| text.strip_suffix("~~")).unwrap_or(text)
}

/// An item that both sides changed, in one. Where both changed its words, one wording holds and the other stays readable: in its comment
/// in MEMORY.md, struck through below it elsewhere.
pub(super) fn united(
    base: Option<&Block<'_>>,
    ours: &Block<'_>,
    theirs: &Block<'_>,
    is_core: bool,
    day: Date,
    clashes: &mut Vec<Clash>,
) -> Vec<u8> {
    let (Some(here), Some(there)) = (said(ours), said(theirs)) else { return ours.bytes.to_vec() };
    let before = base.and_then(said);
    let known = annotations::merged(
        before.as_ref().map(|before| before.annotation),
        here.annotation,
        there.annotation,
    );
    let was = before.as_ref().map(|before| before.text);
    if plain(here.text) == plain(there.text) {
        // Struck through on one side, it does not hold any more.
        let struck = [&here, &there].into_iter().find(|side| side.annotation.get("superseded").is_some());
        let text =
            struck.map_or(if was == Some(here.text) { there.text } else { here.text }, |side| side.text);
        return rendered(ours.bytes, text, &known);
    }
    if was == Some(here.text) {
        return rendered(theirs.bytes, there.text, &known);
    }
    if was == Some(there.text) {
        return rendered(ours.bytes, here.text, &known);
    }
    // What was only made shorter says nothing else.
    if is_shortened(here.text, there.text) {
        return rendered(theirs.bytes, there.text, &known);
    }
    if is_shortened(there.text, here.text) {
        return rendered(ours.bytes, here.text, &known);
    }
    let first = weight(&here) >= weight(&there);
    let (winner, loser) = if first { (&here, &there) } else { (&there, &here) };
    let (won, lost) = if first { (ours, theirs) } else { (theirs, ours) };
    clashes.push(Clash {
        kept: plain(winner.text).to_owned(),
        other: plain(loser.text).to_owned(),
        is_corrected: is_correction(winner) && !is_correction(loser),
    });
    let mut annotation = winner.annotation.clone();
    for key in ["id", "mentions", "uses", "since"] {
        if let Some(value) = known.get(key) {
            annotation.set(key, value);
        }
    }
    if is_core {
        let since = loser.annotation.get("since").unwrap_or("?");
        let was = format!("{} (since {since} to {day})", plain(loser.text));
        let all = [winner.annotation.get("was"), loser.annotation.get("was")].into_iter().flatten();
        let was = all.fold(was, |all, was| annotations::united(&all, was, "; "));
        return rendered(won.bytes, winner.text, &annotation.with("was", was));
    }
    let mut bytes = rendered(won.bytes, winner.text, &annotation);
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    // One id is one memory's alone.
    let mut of_loser = loser.annotation.clone();
    of_loser.remove("id");
    let is_struck = of_loser.get("superseded").is_some();
    let struck = match is_struck || loser.text.contains('\n') || loser.text.contains("~~") {
        true => loser.text.to_owned(),
        false => format!("~~{}~~", loser.text.trim()),
    };
    if !is_struck {
        of_loser.set("superseded", day.to_string());
        of_loser.set("by", plain(winner.text));
    }
    bytes.extend(rendered(lost.bytes, &struck, &of_loser));
    bytes
}

/// Whether a text is the beginning of another, with the sign of what was left out.
fn is_shortened(text: &str, whole: &str) -> bool {
    text.trim_end().strip_suffix('…').is_some_and(|start| whole.starts_with(start))
}

/// The same item under another id.
pub(super) fn with_id(block: &Block<'_>, id: &str) -> Vec<u8> {
    match said(block) {
        Some(item) => rendered(block.bytes, item.text, &item.annotation.clone().with("id", id)),
        None => block.bytes.to_vec(),
    }
}

/// An item's lines with another text and another comment.
fn rendered(bytes: &[u8], text: &str, annotation: &Annotation) -> Vec<u8> {
    match Page::parse(bytes) {
        Ok(mut page) if page.items().len() == 1 => {
            page.set(0, text, annotation);
            page.into_bytes()
        }
        _ => bytes.to_vec(),
    }
}

/// A correction before anything else, then what was said later; the words decide where nothing else does, so that it is the same on
/// both sides.
fn weight<'a>(item: &Said<'a>) -> (bool, bool, &'a str, &'a str) {
    let holds = item.annotation.get("superseded").is_none();
    let day = item.annotation.get("last").or_else(|| item.annotation.get("since")).unwrap_or_default();
    (holds, is_correction(item), day, item.text)
}

fn is_correction(item: &Said<'_>) -> bool {
    let is_word = |text: &str, word: &str| {
        text.to_lowercase()
            .split(|each: char| !(each.is_alphanumeric() || matches!(each, '#' | '_' | '-')))
            .any(|each| each == word)
    };
    is_word(item.text, "#correction")
        || ["type", "kind", "tag", "tags"].into_iter().any(|key| {
            item.annotation.get(key).is_some_and(|tags| is_word(&tags.replace('#', " "), "correction"))
        })
}
