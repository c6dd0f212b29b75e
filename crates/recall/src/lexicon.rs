//! Numbers for terms: the index speaks of terms by number.
//!
//! A number, once given, is never taken back; what a transaction gave that was rolled back must be forgotten ([`Lexicon::forget`]).

use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHashMap;

/// The numbers this process knows.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    known: FxHashMap<String, u32>,
    next: u32,
    is_complete: bool,
}

impl Lexicon {
    /// To be called at the start of each writing transaction: another process may have given numbers meanwhile. `much` loads
    /// all of them, for when thousands of terms will be asked for.
    pub(crate) fn begin(&mut self, connection: &Connection, much: bool) -> rusqlite::Result<()> {
        let next: u32 = connection
            .prepare_cached("SELECT value FROM meta WHERE key = 'next_term'")?
            .query_row([], |row| row.get(0))?;
        if next != self.next {
            self.is_complete = false;
            self.next = next;
        }
        if much && !self.is_complete {
            let mut statement = connection.prepare("SELECT term, id FROM lexicon")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                self.known.insert(row.get(0)?, row.get(1)?);
            }
        }
        self.is_complete |= much || self.next == 0;
        Ok(())
    }

    /// The number of a term, given now where it has none.
    pub(crate) fn number(&mut self, connection: &Connection, term: &str) -> rusqlite::Result<u32> {
        if let Some(number) = self.known.get(term) {
            return Ok(*number);
        }
        let stored = if self.is_complete { None } else { find(connection, term)? };
        let number = match stored {
            Some(number) => number,
            None => {
                connection
                    .prepare_cached("INSERT INTO lexicon (term, id) VALUES (?1, ?2)")?
                    .execute(params![term, self.next])?;
                self.next += 1;
                self.next - 1
            }
        };
        self.known.insert(term.to_owned(), number);
        Ok(number)
    }

    /// To be called before the transaction ends.
    pub(crate) fn end(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection
            .prepare_cached("UPDATE meta SET value = ?1 WHERE key = 'next_term'")?
            .execute([self.next])
            .map(drop)
    }

    /// To be called when a transaction was rolled back.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The number of a term, if it has one.
pub(crate) fn find(connection: &Connection, term: &str) -> rusqlite::Result<Option<u32>> {
    connection
        .prepare_cached("SELECT id FROM lexicon WHERE term = ?1")?
        .query_row([term], |row| row.get(0))
        .optional()
}
