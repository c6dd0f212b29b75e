//! Words for the tests: turns, sessions of a host, and what is kept of them.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, Transcript, Turn, TurnKind, TurnPart};
use rem_ledger::fault::{Fault, arm};
use rem_ledger::{Layout, LayoutPreset};
use rem_mind::Memory;
use rem_mind::transcripts::{ImportOutcome, SessionEnd, SessionStart};
use rem_testkit::Workspace;
use serde_json::{Value, json};

/// A new workspace in each layout.
pub(crate) fn in_both_layouts() -> [Workspace; 2] {
    [LayoutPreset::OpenClaw, LayoutPreset::Autopoiesis].map(Workspace::with_layout)
}

/// The workspace with a miner that keeps what the extractors are less sure of, too.
pub(crate) fn believing(mut workspace: Workspace) -> Workspace {
    workspace.set("lifecycle.mining_confidence", "0.3");
    workspace
}

/// Where this workspace has what lies there in the default layout.
pub(crate) fn placed(workspace: &Workspace, default: &str) -> String {
    let (usual, layout) = (Layout::default(), workspace.memory().ledger().layout());
    let default = path(default);
    if let Some(id) = usual.entity_named(&default) {
        return layout.entity_places(&id).unwrap().pop().unwrap().to_string();
    }
    let store = usual.store_of(&default).unwrap();
    default.as_str().replacen(usual.path(store).as_str(), layout.path(store).as_str(), 1)
}

pub(crate) fn path(text: &str) -> MemoryPath {
    MemoryPath::new(text).unwrap()
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn message(at: &str, role: Role, text: &str) -> Turn {
    Turn { time: time(at), role, kind: TurnKind::Message, body: vec![TurnPart::Text(text.to_owned())] }
}

pub(crate) fn user(at: &str, text: &str) -> Turn {
    message(at, Role::User, text)
}

pub(crate) fn agent(at: &str, text: &str) -> Turn {
    message(at, Role::Agent, text)
}

/// A closed session of these turns: `user: …` or `agent: …`.
pub(crate) fn talk(workspace: &Workspace, session: &str, at: &str, turns: &[&str]) {
    let memory = workspace.memory();
    let start = SessionStart {
        session: session.to_owned(),
        started: Some(at.parse().unwrap()),
        ..SessionStart::default()
    };
    memory.start_session(&start).unwrap();
    for (index, turn) in turns.iter().enumerate() {
        let time =
            at.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_mins(index.try_into().unwrap());
        let turn = match turn.split_once(": ").unwrap() {
            ("user", text) => user(&time.to_string(), text),
            (_, text) => agent(&time.to_string(), text),
        };
        memory.capture(session, &turn).unwrap();
    }
    memory.end_session(session, &SessionEnd::default()).unwrap();
}

/// A transcript of the workspace, read.
pub(crate) fn transcript(workspace: &Workspace, path: &MemoryPath) -> Transcript {
    Transcript::parse(&workspace.read(path.as_str()).unwrap()).unwrap()
}

pub(crate) fn turns(workspace: &Workspace, path: &MemoryPath) -> Vec<Turn> {
    transcript(workspace, path).turns.into_iter().map(|turn| turn.turn).collect()
}

/// Every transcript of the workspace in path order.
pub(crate) fn transcripts(workspace: &Workspace) -> Vec<MemoryPath> {
    workspace.memory().ledger().transcripts().unwrap()
}

/// Everything that is kept of all conversations, part after part.
pub(crate) fn all_turns(workspace: &Workspace) -> Vec<Turn> {
    let mut parts: Vec<Transcript> =
        transcripts(workspace).iter().map(|path| transcript(workspace, path)).collect();
    parts.sort_by_key(|part| (part.header.session_id.clone(), part.header.part));
    parts.into_iter().flat_map(|part| part.turns).map(|turn| turn.turn).collect()
}

pub(crate) fn import(memory: &Memory, from: &Path) -> ImportOutcome {
    memory.import(from, None, &mut |_, _| {}).unwrap()
}

/// A session of Claude Code, record by record.
pub(crate) struct Claude {
    session: &'static str,
    records: Vec<String>,
    parent: Value,
    seconds: i64,
    started: Timestamp,
}

impl Claude {
    pub(crate) fn new(session: &'static str, started: &str) -> Self {
        Self { session, records: Vec::new(), parent: Value::Null, seconds: 0, started: time(started) }
    }

    /// The id of the next record.
    pub(crate) fn next_id(&self) -> String {
        format!("r{:04}", self.records.len())
    }

    /// The next record hangs on this one.
    pub(crate) fn go_back_to(&mut self, record: &str) {
        self.parent = json!(record);
    }

    fn record(&mut self, mut record: Value) -> &mut Self {
        let id = self.next_id();
        self.seconds += 7;
        let at = self.started + jiff::SignedDuration::from_secs(self.seconds);
        let fields = record.as_object_mut().unwrap();
        fields.insert("uuid".into(), json!(id));
        fields.insert("parentUuid".into(), self.parent.clone());
        fields.insert("sessionId".into(), json!(self.session));
        fields.insert("timestamp".into(), json!(at.to_string()));
        fields.insert("isSidechain".into(), json!(false));
        fields.insert("cwd".into(), json!("/srv/project"));
        self.records.push(record.to_string());
        self.parent = json!(id);
        self
    }

    pub(crate) fn user(&mut self, text: &str) -> &mut Self {
        self.record(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    /// One block of the answer `response`; hosts write a record per block.
    pub(crate) fn answer(&mut self, response: &str, block: Value) -> &mut Self {
        self.record(json!({"type": "assistant", "message": {"id": response, "role": "assistant", "model": "claude-test",
            "content": [block], "usage": {"input_tokens": 10, "output_tokens": 5}}}))
    }

    pub(crate) fn says(&mut self, response: &str, text: &str) -> &mut Self {
        self.answer(response, json!({"type": "text", "text": text}))
    }

    pub(crate) fn calls(&mut self, response: &str, call: &str, command: &str) -> &mut Self {
        self.answer(
            response,
            json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}),
        )
    }

    pub(crate) fn result(&mut self, call: &str, text: &str) -> &mut Self {
        self.record(json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}}))
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn text(&self) -> String {
        self.first(self.records.len())
    }

    /// The file as it was after so many records.
    pub(crate) fn first(&self, records: usize) -> String {
        self.records[..records].iter().map(|record| format!("{record}\n")).collect()
    }

    /// Writes the file beside the workspace.
    pub(crate) fn put(&self, workspace: &Workspace, records: usize) -> PathBuf {
        put(workspace, self.session, self.first(records))
    }
}

/// A host's file beside the workspace.
pub(crate) fn put(workspace: &Workspace, session: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let name = format!("sessions/{session}.jsonl");
    rem_testkit::write(workspace.outside(), &name, text);
    workspace.outside().join(name)
}

/// What the process of a test's own was told.
const VICTIM: &str = "REM_TEST_VICTIM";

/// Runs the test of this name in a process of its own, in which [`victim`] meets the fault at the `nth` passing of `point`: it dies, or its disk is full
/// where `how` says so. Gives its exit code, nothing for one that was killed.
pub(crate) fn in_a_process(
    test: &str,
    workspace: &Workspace,
    point: &str,
    nth: usize,
    how: &str,
) -> Option<i32> {
    let told = format!("{}\n{}\n{point}\n{nth}\n{how}", workspace.root().display(), workspace.now());
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(VICTIM, told)
        .output()
        .unwrap()
        .status
        .code()
}

/// The exit code of a victim that came through and did what it should, as where the point is not passed so often.
pub(crate) const DONE: i32 = 7;

/// The work of a process that [`in_a_process`] started; nothing in a test of its own. `work` is told how it was called and says whether it is done.
pub(crate) fn victim(work: impl FnOnce(&Memory, &str) -> bool) {
    let Ok(told) = std::env::var(VICTIM) else { return };
    let [root, now, point, nth, how] = told.split('\n').collect::<Vec<_>>()[..] else { panic!("{told}") };
    let clock = std::sync::Arc::new(rem_ledger::FixedClock::new(time(now)));
    let memory = Memory::open(Path::new(root), rem_testkit::options(&clock)).unwrap();
    arm(point, nth.parse().unwrap(), if how == "full" { Fault::DiskFull } else { Fault::Abort });
    std::process::exit(if work(&memory, how) { DONE } else { DONE + 1 });
}
