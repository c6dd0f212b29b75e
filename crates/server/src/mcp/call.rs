//! One call of a tool: what it is given, and what it gives back.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rem_mind::Memory;
use rem_mind::recall::Progress;
use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::arguments::Arguments;
use super::failure::Failure;
use super::workspace::{Fresh, Workspace};

/// Progress is told at most so often.
const BETWEEN: Duration = Duration::from_millis(100);
/// How long a call that refreshes the index itself waits for whoever is at it: long, for two at once would only be slower.
const LONG_PATIENCE: Duration = Duration::from_secs(20);

/// Where the progress of a call goes; nowhere where the client did not ask for it.
pub(super) struct Reporter {
    sender: Option<UnboundedSender<Progress>>,
    told: Option<(Instant, usize)>,
}

impl Reporter {
    pub(super) fn new(sender: Option<UnboundedSender<Progress>>) -> Self {
        Self { sender, told: None }
    }

    /// How far it is. What is told only rises, as the protocol wants it.
    pub(super) fn tell(&mut self, at: Progress) {
        let Some(sender) = &self.sender else { return };
        if self.told.is_some_and(|(when, done)| at.done <= done || when.elapsed() < BETWEEN) {
            return;
        }
        self.told = Some((Instant::now(), at.done));
        // Whoever asked may have gone.
        let _ = sender.send(at);
    }
}

/// A call of a tool.
pub(super) struct Call<'a> {
    /// The memory as it is now.
    pub(super) memory: Arc<Memory>,
    /// What was given.
    pub(super) arguments: Arguments,
    workspace: &'a Workspace,
    reporter: &'a mut Reporter,
}

impl<'a> Call<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        arguments: Arguments,
        reporter: &'a mut Reporter,
    ) -> Result<Self, Failure> {
        Ok(Self { memory: workspace.memory()?, arguments, workspace, reporter })
    }

    /// The machine's own time.
    pub(super) fn machine_time(&self) -> SystemTime {
        self.workspace.machine_time()
    }

    /// Nothing may be left of the arguments.
    pub(super) fn arguments_end(&mut self) -> Result<(), Failure> {
        std::mem::replace(&mut self.arguments, Arguments::new("", None)).done()
    }

    /// Searches: the index as it stands where somebody has just looked, or is looking, else after a look of its own.
    pub(super) fn recall(
        &mut self,
        query: &rem_mind::recall::Query,
    ) -> Result<rem_mind::recall::Answer, Failure> {
        let now = self.machine_time();
        let Self { memory, workspace, reporter, .. } = self;
        let fresh = workspace.freshness(super::workspace::PATIENCE, &mut |at| reporter.tell(at));
        if let Fresh::Behind(files) = fresh {
            return Ok(memory.recall_as_indexed(query, files, now)?);
        }
        let looking = workspace.begin_looking();
        let answer = memory.catch_up_and_recall(query, now, &mut |at| {
            if let Some(looking) = &looking {
                looking.reached(at);
            }
            reporter.tell(at);
        })?;
        if let Some(looking) = looking {
            looking.finish();
        }
        Ok(answer)
    }

    /// Takes in what happened to the workspace outside, unless somebody has just looked.
    pub(super) fn catch_up(&mut self) {
        let reporter = &mut *self.reporter;
        let fresh = self.workspace.freshness(LONG_PATIENCE, &mut |at| reporter.tell(at));
        if fresh == Fresh::No {
            self.memory.catch_up();
        }
    }

    /// Waits for whoever is building the index, for what asks it by way of a look of its own.
    pub(super) fn wait_for_index(&mut self) {
        let reporter = &mut *self.reporter;
        self.workspace.freshness(LONG_PATIENCE, &mut |at| reporter.tell(at));
    }
}

/// What a tool gives back.
pub(super) struct Output {
    value: Value,
    text: Option<String>,
    then: Option<Box<dyn FnOnce() + Send>>,
}

impl Output {
    /// The shape that `--json` prints; it must be an object.
    pub(super) fn of<T: Serialize>(answer: &T) -> Result<Self, Failure> {
        Ok(Self { value: serde_json::to_value(answer)?, text: None, then: None })
    }

    /// With a text for the model in the place of the JSON.
    pub(super) fn read_as(self, text: String) -> Self {
        Self { text: Some(text), ..self }
    }

    /// With what is to be done once the answer is on its way.
    pub(super) fn then(self, work: impl FnOnce() + Send + 'static) -> Self {
        Self { then: Some(Box::new(work)), ..self }
    }

    /// The protocol's form of it, and what remains to be done.
    pub(super) fn into_result(self) -> (CallToolResult, Option<Box<dyn FnOnce() + Send>>) {
        let mut result = CallToolResult::structured(self.value);
        if let Some(text) = self.text {
            result.content = vec![ContentBlock::text(text)];
        }
        (result, self.then)
    }
}
