use super::*;

#[test]
fn the_script_is_that_of_most_letters() {
    for (text, expected) in [
        ("Wo liegt Zürich?", Script::Latin),
        ("Atlas 的数据库迁移", Script::Ideographs),
        ("아틀라스 배포", Script::Ideographs),
        ("Где школа", Script::Other),
        ("2026", Script::Latin),
    ] {
        assert_eq!(script(text), expected, "{text}");
    }
}
use proptest::prelude::*;

fn tokens(text: &str) -> Vec<String> {
    document_tokens(text, Language::of(text))
}

#[test]
fn words_are_folded_and_stemmed() {
    assert_eq!(tokens("Running Café ﬁnal"), ["running", "run", "cafe", "final"]);
    assert_eq!(tokens("David's don’t"), ["davids", "david", "dont"]);
    assert_eq!(fold("Straße Łódź İstanbul"), "strasse lodz istanbul");
}

#[test]
fn signs_that_fold_to_nothing_or_to_a_space_leave_no_token() {
    let found = tokens("ͺୟ \u{345} ¨a");
    assert!(found.iter().all(|token| matches!(token.as_str(), "ୟ" | "a")), "{found:?}");
}

#[test]
fn identifiers_are_kept_whole_and_in_parts() {
    let found = tokens("see `parseHTTPHeader` in src/http_parser.rs");
    for part in ["parsehttpheader", "parse", "http", "header", "src", "parser", "rs"] {
        assert!(found.iter().any(|token| token == part), "{part} in {found:?}");
    }
    assert!(found.contains(&finish("src/http_parser.rs")));
    assert!(
        found.iter().all(|token| token.chars().all(|each| !each.is_ascii() || each.is_ascii_alphanumeric()))
    );
}

#[test]
fn a_name_with_signs_after_it_is_another_name() {
    let words = |text: &str| -> Vec<String> {
        all_query_words(text, &[]).into_iter().map(|word| word.folded).collect()
    };
    assert_eq!(words("C, C++, C#. (F#)"), ["c", "c++", "c#", "f#"]);
    assert_eq!(words("notepad++ and g++"), ["notepad", "notepad++", "and", "g++"]);
    assert_eq!(words("C/C++"), ["c", "c++", "c/c++"]);
    assert_eq!(words("C++17"), ["c++", "17", "c++17"]);
    assert_eq!(words("x+1 a+b issue#3"), ["x", "1", "x+1", "a", "b", "a+b", "issue", "3", "issue#3"]);
    let found = tokens("in C++");
    assert_eq!(found, ["in", &finish("c++")]);
}

#[test]
fn pictographs_are_words() {
    assert_eq!(tokens("party🎉!"), ["party", "parti", "🎉"]);
    assert_eq!(tokens("❤️ ❤ 👍🏽"), ["❤", "❤", "👍"]);
    assert_eq!(tokens("👨‍👩‍👧‍👦"), ["👨", "👩", "👧", "👦"]);
    assert_eq!(tokens("🇩🇪🇦🇹"), ["🇩🇪", "🇦🇹"]);
}

#[test]
fn chinese_japanese_and_korean_are_characters_and_pairs() {
    assert_eq!(tokens("迁移计划"), ["迁", "移", "迁移", "计", "移计", "划", "计划"]);
    assert_eq!(tokens("회의"), ["회", "의", "회의"]);
    let words = query_words("회의에서 x", &[]);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    assert_eq!(folded, ["회의", "의에", "에서", "x"]);
    assert_eq!(tokens("ｶﾞｲﾄﾞ")[2], "ガイ", "half-width kana are the same as full-width");
}

#[test]
fn stop_words_leave_a_question_unless_there_is_nothing_else() {
    let folded =
        |text: &str| -> Vec<String> { query_words(text, &[]).into_iter().map(|word| word.folded).collect() };
    assert_eq!(folded("What did we decide about the Atlas?"), ["decide", "atlas"]);
    assert_eq!(folded("to be or not"), ["not"]);
    assert_eq!(folded("who are you"), ["who", "are", "you"]);
    assert!(folded("\"!? -*( →").is_empty());
}

#[test]
fn a_question_is_stemmed_by_the_languages_of_the_documents() {
    let words = query_words("Häuser", &[Language::German]);
    assert!(words[0].tokens.contains(&"haus".to_owned()), "{words:?}");
    let text = "Die Häuser am Ufer wurden im letzten Jahr verkauft, sagte der Makler gestern am Telefon.";
    assert_eq!(Language::of(text), Language::German);
    assert!(tokens(text).contains(&"haus".to_owned()));
}

proptest! {
    #[test]
    fn what_stands_in_a_document_is_found_by_asking_for_it(text in "\\PC{0,60}") {
        let document: HashSet<String> = tokens(&text).into_iter().collect();
        for word in query_words(&text, &[Language::German]) {
            prop_assert!(word.tokens.iter().any(|token| document.contains(token)), "{:?}", word);
        }
        for token in document {
            prop_assert!(!token.is_empty() && !token.contains(['"', '\'', ' ', '*', '(']));
        }
    }
}

#[test]
fn a_word_after_an_elided_one_is_found_by_itself() {
    let finds = |document: &str, question: &str| {
        let tokens = document_tokens(document, Language::French);
        let words = query_words(question, &[Language::French, Language::Italian]);
        !words.is_empty() && words.iter().all(|word| word.tokens.iter().any(|token| tokens.contains(token)))
    };
    for (document, question) in [
        ("La clé de l'écurie est rouge.", "écurie"),
        ("La clé de l’écurie est rouge.", "ecurie"),
        ("Près de l’Hôtel du Lac", "hôtel"),
        ("Il dit qu'Émilie viendra", "Emilie"),
        ("il rubinetto dell'acqua", "acqua"),
        ("L'avvocato è Bruno", "avvocato"),
        ("écurie", "l'écurie"),
        ("l'écurie", "l’écurie"),
        ("aujourd'hui", "aujourd'hui"),
        ("O'Brien came", "O'Brien"),
    ] {
        assert!(finds(document, question), "{question} in {document}");
    }
    for (document, question) in [("it's the don't", "s"), ("the dog's tail", "s"), ("rock'n'roll", "roll")] {
        assert!(!finds(document, question), "{question} in {document}");
    }
    let wanted: HashSet<String> = ["ecurie".to_owned()].into();
    let found = Highlighter::new(&wanted, &[]).find("de l'écurie");
    assert_eq!(found, [(3, "ecurie")]);
}

#[test]
fn grouped_numbers_are_the_numbers_they_are() {
    for text in
        ["a rent of 5,000 euros", "a rent of 5.000 euros", "a rent of 5'000 euros", "rent $5,000/month"]
    {
        let tokens = document_tokens(text, Language::English);
        assert!(tokens.contains(&"5000".to_owned()), "{text}: {tokens:?}");
        assert!(query_words("5000", &[])[0].tokens.iter().any(|token| tokens.contains(token)), "{text}");
        assert!(query_words("5,000", &[])[0].tokens.contains(&"5000".to_owned()));
    }
    for text in ["version 1.2.3", "5,00 euros", "0.5,000", "1234,567"] {
        let tokens = document_tokens(text, Language::English);
        assert!(
            !tokens.iter().any(|token| ["123", "500", "05000", "1234567"].contains(&token.as_str())),
            "{tokens:?}"
        );
    }
}
