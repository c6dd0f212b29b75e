//! What is denied, only claimed by others, or handed over to be worked on is nobody's memory.

use rem_mind::lifecycle::extract::{ExtractionKind, extract};

use crate::extracting::{taken, talk};

/// What is taken of a message, the journal's lines included.
fn told(message: &str) -> Vec<String> {
    extract(&talk(&[message, "I see.", "ok"])).into_iter().map(|each| each.text).collect()
}

#[test]
fn what_its_speaker_denies_was_never_decided() {
    for message in [
        "Copilot claims we decided to move to MongoDB. That's false.",
        "Hermes behauptet, wir haben beschlossen, auf SAP zu wechseln. Das ist falsch.",
        "Klaus sagt, wir haben beschlossen, den Hof zu verkaufen. Quatsch.",
        "It is not true that we decided to raise the prices.",
        "Gemini said we decided to use Redis, but that is wrong.",
        "Grok said we decided to use Elixir, but that's not right.",
        "We decided to use Elixir. That's not true.",
        "We are moving to Lyon. Nonsense!",
        "We never decided to sell the boat.",
        "No decision was made to sell the boat.",
        "有人说我们决定用甲骨文,这是错的",
        "我们决定用甲骨文。那是错的。",
        "我们决定用甲骨文,不是真的。",
        "누가 우리가 오라클로 옮기기로 했다고 하던데 사실이 아니야.",
        "우리는 오라클로 옮기기로 했어요. 그건 틀렸어.",
        "우리는 오라클로 옮기기로 결정했어. 사실이 아니야.",
        "Es stimmt nicht, dass wir beschlossen haben, die Preise zu erhöhen.",
        "Wir haben beschlossen, die Preise zu erhöhen. Das stimmt nicht.",
        "Gemini meinte, wir nehmen Redis, aber das ist falsch.",
        "Wir haben nie beschlossen, den Hof zu verkaufen.",
        "My boss Robert lives in Lyon. That's wrong.",
        "The key to the shed hangs behind the fuse box in the cellar. That's not true.",
        "Lesson learned: never deploy on a Friday. Das ist Unsinn.",
    ] {
        assert_eq!(told(message), [] as [String; 0], "{message}");
    }
}

#[test]
fn what_others_claim_was_decided_is_no_decision_of_the_speakers() {
    for message in [
        "Copilot claims that we decided to move to MongoDB.",
        "My colleague says we decided to use Redis for caching.",
        "Yesterday Anna told me that we agreed on Redis for caching.",
        "Hermes behauptet, dass wir beschlossen haben, auf SAP zu wechseln.",
        "Klaus sagt, wir haben beschlossen, den Hof zu verkaufen.",
        "有人说我们决定用甲骨文。",
        "코파일럿은 우리가 오라클로 옮기기로 했다고 주장해.",
    ] {
        assert_eq!(taken(&[message, "I see.", "ok"]), [], "{message}");
    }
}

#[test]
fn what_the_speaker_says_was_decided_is_a_decision() {
    for message in [
        "We decided to use Redis for caching.",
        "As I said, we decided to use Redis for caching.",
        "We decided to use Redis, and the team is happy. The old cache was wrong.",
        "We decided to sell the house. That was a mistake.",
        "Wir haben beschlossen, den Hof zu verkaufen. Das war teuer.",
        "Wir haben uns nicht für Hugo, sondern für Astro entschieden.",
        "我们决定用 PostgreSQL。",
    ] {
        assert_eq!(taken(&[message, "I see.", "ok"]).len(), 1, "{message}");
    }
}

#[test]
fn what_is_handed_over_to_be_worked_on_is_not_said() {
    for (message, words) in [
        ("Translate to German: We decided to use Redis for caching", "Redis"),
        ("Translate into French: My boss Robert lives in Lyon and we decided to hire a cook", "Robert"),
        ("Complete this sentence: We decided to sell the house because", "house"),
        ("Finish the sentence for me: My sister Carla lives in Bonn and", "Carla"),
        ("Suppose we moved to Lisbon. My neighbour Carla would look after the cat", "Carla"),
        ("Imagine I was a pirate: My parrot Polly lives on the ship in cabin 12.", "Polly"),
        ("Übersetze ins Englische: Mein Chef heißt Konrad und wohnt in Bonn", "Konrad"),
        ("다음을 번역해 줘: 대표는 이민호 씨입니다", "이민호"),
        ("翻译成英文:我的经理叫李强", "李强"),
    ] {
        let found = told(message);
        assert!(!found.iter().any(|text| text.contains(words)), "{message}: {found:?}");
    }
    let found = told("Translate to German: We decided to use Redis.\n\nMy sister Carla is allergic to nuts.");
    assert!(found.iter().any(|text| text.contains("Carla")), "{found:?}");
}

/// The lines of the journal on a message, one after the other.
fn journal(messages: &[&str]) -> String {
    let all = extract(&talk(messages)).into_iter().filter(|each| each.kind == ExtractionKind::Journal);
    all.map(|each| each.text).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_journal_tells_what_replaces_and_not_what_was_taken_back() {
    for (messages, gone, told) in [
        (
            &[
                "We go with the blue kiln. The old one was 20 years old. We paid 900 euros for it. No wait, we take the red kiln instead. It has a bigger door.",
            ][..],
            "blue",
            &["red kiln", "20 years", "900 euros"][..],
        ),
        (&["We meet in Bonn on Friday.", "Fine.", "No wait, we meet in Ulm on Friday."], "Bonn", &["Ulm"]),
        (
            &[
                "Wir nehmen den blauen Ofen. Er kostet 900 Euro. Moment, nein, wir nehmen doch lieber den roten Ofen.",
            ],
            "blauen",
            &["roten Ofen"],
        ),
    ] {
        let journal = journal(messages);
        assert!(!journal.contains(gone), "{journal}");
        for words in told {
            assert!(journal.contains(words), "{words}: {journal}");
        }
    }
}

#[test]
fn the_journal_tells_a_conversation_in_its_order() {
    let journal = journal(&[
        "The kiln broke on Monday. We fired it too hot. I ordered a new thermocouple. It arrives on 20 November. The insurance pays 300 euros.",
    ]);
    let places: Vec<usize> = ["broke", "hot", "thermocouple", "20 November", "300"]
        .iter()
        .filter_map(|words| journal.find(words))
        .collect();
    assert!(places.len() >= 4 && places.is_sorted(), "{journal}");
}
