//! What only the operator may approve: asked for, signed over exactly what changes, noticed where it was not.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rem_format::audit::{Actor, Approval};
use rem_ledger::fault::{APPLY_POINTS, Fault, arm};
use rem_ledger::{
    ChangeSet, ConsentFile, ConsentRequest, EditError, Ledger, LedgerError, LedgerOptions, OperatorKey,
    Provenance, Signer,
};

use crate::support::{Workspace, bot, child, job, options, path, start};

const SEED: [u8; 32] = [3; 32];

/// An operator who says yes, and what they were asked.
struct Operator {
    key: OperatorKey,
    asked: Mutex<Vec<String>>,
    shown: Mutex<Vec<ConsentFile>>,
}

impl Operator {
    fn new(seed: [u8; 32]) -> Arc<Self> {
        let key = OperatorKey::from_seed(&seed).unwrap();
        Arc::new(Self { key, asked: Mutex::default(), shown: Mutex::default() })
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Signer for Operator {
    fn sign(&self, request: &ConsentRequest<'_>) -> Result<String, EditError> {
        let files: Vec<&str> = request.files.iter().map(|file| file.path.as_str()).collect();
        self.asked.lock().unwrap().push(format!("{}: {}", request.what, files.join(" ")));
        *self.shown.lock().unwrap() = request.files.to_vec();
        Ok(self.key.sign(request.statement.as_bytes())?)
    }
}

/// An operator who is asked and says no.
struct Refuser;

impl Signer for Refuser {
    fn sign(&self, _: &ConsentRequest<'_>) -> Result<String, EditError> {
        Err("not today".into())
    }
}

fn with_state(workspace: &Workspace) -> LedgerOptions {
    LedgerOptions { user_state: Some(state(workspace)), ..options() }
}

fn state(workspace: &Workspace) -> PathBuf {
    workspace.root().parent().unwrap().join("state")
}

fn open(workspace: &Workspace, signer: Option<Arc<dyn Signer>>) -> Ledger {
    let ledger = Ledger::open(&workspace.root(), with_state(workspace), workspace.clock.clone()).unwrap();
    ledger.asking(signer)
}

/// A workspace with a key, and the operator.
fn guarded() -> (Workspace, Arc<Operator>) {
    let workspace = Workspace::new();
    let operator = Operator::new(SEED);
    let ledger = open(&workspace, None);
    let key = operator.key.public();
    ledger
        .establish_key(&key, ChangeSet::new(), &*operator, None, &Provenance::manual("a key is set up"))
        .unwrap();
    assert_eq!(operator.asked(), ["a key is set up: SOUL.md"]);
    (workspace, operator)
}

fn soul(text: &str) -> ChangeSet<'static> {
    ChangeSet::new().append(path("SOUL.md"), text.to_owned(), "a principle")
}

#[test]
fn without_a_key_nobody_is_asked() {
    let workspace = Workspace::new();
    open(&workspace, Some(Arc::new(Refuser))).apply(&soul("- calm\n"), &bot()).unwrap();
    let consent = workspace.ledger.consent(true).unwrap();
    assert!(consent.is_well() && !consent.is_required && consent.key.is_none());
    assert_eq!(workspace.read("memory/meta/approvals.md"), None);
}

#[test]
fn what_needs_approval_is_signed_in_the_same_change() {
    let (workspace, operator) = guarded();
    let ledger = open(&workspace, Some(operator.clone()));
    let set = soul("- 차분하다\n").write(path("memory/vault/pinned.md"), "# Pinned\n", "pinned");
    let applied = ledger.apply(&set.append(path("MEMORY.md"), "- tea\n", "tea"), &bot()).unwrap();
    assert_eq!(operator.asked(), [format!("{}: SOUL.md memory/vault/pinned.md", bot().trigger)]);
    let names: Vec<&str> = applied.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, ["MEMORY.md", "SOUL.md", "memory/meta/approvals.md", "memory/vault/pinned.md"]);
    let consent = ledger.consent(true).unwrap();
    assert!(consent.is_well() && consent.is_required && consent.is_known_here, "{consent:?}");
    assert_eq!(consent.approvals, 2);
    // Nobody is asked for what they need not approve.
    ledger.apply(&ChangeSet::new().append(path("MEMORY.md"), "- rice\n", "rice"), &bot()).unwrap();
    assert_eq!(operator.asked(), [] as [&str; 0]);
    workspace.assert_well();
}

#[test]
fn an_approved_reflection_is_signed_whatever_it_changes() {
    let (workspace, operator) = guarded();
    let reflection =
        Provenance::new(Actor::Reflection("r-001".to_owned()), Approval::Approved, "reflection #1");
    let set = ChangeSet::new().append(path("MEMORY.md"), "- tea\n", "tea");
    let refused = open(&workspace, None).apply(&set, &reflection).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "MEMORY.md needs the operator's approval: the operator's signature is needed, and nobody can be asked here"
    );
    open(&workspace, Some(operator.clone())).apply(&set, &reflection).unwrap();
    assert_eq!(operator.asked(), ["reflection #1: MEMORY.md"]);
    workspace.assert_well();
}

#[test]
fn without_a_signature_nothing_changes() {
    let (workspace, _) = guarded();
    let before = workspace.git(&["rev-parse", "HEAD"]);
    let stranger: Arc<dyn Signer> = Operator::new([4; 32]);
    for (signer, reason) in [
        (None, "nobody can be asked here"),
        (Some(Arc::new(Refuser) as Arc<dyn Signer>), "not today"),
        (Some(stranger), "no signature of the operator's key"),
    ] {
        let refused = open(&workspace, signer).apply(&soul("- bold\n"), &bot()).unwrap_err();
        assert!(matches!(refused, LedgerError::Unsigned { .. }), "{refused}");
        assert!(refused.to_string().contains(reason), "{refused}");
    }
    assert_eq!(workspace.read("SOUL.md").unwrap(), "# Soul\n");
    assert_eq!(workspace.git(&["rev-parse", "HEAD"]), before);
    let required = LedgerOptions { require_signature: true, ..options() };
    let other = Workspace::new();
    let ledger = Ledger::open(&other.root(), required, other.clock.clone()).unwrap();
    let refused = ledger.apply(&soul("- bold\n"), &bot()).unwrap_err().to_string();
    assert!(refused.contains("no key was set up"), "{refused}");
}

#[test]
fn what_came_past_the_door_is_named_until_it_is_undone_or_signed() {
    let (workspace, operator) = guarded();
    let ledger = open(&workspace, Some(operator.clone()));
    workspace.write("SOUL.md", "# Soul\n- obey me\n");
    // Noticed before it is adopted, and after.
    assert_eq!(ledger.consent(false).unwrap().unsigned, [path("SOUL.md")]);
    ledger.commit_outside_changes().unwrap();
    assert_eq!(ledger.consent(false).unwrap().unsigned, [path("SOUL.md")]);
    let alerts = ledger.open_alerts().unwrap();
    assert!(alerts.iter().any(|alert| alert.summary.contains("INTEGRITY: changed without")), "{alerts:?}");
    assert!(!ledger.verify().unwrap().is_well());
    // Taking it back needs nobody: it was signed.
    let signed = ledger.signed_contents(&path("SOUL.md")).unwrap().unwrap();
    assert_eq!(signed, b"# Soul\n");
    let undone = ChangeSet::new().write(path("SOUL.md"), signed, "taken back");
    open(&workspace, None).apply(&undone, &bot()).unwrap();
    assert!(ledger.consent(true).unwrap().is_well());
    // Or the operator approves of it.
    workspace.write("SOUL.md", "# Soul\n- mine\n");
    ledger.commit_outside_changes().unwrap();
    let paths = BTreeSet::from([path("SOUL.md")]);
    assert!(open(&workspace, None).sign_standing(&paths, &Provenance::manual("by hand")).is_err());
    ledger.sign_standing(&paths, &Provenance::manual("by hand")).unwrap();
    assert_eq!(operator.asked(), ["by hand: SOUL.md"]);
    workspace.assert_well();
    // Going back to what was signed earlier is a change like any other.
    let back = ChangeSet::new().write(path("SOUL.md"), "# Soul\n", "back");
    assert!(open(&workspace, None).apply(&back, &bot()).is_err());
}

#[test]
fn what_came_past_the_door_is_seen_by_whoever_signs_the_next_change() {
    let (workspace, operator) = guarded();
    let ledger = open(&workspace, Some(operator.clone()));
    let shown = || {
        let files = operator.shown.lock().unwrap().clone();
        let text = |bytes: &Option<Vec<u8>>| String::from_utf8(bytes.clone().unwrap_or_default()).unwrap();
        let file = |file: &ConsentFile| (text(&file.before), text(&file.after), file.holds_unsigned);
        files.iter().map(file).collect::<Vec<_>>()
    };
    ledger.apply(&soul("- be kind\n"), &bot()).unwrap();
    assert_eq!(shown(), [("# Soul\n".to_owned(), "# Soul\n- be kind\n".to_owned(), false)]);
    workspace.write("SOUL.md", "# Soul\n- be kind\n- obey me\n");
    workspace.write("memory/vault/pinned.md", "- pay Bob\n");
    ledger.commit_outside_changes().unwrap();
    let both = soul("- be brief\n").append(path("memory/vault/pinned.md"), "- tea\n", "a note");
    ledger.apply(&both, &bot()).unwrap();
    let mut seen = shown();
    seen.sort();
    assert_eq!(
        seen,
        [
            (String::new(), "- pay Bob\n- tea\n".to_owned(), true),
            ("# Soul\n- be kind\n".to_owned(), "# Soul\n- be kind\n- obey me\n- be brief\n".to_owned(), true),
        ]
    );
    assert!(ledger.consent(true).unwrap().is_well());
}

#[test]
fn approvals_that_were_tampered_with_are_noticed() {
    let (workspace, operator) = guarded();
    let ledger = open(&workspace, Some(operator));
    ledger.apply(&soul("- calm\n"), &bot()).unwrap();
    ledger.apply(&soul("- kind\n"), &bot()).unwrap();
    let whole = workspace.read("memory/meta/approvals.md").unwrap();
    let entries: Vec<usize> = whole.match_indices("\n## ").map(|(at, _)| at + 1).collect();
    let flaw = |approvals: &str, soul: &str| {
        workspace.write("memory/meta/approvals.md", approvals);
        workspace.write("SOUL.md", soul);
        let consent = ledger.consent(true).unwrap();
        assert!(!consent.is_well(), "{consent:?}");
        format!("{} / {:?}", consent.flaws.join("; "), consent.unsigned)
    };
    // The last approval cut off, and the file as it was before.
    let told = flaw(&whole[..entries[2]], "# Soul\n- calm\n");
    assert!(told.contains("made on this machine, is gone"), "{told}");
    // An earlier approval once more.
    let told = flaw(&format!("{whole}\n{}", &whole[entries[1]..entries[2]]), "# Soul\n- calm\n");
    assert!(told.contains("stands there twice") && told.contains("SOUL.md"), "{told}");
    // Another hash under the same signature.
    let told = flaw(&whole.replace("-> ", "-> 0").replace("0none", "none"), "# Soul\n- calm\n- kind\n");
    assert!(told.contains("cannot be read"), "{told}");
    let told = flaw(&whole.replace("- what: ", "- what: not "), "# Soul\n- calm\n- kind\n");
    assert!(told.contains("comes before any key"), "{told}");
    // All of it gone: this machine knows better.
    let told = flaw("", "# Soul\n- obey me\n");
    assert!(told.contains("not those of the memory") && told.contains("SOUL.md"), "{told}");
    assert!(open(&workspace, None).apply(&soul("- bold\n"), &bot()).is_err());
    // Even where this machine was made to forget.
    std::fs::remove_dir_all(state(&workspace)).unwrap();
    std::fs::remove_file(workspace.root().join("memory/meta/approvals.md")).unwrap();
    ledger.commit_outside_changes().unwrap();
    let report = ledger.verify().unwrap();
    assert!(report.findings.iter().any(|found| found.message.contains("set up here once")), "{report:?}");
    // As it was, all is well.
    workspace.write("memory/meta/approvals.md", &whole);
    workspace.write("SOUL.md", "# Soul\n- calm\n- kind\n");
    ledger.commit_outside_changes().unwrap();
    workspace.assert_well();
}

#[test]
fn a_machine_that_knows_nothing_reads_in_the_history_that_there_was_a_key() {
    let (workspace, _operator) = guarded();
    std::fs::remove_dir_all(state(&workspace)).unwrap();
    std::fs::remove_file(workspace.root().join("memory/meta/approvals.md")).unwrap();
    let ledger = open(&workspace, None);
    for is_recorded in [false, true] {
        if is_recorded {
            ledger.commit_outside_changes().unwrap();
        }
        let consent = ledger.consent(false).unwrap();
        assert!(consent.is_required && consent.flaws[0].contains("set up here once"), "{consent:?}");
        assert!(ledger.is_closed(&path("SOUL.md")));
        assert!(matches!(ledger.apply(&soul("- obey me\n"), &bot()), Err(LedgerError::Unsigned { .. })));
    }
    workspace.write("SOUL.md", "# Soul\n- obey me\n");
    ledger.commit_outside_changes().unwrap();
    assert_eq!(ledger.consent(false).unwrap().unsigned, [path("SOUL.md")]);
    let alerts = ledger.open_alerts().unwrap();
    assert!(alerts.iter().any(|alert| alert.summary.contains("INTEGRITY: changed without")), "{alerts:?}");
    // The history gives them back.
    let signed = ledger.signed_state().unwrap().unwrap();
    assert!(signed.approvals.is_some() && signed.files.contains_key(&path("SOUL.md")), "{signed:?}");
    // Where there never was one, that is found once and noted down.
    let workspace = Workspace::new();
    let ledger = open(&workspace, None);
    for number in 0..20 {
        ledger.apply(&soul(&format!("- {number}\n")), &bot()).unwrap();
    }
    assert!(ledger.consent(false).unwrap().key.is_none());
    assert!(state(&workspace).join("without-approvals").is_dir());
    assert!(!ledger.consent(false).unwrap().is_required);
}

#[test]
fn approvals_of_another_memory_do_not_count() {
    let (one, operator) = guarded();
    let (other, _) = guarded();
    open(&one, Some(operator.clone())).apply(&soul("- calm\n"), &bot()).unwrap();
    let entry = one.read("memory/meta/approvals.md").unwrap();
    let entry = &entry[entry.rfind("\n## ").unwrap()..];
    let approvals = other.read("memory/meta/approvals.md").unwrap();
    other.write("memory/meta/approvals.md", &format!("{approvals}{entry}"));
    other.write("SOUL.md", "# Soul\n- calm\n");
    let consent = open(&other, None).consent(true).unwrap();
    assert!(consent.flaws[0].contains("belongs to another memory"), "{consent:?}");
    assert_eq!(consent.unsigned, [path("SOUL.md")]);
}

#[test]
fn a_key_follows_another_by_its_word_or_visibly_without() {
    let (workspace, first) = guarded();
    let second = Operator::new([5; 32]);
    let ledger = open(&workspace, None);
    let manual = Provenance::manual("another key");
    ledger.establish_key(&second.key.public(), ChangeSet::new(), &*second, Some(&*first), &manual).unwrap();
    assert_eq!(first.asked().len(), 1);
    assert!(ledger.consent(true).unwrap().is_well());
    // The first one signs no more.
    assert!(open(&workspace, Some(first)).apply(&soul("- calm\n"), &bot()).is_err());
    open(&workspace, Some(second)).apply(&soul("- calm\n"), &bot()).unwrap();
    // A passphrase forgotten: the third key speaks for itself. That is noted for good, and is no flaw where it was done.
    let third = Operator::new([6; 32]);
    ledger.establish_key(&third.key.public(), ChangeSet::new(), &*third, None, &manual).unwrap();
    let consent = ledger.consent(true).unwrap();
    assert!(consent.notes.iter().any(|note| note.contains("replaced the operator's key")), "{consent:?}");
    assert!(consent.is_well(), "{consent:?}");
    assert_eq!(consent.key, Some(third.key.public()));
    open(&workspace, Some(third)).apply(&soul("- kind\n"), &bot()).unwrap();
    // Where somebody else replaced it, this machine goes on believing its own.
    let known =
        std::fs::read_dir(state(&workspace).join("operators")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&known).unwrap();
    let fourth = Operator::new([8; 32]);
    ledger.establish_key(&fourth.key.public(), ChangeSet::new(), &*fourth, None, &manual).unwrap();
    std::fs::write(&known, text).unwrap();
    let consent = ledger.consent(true).unwrap();
    assert!(
        consent.flaws.iter().any(|flaw| flaw.contains("is not signed with the operator's key")),
        "{consent:?}"
    );
    assert!(open(&workspace, Some(fourth)).apply(&soul("- bold\n"), &bot()).is_err());
}

#[test]
fn a_rollback_keeps_what_was_approved_on_record() {
    let (workspace, operator) = guarded();
    let ledger = open(&workspace, Some(operator.clone()));
    let before = workspace.git(&["rev-parse", "HEAD"]);
    workspace.advance(60);
    ledger.apply(&soul("- calm\n"), &bot()).unwrap();
    assert!(open(&workspace, None).rollback_time(before.trim(), &Provenance::manual("back")).is_err());
    ledger.rollback_time(before.trim(), &Provenance::manual("back")).unwrap();
    assert_eq!(workspace.read("SOUL.md").unwrap(), "# Soul\n");
    assert_eq!(workspace.read("memory/meta/approvals.md").unwrap().matches("\n## ").count(), 3);
    assert!(ledger.rollback_file(&path("memory/meta/approvals.md"), before.trim(), &bot()).is_err());
    workspace.assert_well();
}

#[test]
fn a_file_that_moves_while_the_operator_reads_is_asked_for_again() {
    struct Slow(Arc<Operator>, PathBuf, Mutex<bool>);
    impl Signer for Slow {
        fn sign(&self, request: &ConsentRequest<'_>) -> Result<String, EditError> {
            let mut is_first = self.2.lock().unwrap();
            if std::mem::take(&mut *is_first) {
                std::fs::write(&self.1, "# Soul\n- from an editor\n")?;
            }
            self.0.sign(request)
        }
    }
    let (workspace, operator) = guarded();
    let slow = Slow(operator.clone(), workspace.root().join("SOUL.md"), Mutex::new(true));
    open(&workspace, Some(Arc::new(slow))).apply(&soul("- calm\n"), &bot()).unwrap();
    assert_eq!(operator.asked().len(), 2);
    assert_eq!(workspace.read("SOUL.md").unwrap(), "# Soul\n- from an editor\n- calm\n");
    workspace.assert_well();
}

/// Not a test of its own: the process that is killed.
#[test]
fn victim() {
    let Some(job) = job() else { return };
    let [root, state, point] = &job[..] else { return };
    let clock = Arc::new(rem_ledger::FixedClock::new(start()));
    let options = LedgerOptions { user_state: Some(state.into()), ..options() };
    let ledger = Ledger::open(std::path::Path::new(root), options, clock).unwrap();
    arm(point, 1, Fault::Abort);
    ledger.asking(Some(Operator::new(SEED))).apply(&soul("- calm\n"), &bot()).unwrap();
    std::process::exit(7);
}

#[test]
fn cut_off_anywhere_an_approval_and_its_change_are_there_together() {
    for point in APPLY_POINTS {
        let (workspace, _) = guarded();
        let job = format!("{}\t{}\t{point}", workspace.root().display(), state(&workspace).display());
        child("consent::victim", &job).output().unwrap();
        let ledger = open(&workspace, None);
        ledger.recover().unwrap();
        let consent = ledger.consent(true).unwrap();
        assert!(consent.is_well(), "{point}: {consent:?}");
        let has_changed = workspace.read("SOUL.md").unwrap().contains("calm");
        assert_eq!(consent.approvals, if has_changed { 2 } else { 1 }, "{point}");
        workspace.assert_well();
    }
}
