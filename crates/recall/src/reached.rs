//! What a question reaches through the graph (M11.2, S10): the entities it names, and what these are connected with.
//!
//! A question about Mimi is one about Mira's file, whatever words it holds; one of the kind "what do you know about X" also reaches
//! what X is connected with, one step and two. Each adds a little to the passages of a file, so that words still decide among
//! them. Must not find what is archived or for others: edges and names come through the same filters as everywhere.

use rusqlite::OptionalExtension as _;
use rustc_hash::FxHashMap;

use crate::index::Index;
use crate::query::Query;
use crate::question::Question;
use crate::strategy::Strategy;

/// What the passages of an entity gain that the question names.
const NAMED: f64 = 0.15;
/// The same where the question is about it: its own file comes before those that speak of it.
const ASKED_ABOUT: f64 = 0.6;
/// What the passages of an entity gain one step and two steps from the one that is asked about.
const CONNECTED: [f64; 2] = [0.1, 0.05];
/// The most entities that a question names.
const MOST: usize = 4;
/// The most edges that are followed from each.
const BREADTH: usize = 12;

/// What is added to the passages of a file, and why.
pub(crate) type Reached = FxHashMap<u32, (f64, &'static str)>;

impl Index {
    /// The files that a question reaches through the graph.
    pub(crate) fn reached(&self, query: &Query, question: &Question) -> rusqlite::Result<Reached> {
        let mut reached = Reached::default();
        if !self.has_graph()? || !query.ranking.context {
            return Ok(reached);
        }
        let mut file_of = self.connection.prepare_cached("SELECT file FROM entities WHERE id = ?1")?;
        let mut add = |id: &str, gain: f64, why: &'static str| -> rusqlite::Result<()> {
            let file: Option<u32> = file_of.query_row([id], |row| row.get(0)).optional()?;
            if let Some(file) = file {
                let known = reached.entry(file).or_insert((gain, why));
                if gain > known.0 {
                    *known = (gain, why);
                }
            }
            Ok(())
        };
        let is_about = question.strategy == Some(Strategy::About);
        for node in self.entities_named_in(&query.text, MOST)? {
            add(&node.id, if is_about { ASKED_ABOUT } else { NAMED }, "it is named")?;
            if !is_about {
                continue;
            }
            let depth = query.ranking.graph_depth.min(CONNECTED.len());
            for edge in self.connected(&node.id, depth, BREADTH, None, &query.asking)?.0 {
                let is_own = edge.from == node.id || edge.to == node.id;
                let gain = CONNECTED[usize::from(!is_own)];
                for end in [&edge.from, &edge.to] {
                    add(end, gain, "connected with what is named")?;
                }
            }
        }
        Ok(reached)
    }
}
