//! Front matter from two sides, key by key.

use super::{Clash, annotations};
use crate::document::{Document, Value};

/// The merged front matter with its fences, and where the bodies of base, ours and theirs begin.
pub(super) struct Front {
    pub(super) bytes: Vec<u8>,
    pub(super) starts: [usize; 3],
}

/// Nothing where one of them cannot be read or changed: then it is text.
pub(super) fn merged(base: &[u8], ours: &[u8], theirs: &[u8], clashes: &mut Vec<Clash>) -> Option<Front> {
    let sides = [base, ours, theirs].map(Document::parse);
    let starts = [sides[0].body_start(), sides[1].body_start(), sides[2].body_start()];
    let heads = [&base[..starts[0]], &ours[..starts[1]], &theirs[..starts[2]]];
    let front = |bytes: &[u8]| Some(Front { bytes: bytes.to_vec(), starts });
    if heads[1] == heads[2] || heads[0] == heads[2] {
        return front(heads[1]);
    }
    if heads[0] == heads[1] {
        return front(heads[2]);
    }
    let [before, here, there] =
        [sides[0].entries().ok()?, sides[1].entries().ok()?, sides[2].entries().ok()?];
    let find = |entries: &[(String, Value)], key: &str| {
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    };
    let mut document = Document::parse(heads[1]);
    let mut keys: Vec<&String> = here.iter().map(|(key, _)| key).collect();
    keys.extend(there.iter().map(|(key, _)| key).filter(|key| find(&here, key).is_none()));
    let mut own = Vec::new();
    for key in keys {
        let (was, one, other) = (find(&before, key), find(&here, key), find(&there, key));
        let value = if one == other || other == was {
            one.clone()
        } else if one == was {
            other.clone()
        } else {
            one_of(key, was.as_ref(), one.clone(), other.clone(), &mut own)
        };
        match value {
            value if value == one => {}
            Some(value) => document.set(key, &value).ok()?,
            None => document.remove(key).ok()?,
        }
    }
    clashes.append(&mut own);
    front(document.as_bytes())
}

fn one_of(
    key: &str,
    base: Option<&Value>,
    ours: Option<Value>,
    theirs: Option<Value>,
    clashes: &mut Vec<Clash>,
) -> Option<Value> {
    let (one, other) = match (ours, theirs) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    if let (Value::List(here), Value::List(there)) = (&one, &other) {
        let before: &[Value] = match base {
            Some(Value::List(before)) => before,
            _ => &[],
        };
        let stays = |value: &&Value, side: &[Value]| side.contains(value) || !before.contains(value);
        let mut list: Vec<Value> = here.iter().filter(|value| stays(value, there)).cloned().collect();
        for value in there.iter().filter(|value| stays(value, here)) {
            if !list.contains(value) {
                list.push(value.clone());
            }
        }
        return Some(Value::List(list));
    }
    let text = |value: &Value| value.to_text().filter(|text| !text.contains('\n'));
    if let (Some(first), Some(second)) = (text(&one), text(&other)) {
        let before = base.and_then(text);
        let merged = annotations::value(key, before.as_deref(), Some(&first), Some(&second));
        // Words of two sides are not one word: a person says which.
        if let Some(merged) =
            merged.filter(|merged| *merged == first || *merged == second || one.as_integer().is_some())
        {
            return Some(match merged {
                merged if merged == first => one,
                merged if merged == second => other,
                merged => merged.parse().map_or(one, Value::Integer),
            });
        }
    }
    let told =
        |value: &Value| text(value).unwrap_or_else(|| serde_json::to_string(value).unwrap_or_default());
    clashes.push(Clash {
        kept: format!("{key}: {}", told(&one)),
        other: format!("{key}: {}", told(&other)),
        is_corrected: false,
    });
    Some(one)
}
