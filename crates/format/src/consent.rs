//! approvals.md: what the operator approved with their key, one entry each (row I10).
//!
//! An entry is signed as it stands: its lines from the heading to the last one before the signature are the signed text, so that what
//! a person reads is what was signed. The file is only ever added to. Must not know how signing is done.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::fielded::{self, one_line};
use crate::path::MemoryPath;

/// How a file of approvals begins.
const START: &str = "# Approvals\n\n<!-- What the operator approved, signed with the operator's key. Only ever added to; `rem verify` checks it. -->\n";
/// What stands for a file that is not there.
const ABSENT: &str = "none";
const SIGNATURE: &str = "- signature: ";

/// One file of an approval: what it held and what it shall hold, as SHA-256 in hexadecimal; nothing for no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovedFile {
    /// The file.
    pub path: MemoryPath,
    /// The hash of what it held.
    pub before: Option<String>,
    /// The hash of what was approved.
    pub after: Option<String>,
}

/// What is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalStatement {
    /// Sixteen hexadecimal digits that no other approval has.
    pub id: String,
    /// When.
    pub time: Timestamp,
    /// What it is about, on one line.
    pub what: String,
    /// The id of the memory's first approval, so that no approval of another memory's counts here; nothing in the first itself.
    pub memory: Option<String>,
    /// The public key, in OpenSSH's form, that counts from here on; nothing where the key stays.
    pub key: Option<String>,
    /// The files, by their paths.
    pub files: Vec<ApprovedFile>,
}

impl ApprovalStatement {
    /// The text that is signed.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("## {}\n\n- id: {}\n- what: {}\n", self.time, self.id, one_line(&self.what));
        // Writing into a text cannot fail.
        if let Some(memory) = &self.memory {
            let _ = writeln!(text, "- memory: {memory}");
        }
        if let Some(key) = &self.key {
            let _ = writeln!(text, "- key: {key}");
        }
        for file in &self.files {
            let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| ABSENT.to_owned());
            let _ = writeln!(text, "- file: {} {} -> {}", file.path, hash(&file.before), hash(&file.after));
        }
        text
    }
}

/// A statement and what signs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedApproval {
    /// What was approved.
    pub statement: ApprovalStatement,
    /// The signed text as it stands in the file.
    pub signed: String,
    /// An SSH signature (PROTOCOL.sshsig), in base64 on one line.
    pub signature: String,
}

impl SignedApproval {
    /// A statement with its signature.
    #[must_use]
    pub fn new(statement: ApprovalStatement, signature: String) -> Self {
        Self { signed: statement.text(), statement, signature }
    }

    /// The entry in the file.
    #[must_use]
    pub fn render(&self) -> String {
        format!("{}{SIGNATURE}{}\n", self.signed, self.signature)
    }
}

/// An entry that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct MalformedApproval {
    /// The line of the file that its heading is on, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The file with one more approval at its end.
#[must_use]
pub fn append_approval(found: Option<&[u8]>, approval: &SignedApproval) -> Vec<u8> {
    fielded::append(found, START, approval.render().as_bytes())
}

/// The approvals of a file, in its order, and in their places what cannot be read as one.
#[must_use]
pub fn approvals(bytes: &[u8]) -> Vec<Result<SignedApproval, MalformedApproval>> {
    let entries = fielded::entries(bytes).into_iter();
    entries
        .map(|entry| {
            let text = String::from_utf8_lossy(&bytes[entry.bytes.clone()]).replace("\r\n", "\n");
            read(&text).map_err(|reason| MalformedApproval { line: entry.lines.start, reason })
        })
        .collect()
}

fn read(text: &str) -> Result<SignedApproval, String> {
    let at = text.find(&format!("\n{SIGNATURE}")).ok_or("there is no signature")? + 1;
    let (signed, rest) = (&text[..at], &text[at + SIGNATURE.len()..]);
    let mut lines = rest.lines();
    let signature = lines.next().unwrap_or_default().trim().to_owned();
    if lines.any(|line| !line.trim().is_empty()) {
        return Err("something stands below the signature".to_owned());
    }
    let mut lines = signed.lines();
    let heading = lines.next().and_then(|line| line.strip_prefix("## ")).unwrap_or_default();
    let time = heading.trim().parse().map_err(|_| format!("{heading:?} is no time"))?;
    let mut statement = ApprovalStatement {
        id: String::new(),
        time,
        what: String::new(),
        memory: None,
        key: None,
        files: Vec::new(),
    };
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line
            .strip_prefix("- ")
            .and_then(|field| field.split_once(": "))
            .ok_or_else(|| format!("{line:?} is no field"))?;
        match name {
            "id" => statement.id = value.to_owned(),
            "what" => statement.what = value.to_owned(),
            "memory" => statement.memory = Some(value.to_owned()),
            "key" => statement.key = Some(value.to_owned()),
            "file" => statement.files.push(file(value).ok_or_else(|| format!("{value:?} is no file"))?),
            _ => return Err(format!("there is no field {name:?}")),
        }
    }
    // Whatever else the text could mean, it means what the program would write for it: nothing is signed that is not read.
    if statement.text() != signed {
        return Err("it is not written as an approval is".to_owned());
    }
    if statement.id.is_empty() {
        return Err("it has no id".to_owned());
    }
    Ok(SignedApproval { statement, signed: signed.to_owned(), signature })
}

/// `PATH BEFORE -> AFTER`; the path may hold blanks.
fn file(text: &str) -> Option<ApprovedFile> {
    let (rest, after) = text.rsplit_once(" -> ")?;
    let (path, before) = rest.rsplit_once(' ')?;
    let hash = |text: &str| match text {
        ABSENT => Some(None),
        _ if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Some(Some(text.to_owned()))
        }
        _ => None,
    };
    Some(ApprovedFile { path: MemoryPath::new(path).ok()?, before: hash(before)?, after: hash(after)? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement() -> ApprovalStatement {
        ApprovalStatement {
            id: "00112233aabbccdd".to_owned(),
            time: "2026-03-01T12:00:00Z".parse().unwrap(),
            what: "the identity learns a principle".to_owned(),
            memory: Some("ffeeddccbbaa9988".to_owned()),
            key: None,
            files: vec![ApprovedFile {
                path: MemoryPath::new("SOUL.md").unwrap(),
                before: None,
                after: Some("ab".repeat(32)),
            }],
        }
    }

    #[test]
    fn what_stands_in_the_file_is_what_was_signed() {
        let first = SignedApproval::new(statement(), "U1NI".to_owned());
        let second = SignedApproval::new(
            ApprovalStatement { key: Some("ssh-ed25519 AAAA".to_owned()), memory: None, ..statement() },
            "U1NJ".to_owned(),
        );
        let file = append_approval(Some(&append_approval(None, &first)), &second);
        assert_eq!(approvals(&file), [Ok(first.clone()), Ok(second)]);
        let windows = String::from_utf8(file).unwrap().replace('\n', "\r\n");
        assert_eq!(approvals(windows.as_bytes())[0], Ok(first));
    }

    #[test]
    fn what_was_changed_by_hand_is_named_with_its_line() {
        let entry = append_approval(None, &SignedApproval::new(statement(), "U1NI".to_owned()));
        let text = String::from_utf8(entry).unwrap();
        let refused = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            approvals(changed.as_bytes()).remove(0).unwrap_err().to_string()
        };
        assert_eq!(refused("- signature: U1NI\n", ""), "line 5: there is no signature");
        assert_eq!(refused("U1NI\n", "U1NI\n- more: x\n"), "line 5: something stands below the signature");
        assert_eq!(refused("2026-03-01T12", "soon"), "line 5: \"soon:00:00Z\" is no time");
        assert_eq!(refused("- what:", "- who:"), "line 5: there is no field \"who\"");
        assert_eq!(
            refused("SOUL.md none", "../SOUL.md none").split(": ").last(),
            Some(&*format!("\"../SOUL.md none -> {}\" is no file", "ab".repeat(32)))
        );
        assert_eq!(refused("- id", "-  id"), "line 5: there is no field \" id\"");
        assert_eq!(refused("00112233aabbccdd", ""), "line 5: it has no id");
        assert_eq!(refused("- what: the", "- what:  the"), "line 5: it is not written as an approval is");
    }

    proptest! {
        #[test]
        fn rendering_and_reading_are_inverses(
            id in "[0-9a-f]{16}",
            what in "(- signature: |- |\\PC){0,40}",
            second in 0_i64..4_000_000_000,
            memory in proptest::option::of("[0-9a-f]{16}"),
            names in proptest::collection::vec("[a-z가-힣 ]{1,8}[a-z]\\.md", 0..4),
            before in proptest::option::of("[0-9a-f]{64}"),
            after in proptest::option::of("[0-9a-f]{64}"),
            signature in "[A-Za-z0-9+/=]{1,60}",
        ) {
            let files = names.iter().filter_map(|name| MemoryPath::new(name.as_str()).ok());
            let statement = ApprovalStatement {
                id, what: one_line(&what), memory, key: None,
                time: Timestamp::from_second(second).unwrap(),
                files: files.map(|path| ApprovedFile { path, before: before.clone(), after: after.clone() }).collect(),
            };
            let approval = SignedApproval::new(statement, signature);
            prop_assert_eq!(approvals(&append_approval(None, &approval)), vec![Ok(approval)]);
        }

        #[test]
        fn no_text_makes_it_stop(text in "(## |- id: |- file: |- signature: | -> |none|\\PC|\n){0,60}") {
            for approval in approvals(text.as_bytes()).into_iter().flatten() {
                prop_assert_eq!(approval.statement.text(), approval.signed);
            }
        }
    }
}
