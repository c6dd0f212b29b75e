//! The soul keeper: what the operator said more than once becomes a principle by their consent, in one change, and can be taken back.

mod answering;
mod growing;
mod standing;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::identity::{GrowthKind, LeavingTo, PendingIdentity};
use rem_ledger::fault::APPLY_POINTS;
use rem_mind::identity::{IdentityDecided, IdentityGrown};
use rem_mind::{Memory, MemoryError, ReviewDecision};
use rem_testkit::Workspace;

use crate::support::{self, in_a_process, placed, talk};

const DOCUMENT: &str = "memory/meta/pending-identity.md";
const TWIN: &str = "memory/meta/pending-identity.json";
const TIMEZONE: &str = "Always confirm timezone before scheduling";

/// An entry of CORRECTIONS.md by the operator.
fn corrected(id: &str, logged: &str, right: &str) -> Correction {
    let logged: Timestamp = logged.parse().unwrap();
    Correction {
        id: id.to_owned(),
        logged,
        trigger: String::new(),
        trigger_confidence: String::new(),
        wrong: String::new(),
        right: right.to_owned(),
        cooldown_expires: logged + SignedDuration::from_hours(24),
        confidence: 1.0,
        by: CorrectedBy::Operator,
        encoded: None,
        is_retracted: false,
        is_marked_verified: false,
    }
}

fn correct(workspace: &Workspace, corrections: &[Correction]) {
    let path = placed(workspace, "CORRECTIONS.md");
    let found = workspace.read(&path);
    let bytes =
        corrections.iter().fold(found, |bytes, each| Some(correction::append(bytes.as_deref(), each)));
    workspace.write(&path, bytes.unwrap());
    workspace.memory().catch_up();
}

/// P5.2's sample: a correction of the 18th, said again on the 21st; it is the 22nd, 02:30.
fn sample(workspace: &Workspace) {
    correct(workspace, &[corrected("14", "2026-02-18T02:30:00Z", TIMEZONE)]);
    talk(
        workspace,
        "s1",
        "2026-02-21T10:00:00Z",
        &["user: always confirm timezone before scheduling", "agent: I will."],
    );
}

fn night() -> Workspace {
    Workspace::at("2026-02-22T02:30:00Z")
}

fn grow(memory: &Memory) -> IdentityGrown {
    memory.grow_identity(false, false).unwrap()
}

fn preview(memory: &Memory) -> IdentityGrown {
    memory.grow_identity(true, false).unwrap()
}

fn pending(workspace: &Workspace) -> PendingIdentity {
    PendingIdentity::parse(&workspace.read(&placed(workspace, TWIN)).unwrap()).unwrap()
}

fn decide(memory: &Memory, decision: &ReviewDecision) -> Result<IdentityDecided, MemoryError> {
    memory.decide_identity(decision)
}

fn all() -> ReviewDecision {
    ReviewDecision { approve_all: true, ..ReviewDecision::default() }
}

fn only(ids: &[&str]) -> ReviewDecision {
    ReviewDecision { approve: ids.iter().map(|id| (*id).to_owned()).collect(), ..ReviewDecision::default() }
}

fn soul(workspace: &Workspace) -> String {
    workspace.text(&placed(workspace, "SOUL.md"))
}

fn changelog(workspace: &Workspace) -> String {
    workspace.text(&placed(workspace, "CHANGELOG.md"))
}

/// A file that is there, in whatever layout.
fn read(workspace: &Workspace, path: &str) -> Option<Vec<u8>> {
    workspace.read(&placed(workspace, path))
}

/// Everything that growing may change.
fn identity_files(workspace: &Workspace) -> BTreeMap<String, Vec<u8>> {
    let mut files = workspace.files();
    files.retain(|path, _| !path.contains("/meta/") && !path.starts_with("memory.db"));
    files
}

fn why(grown: &IdentityGrown, principle: &str) -> Vec<String> {
    let found = grown.waiting.iter().find(|each| each.principle == principle);
    found.unwrap_or_else(|| panic!("{principle}: {grown:#?}")).why.clone()
}

fn principles(grown: &IdentityGrown) -> Vec<&str> {
    grown.items.iter().map(|item| item.principle.as_str()).collect()
}
