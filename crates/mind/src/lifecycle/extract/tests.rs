use super::wordings;

#[test]
fn the_words_of_the_patterns_are_in_their_file() {
    wordings::patterns().assert_words_are_current();
}

#[test]
fn debug_marks() {
    let Some(path) = std::env::var_os("REM_DEBUG_MARKS") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let transcript = rem_format::transcript::Transcript::parse(text.as_bytes()).unwrap();
    let mut session = super::session::Session::read(&transcript);
    super::context::add_marks(&mut session);
    for turn in &session.turns {
        for said in &turn.sentences {
            let judged = said
                .judgement
                .map(|j| format!("{:?} {:?} {:.2}", j.store, j.kind, j.likelihood))
                .unwrap_or_default();
            println!(
                "{} {} | {} | {:?} | {judged} | {:?}",
                said.turn,
                if turn.is_user { "U" } else { "A" },
                said.text,
                said.marks,
                said.name
            );
        }
    }
}
