//! The terms of passages as the index keeps them, each passage's read once for a question.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use crate::segment::Terms;

/// Reads the terms of passages and keeps those it has read.
pub(crate) struct TermsOf<'a> {
    connection: &'a Connection,
    read: RefCell<FxHashMap<u32, Rc<Terms>>>,
}

impl<'a> TermsOf<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection, read: RefCell::default() }
    }

    /// Where they are read.
    pub(crate) fn connection(&self) -> &'a Connection {
        self.connection
    }

    /// The terms of a passage in the order of its words.
    pub(crate) fn passage(&self, passage: u32) -> rusqlite::Result<Rc<Terms>> {
        if let Some(terms) = self.read.borrow().get(&passage) {
            return Ok(terms.clone());
        }
        let terms = Rc::new(terms_of(self.connection, passage)?);
        self.read.borrow_mut().insert(passage, terms.clone());
        Ok(terms)
    }

    /// Its distinct terms in the order of their numbers.
    pub(crate) fn distinct(&self, passage: u32) -> rusqlite::Result<Vec<u32>> {
        Ok(self.passage(passage)?.distinct())
    }
}

/// The distinct terms of a passage in the order of their numbers.
pub(crate) fn distinct_terms_of(connection: &Connection, passage: u32) -> rusqlite::Result<Vec<u32>> {
    Ok(terms_of(connection, passage)?.distinct())
}

fn terms_of(connection: &Connection, passage: u32) -> rusqlite::Result<Terms> {
    let mut statement = connection.prepare_cached("SELECT terms FROM analyses WHERE passage = ?1")?;
    statement.query_row([passage], |row| Ok(Terms::from_bytes(row.get_ref(0)?.as_blob()?)?))
}
