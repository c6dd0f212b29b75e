//! The words of a task: the program's own, or the workspace's where it is trusted.
//!
//! A file `prompts/NAME.md` takes the place of the prompt of the task NAME. It is written for a version of it: one that speaks of another
//! version, or of values that the task does not have, is passed over, and that is said.

use rem_reason::task::Task;
use rem_reason::{Prompt, prompt::PromptError};

use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// The prompt of a task, and what a person should be told about it.
    pub(super) fn prompt_of(&self, task: &Task) -> Result<(Prompt, Vec<String>), MemoryError> {
        let own = task.own_prompt()?;
        let name = format!("{}.md", task.name);
        let Some(text) = self.workspace_prompts().get(&name) else { return Ok((own, Vec::new())) };
        let passed_over = |why: String| vec![format!("prompts/{name} is not used: {why}")];
        if !self.is_trusted() {
            return Ok((own, passed_over(self.not_trusted())));
        }
        match fitting(&own, text) {
            Ok(other) => Ok((other, Vec::new())),
            Err(why) => Ok((own, passed_over(why))),
        }
    }
}

fn fitting(own: &Prompt, text: &str) -> Result<Prompt, String> {
    let other = Prompt::parse(text).map_err(|error: PromptError| error.to_string())?;
    if other.version != own.version {
        return Err(format!(
            "it is for version {}, and the program has version {}",
            other.version, own.version
        ));
    }
    let known = own.places();
    match other.places().into_iter().find(|place| !known.contains(place)) {
        Some(unknown) => Err(PromptError::NoValue(unknown.to_owned()).to_string()),
        None => Ok(other),
    }
}
