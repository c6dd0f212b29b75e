//! What people and agents say in the labelled sessions of `tests/extraction`, for benchmarks to make conversations of.

#[derive(serde::Deserialize)]
struct Labelled {
    turns: Vec<Said>,
}

/// Something said.
#[derive(serde::Deserialize)]
pub(crate) struct Said {
    /// `user` or `agent`.
    pub(crate) role: String,
    pub(crate) text: String,
}

/// The turns of all sessions of these sets, in the order of their files, without those of tools and of the memory.
pub(crate) fn turns(sets: &[&str]) -> Vec<Said> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction");
    let mut paths: Vec<_> = sets
        .iter()
        .flat_map(|set| std::fs::read_dir(folder.join(set)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a file");
        serde_saphyr::from_str::<Labelled>(&text).expect("a session").turns
    };
    paths.iter().flat_map(read).filter(|turn| turn.role == "user" || turn.role == "agent").collect()
}
