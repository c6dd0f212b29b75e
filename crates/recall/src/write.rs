//! Taking changes of files over into the database, in one transaction: passages, words, vectors, segments.
//!
//! A few changes become fresh passages; many at once go straight into a segment. Which files changed is `index.rs`'s business.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::addressees::{self, Addressees};
use crate::analyzer::{Analyzer, Language};
use crate::describe;
use crate::embed::builtin::Builtin;
use crate::encode;
use crate::graph;
use crate::index::Index;
use crate::lexicon::Lexicon;
use crate::links;
use crate::listing::Remembered;
use crate::memories;
use crate::passage::{ArchivedDays, Passage, date_of_path, divided};
use crate::replaced;
use crate::segment::{self, Builder, Fading, Slot, Terms, Traits};
use crate::source::{Holds, Label, Stamp};
use crate::vectors;

/// From so many changed files on, what is known is loaded at once rather than asked for piece by piece.
const MANY_CHANGES: usize = if cfg!(test) { 5 } else { 256 };

/// One change the database should take over. Row and path go together: another process may have given the row
/// to another file meanwhile, and then the change is void.
pub(crate) enum Change {
    Index { file: String, stamp: Stamp, settled: bool, content: Vec<u8>, hash: [u8; 32], label: Label },
    Touch { id: i64, file: String, stamp: Stamp, settled: bool },
    Remove { id: i64, file: String },
}

impl Change {
    /// The path of the file.
    fn file(&self) -> &str {
        match self {
            Self::Index { file, .. } | Self::Touch { file, .. } | Self::Remove { file, .. } => file,
        }
    }
}

/// Files between two reports of progress.
const REPORT_EVERY: usize = 128;

impl Index {
    /// Writes the changes in one transaction.
    pub(crate) fn write_changes(
        &mut self,
        changes: Vec<Change>,
        written: &mut dyn FnMut(usize),
    ) -> rusqlite::Result<()> {
        let changed_contents = changes.iter().any(|change| !matches!(change, Change::Touch { .. }));
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // What is remembered says nothing of the files apart, whatever becomes of them.
        let remembered = Remembered::read(&transaction)?;
        let stays_true =
            remembered.is_some_and(|all| changes.iter().all(|each| all.apart.contains(each.file())));
        if self.seen != Some(self.kept.generation(&transaction)?) {
            self.seen = None;
        }
        self.lexicon.begin(&transaction, changes.len() > MANY_CHANGES)?;
        let embedder = Builtin::get();
        let mut writer = Writer {
            connection: &transaction,
            analyzer: &mut self.analyzer,
            lexicon: &mut self.lexicon,
            embedder,
            passage_tokens: self.passage_tokens,
            builder: Builder::default(),
            is_large: changes.len() > MANY_CHANGES,
        };
        writer.take_fresh()?;
        for (index, change) in changes.into_iter().enumerate() {
            writer.apply(change)?;
            if index % REPORT_EVERY == REPORT_EVERY - 1 {
                written(index + 1);
            }
        }
        writer.builder.write(&transaction)?;
        self.lexicon.end(&transaction)?;
        if changed_contents {
            segment::tidy(&transaction, embedder.dimensions())?;
            transaction.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'", [])?;
            if !stays_true {
                transaction.execute("UPDATE meta SET value = x'' WHERE key = 'listing'", [])?;
            }
        }
        transaction.commit()?;
        self.seen = self.seen.map(|seen| seen + u64::from(changed_contents));
        Ok(())
    }
}

/// The part of a text that its language is told by: so many bytes of its beginning.
pub(crate) fn start_of(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// What the passages of a file share.
struct Filed<'a> {
    id: i64,
    category: &'a str,
    language: Language,
    day: i32,
    /// The days of its parts, where it is about no day itself.
    days: ArchivedDays,
    is_archived: bool,
    memories: Vec<(memories::Found, u32)>,
}

impl Filed<'_> {
    /// The first memory that stands in a passage.
    fn fading(&self, passage: &Passage) -> Fading {
        let found = self.memories.iter().find(|(found, _)| found.stands_in(passage));
        found.map_or(Fading::default(), |(found, number)| Fading::of(*number, &found.standing))
    }
}

/// Writes changes within one transaction.
struct Writer<'a> {
    connection: &'a Connection,
    analyzer: &'a mut Analyzer,
    lexicon: &'a mut Lexicon,
    embedder: &'static Builtin,
    passage_tokens: usize,
    /// Where the passages of a large batch go, past the fresh ones.
    builder: Builder,
    is_large: bool,
}

impl Writer<'_> {
    /// A large batch becomes a segment of its own, with what was fresh before it, so that segments stay in order.
    fn take_fresh(&mut self) -> rusqlite::Result<()> {
        if self.is_large {
            segment::for_each_fresh(self.connection, |slot, vector, terms| {
                self.builder.add(slot, vector, terms)
            })?;
            self.connection.execute("DELETE FROM fresh", [])?;
        }
        Ok(())
    }

    fn apply(&mut self, change: Change) -> rusqlite::Result<()> {
        match change {
            Change::Remove { id, file } => self.remove(Some(id), &file),
            Change::Touch { id, file, stamp, settled } => self
                .connection
                .prepare_cached(
                    "UPDATE files SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5, settled = ?6
                     WHERE id = ?1 AND path = ?7",
                )?
                .execute(params![id, stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, settled, file])
                .map(drop),
            Change::Index { file, stamp, settled, content, hash, label } => {
                let same: Option<i64> = self
                    .connection
                    .prepare_cached(
                        "SELECT id FROM files WHERE path = ?1 AND hash = ?2 AND category = ?3 AND tier = ?4
                         AND label_id IS ?5",
                    )?
                    .query_row(params![file, hash.as_slice(), label.category, label.tier, label.id], |row| {
                        row.get(0)
                    })
                    .optional()?;
                if let Some(id) = same {
                    // Another process was faster.
                    return self.apply(Change::Touch { id, file, stamp, settled });
                }
                let text = String::from_utf8_lossy(&content);
                let date = date_of_path(&file);
                let language = Language::told(start_of(&text, 4_096));
                // A file keeps its number, and with it the passages that stay as they are.
                let id: i64 = self
                    .connection
                    .prepare_cached(
                        "INSERT INTO files (path, size, mtime_ns, ctime_ns, inode, settled, hash, language, category,
                         tier, label_id, date, facets)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                         ON CONFLICT (path) DO UPDATE SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5,
                         settled = ?6, hash = ?7, language = ?8, category = ?9, tier = ?10, label_id = ?11,
                         date = ?12, facets = ?13
                         RETURNING id",
                    )?
                    .query_row(
                        params![
                            file, stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, settled, hash.as_slice(),
                            language.code(), label.category, label.tier, label.id,
                            date.map(|date| date.to_string()), describe::facets(&content, &label.facets)
                        ],
                        |row| row.get(0),
                    )?;
                let is_archived = label.is_out_of_use || describe::is_archived(&content);
                graph::remove(self.connection, id)?;
                graph::insert(self.connection, id, &label, &content, is_archived)?;
                links::insert(self.connection, id, &content)?;
                let held = memories::found_in(&file, &content, &label);
                let numbers = memories::take(self.connection, id, &held, is_archived)?;
                let filed = Filed {
                    id,
                    category: &label.category,
                    language,
                    day: date.map_or(segment::NO_DAY, days),
                    days: match date {
                        Some(_) => ArchivedDays::default(),
                        None => ArchivedDays::of(&content, &label.category),
                    },
                    is_archived,
                    memories: held.into_iter().zip(numbers).collect(),
                };
                let mut all = divided(&text, self.passage_tokens, matches!(label.holds, Holds::Entries(..)));
                if label.category == "correction" {
                    all.retain(|passage| !describe::is_taken_back(&passage.text));
                }
                if label.is_for_operator {
                    all.iter_mut().for_each(|passage| passage.addressees = Addressees::nobody());
                }
                self.put_passages(&filed, &all)
            }
        }
    }

    /// Takes a file out: the one with this row, if it is still there, or whichever has this path.
    fn remove(&mut self, id: Option<i64>, path: &str) -> rusqlite::Result<()> {
        let id: Option<i64> = self
            .connection
            .prepare_cached("DELETE FROM files WHERE path = ?1 AND id = coalesce(?2, id) RETURNING id")?
            .query_row(params![path, id], |row| row.get(0))
            .optional()?;
        match id {
            // Some passages may lie in the builder, not yet in a segment: their file is dead there too.
            Some(id) => {
                graph::remove(self.connection, id)?;
                memories::remove(self.connection, id)?;
                segment::bury(self.connection, id, 0, self.is_large)
            }
            None => Ok(()),
        }
    }

    /// What the file says from now on. The passages up to the first that differs stay where they are: a file that grows at its end
    /// costs what was added.
    fn put_passages(&mut self, file: &Filed<'_>, all: &[Passage]) -> rusqlite::Result<()> {
        let has_more = all.iter().any(|passage| !passage.is_bare());
        let slots = all.iter().map(|passage| {
            Ok(Slot {
                file: u32::try_from(file.id).unwrap_or(u32::MAX),
                day: file.days.of_passage(passage).map_or(file.day, days),
                speaker: describe::speaker(passage),
                traits: describe::traits(passage, file.category, has_more)
                    .with(Traits::ARCHIVED, file.is_archived),
                fading: file.fading(passage),
                addressees: addressees::number_of(self.connection, &passage.addressees)?,
                ..Slot::default()
            })
        });
        let slots: Vec<Slot> = slots.collect::<rusqlite::Result<_>>()?;
        let prints: Vec<i64> =
            all.iter().zip(&slots).map(|(passage, slot)| print(passage, *slot, file.language)).collect();
        let before: Vec<(i64, i64)> = self
            .connection
            .prepare_cached("SELECT id, print FROM passages WHERE file = ?1 ORDER BY id")?
            .query_map([file.id], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let kept = before.iter().zip(&prints).take_while(|((_, before), now)| before == *now).count();
        if let Some((from, _)) = before.get(kept) {
            segment::bury(self.connection, file.id, *from, self.is_large)?;
        }
        for at in kept..all.len() {
            let before = at.checked_sub(1).map(|before| &all[before]);
            self.put_passage(file.language, before, &all[at], slots[at], prints[at])?;
        }
        Ok(())
    }

    fn put_passage(
        &mut self,
        language: Language,
        before: Option<&Passage>,
        passage: &Passage,
        slot: Slot,
        print: i64,
    ) -> rusqlite::Result<()> {
        let line = |line: usize| i64::try_from(line).unwrap_or(i64::MAX);
        // What is for others stands for nobody's words but its own.
        let before = before.filter(|before| before.addressees == passage.addressees);
        self.connection
            .prepare_cached(
                "INSERT INTO passages (file, start_line, end_line, text, heading, text_hash, addressees, print)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                slot.file,
                line(passage.start_line),
                line(passage.end_line),
                passage.text,
                // A turn stands under no heading.
                passage.speaker.is_none().then_some(&passage.heading),
                encode::text_of(before, passage).map(|text| encode::hash_of(&text)),
                slot.addressees,
                print
            ])?;
        let number = u32::try_from(self.connection.last_insert_rowid()).unwrap_or(u32::MAX);
        for facet in describe::passage_facets(passage) {
            self.connection
                .prepare_cached("INSERT OR IGNORE INTO facets (passage, facet) VALUES (?1, ?2)")?
                .execute(params![number, facet])?;
        }
        replaced::insert(self.connection, number, &passage.text)?;
        let terms = self.analyse(passage, language)?;
        let slot = Slot { passage: number, length: terms.words(), ..slot };
        let mut vector = Vec::new();
        self.embedder.embed(describe::said(passage), &mut vector);
        let vector = vectors::pack(&vector);
        self.connection
            .prepare_cached("INSERT INTO analyses (passage, terms) VALUES (?1, ?2)")?
            .execute(params![number, terms.to_bytes()])?;
        if self.is_large {
            self.builder.add(slot, &vector, &terms);
            return Ok(());
        }
        self.connection
            .prepare_cached("INSERT INTO fresh (passage, slot, vector) VALUES (?1, ?2, ?3)")?
            .execute(params![number, slot.to_bytes(), vectors::to_bytes(&vector)])
            .map(drop)
    }

    fn analyse(&mut self, passage: &Passage, of_file: Language) -> rusqlite::Result<Terms> {
        let said = describe::said(passage);
        let language = Language::told_within(start_of(said, 512), of_file);
        let mut terms = Terms::default();
        let mut failed = None;
        for text in [passage.heading.as_str(), said] {
            self.analyzer.visit(text, language, |token, begins_word, _| {
                match self.lexicon.number(self.connection, token) {
                    Ok(number) => terms.push(number, begins_word),
                    Err(error) => failed = Some(error),
                }
            });
        }
        failed.map_or(Ok(terms), Err)
    }
}

/// A number that stands for all that is kept of a passage: what has the same need not be written again. `slot` is without the
/// passage's number and length, which follow from the rest.
fn print(passage: &Passage, slot: Slot, language: Language) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(language.code().as_bytes());
    for line in [passage.start_line, passage.end_line] {
        hasher.update(&line.to_le_bytes());
    }
    for text in [&passage.text, &passage.heading, passage.speaker.as_ref().unwrap_or(&String::new())] {
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.update(&[u8::from(passage.speaker.is_some())]);
    hasher.update(&slot.to_bytes());
    let mut print = [0; 8];
    hasher.finalize_xof().fill(&mut print);
    i64::from_le_bytes(print)
}

/// Days since 1970.
pub fn days(date: jiff::civil::Date) -> i32 {
    let epoch = jiff::civil::date(1970, 1, 1);
    (date - epoch).get_days()
}
