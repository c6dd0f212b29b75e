//! One call of an operation: what it is given, and what it gives back.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rem_mind::Memory;
use rem_mind::recall::Progress;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::workspace::{Caller, Fresh, PATIENCE, Workspace};

/// Progress is told at most so often.
const BETWEEN: Duration = Duration::from_millis(100);
/// How long a call that refreshes the index itself waits for whoever is at it: long, for two at once would only be slower.
const LONG_PATIENCE: Duration = Duration::from_secs(20);

/// Where the progress of a call goes; nowhere where the client did not ask for it.
pub(crate) struct Reporter {
    sender: Option<UnboundedSender<Progress>>,
    told: Option<(Instant, usize)>,
}

impl Reporter {
    pub(crate) fn new(sender: Option<UnboundedSender<Progress>>) -> Self {
        Self { sender, told: None }
    }

    /// How far it is. What is told only rises, as the protocol wants it.
    pub(crate) fn tell(&mut self, at: Progress) {
        let Some(sender) = &self.sender else { return };
        if self.told.is_some_and(|(when, done)| at.done <= done || when.elapsed() < BETWEEN) {
            return;
        }
        self.told = Some((Instant::now(), at.done));
        // Whoever asked may have gone.
        let _ = sender.send(at);
    }
}

/// A call of an operation.
pub(crate) struct Call<'a> {
    /// The memory as it is now.
    pub(crate) memory: Arc<Memory>,
    /// What was given.
    pub(crate) arguments: Arguments,
    workspace: &'a Workspace,
    reporter: &'a mut Reporter,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        caller: &Caller,
        arguments: Arguments,
        reporter: &'a mut Reporter,
    ) -> Result<Self, Failure> {
        Ok(Self { memory: workspace.memory_of(caller)?, arguments, workspace, reporter })
    }

    /// The machine's own time.
    pub(crate) fn machine_time(&self) -> SystemTime {
        self.workspace.machine_time()
    }

    /// Nothing may be left of the arguments.
    pub(crate) fn arguments_end(&mut self) -> Result<(), Failure> {
        std::mem::replace(&mut self.arguments, Arguments::new("", None)).done()
    }

    /// Searches: the index as it stands where somebody has just looked, or is looking, else after a look of its own.
    pub(crate) fn recall(
        &mut self,
        query: &rem_mind::recall::Query,
    ) -> Result<rem_mind::recall::Answer, Failure> {
        let now = self.machine_time();
        let Self { memory, workspace, reporter, .. } = self;
        let fresh = workspace.freshness(PATIENCE, &mut |at| reporter.tell(at));
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
    pub(crate) fn catch_up(&mut self) {
        let reporter = &mut *self.reporter;
        let fresh = self.workspace.freshness(LONG_PATIENCE, &mut |at| reporter.tell(at));
        if fresh == Fresh::No {
            self.memory.catch_up();
        }
    }

    /// Waits for whoever is building the index, for what asks it by way of a look of its own.
    pub(crate) fn wait_for_index(&mut self) {
        let reporter = &mut *self.reporter;
        self.workspace.freshness(LONG_PATIENCE, &mut |at| reporter.tell(at));
    }
}

/// Work that is done once an answer is on its way.
pub(crate) type Then = Box<dyn FnOnce() + Send>;

/// What an operation gives back.
pub(crate) struct Output {
    /// The shape that `--json` prints; an object.
    pub(crate) value: Value,
    /// A text for a model in the place of the JSON.
    pub(crate) text: Option<String>,
    /// What is to be done once the answer is on its way.
    pub(crate) then: Option<Then>,
}

impl Output {
    /// The shape that `--json` prints; it must be an object.
    pub(crate) fn of<T: Serialize>(answer: &T) -> Result<Self, Failure> {
        Ok(Self { value: serde_json::to_value(answer)?, text: None, then: None })
    }

    /// With a text for the model in the place of the JSON.
    pub(crate) fn read_as(self, text: String) -> Self {
        Self { text: Some(text), ..self }
    }

    /// With what is to be done once the answer is on its way.
    pub(crate) fn then(self, work: impl FnOnce() + Send + 'static) -> Self {
        Self { then: Some(Box::new(work)), ..self }
    }
}
