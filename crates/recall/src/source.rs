//! What the caller tells about the files that may be searched: where each lies, what it is, and the stamp by which a change is
//! noticed without opening it.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rem_format::decay_scores::StoreKind;

/// A file changed so shortly before it was looked at could change again within the same tick of the clock of
/// its file system, so its times prove nothing yet.
const UNSETTLED: Duration = Duration::from_secs(2);

/// One file that may be searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path relative to the workspace, with `/` between the parts.
    pub path: String,
    /// Where to read it.
    pub absolute: PathBuf,
    /// What the file system said when the search began.
    pub stamp: Stamp,
}

/// All the files that may be searched, and what is known of them.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// All of them, in the order of their paths: others are taken out of the index.
    pub files: &'a [SourceFile],
    /// What the file with a path is.
    pub label: &'a dyn Fn(&str) -> Label,
    /// A number that is another whenever `label` answers otherwise than before.
    pub labels: u64,
    /// The machine's own time (not a pinned one): it is compared with the times of the files.
    pub observed_at: SystemTime,
    /// The written-down uses of the memories; nothing where nobody writes them down.
    pub checkpoint: Option<Checkpoint<'a>>,
    /// Which moment's files they are; nothing where nobody has followed what became of them.
    pub moment: Option<Moment<'a>>,
}

/// A moment in the life of files that are watched.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Another number for every state of the files that this process sees.
    pub state: u64,
    /// The paths of files that came, went or were touched since an earlier state; nothing where that is not known.
    pub changed_since: &'a dyn Fn(u64) -> Option<BTreeSet<String>>,
}

/// What was written down of the uses of memories (`decay-scores.json`).
#[derive(Clone, Copy)]
pub struct Checkpoint<'a> {
    /// What tells it from another.
    pub stamp: [u8; 32],
    /// Reads it; nothing where it cannot be read, and then what is counted here stays.
    pub read: &'a dyn Fn() -> Option<Vec<CheckpointEntry>>,
}

/// The uses of one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointEntry {
    /// Its id.
    pub memory: String,
    /// How often it was used, its making included.
    pub accesses: u32,
    /// The day of the last time, counted from 1970.
    pub last_day: i32,
    /// What another program says that it was worth at its making, 0 to 1.
    pub base: Option<f64>,
    /// Whether it never fades, which its file may not say.
    pub pinned: bool,
}

/// The state of one file as 32 bytes; nothing where there is no regular file.
pub fn stamp_of(file: &Path) -> Option<[u8; 32]> {
    let metadata = std::fs::symlink_metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let Stamp { size, mtime_ns, ctime_ns, inode } = Stamp::of(&metadata);
    let mut bytes = [0; 32];
    for (place, number) in bytes.chunks_exact_mut(8).zip([size, mtime_ns, ctime_ns, inode]) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    Some(bytes)
}

impl Sources<'_> {
    /// Those of the files with these paths, and the paths of which there are none.
    pub(crate) fn some<'p>(&self, paths: &'p BTreeSet<String>) -> (Vec<SourceFile>, Vec<&'p str>) {
        let (mut there, mut gone) = (Vec::new(), Vec::new());
        for path in paths {
            match self.files.binary_search_by(|file| file.path.cmp(path)) {
                Ok(place) => there.push(self.files[place].clone()),
                Err(_) => gone.push(path.as_str()),
            }
        }
        (there, gone)
    }

    /// What stands for the state of all files together, but for those with these paths.
    pub(crate) fn listing(&self, apart: &BTreeSet<String>) -> [u8; 32] {
        // In one piece, which is hashed several times faster than many small ones.
        let mut listed = self.labels.to_le_bytes().to_vec();
        for file in self.files.iter().filter(|file| !apart.contains(&file.path)) {
            listed.extend_from_slice(file.path.as_bytes());
            let Stamp { size, mtime_ns, ctime_ns, inode } = file.stamp;
            // No path holds a zero byte, so no two lists give the same bytes.
            listed.push(0);
            for number in [size, mtime_ns, ctime_ns, inode] {
                listed.extend_from_slice(&number.to_le_bytes());
            }
        }
        *blake3::hash(&listed).as_bytes()
    }
}

impl SourceFile {
    /// The file at `absolute`; nothing where there is no regular file. Symbolic links are not followed.
    pub fn at(path: String, absolute: PathBuf) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(&absolute).ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { path, absolute, stamp: Stamp::of(&metadata) })
    }
}

/// The memories in a file, each of which fades for itself (M9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holds {
    /// None: a conversation, a note, a person's own page.
    #[default]
    Nothing,
    /// The list items with an id; their ids begin with this word.
    Entries(&'static str, StoreKind),
    /// The episodes of a day.
    Episodes,
    /// The file is one entity.
    Entity,
    /// The file is one procedure.
    Procedure,
}

/// What the caller knows about a file and a search wants to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Label {
    /// The kind of memory: `entity`, `journal`, `conversation`, …
    pub category: String,
    /// The tier (`T0` to `T2`), or empty.
    pub tier: String,
    /// The memory's id where a file is one memory; `None` names results after their path and lines.
    pub id: Option<String>,
    /// What the file belongs to by its place, as `project:atlas`; front matter adds to it.
    pub facets: Vec<String>,
    /// Which memories it holds.
    pub holds: Holds,
    /// About the memory itself, what is for somebody alone included: nothing for whom it is asked on behalf of.
    pub is_for_operator: bool,
    /// Out of use, whatever the file says of itself.
    pub is_out_of_use: bool,
}

/// What the file system says about one file without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Length in bytes.
    pub size: i64,
    /// When the contents changed, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// When anything about the file changed, in nanoseconds since 1970.
    pub ctime_ns: i64,
    /// The file's number on its file system.
    pub inode: i64,
}

impl Stamp {
    /// The stamp in what the file system says.
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        let nanoseconds =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            size: i64::try_from(metadata.size()).unwrap_or(i64::MAX),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino().cast_signed(),
        }
    }

    /// Whether the file has rested long enough for its times to be trusted.
    pub(crate) fn is_settled(&self, observed_at: SystemTime) -> bool {
        let observed = observed_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let margin = i64::try_from(UNSETTLED.as_nanos()).unwrap_or(i64::MAX);
        let observed = i64::try_from(observed.as_nanos()).unwrap_or(i64::MAX);
        observed.saturating_sub(self.mtime_ns.max(self.ctime_ns)) > margin
    }
}

/// The number of the file at this place, where it holds anything; systems without such numbers give 0.
pub(crate) fn inode_of(path: &Path) -> Option<i64> {
    let stamp = std::fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata));
    stamp.filter(|stamp| stamp.size > 0).map(|stamp| stamp.inode)
}
