//! The words of a task: the program's own, or the workspace's where it is trusted.
//!
//! A file `prompts/NAME.md` takes the place of the prompt of the task NAME. It is written for a version of it: one that speaks of another
//! version, or of values that the task does not have, is passed over, and that is said.

use rem_reason::task::Task;
use rem_reason::{Prompt, prompt::PromptError};

use crate::error::MemoryError;
use crate::memory::Memory;

macro_rules! prompts {
    ($($name:literal),* $(,)?) => {
        /// The program's prompts, by the names of their tasks.
        const OWN: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../prompts/", $name, ".md")))),*];
    };
}
prompts![
    "check-model",
    "commit-message",
    "condense-day",
    "condense-month",
    "condense-week",
    "contradiction",
    "extract-decisions",
    "extract-facts",
    "extract-lessons",
    "extract-people",
    "extract-procedures",
    "narrate",
    "reflect",
    "route",
];

impl Memory {
    /// The prompts of the workspace that are not used, by their files, and why: for another version than the program's, or for no task.
    pub(crate) fn unused_prompts(&self) -> Vec<(String, String)> {
        let why = |file: &str, text: &str| {
            let name = file.strip_suffix(".md").unwrap_or(file);
            let Some((_, own)) = OWN.iter().find(|(task, _)| *task == name) else {
                let names: Vec<&str> = OWN.iter().map(|(task, _)| *task).collect();
                return Some(format!("there is no task of this name; there are {}", names.join(", ")));
            };
            let own = Prompt::parse(own).ok()?;
            fitting(&own, text).err().map(|why| format!("{why}; the program's own is asked instead"))
        };
        let prompts = self.workspace_prompts().iter();
        prompts
            .filter_map(|(file, text)| Some((format!("{}/{file}", crate::trust::PROMPTS), why(file, text)?)))
            .collect()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_of_the_program_is_named() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut found: Vec<String> =
            files.filter_map(|file| file.to_string_lossy().strip_suffix(".md").map(str::to_owned)).collect();
        found.sort();
        assert_eq!(found, OWN.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    }
}
