//! Asking a program of the person's own: what it is asked goes to its standard input, what it prints is the answer.
//!
//! It has a time limit, and what it started goes with it when that is over. Input and output are files without a name, so that a
//! program that reads nothing, or prints more than anybody wants, holds nobody up. Must not choose what to run: who calls has made
//! sure that a person wants it.

use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// The most that a program may answer, in bytes.
pub const LONGEST_ANSWER: u64 = 1024 * 1024;
/// How often it is looked whether a program is done.
const PAUSE: Duration = Duration::from_millis(2);
/// What is kept of a program's complaint, in bytes.
const COMPLAINT: u64 = 2_000;

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It could not be started, or its files not be made.
    #[error("`{command}` cannot be run: {source}")]
    Run {
        /// The command.
        command: String,
        /// What went wrong.
        source: std::io::Error,
    },
    /// It was not done in time, and was ended.
    #[error("`{command}` had no answer within {} ms and was ended", .limit.as_millis())]
    Slow {
        /// The command.
        command: String,
        /// How long it had.
        limit: Duration,
    },
    /// It failed.
    #[error("`{command}` failed ({status}){}", said(.complaint))]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
        /// What it wrote to its standard error, cut off.
        complaint: String,
    },
    /// It answered more than anybody reads.
    #[error("`{command}` answered more than {LONGEST_ANSWER} bytes")]
    Long {
        /// The command.
        command: String,
    },
}

fn said(complaint: &str) -> String {
    if complaint.is_empty() { String::new() } else { format!(": {complaint}") }
}

/// Has the shell run `command` in `folder`, gives it `input` and returns what it prints; what is not UTF-8 in it is replaced.
///
/// # Errors
/// [`CommandError`] where it cannot be run, fails, or takes more than `limit`.
pub fn ask(command: &str, folder: &Path, input: &[u8], limit: Duration) -> Result<String, CommandError> {
    ask_with(command, folder, input, limit, &[])
}

/// As [`ask`]; the program is told that it is a helper. An agent that is asked for a model's answer may have this memory in its hooks:
/// what it is asked is no conversation to be remembered.
///
/// # Errors
/// The same.
pub fn ask_as_helper(
    command: &str,
    folder: &Path,
    input: &[u8],
    limit: Duration,
) -> Result<String, CommandError> {
    ask_with(command, folder, input, limit, &[("REM_ROLE", "sub")])
}

fn ask_with(
    command: &str,
    folder: &Path,
    input: &[u8],
    limit: Duration,
    variables: &[(&str, &str)],
) -> Result<String, CommandError> {
    // What a person wrote there may be a key.
    let shown = || crate::http::without_keys(command);
    let cannot = |source| CommandError::Run { command: shown(), source };
    let files = || -> std::io::Result<_> {
        let (mut asked, answer, complaint) =
            (tempfile::tempfile()?, tempfile::tempfile()?, tempfile::tempfile()?);
        asked.write_all(input)?;
        asked.rewind()?;
        Ok((asked, answer, complaint))
    };
    let (asked, mut answer, mut complaint) = files().map_err(cannot)?;
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .envs(variables.iter().copied())
        .stdin(Stdio::from(asked))
        .stdout(Stdio::from(answer.try_clone().map_err(cannot)?))
        .stderr(Stdio::from(complaint.try_clone().map_err(cannot)?))
        // With all that it starts, so that all of it can be ended.
        .process_group(0)
        .spawn()
        .map_err(cannot)?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(cannot)? {
            Some(status) => break status,
            None if begun.elapsed() >= limit => {
                end(&mut child);
                return Err(CommandError::Slow { command: shown(), limit });
            }
            None => std::thread::sleep(PAUSE),
        }
    };
    let read = |file: &mut std::fs::File, most: u64| -> std::io::Result<Vec<u8>> {
        file.rewind()?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    if !status.success() {
        let said = read(&mut complaint, COMPLAINT).map_err(cannot)?;
        let complaint = crate::http::without_keys(&String::from_utf8_lossy(&said));
        return Err(CommandError::Failed { command: shown(), status: status.to_string(), complaint });
    }
    let printed = read(&mut answer, LONGEST_ANSWER + 1).map_err(cannot)?;
    if printed.len() as u64 > LONGEST_ANSWER {
        return Err(CommandError::Long { command: shown() });
    }
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

/// Ends a program and all that it started in its group.
fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may have ended by itself in this moment.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    fn asked(command: &str, input: &[u8]) -> Result<String, CommandError> {
        ask(command, &std::env::temp_dir(), input, LIMIT)
    }

    #[test]
    fn a_program_answers_what_it_is_asked() {
        assert_eq!(asked("tr a-z A-Z", "grüße".as_bytes()).unwrap(), "GRüßE");
        // What reads nothing, prints nothing or prints bytes is no trouble.
        assert_eq!(asked("true", &vec![b'x'; 1 << 20]).unwrap(), "");
        assert_eq!(asked(r"printf 'a\377b'", b"").unwrap(), "a\u{FFFD}b");
    }

    #[test]
    fn what_goes_wrong_is_said_with_its_command() {
        let failed = asked("echo no such person >&2; exit 3", b"").unwrap_err().to_string();
        assert!(failed.contains("exit status: 3") && failed.ends_with(": no such person"), "{failed}");
        let unknown = asked("rem-no-such-program", b"").unwrap_err().to_string();
        assert!(unknown.contains("127"), "{unknown}");
        let long = asked("head -c 2000000 /dev/zero", b"").unwrap_err();
        assert!(matches!(long, CommandError::Long { .. }), "{long}");
        assert!(ask("true", Path::new("/no/such/folder"), b"", LIMIT).is_err());
    }

    #[test]
    fn a_command_shows_no_key_of_its_own() {
        let command = "false 'Authorization: Bearer sk-abc123' --token ghp_abc123 https://me:abc123@a.invalid/?key=abc123";
        let failed = asked(command, b"").unwrap_err().to_string();
        assert!(
            failed.contains("false") && failed.contains("[key]") && !failed.contains("abc123"),
            "{failed}"
        );
    }

    #[test]
    fn a_complaint_shows_no_key() {
        let failed =
            asked("echo key sk-abc123 and token=ghp_abcdef0123456789abcdef0123456789abcd >&2; exit 1", b"");
        let failed = failed.unwrap_err().to_string();
        let said = failed.split_once("): ").unwrap().1;
        assert!(!said.contains("abc123") && !said.contains("ghp_") && said.contains("[key]"), "{failed}");
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let command = "sh -c 'sleep 1; touch late' & echo begun; sleep 60";
        let error = ask(command, folder.path(), b"", Duration::from_millis(200)).unwrap_err();
        assert!(matches!(error, CommandError::Slow { .. }), "{error}");
        std::thread::sleep(Duration::from_millis(1_500));
        assert!(!folder.path().join("late").exists());
    }
}
