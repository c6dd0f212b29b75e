//! LongMemEval: haystacks of chats with an assistant, with questions whose evidence is whole sessions.
//!
//! The file at hand holds three haystacks with several questions each: enough to see that nothing is broken, too little to
//! tell two rankings apart. Turns have no ids of their own; theirs are made of the session and a number.

use std::path::Path;

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::conversation::{Conversation, DataError, Question, Session, Speaker, Turn, read_json, whole};

/// The file, below the data folder.
pub(crate) const FILE: &str = "longmemeval/longmemeval_s_subset.json";

#[derive(Deserialize)]
struct Haystack {
    question_id: String,
    questions: Vec<String>,
    answer_session_ids: Vec<Vec<String>>,
    haystack_dates: Vec<String>,
    haystack_session_ids: Vec<String>,
    haystack_sessions: Vec<Vec<Said>>,
}

#[derive(Deserialize)]
struct Said {
    role: Speaker,
    content: String,
}

/// Reads the file.
///
/// # Errors
/// [`DataError`] when it is not LongMemEval's.
pub(crate) fn read(path: &Path) -> Result<Vec<Conversation>, DataError> {
    let haystacks: Vec<Haystack> = read_json(path)?;
    haystacks.into_iter().map(|one| conversation(one).map_err(|reason| whole(path, reason))).collect()
}

fn conversation(haystack: Haystack) -> Result<Conversation, String> {
    let Haystack { question_id, questions, answer_session_ids, .. } = haystack;
    let sessions = haystack.haystack_sessions.into_iter();
    if sessions.len() != haystack.haystack_dates.len()
        || sessions.len() != haystack.haystack_session_ids.len()
        || questions.len() != answer_session_ids.len()
    {
        return Err(format!("{question_id}: its lists are not of the same length"));
    }
    let mut sessions = sessions
        .zip(haystack.haystack_session_ids.into_iter().zip(&haystack.haystack_dates))
        .map(|(said, (id, date))| {
            let time = date_of(date).map_err(|error| format!("{id}: `{date}`: {error}"))?;
            let time = time.to_zoned(TimeZone::UTC).map_err(|error| error.to_string())?.timestamp();
            let turns = said.into_iter().enumerate().map(|(at, said)| Turn {
                id: format!("{id}:{}", at + 1),
                speaker: None,
                role: said.role,
                text: said.content,
            });
            Ok(Session { turns: turns.collect(), id, time })
        })
        .collect::<Result<Vec<Session>, String>>()?;
    sessions.sort_by_key(|session| session.time);
    let questions = questions.into_iter().zip(answer_session_ids);
    Ok(Conversation {
        id: question_id,
        sessions,
        questions: questions.map(|(text, evidence)| Question { text, evidence, category: None }).collect(),
    })
}

/// `2023/07/12 (Wed) 10:14`.
fn date_of(text: &str) -> Result<DateTime, jiff::Error> {
    strtime::parse("%Y/%m/%d (%a) %H:%M", text)?.to_datetime()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_the_data_set_writes_them() {
        assert_eq!(date_of("2023/07/12 (Wed) 10:14").unwrap(), "2023-07-12T10:14:00".parse().unwrap());
    }

    #[test]
    fn the_data_set_is_read_in_full() {
        let file = match crate::DataFolder::beside_the_project().file(FILE) {
            Ok(file) => file,
            Err(why) => return crate::report::say(&format!("skipped: {why}")),
        };
        let haystacks = read(&file).unwrap();
        let sizes: Vec<(usize, usize)> =
            haystacks.iter().map(|one| (one.sessions.len(), one.questions.len())).collect();
        assert_eq!(sizes, [(39, 9), (41, 9), (40, 8)]);
    }
}
