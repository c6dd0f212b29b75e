//! The three lines inside an advisory lock file (P4.1).
//!
//! ```text
//! PID: 4711
//! AGENT: memory-miner
//! TIMESTAMP: 2026-02-22T06:00:00Z
//! ```
//!
//! Other programs that follow the seed read and write the same lines, so the reader is lenient and the writer exact.

use jiff::Timestamp;

/// Marks the agent line of locks that this program holds with an operating-system lock behind them.
pub const OWN_PREFIX: &str = "rem:";

/// What a lock file says about its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFile {
    /// The owner's process.
    pub pid: u32,
    /// The owner's name; ours start with [`OWN_PREFIX`].
    pub agent: String,
    /// When the lock was taken.
    pub timestamp: Timestamp,
}

impl LockFile {
    /// The contents to write. Line breaks in the agent's name become spaces.
    #[must_use]
    pub fn render(&self) -> String {
        let agent = self.agent.replace(['\n', '\r'], " ");
        format!("PID: {}\nAGENT: {agent}\nTIMESTAMP: {:.0}\n", self.pid, self.timestamp)
    }

    /// Reads contents, or gives `None` where any of the three lines is missing or unreadable.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
            })
        };
        Some(Self {
            pid: field("PID")?.parse().ok()?,
            agent: field("AGENT")?.to_owned(),
            timestamp: field("TIMESTAMP")?.parse().ok()?,
        })
    }

    /// Whether this program wrote the lock.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.agent.starts_with(OWN_PREFIX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_contents_are_the_seeds_three_lines() {
        let lock = LockFile {
            pid: 7,
            agent: "memory-miner".into(),
            timestamp: "2026-02-22T06:00:00.5Z".parse().unwrap(),
        };
        assert_eq!(lock.render(), "PID: 7\nAGENT: memory-miner\nTIMESTAMP: 2026-02-22T06:00:00Z\n");
    }

    #[test]
    fn a_lock_of_another_program_is_read_whatever_its_line_ends() {
        let lock =
            LockFile::parse("PID: 12\r\nAGENT: soul-keeper\r\nTIMESTAMP: 2026-02-22T02:30:00Z").unwrap();
        assert_eq!((lock.pid, lock.agent.as_str()), (12, "soul-keeper"));
        assert!(!lock.is_own());
        assert_eq!(LockFile::parse("PID: 12\nAGENT: x\n"), None);
    }

    proptest! {
        #[test]
        fn contents_read_back(pid in any::<u32>(), agent in "[a-z:-]{1,20}", second in 0i64..4_000_000_000) {
            let lock = LockFile { pid, agent, timestamp: Timestamp::from_second(second).unwrap() };
            prop_assert_eq!(LockFile::parse(&lock.render()), Some(lock));
        }
    }
}
