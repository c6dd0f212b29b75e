//! What becomes of an entity's edges when a fact of it no longer holds.

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::entity::{Edge, Entity, Fact};
use rem_format::slug;
use rem_recall::Addressees;

use super::router::route;
use super::statement::dropped_in;

/// What takes the place of a fact.
pub(crate) struct Ending<'a> {
    /// What is said now.
    pub(crate) by: &'a str,
    pub(crate) today: Date,
    /// Whether it denies the fact rather than giving another value.
    pub(crate) says_no: bool,
    /// Whom it is for: edges that are for others stay.
    pub(crate) addressees: Addressees,
}

/// Ends the edges that were written with a fact which no longer holds: those of the relations that it states, to what it names, and
/// those that began with it where nothing else that holds names their end. What the new statement names stays, unless it says no.
pub(crate) fn end_edges_of(entity: &mut Entity, old: &str, ending: &Ending<'_>) {
    let names = |text: &str, to: &str| {
        let name = to.split_once("--").map_or(to, |(_, name)| name);
        slug::slug(text).is_some_and(|text| format!("-{text}-").contains(&format!("-{name}-")))
    };
    let is_for_same = |annotation: &Annotation| Addressees::of_annotation(annotation) == ending.addressees;
    let facts = entity.facts();
    let since = facts.iter().find(|fact| fact.text == old).and_then(|fact| fact.annotation.date("since"));
    let standing: Vec<&Fact> = facts.iter().filter(|fact| fact.ended().is_none()).collect();
    let stated = stated_in(old);
    let edges = entity.edges();
    let is_open = |edge: &Edge| edge.ended().is_none() && is_for_same(&edge.annotation);
    let said = |edge: &Edge| edge.annotation.get("note").unwrap_or(&edge.relation).to_owned();
    // Which end a relation has is clear without its name, too, where it has one alone.
    // What it says was given up is named, and over.
    let given_up = |to: &str| dropped_in(ending.by).is_some_and(|dropped| names(dropped.old, to));
    let is_sole =
        |edge: &Edge| edges.iter().filter(|other| is_open(other) && said(other) == said(edge)).count() == 1;
    entity.end_edges(ending.today, |edge| {
        if !is_open(edge) || names(ending.by, &edge.to) && !ending.says_no && !given_up(&edge.to) {
            return false;
        }
        let is_named = names(old, &edge.to);
        let is_said = |fact: &&Fact| is_for_same(&fact.annotation) && names(&fact.text, &edge.to);
        let began_with_it = edge.annotation.date("first-seen") == since && !standing.iter().any(is_said);
        let is_stated = stated.contains(&said(edge));
        is_stated && (is_named || is_sole(edge)) || is_named && began_with_it
    });
}

/// The relations that a statement makes.
pub(crate) fn stated_in(text: &str) -> Vec<String> {
    route(text).relations.iter().filter_map(|each| slug::slug(&each.relation)).collect()
}
