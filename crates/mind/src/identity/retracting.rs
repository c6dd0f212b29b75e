//! Corrections that nobody would believe any more, taken back (P5.4, I7), with what they had put into the stores.
//!
//! What an agent had corrected holds again as it stood, unless somebody has said something else since. In MEMORY.md only the words of what was
//! are left: there a person is asked.

use jiff::Timestamp;
use jiff::civil::Date;
use rem_format::conflict::{Conflict, Kept, Rule, Side};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::entity::{Entity, FACTS};
use rem_format::fielded;
use rem_format::page::{Item, Page};
use rem_format::slug;
use rem_ledger::{ChangeSet, EditError, Store};
use rem_recall::Addressees;

use super::standing::items_of;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::confidence::confidence_on;
use crate::stores::edges::{Ending, end_edges_of};
use crate::stores::elsewhere::Place;
use crate::stores::incoming::undated;

impl Memory {
    /// The corrections that nobody would believe any more (P5.4, I7): those that are no operator's and whose confidence fell below
    /// `corrections.retraction_confidence`. Where the identity has learned from one, a person looks at that.
    pub(super) fn retractions(
        &self,
        now: Timestamp,
    ) -> Result<Vec<(String, Conflict, ChangeSet<'static>)>, MemoryError> {
        let path = self.path(Store::Corrections).clone();
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let today = self.today();
        let day = |time: Timestamp| time.to_zoned(self.time_zone().clone()).date();
        let mut retractions = Vec::new();
        for each in correction::parse(&bytes).into_iter().map(|placed| placed.correction) {
            let confidence = confidence_on(each.confidence, day(each.logged), today, &self.config.confidence);
            let is_sure = confidence >= self.config.corrections.retraction_confidence;
            if each.by == CorrectedBy::Operator || each.is_retracted || is_sure {
                continue;
            }
            let (given_back, is_asked) = self.giving_back(&each)?;
            let mut found = Conflict {
                id: fielded::id_of('x', &format!("{} {}", each.id, each.logged)),
                found: now,
                first: Side {
                    text: each.right,
                    place: format!("{path}, confidence decayed below threshold: {confidence:.2}"),
                },
                second: Side::default(),
                rule: Rule::ConfidenceDecayed,
                resolved: (each.encoded.is_none() && !is_asked).then_some((now, Kept::Neither)),
            };
            if is_asked {
                found.second = Side { text: each.wrong, place: format!("{path}, before it was corrected") };
            }
            let id = each.id.clone();
            let set = given_back.edit(path.clone(), format!("{id} retracted"), move |bytes| {
                let bytes = bytes.unwrap_or_default();
                Ok(Some(
                    fielded::with_field(bytes, &id, "status", "retracted").unwrap_or_else(|| bytes.to_vec()),
                ))
            });
            retractions.push((each.id, found, set));
        }
        Ok(retractions)
    }

    /// The change that gives back what an agent's correction had taken the place of, and whether a person has to be asked of the rest.
    fn giving_back(&self, correction: &Correction) -> Result<(ChangeSet<'static>, bool), MemoryError> {
        let (mut set, mut is_asked) = (ChangeSet::new(), false);
        let mut places = self.places_about(&correction.right)?;
        for place in self.places_about(&correction.wrong)? {
            if places.iter().all(|known| known.path() != place.path()) {
                places.push(place);
            }
        }
        let today = self.today();
        for place in places {
            let bytes = self.ledger.read(place.path())?.unwrap_or_default();
            let right = correction.right.clone();
            if !items_of(&place, &bytes).iter().any(|item| is_agents(item, &right)) {
                continue;
            }
            let is_core = matches!(place, Place::Page(_, "core"));
            if is_core
                || self.ledger.is_closed(place.path())
                || !matches!(given_back(&bytes, &place, &right, today), Ok(Some(_)))
            {
                is_asked |= is_core && !correction.wrong.is_empty();
                continue;
            }
            let path = place.path().clone();
            set = set.edit(path, format!("as before {}", correction.id), move |bytes| {
                let bytes = bytes.unwrap_or_default();
                Ok(Some(given_back(bytes, &place, &right, today)?.unwrap_or_else(|| bytes.to_vec())))
            });
        }
        Ok((set, is_asked))
    }
}

/// Whether an item says what an agent had corrected, on nobody else's word.
fn is_agents(item: &Item, right: &str) -> bool {
    let source = item.annotation.get("source").unwrap_or_default();
    item.ended().is_none()
        && undated(item.plain()) == right
        && source.starts_with("agent ")
        && !source.contains("user-explicit")
}

/// A file in which what an agent's correction had struck through stands again, and the correction is struck through; nothing where there is no
/// such thing.
fn given_back(bytes: &[u8], place: &Place, right: &str, today: Date) -> Result<Option<Vec<u8>>, EditError> {
    let mut page = Page::parse(bytes)?;
    let is_fact = |item: &Item| match place {
        Place::Page(..) => true,
        Place::Entity(..) => item.section.eq_ignore_ascii_case(FACTS),
    };
    let agents = |page: &Page| page.items().iter().position(|item| is_fact(item) && is_agents(item, right));
    let was_struck = |item: &Item| {
        let source = item.annotation.get("source").unwrap_or_default();
        is_fact(item)
            && item.ended().is_some()
            && item.annotation.get("by") == Some(right)
            && !source.starts_with("agent ")
    };
    let Some(struck) = page.items().iter().position(was_struck).filter(|_| agents(&page).is_some()) else {
        return Ok(None);
    };
    let item = page.items()[struck].clone();
    let (text, since) = (item.plain().to_owned(), item.ended());
    let mut annotation = item.annotation.clone();
    annotation.remove("superseded");
    annotation.remove("by");
    page.set(struck, &text, &annotation);
    if let Some(at) = agents(&page) {
        page.supersede(at, today, &text);
    }
    let bytes = page.into_bytes();
    if matches!(place, Place::Page(..)) {
        return Ok(Some(bytes));
    }
    let mut entity = Entity::parse(&bytes)?;
    let addressees = Addressees::of_annotation(&annotation);
    end_edges_of(&mut entity, right, &Ending { by: &text, today, says_no: false, addressees });
    let named = slug::slug(&text).unwrap_or_default();
    entity.open_edges(|edge| {
        let name = edge.to.split_once("--").map_or(edge.to.as_str(), |(_, name)| name);
        edge.ended() == since && format!("-{named}-").contains(&format!("-{name}-"))
    });
    entity.set_updated(today)?;
    Ok(Some(entity.into_bytes()))
}
