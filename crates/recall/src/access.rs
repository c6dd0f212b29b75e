//! What was found and what was used, beside the index (S11, resolution 7).
//!
//! A *hit* is a memory listed in an answer, once a session; a *use* is a memory that a reply rested on, and strengthens it (M9.4).
//! Both stand in `memory.db` and are lost with it, back to the last checkpoint; nothing else depends on them. Writing them must
//! never make an answer wait: where the database is busy they are left out.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use rustc_hash::FxHashMap;

use crate::database::IndexError;
use crate::decay::{BASE_PARTS, Standing};
use crate::index::Index;
use crate::source::CheckpointEntry;

/// How long an answer waits for another process to finish writing before its hits are left out.
const PATIENCE: Duration = Duration::from_millis(40);

/// What is told of memories beside their files, by their numbers.
pub(crate) type Accesses = FxHashMap<u32, Told>;

/// What no file tells of a memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    /// How often it was used, its making included.
    accesses: u32,
    /// The day of the last use.
    last_day: i32,
    /// What it was worth at its making, as [`Standing::handed_base`].
    base: Option<u16>,
    pinned: bool,
}

/// What no file tells of: hits as place, session, day, used, kept; counts as memory, accesses, day; the checkpoint's stamp.
#[derive(Default)]
pub(crate) struct Rescued {
    hits: Vec<(String, String, i32, bool, u8)>,
    accesses: Vec<(String, u32, i32, Option<u16>, bool)>,
    checkpoint: Vec<u8>,
}

/// Reads what no file tells of, as far as a database that is about to be emptied can be read.
pub(crate) fn rescued(connection: &Connection) -> Rescued {
    let read = || -> rusqlite::Result<Rescued> {
        let mut hits = connection.prepare("SELECT place, session, day, used, kept FROM hits")?;
        let whole = connection.prepare("SELECT memory, accesses, last_day, base, pinned FROM accesses");
        // As it was before what another program's checkpoint says was taken over whole: that is read again.
        let is_old = whole.is_err();
        let mut accesses = whole
            .or_else(|_| connection.prepare("SELECT memory, accesses, last_day, NULL, 0 FROM accesses"))?;
        Ok(Rescued {
            hits: hits
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?
                .collect::<Result<_, _>>()?,
            accesses: accesses
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))?
                .collect::<Result<_, _>>()?,
            checkpoint: match is_old {
                true => Vec::new(),
                false => {
                    connection
                        .query_row("SELECT value FROM meta WHERE key = 'checkpoint'", [], |row| row.get(0))?
                }
            },
        })
    };
    read().unwrap_or_default()
}

/// Writes it into the database that took its place. `transaction` is one.
pub(crate) fn put_back(transaction: &Connection, rescued: &Rescued) -> rusqlite::Result<()> {
    for (place, session, day, used, kept) in &rescued.hits {
        transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO hits (place, session, day, used, kept) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![place, session, day, used, kept])?;
    }
    for (memory, accesses, last_day, base, pinned) in &rescued.accesses {
        transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO accesses (memory, accesses, last_day, base, pinned) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![memory, accesses, last_day, base, pinned])?;
    }
    transaction
        .execute("UPDATE meta SET value = ?1 WHERE key = 'checkpoint'", [&rescued.checkpoint])
        .map(drop)
}

/// Uses with the generation and the [number](Index::access_number) they are of.
pub(crate) type KeptAccesses = ((u64, u64), Arc<Accesses>);

/// A place that answers listed in several sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frequent {
    /// A memory's id, or `PATH#SECTION`.
    pub place: String,
    /// In how many sessions.
    pub sessions: u32,
}

impl Standing {
    /// As it stands when what no file tells of is counted as well: uses, and what another program's checkpoint says.
    #[must_use]
    pub(crate) fn with_told(self, told: &Told) -> Self {
        Self {
            accesses: self.accesses.max(told.accesses),
            last_day: self.last_day.max(Some(told.last_day)),
            pinned: self.pinned || told.pinned,
            handed_base: told.base.or(self.handed_base),
            ..self
        }
    }
}

impl Index {
    /// Notes that an answer listed these places in a session. Left out where the database is busy.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub fn record_hits<'a>(
        &self,
        session: &str,
        places: impl IntoIterator<Item = &'a str>,
        day: i32,
    ) -> Result<(), IndexError> {
        self.in_passing(|| {
            let mut insert = self.connection.prepare_cached(
                "INSERT INTO hits (place, session, day, used) VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING",
            )?;
            for place in places {
                insert.execute(params![place, session, day])?;
            }
            Ok(())
        })
    }

    /// Notes that these memories were used in a session; gives those that were not used in it before, which are stronger by one
    /// access now. Left out where the database is busy.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub fn record_uses<'a>(
        &self,
        session: &str,
        memories: impl IntoIterator<Item = &'a str>,
        day: i32,
    ) -> Result<Vec<String>, IndexError> {
        self.record(session, memories, day, false)
    }

    /// As [`Self::record_uses`] of memories that were told once more: their files count that as a mention, which is no second use,
    /// whether the index has seen it or not.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub fn record_mentions<'a>(
        &self,
        session: &str,
        memories: impl IntoIterator<Item = &'a str>,
        day: i32,
    ) -> Result<Vec<String>, IndexError> {
        self.record(session, memories, day, true)
    }

    fn record<'a>(
        &self,
        session: &str,
        memories: impl IntoIterator<Item = &'a str>,
        day: i32,
        is_in_file: bool,
    ) -> Result<Vec<String>, IndexError> {
        let mut fresh = Vec::new();
        self.in_passing(|| {
            let mut hit = self.connection.prepare_cached(
                "INSERT INTO hits (place, session, day, used) VALUES (?1, ?2, ?3, 1)
                 ON CONFLICT (place, session) DO UPDATE SET used = 1, day = ?3 WHERE used = 0",
            )?;
            let strengthened = match is_in_file {
                true => {
                    "INSERT INTO accesses (memory, accesses, last_day)
                     VALUES (?1, coalesce((SELECT max(accesses) FROM memories WHERE id = ?1), 1), ?2)
                     ON CONFLICT (memory) DO UPDATE SET last_day = max(last_day, ?2),
                         accesses = max(1 + accesses.accesses,
                             coalesce((SELECT max(accesses) FROM memories WHERE id = ?1), 1))"
                }
                false => {
                    "INSERT INTO accesses (memory, accesses, last_day)
                     VALUES (?1, 1 + coalesce((SELECT max(accesses) FROM memories WHERE id = ?1), 1), ?2)
                     ON CONFLICT (memory) DO UPDATE SET last_day = max(last_day, ?2),
                         accesses = 1 + max(accesses.accesses,
                             coalesce((SELECT max(accesses) FROM memories WHERE id = ?1), 1))"
                }
            };
            let mut strengthen = self.connection.prepare_cached(strengthened)?;
            for memory in memories {
                if hit.execute(params![memory, session, day])? > 0 {
                    strengthen.execute(params![memory, day])?;
                    fresh.push(memory.to_owned());
                }
            }
            if !fresh.is_empty() {
                self.connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'accesses'", [])?;
            }
            Ok(())
        })?;
        Ok(fresh)
    }

    /// Whether anything was used since the last checkpoint.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be read.
    pub fn has_uses_to_keep(&self) -> Result<bool, IndexError> {
        self.connection
            .query_row("SELECT EXISTS (SELECT 1 FROM hits WHERE used = 1 AND kept <> 1)", [], |row| {
                row.get(0)
            })
            .map_err(|source| self.error(source))
    }

    /// The stamp of the checkpoint that the counts rest on; nothing where they rest on none.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be read.
    pub(crate) fn checkpoint(&self) -> Result<Option<[u8; 32]>, IndexError> {
        let found: Result<Option<Vec<u8>>, _> = self
            .connection
            .prepare_cached("SELECT value FROM meta WHERE key = 'checkpoint'")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)).optional());
        let hash = found.map_err(|source| self.error(source))?;
        Ok(hash.and_then(|hash| hash.try_into().ok()))
    }

    /// Begins a checkpoint: the uses up to now will be in it. Later ones count as not written down.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub fn claim_uses(&self) -> Result<(), IndexError> {
        let claimed = self.connection.execute("UPDATE hits SET kept = 2 WHERE used = 1 AND kept = 0", []);
        claimed.map(drop).map_err(|source| self.error(source))
    }

    /// Ends a checkpoint: the uses [claimed](Self::claim_uses) are in the one with this stamp.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub fn mark_checkpoint(&self, stamp: &[u8; 32]) -> Result<(), IndexError> {
        self.write_accesses(|| {
            self.connection.execute("UPDATE hits SET kept = 1 WHERE kept = 2", [])?;
            self.connection
                .execute("UPDATE meta SET value = ?1 WHERE key = 'checkpoint'", [stamp.as_slice()])?;
            Ok(())
        })
    }

    /// Takes over the counts of a checkpoint that another process, another machine or a rollback wrote: each memory's accesses
    /// and the day of its last. What was used here since the last checkpoint counts on top.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be written.
    pub(crate) fn take_checkpoint(
        &self,
        stamp: &[u8; 32],
        counts: &[CheckpointEntry],
    ) -> Result<(), IndexError> {
        self.write_accesses(|| {
            self.connection.execute("DELETE FROM accesses", [])?;
            let mut insert = self.connection.prepare_cached(
                "INSERT INTO accesses (memory, accesses, last_day, base, pinned) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for CheckpointEntry { memory, accesses, last_day, base, pinned } in counts {
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of ten thousand parts"
                )]
                let base = base.map(|base| (base.clamp(0.0, 1.0) * BASE_PARTS).round() as u16);
                insert.execute(params![memory, accesses, last_day, base, pinned])?;
            }
            self.connection.execute(
                "INSERT INTO accesses (memory, accesses, last_day)
                 SELECT place, 1 + count(*), max(day) FROM hits WHERE used = 1 AND kept <> 1 GROUP BY place
                 ON CONFLICT (memory) DO UPDATE SET accesses = accesses + excluded.accesses - 1,
                     last_day = max(last_day, excluded.last_day)",
                [],
            )?;
            self.connection
                .execute("UPDATE meta SET value = ?1 WHERE key = 'checkpoint'", [stamp.as_slice()])?;
            Ok(())
        })
    }

    /// What answers listed in at least so many sessions since a day, most often first.
    ///
    /// # Errors
    /// [`IndexError`] where the database cannot be read.
    pub fn frequent(&self, least: u32, since: i32) -> Result<Vec<Frequent>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Frequent>> {
            let mut found = self.connection.prepare_cached(
                "SELECT place, count(*) AS sessions FROM hits WHERE day >= ?2 GROUP BY place
                 HAVING sessions >= ?1 ORDER BY sessions DESC, place",
            )?;
            let frequent =
                |row: &rusqlite::Row<'_>| Ok(Frequent { place: row.get(0)?, sessions: row.get(1)? });
            found.query_map(params![least, since], frequent)?.collect()
        };
        read().map_err(|source| self.error(source))
    }

    /// A number that rises with every use.
    pub(crate) fn access_number(&self) -> rusqlite::Result<u64> {
        let number: i64 = self
            .connection
            .prepare_cached("SELECT value FROM meta WHERE key = 'accesses'")?
            .query_row([], |row| row.get(0))?;
        Ok(number.max(0).cast_unsigned())
    }

    /// The uses of every memory there is, by its number.
    pub(crate) fn read_accesses(&self) -> rusqlite::Result<Accesses> {
        let mut all = self.connection.prepare_cached(
            "SELECT m.number, a.accesses, a.last_day, a.base, a.pinned FROM accesses a JOIN memories m ON m.id = a.memory",
        )?;
        let counted = |row: &rusqlite::Row<'_>| {
            let told =
                Told { accesses: row.get(1)?, last_day: row.get(2)?, base: row.get(3)?, pinned: row.get(4)? };
            Ok((row.get(0)?, told))
        };
        all.query_map([], counted)?.collect()
    }

    /// Writes without waiting for long: left out where another process writes.
    fn in_passing(&self, write: impl FnOnce() -> rusqlite::Result<()>) -> Result<(), IndexError> {
        let patiently =
            |patience| self.connection.busy_timeout(patience).map_err(|source| self.error(source));
        patiently(PATIENCE)?;
        let written = self.transact(write);
        patiently(crate::database::BUSY_TIMEOUT)?;
        match written {
            Err(rusqlite::Error::SqliteFailure(failure, _))
                if failure.code == rusqlite::ErrorCode::DatabaseBusy =>
            {
                tracing::debug!("the index is busy: what was found is not counted");
                Ok(())
            }
            other => other.map_err(|source| self.error(source)),
        }
    }

    /// Writes counts, and says that they are others than before.
    fn write_accesses(&self, write: impl FnOnce() -> rusqlite::Result<()>) -> Result<(), IndexError> {
        let written = self.transact(|| {
            write()?;
            self.connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'accesses'", []).map(drop)
        });
        written.map_err(|source| self.error(source))
    }

    fn transact(&self, write: impl FnOnce() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
        let transaction =
            rusqlite::Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        write()?;
        transaction.commit()
    }
}
