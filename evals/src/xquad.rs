//! XQuAD: the same paragraphs and questions in several languages. Each paragraph becomes a note; the right one is asked for.
//!
//! Paragraphs and questions of two languages stand in the same order, which is what makes questions of one language about
//! the other's paragraphs possible.

use std::path::Path;

use serde::Deserialize;

use crate::conversation::{DataError, read_json};

/// The languages that are measured, with their files below the data folder.
pub(crate) const FILES: [(&str, &str); 2] = [("en", "xquad/xquad.en.json"), ("zh", "xquad/xquad.zh.json")];

/// Paragraphs, and questions with the place of their paragraph.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Paragraphs {
    pub(crate) texts: Vec<String>,
    pub(crate) questions: Vec<(String, usize)>,
}

#[derive(Deserialize)]
struct File {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
}

/// Reads the file of one language.
///
/// # Errors
/// [`DataError`] when it is not XQuAD's.
pub(crate) fn read(path: &Path) -> Result<Paragraphs, DataError> {
    let file: File = read_json(path)?;
    let mut read = Paragraphs { texts: Vec::new(), questions: Vec::new() };
    for paragraph in file.data.into_iter().flat_map(|article| article.paragraphs) {
        let at = read.texts.len();
        read.questions.extend(paragraph.qas.into_iter().map(|asked| (asked.question, at)));
        read.texts.push(paragraph.context);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_are_parallel() {
        let mut places = Vec::new();
        for (_, file) in FILES {
            let file = match crate::DataFolder::beside_the_project().file(file) {
                Ok(file) => file,
                Err(why) => return crate::report::say(&format!("skipped: {why}")),
            };
            let read = read(&file).unwrap();
            assert_eq!((read.texts.len(), read.questions.len()), (240, 1190));
            places.push(read.questions.into_iter().map(|(_, at)| at).collect::<Vec<usize>>());
        }
        assert_eq!(places[0], places[1]);
    }
}
